/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations on points, tree reduction, and multiples for merged windows.
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "points/points_args.h"
#include "points/point_check_args.h"
#include "lower/gpu.h"

#include "vector/batch_inverse_gpu_args.h"

#define RP_KERNEL point_from_affine
#define RP_KERNEL_ARGS struct rp_point_map_args
#define RP_KERNEL_BINDS 2
#define RP_KERNEL_GPU points
#define RP_KERNEL_GROUP 128
#include "kernel/curve_kernels.h"
#define RP_KERNEL point_to_affine
#define RP_KERNEL_ARGS struct rp_point_map_args
#define RP_KERNEL_BINDS 2
#define RP_KERNEL_GPU points
#define RP_KERNEL_GROUP 128
#include "kernel/curve_kernels.h"
#define RP_KERNEL point_neg
#define RP_KERNEL_ARGS struct rp_point_map_args
#define RP_KERNEL_BINDS 2
#define RP_KERNEL_GPU points
#define RP_KERNEL_GROUP 128
#include "kernel/curve_kernels.h"
#define RP_KERNEL point_add
#define RP_KERNEL_ARGS struct rp_point_add_args
#define RP_KERNEL_BINDS 3
#define RP_KERNEL_GPU points
#define RP_KERNEL_GROUP 128
#include "kernel/curve_kernels.h"
#define RP_KERNEL point_check
#define RP_KERNEL_IFMA
#define RP_KERNEL_ARGS struct rp_point_check_args
#define RP_KERNEL_BINDS 3
#define RP_KERNEL_GPU point_check
#define RP_KERNEL_GROUP 128
#include "kernel/curve_kernels.h"
#define RP_KERNEL tree_reduce
#define RP_KERNEL_IFMA
#define RP_KERNEL_ARGS struct rp_tree_reduce_args
#define RP_KERNEL_BINDS 2
#include "kernel/curve_kernels.h"
#define RP_KERNEL window_multiples
#define RP_KERNEL_IFMA
#define RP_KERNEL_ARGS struct rp_window_multiples_args
#define RP_KERNEL_BINDS 2
#define RP_KERNEL_GPU points
#define RP_KERNEL_GROUP 128
#include "kernel/curve_kernels.h"

/* The curve of a type, and whether it is affine; 0 if it is no type of points. */
static int type_curve(const rp_type *type, rp_curve *curve, uint32_t *is_affine) {
  *is_affine = (uint32_t)rp_type_is_affine(type, curve);
  return *is_affine || rp_type_is_accumulator(type, curve);
}

static rp_status not_points(const rp_shape *s, uint32_t i, const char *wanted) {
  return rp_shape_fail(s, RP_ERR_TYPE, "operand %u is of type %s, not %s", i, s->in_type[i]->name, wanted);
}

/* ---- from_affine, to_affine, neg --------------------------------------------------------------------------------- */

static rp_status shape_from_affine(const rp_shape *s) {
  rp_curve curve;
  if (!rp_type_is_affine(s->in_type[0], &curve)) return not_points(s, 0, "affine points");
  rp_shape_out(s, 0, rp_type_accumulator(curve), s->in_len[0]);
  return RP_OK;
}

static rp_status shape_to_affine(const rp_shape *s) {
  rp_curve curve;
  if (!rp_type_is_accumulator(s->in_type[0], &curve)) return not_points(s, 0, "accumulator points");
  rp_shape_out(s, 0, rp_type_affine(curve), s->in_len[0]);
  return RP_OK;
}

static rp_status shape_same(const rp_shape *s) {
  rp_curve curve;
  uint32_t is_affine;
  if (!type_curve(s->in_type[0], &curve, &is_affine)) return not_points(s, 0, "points");
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0]);
  return RP_OK;
}

static rp_status lower_map(rp_lower *l, const rp_kernel *table, uint32_t grain) {
  const rp_value in = rp_lower_in(l, 0);
  struct rp_point_map_args a = {.n = (uint32_t)rp_lower_len(l, in)};
  rp_curve curve;
  type_curve(rp_lower_type(l, in), &curve, &a.affine);
  rp_lower_items(l, &table[curve], a.n, grain, &a,
                 (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)});
  return RP_OK;
}

