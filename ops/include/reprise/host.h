/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 2: arithmetic on single elements on the host, for callers that prepare inputs and check results. It is
 * also the plain reference that every device is compared with. Arrays are faster in a graph.
 *
 * Calling rules: reprise.h. Functions take elements in their memory form (types.h) as `void *`, of the size of the
 * field or curve, aligned to 8 bytes, and write the result through the first pointer, which may be one of the operands.
 * They cannot fail, and elements must be valid: fully reduced, points on the curve. A function whose name does not end
 * in `_ct` takes variable time, and is for public data only.
 */
#ifndef REPRISE_HOST_H
#define REPRISE_HOST_H

#include <reprise/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Conventions for roots of unity: which element of order 2^s the NTT roots are powers of, where s is the field's
 * two-adicity and the modulus is 2^s t + 1. */
typedef enum rp_root {
  RP_ROOT_NONE = 0, /* not chosen; an error wherever a root is needed */
  /* smallest quadratic non-residue ^ t: snarkjs, ffjavascript; for BN254 Fr also arkworks and gnark (5^t) */
  RP_ROOT_SNARKJS = 1,
  RP_ROOT_HALO2 = 2,    /* halo2curves: BN254 Fr 7^t */
  RP_ROOT_ARKWORKS = 3, /* multiplicative generator of arkworks ^ t */
  RP_ROOT_PLONKY3 = 4   /* multiplicative generator of Plonky3 ^ t: BabyBear 31^t, KoalaBear 3^t */
} rp_root;

/* The arithmetic of a field. */
typedef struct rp_field_host {
  rp_field id;                          /* of this field */
  const char *name;                     /* "bn254_fr" */
  uint32_t size_bytes, canonical_bytes; /* canonical form of an extension: its coefficients, c0 first */
  uint32_t degree;                      /* over its prime field: 1 or 2 */
  uint32_t modulus_bits;                /* of p */
  uint32_t two_adicity;                 /* the largest s for which 2^s divides the order of the multiplicative group */
  const uint8_t *modulus_le;            /* p, little-endian, size_bytes / degree bytes */
  void (*zero)(void *r);                /* r = 0 */
  void (*one)(void *r);                 /* r = 1 */
  void (*add)(void *r, const void *a, const void *b); /* r = a + b */
  void (*sub)(void *r, const void *a, const void *b); /* r = a - b */
  void (*neg)(void *r, const void *a);                /* r = -a */
  void (*mul)(void *r, const void *a, const void *b); /* r = a * b */
  void (*sqr)(void *r, const void *a);                /* r = a * a */
  void (*inv)(void *r, const void *a);                /* r = 1 / a; 1 / 0 = 0 */
  void (*inv_ct)(void *r, const void *a);             /* the same by Fermat, in constant time */
  bool (*sqrt)(void *r, const void *a);               /* true and a square root of a, or false if it has none */
  /* r = a^exponent, a little-endian integer of any number of bytes; 0^0 = 1. */
  void (*pow)(void *r, const void *a, const uint8_t *exponent_le, size_t exponent_bytes);
  bool (*equal)(const void *a, const void *b);               /* whether a = b */
  bool (*is_zero)(const void *a);                            /* whether a = 0 */
  bool (*from_canonical)(void *r, const void *canonical_le); /* false, with r unchanged, if not below the modulus */
  void (*to_canonical)(void *canonical_le, const void *a);   /* writes canonical_bytes */
  /* Reduces a little-endian integer of any number of bytes modulo p. Prime fields only. */
  void (*from_bytes_reduce)(void *r, const uint8_t *le, size_t bytes);
  /* Gives true and a root of order exactly 2^log_n in the convention, or false if the field has none. Prime
   * fields only. */
  bool (*root)(void *r, rp_root convention, uint32_t log_n);
} rp_field_host;

RP_API const rp_field_host *rp_field_get(rp_field field); /* NULL for an unknown id */

/* The arithmetic of a curve: in affine form, which takes an inversion for each addition, and in accumulator form
 * (acc_...), for sums. */
typedef struct rp_curve_host {
  rp_curve id;      /* of this curve */
  const char *name; /* "bn254_g1" */
  rp_field base;    /* of the coordinates */
  rp_field scalar;  /* of order order_le */
  uint32_t affine_bytes, accumulator_bytes;
  const uint8_t *order_le;                                   /* of the prime-order subgroup, 32 bytes */
  void (*generator)(void *affine);                           /* of the prime-order subgroup */
  void (*identity)(void *affine);                            /* the neutral element */
  bool (*is_identity)(const void *affine);                   /* whether it is the neutral element */
  bool (*on_curve)(const void *affine);                      /* the identity counts as on the curve */
  bool (*in_subgroup)(const void *affine);                   /* whether it is on the curve and in the subgroup */
  bool (*equal)(const void *affine_a, const void *affine_b); /* Banderwagon compares classes */
  void (*neg)(void *affine_r, const void *affine_a);         /* r = -a */
  void (*add)(void *affine_r, const void *affine_a, const void *affine_b);           /* r = a + b; any operands */
  void (*mul)(void *affine_r, const void *affine_a, const uint8_t scalar_le[32]);    /* any 256-bit integer */
  void (*mul_ct)(void *affine_r, const void *affine_a, const uint8_t scalar_le[32]); /* fixed sequence, for secrets */
  void (*acc_identity)(void *acc_r);                                                 /* r = the neutral element */
  void (*acc_from_affine)(void *acc_r, const void *affine);                          /* of the same point */
  void (*acc_to_affine)(void *affine_r, const void *acc);                            /* takes an inversion */
  void (*acc_add)(void *acc_r, const void *acc_a, const void *acc_b);                /* r = a + b; any operands */
  void (*acc_add_affine)(void *acc_r, const void *acc_a, const void *affine_b);      /* r = a + b; any operands */
  void (*acc_double)(void *acc_r, const void *acc_a);                                /* r = 2 a */
} rp_curve_host;

