/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Notes of nodes (rp_lower_note): all plans of a graph share them, whatever the device, memory level or piece of a
 * group; nodes that planning makes have their own, or none.
 */
#include "watch.h"

#include <reprise/group.h>
#include <reprise/rewrite.h>
#include <reprise/schema.h>

enum { LEN = 16, LOWERED_MOST = 64 };

/* ---- An operation that notes how often its node was lowered ------------------------------------------------------ */

static bool is_fused, is_counted = 1; /* chains of the operation become one node; lowered nodes are counted below */
static uint64_t notes[LOWERED_MOST];  /* of the nodes that were lowered, in their order, before they were changed */
static uint32_t n_lowered;

/* The note of a node that has been lowered n times. The top bit shows that the whole word is kept. */
#define TOP (1ull << 63)
static uint64_t after(uint64_t n) { return n + n % 2 * TOP; }

static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const rp_bind binds[2] = {RP_BIND(rp_lower_out(l, 0), RP_WRITE), RP_BIND(rp_lower_in(l, 0), RP_READ)};
  const toy_copy_args args = {0};
  const uint64_t note = rp_lower_note(l);
  if (is_counted && n_lowered < LOWERED_MOST) notes[n_lowered++] = note;
  rp_lower_set_note(l, after((note & ~TOP) + 1));
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &toy_copy,
                                      .groups = {LEN},
                                      .binds = binds,
                                      .n_binds = 2,
                                      .args = &args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

static bool fuse(rp_fuse *f) {
  if (!is_fused || f->maker.op != f->reader.op) return false;
  f->fused = f->maker;
  return true;
}
static const rp_rewrites rewrites = {.struct_size = sizeof rewrites, .fuse = fuse};
static const rp_schema schema = {.struct_size = sizeof schema, .least_in = 1, .rewrites = &rewrites};
static const rp_strategy strategy = {.name = "only", .devices = RP_ON_ANY, .lower = lower};
static const rp_op op_noting = {.struct_size = sizeof(rp_op),
                                .name = "noting",
                                .flags = RP_OP_PURE,
                                .shape = shape,
                                .strategies = &strategy,
                                .n_strategies = 1,
                                .schema = &schema};
static rp_value noting(rp_graph *g, rp_value a) { return rp_graph_node(g, &op_noting, NULL, &a, 1, NULL, 1); }

static rp_status expand(rp_expand *x) {
  x->out[0] = noting(x->graph, x->in[0]);
  return RP_OK;
}
static const rp_op op_composite = {.struct_size = sizeof(rp_op), .name = "composite", .shape = shape, .expand = expand};

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

/* Plans a graph, and compares the notes that its nodes had. */
static void plan(rp_device *d, const rp_graph *g, uint32_t level, uint32_t n, const uint64_t *want) {
  const rp_record_options o = {.struct_size = sizeof o, .min_memory_level = level, .max_memory_level = level};
  rp_plan_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  n_lowered = 0;
  if (rp_plan_query(d, g, level ? &o : NULL, &info, &err)) fail_msg("%s", err.reason);
  assert_int_equal(n_lowered, n);
  for (uint32_t i = 0; i < n; i++)
    if (notes[i] != want[i]) fail_msg("node %u: %llx", i, (unsigned long long)notes[i]);
}

static rp_device *open_device(rp_device_kind kind) {
  const rp_device_options o = {.struct_size = sizeof o, .kind = kind, .cpu_threads = 1};
  rp_device *d = NULL;
  assert_int_equal(rp_device_open(the_watch.context, &o, &d, NULL), RP_OK);
  return d;
}

/* A device of another kind, and another level, have the same note. More nodes may follow: notes do not move. */
static void plans_share_them(void **state) {
  rp_value v;
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  rp_device *other = open_device(RP_DEVICE_NULL);
  v = noting(g, rp_graph_input(g, "in", &toy_u64, LEN, 0));
  rp_graph_output(g, "out", noting(g, v), 0);
  plan(the_watch.device, g, 0, 2, (uint64_t[]){0, 0});
  plan(the_watch.device, g, 2, 2, (uint64_t[]){after(1), after(1)});
  plan(other, g, 0, 2, (uint64_t[]){after(2), after(2)});
  for (int i = 0; i < 6; i++) v = noting(g, v);
  rp_graph_output(g, "more", v, 0);
  plan(the_watch.device, g, 0, 7, (uint64_t[]){after(3), after(3), 0, 0, 0, 0, 0}); /* the second and third are equal */
  rp_device_close(other);
  watch_close();
}

