/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Merkle trees: all inner nodes in one array in heap order, with a few levels per dispatch.
 */
#include "hash/merkle_schedule.h"
#include "hash/merkle_args.h"
#include "lower/gpu.h"
#include "hash/hash.h"
#include "hash/poseidon2.h"
#include "vector/move_args.h"
#include "kernel_tables.h"

#include <stdio.h>
#include <string.h>

enum { BINDS = 3, DIGEST_BYTES = RP_MERKLE_DIGEST_WORDS * 8 };

/* GPUs: indexed by log2 of the group; each group is one workgroup. */
static const rp_kernel *const groups_gpu[] = {[RP_HASH_RESCUE_RP64_256] = rp_kernels_rescue_merkle_groups,
                                              [RP_HASH_RESCUE_RP64_256_WINTERFELL] =
                                                  rp_kernels_rescue_merkle_circulant_groups,
                                              [RP_HASH_POSEIDON_BN254] = rp_kernels_poseidon_merkle_groups};
static const rp_kernel *const shared_gpu[] = {[RP_HASH_RESCUE_RP64_256] = &rp_kernel_rescue_merkle_shared,
                                              [RP_HASH_RESCUE_RP64_256_WINTERFELL] = &rp_kernel_rescue_merkle_shared,
                                              [RP_HASH_POSEIDON_BN254] = &rp_kernel_poseidon_merkle_shared};

typedef struct params {
  rp_hash hash;
  merkle_plan plan; /* with schedule AUTO, the schedule is chosen when the device is known; shared_group is 0 */
} params;

static bool chooses_groups(const params *p) { return is_poseidon2(p->hash); }

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  if (chooses_groups(p) && (p->plan.group || p->plan.published_count || p->plan.schedule == RP_MERKLE_BLOCKS))
    return rp_draft_fail(d, RP_ERR_UNSUPPORTED,
                         "trees of %s have no groups of blocks: leave group at 0, and the "
                         "schedule at auto, levels or subtrees",
                         rp_hash_of_id((uint32_t)p->hash));
  if (p->plan.table.fill || !p->plan.table.subtrees) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "the table's fill is 0, not at least 1");
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const uint32_t digest = rp_hash_digest_len(p->hash);
  const char *why;
  rp_field field;
  if (!rp_type_is_field(s->in_type[0], &field) || field != rp_hash_field(p->hash))
    return rp_shape_fail(s, RP_ERR_TYPE, "the leaves are of type %s, not %s", s->in_type[0]->name,
                         rp_field_name(rp_hash_field(p->hash)));
  if (s->in_len[0] % digest)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu elements are not a multiple of a digest's %u",
                         (unsigned long long)s->in_len[0], digest);
  const rp_status status = rp_merkle_plan_check(&p->plan, s->in_len[0] / digest, &why);
  if (status != RP_OK)
    return rp_shape_fail(s, status, "%llu leaves in groups of %u: %s", (unsigned long long)(s->in_len[0] / digest),
                         p->plan.group, why);
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0]);
  return RP_OK;
}

/* A level of a Poseidon2 tree on a GPU, with the kernel that hashes rows. */
static rp_status lower_rows(rp_lower *l, const struct rp_merkle_args *a, rp_bind binds[BINDS]) {
  const params *p = rp_lower_params(l);
  const uint32_t digest = rp_hash_digest_len(p->hash);
  const uint64_t first = a->offset * (uint64_t)digest;
  rp_bind level[BINDS] = {binds[0], binds[1], binds[2]};
  level[1].first = first;
  level[1].count = first;
  rp_lower_items(l, &rp_kernels_poseidon2_rows[rp_hash_field(p->hash)], a->offset, 1, &a->hash, level);
  if (a->first_slot) return RP_OK;
  const struct rp_zero_args zero = {.n = digest, .size_bytes = rp_lower_type(l, rp_lower_out(l, 0))->size_bytes};
  const rp_bind slot[] = {{.value = rp_lower_out(l, 0), .access = RP_WRITE, .first = 0, .count = digest}};
  rp_lower_items(l, &rp_kernel_zero, digest, 1, &zero, slot);
  return RP_OK;
}

