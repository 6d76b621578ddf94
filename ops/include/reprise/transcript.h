/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 2: transcripts. Values become bytes, bytes are hashed, and digests become challenges and indices, all
 * on the device, so that the nodes that follow can use them in the same run. Calling rules: reprise.h. Of the hashes
 * over fields (rp_hash in ops.h), Poseidon2 is a sponge as well. Everything here is for public data: none of these
 * operations promises constant time.
 *
 *   digest     rp_keccak256 (ops.h), rp_sha256, rp_blake2b   of bytes or integers
 *              rp_sponge                                      of field elements
 *   challenge  rp_challenge         a digest's bytes modulo the order of a field
 *              rp_from_bytes        its low bits, for example 128 of them, as an integer (a scalar of rp_msm)
 *              rp_low_bits          indices below a power of two, for rp_gather
 */
#ifndef REPRISE_TRANSCRIPT_H
#define REPRISE_TRANSCRIPT_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

/* How an integer is written as bytes. There is no default. */
typedef enum rp_encoding { RP_ENCODING_NONE = 0, RP_BIG_ENDIAN = 1, RP_LITTLE_ENDIAN = 2 } rp_encoding;

/* The bytes (U8) of x, element after element. Integers (U8, U32, U64, U256, U384) have as many bytes as their type;
 * elements of a prime field are written as their canonical integers; affine points as x, then y, of which both are zero
 * for infinity. Errors: another type (elements of an extension field, accumulators); a total above 2^32 - 1 bytes. */
RP_API rp_value rp_to_bytes(rp_graph *g, rp_value x, rp_encoding encoding);

/* The compressed encodings of affine points, rp_point_compressed_bytes (host.h) for each, one after another: the bytes
 * of rp_point_compress. The points are of BN254 G1, BLS12-381 G1, secp256k1 or Banderwagon; other curves are refused by
 * name. Infinity of secp256k1 has no such encoding, and is a fault of the run. That points are on the curve is not
 * checked here. */
RP_API rp_value rp_compress(rp_graph *g, rp_value affine);

typedef struct rp_bytes_options {
  uint32_t struct_size;
  rp_encoding encoding;
  uint64_t row_bytes; /* bytes per integer; 0 means all of them */
  uint32_t skip_bits; /* a multiple of 8: the integer is divided by 2^skip_bits first, rounding down */
  uint32_t bits;      /* then only its low bits are kept; 0 means as many as the type has, which is also the most */
} rp_bytes_options;
/* One integer of `type` (U32, U64, U256 or U384) for each row of bytes. */
RP_API rp_value rp_from_bytes(rp_graph *g, rp_value bytes, const rp_type *type, const rp_bytes_options *options);

/* ---- Hashes of bytes --------------------------------------------------------------------------------------------- */

/* SHA-256 (FIPS 180-4) of all the bytes, or of each row of row_bytes (rp_sha256_rows): 32 bytes per digest. Errors: a
 * type other than U8; row_bytes 0, or not a divisor of the length; a row of 2^29 bytes or more. */
RP_API rp_value rp_sha256(rp_graph *g, rp_value bytes);
RP_API rp_value rp_sha256_rows(rp_graph *g, rp_value bytes, uint64_t row_bytes);

/* BLAKE2b (RFC 7693) without a key, of all the bytes or of each row (rp_blake2b_rows): digest_bytes bytes per digest, a
 * multiple of 4 from 4 to 64. */
typedef struct rp_blake2b_options {
  uint32_t struct_size;
  uint32_t digest_bytes; /* 0 means 64 */
  uint8_t personal[16];  /* the personalisation of the parameter block; zeros mean none */
} rp_blake2b_options;
RP_API rp_value rp_blake2b(rp_graph *g, rp_value bytes, const rp_blake2b_options *options);
RP_API rp_value rp_blake2b_rows(rp_graph *g, rp_value bytes, uint64_t row_bytes, const rp_blake2b_options *options);

/* ---- Challenges -------------------------------------------------------------------------------------------------- */

/* One element of a prime field for each row of bytes: the integer that the row encodes modulo the field's order, for
 * rows of at most 64 bytes. It is uniform only if a row has at least 16 bytes more than the order; with 32 bytes over
 * BN254 Fr it is what snarkjs and Solidity verifiers compute. */
RP_API rp_value rp_challenge(rp_graph *g, rp_value bytes, uint64_t row_bytes, rp_field field, rp_encoding encoding);

/* out[i] = x[i] mod 2^bits as U32, for bits from 1 to 32; x is of elements of a prime field, taken as their canonical
 * integers, or of U32, U64, U256 or U384. */
RP_API rp_value rp_low_bits(rp_graph *g, rp_value x, uint32_t bits);

/* The sponge of a Poseidon2 hash: absorbs each row of row_len elements of x and squeezes n_out elements for each. Its
 * first rp_hash_digest_len elements are those of rp_hash_rows, which says how rows are absorbed. The hash is one of
 * RP_HASH_POSEIDON2_BN254_T3 and _T4, RP_HASH_POSEIDON2_BABYBEAR and _KOALABEAR. Challenges of a later round absorb
 * those of the round before. row_len is 1 to 2^20, n_out 1 to 2^20. */
RP_API rp_value rp_sponge(rp_graph *g, rp_hash hash, rp_value x, uint64_t row_len, uint64_t n_out);

#ifdef __cplusplus
}
#endif
#endif
