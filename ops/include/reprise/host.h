/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 2: arithmetic on single elements on the host, for callers that prepare inputs and check results, and
 * the plain reference for every device. Not the fast path for arrays: that is a graph.
 *
 * Elements are in their memory form (types.h) behind `void *`, of the field's or curve's size, 8-byte aligned. Results
 * may alias operands. Unless a function says `_ct`, it is variable-time: for public data only.
 */
#ifndef REPRISE_HOST_H
#define REPRISE_HOST_H

#include <reprise/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Root conventions: which element of order 2^s the NTT roots are powers of (s is the field's two-adicity). */
typedef enum rp_root {
  RP_ROOT_NONE = 0, /* not chosen: an error wherever a root is needed */
  RP_ROOT_SNARKJS =
      1, /* smallest quadratic non-residue ^ t : snarkjs, ffjavascript; BN254 Fr also arkworks, gnark (5^t) */
  RP_ROOT_HALO2 = 2,   /* halo2curves: BN254 Fr 7^t */
  RP_ROOT_ARKWORKS = 3 /* multiplicative generator of arkworks ^ t */
} rp_root;

typedef struct rp_field_host {
  rp_field id;
  const char *name;
  uint32_t size_bytes, canonical_bytes; /* an extension's canonical form is its coefficients' */
  uint32_t degree, modulus_bits, two_adicity;
  const uint8_t *modulus_le; /* size_bytes / degree bytes */
  void (*zero)(void *r);
  void (*one)(void *r);
  void (*add)(void *r, const void *a, const void *b);
  void (*sub)(void *r, const void *a, const void *b);
  void (*neg)(void *r, const void *a);
  void (*mul)(void *r, const void *a, const void *b);
  void (*sqr)(void *r, const void *a);
  void (*inv)(void *r, const void *a);    /* 0 gives 0 */
  void (*inv_ct)(void *r, const void *a); /* Fermat, constant time */
  int (*sqrt)(void *r, const void *a);    /* 1 if a is a square; either root */
  void (*pow)(void *r, const void *a, const uint8_t *exponent_le, size_t exponent_bytes);
  int (*equal)(const void *a, const void *b);
  int (*is_zero)(const void *a);
  int (*from_canonical)(void *r, const void *canonical_le); /* 0 and r untouched if not below the modulus */
  void (*to_canonical)(void *canonical_le, const void *a);
  /* Reduces any `bytes`-byte little-endian integer. Prime fields only. */
  void (*from_bytes_reduce)(void *r, const uint8_t *le, size_t bytes);
  /* A root of order exactly 2^log_n in the convention; 0 if there is none. Prime fields only. */
  int (*root)(void *r, rp_root convention, uint32_t log_n);
} rp_field_host;

RP_API const rp_field_host *rp_field_get(rp_field field); /* NULL for an id that is none */

typedef struct rp_curve_host {
  rp_curve id;
  const char *name;
  rp_field base, scalar;
  uint32_t affine_bytes, accumulator_bytes;
  const uint8_t *order_le; /* of the prime-order subgroup, 32 bytes */
  void (*generator)(void *affine);
  void (*identity)(void *affine);
  int (*is_identity)(const void *affine);
  int (*on_curve)(const void *affine);                      /* the identity is */
  int (*in_subgroup)(const void *affine);                   /* and on the curve */
  int (*equal)(const void *affine_a, const void *affine_b); /* Banderwagon: as classes */
  void (*neg)(void *affine_r, const void *affine_a);
  void (*add)(void *affine_r, const void *affine_a, const void *affine_b);
  void (*mul)(void *affine_r, const void *affine_a, const uint8_t scalar_le[32]);    /* any 256-bit integer */
  void (*mul_ct)(void *affine_r, const void *affine_a, const uint8_t scalar_le[32]); /* fixed sequence, for secrets */
  void (*acc_identity)(void *acc_r);
  void (*acc_from_affine)(void *acc_r, const void *affine);
  void (*acc_to_affine)(void *affine_r, const void *acc);
  void (*acc_add)(void *acc_r, const void *acc_a, const void *acc_b); /* complete: any operands */
  void (*acc_add_affine)(void *acc_r, const void *acc_a, const void *affine_b);
  void (*acc_double)(void *acc_r, const void *acc_a);
} rp_curve_host;