static rp_status lower_from_affine(rp_lower *l) { return lower_map(l, rp_kernels_point_from_affine, rp_grain(10)); }
static rp_status lower_to_affine(rp_lower *l) { return lower_map(l, rp_kernels_point_to_affine, 128); }
/* CUDA, with so many points that each multiprocessor has four workgroups, which hide one another's inversion: a chain a
 * thread. */
enum { CHAIN = 16, CHAIN_GROUPS = 4 };
#define CHAINS(NAME, id, base, scalar, w) \
  [RP_CURVE_##NAME] =                     \
      RP_CUDA_KERNEL_OF(points, id, point_to_affine_chains, struct rp_point_chains_args, 2, RP_GPU_INVERSE_BLOCK, 0),
static const rp_kernel chain_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(CHAINS)};
static uint32_t chain_of(const rp_lower *l) {
  const uint64_t threads = (uint64_t)rp_lower_limits(l)->workers * CHAIN_GROUPS * RP_GPU_INVERSE_BLOCK;
  const uint64_t chain = (rp_lower_len(l, rp_lower_in(l, 0)) + threads - 1) / threads;
  return chain < CHAIN ? (uint32_t)chain : CHAIN;
}
static int are_many(const rp_lower *l) { return chain_of(l) > 1; }
static rp_status lower_to_affine_chains(rp_lower *l) {
  const rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0);
  const struct rp_point_chains_args a = {.n = (uint32_t)rp_lower_len(l, in),
                                         .block = chain_of(l) * RP_GPU_INVERSE_BLOCK};
  rp_curve curve;
  uint32_t is_affine;
  type_curve(rp_lower_type(l, in), &curve, &is_affine);
  rp_gpu_dispatch(l, &chain_kernels[curve], rp_gpu_groups(a.n, a.block), 1, &a,
                  (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(out, RP_READ_WRITE)});
  return RP_OK;
}

static rp_status lower_neg(rp_lower *l) { return lower_map(l, rp_kernels_point_neg, rp_grain(10)); }

static const rp_strategy from_affine_strategies[] = {
    {.name = "map", .devices = RP_ON_ANY, .lower = lower_from_affine},
};
static const rp_strategy to_affine_strategies[] = {
    {.name = "chains", .devices = RP_ON(RP_DEVICE_CUDA), .applies = are_many, .lower = lower_to_affine_chains},
    {.name = "batch_inverse", .devices = RP_ON_ANY, .lower = lower_to_affine},
};
static const rp_strategy neg_strategies[] = {
    {.name = "map", .devices = RP_ON_ANY, .lower = lower_neg},
};

static const rp_op from_affine_op = {.struct_size = sizeof(rp_op),
                                     .name = "from_affine",
                                     .shape = shape_from_affine,
                                     .strategies = from_affine_strategies,
                                     .n_strategies = 1};
static const rp_op to_affine_op = {.struct_size = sizeof(rp_op),
                                   .name = "to_affine",
                                   .shape = shape_to_affine,
                                   .strategies = to_affine_strategies,
                                   .n_strategies = sizeof to_affine_strategies / sizeof *to_affine_strategies};
static const rp_op neg_op = {.struct_size = sizeof(rp_op),
                             .name = "point_neg",
                             .shape = shape_same,
                             .strategies = neg_strategies,
                             .n_strategies = 1};

rp_value rp_from_affine(rp_graph *g, rp_value affine) {
  return rp_graph_node(g, &from_affine_op, NULL, &affine, 1, NULL, 1);
}

rp_value rp_to_affine(rp_graph *g, rp_value acc) { return rp_graph_node(g, &to_affine_op, NULL, &acc, 1, NULL, 1); }

rp_value rp_point_neg(rp_graph *g, rp_value a) { return rp_graph_node(g, &neg_op, NULL, &a, 1, NULL, 1); }

/* ---- point_add --------------------------------------------------------------------------------------------------- */

static rp_status shape_add(const rp_shape *s) {
  rp_curve curve[2];
  uint32_t is_affine;
  uint64_t len;
  rp_status status;
  for (uint32_t i = 0; i < 2; i++)
    if (!type_curve(s->in_type[i], &curve[i], &is_affine)) return not_points(s, i, "points");
  if (curve[0] != curve[1])
    return rp_shape_fail(s, RP_ERR_TYPE, "operands are of types %s and %s", s->in_type[0]->name, s->in_type[1]->name);
  status = rp_shape_broadcast(s, &len);
  if (status == RP_OK) rp_shape_out(s, 0, rp_type_accumulator(curve[0]), len);
  return status;
}

