/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Inputs that runs take from the caller's memory: they are read where they lie, never written or wiped, and a run that
 * is not lent anything has them in its staging, as before.
 */
#include "watch.h"

enum { N = 40 };

typedef struct loans {
  rp_value a, b, plain, sum, scaled, part;
  rp_recording *r;
} loans;

static loans begin(const rp_backend *backend, uint32_t flags, uint32_t slots) {
  loans l;
  watch_open(backend, 0);
  rp_graph *g = the_watch.graph;
  l.a = rp_graph_input(g, "a", &toy_u64, N, RP_LENDABLE | flags);
  l.plain = rp_graph_input(g, "plain", &toy_u64, N, flags);
  l.b = rp_graph_input(g, "b", &toy_u64, N, RP_LENDABLE | flags);
  /* Results that could take the place of an operand, and a slice that is read in the middle of one. */
  l.sum = toy_linear(g, toy_linear(g, l.a, 2, l.plain, 1), 1, l.b, 3);
  l.part = toy_scale(g, toy_slice(g, l.b, 8, 16), 5);
  rp_graph_output(g, "sum", l.sum, 0);
  rp_graph_output(g, "part", l.part, 0);
  l.r = watch_record(slots, RP_RECORD_CHECK_HAZARDS);
  return l;
}

static void end(loans *l) {
  rp_recording_destroy(l->r);
  watch_close();
}

static void check_outputs(const loans *l, rp_run *run, const uint64_t *a, const uint64_t *plain, const uint64_t *b) {
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  const uint64_t *sum = rp_run_output(run, l->sum), *part = rp_run_output(run, l->part);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(sum[i], 2 * a[i] + plain[i] + 3 * b[i]);
  for (uint64_t i = 0; i < 16; i++) assert_int_equal(part[i], 5 * b[8 + i]);
}

/* Runs of one slot take turns between what is lent, here or there, and the staging. */
static void lent_inputs_are_read_where_they_lie(void **state) {
  (void)state;
  for (uint32_t flags = 0; flags <= RP_SECRET; flags += RP_SECRET) {
    loans l = begin(&rp_backend_cpu, flags, 1);
    uint64_t a[3][N], b[3][N], before[2][3][N], plain[N];
    for (uint64_t k = 0; k < 3; k++)
      for (uint64_t i = 0; i < N; i++) a[k][i] = 1000 * (k + 1) + i, b[k][i] = 7000 * (k + 1) + 3 * i, plain[i] = 9 * i;
    memcpy(before[0], a, sizeof a), memcpy(before[1], b, sizeof b);
    for (int round = 0; round < 24; round++) {
      const int k = round % 3, lends = round / 3 % 4;
      rp_run *run;
      assert_int_equal(rp_run_begin(l.r, 0, &run, NULL), RP_OK);
      assert_int_equal(rp_run_set_input(run, l.plain, plain, sizeof plain), RP_OK);
      assert_int_equal(lends & 1 ? rp_run_lend_input(run, l.a, a[k], sizeof a[k])
                                 : rp_run_set_input(run, l.a, a[k], sizeof a[k]),
                       RP_OK);
      assert_int_equal(lends & 2 ? rp_run_lend_input(run, l.b, b[k], sizeof b[k])
                                 : rp_run_set_input(run, l.b, b[k], sizeof b[k]),
                       RP_OK);
      check_outputs(&l, run, a[k], plain, b[k]);
      rp_run_end(run);
    }
    assert_memory_equal(before[0], a, sizeof a);
    assert_memory_equal(before[1], b, sizeof b);
    end(&l);
  }
}

