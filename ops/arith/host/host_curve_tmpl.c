/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The function table of a curve (reprise/host.h), compiled once for each curve.
 */
#include <reprise/host.h>

#include "arith/curve.h"
#include "arith/host/host.h"
#include "kernel/tmpl.h"

static void host_generator(void *r) { aff_generator(r); }
static void host_identity(void *r) { aff_zero(r); }
static bool host_on_curve(const void *a) { return aff_on_curve(a); }
static bool host_in_subgroup(const void *a) { return aff_in_subgroup(a); }

#if CURVE_EDWARDS
static bool host_equal(const void *a, const void *b) { return aff_same_class(a, b); }
static bool host_is_identity(const void *a) { return fe_is_zero(&((const aff *)a)->x); }
#else
static bool host_equal(const void *a, const void *b) { return aff_equal(a, b); }
static bool host_is_identity(const void *a) { return aff_is_zero(a); }
#endif

static void host_neg(void *r, const void *a) { aff_neg(r, a); }

static void host_add(void *r, const void *a, const void *b) {
  acc t;
  acc_from_aff(&t, a);
  acc_add_aff(&t, &t, b);
  acc_to_aff(r, &t);
}

static void host_mul(void *r, const void *a, const uint8_t scalar_le[32]) {
  uint64_t k[4];
  acc t;
  memcpy(k, scalar_le, sizeof k);
  acc_mul(&t, a, k, 4);
  acc_to_aff(r, &t);
}

static void host_mul_ct(void *r, const void *a, const uint8_t scalar_le[32]) {
  uint64_t k[4];
  acc t;
  aff p, zero;
  fe inv;
  memcpy(k, scalar_le, sizeof k);
  acc_mul_ct(&t, a, k, 4);
  fe_inv_ct(&inv, acc_denominator(&t));
  acc_scale(&p, &t, &inv);
  /* a zero point's denominator is 0 on Weierstrass curves, which gives (0, 0), the form of infinity; on Edwards curves
   * it is not 0 */
  aff_zero(&zero);
  fe_cmov(&p.x, &zero.x, acc_is_zero(&t));
  fe_cmov(&p.y, &zero.y, acc_is_zero(&t));
  memcpy(r, &p, sizeof p);
  rp_wipe(k, sizeof k);
  rp_wipe(&t, sizeof t);
}

static void host_acc_identity(void *r) { acc_zero(r); }
static void host_acc_from_affine(void *r, const void *a) { acc_from_aff(r, a); }
static void host_acc_to_affine(void *r, const void *a) { acc_to_aff(r, a); }
static void host_acc_add(void *r, const void *a, const void *b) { acc_add(r, a, b); }
static void host_acc_add_affine(void *r, const void *a, const void *b) { acc_add_aff(r, a, b); }
static void host_acc_double(void *r, const void *a) { acc_dbl(r, a); }

bool RP_FN(lift_x)(void *affine) {
  aff *p = affine;
  fe yy;
  aff_yy(&yy, &p->x);
  return fe_sqrt_var(&p->y, &yy);
}

static const uint64_t order[4] = CURVE_ORDER_64;

const rp_curve_host RP_FN(curve_host) = {
    .id = RP_HOST_CURVE_ID(RP_ID),
    .name = CURVE_NAME,
    .base = RP_HOST_BASE_ID(RP_ID),
    .scalar = RP_HOST_SCALAR_ID(RP_ID),
    .affine_bytes = sizeof(aff),
    .accumulator_bytes = sizeof(acc),
    .order_le = (const uint8_t *)order,
    .generator = host_generator,
    .identity = host_identity,
    .is_identity = host_is_identity,
    .on_curve = host_on_curve,
    .in_subgroup = host_in_subgroup,
    .equal = host_equal,
    .neg = host_neg,
    .add = host_add,
    .mul = host_mul,
    .mul_ct = host_mul_ct,
    .acc_identity = host_acc_identity,
    .acc_from_affine = host_acc_from_affine,
    .acc_to_affine = host_acc_to_affine,
    .acc_add = host_acc_add,
    .acc_add_affine = host_acc_add_affine,
    .acc_double = host_acc_double,
};