/* A composite node makes the plan's graph a copy. What replaces it is new in each plan. */
static void copies_share_them(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  rp_value v = noting(g, rp_graph_input(g, "in", &toy_u64, LEN, 0));
  v = rp_graph_node(g, &op_composite, NULL, &v, 1, NULL, 1);
  rp_graph_output(g, "out", toy_scale(g, v, 2), 0);
  for (uint64_t i = 0; i < 4; i++) plan(the_watch.device, g, (uint32_t)i, 2, (uint64_t[]){after(i), 0});
  watch_close();
}

/* A fused node neither has nor changes the notes of those that it was made of. */
static void fused_nodes_have_none(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  rp_graph_output(g, "out", noting(g, noting(g, rp_graph_input(g, "in", &toy_u64, LEN, 0))), 0);
  plan(the_watch.device, g, 0, 2, (uint64_t[]){0, 0});
  is_fused = 1;
  for (int i = 0; i < 2; i++) plan(the_watch.device, g, 0, 1, (uint64_t[]){0});
  is_fused = 0;
  plan(the_watch.device, g, 0, 2, (uint64_t[]){after(1), after(1)});
  watch_close();
}

/* What depends on constants alone is in the piece of each device that reads it: as one node of the graph. */
static void pieces_share_them(void **state) {
  static const uint64_t numbers[LEN];
  rp_device *group = NULL;
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  rp_device *two[2] = {open_device(RP_DEVICE_CPU), open_device(RP_DEVICE_CPU)};
  assert_int_equal(rp_group_open(the_watch.context, two, 2, &group, NULL), RP_OK);
  const rp_value k = noting(g, rp_graph_constant(g, "k", &toy_u64, LEN, numbers, 0)),
                 a = rp_graph_input(g, "a", &toy_u64, LEN, 0);
  rp_graph_output(g, "first", toy_add(g, a, k), 0);
  (void)rp_on(g, 1);
  const rp_value b = rp_graph_input(g, "b", &toy_u64, LEN, 0);
  rp_graph_output(g, "second", toy_add(g, b, k), 0);
  plan(group, g, 0, 2, (uint64_t[]){0, after(1)});
  plan(group, g, 0, 2, (uint64_t[]){after(2), after(3)});
  rp_device_close(group);
  for (int i = 0; i < 2; i++) rp_device_close(two[i]);
  watch_close();
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

static void *plan_often(void *user) {
  (void)user;
  for (int i = 0; i < 50; i++) {
    rp_plan_info info = {.struct_size = sizeof info};
    if (rp_plan_query(the_watch.device, the_watch.graph, NULL, &info, NULL)) return user;
  }
  return NULL;
}

static void threads_plan_at_once(void **state) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  rp_graph_output(g, "out", noting(g, rp_graph_input(g, "in", &toy_u64, LEN, 0)), 0);
  is_counted = 0;
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, plan_often, g), 0);
  for (int i = 0; i < THREADS; i++) {
    void *failed = g;
    pthread_join(threads[i], &failed);
    assert_null(failed);
  }
  is_counted = 1;
  rp_plan_info info = {.struct_size = sizeof info};
  n_lowered = 0;
  assert_int_equal(rp_plan_query(the_watch.device, g, NULL, &info, NULL), RP_OK);
  const uint64_t n = notes[0] & ~TOP; /* of two threads at once, one may count */
  assert_int_equal(n_lowered, 1);
  assert_true(n >= 50 && n <= 50 * THREADS && notes[0] == after(n));
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plans_share_them), cmocka_unit_test(copies_share_them),
                                     cmocka_unit_test(fused_nodes_have_none), cmocka_unit_test(pieces_share_them),
                                     cmocka_unit_test(threads_plan_at_once)};
  return cmocka_run_group_tests_name("notes", tests, NULL, NULL);
}
