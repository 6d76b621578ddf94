/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Authentication paths of leaves that were chosen by computed indices.
 *
 * kernel merkle_paths merkle_paths/5 cpu:c gpu:128
 */
#include "hash/hash.h"
#include "kernel_tables.h"

/* Digest j of path i: the leaf index[i] ^ 1 for j = 0, else node (leaves_n + index[i]) >> j, with its lowest bit
 * flipped, of the tree in heap order. One item per digest; n = paths * levels, leaves_n = 2^levels. */

#define RP_MERKLE_PATHS_WORDS 8 /* 32-bit words of a digest */

struct rp_merkle_paths_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) leaves;
  RP_ADDR(const void) tree;
  RP_ADDR(const uint32_t) index;
  RP_ADDR(void) error;
  uint32_t n, leaves_n, levels, site;
};
RP_ARGS_SIZE(struct rp_merkle_paths_args, 56);

typedef struct params {
  rp_hash hash;
} params;

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const uint32_t digest = rp_hash_digest_len(p->hash);
  static const char *const names[] = {"the leaves are", "the tree is"};
  rp_field field;
  for (uint32_t i = 0; i < 2; i++)
    if (!rp_type_is_field(s->in_type[i], &field) || field != rp_hash_field(p->hash))
      return rp_shape_fail(s, RP_ERR_TYPE, "%s of type %s, not %s", names[i], s->in_type[i]->name,
                           rp_field_name(rp_hash_field(p->hash)));
  if (s->in_type[2]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the index is of type %s, not u32", s->in_type[2]->name);
  const uint64_t n = digest ? s->in_len[0] / digest : 0;
  if (n * digest != s->in_len[0] || n < 2 || n & (n - 1) || n > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu elements are not 2^k >= 2 digests of %u",
                         (unsigned long long)s->in_len[0], digest);
  if (s->in_len[1] != s->in_len[0])
    return rp_shape_fail(s, RP_ERR_SHAPE, "the tree has %llu elements, and the leaves have %llu",
                         (unsigned long long)s->in_len[1], (unsigned long long)s->in_len[0]);
  uint64_t levels = 1;
  while (n >> (levels + 1)) levels++;
  if (s->in_len[2] > RP_MAX_LEN / (levels * digest))
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu paths have more than 2^32 - 1 elements",
                         (unsigned long long)s->in_len[2]);
  rp_shape_out(s, 0, s->in_type[0], s->in_len[2] * levels * digest);
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value out = rp_lower_out(l, 0), leaves = rp_lower_in(l, 0), tree = rp_lower_in(l, 1);
  const uint32_t digest = rp_hash_digest_len(p->hash), leaves_n = (uint32_t)(rp_lower_len(l, leaves) / digest);
  struct rp_merkle_paths_args args = {
      .n = (uint32_t)(rp_lower_len(l, out) / digest), .leaves_n = leaves_n, .site = rp_lower_site(l)};
  while (leaves_n >> (args.levels + 1)) args.levels++;
  const rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(leaves, RP_READ), RP_BIND(tree, RP_READ),
                           RP_BIND(rp_lower_in(l, 2), RP_READ), RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  rp_lower_items(l, &rp_kernel_merkle_paths, args.n, rp_grain(20), &args, binds);
  return RP_OK;
}

static const rp_strategy strategy = {.name = "digests", .devices = RP_ON_ANY, .lower = lower};
const rp_op rp_op_merkle_paths = {.struct_size = sizeof(rp_op),
                                  .flags = RP_OP_PURE,
                                  .name = "merkle_paths",
                                  .params_bytes = sizeof(params),
                                  .shape = shape,
                                  .strategies = &strategy,
                                  .n_strategies = 1,
                                  .schema = RP_SCHEMA(.least_in = 3, RP_PARAMS(RP_PARAM_HASH(params, hash)),
                                                      .examples = "bn254_fr[8], bn254_fr[8], u32[3]; hash=3")};

rp_value rp_merkle_paths(rp_graph *g, rp_hash hash, rp_value leaves, rp_value tree, rp_value index) {
  if (!rp_hash_digest_len(hash))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "merkle_paths: hash %d is unknown", (int)hash);
  return rp_graph_node(g, &rp_op_merkle_paths, &(params){hash}, (rp_value[]){leaves, tree, index}, 3, NULL, 1);
}
