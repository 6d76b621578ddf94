/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: the evaluation of a halo2 quotient, built only on the public API of tiers 1 and 2. Calling rules:
 * reprise.h.
 *
 * A caller describes constraints as terms over columns with rotations. The terms become a few fused dispatches, however
 * many gates there are. Columns are transformed to the extended coset when they are needed, and a cache of a chosen
 * size limits how many of them are kept at once. The result is the same, byte for byte, for any number of dispatches
 * and any size of the cache.
 */
#ifndef REPRISE_HALO2_H
#define REPRISE_HALO2_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Terms ------------------------------------------------------------------------------------------------------- */

/* A pool of terms. Equal terms are stored and computed once. The first error sticks, later calls do nothing, and the
 * evaluation reports the error. One thread at a time. */
typedef struct rp_terms rp_terms;
typedef struct rp_term {
  uint32_t id; /* 0: none */
} rp_term;

/* An empty pool, which the caller destroys. */
RP_API RP_CHECKED rp_status rp_terms_create(rp_terms **terms, rp_error *err);
RP_API void rp_terms_destroy(rp_terms *terms);

/* Column `column` at row i + rotation of its domain: rotation 1 of the polynomial p(X) is p(omega X). Columns from
 * RP_TERMS_MAX_COLUMNS on are refused. */
enum { RP_TERMS_MAX_COLUMNS = 1 << 16 };
RP_API rp_term rp_term_column(rp_terms *terms, uint32_t column, int32_t rotation);
/* constants[index], read when the graph runs: challenges, coefficients. */
RP_API rp_term rp_term_constant(rp_terms *terms, uint32_t index);
/* a + b, a - b, a * b, and -a (rp_term_neg). */
RP_API rp_term rp_term_add(rp_terms *terms, rp_term a, rp_term b);
RP_API rp_term rp_term_sub(rp_terms *terms, rp_term a, rp_term b);
RP_API rp_term rp_term_mul(rp_terms *terms, rp_term a, rp_term b);
RP_API rp_term rp_term_neg(rp_terms *terms, rp_term a);
/* ((list[0] * by + list[1]) * by + ...) + list[n - 1]: combines constraints with powers of y, or columns of a lookup
 * with powers of theta. */
RP_API rp_term rp_term_fold(rp_terms *terms, const rp_term *list, uint32_t n, rp_term by);

typedef struct rp_terms_options {
  uint32_t struct_size;
  uint32_t max_inputs;    /* columns and intermediate values that one dispatch reads; 0: 32; at least 2, at most 256 */
  uint64_t rotation_step; /* rows per rotation by one; 0: 1 */
  uint32_t *dispatches;   /* not NULL: receives the number of fused dispatches */
} rp_terms_options;
/* Evaluates the term for every row of the columns, which are all of one field and length. A part of the term that needs
 * too many inputs for one dispatch becomes an intermediate value. The term must use a column. */
RP_API rp_value rp_terms_eval(rp_graph *g, rp_terms *terms, rp_term term, const rp_value *columns, uint32_t n_columns,
                              rp_value constants, const rp_terms_options *options);

/* ---- The extended coset ------------------------------------------------------------------------------------------ */

/* The 2^extended_k points shift * w^i, where w is the root of order 2^extended_k of the convention `root`. halo2 uses
 * RP_ROOT_HALO2 and, as the shift, a cube root of one, zeta, so that coefficient i is scaled by zeta^(i mod 3). No
 * field has a default. */
typedef struct rp_extended_domain {
  uint32_t struct_size;
  rp_root root;
  uint32_t k, extended_k; /* k <= extended_k */
  uint8_t shift[48];      /* canonical bytes of the field */
} rp_extended_domain;
/* From 2^k coefficients to the values on the coset. */
RP_API rp_value rp_coeff_to_extended(rp_graph *g, rp_value coefficients, const rp_extended_domain *domain);
/* From the values on the coset to the first `len` coefficients; 0: to all. */
RP_API rp_value rp_extended_to_coeff(rp_graph *g, rp_value values, const rp_extended_domain *domain, uint64_t len);
/* The values of 1 / (X^n - 1) on the coset, with n = 2^k: a constant of 2^extended_k elements with period 2^(extended_k
 * - k), for graphs that multiply by it themselves; rp_quotient needs no such vector. A coset that contains points of
 * the domain, where X^n - 1 is zero, is refused. */
