/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: the evaluation of a halo2 quotient, built on the public API of tiers 1 and 2 alone. Calling rules:
 * reprise.h.
 *
 * A caller describes constraints as terms over columns with rotations. The terms become a few fused dispatches, however
 * many gates there are; columns are transformed to the extended coset when they are needed, and a cache of a chosen
 * size says how many of them are kept at once. Neither the number of dispatches nor the size of the cache changes a
 * byte of the result.
 */
#ifndef REPRISE_HALO2_H
#define REPRISE_HALO2_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Terms ------------------------------------------------------------------------------------------------------- */

/* A pool of terms; equal ones are kept, and computed, once. The first error sticks, later calls are harmless, and the
 * evaluation reports it. One thread at a time. */
typedef struct rp_terms rp_terms;
typedef struct rp_term {
  uint32_t id; /* 0: none */
} rp_term;

RP_API RP_CHECKED rp_status rp_terms_create(rp_terms **terms, rp_error *err);
RP_API void rp_terms_destroy(rp_terms *terms);

/* Column `column` at row i + rotation of its domain: rotation 1 of the polynomial p(X) is p(omega X). Columns from
 * RP_TERMS_MAX_COLUMNS on are refused. */
enum { RP_TERMS_MAX_COLUMNS = 1 << 16 };
RP_API rp_term rp_term_column(rp_terms *terms, uint32_t column, int32_t rotation);
/* constants[index], read when the graph runs: challenges, coefficients. */
RP_API rp_term rp_term_constant(rp_terms *terms, uint32_t index);
RP_API rp_term rp_term_add(rp_terms *terms, rp_term a, rp_term b);
RP_API rp_term rp_term_sub(rp_terms *terms, rp_term a, rp_term b);
RP_API rp_term rp_term_mul(rp_terms *terms, rp_term a, rp_term b);
RP_API rp_term rp_term_neg(rp_terms *terms, rp_term a);
/* ((list[0] * by + list[1]) * by + ...) + list[n - 1]: constraints joined by powers of y, columns of a lookup by
 * theta. */
RP_API rp_term rp_term_fold(rp_terms *terms, const rp_term *list, uint32_t n, rp_term by);

typedef struct rp_terms_options {
  uint32_t struct_size;
  uint32_t max_inputs;    /* columns and intermediate values that one dispatch reads; 0: 32; at least 2, at most 256 */
  uint64_t rotation_step; /* rows that a rotation by one is; 0: 1 */
  uint32_t *dispatches;   /* not NULL: receives how many fused dispatches it became */
} rp_terms_options;
/* The term for every row of the columns, all of one field and length. A part whose inputs do not fit one dispatch
 * becomes an intermediate value. The term must use a column. */
RP_API rp_value rp_terms_eval(rp_graph *g, rp_terms *terms, rp_term term, const rp_value *columns, uint32_t n_columns,
                              rp_value constants, const rp_terms_options *options);

/* ---- The extended coset ------------------------------------------------------------------------------------------ */

/* 2^extended_k points shift * w^i, w the root of order 2^extended_k of the convention. halo2 takes RP_ROOT_HALO2 and a
 * cube root of one, zeta, for the shift, so that coefficient i is scaled by zeta^(i mod 3). No choice has a default. */
typedef struct rp_extended_domain {
  uint32_t struct_size;
  rp_root root;
  uint32_t k, extended_k; /* k <= extended_k */
  uint8_t shift[48];      /* canonical bytes of the field */
} rp_extended_domain;
/* 2^k coefficients to the values on the coset, and values back to the first `len` coefficients (0: all). */
RP_API rp_value rp_coeff_to_extended(rp_graph *g, rp_value coefficients, const rp_extended_domain *domain);
RP_API rp_value rp_extended_to_coeff(rp_graph *g, rp_value values, const rp_extended_domain *domain, uint64_t len);
/* 1 / (X^n - 1) on the coset, n = 2^k: it repeats after 2^(extended_k - k) points. A constant of 2^extended_k elements.
 * A coset that meets the domain is refused. */
RP_API rp_value rp_vanishing_inverse(rp_graph *g, rp_field field, const rp_extended_domain *domain);

/* ---- The quotient ------------------------------------------------------------------------------------------------ */

enum { RP_QUOTIENT_CACHE = 5 };
typedef struct rp_quotient_options {
  uint32_t struct_size;
  uint32_t cache_columns; /* extended columns kept at once, the least recently used goes first; 0: RP_QUOTIENT_CACHE; at
                             most 255. Fewer take less memory and more transforms. */
  uint64_t len;           /* coefficients of the quotient wanted; 0: all 2^extended_k */
  uint32_t *dispatches;   /* not NULL: receives how many fused dispatches there are */
  uint32_t *transforms;   /* not NULL: receives how many columns were transformed, repetitions counted */
} rp_quotient_options;
/* Coefficients of numerator / (X^n - 1). columns: coefficients, 2^k each. The numerator's degree must be below
 * 2^extended_k; if it is not divisible, the result is no polynomial that fulfils the identity: check it at a random
 * point.
 */
RP_API rp_value rp_quotient(rp_graph *g, rp_terms *terms, rp_term numerator, const rp_value *columns,
                            uint32_t n_columns, rp_value constants, const rp_extended_domain *domain,
                            const rp_quotient_options *options);

/* ---- Split radix ------------------------------------------------------------------------------------------------- */

/* The transform of rp_ntt, decomposed with radix 2 for the even outputs and radix 8 for the odd ones, down to
 * transforms of at most 2^base_log points. Natural order in and out; the same bytes as rp_ntt. len(x) is a power of
 * two, at least 8. */
typedef struct rp_split_radix_options {
  uint32_t struct_size;
  rp_root root; /* no default */
  uint32_t inverse;
  uint32_t base_log; /* 3 or more; 0: one step */
} rp_split_radix_options;
RP_API rp_value rp_ntt_split_radix(rp_graph *g, rp_value x, const rp_split_radix_options *options);

/* ---- The transform in passes of radix 2^8 ------------------------------------------------------------------------ */

/* The plan of the GPU transform in DelphinusLab's halo2: passes of radix 2^8 and a last one of what is left. `groups`
 * groups of `group` work items each join 2^log_radix elements, which lie `groups` apart, with 2^log_before points
 * transformed before. */
enum { RP_RADIX_PASSES_MAX = 4 };
typedef struct rp_radix_pass {
  uint32_t log_before, log_radix, group;
  uint64_t groups;
} rp_radix_pass;
/* How many passes a transform of 2^log_n points takes, log_n up to 31; 0 if it has none. */
RP_API uint32_t rp_radix_passes(uint32_t log_n, rp_radix_pass passes[RP_RADIX_PASSES_MAX]);
/* The transform of rp_ntt by that plan, one batch of small transforms per pass. Natural order in and out; the same
 * bytes as rp_ntt, which goes its own, faster way. len(x) is a power of two, at least 2. */
typedef struct rp_radix_options {
  uint32_t struct_size;
  rp_root root; /* no default */
  uint32_t inverse;
} rp_radix_options;
RP_API rp_value rp_ntt_radix_passes(rp_graph *g, rp_value x, const rp_radix_options *options);

#ifdef __cplusplus
}
#endif
#endif
