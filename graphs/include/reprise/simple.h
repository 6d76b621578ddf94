/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: commitments, batch inversion and Merkle trees as calls on plain arrays, for programs that know
 * neither devices nor recordings. Calling rules: reprise.h.
 *
 *     static rp_simple simple = RP_SIMPLE_INIT;
 *     status = rp_simple_pedersen_commit_tree(&simple, 256, values, generators, out, NULL);
 *
 * An rp_simple is memory of the caller's, eight pointers that are NULL at first. It holds a context, a device, and the
 * recordings that its calls have made: a call of a kind and size that was seen before replays one, any other makes one.
 * The first call opens a context and the best device of the machine, or that of REPRISE_DEVICE; rp_simple_open chooses
 * another. rp_simple_close frees what the object holds, and leaves it as it was at first.
 *
 *  - An object stays where it is: a copy of one in use, or one that was moved, gives RP_ERR_STATE, and so do bytes that
 *    are not an object.
 *  - Threads: the calls may come from several threads, also the first one; an object does one of them at a time.
 *    During rp_simple_open and rp_simple_close, no other thread may use the object.
 *  - Errors, also from the first call of any kind: those of rp_context_create, rp_device_open and rp_record. If a call
 *    fails, nothing is written to its result, and the object can be used further: the next call tries again.
 *  - Memory: the 16 recordings that were used last are kept, and commitments to generators that are inputs are kept for
 *    every width. If there is no memory for a new one, older ones are freed first.
 *
 * Arrays may have any alignment. Those of field elements and digests are in memory form (types.h), the same on every
 * device.
 */
#ifndef REPRISE_SIMPLE_H
#define REPRISE_SIMPLE_H

#include <reprise/inverse.h>
#include <reprise/merkle.h>
#include <reprise/pedersen.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RP_SIMPLE_RECORDINGS = 16 /* most recordings that an object keeps, apart from those for each width */ };

/* The members of `opaque` belong to the library. */
typedef struct rp_simple {
  void *opaque[8];
} rp_simple;
#define RP_SIMPLE_INIT \
  {                    \
    { NULL }           \
  }

/* ---- The object -------------------------------------------------------------------------------------------------- */

/* Opens an object with a context and a device of these options; each may be NULL, and need not outlive the call.
 * RP_ERR_STATE: the object is open, and stays so. After any other failure it is as it was at first. */
RP_API RP_CHECKED rp_status rp_simple_open(rp_simple *simple, const rp_context_options *context,
                                           const rp_device_options *device, rp_error *err);
/* Frees what the object holds; nothing, if it is not open. A copy is left as it is. */
RP_API void rp_simple_close(rp_simple *simple);

/* The device on which the calls run, for graphs of the caller's own beside them. It belongs to the object. NULL until a
 * call has opened it. */
RP_API rp_device *rp_simple_device(const rp_simple *simple);

typedef struct rp_simple_info {
  uint32_t struct_size;
  uint32_t kept;     /* recordings that the object has now */
  uint64_t recorded; /* recordings that it has made */
} rp_simple_info;
RP_API void rp_simple_get_info(rp_simple *simple, rp_simple_info *info);

/* ---- Commitments ------------------------------------------------------------------------------------------------- */

/* The sum of values[i] * generators[i] over Banderwagon, for `width` of them: a power of two, at most
 * RP_PEDERSEN_WIDTH_MAX (else RP_ERR_SHAPE). values: 32-byte little-endian integers below the group order (else
 * RP_ERR_INPUT); generators: 32-byte compressed points (else RP_ERR_FORMAT), which are decoded anew only where they
 * differ from those of the call before; out: 32 bytes, a compressed point, which may lie in either array. Variable
 * time, for public values. One value after another on the host, for any width: rp_pedersen_commit. */
RP_API RP_CHECKED rp_status rp_simple_pedersen_commit_tree(rp_simple *simple, uint32_t width, const void *values,
                                                           const void *generators, void *out, rp_error *err);
/* The same for width 256. */
RP_API RP_CHECKED rp_status rp_simple_pedersen_commit_tree_w256(rp_simple *simple, const void *values,
                                                                const void *generators, void *out, rp_error *err);
/* The same for secret values, which are multiplied by a random number first: rp_pedersen_commit_blinded. */
RP_API RP_CHECKED rp_status rp_simple_pedersen_commit_blinded(rp_simple *simple, uint32_t width, const void *values,
                                                              const void *generators, void *out, rp_error *err);
/* The sum of values[i] * G[i], plus blinding * H, over BN254 G1, with the generators of a seed (rp_pedersen_seeded).
 * `width` as above; values and blinding: 32-byte little-endian integers below the group order (else RP_ERR_INPUT); out:
 * gnark's 32 compressed bytes. The first call for a seed and width derives the generators, and makes their tables. */
RP_API RP_CHECKED rp_status rp_simple_pedersen_commit_seeded(rp_simple *simple, const uint8_t seed[32], uint32_t width,
                                                             const void *values, const void *blinding, void *out,
                                                             rp_error *err);

/* ---- Batch inversion --------------------------------------------------------------------------------------------- */

/* out[i] = 1 / in[i] for n elements of `field`; 0 where in[i] is 0. `in` and `out` are the same array or do not
 * overlap. n = 0 does nothing, and opens nothing. Small n are inverted on the host, by the table of the device. Each
 * n of the others needs a recording of its own: a program that calls with many different n should pad its arrays with
 * ones to a few sizes, or call rp_batch_inv. */
RP_API RP_CHECKED rp_status rp_simple_batch_inv(rp_simple *simple, rp_field field, const void *in, void *out,
                                                uint64_t n, rp_error *err);
/* The same for secret elements: constant_time of rp_batch_inv_options. */
RP_API RP_CHECKED rp_status rp_simple_batch_inv_ct(rp_simple *simple, rp_field field, const void *in, void *out,
                                                   uint64_t n, rp_error *err);
/* rp_simple_batch_inv for one field each. Banderwagon's base field is BLS12-381 Fr. */
RP_API RP_CHECKED rp_status rp_simple_secp256k1_batch_inv_fp(rp_simple *simple, const void *in, void *out, uint64_t n,
                                                             rp_error *err);
RP_API RP_CHECKED rp_status rp_simple_bn254_batch_inv_fr(rp_simple *simple, const void *in, void *out, uint64_t n,
                                                         rp_error *err);
RP_API RP_CHECKED rp_status rp_simple_bls12_381_batch_inv_fp(rp_simple *simple, const void *in, void *out, uint64_t n,
                                                             rp_error *err);
RP_API RP_CHECKED rp_status rp_simple_banderwagon_batch_inv(rp_simple *simple, const void *in, void *out, uint64_t n,
                                                            rp_error *err);

/* ---- Merkle trees ------------------------------------------------------------------------------------------------ */

/* All nodes of the tree over leaf_count digests of `hash` (0: RP_HASH_RESCUE_RP64_256): `nodes` has room for as many
 * digests, in heap order; node 0 is zero, node 1 the root, node leaf_count / 2 the parent of the first two leaves. The
 * arrays do not overlap. leaf_count is a power of two, at least 2 (else RP_ERR_SHAPE). `schedule` and `group` (0:
 * chosen) as in rp_merkle_options; a group that the schedule cannot have gives RP_ERR_SHAPE. The nodes are the same by
 * every schedule; RP_MERKLE_AUTO is the fastest. */
RP_API RP_CHECKED rp_status rp_simple_merklize(rp_simple *simple, rp_hash hash, const void *leaves, void *nodes,
                                               uint64_t leaf_count, rp_merkle_schedule schedule, uint32_t group,
                                               rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
