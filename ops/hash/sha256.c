/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SHA-256 of rows of bytes: transcripts, with one row, and the hashes of many short messages.
 *
 * kernel sha256 sha256/2 cpu:c gpu:RP_SHA256_GROUP
 * kernel sha256_lanes sha256/2 gpu:RP_SHA256_LANES_GROUP
 */
#include "hash/message.h"

#include <reprise/transcript.h>

#include "hash/sha256_args.h"
#include "kernel_tables.h"

#include <stdio.h>

enum { DIGEST_BYTES = 32, BLOCK_NS = 250 };

struct sha256_params {
  uint64_t row_bytes; /* 0: all in one row */
};

static rp_status shape(const rp_shape *s) {
  return message_shape(s, ((const struct sha256_params *)s->params)->row_bytes, DIGEST_BYTES);
}

static struct rp_sha256_args begin(rp_lower *l, rp_bind binds[2]) {
  const uint32_t rows = message_rows(l, DIGEST_BYTES);
  message_binds(l, binds);
  return (struct rp_sha256_args){.n = rows,
                                 .row_bytes = rows ? (uint32_t)(rp_lower_len(l, rp_lower_in(l, 0)) / rows) : 0};
}

static rp_status lower_rows(rp_lower *l) {
  rp_bind binds[2];
  const struct rp_sha256_args a = begin(l, binds);
  const uint64_t ns = (uint64_t)BLOCK_NS * RP_SHA256_BLOCKS(a.row_bytes);
  rp_lower_items(l, &rp_kernel_sha256, a.n, rp_grain(ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX), &a, binds);
  return RP_OK;
}

static rp_status lower_lanes(rp_lower *l) {
  rp_bind binds[2];
  const struct rp_sha256_args a = begin(l, binds);
  rp_lower_blocks(l, &rp_kernel_sha256_lanes, a.n, 1, &a, binds);
  return RP_OK;
}

static bool are_few(const rp_lower *l) { return message_rows_are_few(l, DIGEST_BYTES); }

static int describe(const void *params, char *text, size_t bytes) {
  const struct sha256_params *p = params;
  if (!p->row_bytes) return snprintf(text, bytes, "one row");
  return snprintf(text, bytes, "row_bytes=%llu", (unsigned long long)p->row_bytes);
}

static const rp_strategy strategies[] = {
    {.name = "lanes", .devices = RP_ON_GPU, .applies = are_few, .lower = lower_lanes},
    {.name = "rows", .devices = RP_ON_ANY, .lower = lower_rows},
};
enum { N_STRATEGIES = sizeof strategies / sizeof *strategies };

const rp_op rp_op_sha256 = {.struct_size = sizeof(rp_op),
                            .flags = RP_OP_PURE,
                            .name = "sha256",
                            .params_bytes = sizeof(struct sha256_params),
                            .shape = shape,
                            .strategies = strategies,
                            .n_strategies = N_STRATEGIES,
                            .describe = describe,
                            .schema = RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_ANY(struct sha256_params, row_bytes)),
                                                .examples = "u8[5n]; row_bytes=5 | u8")};

rp_value rp_sha256(rp_graph *g, rp_value bytes) {
  return rp_graph_node(g, &rp_op_sha256, &(struct sha256_params){0}, &bytes, 1, NULL, 1);
}

rp_value rp_sha256_rows(rp_graph *g, rp_value bytes, uint64_t row_bytes) {
  if (!row_bytes) return rp_graph_fail(g, RP_ERR_ARGUMENT, "sha256_rows: row_bytes is 0; a row has at least one byte");
  return rp_graph_node(g, &rp_op_sha256, &(struct sha256_params){row_bytes}, &bytes, 1, NULL, 1);
}
