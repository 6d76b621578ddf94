/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sum, product and prefix product: blocks are reduced to one value each, and these in the same way, until one block is
 * left.
 *
 * kernel reduce_sum reduce/2 fields cpu:ifma gpu:RP_SCAN_GROUP products:none
 * kernel reduce_product reduce/2 fields cpu:ifma gpu:RP_SCAN_GROUP products:per_operand
 * kernel scan_product scan_product/3 fields cpu:ifma vulkan:RP_SCAN_GROUP products:two_per_result
 * kernel prefix_shares gpu_prefix/4 fields cuda:RP_SCAN_GROUP products:per_operand
 * kernel prefix_join gpu_prefix/4 fields cuda:RP_SCAN_GROUP products:per_result
 */
#include "lower/lower.h"

#include "lower/gpu.h"
#include "kernel_tables.h"

/* Reductions and scans over blocks of `block` elements. One item per block; on a GPU that is one workgroup. */

/* Threads per workgroup, a power of two. */
#define RP_SCAN_GROUP 128

/* out[b] = sum or product of block b */
struct rp_reduce_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  uint32_t n, block;
};
RP_ARGS_SIZE(struct rp_reduce_args, 24);

/* out[i] = offset[b] * product of block b's elements before i, and in[i] unless exclusive. Without has_offset the
 * offset is 1. */
struct rp_scan_product_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(const void) offset;
  uint32_t n, block, exclusive, has_offset;
};
RP_ARGS_SIZE(struct rp_scan_product_args, 40);

/* Running products over `blocks` workgroups of RP_SCAN_GROUP threads, with `share` consecutive elements per thread.
 * prefix_shares makes the products within each share; before[thread] gets the product of the workgroup's earlier
 * shares, products[b] that of the whole workgroup. prefix_join then multiplies every element by what precedes its
 * share. */
struct rp_gpu_prefix_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(void) before;   /* blocks * RP_SCAN_GROUP */
  RP_ADDR(void) products; /* blocks */
  uint32_t n, share, exclusive, pad;
};
RP_ARGS_SIZE(struct rp_gpu_prefix_args, 48);

/* Elements per block: the second level is then a thousandth of the work, and 2^16 elements still make 64 items on a
 * CPU. A GPU needs four workgroups per multiprocessor before a thread gets more than one element. */
enum { BLOCK = 1024, GPU_GROUPS = 4, GPU_MOST = 32 * RP_SCAN_GROUP };

static uint32_t block_of(const rp_lower *l, uint64_t n) {
  if (!rp_lower_on_gpu(l) || n <= BLOCK) return BLOCK;
  const uint64_t groups = (uint64_t)rp_lower_limits(l)->workers * GPU_GROUPS;
  const uint64_t shares = (n + groups * RP_SCAN_GROUP - 1) / (groups * RP_SCAN_GROUP);
  return shares * RP_SCAN_GROUP < GPU_MOST ? (uint32_t)shares * RP_SCAN_GROUP : GPU_MOST;
}

struct prefix_params {
  uint32_t exclusive;
};

/* out[b] = the reduction of block b of `in`. */
static void lower_blocks(rp_lower *l, const rp_kernel *kernels, rp_value out, rp_value in, uint32_t block) {
  uint64_t n = rp_lower_len(l, in);
  struct rp_reduce_args args = {.n = (uint32_t)n, .block = block};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(in, RP_READ)};
  rp_lower_blocks(l, &kernels[rp_lower_field(l, in)], (n + block - 1) / block, rp_grain(5 * block), &args, binds);
}

static rp_status lower_reduce(rp_lower *l, const rp_kernel *kernels) {
  rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0);
  const rp_type *type = rp_lower_type(l, in);
  while (rp_lower_len(l, in) > BLOCK) {
    const uint64_t n = rp_lower_len(l, in);
    const uint32_t block = block_of(l, n);
    rp_value partial = rp_lower_scratch(l, "partial", type, (n + block - 1) / block);
    lower_blocks(l, kernels, partial, in, block);
    in = partial;
  }
  lower_blocks(l, kernels, out, in, BLOCK);
  return RP_OK;
}