RP_API const rp_curve_host *rp_curve_get(rp_curve curve);

/* Compressed points, checked: on the curve and in the subgroup (unless trusted). Banderwagon: 32 bytes big-endian x
 * with the sign rule of the Ethereum Verkle specification; BN254 G1: gnark's 32 bytes; BLS12-381 G1, G2: ZCash's 48,
 * 96; secp256k1: SEC1's 33. RP_ERR_FORMAT for anything that is no valid encoding, RP_ERR_UNSUPPORTED for curves without
 * one. */
RP_API uint32_t rp_point_compressed_bytes(rp_curve curve); /* 0 if the curve has none */
RP_API RP_CHECKED rp_status rp_point_compress(rp_curve curve, const void *affine, uint8_t *out);
RP_API RP_CHECKED rp_status rp_point_decompress(rp_curve curve, const uint8_t *in, int trusted, void *affine);

/* Pairings. `pairing` is RP_CURVE_BN254_G1 or RP_CURVE_BLS12_381_G1 and names the curve family. Points of G1 must have
 * been checked (on the curve, in the subgroup), points of G2 are checked here; infinity is allowed. A pairing's value
 * is e(P, Q)^c with a constant c prime to r for each family, the same that snarkjs uses: compare values only with each
 * other.
 *
 * A prepared G2 point holds the lines of its Miller loop; it is plain data of rp_pairing_prepared_bytes bytes in memory
 * of the caller's, 8-byte aligned, that may be copied and stored (for the same build of the library). So is a value. */
typedef struct rp_pairing_prepared rp_pairing_prepared;
typedef struct rp_pairing_value rp_pairing_value;
RP_API uint32_t rp_pairing_prepared_bytes(rp_curve pairing); /* 0 if it names no family */
RP_API uint32_t rp_pairing_value_bytes(rp_curve pairing);
/* RP_ERR_INPUT: the point is not on the curve or not in the subgroup of order r, which costs nothing to see on the way.
 * `prepared` is all zero then, which rp_pairing_product refuses. */
RP_API RP_CHECKED rp_status rp_pairing_prepare(rp_curve pairing, const void *g2_affine, rp_pairing_prepared *prepared);
/* n points, eight at a time where the processor can. valid[i] becomes 1 where rp_pairing_prepare gives RP_OK and 0
 * where it gives RP_ERR_INPUT; the call itself gives RP_OK for both. RP_ERR_MEMORY: nothing is valid. */
RP_API RP_CHECKED rp_status rp_pairing_prepare_many(rp_curve pairing, uint32_t n, const void *const *g2_affine,
                                                    rp_pairing_prepared *const *prepared, uint8_t *valid);
/* The product of e(P_i, Q_i), one final exponentiation for all; one if n is 0. RP_ERR_INPUT: some Q_i was refused when
 * it was to be prepared, or was not prepared; value is not touched. */
RP_API RP_CHECKED rp_status rp_pairing_product(rp_curve pairing, uint32_t n, const void *const *g1_affine,
                                               const rp_pairing_prepared *const *g2, rp_pairing_value *value);
RP_API int rp_pairing_value_equal(rp_curve pairing, const rp_pairing_value *a, const rp_pairing_value *b);
RP_API int rp_pairing_value_is_one(rp_curve pairing, const rp_pairing_value *a);
/* 1 if the product of the e(P_i, Q_i) is one; 0 if not, and if some Q_i is not in the subgroup,
 * whatever its P_i is. */
RP_API int rp_pairing_product_is_one(rp_curve pairing, uint32_t n, const void *const *g1_affine,
                                     const void *const *g2_affine);

/* Operating system randomness; RP_ERR_UNAVAILABLE if it fails. */
RP_API RP_CHECKED rp_status rp_random_bytes(void *out, size_t bytes);
/* A uniform element's canonical integer, below the modulus of a prime field. */
RP_API RP_CHECKED rp_status rp_random_canonical(rp_field field, void *canonical_le);
/* Overwrites in a way that the compiler keeps. */
RP_API void rp_wipe(void *memory, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
