/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Branches of which a run does one: random programs with nested branches, run again and again with other conditions,
 * and compared with the same program on the host.
 *
 * op-test lavapipe:quick
 */
#include "data.h"
#include "device.h"

#include <reprise/subgraph.h>
#include <reprise/transcript.h>

#include <stdbool.h>
#include <stdio.h>

static const rp_field fields[] = {RP_FIELD_GOLDILOCKS, RP_FIELD_BN254_FR, RP_FIELD_BABYBEAR};
enum { N_FIELDS = sizeof fields / sizeof fields[0], MOST_BYTES = 32, MOST_LEN = 40 };
enum { VARIABLES = 3, BITS = 4, DEPTH = 3, MOST_STATEMENTS = 6 };

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

/* FIXED: x times the square of a constant. TURN: the halves of x exchanged. */
typedef enum kind { ADD, MUL, SUB, TURN, SAME, FIXED, BRANCH, KINDS } kind;

typedef struct block block;
typedef struct statement {
  kind kind;
  uint32_t to, x, y; /* variables */
  uint32_t bit;      /* BRANCH: an input; BITS: the lowest bits of the first element of x */
  block *then, *other;
} statement;
struct block {
  uint32_t n;
  statement statements[MOST_STATEMENTS];
};

static block *make_block(uint64_t *seed, int depth) {
  block *b = calloc(1, sizeof *b);
  b->n = 3 + (uint32_t)(data_next(seed) % (MOST_STATEMENTS - 2));
  for (uint32_t i = 0; i < b->n; i++) {
    statement *s = &b->statements[i];
    s->kind = (kind)(data_next(seed) % KINDS);
    if (s->kind == BRANCH && !depth) s->kind = ADD;
    s->to = (uint32_t)(data_next(seed) % VARIABLES);
    s->x = (uint32_t)(data_next(seed) % VARIABLES);
    s->y = (uint32_t)(data_next(seed) % VARIABLES);
    s->bit = (uint32_t)(data_next(seed) % (BITS + 2));
    if (s->bit > BITS) s->bit = BITS;
    if (s->kind != BRANCH) continue;
    s->then = make_block(seed, depth - 1);
    s->other = make_block(seed, depth - 1);
  }
  return b;
}

static void free_block(block *b) {
  if (!b) return;
  for (uint32_t i = 0; i < b->n; i++) free_block(b->statements[i].then), free_block(b->statements[i].other);
  free(b);
}

/* ---- On the host ------------------------------------------------------------------------------------------------- */

typedef struct state {
  const rp_field_host *field;
  uint64_t len;
  const uint32_t *bits; /* BITS */
  uint8_t v[VARIABLES][MOST_LEN * MOST_BYTES];
} state;

static bool holds(const state *s, const statement *t) {
  if (t->bit < BITS) return s->bits[t->bit] != 0;
  uint8_t *canonical = data_canonical(s->field->id, s->v[t->x], 1);
  const bool low = (canonical[0] & 3) != 0;
  free(canonical);
  return low;
}

static const uint8_t root[MOST_BYTES] = {3};

static void evaluate(state *s, const block *b) {
  const size_t size = s->field->size_bytes;
  uint8_t square[MOST_BYTES], *in_field = data_from_canonical(s->field->id, root, 1);
  s->field->mul(square, in_field, in_field);
  free(in_field);
  for (uint32_t i = 0; i < b->n; i++) {
    const statement *t = &b->statements[i];
    if (t->kind == BRANCH) {
      evaluate(s, holds(s, t) ? t->then : t->other);
      continue;
    }
    uint8_t x[MOST_LEN * MOST_BYTES], y[MOST_LEN * MOST_BYTES];
    memcpy(x, s->v[t->x], sizeof x), memcpy(y, s->v[t->y], sizeof y);
    for (uint64_t e = 0; e < s->len; e++) {
      uint8_t *to = s->v[t->to] + e * size;
      switch (t->kind) {
      case ADD: s->field->add(to, x + e * size, y + e * size); break;
      case MUL: s->field->mul(to, x + e * size, y + e * size); break;
      case SUB: s->field->sub(to, x + e * size, y + e * size); break;
      case SAME: s->field->add(to, x + e * size, x + e * size); break;
      case FIXED: s->field->mul(to, x + e * size, square); break;
      default: memcpy(to, x + (e < s->len / 2 ? e + s->len - s->len / 2 : e - s->len / 2) * size, size); break;
      }
    }
  }
}