static rp_status lower_add(rp_lower *l) {
  const rp_value x = rp_lower_in(l, 0), y = rp_lower_in(l, 1), out = rp_lower_out(l, 0);
  struct rp_point_add_args a = {
      .n = (uint32_t)rp_lower_len(l, out), .a_step = rp_lower_len(l, x) > 1, .b_step = rp_lower_len(l, y) > 1};
  rp_curve curve;
  type_curve(rp_lower_type(l, y), &curve, &a.b_affine);
  type_curve(rp_lower_type(l, x), &curve, &a.a_affine);
  rp_lower_items(l, &rp_kernels_point_add[curve], a.n, rp_grain(150), &a,
                 (rp_bind[]){RP_BIND(x, RP_READ), RP_BIND(y, RP_READ), RP_BIND(out, RP_WRITE)});
  return RP_OK;
}

static const rp_strategy add_strategies[] = {{.name = "map", .devices = RP_ON_ANY, .lower = lower_add}};

static const rp_op add_op = {.struct_size = sizeof(rp_op),
                             .name = "point_add",
                             .shape = shape_add,
                             .strategies = add_strategies,
                             .n_strategies = 1};

rp_value rp_point_add(rp_graph *g, rp_value a, rp_value b) {
  return rp_graph_node(g, &add_op, NULL, (rp_value[]){a, b}, 2, NULL, 1);
}

/* ---- point_check ------------------------------------------------------------------------------------------------- */

typedef struct check_params {
  uint32_t subgroup;
} check_params;

static rp_status shape_check(const rp_shape *s) {
  rp_curve curve;
  if (!rp_type_is_affine(s->in_type[0], &curve)) return not_points(s, 0, "affine points");
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0]);
  return RP_OK;
}

static rp_status lower_check(rp_lower *l) {
  const check_params *p = rp_lower_params(l);
  const rp_value in = rp_lower_in(l, 0);
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, in), &curve);
  rp_lower_items(l, &rp_kernels_point_check[curve], rp_lower_len(l, in), rp_grain(p->subgroup ? 10000 : 60),
                 &(struct rp_point_check_args){
                     .n = (uint32_t)rp_lower_len(l, in), .subgroup = p->subgroup, .site = rp_lower_site(l)},
                 (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                             RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}

static const rp_strategy check_strategies[] = {{.name = "map", .devices = RP_ON_ANY, .lower = lower_check}};

static const rp_op check_op = {.struct_size = sizeof(rp_op),
                               .name = "point_check",
                               .params_bytes = sizeof(check_params),
                               .shape = shape_check,
                               .strategies = check_strategies,
                               .n_strategies = 1};

rp_value rp_point_check(rp_graph *g, rp_value affine, int subgroup) {
  return rp_graph_node(g, &check_op, &(check_params){subgroup != 0}, &affine, 1, NULL, 1);
}

/* ---- tree_reduce ------------------------------------------------------------------------------------------------- */

typedef struct tree_params {
  uint64_t width;
} tree_params;

static rp_status shape_tree(const rp_shape *s) {
  const tree_params *p = s->params;
  const uint64_t width = p->width ? p->width : s->in_len[0];
  rp_curve curve;
  uint32_t is_affine;
  if (!type_curve(s->in_type[0], &curve, &is_affine)) return not_points(s, 0, "points");
  if (s->in_len[0] % width)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu points are no multiple of the width %llu",
                         (unsigned long long)s->in_len[0], (unsigned long long)width);
  rp_shape_out(s, 0, rp_type_accumulator(curve), s->in_len[0] / width);
  return RP_OK;
}

/* Levels of blocks whose length is a power of two, so that the tree over all is that of the blocks: of `least` points,
 * and of up to `most` as long as hardly a multiprocessor is without one. */
