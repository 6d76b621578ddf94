/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of consecutive points, as a tree.
 *
 * kernel tree_reduce tree_reduce/2 curves cpu:ifma gpu:RP_TREE_GROUP,RP_TREE_GROUP*ACC int64 products:tree
 * kernel tree_reduce_wide tree_reduce/2 curves cuda:RP_TREE_GROUP,RP_TREE_GROUP*ACC products:tree
 * kernel tree_reduce_w256 tree_reduce/2 curves gpu:RP_TREE_GROUP,RP_TREE_GROUP*ACC int64 products:tree
 * kernel tree_reduce_quads tree_reduce/2 curves cuda:RP_TREE_QUADS_GROUP,RP_TREE_GROUP*ACC products:tree
 */
#include "points/points.h"
#include "lower/gpu.h"
#include "kernel_tables.h"

/* Kernel arguments of sums of consecutive points, as a tree. */

/* One item per block, [group][block]: the sum of `block` points of a group of `width`; the last block of a group may be
 * shorter. */
struct rp_tree_reduce_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out; /* accumulator */
  uint32_t width, block, blocks, affine;
};
RP_ARGS_SIZE(struct rp_tree_reduce_args, 32);

#define RP_TREE_GROUP 128 /* threads per workgroup, and points in shared memory */
#define RP_TREE_FIXED 256 /* points of a group for the kernels tree_reduce_w256, two per thread */
#define RP_TREE_QUADS_GROUP 256
#define RP_TREE_CPU_LOG 10 /* a block of the CPU has at most 2^RP_TREE_CPU_LOG points */

typedef struct tree_params {
  uint64_t width;
} tree_params;

static rp_status shape_tree(const rp_shape *s) {
  const tree_params *p = s->params;
  const uint64_t width = p->width ? p->width : s->in_len[0];
  rp_curve curve;
  uint32_t is_affine;
  if (!rp_type_points(s->in_type[0], &curve, &is_affine)) return rp_shape_not_points(s, 0, "points");
  if (s->in_len[0] % width)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu points are not a multiple of the width %llu",
                         (unsigned long long)s->in_len[0], (unsigned long long)width);
  rp_shape_out(s, 0, rp_type_accumulator(curve), s->in_len[0] / width);
  return RP_OK;
}

/* Each level sums blocks whose length is a power of two, so that the blocks' trees are parts of the whole tree. A block
 * has `least` points, or up to `most` as long as at least about 7/8 of the multiprocessors have one. */
static rp_status lower_tree(rp_lower *l, uint32_t least, uint32_t most, const rp_kernel *kernels) {
  const tree_params *p = rp_lower_params(l);
  const uint64_t len = rp_lower_len(l, rp_lower_in(l, 0)), groups = rp_lower_len(l, rp_lower_out(l, 0));
  uint64_t width = p->width ? p->width : len;
  rp_value in = rp_lower_in(l, 0);
  rp_curve curve;
  uint32_t is_affine;
  rp_type_points(rp_lower_type(l, in), &curve, &is_affine);
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

static rp_status lower_tree_cpu(rp_lower *l) {
  return lower_tree(l, 1u << RP_TREE_CPU_LOG, 1u << RP_TREE_CPU_LOG, rp_kernels_tree_reduce);
}

/* One workgroup per block, in shared memory. */
static rp_status lower_tree_gpu(rp_lower *l) {
  rp_curve curve;
  uint32_t is_affine;
  rp_type_points(rp_lower_type(l, rp_lower_in(l, 0)), &curve, &is_affine);
  const uint32_t block = rp_lower_group(l, &rp_kernels_tree_reduce[curve]);
  return lower_tree(l, block, block, rp_kernels_tree_reduce);
}

/* Width 256, which Verkle trees use, has a kernel on GPUs whose loops and memory sizes are constants. On CUDA, other
 * groups of up to 1024 points also take one dispatch, with several consecutive points per thread, and longer ones take
 * one dispatch per level of 512 to 4096 points. */
enum { TREE_WIDE_MOST = 1024, TREE_QUADS_LEAST = 512, TREE_QUADS_MOST = 4096 };
static uint64_t tree_width(const rp_lower *l) {
  const tree_params *p = rp_lower_params(l);
  return p->width ? p->width : rp_lower_len(l, rp_lower_in(l, 0));
}
/* The kernel needs all of its threads. */
static bool is_w256(const rp_lower *l) {
  return tree_width(l) == RP_TREE_FIXED && rp_lower_group(l, &rp_kernels_tree_reduce_w256[0]) == RP_TREE_GROUP;
}
static bool is_wide(const rp_lower *l) { return tree_width(l) > RP_TREE_GROUP && tree_width(l) <= TREE_WIDE_MOST; }
static rp_status lower_tree_wide(rp_lower *l) {
  return lower_tree(l, TREE_WIDE_MOST, TREE_WIDE_MOST, rp_kernels_tree_reduce_wide);
}
static rp_status lower_tree_w256(rp_lower *l) {
  return lower_tree(l, RP_TREE_FIXED, RP_TREE_FIXED, rp_kernels_tree_reduce_w256);
}
static rp_status lower_tree_quads(rp_lower *l) {
  return lower_tree(l, TREE_QUADS_LEAST, TREE_QUADS_MOST, rp_kernels_tree_reduce_quads);
}
static bool is_long(const rp_lower *l) { return tree_width(l) > TREE_WIDE_MOST; }

static const rp_strategy tree_strategies[] = {
    {.name = "blocks", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_tree_cpu},
    {.name = "w256", .devices = RP_ON_GPU, .applies = is_w256, .lower = lower_tree_w256},
    {.name = "wide", .devices = RP_ON(RP_DEVICE_CUDA), .applies = is_wide, .lower = lower_tree_wide},
    {.name = "quads", .devices = RP_ON(RP_DEVICE_CUDA), .applies = is_long, .lower = lower_tree_quads},
    {.name = "shared_memory", .devices = RP_ON_GPU, .lower = lower_tree_gpu},
};

const rp_op rp_op_tree_reduce = {.struct_size = sizeof(rp_op),
                                 .flags = RP_OP_PURE,
                                 .name = "tree_reduce",
                                 .params_bytes = sizeof(tree_params),
                                 .shape = shape_tree,
                                 .strategies = tree_strategies,
                                 .n_strategies = sizeof tree_strategies / sizeof *tree_strategies,
                                 .schema = RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_ANY(tree_params, width)),
                                                     .examples = "affine | affine[512]; width=256")};

rp_value rp_tree_reduce(rp_graph *g, rp_value points, uint64_t width) {
  return rp_graph_node(g, &rp_op_tree_reduce, &(tree_params){width}, &points, 1, NULL, 1);
}