/* ---- As a graph -------------------------------------------------------------------------------------------------- */

typedef struct values {
  rp_graph *g;
  rp_field field;
  uint64_t len;
  rp_value v[VARIABLES], bits[BITS];
} values;

static void build(values *s, const block *b);

static const char *const names[VARIABLES + BITS] = {"x", "y", "z", "b0", "b1", "b2", "b3"};

static rp_graph *make_body(const values *s, const block *b) {
  values in = {.field = s->field, .len = s->len};
  assert_int_equal(rp_graph_create(device_context(), "body", &in.g, NULL), RP_OK);
  for (int i = 0; i < VARIABLES; i++) in.v[i] = rp_graph_input(in.g, names[i], rp_type_field(s->field), s->len, 0);
  for (int i = 0; i < BITS; i++) in.bits[i] = rp_graph_input(in.g, names[VARIABLES + i], &RP_TYPE_U32, 1, 0);
  const values given = in;
  build(&in, b);
  for (int i = 0; i < VARIABLES; i++) { /* an output is what a node computes, and no value is two of them */
    bool again = in.v[i].id == given.v[0].id || in.v[i].id == given.v[1].id || in.v[i].id == given.v[2].id;
    for (int k = 0; k < i; k++) again |= in.v[i].id == in.v[k].id;
    rp_graph_output(in.g, names[i], again ? rp_slice(in.g, in.v[i], 0, s->len) : in.v[i], 0);
  }
  return in.g;
}

static void build_branch(values *s, const statement *t) {
  rp_graph *then = make_body(s, t->then), *other = make_body(s, t->other);
  rp_call_port in[VARIABLES + BITS], out[VARIABLES];
  for (int i = 0; i < VARIABLES + BITS; i++)
    in[i] = (rp_call_port){names[i], i < VARIABLES ? s->v[i] : s->bits[i - VARIABLES]};
  for (int i = 0; i < VARIABLES; i++) out[i] = (rp_call_port){names[i], RP_NO_VALUE};
  rp_value condition = s->bits[t->bit % BITS];
  if (t->bit == BITS) condition = rp_low_bits(s->g, rp_slice(s->g, s->v[t->x], 0, 1), 2);
  assert_int_equal(rp_if(s->g, "branch", condition, then, other, in, VARIABLES + BITS, out, VARIABLES), 1);
  for (int i = 0; i < VARIABLES; i++) s->v[i] = out[i].value;
  rp_graph_destroy(then), rp_graph_destroy(other);
}

static void build(values *s, const block *b) {
  for (uint32_t i = 0; i < b->n; i++) {
    const statement *t = &b->statements[i];
    const rp_value x = s->v[t->x], y = s->v[t->y];
    rp_value halves[2];
    switch (t->kind) {
    case ADD: s->v[t->to] = rp_add(s->g, x, y); break;
    case MUL: s->v[t->to] = rp_mul(s->g, x, y); break;
    case SUB: s->v[t->to] = rp_sub(s->g, x, y); break;
    case SAME: s->v[t->to] = rp_add(s->g, x, x); break;
    case FIXED:
      halves[0] = rp_field_constant(s->g, "root", s->field, root);
      s->v[t->to] = rp_mul(s->g, x, rp_mul(s->g, halves[0], halves[0]));
      break;
    case BRANCH: build_branch(s, t); break;
    default:
      halves[0] = rp_slice(s->g, x, s->len - s->len / 2, s->len / 2);
      halves[1] = rp_slice(s->g, x, 0, s->len - s->len / 2);
      s->v[t->to] = rp_concat(s->g, halves, 2);
    }
  }
}

/* ---- The same in both ways --------------------------------------------------------------------------------------- */

