/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <reprise/merkle.h>
#include <reprise/view.h>

#include "job.h"

#include <string.h>

struct rp_merkle {
  rp_merkle_info info;
  uint32_t on_device;
  rp_graph *graph;
  rp_value leaves, nodes, root;
  rp_recording *recording;
  rp_buffer *array; /* the nodes */
};

static rp_status read_config(const rp_merkle_config *config, rp_merkle_config *out, rp_error *err) {
  *out = (rp_merkle_config){.struct_size = sizeof *out};
  const rp_status status = graphs_options(out, sizeof *out, config, "A tree's configuration", err);
  if (!out->hash) out->hash = RP_HASH_RESCUE_RP64_256;
  if (status != RP_OK) return status;
  if (!rp_hash_digest_len(out->hash)) return support_fail(err, RP_ERR_ARGUMENT, "Hash %d is unknown.", (int)out->hash);
  if (out->leaves < 2 || out->leaves & (out->leaves - 1))
    return support_fail(err, RP_ERR_SHAPE,
                        "A tree cannot have %llu leaves: their number must be a power of two, at least 2.",
                        (unsigned long long)out->leaves);
  return RP_OK;
}

static rp_status build_graph(rp_device *device, const rp_merkle_config *c, rp_merkle *t, rp_error *err) {
  const rp_type *type = rp_type_field(rp_hash_field(c->hash));
  const uint32_t digest = rp_hash_digest_len(c->hash);
  const rp_merkle_options options = {.struct_size = sizeof options,
                                     .schedule = c->schedule,
                                     .group = c->group,
                                     .published_count = c->published_count,
                                     .table = c->table};
  rp_status status = rp_graph_create(rp_device_context(device), "merkle", &t->graph, err);
  if (status != RP_OK) return status;
  t->leaves = rp_graph_input(t->graph, "leaves", type, c->leaves * digest, c->leaves_on_device ? RP_RESIDENT : 0);
  rp_scope_begin(t->graph, "tree");
  rp_scope_title(t->graph, "Merkle tree: %llu leaves", (unsigned long long)c->leaves);
  t->nodes = rp_merkle_tree(t->graph, c->hash, t->leaves, &options);
  t->root = rp_slice(t->graph, t->nodes, digest, digest);
  rp_scope_end(t->graph);
  rp_graph_output(t->graph, "nodes", t->nodes, RP_RESIDENT);
  rp_graph_output(t->graph, "root", t->root, 0);
  return graphs_built(t->graph, err);
}

rp_status rp_merkle_plan(rp_device *device, const rp_merkle_config *config, rp_plan_info *info, rp_error *err) {
  if (!device || !config || !info)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_plan: a device, a configuration and room are needed.");
  static const rp_plan_info none;
  if (!rp_info_write(info, &none, sizeof none))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_plan: info.struct_size is not set.");
  rp_merkle t = {0};
  rp_merkle_config c;
  rp_status status = read_config(config, &c, err);
  if (status == RP_OK) status = build_graph(device, &c, &t, err);
  if (status == RP_OK)
    status = rp_plan_query(device, t.graph,
                           &(rp_record_options){.struct_size = sizeof(rp_record_options),
                                                .flags = c.flags,
                                                .memory_budget_bytes = c.memory_budget_bytes},
                           info, err);
  rp_graph_destroy(t.graph);
  return status;
}

static rp_status fill_info(rp_merkle *t, const rp_merkle_config *c, rp_error *err) {
  const uint32_t digest = rp_hash_digest_len(c->hash);
  uint32_t height = 0, count;
  while (c->leaves >> (height + 1)) height++;
  t->info = (rp_merkle_info){.hash = c->hash,
                             .leaves = c->leaves,
                             .height = height,
                             .digest_bytes = digest * rp_type_field(rp_hash_field(c->hash))->size_bytes};
  if (c->schedule == RP_MERKLE_BLOCKS) {
    const uint64_t most = c->leaves / 4 < RP_MERKLE_GROUP_MAX ? c->leaves / 4 : RP_MERKLE_GROUP_MAX;
    t->info.published_dispatches = rp_merkle_published_dispatches(c->leaves, c->group ? c->group : (uint32_t)most);
  }
  rp_status status = rp_recording_nodes(t->recording, NULL, 0, &count, err);
  rp_node_info *nodes =
      status == RP_OK ? rp_context_alloc(rp_graph_context(t->graph), (count + 1) * sizeof *nodes) : NULL;
  if (status != RP_OK) return status;
  if (!nodes) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a tree.");
  nodes->struct_size = sizeof *nodes;
  status = rp_recording_nodes(t->recording, nodes, count, &count, err);
  for (uint32_t i = 0; status == RP_OK && i < count; i++) t->info.dispatches += !strcmp(nodes[i].op, "merkle_tree");
  rp_context_free(nodes);
  return status;
}

