/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: Merkle trees that are built repeatedly. A tree of N = 2^height leaves is one recording, however many
 * dispatches it takes: each build is one submission and one wait. Calling rules: reprise.h. For a tree inside a graph
 * of your own, see rp_merkle_tree in ops.h.
 *
 * Leaves are digests in memory form, rp_hash_digest_len elements each; rp_hash_rows makes them from rows of data. Nodes
 * are stored in heap order: node 1 is the root, nodes N / 2 to N - 1 are the parents of the leaves, and node 0 is zero.
 */
#ifndef REPRISE_MERKLE_H
#define REPRISE_MERKLE_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A tree with its recording and its array of nodes, which is on the device. */
typedef struct rp_merkle rp_merkle;

typedef struct rp_merkle_config {
  uint32_t struct_size;
  rp_hash hash;    /* 0: RP_HASH_RESCUE_RP64_256 */
  uint64_t leaves; /* a power of two, at least 2 */
  /* schedule, group, published_count, table: as in rp_merkle_options */
  rp_merkle_schedule schedule;
  uint32_t group;
  uint32_t published_count;
  uint32_t leaves_on_device;    /* 1: leaves are given in a buffer of the device (rp_merkle_build_buffer) */
  uint32_t flags;               /* RP_RECORD_* */
  uint64_t memory_budget_bytes; /* 0: what the device has left */
  const rp_merkle_table *table;
} rp_merkle_config;

/* The memory that the tree would take in addition to its array of nodes (N digests); nothing is allocated on the
 * device. */
RP_API RP_CHECKED rp_status rp_merkle_plan(rp_device *device, const rp_merkle_config *config, rp_plan_info *info,
                                           rp_error *err);
/* Allocates the nodes and records the tree. RP_ERR_BUDGET: it does not fit. */
RP_API RP_CHECKED rp_status rp_merkle_create(rp_device *device, const rp_merkle_config *config, rp_merkle **tree,
                                             rp_error *err);
RP_API void rp_merkle_destroy(rp_merkle *tree);

typedef struct rp_merkle_info {
  uint32_t struct_size;
  rp_hash hash;
  uint64_t leaves;               /* 2^height */
  uint32_t height, digest_bytes; /* levels above the leaves; size of a digest */
  uint32_t dispatches;           /* number of dispatches that hash */
  uint32_t published_dispatches; /* RP_MERKLE_BLOCKS: rp_merkle_published_dispatches; else 0 */
} rp_merkle_info;
RP_API void rp_merkle_get_info(const rp_merkle *tree, rp_merkle_info *info);
/* For plans, exports and profiles; both belong to the tree. */
RP_API const rp_graph *rp_merkle_graph(const rp_merkle *tree);
RP_API rp_recording *rp_merkle_recording(rp_merkle *tree);

/* Computes all nodes from N leaves, which are in host memory for rp_merkle_build and in a buffer of the tree's device,
 * from offset_bytes on, for rp_merkle_build_buffer; RP_ERR_STATE if the tree was made for the other (leaves_on_device).
 * `root` (one digest) and `counters` may be NULL. While a build is running, no other build of the tree may begin and
 * its nodes must not be read. */
RP_API RP_CHECKED rp_status rp_merkle_build(rp_merkle *tree, const void *leaves, void *root, rp_run_counters *counters,
                                            rp_error *err);
RP_API RP_CHECKED rp_status rp_merkle_build_buffer(rp_merkle *tree, rp_buffer *leaves, uint64_t offset_bytes,
                                                   void *root, rp_run_counters *counters, rp_error *err);
/* Copies nodes first to first + count - 1 of the latest build; RP_ERR_SHAPE if the tree has fewer. */
RP_API RP_CHECKED rp_status rp_merkle_nodes(rp_merkle *tree, uint64_t first, uint64_t count, void *digests,
                                            rp_error *err);
/* The authentication path of a leaf in the latest build: `height` digests, beginning with the sibling of the leaf,
 * which the caller gives (leaf index ^ 1). RP_ERR_SHAPE if there is no such leaf. */
RP_API RP_CHECKED rp_status rp_merkle_path(rp_merkle *tree, uint64_t index, const void *sibling_leaf, void *path,
                                           rp_error *err);
/* RP_OK if leaf, index and path of `height` digests lead to the root; RP_ERR_VERIFY if not. RP_ERR_SHAPE: a tree of
 * that height has no such leaf. Needs no device. */
RP_API RP_CHECKED rp_status rp_merkle_path_check(rp_hash hash, const void *leaf, uint64_t index, const void *path,
                                                 uint32_t height, const void *root, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
