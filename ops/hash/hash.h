/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the lowerings of hashes and of Merkle trees share.
 */
#ifndef REPRISE_OPS_HASH_H
#define REPRISE_OPS_HASH_H

#include "lower/lower.h"
#include "hash/hash_args.h"
#include "hash/poseidon_grain.h"

enum { RESCUE_CONSTANTS = 12 * (2 * 7 + 12) };

/* The name of an rp_hash, or NULL; and its entry in a list of parameters. */
const char *rp_hash_of_id(uint32_t id);
#define RP_PARAM_HASH(type, member) \
  RP_PARAM_NAMED(type, member, RP_HASH_RESCUE_RP64_256, RP_HASH_POSEIDON2_KOALABEAR, rp_hash_of_id)

/* Fills in what depends on the hash, given a->width. */
rp_poseidon_params rp_hash_layout(rp_hash hash, struct rp_hash_args *a);
/* An rp_fill_fn; `user` points to the rp_hash. */
rp_status rp_rescue_constants(const void *user, void *dst, uint64_t len);

/* Calls rp_hash_layout and returns the hash's constants. */
rp_value rp_lower_hash(rp_lower *l, rp_hash hash, struct rp_hash_args *a);
/* About how many nanoseconds one permutation takes on a CPU. */
uint32_t rp_hash_item_ns(rp_hash hash, const struct rp_hash_args *a);

#endif