static void lower_prefix(rp_lower *l, rp_value out, rp_value in, uint32_t exclusive) {
  uint64_t n = rp_lower_len(l, in);
  const uint32_t block = block_of(l, n);
  const uint64_t blocks = (n + block - 1) / block;
  const rp_type *type = rp_lower_type(l, in);
  struct rp_scan_product_args args = {
      .n = (uint32_t)n, .block = block, .exclusive = exclusive, .has_offset = blocks > 1};
  rp_value offset = RP_NO_VALUE;
  if (blocks > 1) {
    rp_value partial = rp_lower_scratch(l, "partial", type, blocks);
    offset = rp_lower_scratch(l, "offset", type, blocks);
    lower_blocks(l, rp_kernels_reduce_product, partial, in, block);
    lower_prefix(l, offset, partial, 1);
  }
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(in, RP_READ), rp_bind_optional(offset, RP_READ)};
  rp_lower_blocks(l, &rp_kernels_scan_product[rp_lower_field(l, in)], blocks, rp_grain(20 * block), &args, binds);
}

static rp_status reduce_shape(const rp_shape *s) {
  rp_field field;
  rp_status st = rp_shape_one_field(s, &field);
  if (st == RP_OK) rp_shape_out(s, 0, s->in_type[0], 1);
  return st;
}

static rp_status prefix_shape(const rp_shape *s) {
  rp_field field;
  rp_status st = rp_shape_one_field(s, &field);
  if (st == RP_OK) rp_shape_out(s, 0, s->in_type[0], s->in_len[0]);
  return st;
}

static rp_status sum_lower(rp_lower *l) { return lower_reduce(l, rp_kernels_reduce_sum); }
static rp_status product_lower(rp_lower *l) { return lower_reduce(l, rp_kernels_reduce_product); }

static rp_status prefix_lower(rp_lower *l) {
  const struct prefix_params *p = rp_lower_params(l);
  lower_prefix(l, rp_lower_out(l, 0), rp_lower_in(l, 0), p->exclusive);
  return RP_OK;
}

static rp_status prefix_lower_shares(rp_lower *l) {
  const struct prefix_params *p = rp_lower_params(l);
  return rp_lower_prefix_gpu(l, p->exclusive);
}

static const rp_strategy sum_strategy = {"blocks", RP_ON_ANY, NULL, sum_lower};
static const rp_strategy product_strategy = {"blocks", RP_ON_ANY, NULL, product_lower};
static const rp_strategy prefix_strategies[] = {{"shares", RP_ON(RP_DEVICE_CUDA), NULL, prefix_lower_shares},
                                                {"blocks", RP_ON_ANY, NULL, prefix_lower}};
const rp_op rp_op_sum = {.struct_size = sizeof(rp_op),
                         .name = "sum",
                         .shape = reduce_shape,
                         .strategies = &sum_strategy,
                         .n_strategies = 1,
                         .flags = RP_OP_PURE,
                         .schema = RP_SCHEMA(.least_in = 1, .examples = "field")};
const rp_op rp_op_product = {.struct_size = sizeof(rp_op),
                             .name = "product",
                             .shape = reduce_shape,
                             .strategies = &product_strategy,
                             .n_strategies = 1,
                             .flags = RP_OP_PURE,
                             .schema = RP_SCHEMA(.least_in = 1, .examples = "field", .products = 1)};
const rp_op rp_op_prefix_product = {.struct_size = sizeof(rp_op),
                                    .name = "prefix_product",
                                    .params_bytes = sizeof(struct prefix_params),
                                    .shape = prefix_shape,
                                    .strategies = prefix_strategies,
                                    .n_strategies = 2,
                                    .flags = RP_OP_PURE,
                                    .schema = RP_SCHEMA(.least_in = 1,
                                                        RP_PARAMS(RP_PARAM_FLAG(struct prefix_params, exclusive)),
                                                        .examples = "field | field; exclusive=1", .products = 2)};

rp_value rp_sum(rp_graph *g, rp_value x) { return rp_graph_node(g, &rp_op_sum, NULL, &x, 1, NULL, 1); }
rp_value rp_product(rp_graph *g, rp_value x) { return rp_graph_node(g, &rp_op_product, NULL, &x, 1, NULL, 1); }

rp_value rp_prefix_product(rp_graph *g, rp_value x, bool exclusive) {
  struct prefix_params p = {.exclusive = exclusive != 0};
  return rp_graph_node(g, &rp_op_prefix_product, &p, &x, 1, NULL, 1);
}
