/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What faults say of nodes inside of calls, and of the operands that were given.
 */
#include "call_graphs.h"

/* The first node checks y, or the second one what the first has made of it. */
static rp_graph *early_body(bool of_inner) {
  rp_graph *g = new_graph("early");
  rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, 0), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  y = toy_check(g, of_inner ? toy_xor(g, y, x) : y, LIMIT);
  for (int i = 0; i < 16; i++) x = toy_xor(g, x, y);
  rp_graph_output(g, "z", x, 0);
  must_be_good(g);
  return g;
}

static void early_faults(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = early_body(false), *outer = early_body(true);
  expect_words(body, 0, ": element 7 (node loop[0]/toy_check)", NULL);
  expect_words(body, 3, ": element 7 (node loop[3]/toy_check)", NULL);
  expect_words(body, CALLS - 1, "last element 7 (node loop[4]/toy_check)", NULL);
  expect_words(outer, 0, ": element 7 (node loop[0]/toy_check)", NULL); /* what it checks is not given */
  rp_graph_destroy(body), rp_graph_destroy(outer);
  watch_close();
}

/* a, of which each element must be below LIMIT; b is not read. */
typedef struct pair_args {
  RP_ADDR(const uint64_t) a;
  RP_ADDR(const uint64_t) b;
  RP_ADDR(uint64_t) c;
  RP_ADDR(rp_error_record) error;
  uint32_t site, unused;
} pair_args;
RP_ARGS_SIZE(pair_args, 40);

static void pair_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const pair_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    if (t->a[i] >= LIMIT) rp_fault_report(t->error, RP_FAULT_USER, t->site, i);
    t->c[i] = t->a[i];
  }
}

static const rp_kernel k_pair = {.struct_size = sizeof(rp_kernel),
                                 .name = "pair",
                                 .args_bytes = sizeof(pair_args),
                                 .n_binds = 4,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, pair_kernel}};

static rp_status pair_lower(rp_lower *l) {
  const rp_bind binds[] = {{.value = rp_lower_in(l, 0), .access = RP_READ},
                           {.value = rp_lower_in(l, 1), .access = RP_READ},
                           {.value = rp_lower_out(l, 0), .access = RP_WRITE},
                           {.value = rp_lower_error(l), .access = RP_READ_WRITE | RP_ATOMIC}};
  const pair_args args = {.site = rp_lower_site(l)};
  rp_lower_dispatch(
      l,
      &(rp_dispatch){
          .kernel = &k_pair, .groups = {LEN}, .binds = binds, .n_binds = 4, .args = &args, .args_bytes = sizeof args});
  return RP_OK;
}

static rp_status like_operand(const rp_shape *s) {
  s->out_type[0] = s->in_type[0], s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static const rp_strategy pair_strategies[] = {{.name = "plain", .devices = RP_ON_ANY, .lower = pair_lower}};
static const rp_op op_pair = {.struct_size = sizeof(rp_op),
                              .name = "pair",
                              .shape = like_operand,
                              .strategies = pair_strategies,
                              .n_strategies = 1};

/* A fault names the operand that the caller gave, as an input or a constant, if there is only one. */
static void operands_of_faults(void **state) {
  (void)state;
  static const char *const words[] = {": element 7 (node pair)", ": x element 7 (node pair)",
                                      ": x element 7 (node pair)", ": c element 7 (node pair)"};
  for (int i = 0; i < 4; i++) {
    uint64_t x[LEN] = {[7] = LIMIT}, y[LEN] = {0}, z[LEN];
    watch_open(&rp_backend_cpu, 0);
    rp_graph *g = the_watch.graph;
    const rp_value a = rp_graph_input(g, "x", &toy_u64, LEN, 0), b = rp_graph_input(g, "y", &toy_u64, LEN, 0);
    const rp_value in[2][2] = {{a, i == 0   ? b
                                   : i == 1 ? a
                                            : toy_scale(g, b, 3)},
                               {toy_scale(g, a, 1), rp_graph_constant(g, "c", &toy_u64, LEN, y, 0)}};
    const rp_value c = rp_graph_node(g, &op_pair, NULL, in[i == 3], 2, NULL, 1);
    rp_graph_output(g, "z", toy_add(g, c, b), 0);
    rp_recording *r = record(g, 1);
    const rp_replay_input inputs[] = {{.name = "x", .data = x, .size_bytes = sizeof x},
                                      {.name = "y", .data = y, .size_bytes = sizeof y}};
    const rp_replay_output out = {.name = "z", .data = z, .size_bytes = sizeof z};
    rp_error err = {0};
    assert_int_equal(rp_replay(r, inputs, 2, &out, 1, &err), RP_ERR_INPUT);
    if (!strstr(err.reason, words[i])) fail_msg("'%s' instead of '%s'", err.reason, words[i]);
    rp_recording_destroy(r);
    watch_close();
  }
}

/* What names a node inside of calls in calls is cut where the room for it ends. */
static void long_names(void **state) {
  (void)state;
  enum { DEEP = 4 };
  char name[201], words[64];
  memset(name, 'n', sizeof name - 1), name[sizeof name - 1] = 0;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = early_body(false);
  for (int i = 0; i < DEEP; i++) {
    rp_graph *outer = new_graph("outer");
    rp_value x = rp_graph_input(outer, "x", &toy_u64, LEN, 0), y = rp_graph_input(outer, "y", &toy_u64, LEN, 0);
    x = call(outer, name, body, x, y);
    for (int k = 0; k < 16; k++) x = toy_xor(outer, x, y);
    rp_graph_output(outer, "z", x, 0);
    must_be_good(outer);
    assert_int_equal(outer->n_calls, 1);
    rp_graph_destroy(body);
    body = outer;
  }
  snprintf(words, sizeof words, ": element 7 (node loop[1]/%.20s", name);
  expect_words(body, 1, words, NULL);
  rp_graph_destroy(body);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(early_faults), cmocka_unit_test(operands_of_faults),
                                     cmocka_unit_test(long_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
