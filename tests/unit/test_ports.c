/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Inputs and outputs by index and by name, of graphs and of recordings; a whole run in one call; inputs that are
 * checked.
 */
#include "watch.h"

static const uint64_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static uint64_t below_100(const rp_type *type, const void *elements, uint64_t n) {
  (void)type;
  for (uint64_t i = 0; i < n; i++)
    if (((const uint64_t *)elements)[i] >= 100) return i;
  return n;
}
/* The element type of the toy ops, with a function that checks elements. */
static const rp_type checked_u64 = {
    .id = RP_TYPE_USER + 1, .size_bytes = 8, .align_bytes = 8, .name = "toy.u64", .valid = below_100};

typedef struct pair {
  rp_value a, b, sum, total;
} pair;

static pair build(const rp_type *type) {
  rp_graph *g = the_watch.graph;
  pair p = {.a = rp_graph_input(g, "left", type, 8, RP_SECRET), .b = rp_graph_input(g, "right", type, 8, RP_BINDABLE)};
  p.sum = toy_add(g, p.a, p.b);
  p.total = toy_sum(g, p.b);
  rp_graph_output(g, "total", p.total, 0); /* this output is declared first */
  rp_graph_output(g, "sum", p.sum, RP_BINDABLE);
  return p;
}

static void expect(const rp_port_info *port, const char *name, rp_value value, uint64_t len, uint32_t flags,
                   int secret) {
  assert_string_equal(port->name, name);
  assert_int_equal(port->value.id, value.id);
  assert_int_equal(port->value.graph, value.graph);
  assert_int_equal(port->type->id, toy_u64.id);
  assert_int_equal(port->len, len);
  assert_int_equal(port->size_bytes, 8 * len);
  assert_int_equal(port->flags, flags);
  assert_int_equal(port->secret, secret);
}

static void inputs_and_outputs_are_listed(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  pair p = build(&toy_u64);
  rp_graph *g = the_watch.graph;
  rp_recording *r = watch_record(1, 0);
  rp_port_info port = {.struct_size = sizeof port};
  /* Declared after recording, so the recording does not have it. */
  rp_graph_output(g, "later", toy_scale(g, p.a, 2), 0);
  assert_int_equal(rp_graph_n_inputs(g), 2);
  assert_int_equal(rp_graph_n_outputs(g), 3);
  assert_int_equal(rp_recording_n_inputs(r), 2);
  assert_int_equal(rp_recording_n_outputs(r), 2);
  assert_int_equal(rp_graph_get_input(g, 0, &port, NULL), RP_OK);
  expect(&port, "left", p.a, 8, RP_SECRET, 1);
  assert_int_equal(rp_graph_get_output(g, 0, &port, NULL), RP_OK);
  expect(&port, "total", p.total, 1, 0, 0);
  assert_int_equal(rp_recording_get_input(r, 1, &port, NULL), RP_OK);
  expect(&port, "right", p.b, 8, RP_BINDABLE, 0);
  assert_int_equal(rp_recording_get_output(r, 1, &port, NULL), RP_OK);
  expect(&port, "sum", p.sum, 8, RP_BINDABLE, 1);
  assert_int_equal(rp_graph_find_input(g, "right", &port, NULL), RP_OK);
  expect(&port, "right", p.b, 8, RP_BINDABLE, 0);
  assert_int_equal(rp_graph_find_output(g, "later", &port, NULL), RP_OK);
  assert_int_equal(rp_graph_find_output(g, "sum", &port, NULL), RP_OK);
  expect(&port, "sum", p.sum, 8, RP_BINDABLE, 1);
  rp_graph_destroy(g);
  the_watch.graph = NULL;
  assert_int_equal(rp_recording_find_input(r, "left", &port, NULL), RP_OK);
  expect(&port, "left", p.a, 8, RP_SECRET, 1);
  assert_int_equal(rp_recording_find_output(r, "total", &port, NULL), RP_OK);
  expect(&port, "total", p.total, 1, 0, 0);
  rp_recording_destroy(r);
  watch_close();
}

