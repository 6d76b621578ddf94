/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: Pedersen vector commitments, the sum of value[i] * generator[i]. Calling rules: reprise.h.
 *
 * Over Banderwagon, as Ethereum's Verkle trees have them: values are 32-byte little-endian integers below the group
 * order (one that is not gives RP_ERR_INPUT and is never reduced), generators and commitments 32-byte compressed
 * points. Over BN254 G1 with a blinding term: rp_pedersen_seeded.
 *
 * All functions take variable time and are for public values, except rp_pedersen_commit_blinded. A width that is not
 * allowed gives RP_ERR_SHAPE, and a generator that is not a valid encoding RP_ERR_FORMAT. If a call fails, its output
 * is not written.
 */
#ifndef REPRISE_PEDERSEN_H
#define REPRISE_PEDERSEN_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RP_PEDERSEN_WIDTH_MAX = 1024, RP_PEDERSEN_BYTES = 32 /* size of a value, a generator, a commitment */ };

/* The first n generators of Ethereum's Verkle trees ("eth_verkle_oct_2021"), compressed. Takes about one millisecond
 * per generator. */
RP_API RP_CHECKED rp_status rp_pedersen_verkle_generators(uint32_t n, void *generators, rp_error *err);

/* The linear form: adds one product after another on the host. The reference for all other forms; any width >= 1. */
RP_API RP_CHECKED rp_status rp_pedersen_commit(const void *values, const void *generators, uint32_t width, void *out,
                                               rp_error *err);

/* ---- One commitment at a time, to generators that are inputs ----------------------------------------------------- */

/* Holds one recording for each width that has been used, and the latest generators in decoded form. May be used from
 * several threads, whose calls are executed one at a time. */
typedef struct rp_pedersen rp_pedersen;

typedef struct rp_pedersen_options {
  uint32_t struct_size;
  uint32_t trusted_generators; /* 1: do not check that generators are in the subgroup */
  /* Widths of at least this use the tree, smaller ones the linear sum (a multi-scalar multiplication). 0:
   * rp_pedersen_crossover of the kind of device; UINT32_MAX: never the tree. */
  uint32_t crossover;
  uint32_t flags; /* RP_RECORD_* */
  /* For tests: writes the canonical scalar that blinds, instead of the operating system's random number generator. */
  rp_status (*random)(void *user, void *canonical_le);
  void *random_user;
} rp_pedersen_options;

/* `options` may be NULL, and need not outlive the call. Nothing is recorded yet. */
RP_API RP_CHECKED rp_status rp_pedersen_create(rp_device *device, const rp_pedersen_options *options,
                                               rp_pedersen **pedersen, rp_error *err);
RP_API void rp_pedersen_destroy(rp_pedersen *pedersen);
/* The smallest width that uses the tree on this kind of device: 8 on GPUs, none (UINT32_MAX) on the CPU. */
RP_API uint32_t rp_pedersen_crossover(rp_device_kind device);

/* First computes the products, then adds neighbours from left to right in log2(width) levels, in one dispatch. width is
 * a power of two, at most RP_PEDERSEN_WIDTH_MAX. */
RP_API RP_CHECKED rp_status rp_pedersen_commit_tree(rp_pedersen *pedersen, uint32_t width, const void *values,
                                                    const void *generators, void *out, rp_error *err);
/* The recording for commitments of a width, of the tree or of the linear sum; it belongs to the object.
 * NULL before the first such commitment. */
RP_API rp_recording *rp_pedersen_recording(rp_pedersen *pedersen, uint32_t width);
/* rp_pedersen_commit_tree with a width of 256. */
RP_API RP_CHECKED rp_status rp_pedersen_commit_tree_w256(rp_pedersen *pedersen, const void *values,
                                                         const void *generators, void *out, rp_error *err);
/* For secret values: before any computation in variable time, all values are multiplied by one random r != 0, drawn for
 * this call alone; the sum is multiplied by 1 / r. Does not hide whether a value is zero. */
