/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Random graphs on the CPU device, in random legal orders, against direct evaluation; the edges are judged
 * independently, and the device checks that nothing in flight conflicts. Every intermediate shares bytes with others
 * where it may, so a wrong placement or a missing edge shows as a wrong number. Each graph runs by every one of its
 * plans between fast and small.
 */
#include "watch.h"

#include "points.h"
#include "recording.h"

#include <stdio.h>

enum { GRAPHS = 600, VALUES = 60, LEN = 64, LONGEST = 4 * LEN, RUNS = 3 };

typedef struct model { /* a value, and the elements that it must have */
  rp_value value;
  uint64_t len;
  uint64_t x[LONGEST];
} model;

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

/* The steps that built a graph, so that it can be evaluated directly for other inputs. */
typedef enum what { INPUT, CONSTANT, ADD, SCALE, SUM, SPLIT, TABLE, COUNT, SLICE, CONCAT, XOR, LINEAR, CHECK } what;
typedef struct step {
  what kind;
  uint32_t a, b, out;
  uint64_t factor;
} step;

typedef struct history {
  model values[VALUES + 2];
  uint32_t n_values;
  step steps[VALUES];
  uint32_t n_steps;
  uint32_t outputs[VALUES];
  uint32_t n_outputs;
} history;

static void evaluate(history *h) {
  for (uint32_t s = 0; s < h->n_steps; s++) {
    const step *p = &h->steps[s];
    const model *a = &h->values[p->a], *b = &h->values[p->b];
    model *out = &h->values[p->out];
    if (p->kind == SUM || p->kind == COUNT) out->x[0] = 0;
    for (uint64_t i = 0; i < a->len; i++) {
      switch (p->kind) {
      case ADD: out->x[i] = a->x[i] + b->x[i]; break;
      case SCALE: out->x[i] = a->x[i] * p->factor; break;
      case XOR: out->x[i] = a->x[i] ^ b->x[i]; break;
      case LINEAR: out->x[i] = a->x[i] * p->factor + b->x[i] * 3; break;
      case SUM: out->x[0] += a->x[i]; break;
      case COUNT: out->x[0] += a->x[i] & 1; break;
      case SPLIT: (i < a->len / 2 ? out : out + 1)->x[i % (a->len / 2)] = a->x[i]; break;
      case TABLE: out->x[i] = a->x[i] + 2 * (i % 16) * (i % 16); break;
      case CHECK:
      case CONCAT: out->x[i] = a->x[i]; break;
      case SLICE:
        if (i >= p->factor && i < p->factor + out->len) out->x[i - p->factor] = a->x[i];
        break;
      case INPUT:
      case CONSTANT: break;
      }
    }
    if (p->kind == CONCAT) memcpy(out->x + a->len, b->x, 8 * b->len);
  }
}

static uint32_t add_model(history *h, rp_value value, uint64_t len) {
  assert_true(value.id != 0);
  h->values[h->n_values] = (model){.value = value, .len = len};
  return h->n_values++;
}

static void add_border(history *h, rp_graph *g, what kind) {
  char name[32];
  uint64_t len = kind == CONSTANT || next(2) ? LEN : 2 + 2 * next(16);
  uint32_t out = h->n_values;
  model *m = &h->values[out];
  snprintf(name, sizeof name, "v%u", out);
  for (uint64_t i = 0; i < LEN; i++) m->x[i] = kind == CONSTANT ? len + next(2) * (i == LEN / 2) : next(UINT64_MAX);
  rp_value v = kind == INPUT ? rp_graph_input(g, name, &toy_u64, len, next(2) ? RP_SECRET : 0)
                             : rp_graph_constant(g, name, &toy_u64, len, m->x, 0);
  m->value = v;
  m->len = len;
  h->n_values++;
  h->steps[h->n_steps++] = (step){.kind = kind, .a = out, .b = out, .out = out};
}

