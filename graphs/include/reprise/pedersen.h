/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: Pedersen vector commitments, the sum of value[i] * generator[i]. Calling rules: reprise.h.
 *
 * Over Banderwagon, as Ethereum's Verkle trees have them: values are 32-byte little-endian integers below the group
 * order (one that is not gives RP_ERR_INPUT and is never reduced), generators and commitments 32-byte compressed
 * points. Over BN254 G1 with a blinding term: rp_pedersen_seeded.
 *
 * Everything takes variable time and is for public values, except rp_pedersen_commit_blinded. If a call fails its
 * output is untouched.
 */
#ifndef REPRISE_PEDERSEN_H
#define REPRISE_PEDERSEN_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RP_PEDERSEN_WIDTH_MAX = 1024, RP_PEDERSEN_BYTES = 32 /* of a value, a generator, a commitment */ };

/* The first n generators of Ethereum's Verkle trees ("eth_verkle_oct_2021"), compressed. Takes about a millisecond
 * each. */
RP_API RP_CHECKED rp_status rp_pedersen_verkle_generators(uint32_t n, void *generators, rp_error *err);

/* The linear form: one product after the other is added on the host. The reference for all others; any width >= 1. */
RP_API RP_CHECKED rp_status rp_pedersen_commit(const void *values, const void *generators, uint32_t width, void *out,
                                               rp_error *err);

/* ---- One commitment at a time, to generators that are inputs ----------------------------------------------------- */

/* Holds what has been recorded so far, a recording for each width, and the latest generators decoded. May be used from
 * several threads; they take turns. */
typedef struct rp_pedersen rp_pedersen;

typedef struct rp_pedersen_options {
  uint32_t struct_size;
  uint32_t trusted_generators; /* 1: that generators are in the subgroup is not checked */
  /* Widths from here on take the tree, those below the linear sum (a multi-scalar multiplication). 0: what the table
   * says for the kind of device; UINT32_MAX: never the tree. */
  uint32_t crossover;
  uint32_t flags; /* RP_RECORD_* */
  /* For tests: what blinds instead of the operating system's randomness. Writes a canonical scalar. */
  rp_status (*random)(void *user, void *canonical_le);
  void *random_user;
} rp_pedersen_options;

RP_API RP_CHECKED rp_status rp_pedersen_create(rp_device *device, const rp_pedersen_options *options,
                                               rp_pedersen **pedersen, rp_error *err);
RP_API void rp_pedersen_destroy(rp_pedersen *pedersen);
/* The least width that takes the tree on such a device, as a table: 8 on GPUs, none on the CPU. */
RP_API uint32_t rp_pedersen_crossover(rp_device_kind device);

/* Two stages: the products; then log2(width) levels that add neighbours, from left to right, in one dispatch. width is
 * a power of two, at most RP_PEDERSEN_WIDTH_MAX. */
RP_API RP_CHECKED rp_status rp_pedersen_commit_tree(rp_pedersen *pedersen, uint32_t width, const void *values,
                                                    const void *generators, void *out, rp_error *err);
/* The recording that commitments of a width take, the tree's or the linear sum's; NULL as long as there was none. */
RP_API rp_recording *rp_pedersen_recording(rp_pedersen *pedersen, uint32_t width);
/* Width 256. */
RP_API RP_CHECKED rp_status rp_pedersen_commit_tree_w256(rp_pedersen *pedersen, const void *values,
                                                         const void *generators, void *out, rp_error *err);
/* For secret values: each is multiplied by one random r != 0, drawn for this call alone, before anything takes variable
 * time; the sum is multiplied by 1 / r. Whether a value is zero is not hidden. */
RP_API RP_CHECKED rp_status rp_pedersen_commit_blinded(rp_pedersen *pedersen, uint32_t width, const void *values,
                                                       const void *generators, void *out, rp_error *err);

/* ---- Many commitments in one replay, to generators that are fixed ------------------------------------------------ */

typedef struct rp_pedersen_batch rp_pedersen_batch;

typedef struct rp_pedersen_batch_options {
  uint32_t struct_size;
  uint32_t width;       /* 1 .. RP_PEDERSEN_WIDTH_MAX */
  uint32_t commitments; /* in one replay */
  uint32_t window_bits; /* of the generators' tables; 0: chosen */
  uint32_t trusted_generators;
  uint32_t secret; /* 1: what values leave in memory is wiped after a replay */
  uint32_t max_in_flight;
  uint32_t flags;
  uint64_t memory_budget_bytes;
} rp_pedersen_batch_options;

RP_API RP_CHECKED rp_status rp_pedersen_batch_create(rp_device *device, const rp_pedersen_batch_options *options,
                                                     const void *generators, rp_pedersen_batch **batch, rp_error *err);
RP_API void rp_pedersen_batch_destroy(rp_pedersen_batch *batch);
RP_API const rp_graph *rp_pedersen_batch_graph(const rp_pedersen_batch *batch);
RP_API rp_recording *rp_pedersen_batch_recording(rp_pedersen_batch *batch);
/* values: [commitments][width], out: [commitments]. One submission, one wait; from several threads at once if
 * max_in_flight allows. counters may be NULL. */
RP_API RP_CHECKED rp_status rp_pedersen_batch_commit(rp_pedersen_batch *batch, const void *values, void *out,
                                                     rp_run_counters *counters, rp_error *err);

/* For graphs of one's own: the scalars that stand for affine Banderwagon points as children in a Verkle tree, x / y as
 * an integer reduced modulo the group order. U256; the identity gives 0. */
RP_API rp_value rp_pedersen_map_to_scalar(rp_graph *g, rp_value affine);

/* ---- BN254 G1 with seeded generators ----------------------------------------------------------------------------- */

/* The sum of value[i] * G[i] and blinding * H. Point i of a seed is the hash of the seed and i (64 bits, little-endian)
 * to the curve, RFC 9380's suite BN254G1_XMD:SHA-256_SVDW_RO_ under the tag PEDERSEN_SEEDED_GEN_V1; G[i] is point i, H
 * the point after the last G. */
typedef struct rp_pedersen_seeded rp_pedersen_seeded;

/* Points first .. first + n - 1 of a seed, affine in memory form (64 bytes each). */
RP_API RP_CHECKED rp_status rp_pedersen_seeded_generators(const uint8_t seed[32], uint64_t first, uint32_t n,
                                                          void *affine, rp_error *err);
/* width: a power of two, at most RP_PEDERSEN_WIDTH_MAX. The generators are derived here. flags: RP_RECORD_*. */
RP_API RP_CHECKED rp_status rp_pedersen_seeded_create(rp_device *device, const uint8_t seed[32], uint32_t width,
                                                      uint32_t flags, rp_pedersen_seeded **seeded, rp_error *err);
RP_API void rp_pedersen_seeded_destroy(rp_pedersen_seeded *seeded);
/* out: the point in gnark's 32 compressed bytes. What the values and the blinding leave in memory is wiped. */
RP_API RP_CHECKED rp_status rp_pedersen_seeded_commit(rp_pedersen_seeded *seeded, const void *values,
                                                      const void *blinding, void *out, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