/* The staging does not have what is lent, and the last way in which an input is given counts. */
static void nothing_is_copied(void **state) {
  (void)state;
  static const uint64_t mark = 0x6c656e74206f6e63;
  loans l = begin(&rp_backend_cpu, 0, 1);
  uint64_t a[N], b[N], plain[N] = {0};
  rp_run *run;
  for (uint64_t i = 0; i < N; i++) a[i] = mark, b[i] = i;
  assert_int_equal(rp_run_begin(l.r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, l.plain, plain, sizeof plain), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.a, a, sizeof a), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.b, b, sizeof b), RP_OK);
  check_outputs(&l, run, a, plain, b);
  assert_int_equal(watch_find(mark), 0);
  rp_run_end(run);
  assert_int_equal(rp_run_begin(l.r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, l.plain, plain, sizeof plain), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.a, plain, sizeof plain), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.b, a, sizeof a), RP_OK);
  assert_int_equal(rp_run_set_input(run, l.a, a, sizeof a), RP_OK);
  uint64_t *staging = rp_run_input(run, l.b);
  for (uint64_t i = 0; i < N; i++) staging[i] = 4 * i;
  uint64_t fours[N];
  memcpy(fours, staging, sizeof fours);
  check_outputs(&l, run, a, plain, fours);
  assert_true(watch_find(mark) >= N);
  rp_run_end(run);
  end(&l);
}

/* Two slots at once, and one piece of memory for two inputs. */
static void runs_in_flight_have_their_own(void **state) {
  (void)state;
  loans l = begin(&rp_backend_cpu, 0, 2);
  uint64_t x[2][N], plain[N] = {0};
  rp_run *run[2];
  for (int k = 0; k < 2; k++) {
    for (uint64_t i = 0; i < N; i++) x[k][i] = 100 * (uint64_t)k + i;
    assert_int_equal(rp_run_begin(l.r, 0, &run[k], NULL), RP_OK);
    assert_int_equal(rp_run_set_input(run[k], l.plain, plain, sizeof plain), RP_OK);
    assert_int_equal(rp_run_lend_input(run[k], l.a, x[k], sizeof x[k]), RP_OK);
    assert_int_equal(rp_run_lend_input(run[k], l.b, x[k], sizeof x[k]), RP_OK);
  }
  for (int k = 0; k < 2; k++) check_outputs(&l, run[k], x[k], plain, x[k]);
  for (int k = 0; k < 2; k++) rp_run_end(run[k]);
  end(&l);
}

static void what_cannot_be_lent_is_refused(void **state) {
  (void)state;
  loans l = begin(&rp_backend_cpu, 0, 1);
  uint64_t x[N + 1] = {0};
  rp_run *run;
  rp_buffer *buffer;
  assert_int_equal(rp_run_lend_input(NULL, l.a, x, 8 * N), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_begin(l.r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.plain, x, 8 * N), RP_ERR_STATE);
  assert_string_equal(rp_run_error(run)->reason, "input 'plain' was made without RP_LENDABLE");
  assert_int_equal(rp_run_lend_input(run, l.sum, x, 8 * N), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_lend_input(run, l.a, NULL, 8 * N), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_lend_input(run, l.a, x, 8 * N - 8), RP_ERR_SHAPE);
  assert_int_equal(rp_run_lend_input(run, l.a, (char *)x + 4, 8 * N), RP_ERR_UNSUPPORTED);
  assert_int_equal(rp_run_submit(run), RP_ERR_STATE); /* none of these has given it */
  assert_int_equal(rp_buffer_wrap(the_watch.device, x, sizeof x, &buffer, NULL), RP_OK);
  assert_int_equal(rp_run_bind_input(run, l.a, buffer, 0), RP_ERR_STATE);
  rp_buffer_destroy(buffer);
  for (int i = 0; i < 2; i++) assert_int_equal(rp_run_lend_input(run, i ? l.a : l.b, x, 8 * N), RP_OK);
  assert_int_equal(rp_run_set_input(run, l.plain, x, 8 * N), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.a, x, 8 * N), RP_ERR_STATE);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  rp_run_end(run);
  end(&l);
  for (uint32_t flag = RP_RESIDENT; flag <= RP_BINDABLE; flag *= 2) {
    watch_open_context();
    assert_int_equal(rp_graph_input(the_watch.graph, "x", &toy_u64, N, RP_LENDABLE | flag).id, 0);
    assert_non_null(strstr(rp_graph_error(the_watch.graph)->reason, "either lent or bound"));
    watch_close();
  }
}

