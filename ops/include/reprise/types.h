/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 2: the element types that the built-in operations work on. Calling rules: reprise.h.
 *
 * Memory forms, the same on every device and in the memory of callers:
 *  - A field element is in Montgomery form, least significant limb first, fully reduced: x * R mod p with R = 2^256
 *    (32-byte fields), 2^384 (48-byte fields), 2^64 (the test fields), 2^32 (BabyBear and KoalaBear, whose elements
 *    are u32). Goldilocks elements are canonical u64 (R = 1).
 *  - A quadratic extension element is c0 then c1, for c0 + c1 u, u^2 = -1.
 *  - An affine point is x then y. Infinity is all zero bytes: no curve here has a finite point (0, 0). A Banderwagon
 *    point is an affine twisted Edwards point (x, y) of the Bandersnatch curve; its identity is (0, 1), and every
 *    representative of a class may stand for it.
 *    Points are made from canonical coordinates on the host, each coordinate by from_canonical of its field
 *    (rp_field_host in host.h); rp_point_coordinates and rp_to_canonical of ops.h lead back in a graph.
 *  - An accumulator point is how sums are kept: XYZZ (x = X/ZZ, y = Y/ZZZ, ZZ^3 = ZZZ^2; infinity has ZZ = 0) on
 *    Weierstrass curves, extended coordinates (X, Y, T, Z) on twisted Edwards curves. Two representations of one point
 *    are equal only after rp_to_affine.
 *  - A canonical integer (RP_TYPE_U256, RP_TYPE_U384) is little-endian; the type admits values above a modulus, and
 *    each operation says what range it accepts.
 */
#ifndef REPRISE_TYPES_H
#define REPRISE_TYPES_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, name, bytes, 64-bit words of an integer below p, degree). The order of the lines is frozen: prerecorded files
 * hold the ids. */
#define RP_FIELD_LIST(X)                                                               \
  X(BN254_FP, bn254_fp, 32, 4, 1)                                                      \
  X(BN254_FR, bn254_fr, 32, 4, 1)                                                      \
  X(BN254_FP2, bn254_fp2, 64, 4, 2)                                                    \
  X(BLS12_381_FP, bls12_381_fp, 48, 6, 1)                                              \
  X(BLS12_381_FR, bls12_381_fr, 32, 4, 1) /* = Bandersnatch, Banderwagon base field */ \
  X(BLS12_381_FP2, bls12_381_fp2, 96, 6, 2)                                            \
  X(SECP256K1_FP, secp256k1_fp, 32, 4, 1)                                              \
  X(SECP256K1_FN, secp256k1_fn, 32, 4, 1)                                              \
  X(BANDERSNATCH_FR, bandersnatch_fr, 32, 4, 1)                                        \
  X(GOLDILOCKS, goldilocks, 8, 1, 1)                                                   \
  X(F97, f97, 8, 1, 1)             /* p = 97, for exhaustive tests */                  \
  X(F79, f79, 8, 1, 1)             /* p = 79, the order of E97 */                      \
  X(BABYBEAR, babybear, 4, 1, 1)   /* 2^31 - 2^27 + 1 */                               \
  X(KOALABEAR, koalabear, 4, 1, 1) /* 2^31 - 2^24 + 1 */

/* X(NAME, name, base field, scalar field, Weierstrass 1 or twisted Edwards 0) */
#define RP_CURVE_LIST(X)                                        \
  X(BN254_G1, bn254_g1, BN254_FP, BN254_FR, 1)                  \
  X(BN254_G2, bn254_g2, BN254_FP2, BN254_FR, 1)                 \
  X(BLS12_381_G1, bls12_381_g1, BLS12_381_FP, BLS12_381_FR, 1)  \
  X(BLS12_381_G2, bls12_381_g2, BLS12_381_FP2, BLS12_381_FR, 1) \
  X(SECP256K1, secp256k1, SECP256K1_FP, SECP256K1_FN, 1)        \
  X(BANDERWAGON, banderwagon, BLS12_381_FR, BANDERSNATCH_FR, 0) \
  X(E97, e97, F97, F79, 1) /* y^2 = x^3 + 5 over F97, 79 points, for exhaustive tests */

typedef enum rp_field {
#define RP_FIELD_ENUM(NAME, name, bytes, limbs, degree) RP_FIELD_##NAME,
  RP_FIELD_LIST(RP_FIELD_ENUM)
#undef RP_FIELD_ENUM
      RP_FIELD_COUNT
} rp_field;

typedef enum rp_curve {
#define RP_CURVE_ENUM(NAME, name, base, scalar, weierstrass) RP_CURVE_##NAME,
  RP_CURVE_LIST(RP_CURVE_ENUM)
#undef RP_CURVE_ENUM
      RP_CURVE_COUNT
} rp_curve;

/* Plain data. */
extern RP_API const rp_type RP_TYPE_U8;
extern RP_API const rp_type RP_TYPE_U32;
extern RP_API const rp_type RP_TYPE_U64;
extern RP_API const rp_type RP_TYPE_U256; /* canonical integer, 32 bytes little-endian */
extern RP_API const rp_type RP_TYPE_U384;

/* The types of field elements, of a field's canonical integers (U256, U384, U64 or U32), of affine points and of
 * accumulators, and the type with a name ("bn254_fr", "bn254_g1", "bn254_g1.acc", "u256" ...). NULL for an unknown id
 * or name. */
RP_API const rp_type *rp_type_field(rp_field field);
RP_API const rp_type *rp_type_canonical(rp_field field);
RP_API const rp_type *rp_type_affine(rp_curve curve);
RP_API const rp_type *rp_type_accumulator(rp_curve curve);
RP_API const rp_type *rp_type_by_name(const char *name);

/* The fields of a curve's coordinates and of its scalars; RP_FIELD_COUNT for an unknown id. */
RP_API rp_field rp_curve_base_field(rp_curve curve);
RP_API rp_field rp_curve_scalar_field(rp_curve curve);
/* "bn254_fr", "bn254_g1"; "no field" or "no curve" for an unknown id, never NULL. */
RP_API const char *rp_field_name(rp_field field);
RP_API const char *rp_curve_name(rp_curve curve);
/* The inverses of rp_type_field, rp_type_affine and rp_type_accumulator: they return true and write the id, or return
 * false. The pointer to the id may be NULL. */
RP_API bool rp_type_is_field(const rp_type *type, rp_field *field);
RP_API bool rp_type_is_affine(const rp_type *type, rp_curve *curve);
RP_API bool rp_type_is_accumulator(const rp_type *type, rp_curve *curve);

#ifdef __cplusplus
}
#endif
#endif