static rp_status lower_tree(rp_lower *l, uint32_t least, uint32_t most, const rp_kernel *kernels) {
  const tree_params *p = rp_lower_params(l);
  const uint64_t len = rp_lower_len(l, rp_lower_in(l, 0)), groups = rp_lower_len(l, rp_lower_out(l, 0));
  uint64_t width = p->width ? p->width : len;
  rp_value in = rp_lower_in(l, 0);
  rp_curve curve;
  uint32_t is_affine;
  type_curve(rp_lower_type(l, in), &curve, &is_affine);
  for (;;) {
    uint32_t block = least;
    while (block < most && groups * width / block / 2 >= rp_lower_limits(l)->workers * 7ull / 8) block *= 2;
    struct rp_tree_reduce_args a = {.width = (uint32_t)width, .block = block, .affine = is_affine};
    rp_value out;
    a.blocks = (uint32_t)((width + block - 1) / block);
    out = a.blocks == 1 ? rp_lower_out(l, 0)
                        : rp_lower_scratch(l, "blocks", rp_type_accumulator(curve), groups * a.blocks);
    const rp_bind binds[] = {RP_BIND(in, RP_READ), RP_BIND(out, RP_WRITE)};
    if (rp_lower_device(l) == RP_DEVICE_CPU)
      rp_lower_items(l, &kernels[curve], groups * a.blocks, rp_grain(150 * (width < block ? (uint32_t)width : block)),
                     &a, binds);
    else
      rp_gpu_dispatch(l, &kernels[curve], (uint32_t)(groups * a.blocks), 1, &a, binds);
    if (a.blocks == 1) return RP_OK;
    in = out;
    width = a.blocks;
    is_affine = 0;
  }
}

static rp_status lower_tree_cpu(rp_lower *l) { return lower_tree(l, 1024, 1024, rp_kernels_tree_reduce); }

/* A workgroup a block, in shared memory. */
enum { TREE_GROUP = 128 };
#define TREE(NAME, id, base, scalar, w)                                                                        \
  [RP_CURVE_##NAME] = RP_GPU_KERNEL_SHARED(points, id, tree_reduce, struct rp_tree_reduce_args, 2, TREE_GROUP, \
                                           TREE_GROUP * RP_GPU_ACC_BYTES(base), TREE_GROUP),
static const rp_kernel tree_gpu[RP_CURVE_COUNT] = {RP_CURVE_LIST(TREE)};
static rp_status lower_tree_gpu(rp_lower *l) {
  rp_curve curve;
  uint32_t is_affine;
  type_curve(rp_lower_type(l, rp_lower_in(l, 0)), &curve, &is_affine);
  const uint32_t block = rp_lower_group(l, &tree_gpu[curve]);
  return lower_tree(l, block, block, tree_gpu);
}

/* CUDA: groups of up to 1024 points in one dispatch, a thread several neighbours. Width 256, the one of Verkle trees,
 * has a kernel whose loops and memory are fixed. Longer groups take a dispatch for every factor of 512 and more. */
