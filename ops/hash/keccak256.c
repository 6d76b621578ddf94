/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keccak-256 of rows of integers: transcripts, with one row, and the hashes of many short messages.
 *
 * kernel keccak256 keccak256/2 cpu:c gpu:RP_KECCAK_GROUP
 * kernel keccak256_lanes keccak256/2 gpu:RP_KECCAK_LANES_GROUP
 */
#include "lower/lower.h"

#include "hash/keccak256_args.h"
#include "kernel_tables.h"

#include <stdio.h>

struct keccak_params {
  uint64_t row_len; /* 0: all in one row */
};

static rp_status keccak_shape(const rp_shape *s) {
  const struct keccak_params *p = s->params;
  const uint64_t len = s->in_len[0], row_len = p->row_len ? p->row_len : len;
  if (s->in_type[0]->id != RP_TYPE_U256.id)
    return rp_shape_fail(s, RP_ERR_TYPE,
                         "the integers are of type %s, not u256 (rp_to_canonical makes these of elements)",
                         s->in_type[0]->name);
  if (row_len > RP_KECCAK_MOST_INTEGERS)
    return rp_shape_fail(s, RP_ERR_SHAPE, "a row of %llu integers is longer than 2^29", (unsigned long long)row_len);
  if (len % row_len)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu integers are not a multiple of the row length %llu",
                         (unsigned long long)len, (unsigned long long)row_len);
  if (len > RP_MAX_LEN) return rp_shape_fail(s, RP_ERR_SHAPE, "there are more than 2^32 - 1 integers");
  rp_shape_out(s, 0, &RP_TYPE_U256, len / row_len);
  return RP_OK;
}

static struct rp_keccak256_args begin(rp_lower *l, rp_bind binds[2]) {
  const uint64_t rows = rp_lower_len(l, rp_lower_out(l, 0)), len = rp_lower_len(l, rp_lower_in(l, 0));
  binds[0] = RP_BIND(rp_lower_out(l, 0), RP_WRITE);
  binds[1] = RP_BIND(rp_lower_in(l, 0), RP_READ);
  return (struct rp_keccak256_args){.n = (uint32_t)rows, .row_len = rows ? (uint32_t)(len / rows) : 0};
}

static rp_status lower_rows(rp_lower *l) {
  enum { BLOCK_NS = 400 };
  rp_bind binds[2];
  const struct rp_keccak256_args a = begin(l, binds);
  const uint64_t row_ns = RP_KECCAK_BLOCKS(4ull * a.row_len) * BLOCK_NS;
  rp_lower_items(l, &rp_kernel_keccak256, a.n, rp_grain(row_ns < UINT32_MAX ? (uint32_t)row_ns : UINT32_MAX), &a,
                 binds);
  return RP_OK;
}

/* GPUs: one workgroup per row. */
static rp_status lower_lanes(rp_lower *l) {
  rp_bind binds[2];
  const struct rp_keccak256_args a = begin(l, binds);
  rp_lower_blocks(l, &rp_kernel_keccak256_lanes, a.n, 1, &a, binds);
  return RP_OK;
}

/* One thread per lane shortens the chain of a row to a third, but takes seven times the work of one thread per row: it
 * pays while one warp per row leaves processors idle. */
static bool are_few(const rp_lower *l) {
  enum { WARPS = 32 };
  return rp_lower_len(l, rp_lower_out(l, 0)) <= (uint64_t)rp_lower_limits(l)->workers * WARPS;
}

static int describe(const void *params, char *text, size_t bytes) {
  const struct keccak_params *p = params;
  if (!p->row_len) return snprintf(text, bytes, "one row");
  return snprintf(text, bytes, "row_len=%llu", (unsigned long long)p->row_len);
}

static const rp_strategy strategies[] = {
    {.name = "lanes", .devices = RP_ON_GPU, .applies = are_few, .lower = lower_lanes},
    {.name = "rows", .devices = RP_ON_ANY, .lower = lower_rows},
};
enum { N_STRATEGIES = sizeof strategies / sizeof *strategies };

const rp_op rp_op_keccak256 = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "keccak256",
                               .params_bytes = sizeof(struct keccak_params),
                               .shape = keccak_shape,
                               .strategies = strategies,
                               .n_strategies = N_STRATEGIES,
                               .describe = describe,
                               .schema =
                                   RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_ANY(struct keccak_params, row_len)),
                                             .examples = "u256[5n]; row_len=5 | u256")};

rp_value rp_keccak256(rp_graph *g, rp_value x) {
  return rp_graph_node(g, &rp_op_keccak256, &(struct keccak_params){0}, &x, 1, NULL, 1);
}

rp_value rp_keccak256_rows(rp_graph *g, rp_value x, uint64_t row_len) {
  if (!row_len) return rp_graph_fail(g, RP_ERR_ARGUMENT, "keccak256_rows: row_len is 0; a row has 1 to 2^29 integers");
  return rp_graph_node(g, &rp_op_keccak256, &(struct keccak_params){row_len}, &x, 1, NULL, 1);
}
