/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Cases made from what operations declare: the first example of each operation for which bench_ops.c has no case.
 */
#include "bench.h"

#include <string.h>

/* ---- A node ------------------------------------------------------------------------------------------------------ */

static rp_value operand(void *user, rp_graph *g, const char *what, const rp_type *type, uint64_t len) {
  bench_build *b = user;
  rp_field field;
  rp_curve curve;
  rp_value value = RP_NO_VALUE;
  if (b->n_inputs == BENCH_INPUTS)
    return rp_graph_fail(g, RP_ERR_UNSUPPORTED, "%s has more than %d operands, which bench cannot make", b->op->name,
                         (int)BENCH_INPUTS);
  if (rp_type_is_field(type, &field)) return bench_elements(b, field, len);
  if (rp_type_is_affine(type, &curve)) return bench_points(b, len, 0);
  if (rp_type_is_accumulator(type, &curve)) return bench_accumulators(b, len);
  if (strcmp(what, "canonical") == 0) return bench_canonical(b, b->field, len);
  if (strcmp(what, "scalar") == 0) return bench_scalars(b, len);
  if (type->id != RP_TYPE_U32.id) return bench_bytes(b, type, len);
  /* Numbers that are not indices may be lengths or conditions, for which 0 and 1 are valid. */
  (void)bench_u32(b, len, strcmp(what, "index") == 0 ? b->n : 2, &value);
  return value;
}

static rp_value node(bench_build *b, rp_graph *g,
                     rp_value (*of)(void *, rp_graph *, const char *, const rp_type *, uint64_t), void *user) {
  const rp_example_options options = {
      .struct_size = sizeof options, .field = b->field, .curve = b->curve, .n = b->n, .operand = of, .user = user};
  return rp_example_node(g, b->op, &options);
}

static rp_value build(bench_build *b) { return node(b, b->graph, operand, b); }

/* ---- Its least cost ---------------------------------------------------------------------------------------------- */

typedef struct counted {
  double bytes;
  unsigned n;
} counted;

/* An input without data; only its size matters. */
static rp_value measured(void *user, rp_graph *g, const char *what, const rp_type *type, uint64_t len) {
  counted *c = user;
  char name[16];
  (void)what;
  c->bytes += (double)len * type->size_bytes;
  (void)snprintf(name, sizeof name, "in%u", c->n++);
  return rp_graph_input(g, name, type, len, 0);
}

static bench_cost cost(const bench_build *b) {
  bench_build copy = *b;
  counted all = {0};
  rp_graph *g = NULL;
  const rp_field field = rp_example_kind(b->op, 0) == RP_EXAMPLE_CURVES ? rp_curve_base_field(b->curve) : b->field;
  if (rp_graph_create(b->context, b->op->name, &g, NULL) != RP_OK) return (bench_cost){0};
  const rp_value out = node(&copy, g, measured, &all);
  if (out.id) all.bytes += (double)rp_value_len(g, out) * rp_value_type(g, out)->size_bytes;
  rp_graph_destroy(g);
  return (bench_cost){.products = b->op->schema->products * (double)b->n,
                      .moved = all.bytes / (double)rp_field_get(field)->size_bytes};
}

/* ---- The list ---------------------------------------------------------------------------------------------------- */

static bench_op row_of(const rp_op *op) {
  enum { LOG_FIELDS = 20, LOG_CURVES = 16, LOG_BYTES = 14 };
  const rp_example_over over = rp_example_kind(op, 0);
  return (bench_op){.name = op->name,
                    .over = over == RP_EXAMPLE_CURVES ? BENCH_OVER_CURVES : BENCH_OVER_FIELDS,
                    .only_one = over == RP_EXAMPLE_FIXED,
                    .only_field = RP_FIELD_BN254_FR,
                    .max_log_n = over == RP_EXAMPLE_CURVES  ? LOG_CURVES
                                 : over == RP_EXAMPLE_FIXED ? LOG_BYTES
                                                            : LOG_FIELDS,
                    .build = build,
                    .cost = cost,
                    .op = op};
}

bool bench_get(unsigned i, bench_op *out) {
  const rp_catalog *catalog = rp_ops_catalog();
  if (i < bench_n_special) {
    *out = bench_special[i];
    return 1;
  }
  i -= bench_n_special;
  for (uint32_t k = 0; k < catalog->n_ops; k++) {
    unsigned same = 0;
    while (same < bench_n_special && strcmp(bench_special[same].name, catalog->ops[k]->name) != 0) same++;
    if (same < bench_n_special || !rp_example_kind(catalog->ops[k], 0) || i--) continue;
    *out = row_of(catalog->ops[k]);
    return 1;
  }
  return 0;
}
