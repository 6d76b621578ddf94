/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Curve arithmetic on the host, one contract for every curve; the curve is the one whose gen/<id>/ stands first in the
 * include path (ops/kernel/tmpl.h), with its base field in ops/arith/field.h.
 *
 *   aff  affine point: x, y; infinity is (0, 0) on a Weierstrass curve, the identity (0, 1) on an Edwards curve
 *   acc  accumulator: XYZZ on a Weierstrass curve (a = 0), extended coordinates on an Edwards curve (types.h)
 *
 * Points must be on the curve; those of an Edwards curve must also be in the subgroup of order 2r, where the addition
 * law is complete. Results may alias any operand. Functions take variable time unless their name ends in _ct. On an
 * Edwards curve the functions compare and test coordinates; aff_same_class compares classes (Banderwagon).
 */
#ifndef REPRISE_OPS_CURVE_H
#define REPRISE_OPS_CURVE_H

#include "curve_params.h"
#include "arith/field.h"

typedef struct aff {
  fe x, y;
} aff;

#if CURVE_EDWARDS
typedef struct acc {
  fe x, y, t, z;
} acc;
#else
typedef struct acc {
  fe x, y, zz, zzz;
} acc;
#endif

static inline void aff_zero(aff *r);
static inline int aff_is_zero(const aff *a);
static inline void aff_generator(aff *r);
static inline int aff_equal(const aff *a, const aff *b);
static inline void aff_neg(aff *r, const aff *a);
/* yy = the y^2 of the curve equation at x. */
static inline void aff_yy(fe *yy, const fe *x);
static inline int aff_on_curve(const aff *a); /* any field elements; zero is on the curve */
/* On the curve and in the subgroup of prime order; on Banderwagon, in a class that has a member there. a may hold any
 * field elements. */
static inline int aff_in_subgroup(const aff *a);

static inline void acc_zero(acc *r);
static inline int acc_is_zero(const acc *a);
static inline void acc_from_aff(acc *r, const aff *a);
static inline void acc_neg(acc *r, const acc *a);
static inline void acc_dbl(acc *r, const acc *a);
/* Complete: operands may be equal, opposite or zero. */
static inline void acc_add(acc *r, const acc *a, const acc *b);
static inline void acc_add_aff(acc *r, const acc *a, const aff *b);
/* Takes one inversion. */
static inline void acc_to_aff(aff *r, const acc *a);
/* n points with one inversion. scratch holds n elements; r may not overlap a or scratch. */
static inline void acc_batch_to_aff(aff *r, const acc *a, size_t n, fe *scratch);
/* r = k a for an integer k of n 64-bit words, least significant first, which need not be below the order. */
static inline void acc_mul(acc *r, const aff *a, const uint64_t *k, size_t n);
/* The same in a fixed sequence of operations and memory accesses; a must be in the prime-order subgroup. */
static inline void acc_mul_ct(acc *r, const aff *a, const uint64_t *k, size_t n);

#include "arith/curves/steps/objects.h"
#if CURVE_EDWARDS
#include "arith/curves/edwards.h"
#else
#include "arith/curves/weierstrass.h"
#endif
#include "arith/curves/scalar_mul.h"
#if !CURVE_EDWARDS
#include "arith/curves/subgroup.h"
#endif

#endif