static rp_status lower_step(rp_lower *l, const struct rp_merkle_args *tree, const merkle_step *step,
                            rp_bind binds[BINDS]) {
  const params *p = rp_lower_params(l);
  const uint64_t digest = rp_hash_digest_len(p->hash), leaves = rp_lower_len(l, rp_lower_in(l, 0)) / digest;
  const uint32_t top = step->offset >> (step->levels - 1);
  struct rp_merkle_args a = *tree;
  a.offset = step->offset;
  a.group = step->group;
  a.levels = step->levels;
  a.first_slot = top > 1 ? top : 0;
  a.hash.n = step->offset;
  binds[0] = RP_BIND(rp_lower_in(l, 0), RP_READ);
  if (step->offset < leaves / 2)
    binds[0] = (rp_bind){.value = rp_lower_out(l, 0),
                         .access = RP_READ,
                         .first = 2 * step->offset * digest,
                         .count = 2 * step->offset * digest};
  binds[1] = (rp_bind){.value = rp_lower_out(l, 0),
                       .access = RP_WRITE,
                       .first = a.first_slot * digest,
                       .count = (2 * (uint64_t)step->offset - a.first_slot) * digest};
  if (chooses_groups(p) && rp_lower_on_gpu(l) && !step->shared) return lower_rows(l, &a, binds);
  const rp_kernel *kernel = p->hash == RP_HASH_POSEIDON_BN254 ? &rp_kernel_poseidon_merkle : &rp_kernel_rescue_merkle;
  uint32_t log_group = 0;
  while (step->group >> (log_group + 1)) log_group++;
  if (chooses_groups(p))
    kernel = &(step->shared ? rp_kernels_poseidon2_merkle_shared : rp_kernels_poseidon2_merkle)[rp_hash_field(p->hash)];
  else if (rp_lower_on_gpu(l))
    kernel = step->shared ? shared_gpu[p->hash] : &groups_gpu[p->hash][log_group];
  if (rp_lower_on_gpu(l) && rp_lower_group(l, kernel) < step->group)
    return rp_lower_fail(l, RP_ERR_UNAVAILABLE,
                         "groups of %u nodes are asked for, the device's workgroups have %u threads", step->group,
                         rp_lower_limits(l)->max_group);
  const uint32_t ns = chooses_groups(p) ? rp_poseidon2_permutation_ns(p->hash) : rp_hash_item_ns(p->hash, &a.hash);
  rp_lower_blocks(l, kernel, step->offset / step->group, rp_grain(ns * (2 * step->group - 1)), &a, binds);
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const uint32_t digest = rp_hash_digest_len(p->hash);
  struct rp_merkle_args tree = {.hash = {.row_len = 2 * digest, .width = digest == 1 ? 3 : 12}};
  merkle_step steps[MERKLE_STEPS_MAX];
  rp_bind binds[BINDS];
  merkle_plan plan = p->plan;
  const bool narrow = rp_hash_field(p->hash) == RP_FIELD_BN254_FR;
  plan.shared_group = RP_MERKLE_SHARED_THREADS / (narrow ? RP_MERKLE_POSEIDON_LANES : RP_MERKLE_RESCUE_LANES);
  if (chooses_groups(p)) {
    const rp_poseidon2_params c = rp_poseidon2_layout(p->hash, POSEIDON2_PAIRS, 0, 0, &tree.hash);
    binds[2] = RP_BIND(rp_lower_poseidon2(l, p->hash, &c), RP_READ);
  } else {
    binds[2] = RP_BIND(rp_lower_hash(l, p->hash, &tree.hash), RP_READ);
  }
  const uint32_t n = rp_merkle_steps(&plan, rp_lower_len(l, rp_lower_in(l, 0)) / digest, rp_lower_device(l),
                                     rp_lower_limits(l)->workers, steps);
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n && status == RP_OK; i++) status = lower_step(l, &tree, &steps[i], binds);
  return status;
}

static int describe(const void *params_, char *text, size_t bytes) {
  static const char *const names[] = {"auto", "levels", "blocks", "subtrees"};
  const params *p = params_;
  const char *hash = is_poseidon2(p->hash)               ? rp_hash_of_id((uint32_t)p->hash)
                     : p->hash == RP_HASH_POSEIDON_BN254 ? "poseidon"
                                                         : "rescue";
  return snprintf(text, bytes, "%s %s group=%u", hash, names[p->plan.schedule], p->plan.group);
}

static const rp_strategy strategy = {.name = "heap", .devices = RP_ON_ANY, .lower = lower};

const rp_op rp_op_merkle_tree = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "merkle_tree",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = &strategy,
    .n_strategies = 1,
    .describe = describe,
    .schema = RP_SCHEMA(.least_in = 1, .check = check,
                        RP_PARAMS(RP_PARAM_HASH(params, hash),
                                  RP_PARAM_UPTO(params, plan.schedule, RP_MERKLE_AUTO, RP_MERKLE_SUBTREES),
                                  RP_PARAM_UPTO(params, plan.group, 0, UINT32_MAX),
                                  RP_PARAM_UPTO(params, plan.published_count, 0, UINT32_MAX),
                                  RP_PARAM_ANY(params, plan.table.subtrees),
                                  RP_PARAM_UPTO(params, plan.table.fill, 0, UINT32_MAX)),
                        .examples = "bn254_fr[16]; hash=3")};

rp_value rp_merkle_tree(rp_graph *g, rp_hash hash, rp_value leaves, const rp_merkle_options *options) {
  rp_merkle_options o = {0};
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "merkle_tree: options->struct_size is not set");
  if (!rp_hash_digest_len(hash)) return rp_graph_fail(g, RP_ERR_ARGUMENT, "merkle_tree: hash %d is unknown", (int)hash);
  if ((unsigned)o.schedule > RP_MERKLE_SUBTREES)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "merkle_tree: schedule %d is unknown", (int)o.schedule);
  if (o.table && !o.table->fill)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "merkle_tree: the table's fill is 0, not at least 1");
  if (is_poseidon2(hash) && (o.group || o.published_count || o.schedule == RP_MERKLE_BLOCKS))
    return rp_graph_fail(g, RP_ERR_UNSUPPORTED,
                         "merkle_tree: trees of %s have no groups of blocks: leave group at 0, and "
                         "the schedule at auto, levels or subtrees",
                         rp_hash_of_id((uint32_t)hash));
  params p;
  memset(&p, 0, sizeof p); /* padding too: the bytes of two nodes are compared */
  p.hash = hash;
  p.plan.schedule = o.schedule;
  p.plan.group = o.group;
  p.plan.published_count = o.published_count;
  if (o.table) p.plan.table.subtrees = o.table->subtrees, p.plan.table.fill = o.table->fill;
  return rp_graph_node(g, &rp_op_merkle_tree, &p, &leaves, 1, NULL, 1);
}