static void add_node(history *h, rp_graph *g) {
  step s = {.kind = ADD + (what)next(CHECK - ADD + 1), .a = (uint32_t)next(h->n_values), .factor = next(100)};
  /* Recent values are preferred, so that graphs become deep as well as wide. */
  if (next(3)) s.a = h->n_values - 1 - (uint32_t)next(h->n_values < 5 ? h->n_values : 5);
  s.b = (uint32_t)next(h->n_values);
  const step *again = &h->steps[next(h->n_steps)];
  if (again->kind >= ADD && next(2)) s = *again; /* the same as an earlier node */
  const step *last = &h->steps[h->n_steps - 1];
  if ((last->kind == XOR || last->kind == LINEAR) && next(2)) /* continues a chain with a value that has no reader */
    s = (step){.kind = last->kind, .a = last->out, .b = (uint32_t)next(h->n_values), .factor = next(100)};
  s.out = h->n_values;
  const rp_value a = h->values[s.a].value;
  const uint64_t len = h->values[s.a].len;
  if ((s.kind == ADD || s.kind == XOR || s.kind == LINEAR) && h->values[s.b].len != len) s.b = s.a;
  if (s.kind == SPLIT && len % 2) s.kind = SCALE;
  if (s.kind == CONCAT && len + h->values[s.b].len > LONGEST) s.kind = CHECK;
  if (s.kind == SLICE && s.factor >= len) s.factor = next(4) ? 0 : next(len);
  if (s.kind == SLICE && next(4)) s.factor = s.factor / 8 * 8; /* 8 elements are the device's alignment */
  const uint64_t rest = len - (s.kind == SLICE ? s.factor : 0), piece = next(2) ? rest : 1 + next(rest);
  rp_value halves[2];
  switch (s.kind) {
  case ADD: add_model(h, toy_add(g, a, h->values[s.b].value), len); break;
  case SCALE: add_model(h, toy_scale(g, a, s.factor), len); break;
  case XOR: add_model(h, toy_xor(g, a, h->values[s.b].value), len); break;
  case LINEAR: add_model(h, toy_linear(g, a, s.factor, h->values[s.b].value, 3), len); break;
  case SUM: add_model(h, toy_sum(g, a), 1); break;
  case COUNT: add_model(h, toy_count_odd(g, a), 1); break;
  case TABLE: add_model(h, toy_table(g, a), len); break;
  case CHECK: add_model(h, toy_check(g, a, UINT64_MAX), len); break;
  case CONCAT: add_model(h, toy_concat(g, a, h->values[s.b].value), len + h->values[s.b].len); break;
  case SLICE: add_model(h, toy_slice(g, a, s.factor, piece), piece); break;
  case SPLIT:
    toy_split(g, a, halves);
    add_model(h, halves[0], len / 2);
    add_model(h, halves[1], len / 2);
    break;
  case INPUT:
  case CONSTANT: break;
  }
  h->steps[h->n_steps++] = s;
}

static void build(history *h, rp_graph *g) {
  uint32_t wanted = 10 + (uint32_t)next(VALUES - 12);
  memset(h, 0, sizeof *h);
  for (uint64_t i = 0, n = 1 + next(3); i < n; i++) add_border(h, g, INPUT);
  for (uint64_t i = 0, n = next(5); i < n; i++) add_border(h, g, CONSTANT);
  while (h->n_values < wanted) add_node(h, g);
  for (uint32_t i = 0; i < h->n_values; i++) {
    char name[32];
    if (h->values[i].value.id == 0 || rp_value_storage(g, h->values[i].value) == RP_STORAGE_INPUT) continue;
    int given = 0;
    for (uint32_t s = 0; s < h->n_steps; s++) given |= h->steps[s].kind == CONSTANT && h->steps[s].out == i;
    if (given || (next(8) && i + 1 < h->n_values)) continue; /* the last value is always an output */
    snprintf(name, sizeof name, "o%u", i);
    rp_graph_output(g, name, h->values[i].value, 0);
    h->outputs[h->n_outputs++] = i;
  }
}