static rp_graph *make_graph(const rp_field_host *f, uint64_t len, const block *b) {
  values s = {.field = f->id, .len = len};
  assert_int_equal(rp_graph_create(device_context(), "branches", &s.g, NULL), RP_OK);
  for (int i = 0; i < VARIABLES; i++) s.v[i] = rp_graph_input(s.g, names[i], rp_type_field(f->id), len, 0);
  for (int i = 0; i < BITS; i++) s.bits[i] = rp_graph_input(s.g, names[VARIABLES + i], &RP_TYPE_U32, 1, 0);
  build(&s, b);
  for (int i = 0; i < VARIABLES; i++) rp_graph_output(s.g, names[i], rp_add(s.g, s.v[i], s.v[(i + 1) % VARIABLES]), 0);
  return s.g;
}

static void run_and_compare(rp_recording *r, const rp_field_host *f, uint64_t len, const block *b, uint64_t seed) {
  uint32_t bits[BITS];
  uint8_t got[VARIABLES][MOST_LEN * MOST_BYTES], want[MOST_BYTES];
  rp_replay_input in[VARIABLES + BITS];
  rp_replay_output out[VARIABLES];
  rp_error err = {0};
  const size_t bytes = len * f->size_bytes;
  state s = {.field = f, .len = len, .bits = bits};
  for (int i = 0; i < BITS; i++) bits[i] = seed >> i & 1 ? 1u << (seed + (uint32_t)i) % 32 : 0;
  for (int i = 0; i < VARIABLES; i++) {
    void *data = data_field(f->id, (data_kind)((seed + (uint32_t)i) % DATA_KINDS), seed + (uint32_t)i, len);
    memcpy(s.v[i], data, bytes);
    free(data);
    out[i] = (rp_replay_output){.name = names[i], .data = got[i], .size_bytes = bytes};
  }
  for (int i = 0; i < VARIABLES + BITS; i++)
    in[i] = (rp_replay_input){.name = names[i],
                              .data = i < VARIABLES ? (void *)s.v[i] : &bits[i - VARIABLES],
                              .size_bytes = i < VARIABLES ? bytes : sizeof *bits};
  if (rp_replay(r, in, VARIABLES + BITS, out, VARIABLES, &err)) fail_msg("%s", err.reason);
  evaluate(&s, b);
  for (int i = 0; i < VARIABLES; i++)
    for (uint64_t e = 0; e < len; e++) {
      f->add(want, s.v[i] + e * f->size_bytes, s.v[(i + 1) % VARIABLES] + e * f->size_bytes);
      data_assert_equal(f->id, got[i] + e * f->size_bytes, want, 1, names[i]);
    }
}

/* Every recording is run with several conditions, those of the first run among them once more. */
static void random_programs(void **unused) {
  (void)unused;
  static const uint64_t lengths[] = {2, 32, MOST_LEN}; /* halves that are aligned as values are, and others */
  const uint32_t count = device_is_software() ? 12 : getenv("REPRISE_TEST_QUICK") ? 60 : 300;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t seed = i + 1;
    const rp_field_host *f = rp_field_get(fields[i % N_FIELDS]);
    const uint64_t len = lengths[i / N_FIELDS % 3];
    block *b = make_block(&seed, DEPTH);
    rp_graph *g = make_graph(f, len, b);
    rp_recording *r;
    rp_error err = {0};
    const rp_record_options o = {.struct_size = sizeof o,
                                 .flags = (i % 2 ? RP_RECORD_RANDOM_ORDER : 0) | (i % 3 ? RP_RECORD_CHECK_HAZARDS : 0) |
                                          (i % 7 == 6 ? RP_RECORD_ALL_BRANCHES : 0),
                                 .order_seed = i};
    if (rp_record(device_current(), g, &o, &r, &err)) fail_msg("program %u: %s", i, err.reason);
    for (uint64_t k = 0; k < 6; k++) run_and_compare(r, f, len, b, k == 5 ? 0 : i + k * 0x3f5);
    rp_recording_destroy(r);
    rp_graph_destroy(g);
    free_block(b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
  return device_run_tests("branches", tests, sizeof tests / sizeof tests[0]);
}
