/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of several levels of a Merkle tree. Slots are those of the tree's nodes in heap order; a digest has
 * 32 bytes. Items: groups. A group makes `group` nodes of the first level, half as many of the next from them, and so
 * on.
 */
#ifndef REPRISE_ARGS_MERKLE_H
#define REPRISE_ARGS_MERKLE_H

#include "hash/hash_args.h"

/* GLSL names a struct without saying so again. */
#ifndef RP_STRUCT
#define RP_STRUCT(name) struct name
#endif

#define RP_MERKLE_DIGEST_WORDS 4
#define RP_MERKLE_GROUP_MOST 256
/* Where digests are kept in shared memory: threads of a workgroup, threads a node, and nodes at most. Four warps, one a
 * scheduler, for a permutation is a chain that waits for itself; a node more than they take would begin after the
 * others. */
#define RP_MERKLE_SHARED_THREADS 128
#define RP_MERKLE_RESCUE_LANES 16
#define RP_MERKLE_POSEIDON_LANES 4
#define RP_MERKLE_SHARED_GROUP (RP_MERKLE_SHARED_THREADS / RP_MERKLE_POSEIDON_LANES)

struct rp_merkle_args {
  RP_STRUCT(rp_hash_args) hash; /* in: the children of the first level; out: slot first_slot; row_len: two digests */
  uint32_t offset;              /* nodes of the first level, and the slot of its first one */
  uint32_t group, levels;       /* levels <= 1 + log2(group) */
  uint32_t first_slot;          /* 0 if the root is among the nodes: slot 0 is cleared then */
};
RP_ARGS_SIZE(struct rp_merkle_args, 72);

#endif