/* An output that a run binds does not lie where an input is lent. */
static void outputs_lie_elsewhere(void **state) {
  (void)state;
  uint64_t x[2 * N] = {0};
  rp_buffer *buffer;
  rp_run *run;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  const rp_value a = rp_graph_input(g, "a", &toy_u64, N, RP_LENDABLE), out = toy_scale(g, a, 3);
  rp_graph_output(g, "out", out, RP_BINDABLE);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(rp_buffer_wrap(the_watch.device, x, sizeof x, &buffer, NULL), RP_OK);
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_lend_input(run, a, x, 8 * N), RP_OK);
  assert_int_equal(rp_run_bind_output(run, out, buffer, 8 * (N - 1)), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_bind_output(run, out, buffer, 8 * N), RP_OK);
  x[1] = 5;
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  assert_int_equal(x[N + 1], 15);
  rp_run_end(run);
  rp_buffer_destroy(buffer);
  rp_recording_destroy(r);
  watch_close();
}

/* A device that cannot take inputs from there has them in its staging. */
static void other_devices_copy(void **state) {
  (void)state;
  loans l = begin(&rp_backend_null, 0, 1);
  uint64_t x[N] = {0};
  rp_run *run;
  assert_int_equal(rp_run_begin(l.r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.a, x, sizeof x), RP_ERR_UNSUPPORTED);
  assert_non_null(rp_run_input(run, l.a));
  rp_run_end(run);
  end(&l);
}

static uint64_t asked_bytes;

static bool refuse_to_read(void *state, const void *host, uint64_t bytes) {
  (void)state;
  asked_bytes = host ? bytes : 0;
  return false;
}

/* A device that can take inputs from some memory is asked about this one. */
static void the_device_is_asked(void **state) {
  (void)state;
  rp_backend some = rp_backend_cpu;
  uint64_t x[N] = {0};
  rp_run *run;
  some.memory_lends = refuse_to_read;
  loans l = begin(&some, 0, 1);
  assert_int_equal(rp_run_begin(l.r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.a, x, sizeof x), RP_ERR_UNSUPPORTED);
  assert_int_equal(asked_bytes, sizeof x);
  rp_run_end(run);
  end(&l);
}

static rp_status take_program(void *state, rp_program *program, const uint64_t *words, uint32_t n_words,
                              const rp_into *into, rp_error *err) {
  (void)state, (void)program, (void)words, (void)n_words, (void)into, (void)err;
  fail_msg("a run with a loan was recorded");
  return RP_OK;
}

/* The command buffer or graph of a program would read the caller's memory whenever it is executed. */
static void loans_are_not_recorded_into(void **state) {
  (void)state;
  rp_backend some = rp_backend_cpu;
  const rp_into into = {.struct_size = sizeof into, .handle = &some};
  uint64_t x[N] = {0};
  rp_run *run;
  some.record_into = take_program;
  loans l = begin(&some, 0, 1);
  assert_int_equal(rp_run_begin(l.r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_lend_input(run, l.b, x, sizeof x), RP_OK);
  assert_int_equal(rp_run_record_into(run, &into), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(rp_run_error(run)->reason, "input 'b' is lent"));
  rp_run_end(run);
  end(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lent_inputs_are_read_where_they_lie),
      cmocka_unit_test(nothing_is_copied),
      cmocka_unit_test(runs_in_flight_have_their_own),
      cmocka_unit_test(what_cannot_be_lent_is_refused),
      cmocka_unit_test(outputs_lie_elsewhere),
      cmocka_unit_test(other_devices_copy),
      cmocka_unit_test(the_device_is_asked),
      cmocka_unit_test(loans_are_not_recorded_into),
  };
  return cmocka_run_group_tests_name("loans", tests, NULL, NULL);
}
