/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of several levels of a Merkle tree. Nodes are numbered in heap order; a digest has 32 bytes. One
 * item per group: a group computes `group` nodes of the first level, from them half as many of the next, and so on.
 */
#ifndef REPRISE_ARGS_MERKLE_H
#define REPRISE_ARGS_MERKLE_H

#include "hash/hash_args.h"

/* GLSL refers to a struct without the keyword. */
#ifndef RP_STRUCT
#define RP_STRUCT(name) struct name
#endif

#define RP_MERKLE_DIGEST_WORDS 4
#define RP_MERKLE_GROUP_MOST 256
/* Where digests are kept in shared memory: threads per workgroup, threads per node, and the largest number of nodes.
 * There are four warps, one per scheduler, because each step of a permutation waits for the one before. More nodes than
 * the threads can take at once would only begin after the others. */
#define RP_MERKLE_SHARED_THREADS 128
#define RP_MERKLE_RESCUE_LANES 16
#define RP_MERKLE_POSEIDON_LANES 4
#define RP_MERKLE_POSEIDON2_SMALL_LANES 16
#define RP_MERKLE_SHARED_GROUP (RP_MERKLE_SHARED_THREADS / RP_MERKLE_POSEIDON_LANES)

struct rp_merkle_args {
  RP_STRUCT(rp_hash_args) hash; /* in: the children of the first level; out: node first_slot; row_len: two digests */
  uint32_t offset;              /* number of nodes in the first level, which is also the number of its first node */
  uint32_t group, levels;       /* levels <= 1 + log2(group) */
  uint32_t first_slot;          /* 0 if the root is among the nodes: element 0 is then cleared */
};
RP_ARGS_SIZE(struct rp_merkle_args, 88);

#endif
