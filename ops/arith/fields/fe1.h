/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The fe_ names of a prime field. Contracts: ops/arith/field.h.
 */
#ifndef REPRISE_OPS_FE1_H
#define REPRISE_OPS_FE1_H

static inline void fe_zero(fe *r) { fp_zero(r); }
static inline void fe_one(fe *r) { fp_one(r); }
static inline int fe_equal(const fe *a, const fe *b) { return fp_equal(a, b); }
static inline int fe_is_zero(const fe *a) { return fp_is_zero(a); }
static inline void fe_add(fe *r, const fe *a, const fe *b) { fp_add(r, a, b); }
static inline void fe_sub(fe *r, const fe *a, const fe *b) { fp_sub(r, a, b); }
static inline void fe_dbl(fe *r, const fe *a) { fp_dbl(r, a); }
static inline void fe_neg(fe *r, const fe *a) { fp_neg(r, a); }
static inline void fe_mul(fe *r, const fe *a, const fe *b) { fp_mul(r, a, b); }
static inline void fe_sqr(fe *r, const fe *a) { fp_sqr(r, a); }
static inline void fe_cmov(fe *r, const fe *a, int choose) { fp_cmov(r, a, choose); }
static inline void fe_inv_var(fe *r, const fe *a) { fp_inv_var(r, a); }
static inline void fe_inv_ct(fe *r, const fe *a) { fp_inv_ct(r, a); }
static inline void fe_pow(fe *r, const fe *a, const uint64_t *e, size_t n) { fp_pow(r, a, e, n); }
static inline int fe_sqrt_var(fe *r, const fe *a) { return fp_sqrt_var(r, a); }
static inline int fe_from_canonical(fe *r, const fp_word *canonical) { return fp_from_canonical(r, canonical); }
static inline void fe_to_canonical(fp_word *canonical, const fe *a) { fp_to_canonical(canonical, a); }
static inline void fe_load(fe *r, const void *memory) { memcpy(r, memory, sizeof *r); }
static inline void fe_store(void *memory, const fe *a) { memcpy(memory, a, sizeof *a); }

#endif