static void a_name_that_is_none_is_answered_with_those_there_are(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  build(&toy_u64);
  rp_recording *r = watch_record(1, 0);
  rp_error err = {0};
  rp_port_info port = {.struct_size = sizeof port};
  assert_int_equal(rp_recording_find_input(r, "sum", &port, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, "watched has no input 'sum'; it has 'left', 'right'");
  assert_int_equal(rp_recording_find_output(r, "later", &port, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, "watched has no output 'later'; it has 'total', 'sum'");
  assert_int_equal(rp_graph_get_output(the_watch.graph, 2, &port, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, "watched has 2 outputs, and none with index 2");
  port.struct_size = 0;
  assert_int_equal(rp_graph_get_input(the_watch.graph, 0, &port, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, "rp_graph_get_input: info.struct_size is not set");
  assert_int_equal(rp_graph_get_input(NULL, 0, &port, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_find_input(NULL, "a", &port, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_n_inputs(NULL) + rp_graph_n_outputs(NULL), 0);
  rp_recording_destroy(r);
  watch_close();
}

static void a_replay_is_one_call(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  pair p = build(&toy_u64);
  rp_recording *r = watch_record(1, 0);
  uint64_t sum[8] = {0}, total = 0, same[8];
  const rp_replay_input in[] = {{.name = "left", .data = numbers, .size_bytes = sizeof numbers},
                                {.value = p.b, .data = numbers, .size_bytes = sizeof numbers}};
  const rp_replay_output out[] = {{.value = p.sum, .data = sum, .size_bytes = sizeof sum},
                                  {.name = "total", .data = &total, .size_bytes = sizeof total}};
  for (int round = 0; round < 3; round++) {
    assert_int_equal(rp_replay(r, in, 2, out, 2, NULL), RP_OK);
    for (int i = 0; i < 8; i++) assert_int_equal(sum[i], 2 * numbers[i]);
    assert_int_equal(total, 36);
  }
  memcpy(same, numbers, sizeof same); /* input and output in one place */
  const rp_replay_input both[] = {{.name = "left", .data = same, .size_bytes = sizeof same},
                                  {.name = "right", .data = same, .size_bytes = sizeof same}};
  const rp_replay_output back[] = {{.name = "sum", .data = same, .size_bytes = sizeof same}};
  assert_int_equal(rp_replay(r, both, 2, back, 1, NULL), RP_OK);
  for (int i = 0; i < 8; i++) assert_int_equal(same[i], 2 * numbers[i]);
  rp_recording_destroy(r);
  watch_close();
}

/* Each mistake is reported by a sentence of its own, leaves the outputs unchanged, and releases the only slot. */
static void a_replay_reports_its_mistakes(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  pair p = build(&toy_u64);
  rp_graph_output(the_watch.graph, "resident", toy_scale(the_watch.graph, p.b, 3), RP_RESIDENT);
  rp_recording *r = watch_record(1, 0);
  uint64_t sum[8] = {7};
  const rp_replay_input good[] = {{.name = "left", .data = numbers, .size_bytes = sizeof numbers},
                                  {.name = "right", .data = numbers, .size_bytes = sizeof numbers}};
  const rp_replay_input small[] = {good[0], {.name = "right", .data = numbers, .size_bytes = 8}};
  const rp_replay_input unknown[] = {good[0], {.name = "middle", .data = numbers, .size_bytes = 8}};
  const rp_replay_input twice[] = {good[0], {.value = p.a, .data = numbers, .size_bytes = sizeof numbers}};
  const rp_replay_input empty[] = {good[0], {.name = "right", .size_bytes = sizeof numbers}};
  const rp_replay_output out[] = {{.name = "sum", .data = sum, .size_bytes = sizeof sum}};
  const rp_replay_output large[] = {{.name = "sum", .data = sum, .size_bytes = 128}};
  const rp_replay_output little[] = {{.name = "sum", .data = sum, .size_bytes = 8}};
  const rp_replay_output nowhere[] = {{.name = "sum", .size_bytes = sizeof sum}};
  const rp_replay_output resident[] = {{.name = "resident", .data = sum, .size_bytes = sizeof sum}};
  const rp_replay_output input[] = {{.value = p.a, .data = sum, .size_bytes = sizeof sum}};
  const struct {
    const rp_replay_input *in;
    uint32_t n_in;
    const rp_replay_output *out;
    rp_status status;
    const char *reason;
  } mistakes[] = {
      {good, 1, out, RP_ERR_STATE, "watched: input 'right' has not been given"},
      {small, 2, out, RP_ERR_SHAPE, "input 'right' has 64 bytes, not 8"},
      {unknown, 2, out, RP_ERR_ARGUMENT, "watched has no input 'middle'; it has 'left', 'right'"},
      {twice, 2, out, RP_ERR_ARGUMENT, "input 'left' is listed twice"},
      {empty, 2, out, RP_ERR_ARGUMENT, "input 'right': data is NULL"},
      {good, 2, large, RP_ERR_SHAPE, "output 'sum' has 64 bytes, not 128"},
      {good, 2, little, RP_ERR_SHAPE, "output 'sum' has 64 bytes, not 8"},
      {good, 2, nowhere, RP_ERR_ARGUMENT, "output 'sum': data is NULL"},
      {good, 2, resident, RP_ERR_STATE, "output 'resident' is resident: bind a buffer to it, in a run of your own"},
      {good, 2, input, RP_ERR_ARGUMENT, "watched: value 1 is not an output of the graph"},
  };
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    rp_error err = {0};
    assert_int_equal(rp_replay(r, mistakes[i].in, mistakes[i].n_in, mistakes[i].out, 1, &err), mistakes[i].status);
    assert_string_equal(err.reason, mistakes[i].reason);
    assert_int_equal(sum[0], 7);
  }
  assert_int_equal(rp_replay(NULL, good, 2, out, 1, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_replay(r, NULL, 2, out, 1, NULL), RP_ERR_ARGUMENT);
  rp_error err = {0}; /* nor can it be left out */
  assert_int_equal(rp_replay(r, good, 2, out, 1, &err), RP_ERR_STATE);
  assert_string_equal(err.reason, "watched: output 'resident' is resident: bind a buffer to it");
  rp_recording_destroy(r);
  watch_close();
}

/* ---- RP_RECORD_CHECK_INPUTS -------------------------------------------------------------------------------------- */

static void inputs_are_checked_where_that_is_asked_for(void **state) {
  (void)state;
  for (int asked = 0; asked < 2; asked++) {
    watch_open(&rp_backend_cpu, 0);
    pair p = build(&checked_u64);
    rp_recording *r = watch_record(1, asked ? RP_RECORD_CHECK_INPUTS : 0);
    const uint64_t bad[8] = {99, 1, 2, 3, 4, 100, 200, 7};
    rp_run *run = NULL;
    assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
    assert_int_equal(rp_run_set_input(run, p.a, numbers, sizeof numbers), RP_OK);
    assert_int_equal(rp_run_set_input(run, p.b, bad, sizeof bad), asked ? RP_ERR_INPUT : RP_OK);
    if (asked) {
      assert_string_equal(rp_run_error(run)->reason, "input 'right': element 5 is not a valid toy.u64");
      assert_int_equal(rp_run_submit(run), RP_ERR_STATE); /* the refused input does not count as set */
    }
    memcpy(rp_run_input(run, p.b), bad, sizeof bad); /* written directly into the staging: rp_run_submit checks it */
    assert_int_equal(rp_run_submit(run), asked ? RP_ERR_INPUT : RP_OK);
    if (asked) {
      assert_non_null(strstr(rp_run_error(run)->reason, "input 'right': element 5"));
      memcpy(rp_run_input(run, p.b), numbers, sizeof numbers);
      assert_int_equal(rp_run_submit(run), RP_OK);
    }
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    rp_run_end(run);
    rp_recording_destroy(r);
    watch_close();
  }
}

/* The caller's memory is not aligned and changes after an element has been checked: the run must get the values that
 * were checked. The elements fill many of the blocks that are checked at once; at last the final element is bad. */
enum { MANY = 5000 };
static unsigned char changing[8 * MANY + 1];
static uint64_t n_seen;

static uint64_t change_afterwards(const rp_type *type, const void *elements, uint64_t n) {
  assert_int_equal((uintptr_t)elements % type->align_bytes, 0);
  const uint64_t valid = below_100(type, elements, n);
  n_seen += n;
  memset(changing + 1, 0x77, 8 * n);
  return valid;
}

static void what_is_checked_is_what_runs(void **state) {
  (void)state;
  const rp_type type = {.id = toy_u64.id, .size_bytes = 8, .align_bytes = 8, .name = "own", .valid = change_afterwards};
  uint64_t data[MANY];
  watch_open(&rp_backend_cpu, 0);
  rp_value in = rp_graph_input(the_watch.graph, "in", &type, MANY, RP_SECRET);
  rp_value out = toy_sum(the_watch.graph, in);
  rp_graph_output(the_watch.graph, "out", out, 0);
  rp_recording *r = watch_record(1, RP_RECORD_CHECK_INPUTS);
  for (int bad = 0; bad < 2; bad++) {
    rp_run *run = NULL;
    for (uint64_t i = 0; i < MANY; i++) data[i] = i % 100;
    if (bad) data[MANY - 1] = 100;
    memcpy(changing + 1, data, sizeof data);
    n_seen = 0;
    assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
    assert_int_equal(rp_run_set_input(run, in, changing + 1, sizeof data), bad ? RP_ERR_INPUT : RP_OK);
    assert_int_equal(n_seen, MANY);
    if (bad) {
      assert_string_equal(rp_run_error(run)->reason, "input 'in': element 4999 is not a valid own");
    } else {
      assert_int_equal(rp_run_submit(run), RP_OK);
      assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
      assert_int_equal(*(const uint64_t *)rp_run_output(run, out), MANY / 100 * 4950);
    }
    rp_run_end(run);
  }
  rp_recording_destroy(r);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inputs_and_outputs_are_listed),
      cmocka_unit_test(a_name_that_is_none_is_answered_with_those_there_are),
      cmocka_unit_test(a_replay_is_one_call),
      cmocka_unit_test(a_replay_reports_its_mistakes),
      cmocka_unit_test(inputs_are_checked_where_that_is_asked_for),
      cmocka_unit_test(what_is_checked_is_what_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
