/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls that know operations only by what they declare: a node of an example, and a node with any parameters and
 * operands. An operation that is added to the library is fuzzed without a line here.
 */
#include "fuzz_graph.h"

enum { MOST_OPERANDS = 6, MOST_PARAMS_BYTES = 512, INPUT_BYTES = 1 << 14 };

static const rp_op *pick_op(uint8_t which) {
  const rp_catalog *catalog = rp_ops_catalog();
  return catalog->ops[which % catalog->n_ops];
}

/* ---- Examples ---------------------------------------------------------------------------------------------------- */

typedef struct fitting {
  builder *b;
  uint32_t from; /* where the search for a value begins */
} fitting;

/* An earlier value of that type and length, or a new input. */
static rp_value operand(void *user, rp_graph *g, const char *what, const rp_type *type, uint64_t len) {
  fitting *f = user;
  builder *b = f->b;
  char name[16];
  (void)what;
  for (uint32_t i = 0; i < b->n; i++) {
    const rp_value value = b->value[(f->from + i) % b->n];
    if (rp_value_type(g, value) == type && rp_value_len(g, value) == len) {
      f->from += i + 1;
      return value;
    }
  }
  if (len > INPUT_BYTES / type->size_bytes) return RP_NO_VALUE;
  snprintf(name, sizeof name, "v%u", b->calls++);
  const rp_value value = rp_graph_input(g, name, type, len, 0);
  if (value.id && b->n + 1 < MOST_VALUES) b->value[b->n++] = value;
  return value;
}

rp_value fuzz_example(builder *b, const uint8_t step[4]) {
  const rp_op *op = pick_op(step[1]);
  uint32_t n = 0;
  while (n < 4 && rp_example_kind(op, n)) n++;
  if (!n) return RP_NO_VALUE;
  fitting f = {b, step[2]};
  const rp_example_options options = {.struct_size = sizeof options,
                                      .which = step[2] % n,
                                      .field = (rp_field)(step[3] % (RP_FIELD_COUNT + 1)),
                                      .curve = (rp_curve)(step[3] % (RP_CURVE_COUNT + 1)),
                                      .n = fuzz_length(step[2] >> 2),
                                      .operand = operand,
                                      .user = &f};
  return rp_example_node(b->graph, op, &options);
}

/* ---- Any nodes --------------------------------------------------------------------------------------------------- */

static uint32_t next(uint32_t *seed) {
  *seed = *seed * 1103515245u + 12345u;
  return *seed >> 8;
}

/* Parameters within their ranges, most of them small; now and then one that is not. */
static void fill_params(const rp_op *op, uint8_t *params, uint32_t *seed) {
  for (uint32_t i = 0; i < op->schema->n_params; i++) {
    const rp_param *p = &op->schema->params[i];
    const uint64_t range = p->most - p->least;
    uint64_t value = p->least + (range < 16 ? next(seed) % (range + 1) : fuzz_length((uint8_t)next(seed)) % range);
    if (next(seed) % 64 == 0) value = p->most + 1;
    for (uint32_t k = 0; k < p->bytes && k < sizeof value; k++) params[p->offset + k] = (uint8_t)(value >> 8 * k);
  }
}

rp_value fuzz_node(builder *b, const uint8_t step[4]) {
  const rp_op *op = pick_op(step[1]);
  const rp_schema *s = op->schema;
  const uint32_t most_in = s->most_in > s->least_in ? s->most_in : s->least_in,
                 least_out = s->least_out | !s->least_out;
  uint32_t seed = step[2] | (uint32_t)step[3] << 8, n_in = s->least_in, n_out = least_out;
  union {
    uint64_t align;
    uint8_t bytes[MOST_PARAMS_BYTES];
  } params = {0};
  rp_value in[MOST_OPERANDS], out[4] = {{0}};
  if (op->params_bytes > sizeof params) return RP_NO_VALUE;
  fill_params(op, params.bytes, &seed);
  if (n_in < most_in) n_in += next(&seed) % 3;
  if (s->most_out > n_out) n_out += next(&seed) & 1;
  if (n_in > MOST_OPERANDS || n_out > 4) return RP_NO_VALUE;
  for (uint32_t i = 0; i < n_in; i++) in[i] = fuzz_pick(b, (uint8_t)next(&seed));
  const rp_value first = rp_graph_node(b->graph, op, op->params_bytes ? &params : NULL, in, n_in, out, n_out);
  for (uint32_t i = 1; i < n_out; i++)
    if (out[i].id && b->n + 1 < MOST_VALUES) b->value[b->n++] = out[i];
  return first;
}
