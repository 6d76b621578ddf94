/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tables behind reprise/host.h: one object per field and one per curve, from host_field_tmpl.c and
 * host_curve_tmpl.c.
 */
#ifndef REPRISE_OPS_HOST_H
#define REPRISE_OPS_HOST_H

#include <reprise/host.h>

#define RP_HOST_FIELD(NAME, name, bytes, limbs, degree) extern const rp_field_host rp_field_host_##name;
RP_FIELD_LIST(RP_HOST_FIELD)
#undef RP_HOST_FIELD

/* RP_HOST_LEAST: the name of a curve's variant that needs the fewest instructions among those that this build has. */
#if defined(REPRISE_CPU_ONLY_IFMA) || defined(REPRISE_CPU_ONLY_ADX)
#define RP_HOST_LEAST(name) name##_adx
#else
#define RP_HOST_LEAST(name) name
#endif

/* rp_lift_x_<curve>: sets y, to either root, so that the point is on the curve; returns false if there is no such y. */
#define RP_HOST_CURVE(NAME, name, base, scalar, weierstrass)      \
  extern const rp_curve_host RP_HOST_LEAST(rp_curve_host_##name); \
  bool RP_HOST_LEAST(rp_lift_x_##name)(void *affine);
RP_CURVE_LIST(RP_HOST_CURVE)
#undef RP_HOST_CURVE
#if defined(__x86_64__) /* the same tables for processors with MULX and ADX */
#define RP_HOST_CURVE(NAME, name, base, scalar, weierstrass) extern const rp_curve_host rp_curve_host_##name##_adx;
RP_CURVE_LIST(RP_HOST_CURVE)
#undef RP_HOST_CURVE
#endif

/* The arguments of rp_lift_many_<curve> (arith/host/host_lift_tmpl.c), as for rp_point_lift_many. */
typedef struct rp_lift_args {
  const uint8_t *larger;
  void *points;
  uint8_t *valid;
} rp_lift_args;

/* The functions of a pairing family, from arith/pairing/pairing_tmpl.c, named by the id of its G2. */
typedef struct rp_pairing_host {
  uint32_t prepared_bytes, value_bytes;
  bool (*prepare)(void *prepared, const void *g2_affine); /* false: not on the curve or not in the subgroup */
  /* valid[i] becomes what prepare returns for point i. Returns false if memory runs out. */
  bool (*prepare_many)(uint32_t n, void *const *prepared, const void *const *g2_affine, uint8_t *valid);
  /* Returns false, and does not touch value, if some argument was not prepared. */
  bool (*product)(void *value, uint32_t n, const void *const *g1_affine, const void *const *prepared);
  bool (*product_is_one)(uint32_t n, const void *const *g1_affine, const void *const *g2_affine);
  void (*one)(void *value);
} rp_pairing_host;
extern const rp_pairing_host rp_pairing_host_bn254_g2, rp_pairing_host_bls12_381_g2;
/* The same for processors with MULX and ADX, and in lanes for those with AVX-512 IFMA as well. */
#if defined(__x86_64__)
extern const rp_pairing_host rp_pairing_host_bn254_g2_adx, rp_pairing_host_bls12_381_g2_adx;
extern const rp_pairing_host rp_pairing_host_bn254_g2_ifma, rp_pairing_host_bls12_381_g2_ifma;
#endif

/* From the lower-case id that a template is compiled with to the enumerator. */
enum {
#define RP_HOST_FIELD(NAME, name, bytes, limbs, degree) RP_HOST_FIELD_ID_##name = RP_FIELD_##NAME,
  RP_FIELD_LIST(RP_HOST_FIELD)
#undef RP_HOST_FIELD
#define RP_HOST_CURVE(NAME, name, base, scalar, weierstrass)                           \
  RP_HOST_CURVE_ID_##name = RP_CURVE_##NAME, RP_HOST_BASE_ID_##name = RP_FIELD_##base, \
  RP_HOST_SCALAR_ID_##name = RP_FIELD_##scalar,
      RP_CURVE_LIST(RP_HOST_CURVE)
#undef RP_HOST_CURVE
};
#define RP_HOST_PASTE(prefix, id) prefix##id
#define RP_HOST_FIELD_ID(id) (rp_field) RP_HOST_PASTE(RP_HOST_FIELD_ID_, id)
#define RP_HOST_CURVE_ID(id) (rp_curve) RP_HOST_PASTE(RP_HOST_CURVE_ID_, id)
#define RP_HOST_BASE_ID(id) (rp_field) RP_HOST_PASTE(RP_HOST_BASE_ID_, id)
#define RP_HOST_SCALAR_ID(id) (rp_field) RP_HOST_PASTE(RP_HOST_SCALAR_ID_, id)

#endif