RP_API rp_value rp_vanishing_inverse(rp_graph *g, rp_field field, const rp_extended_domain *domain);

/* ---- The quotient ------------------------------------------------------------------------------------------------ */

enum { RP_QUOTIENT_CACHE = 5 };
typedef struct rp_quotient_options {
  uint32_t struct_size;
  /* Extended columns kept at once; the least recently used is dropped first; 0: RP_QUOTIENT_CACHE; at most 255. Fewer
   * columns take less memory and more transforms. */
  uint32_t cache_columns;
  uint64_t len;         /* number of coefficients of the quotient; 0: all 2^extended_k */
  uint32_t *dispatches; /* not NULL: receives the number of fused dispatches */
  uint32_t *transforms; /* not NULL: receives the number of transforms of columns */
} rp_quotient_options;
/* Coefficients of numerator / (X^n - 1). columns: 2^k coefficients each. The degree of the quotient must be below
 * 2^extended_k. If the numerator is not divisible, the result does not satisfy the identity, which only a check at a
 * random point shows.
 *
 * The 2^(extended_k - k) different values of 1 / (X^n - 1) are constants that programs read by row, behind those of the
 * numerator up to the last that it uses. Only if these are more than 65536 together, or if the numerator has no column,
 * they are a vector of 2^extended_k elements. */
RP_API rp_value rp_quotient(rp_graph *g, rp_terms *terms, rp_term numerator, const rp_value *columns,
                            uint32_t n_columns, rp_value constants, const rp_extended_domain *domain,
                            const rp_quotient_options *options);

/* ---- Split radix ------------------------------------------------------------------------------------------------- */

/* The transform of rp_ntt, decomposed with radix 2 for the even outputs and radix 8 for the odd ones, down to
 * transforms of at most 2^base_log points. Input and output are in natural order; the result is byte-equal to that of
 * rp_ntt. len(x) is a power of two, at least 8. */
typedef struct rp_split_radix_options {
  uint32_t struct_size;
  rp_root root;      /* no default */
  uint32_t inverse;  /* 1: the inverse transform, with the factor 1/n */
  uint32_t base_log; /* at least 3; 0: one step of the decomposition */
} rp_split_radix_options;
RP_API rp_value rp_ntt_split_radix(rp_graph *g, rp_value x, const rp_split_radix_options *options);

/* ---- The transform in passes of radix 2^8 ------------------------------------------------------------------------ */

/* The decomposition of the GPU transform in DelphinusLab's halo2: passes of radix 2^8, and a last pass for the rest. In
 * each pass, `groups` workgroups of `group` work items each combine 2^log_radix elements, which lie `groups` apart;
 * 2^log_before is the product of the radices of the passes before. */
enum { RP_RADIX_PASSES_MAX = 4 };
typedef struct rp_radix_pass {
  uint32_t log_before, log_radix, group;
  uint64_t groups;
} rp_radix_pass;
/* Fills in the passes of a transform of 2^log_n points and returns their number; log_n is at most 31. Returns 0 if
 * there are none. */
RP_API uint32_t rp_radix_passes(uint32_t log_n, rp_radix_pass passes[RP_RADIX_PASSES_MAX]);
/* The transform of rp_ntt in these passes, each of which is one batch of small transforms. Input and output are in
 * natural order; the result is byte-equal to that of rp_ntt, which is faster. len(x) is a power of two, at least 2. */
typedef struct rp_radix_options {
  uint32_t struct_size;
  rp_root root;     /* no default */
  uint32_t inverse; /* 1: the inverse transform, with the factor 1/n */
} rp_radix_options;
RP_API rp_value rp_ntt_radix_passes(rp_graph *g, rp_value x, const rp_radix_options *options);

#ifdef __cplusplus
}
#endif
#endif
