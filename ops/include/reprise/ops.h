/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 2: the built-in operations. Each constructor adds nodes to a graph and returns values; none computes.
 * Calling rules: reprise.h. Element types and their memory forms: types.h.
 *
 * Every constructor checks types and lengths at once (the graph's error sticks and names the node). Arrays of more than
 * 2^32 - 1 elements are not supported. Every operation gives equal canonical results on every device: field elements
 * are fully reduced, and points are compared in affine form. "A fault of the run" means that the run ends with
 * RP_ERR_INPUT, and that the reason names the bad element, the node and, if it is certain, the input that the element
 * is in. NULL options, or a zeroed struct with struct_size set, ask for the defaults; choices without a safe default
 * say so.
 */
#ifndef REPRISE_OPS_H
#define REPRISE_OPS_H

#include <reprise/group.h>
#include <reprise/host.h>
#include <reprise/schema.h>
#include <reprise/expr.h>
#include <reprise/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The built-in operations and element types, for files that name them; static, never NULL. */
RP_API const rp_catalog *rp_ops_catalog(void);

/* ---- Examples of operations -------------------------------------------------------------------------------------- */

/* What an example depends on besides its size. */
typedef enum rp_example_over {
  RP_EXAMPLE_NONE,   /* there is no such example */
  RP_EXAMPLE_FIXED,  /* nothing */
  RP_EXAMPLE_FIELDS, /* a field */
  RP_EXAMPLE_PRIMES, /* a field of degree one */
  RP_EXAMPLE_CURVES  /* a curve */
} rp_example_over;

typedef struct rp_example_options {
  uint32_t struct_size;
  uint32_t which; /* index of the example, from 0 */
  rp_field field; /* for RP_EXAMPLE_FIELDS and RP_EXAMPLE_PRIMES */
  rp_curve curve; /* for RP_EXAMPLE_CURVES */
  uint64_t n;     /* the size, >= 2 */
  /* Returns an operand of that type and length, such as an input of the graph. `what` is the word of the example, which
   * says what the elements must be. */
  rp_value (*operand)(void *user, rp_graph *g, const char *what, const rp_type *type, uint64_t len);
  void *user;
} rp_example_options;

/* Operations declare examples (rp_schema.examples) so that tests and measurements can make nodes of any operation. The
 * text is a list of nodes separated by "|", each OPERANDS [; NAME=NUMBER, ...] [-> N]: its operands, members of its
 * parameters that are not zero, and how many results it has if not one. "field, field[1]; n=n | field[5n]; row_len=5".
 *
 * An operand is a word for its elements, followed by [LENGTH] if that is not n:
 *   field, prime, canonical     elements of the field; of one of degree one; integers below its modulus
 *   affine, accumulator, scalar points of the curve; integers (u256) below the order of its group
 *   index                       numbers (u32) below n
 *   u8, u32, u64, u256          any numbers
 *   any other word              elements of the type of that name, such as bn254_fr
 * A length is n, a number, or n with a factor before it, and a number added or subtracted: "n", "1", "3n", "n+1".
 * NUMBER is the same, or `field`, `prime` or `curve`, for their ids. */

/* What example `which` of the operation depends on. */
RP_API rp_example_over rp_example_kind(const rp_op *op, uint32_t which);
/* Adds the node of example options->which to the graph, and returns its first result; RP_NO_VALUE, and an error of the
 * graph, if there is no such example, if its text is wrong, or if it does not exist over that field or curve. */
RP_API rp_value rp_example_node(rp_graph *graph, const rp_op *op, const rp_example_options *options);

/* ---- Moving and converting --------------------------------------------------------------------------------------- */

/* out[i] = x[first + i]; any type. */
RP_API rp_value rp_slice(rp_graph *g, rp_value x, uint64_t first, uint64_t len);
/* out[i] = x[first + i] for i < count, and zero (all bytes zero) from there to the length `len`; any type. `first` and
 * `count` are u32 values of length 1, computed on the device if need be; RP_NO_VALUE means 0 and len. So `count` is a
 * length that only the run knows, below a bound that is recorded: in sums, transforms and products with scalars, the
 * zeros behind it count as missing elements. Faults of the run, named by element 0: count > len; first + count >
 * len(x). */
RP_API rp_value rp_slice_at(rp_graph *g, rp_value x, rp_value first, rp_value count, uint64_t len);
/* x on another device of a group (rp_on of group.h): a slice of all of x there. Copies of a copy go straight from the
 * device that computes x. Where only some elements are needed, rp_slice with that device chosen sends no others. */
RP_API rp_value rp_copy_to(rp_graph *g, rp_value x, uint32_t device);
/* parts[0], then parts[1] and so on, all of one type; n_parts >= 1. */
RP_API rp_value rp_concat(rp_graph *g, const rp_value *parts, uint32_t n_parts);
/* out[i] = x[index[i]]; x of any type, index of u32. An index >= len(x) is a fault of the run. */
RP_API rp_value rp_gather(rp_graph *g, rp_value x, rp_value index);
/* a if the condition, one u32, is not 0, else b, which has a's type and length; both of any type. Both are computed in
 * any case, unless they are results of bodies of rp_if (subgraph.h). Which one is copied can be seen in the time of the
 * run. */
RP_API rp_value rp_select(rp_graph *g, rp_value condition, rp_value a, rp_value b);
/* Appends zero elements (all bytes zero) up to the length `len` >= len(x). */
RP_API rp_value rp_pad(rp_graph *g, rp_value x, uint64_t len);
/* Canonical integers (U256, U384, U64 or U32, see rp_type_canonical) to elements of a prime field and back. By default
 * a value that is not below the modulus is a fault of the run; with `reduce` it is taken modulo p. */
typedef struct rp_convert_options {
  uint32_t struct_size;
  uint32_t reduce;
} rp_convert_options;
RP_API rp_value rp_from_canonical(rp_graph *g, rp_value x, rp_field field, const rp_convert_options *options);
RP_API rp_value rp_to_canonical(rp_graph *g, rp_value x);
/* For callers whose elements of Goldilocks are in Montgomery form, x * 2^64 mod p, which the memory form is not: from
 * that form, and to it. Over fields whose memory form is Montgomery's, both return x itself. */
RP_API rp_value rp_from_montgomery(rp_graph *g, rp_value x);
RP_API rp_value rp_to_montgomery(rp_graph *g, rp_value x);

/* ---- Field vectors ----------------------------------------------------------------------------------------------- */

/* Element-wise a + b, a - b, a * b and -a (rp_neg); both arguments are of one field; an argument of length 1 is
 * broadcast. */
RP_API rp_value rp_add(rp_graph *g, rp_value a, rp_value b);
RP_API rp_value rp_sub(rp_graph *g, rp_value a, rp_value b);
RP_API rp_value rp_mul(rp_graph *g, rp_value a, rp_value b);
RP_API rp_value rp_neg(rp_graph *g, rp_value a);
/* out[i] = a[i] * b[i] - c[i] */
RP_API rp_value rp_mul_sub(rp_graph *g, rp_value a, rp_value b, rp_value c);
/* out[i] = scale * base^i for n elements. base and scale are values of length 1; RP_NO_VALUE as scale means 1. */
RP_API rp_value rp_powers(rp_graph *g, rp_value base, rp_value scale, uint64_t n);
/* out[i] = x[i] * scale * base^i, a coset shift. scale as in rp_powers. */
RP_API rp_value rp_mul_powers(rp_graph *g, rp_value x, rp_value base, rp_value scale);
/* A single field element as a constant, from its canonical little-endian bytes, which must be below the modulus. */
RP_API rp_value rp_field_constant(rp_graph *g, const char *name, rp_field field, const uint8_t *canonical_le);

/* Reductions and scans. Sum and product have length 1. rp_prefix_product: out[i] = x[0] ... x[i]; if exclusive, x[i] is
 * left out, so that out[0] = 1. */
RP_API rp_value rp_sum(rp_graph *g, rp_value x);
RP_API rp_value rp_product(rp_graph *g, rp_value x);
RP_API rp_value rp_prefix_product(rp_graph *g, rp_value x, bool exclusive);
/* Exclusive prefix sum of u32. It has len(x) + 1 elements; the last one is the total, which must stay below 2^32. */
RP_API rp_value rp_prefix_sum(rp_graph *g, rp_value x);
/* The values of the polynomial with coefficients x (constant term first), one for each of the points. */
RP_API rp_value rp_poly_eval(rp_graph *g, rp_value x, rp_value points);
/* The polynomial with coefficients x, less its value at `point`, divided by X - point (Horner's rule): the len(x) - 1
 * coefficients out[i] = x[i + 1] + point * out[i + 1] of the quotient, constant term first. `point` has length 1, x at
 * least 2. */
RP_API rp_value rp_poly_divide(rp_graph *g, rp_value x, rp_value point);

/* A fused expression over columns with rotations, such as a halo2 quotient; expr.h defines the programs. All columns
 * have length n. */
typedef struct rp_expr_options {
  uint32_t struct_size;
  uint32_t n_code;
  const rp_expr_code *code;
  uint64_t rotation_step; /* 0 means 1 */
} rp_expr_options;
RP_API rp_value rp_expr(rp_graph *g, const rp_value *columns, uint32_t n_columns, rp_value constants,
                        const rp_expr_options *options);

/* Batch inversion (Montgomery's trick). out[i] = 1 / x[i]. */
typedef enum rp_zero_policy {
  RP_ZERO_TO_ZERO = 0, /* 1 / 0 = 0; other elements are not affected */
  RP_ZERO_STRICT = 1   /* a zero is a fault of the run */
} rp_zero_policy;
typedef struct rp_batch_inverse_options {
  uint32_t struct_size;
  rp_zero_policy zero;    /* what the inverse of zero is */
  uint32_t constant_time; /* 1: no branch and no address depends on the values, for secrets. Not for Goldilocks, whose
                           * arithmetic branches */
  uint32_t serial;        /* 1: the serial chain of Montgomery's trick, one inversion in all; ignored on GPUs */
  rp_value *zero_mask;    /* not NULL: receives a u8 value that is 1 where x is zero */
} rp_batch_inverse_options;
RP_API rp_value rp_batch_inverse(rp_graph *g, rp_value x, const rp_batch_inverse_options *options);

/* ---- NTT --------------------------------------------------------------------------------------------------------- */

typedef enum rp_order { RP_ORDER_NATURAL = 0, RP_ORDER_BIT_REVERSED = 1 } rp_order;
typedef enum rp_coset {
  RP_COSET_NONE = 0,
  RP_COSET_ROOT_2N = 1, /* shift by the root of order 2n (snarkjs's odd coset) */
  RP_COSET_SHIFT = 2    /* shift by `shift`, the canonical bytes of a field element */
} rp_coset;
/* X_i = sum over j of x_j w^(ij), where w is the convention's root of order n = len / batch. An inverse transform uses
 * w^-1 and multiplies by 1/n. A coset multiplies coefficient j by shift^j before a forward transform, by shift^-j after
 * an inverse one. `batch` transforms of equal power-of-two length lie one after another. `root` has no default. */
typedef struct rp_ntt_options {
  uint32_t struct_size;
  rp_root root;
  uint32_t inverse;
  uint64_t batch; /* 0 means 1 */
  rp_order in_order, out_order;
  rp_coset coset;
  uint8_t shift[48];
  uint32_t no_scale; /* inverse transforms do not multiply by 1/n */
} rp_ntt_options;
RP_API rp_value rp_ntt(rp_graph *g, rp_value x, const rp_ntt_options *options);
/* The same over a coset whose shift is a value of length 1, for example a challenge; options->coset is none. In an
 * inverse transform a shift of zero is a fault of the run; in a forward one, every X_i is then x_0. */
RP_API rp_value rp_ntt_coset(rp_graph *g, rp_value x, rp_value shift, const rp_ntt_options *options);

/* ---- Sparse matrices --------------------------------------------------------------------------------------------- */

/* A matrix of `rows` x `cols` in compressed sparse rows: row_ptr u32[rows + 1], col u32[nnz], val field[nnz]. */
typedef struct rp_csr {
  rp_value row_ptr, col, val;
  uint64_t rows, cols;
} rp_csr;
/* The same in ELLPACK with `width` places per row, rows x cols: col u32[rows * width] (UINT32_MAX pads), val[rows *
 * width], row_len u32[rows]. */
typedef struct rp_ell {
  rp_value row_len, col, val;
  uint64_t rows, cols, width;
} rp_ell;

typedef enum rp_spmv_scheme {
  RP_SPMV_AUTO = 0,    /* chosen by row statistics where row_ptr is constant (see rp_spmv_table), else balanced */
  RP_SPMV_SCALAR = 1,  /* one thread per row */
  RP_SPMV_VECTOR = 2,  /* one subgroup per row */
  RP_SPMV_BALANCED = 3 /* equal numbers of entries per worker, whatever the rows */
} rp_spmv_scheme;
/* The measured thresholds by which AUTO chooses, one table per kind of device (docs/sources.md; examples/tables.c
 * measures another device). With variation = variance / mean^2 of the row lengths: balanced if variation >=
 * balanced_cv2; else vector if the mean row length >= vector_mean; else scalar. */
typedef struct rp_spmv_table {
  double vector_mean, balanced_cv2;
} rp_spmv_table;
RP_API rp_spmv_table rp_spmv_table_of(rp_device_kind device);

typedef struct rp_spmv_options {
  uint32_t struct_size;
  rp_spmv_scheme scheme;
  /* 1: x is U256 canonical; the product val * x is taken as Montgomery(val, x): with values stored times R^2, as in a
   * zkey, the result is in Montgomery form */
  uint32_t x_canonical;
  const rp_spmv_table *table; /* not NULL: replaces the device's table; read during the call */
} rp_spmv_options;
/* y[r] = sum over the entries of row r of val * x[col]. Row pointers and columns are checked: those of run-time
 * matrices in the run, where an error is a fault, those of constant ones when the graph is planned. */
RP_API rp_value rp_spmv(rp_graph *g, const rp_csr *m, rp_value x, const rp_spmv_options *options);
/* The same over points, with a matrix of ones: y[r] = sum over the entries of row r of points[col], for m->rows rows.
 * m->val is RP_NO_VALUE. Rows may be empty, columns unsorted and repeated, points may be equal, opposite or infinity.
 * `points` are m->cols affine points, at most 2^31 - 1, of which infinity is allowed; that they are on the curve is not
 * checked. The sums are accumulators, which differ between schemes and devices, but are always the same points. Indices
 * are checked as by rp_spmv. AUTO is balanced, whose time does not depend on the rows; VECTOR adds each row in eight
 * parts on a GPU, and is SCALAR elsewhere. */
RP_API rp_value rp_spmv_points(rp_graph *g, const rp_csr *m, rp_value points, rp_spmv_scheme scheme);
/* The same matrix; the entries of a row keep their order. */
RP_API rp_csr rp_ell_to_csr(rp_graph *g, const rp_ell *m);
/* The entries of each row of the transpose keep the order of the original rows. val may be RP_NO_VALUE. */
RP_API rp_csr rp_csr_transpose(rp_graph *g, const rp_csr *m);

/* ---- Points ------------------------------------------------------------------------------------------------------ */

/* Affine points to accumulator form and back (with batched inversion). */
RP_API rp_value rp_from_affine(rp_graph *g, rp_value affine);
RP_API rp_value rp_to_affine(rp_graph *g, rp_value acc);
/* Element-wise sum of points in accumulator or affine form, which may be mixed, of one curve. An argument of length 1
 * is broadcast. The result is in accumulator form. Complete: operands may be any points. */
RP_API rp_value rp_point_add(rp_graph *g, rp_value a, rp_value b);
/* -a, in the form that a has. */
RP_API rp_value rp_point_neg(rp_graph *g, rp_value a);
/* Returns the points unchanged. A point off the curve (or, if `subgroup`, outside the prime-order subgroup) is a
 * fault of the run. */
RP_API rp_value rp_point_check(rp_graph *g, rp_value affine, bool subgroup);
/* The points as elements of the base field: x of the first, y of the first, x of the second and so on. */
RP_API rp_value rp_point_coordinates(rp_graph *g, rp_value affine);
/* out[i] = scalars[i] * points[i] in accumulator form. Scalars are canonical U256 below the group order (else a fault).
 * The lengths are equal, or one of them is 1. */
RP_API rp_value rp_scalar_mul(rp_graph *g, rp_value scalars, rp_value points);
/* Table of the multiples of constant points for rp_fixed_base_mul: for each window one row of 2^window_bits - 1 affine
 * points. */
typedef struct rp_fixed_base {
  rp_value table; /* the rows, those of one point in sequence */
  rp_curve curve;
  uint32_t window_bits;
  uint64_t n;
} rp_fixed_base;
RP_API rp_fixed_base rp_fixed_base_table(rp_graph *g, rp_value points,
                                         uint32_t window_bits); /* 0: chosen by the library */
/* out[i] = scalars[i] * base[i mod base.n], in accumulator form, for any number of scalars; these as in
 * rp_scalar_mul. */
RP_API rp_value rp_fixed_base_mul(rp_graph *g, const rp_fixed_base *base, rp_value scalars);
/* Sums of consecutive groups of `width` points, one accumulator point per group. len must be a multiple of width; width
 * 0 means one group of all. */
RP_API rp_value rp_tree_reduce(rp_graph *g, rp_value points, uint64_t width);

/* ---- Multi-scalar multiplication as sparse-matrix algebra -------------------------------------------------------- */

/* The sum of scalars[i] * points[i], one accumulator point. Scalars are canonical U256 below the group order (else a
 * fault), or elements of the scalar field. Points are affine; infinity is allowed. That they are on the curve is not
 * checked here, but by rp_point_check. Canonical coordinates of the sum: rp_to_affine, rp_point_coordinates,
 * rp_to_canonical; infinity is (0, 0). */
typedef struct rp_msm_options {
  uint32_t struct_size;
  uint32_t window_bits; /* 0: chosen */
  uint32_t precompute;  /* windows that share buckets, over multiples of each point; 1: none, 0: chosen */
  uint64_t batch;       /* 0 means 1. Number of results: scalars has batch * n elements, over the same n points */
} rp_msm_options;
/* One node, which becomes nodes of other operations when the graph is planned. What is to be chosen is chosen then,
 * from costs measured for that kind of device, its limits and the memory level: window bits; for constant points on a
 * GPU, multiples of all windows at RP_MEMORY_FULL and RP_MEMORY_MORE, of four at RP_MEMORY_LESS, and none below (for
 * some numbers of points on CUDA, at RP_MEMORY_FULL, also by an endomorphism that multiplies all points of the curve by
 * the same number); and for few points buckets or shared doublings. So one graph, also from a file, suits every device.
 * The sum is the same point whatever is chosen, but not the same accumulator. */
RP_API rp_value rp_msm(rp_graph *g, rp_value scalars, rp_value points, const rp_msm_options *options);

/* Several products with the same scalars, which are sorted into buckets once, with windows chosen as by rp_msm. The
 * result of rp_msm_scalars is for rp_msm_of only. */
typedef struct rp_msm_scalars_options {
  uint32_t struct_size;
  rp_curve curve;           /* of the points of most products; its order is that of the scalars; no default */
  uint32_t window_bits;     /* 0: chosen */
  uint32_t precompute;      /* windows that share buckets, over multiples of each point; 1: none, 0: chosen */
  uint32_t products;        /* how many there will be, for the choice; 0 means 1 */
  uint32_t constant_points; /* 1: the points of all products are constants, so that multiples may be chosen */
  uint32_t in_subgroup;     /* 1: all points of all products are in the subgroup of prime order, which is not checked;
                             * with others the sums may be other points */
} rp_msm_scalars_options;
/* Scalars as in rp_msm. */
RP_API rp_value rp_msm_scalars(rp_graph *g, rp_value scalars, const rp_msm_scalars_options *options);
/* The sum of scalars[i] * points[i], one accumulator point. `points` are affine points, as many as scalars, of the
 * curve of rp_msm_scalars or another of the same order. support: RP_NO_VALUE, or a bitmap of the points that count, as
 * in rp_bucket_filter; products with the same support that follow each other share its work. */
RP_API rp_value rp_msm_of(rp_graph *g, rp_value scalars, rp_value points, rp_value support);

/* The cheapest window for n points on that kind of device, from measured data, and the number of windows that a scalar
 * then has: for graphs made of the steps below, whose windows are fixed when they are built. `merged`: all windows
 * share their buckets, over points with precomputed multiples (rp_window_multiples); on GPUs only. */
RP_API uint32_t rp_msm_window_bits(rp_device_kind device, rp_curve curve, uint64_t n, bool merged);
RP_API uint32_t rp_msm_windows(rp_curve curve, uint32_t window_bits);

/* The steps of rp_msm, each an operation of its own, so that one bucket matrix serves several point vectors.
 *
 * A scalar above half of the group order is replaced by its negative, so that values just below the order are as sparse
 * as those just above zero. Digits are between -2^(window_bits - 1) and 2^(window_bits - 1); ceil(bits of the order /
 * window_bits) of them suffice. A bucket matrix has windows * buckets rows, with the rows of a window in sequence; row
 * (w, b) lists the points whose signed digit in window w is b + 1 or -(b + 1). An entry is index << 1 | (1 if
 * negative). Zero digits are left out.
 *
 * Only rp_bucket_matrix, rp_bucket_filter and rp_bucket_range make bucket matrices. Their values carry the dimensions
 * (rp_form in op.h), also in saved graphs. A struct put together by hand, or one whose dimensions are not those of its
 * values, is an error of the graph; only rp_bucket_reduce and rp_window_reduce take dimensions alone. */
typedef struct rp_buckets {
  rp_value row_ptr; /* u32[windows * buckets + 1] */
  rp_value entries; /* u32[bound]; the first row_ptr[last] of them are in use */
  uint32_t windows, window_bits, buckets;
  uint64_t n; /* number of points that it indexes */
  /* windows whose multiples are precomputed and share one set of rows (1: none); the entry's index is then
   * window_in_group * n + point */
  uint32_t merged;
} rp_buckets;
typedef struct rp_bucket_options {
  uint32_t struct_size;
  rp_curve curve;       /* gives the scalar field and the group order; no default */
  uint32_t window_bits; /* 0: the cheapest for n scalars on a CPU, with `merged` */
  uint32_t merged;      /* 0 means 1 */
} rp_bucket_options;
/* Scalars to a bucket matrix: digits, then a counting sort. */
RP_API rp_buckets rp_bucket_matrix(rp_graph *g, rp_value scalars, const rp_bucket_options *options);
/* The matrix without the entries of points whose bit is 0. support is a u32 bitmap: bit i mod 32 of word i / 32 is
 * point i's. */
RP_API rp_buckets rp_bucket_filter(rp_graph *g, const rp_buckets *b, rp_value support);
/* The rows of `windows` windows from `first` on, for several devices, or where scalars are short. */
RP_API rp_buckets rp_bucket_range(rp_graph *g, const rp_buckets *b, uint32_t first, uint32_t windows);
/* The sum of each row: windows * buckets accumulator points. The work is balanced whatever the row lengths; a very full
 * row is split. */
RP_API rp_value rp_bucket_accumulate(rp_graph *g, const rp_buckets *b, rp_value points);
/* For each window, the sum of (i + 1) * sums[i] over its buckets: `windows` accumulator points. Here and in
 * rp_window_reduce, for sums that another product has made, b may have RP_NO_VALUE for both of its values, and any
 * dimensions with `buckets` a power of two. */
RP_API rp_value rp_bucket_reduce(rp_graph *g, const rp_buckets *b, rp_value sums);
/* rp_bucket_accumulate and rp_bucket_reduce as one node. The sums of the rows stay in scratch memory, in the form that
 * suits the device, and where memory is short for a few windows at a time. Prefer it unless the sums of the rows
 * themselves are needed. */
RP_API rp_value rp_bucket_windows(rp_graph *g, const rp_buckets *b, rp_value points);
/* The sum of 2^(window_bits * merged * w) * windows[w]: one accumulator point. */
RP_API rp_value rp_window_reduce(rp_graph *g, const rp_buckets *b, rp_value windows);
/* The first step of a product as cuZK has it (ePrint 2022/1321): unsigned digits of scalars as sparse matrices, one
 * per window, in ELLPACK. In each, row i takes scalars i, i + rows, i + 2 rows and so on, in this order; a digit that
 * is not 0 is an entry in that column, and its value, of u32, is the number of the scalar. Equal digits of a row are
 * entries of their own. The matrices are stacked: entry (i, digit) of the w-th window is in row w * rows + i and in
 * column (w << window_bits) + digit of a matrix with windows * rows rows, windows << window_bits columns and ceil(n /
 * rows) places per row. The values of its transpose are the columns of a matrix whose product with the points
 * (rp_spmv_points) has the bucket sums; examples/msm_sparse.c is the whole product.
 *
 * Scalars are canonical U256 below the group order (else a fault), or elements of the scalar field; at most 2^29 - 1.
 * All windows together have at most 2^32 - 1 places. The time depends on the scalars. */
typedef struct rp_scalars_to_ell_options {
  uint32_t struct_size;
  rp_curve curve;        /* gives the scalar field and the group order; no default */
  uint32_t window_bits;  /* 1 to 23; 0: L + 2 - floor(L / 3) for up to 2^L scalars, as in the authors' program */
  uint32_t first_window; /* the first window, from 0; the lowest bits of the scalars are in window 0 */
  uint32_t windows;      /* 0: all of the order's bits from there on */
  uint64_t rows;         /* per window, at most as many as scalars; 0: one for 32 scalars */
} rp_scalars_to_ell_options;
RP_API rp_ell rp_scalars_to_ell(rp_graph *g, rp_value scalars, const rp_scalars_to_ell_options *options);
/* out[j * n + i] = 2^(window_bits * j) * points[i] for j < merged: constant tables for merged windows. */
RP_API rp_value rp_window_multiples(rp_graph *g, rp_value points, uint32_t window_bits, uint32_t merged);

/* ---- Hashes ------------------------------------------------------------------------------------------------------ */

typedef enum rp_hash {
  RP_HASH_NONE = 0,
  RP_HASH_RESCUE_RP64_256 = 1,            /* Goldilocks; capacity last, Vandermonde MDS, as in winterfell 0.3.0 */
  RP_HASH_RESCUE_RP64_256_WINTERFELL = 2, /* capacity first, circulant MDS */
  RP_HASH_POSEIDON_BN254 = 3,             /* circomlib's instance */
  /* Poseidon2 (ePrint 2023/323). Over BN254 Fr with states of 2, 3 and 4 elements, x^5, 8 full and 56 partial rounds,
   * as its authors publish it. With 2 it only compresses pairs of digests. */
  RP_HASH_POSEIDON2_BN254_T2 = 4,
  RP_HASH_POSEIDON2_BN254_T3 = 5,
  RP_HASH_POSEIDON2_BN254_T4 = 6,
  RP_HASH_POSEIDON2_BABYBEAR = 7, /* Plonky3's instances with states of 16 elements */
  RP_HASH_POSEIDON2_KOALABEAR = 8
} rp_hash;
/* The number of field elements in a digest, of 32 bytes in all: 4 for Rescue (Goldilocks), 1 for Poseidon and Poseidon2
 * over BN254 Fr, 8 for Poseidon2 over BabyBear and KoalaBear. */
RP_API uint32_t rp_hash_digest_len(rp_hash hash);
RP_API rp_field rp_hash_field(rp_hash hash);
/* Applies the permutation to each state, of 12 elements (Rescue), `width` elements (Poseidon, 2 to 17), or as many as
 * the Poseidon2 hash says. */
RP_API rp_value rp_hash_permute(rp_graph *g, rp_hash hash, uint32_t width, rp_value states);
/* One digest per row of row_len elements. Poseidon: row_len is 1 to 16. Poseidon2: row_len is 1 to 2^20; it is public,
 * and rows are absorbed without padding.
 *   T3 and T4: elements are added to the rate (all but the last element of the state, which begins as row_len * 2^64),
 *     the digest is the first element (Barretenberg, Noir).
 *   BabyBear and KoalaBear: elements overwrite the rate, the first 8, and the digest is the rate (Plonky3's
 *     PaddingFreeSponge<_, 16, 8, 8>).
 *   T2: row_len is 2, and the digest is the first element of P(x) + x (section 3.2 of the paper). */
RP_API rp_value rp_hash_rows(rp_graph *g, rp_hash hash, rp_value x, uint64_t row_len);
/* out[i] is the parent of digests 2i and 2i + 1: half as many digests. It is the digest of rp_hash_rows of both, except
 * over BabyBear and KoalaBear, where the 16 elements are one state, and the parent is the first half of what the
 * permutation makes of it (Plonky3's TruncatedPermutation<_, 2, 8, 16>). */
RP_API rp_value rp_merkle_level(rp_graph *g, rp_hash hash, rp_value digests);

/* Keccak-256 as Ethereum has it: the sponge of FIPS 202 with a rate of 136 bytes, but without its domain bits, so that
 * the padding is that of the Keccak submission ("The Keccak reference", version 3.0): 0x01 and 0x80. Not SHA3-256.
 *
 * x is of U256: any integers of 256 bits. A message is a sequence of them, each encoded as 32 big-endian bytes, and a
 * digest is returned as the integer whose big-endian encoding it is, again U256. rp_to_canonical turns elements of
 * 256-bit fields into messages, and rp_from_canonical with `reduce` turns digests into challenges. rp_keccak256 gives
 * one digest, of all of x; rp_keccak256_rows one for each row of row_len integers. Errors: another type; a row of no
 * integers, or of more than 2^29; a length that is not a multiple of row_len. */
RP_API rp_value rp_keccak256(rp_graph *g, rp_value x);
RP_API rp_value rp_keccak256_rows(rp_graph *g, rp_value x, uint64_t row_len);

/* How the levels of a tree are divided into dispatches. N is the number of leaves, B the group. */
typedef enum rp_merkle_schedule {
  RP_MERKLE_AUTO = 0,   /* what was measured to be the fastest on that kind of device */
  RP_MERKLE_LEVELS = 1, /* one dispatch per level, one work item per node. B <= N / 2 */
  RP_MERKLE_BLOCKS = 2, /* the leaves' parents, then 1 + log2(B) levels per dispatch. B <= N / 4 */
  /* levels while they fill the device, then subtrees whose digests stay close to the processor */
  RP_MERKLE_SUBTREES = 3
} rp_merkle_schedule;
/* The measured thresholds by which AUTO chooses, one table per kind of device (docs/sources.md; examples/tables.c
 * measures another device). */
typedef struct rp_merkle_table {
  uint64_t subtrees; /* trees with at least this many leaves use subtrees, smaller ones levels */
  /* How much work per worker of the device fills it, at least 1. GPUs: nodes; each level with more nodes than that is a
   * dispatch of its own, the smaller levels are done in subtrees. CPU: the work items of a dispatch of subtrees, as
   * long as each item has 16 nodes. */
  uint32_t fill;
} rp_merkle_table;
RP_API rp_merkle_table rp_merkle_table_of(rp_device_kind device);

typedef struct rp_merkle_options {
  uint32_t struct_size;
  rp_merkle_schedule schedule;
  /* B, a power of two, at most RP_MERKLE_GROUP_MAX; 0: chosen; not for subtrees. Poseidon2 chooses it always, and has
   * no RP_MERKLE_BLOCKS. */
  uint32_t group;
  /* For RP_MERKLE_BLOCKS: 1 issues as many dispatches as rp_merkle_published_dispatches says, although the last ones
   * compute the root again. Refused where that number is too small: B = 1 and N >= 16. */
  uint32_t published_count;
  const rp_merkle_table *table; /* not NULL: replaces the device's table, for AUTO and SUBTREES; read during the call */
} rp_merkle_options;
enum { RP_MERKLE_GROUP_MAX = 256 };
/* The inner nodes of the tree over N = 2^k >= 2 leaves, which are digests, as N digests in heap order: element 1 is the
 * root, element i the parent of elements 2i and 2i + 1, and elements N / 2 to N - 1 are the leaves' parents. Element 0
 * is zero. */
RP_API rp_value rp_merkle_tree(rp_graph *g, rp_hash hash, rp_value leaves, const rp_merkle_options *options);
/* The number of dispatches of RP_MERKLE_BLOCKS by the formula that was published with it (docs/sources.md), the first
 * one included. 0 unless leaves and group are powers of two with group <= leaves / 4. */
RP_API uint32_t rp_merkle_published_dispatches(uint64_t leaves, uint32_t group);

/* The authentication paths of leaves[index[i]], for each i from the leaf up: log2(N) digests, of which the first is the
 * leaf's sibling, the next that of its parent, and the last a child of the root. `index` is of u32, computed on the
 * device if need be; an index >= N is a fault of the run. `tree` is rp_merkle_tree of these leaves. */
RP_API rp_value rp_merkle_paths(rp_graph *g, rp_hash hash, rp_value leaves, rp_value tree, rp_value index);

/* The digests of rp_hash_rows, computed on the host, for callers that check paths. */
RP_API RP_CHECKED rp_status rp_hash_rows_host(rp_hash hash, const void *x, uint64_t row_len, uint64_t rows,
                                              void *digests);
/* The same for n parents of 2 n digests, as rp_merkle_level has them. */
RP_API RP_CHECKED rp_status rp_hash_pairs_host(rp_hash hash, const void *digests, uint64_t n, void *parents);

#ifdef __cplusplus
}
#endif
#endif
