/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * BLAKE2b of rows of bytes: transcripts, with one row, and the hashes of many short messages.
 *
 * kernel blake2b blake2b/2 cpu:c gpu:RP_BLAKE2B_GROUP
 * kernel blake2b_lanes blake2b/2 gpu:RP_BLAKE2B_LANES_GROUP
 */
#include "hash/message.h"

#include <reprise/transcript.h>

#include "hash/blake2b_args.h"
#include "kernel_tables.h"

#include <stdio.h>
#include <string.h>

enum { DIGEST_MOST = 64, BLOCK_NS = 250 };

struct blake2b_params {
  uint64_t row_bytes; /* 0: all in one row */
  uint32_t digest_bytes;
  uint32_t personal_0, personal_1, personal_2, personal_3;
  uint32_t pad;
};

static rp_status check(const rp_draft *d) {
  const struct blake2b_params *p = d->params;
  if (p->digest_bytes % 4 == 0) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "digests of %u bytes are not a multiple of 4", p->digest_bytes);
}

static rp_status shape(const rp_shape *s) {
  const struct blake2b_params *p = s->params;
  return message_shape(s, p->row_bytes, p->digest_bytes);
}

static struct rp_blake2b_args begin(rp_lower *l, rp_bind binds[2]) {
  const struct blake2b_params *p = rp_lower_params(l);
  const uint32_t rows = message_rows(l, p->digest_bytes);
  message_binds(l, binds);
  return (struct rp_blake2b_args){.n = rows,
                                  .row_bytes = rows ? (uint32_t)(rp_lower_len(l, rp_lower_in(l, 0)) / rows) : 0,
                                  .digest_bytes = p->digest_bytes,
                                  .personal_0 = p->personal_0,
                                  .personal_1 = p->personal_1,
                                  .personal_2 = p->personal_2,
                                  .personal_3 = p->personal_3};
}

static rp_status lower_rows(rp_lower *l) {
  rp_bind binds[2];
  const struct rp_blake2b_args a = begin(l, binds);
  const uint64_t ns = (uint64_t)BLOCK_NS * RP_BLAKE2B_BLOCKS(a.row_bytes);
  rp_lower_items(l, &rp_kernel_blake2b, a.n, rp_grain(ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX), &a, binds);
  return RP_OK;
}

static rp_status lower_lanes(rp_lower *l) {
  rp_bind binds[2];
  const struct rp_blake2b_args a = begin(l, binds);
  rp_lower_blocks(l, &rp_kernel_blake2b_lanes, a.n, 1, &a, binds);
  return RP_OK;
}

static bool are_few(const rp_lower *l) {
  return message_rows_are_few(l, ((const struct blake2b_params *)rp_lower_params(l))->digest_bytes);
}

static int describe(const void *params, char *text, size_t bytes) {
  const struct blake2b_params *p = params;
  return snprintf(text, bytes, "row_bytes=%llu digest_bytes=%u", (unsigned long long)p->row_bytes, p->digest_bytes);
}

static const rp_strategy strategies[] = {
    {.name = "lanes", .devices = RP_ON_GPU, .applies = are_few, .lower = lower_lanes},
    {.name = "rows", .devices = RP_ON_ANY, .lower = lower_rows},
};
enum { N_STRATEGIES = sizeof strategies / sizeof *strategies };

#define PERSONAL(i) RP_PARAM_UPTO(struct blake2b_params, personal_##i, 0, UINT32_MAX)
const rp_op rp_op_blake2b = {.struct_size = sizeof(rp_op),
                             .flags = RP_OP_PURE,
                             .name = "blake2b",
                             .params_bytes = sizeof(struct blake2b_params),
                             .shape = shape,
                             .strategies = strategies,
                             .n_strategies = N_STRATEGIES,
                             .describe = describe,
                             .schema =
                                 RP_SCHEMA(.least_in = 1, .check = check,
                                           RP_PARAMS(RP_PARAM_ANY(struct blake2b_params, row_bytes),
                                                     RP_PARAM_UPTO(struct blake2b_params, digest_bytes, 4, DIGEST_MOST),
                                                     PERSONAL(0), PERSONAL(1), PERSONAL(2), PERSONAL(3)),
                                           .examples = "u8[5n]; row_bytes=5, digest_bytes=64 | u8; digest_bytes=32")};

static rp_value blake2b(rp_graph *g, rp_value bytes, uint64_t row_bytes, const rp_blake2b_options *options) {
  rp_blake2b_options o = {0};
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "blake2b: options->struct_size is not set");
  if (!o.digest_bytes) o.digest_bytes = DIGEST_MOST;
  if (o.digest_bytes > DIGEST_MOST || o.digest_bytes % 4)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "blake2b: a digest of %u bytes; it has 4 to 64, a multiple of 4",
                         o.digest_bytes);
  struct blake2b_params p = {.row_bytes = row_bytes, .digest_bytes = o.digest_bytes};
  memcpy(&p.personal_0, o.personal, 4);
  memcpy(&p.personal_1, o.personal + 4, 4);
  memcpy(&p.personal_2, o.personal + 8, 4);
  memcpy(&p.personal_3, o.personal + 12, 4);
  return rp_graph_node(g, &rp_op_blake2b, &p, &bytes, 1, NULL, 1);
}

rp_value rp_blake2b(rp_graph *g, rp_value bytes, const rp_blake2b_options *options) {
  return blake2b(g, bytes, 0, options);
}

rp_value rp_blake2b_rows(rp_graph *g, rp_value bytes, uint64_t row_bytes, const rp_blake2b_options *options) {
  if (!row_bytes) return rp_graph_fail(g, RP_ERR_ARGUMENT, "blake2b_rows: row_bytes is 0; a row has at least one byte");
  return blake2b(g, bytes, row_bytes, options);
}