RP_API RP_CHECKED rp_status rp_pedersen_commit_blinded(rp_pedersen *pedersen, uint32_t width, const void *values,
                                                       const void *generators, void *out, rp_error *err);

/* ---- Many commitments in one replay, to generators that are fixed ------------------------------------------------ */

/* Generators with their tables on a device, and a recording that makes many commitments to them. */
typedef struct rp_pedersen_batch rp_pedersen_batch;

typedef struct rp_pedersen_batch_options {
  uint32_t struct_size;
  uint32_t width;              /* 1 .. RP_PEDERSEN_WIDTH_MAX */
  uint32_t commitments;        /* commitments per replay */
  uint32_t window_bits;        /* of the tables of the generators; 0: chosen by the library */
  uint32_t trusted_generators; /* 1: do not check that generators are in the subgroup */
  uint32_t secret;             /* 1: memory that held values, or what was computed from them, is wiped after a replay */
  uint32_t max_in_flight;      /* replays at once; 0: 1 */
  uint32_t flags;              /* RP_RECORD_* */
  uint64_t memory_budget_bytes; /* 0: what the device has left */
} rp_pedersen_batch_options;

/* Computes the tables of the generators, options->width of them, and records. Both width and commitments must be set.
 */
RP_API RP_CHECKED rp_status rp_pedersen_batch_create(rp_device *device, const rp_pedersen_batch_options *options,
                                                     const void *generators, rp_pedersen_batch **batch, rp_error *err);
RP_API void rp_pedersen_batch_destroy(rp_pedersen_batch *batch);
/* For plans, exports and profiles; both belong to the batch. */
RP_API const rp_graph *rp_pedersen_batch_graph(const rp_pedersen_batch *batch);
RP_API rp_recording *rp_pedersen_batch_recording(rp_pedersen_batch *batch);
/* values: [commitments][width]; out: [commitments]. One submission and one wait. May be called from several threads, of
 * which max_in_flight proceed at once. counters may be NULL. */
RP_API RP_CHECKED rp_status rp_pedersen_batch_commit(rp_pedersen_batch *batch, const void *values, void *out,
                                                     rp_run_counters *counters, rp_error *err);

/* An operation for graphs of your own: the scalars that represent affine Banderwagon points as children in a Verkle
 * tree, x / y as an integer reduced modulo the group order (U256). The identity gives 0. */
RP_API rp_value rp_pedersen_map_to_scalar(rp_graph *g, rp_value affine);

/* ---- BN254 G1 with seeded generators ----------------------------------------------------------------------------- */

/* The sum of all value[i] * G[i], plus blinding * H. Point i of a seed is the hash to the curve of the seed and i (64
 * bits, little-endian), with the suite BN254G1_XMD:SHA-256_SVDW_RO_ in the sense of RFC 9380 and the tag
 * PEDERSEN_SEEDED_GEN_V1. G[i] is point i, and H is the point after the last G. */
typedef struct rp_pedersen_seeded rp_pedersen_seeded;

/* Points first .. first + n - 1 of a seed, affine in memory form (64 bytes each). RP_ERR_ARGUMENT: the last of these
 * numbers would be above 2^64 - 1. */
RP_API RP_CHECKED rp_status rp_pedersen_seeded_generators(const uint8_t seed[32], uint64_t first, uint32_t n,
                                                          void *affine, rp_error *err);
/* Derives the generators. width is a power of two, at most RP_PEDERSEN_WIDTH_MAX; flags are RP_RECORD_*. */
RP_API RP_CHECKED rp_status rp_pedersen_seeded_create(rp_device *device, const uint8_t seed[32], uint32_t width,
                                                      uint32_t flags, rp_pedersen_seeded **seeded, rp_error *err);
RP_API void rp_pedersen_seeded_destroy(rp_pedersen_seeded *seeded);
/* out: the point in gnark's 32 compressed bytes. Memory that held the values and the blinding is wiped. */
RP_API RP_CHECKED rp_status rp_pedersen_seeded_commit(rp_pedersen_seeded *seeded, const void *values,
                                                      const void *blinding, void *out, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