static void run_once(history *h, rp_recording *r) {
  rp_run *run;
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  for (uint32_t s = 0; s < h->n_steps; s++) {
    if (h->steps[s].kind != INPUT) continue;
    model *m = &h->values[h->steps[s].out];
    for (uint64_t i = 0; i < m->len; i++) m->x[i] = next(UINT64_MAX);
    assert_int_equal(rp_run_set_input(run, m->value, m->x, 8 * m->len), RP_OK);
  }
  evaluate(h);
  assert_int_equal(rp_run_submit(run), RP_OK);
  if (rp_run_wait(run, UINT64_MAX)) fail_msg("%s", rp_run_error(run)->reason);
  for (uint32_t o = 0; o < h->n_outputs; o++) {
    const model *m = &h->values[h->outputs[o]];
    assert_memory_equal(rp_run_output(run, m->value), m->x, 8 * m->len);
  }
  rp_run_end(run);
}

/* Runs the other plans, each with its own total as the budget. Returns how many of them share by epoch. */
static uint32_t run_points(history *h, rp_record_options o) {
  rp_record_options every = o;
  rp_points points;
  uint32_t n_by_epoch = 0;
  rp_error err = {0};
  every.max_in_flight = 1;
  every.max_memory_level = RP_MEMORY_LEVELS - 1;
  assert_int_equal(rp_points_find(the_watch.device, the_watch.graph, &every, &points, &err), RP_OK);
  for (uint32_t i = 1; i < points.n; i++) {
    const rp_point *p = &points.items[i];
    rp_recording *r;
    o.memory_budget_bytes = p->info.total_bytes;
    if (rp_record(the_watch.device, the_watch.graph, &o, &r, &err)) fail_msg("%s", err.reason);
    assert_int_equal(r->plan->info.total_bytes, p->info.total_bytes);
    assert_int_equal(r->plan->schedule.sharing, p->schedule.sharing);
    n_by_epoch += p->schedule.sharing == RP_SHARE_BY_EPOCH;
    run_once(h, r);
    rp_recording_destroy(r);
  }
  rp_points_free(&points, the_watch.context);
  return n_by_epoch;
}

static void random_graphs_in_random_orders(void **state) {
  (void)state;
  static history h;
  uint64_t shared = 0, views = 0, in_place = 0, fused = 0,
           merged[2] = {0}; /* [0]: merged values of nodes, [1]: merged constants */
  uint32_t by_epoch = 0;
  for (uint64_t n = 0; n < GRAPHS; n++) {
    seed = n * 7919 + 1;
    watch_open(&rp_backend_cpu, 0);
    build(&h, the_watch.graph);
    rp_error err = {0};
    rp_recording *r = NULL;
    rp_record_options o = {
        .struct_size = sizeof o, .flags = RP_RECORD_RANDOM_ORDER | RP_RECORD_CHECK_HAZARDS, .order_seed = n};
    the_watch.device->takes_turns = n % 2 == 0;
    if (rp_record(the_watch.device, the_watch.graph, &o, &r, &err)) fail_msg("graph %d: %s", (int)n, err.reason);
    for (int round = 0; round < RUNS; round++) run_once(&h, r);
    rp_plan_info info = {.struct_size = sizeof info};
    rp_recording_get_plan(r, &info);
    shared += info.arena_bytes;
    for (uint32_t v = 0; v < r->plan->n_graph_values; v++) {
      const rp_plan_value *value = &r->plan->values[v];
      if (value->same_as != RP_NONE) merged[value->origin == RP_ORIGIN_GIVEN]++;
      if (value->view_of != RP_NONE) *(value->in_place ? &in_place : &views) += 1;
      if (value->fused_into != RP_NONE) fused++;
    }
    rp_recording_destroy(r);
    by_epoch += run_points(&h, o);
    watch_close();
  }
  assert_true(by_epoch > GRAPHS / 4);
  assert_true(in_place > GRAPHS / 2 && fused > GRAPHS / 4);
  assert_true(shared > 0 && views > GRAPHS / 8 && merged[0] > GRAPHS / 2 && merged[1] > GRAPHS / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs_in_random_orders)};
  return cmocka_run_group_tests_name("random graphs", tests, NULL, NULL);
}