enum {
  TREE_WIDE_MOST = 1024,
  TREE_FIXED = 256,
  TREE_QUADS_GROUP = 256,
  TREE_QUADS_LEAST = 512,
  TREE_QUADS_MOST = 4096
};
#define TREE_CUDA(entry_, id, base, group)                                                   \
  {                                                                                          \
    .name = #entry_ "." #id, .args_bytes = sizeof(struct rp_tree_reduce_args), .n_binds = 2, \
    RP_CUDA_VARIANT(points_##id, #entry_, group, TREE_GROUP * RP_GPU_ACC_BYTES(base))        \
  }
#define TREE_WIDE(NAME, id, base, scalar, w) [RP_CURVE_##NAME] = TREE_CUDA(tree_reduce_wide, id, base, TREE_GROUP),
#define TREE_W256(NAME, id, base, scalar, w) [RP_CURVE_##NAME] = TREE_CUDA(tree_reduce_w256, id, base, TREE_GROUP),
#define TREE_QUADS(NAME, id, base, scalar, w) \
  [RP_CURVE_##NAME] = TREE_CUDA(tree_reduce_quads, id, base, TREE_QUADS_GROUP),
static const rp_kernel tree_quads[RP_CURVE_COUNT] = {RP_CURVE_LIST(TREE_QUADS)};
static const rp_kernel tree_wide[RP_CURVE_COUNT] = {RP_CURVE_LIST(TREE_WIDE)};
static const rp_kernel tree_w256[RP_CURVE_COUNT] = {RP_CURVE_LIST(TREE_W256)};
static uint64_t tree_width(const rp_lower *l) {
  const tree_params *p = rp_lower_params(l);
  return p->width ? p->width : rp_lower_len(l, rp_lower_in(l, 0));
}
static int is_w256(const rp_lower *l) { return tree_width(l) == TREE_FIXED; }
static int is_wide(const rp_lower *l) { return tree_width(l) > TREE_GROUP && tree_width(l) <= TREE_WIDE_MOST; }
static rp_status lower_tree_wide(rp_lower *l) { return lower_tree(l, TREE_WIDE_MOST, TREE_WIDE_MOST, tree_wide); }
static rp_status lower_tree_w256(rp_lower *l) { return lower_tree(l, TREE_FIXED, TREE_FIXED, tree_w256); }
static rp_status lower_tree_quads(rp_lower *l) { return lower_tree(l, TREE_QUADS_LEAST, TREE_QUADS_MOST, tree_quads); }
static int is_long(const rp_lower *l) { return tree_width(l) > TREE_WIDE_MOST; }

static const rp_strategy tree_strategies[] = {
    {.name = "blocks", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_tree_cpu},
    {.name = "w256", .devices = RP_ON(RP_DEVICE_CUDA), .applies = is_w256, .lower = lower_tree_w256},
    {.name = "wide", .devices = RP_ON(RP_DEVICE_CUDA), .applies = is_wide, .lower = lower_tree_wide},
    {.name = "quads", .devices = RP_ON(RP_DEVICE_CUDA), .applies = is_long, .lower = lower_tree_quads},
    {.name = "shared_memory", .devices = RP_ON_GPU, .lower = lower_tree_gpu},
};

static const rp_op tree_op = {.struct_size = sizeof(rp_op),
                              .name = "tree_reduce",
                              .params_bytes = sizeof(tree_params),
                              .shape = shape_tree,
                              .strategies = tree_strategies,
                              .n_strategies = sizeof tree_strategies / sizeof *tree_strategies};

rp_value rp_tree_reduce(rp_graph *g, rp_value points, uint64_t width) {
  return rp_graph_node(g, &tree_op, &(tree_params){width}, &points, 1, NULL, 1);
}

/* ---- window_multiples -------------------------------------------------------------------------------------------- */

typedef struct multiples_params {
  uint32_t window_bits, merged;
} multiples_params;

static rp_status shape_multiples(const rp_shape *s) {
  const multiples_params *p = s->params;
  rp_curve curve;
  if (!rp_type_is_affine(s->in_type[0], &curve)) return not_points(s, 0, "affine points");
  if (!p->window_bits || !p->merged || p->window_bits > RP_WINDOW_BITS_MAX || p->merged > 256)
    return rp_shape_fail(s, RP_ERR_ARGUMENT, "%u windows of %u bits", p->merged, p->window_bits);
  if (s->in_len[0] * p->merged > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu points times %u windows", (unsigned long long)s->in_len[0], p->merged);
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0] * p->merged);
  return RP_OK;
}

static rp_status lower_multiples(rp_lower *l) {
  const multiples_params *p = rp_lower_params(l);
  const rp_value in = rp_lower_in(l, 0);
  const uint32_t n = (uint32_t)rp_lower_len(l, in);
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, in), &curve);
  rp_lower_items(l, &rp_kernels_window_multiples[curve], n, 128,
                 &(struct rp_window_multiples_args){.n = n, .doublings = p->window_bits, .merged = p->merged},
                 (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)});
  return RP_OK;
}

static const rp_strategy multiples_strategies[] = {
    {.name = "doublings", .devices = RP_ON_ANY, .lower = lower_multiples},
};

static const rp_op multiples_op = {.struct_size = sizeof(rp_op),
                                   .name = "window_multiples",
                                   .params_bytes = sizeof(multiples_params),
                                   .shape = shape_multiples,
                                   .strategies = multiples_strategies,
                                   .n_strategies = 1};

rp_value rp_window_multiples(rp_graph *g, rp_value points, uint32_t window_bits, uint32_t merged) {
  return rp_graph_node(g, &multiples_op, &(multiples_params){window_bits, merged}, &points, 1, NULL, 1);
}