RP_API const rp_curve_host *rp_curve_get(rp_curve curve); /* NULL for an unknown id */

/* Compressed points, rp_point_compressed_bytes each. rp_point_decompress checks that the point is on the curve and,
 * unless `trusted`, in the subgroup. Encodings: Banderwagon: 32 bytes, big-endian x with the sign rule of the Ethereum
 * Verkle specification; BN254 G1: gnark's 32 bytes; BLS12-381 G1 and G2: ZCash's 48 and 96 bytes; secp256k1: SEC1's 33
 * bytes, of finite points only. RP_ERR_FORMAT: not a valid encoding. RP_ERR_UNSUPPORTED: rp_point_compress has no
 * encoding for the curve or the point. On failure nothing is written. */
RP_API uint32_t rp_point_compressed_bytes(rp_curve curve); /* 0 if the curve has no such encoding */
RP_API RP_CHECKED rp_status rp_point_compress(rp_curve curve, const void *affine, uint8_t *out);
RP_API RP_CHECKED rp_status rp_point_decompress(rp_curve curve, const uint8_t *in, bool trusted, void *affine);
/* The second half of the decompression of n points of G1 or G2 of BN254 or BLS12-381, many at a time where the
 * processor can: `affine` has n points in memory form, of which only x is read, and each gets the y that puts it on the
 * curve. Of the two, it is the larger one if larger[i] is not 0 (as integers; in G2 c1 is compared first). valid[i]
 * becomes 1, or 0, with y = 0, if the curve has no point with that x; the call itself gives RP_OK in both cases.
 * RP_ERR_UNSUPPORTED: another curve. Several threads may work on disjoint points. */
RP_API RP_CHECKED rp_status rp_point_lift_many(rp_curve curve, size_t n, const uint8_t *larger, void *affine,
                                               uint8_t *valid);

/* Pairings. `pairing` is RP_CURVE_BN254_G1 or RP_CURVE_BLS12_381_G1 and names the curve family. The caller must have
 * checked points of G1 (on the curve, in the subgroup); points of G2 are checked here. Infinity is allowed. The value
 * of a pairing is e(P, Q)^c with a constant c, prime to r, for each family (the one that snarkjs uses): compare values
 * only with each other.
 *
 * A prepared G2 point holds the lines of its Miller loop. It is plain data of rp_pairing_prepared_bytes bytes in the
 * caller's memory, aligned to 8 bytes, and may be copied, and stored for the same build of the library. The same holds
 * for a value, of rp_pairing_value_bytes bytes. */
typedef struct rp_pairing_prepared rp_pairing_prepared;
typedef struct rp_pairing_value rp_pairing_value;
RP_API uint32_t rp_pairing_prepared_bytes(rp_curve pairing); /* 0 if `pairing` names no family */
RP_API uint32_t rp_pairing_value_bytes(rp_curve pairing);
/* RP_ERR_INPUT: the point is not on the curve or not in the subgroup of order r (the Miller loop shows this at no extra
 * cost). `prepared` is then all zero, which rp_pairing_product refuses. */
RP_API RP_CHECKED rp_status rp_pairing_prepare(rp_curve pairing, const void *g2_affine, rp_pairing_prepared *prepared);
/* Prepares n points, eight at a time where the processor can. valid[i] becomes 1 where rp_pairing_prepare gives RP_OK
 * and 0 where it gives RP_ERR_INPUT; the call itself gives RP_OK in both cases. RP_ERR_MEMORY: every valid[i] is 0. */
RP_API RP_CHECKED rp_status rp_pairing_prepare_many(rp_curve pairing, uint32_t n, const void *const *g2_affine,
                                                    rp_pairing_prepared *const *prepared, uint8_t *valid);
/* The product of e(P_i, Q_i), with one final exponentiation for all; it is one if n is 0. RP_ERR_INPUT: some g2[i] was
 * refused by rp_pairing_prepare or never prepared; value is not touched. */
RP_API RP_CHECKED rp_status rp_pairing_product(rp_curve pairing, uint32_t n, const void *const *g1_affine,
                                               const rp_pairing_prepared *const *g2, rp_pairing_value *value);
/* Whether a and b are the same value; whether a is one. */
RP_API bool rp_pairing_value_equal(rp_curve pairing, const rp_pairing_value *a, const rp_pairing_value *b);
RP_API bool rp_pairing_value_is_one(rp_curve pairing, const rp_pairing_value *a);
/* True if the product of the e(P_i, Q_i) is one. False if it is not, or if some Q_i is not in the subgroup, whatever
 * its P_i is. */
RP_API bool rp_pairing_product_is_one(rp_curve pairing, uint32_t n, const void *const *g1_affine,
                                      const void *const *g2_affine);

/* Fills `out` from the operating system's random number generator; RP_ERR_UNAVAILABLE if that fails. */
RP_API RP_CHECKED rp_status rp_random_bytes(void *out, size_t bytes);
/* The canonical integer of a uniformly random element of a prime field, from the same source; RP_ERR_ARGUMENT for an
 * extension field. */
RP_API RP_CHECKED rp_status rp_random_canonical(rp_field field, void *canonical_le);
/* Overwrites memory with zeros in a way that the compiler does not remove. */
RP_API void rp_wipe(void *memory, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