rp_status rp_merkle_create(rp_device *device, const rp_merkle_config *config, rp_merkle **tree, rp_error *err) {
  if (!tree) return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_create: tree is NULL.");
  *tree = NULL;
  if (!device || !config) return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_create: device or config is NULL.");
  rp_merkle_config c;
  rp_status status = read_config(config, &c, err);
  if (status != RP_OK) return status;
  rp_merkle *t = rp_context_alloc(rp_device_context(device), sizeof *t);
  if (!t) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a tree.");
  t->on_device = c.leaves_on_device;
  status = build_graph(device, &c, t, err);
  if (status == RP_OK)
    status = rp_record(device, t->graph,
                       &(rp_record_options){.struct_size = sizeof(rp_record_options),
                                            .flags = c.flags,
                                            .memory_budget_bytes = c.memory_budget_bytes},
                       &t->recording, err);
  if (status == RP_OK) status = fill_info(t, &c, err);
  if (status == RP_OK) status = rp_buffer_create(device, c.leaves * t->info.digest_bytes, &t->array, err);
  if (status == RP_OK)
    *tree = t;
  else
    rp_merkle_destroy(t);
  return status;
}

void rp_merkle_destroy(rp_merkle *tree) {
  if (!tree) return;
  rp_recording_destroy(tree->recording);
  rp_buffer_destroy(tree->array);
  rp_graph_destroy(tree->graph);
  rp_context_free(tree);
}

void rp_merkle_get_info(const rp_merkle *tree, rp_merkle_info *info) {
  static const rp_merkle_info none;
  if (info) rp_info_write(info, tree ? &tree->info : &none, sizeof none);
}

const rp_graph *rp_merkle_graph(const rp_merkle *tree) { return tree ? tree->graph : NULL; }
rp_recording *rp_merkle_recording(rp_merkle *tree) { return tree ? tree->recording : NULL; }

/* ---- Building ---------------------------------------------------------------------------------------------------- */

typedef struct build_job {
  rp_merkle *tree;
  const void *leaves;
  rp_buffer *buffer;
  uint64_t offset_bytes;
  void *root;
} build_job;

static rp_status give_leaves(void *user, rp_run *run) {
  const build_job *b = user;
  const rp_status status = rp_run_bind_output(run, b->tree->nodes, b->tree->array, 0);
  if (status != RP_OK) return status;
  return b->buffer
             ? rp_run_bind_input(run, b->tree->leaves, b->buffer, b->offset_bytes)
             : rp_run_set_input(run, b->tree->leaves, b->leaves, b->tree->info.leaves * b->tree->info.digest_bytes);
}

static void take_root(void *user, rp_run *run) {
  const build_job *b = user;
  if (b->root) memcpy(b->root, rp_run_output(run, b->tree->root), b->tree->info.digest_bytes);
}

static rp_status build(build_job *b, rp_run_counters *counters, rp_error *err) {
  return graphs_run(b->tree->recording, &(graphs_job){give_leaves, take_root, b}, counters, err);
}

rp_status rp_merkle_build(rp_merkle *tree, const void *leaves, void *root, rp_run_counters *counters, rp_error *err) {
  if (!tree || !leaves) return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_build: tree or leaves is NULL.");
  if (tree->on_device)
    return support_fail(err, RP_ERR_STATE,
                        "rp_merkle_build: the tree was made for leaves in a buffer of the device's.");
  return build(&(build_job){.tree = tree, .leaves = leaves, .root = root}, counters, err);
}

rp_status rp_merkle_build_buffer(rp_merkle *tree, rp_buffer *leaves, uint64_t offset_bytes, void *root,
                                 rp_run_counters *counters, rp_error *err) {
  if (!tree || !leaves) return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_build_buffer: tree or leaves is NULL.");
  if (!tree->on_device)
    return support_fail(err, RP_ERR_STATE, "rp_merkle_build_buffer: the tree was made for leaves of the host's.");
  return build(&(build_job){.tree = tree, .buffer = leaves, .offset_bytes = offset_bytes, .root = root}, counters, err);
}

rp_status rp_merkle_nodes(rp_merkle *tree, uint64_t first, uint64_t count, void *digests, rp_error *err) {
  if (!tree || (count && !digests))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_nodes: tree or digests is NULL.");
  if (first > tree->info.leaves || count > tree->info.leaves - first)
    return support_fail(err, RP_ERR_SHAPE, "Nodes from %llu up to %llu are asked for, and the tree has %llu.",
                        (unsigned long long)first, (unsigned long long)(first + count),
                        (unsigned long long)tree->info.leaves);
  const uint64_t bytes = tree->info.digest_bytes;
  return count ? rp_buffer_read(tree->array, first * bytes, digests, count * bytes, err) : RP_OK;
}
