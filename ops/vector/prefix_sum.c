/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum of u32: the sums of blocks, a scan of these, then a scan of each block.
 *
 * kernel block_sums_u32 block_sums/2 cpu:c gpu:RP_PREFIX_GROUP
 * kernel scan_u64 scan_sums/1 cpu:c gpu:RP_PREFIX_GROUP
 * kernel offset_scan_u32 offset_scan/4 cpu:c gpu:RP_PREFIX_GROUP
 */
#include "vector/prefix_sum.h"

#include "kernel_tables.h"

/* Prefix sums of u32 over blocks of `block` elements. One item per block; on a GPU that is one workgroup. */

/* Threads per workgroup, a power of two. */
#define RP_PREFIX_GROUP 256

/* sums[b] = sum of the u32 elements of block b, in 64 bits */
struct rp_block_sums_args {
  RP_ADDR(uint64_t) sums;
  RP_ADDR(const uint32_t) in;
  uint32_t n, block;
};
RP_ARGS_SIZE(struct rp_block_sums_args, 24);

/* sums[b] = sums[0] + ... + sums[b - 1], in place. One item in all. */
struct rp_scan_sums_args {
  RP_ADDR(uint64_t) sums;
  uint32_t n, pad;
};
RP_ARGS_SIZE(struct rp_scan_sums_args, 16);

/* out[i] = sums[b] + the elements of block b before i; out[n] is the total, a fault if it does not fit 32 bits. An
 * element above `most` is a fault. `unscanned` (CUDA only): the sums were not scanned, and sums[0] + ... + sums[b - 1]
 * takes the place of sums[b]. */
struct rp_offset_scan_args {
  RP_ADDR(uint32_t) out;
  RP_ADDR(const uint32_t) in;
  RP_ADDR(const uint64_t) sums;
  RP_ADDR(void) error;
  uint32_t n, block, most, site, unscanned, pad;
};
RP_ARGS_SIZE(struct rp_offset_scan_args, 56);

/* Elements per block: 16 KiB. Even 2^32 elements leave only 2^20 sums to scan, which takes less than a millisecond. */
enum { BLOCK = 4096 };
/* CUDA: up to this many sums, every workgroup adds up those before its own, which saves one launch. */
enum { FEW_SUMS = 4096 };

void rp_lower_prefix_sum(rp_lower *l, rp_value out, rp_value in, uint32_t most) {
  uint32_t n = (uint32_t)rp_lower_len(l, in), blocks = n / BLOCK + (n % BLOCK != 0);
  rp_value sums = rp_lower_scratch(l, "sums", &RP_TYPE_U64, blocks);
  struct rp_block_sums_args sum_args = {.n = n, .block = BLOCK};
  rp_bind sum_binds[] = {RP_BIND(sums, RP_WRITE), RP_BIND(in, RP_READ)};
  rp_lower_blocks(l, &rp_kernel_block_sums_u32, blocks, rp_grain(BLOCK / 4), &sum_args, sum_binds);
  const bool unscanned = rp_lower_device(l) == RP_DEVICE_CUDA && blocks <= FEW_SUMS;
  struct rp_scan_sums_args scan_args = {.n = blocks};
  rp_bind scan_binds[] = {RP_BIND(sums, RP_READ_WRITE)};
  if (!unscanned) rp_lower_blocks(l, &rp_kernel_scan_u64, 1, 1, &scan_args, scan_binds);
  struct rp_offset_scan_args args = {
      .n = n, .block = BLOCK, .most = most, .site = rp_lower_site(l), .unscanned = (uint32_t)unscanned};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(in, RP_READ), RP_BIND(sums, RP_READ),
                     RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  rp_lower_blocks(l, &rp_kernel_offset_scan_u32, blocks, rp_grain(BLOCK), &args, binds);
}

static rp_status prefix_sum_shape(const rp_shape *s) {
  if (s->in_type[0]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the operand is of type %s, not u32", s->in_type[0]->name);
  if (s->in_len[0] >= RP_MAX_LEN) return rp_shape_fail(s, RP_ERR_SHAPE, "there are 2^32 - 1 elements or more");
  rp_shape_out(s, 0, &RP_TYPE_U32, s->in_len[0] + 1);
  return RP_OK;
}

static rp_status prefix_sum_lower(rp_lower *l) {
  rp_lower_prefix_sum(l, rp_lower_out(l, 0), rp_lower_in(l, 0), UINT32_MAX);
  return RP_OK;
}

static const rp_strategy prefix_sum_strategy = {"blocks", RP_ON_ANY, NULL, prefix_sum_lower};
const rp_op rp_op_prefix_sum = {.struct_size = sizeof(rp_op),
                                .name = "prefix_sum",
                                .shape = prefix_sum_shape,
                                .strategies = &prefix_sum_strategy,
                                .n_strategies = 1,
                                .flags = RP_OP_PURE,
                                .schema = RP_SCHEMA(.least_in = 1, .examples = "u32")};

rp_value rp_prefix_sum(rp_graph *g, rp_value x) { return rp_graph_node(g, &rp_op_prefix_sum, NULL, &x, 1, NULL, 1); }
