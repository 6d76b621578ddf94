/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a thread of a CPU device touches when a run ends that raises an event. Before that thread goes on, a run on
 * another device that waited for the event may end, and its device may be closed. When the end of the first run has
 * been seen, the event may be destroyed. ThreadSanitizer reports it if the thread touches one of them later.
 */
#include "toy_ops.h"

#include <reprise/host_program.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 1000, N = 16 };

typedef struct part {
  rp_device *device;
  rp_recording *recording;
  rp_value in, out;
} part;

static rp_context *context;
static uint64_t data[N];

static part part_open(void) {
  part p;
  rp_graph *g;
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  assert_int_equal(rp_device_open(context, &o, &p.device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "part", &g, NULL), RP_OK);
  p.in = rp_graph_input(g, "in", &toy_u64, N, 0);
  p.out = toy_scale(g, p.in, 3);
  rp_graph_output(g, "out", p.out, 0);
  assert_int_equal(rp_record(p.device, g, NULL, &p.recording, NULL), RP_OK);
  rp_graph_destroy(g);
  return p;
}

static void part_close(const part *p) {
  rp_recording_destroy(p->recording);
  rp_device_close(p->device);
}

static rp_run *submit(const part *p, rp_submit_options o) {
  rp_run *run;
  o.struct_size = sizeof o;
  assert_int_equal(rp_run_begin(p->recording, UINT64_MAX, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, p->in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit_with(run, &o), RP_OK);
  return run;
}

static void check(const part *p, rp_run *run) {
  const uint64_t *got = rp_run_output(run, p->out);
  assert_non_null(got);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], 3 * data[i]);
}

/* This thread waits for the second device only, by polling in one round and by sleeping in the next. */
static void closed_as_soon_as_it_is_done(void **state) {
  rp_event *event;
  (void)state;
  for (uint64_t i = 0; i < N; i++) data[i] = i * i + 1;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_event_create(context, &event, NULL), RP_OK);
  const part one = part_open();
  for (uint64_t round = 1; round <= ROUNDS; round++) {
    const rp_sync sync = {RP_SYNC_HOST, event, round};
    const part two = part_open();
    rp_run *waits = submit(&two, (rp_submit_options){.waits = &sync, .n_waits = 1});
    rp_run *raises = submit(&one, (rp_submit_options){.signals = &sync, .n_signals = 1});
    while (round % 2 && rp_run_poll(waits) == RP_ERR_TIMEOUT) continue;
    assert_int_equal(rp_run_wait(waits, UINT64_MAX), RP_OK);
    check(&two, waits);
    rp_run_end(waits);
    part_close(&two);
    assert_int_equal(rp_run_wait(raises, UINT64_MAX), RP_OK);
    check(&one, raises);
    rp_run_end(raises);
  }
  part_close(&one);
  rp_event_destroy(event);
  rp_context_destroy(context);
}

/* Nobody waits for the event, so that only the end of the run shows that it has been raised. */
static void destroyed_as_soon_as_it_is_done(void **state) {
  (void)state;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  const part one = part_open();
  for (uint64_t round = 1; round <= ROUNDS; round++) {
    rp_event *event;
    assert_int_equal(rp_event_create(context, &event, NULL), RP_OK);
    rp_run *run = submit(&one, (rp_submit_options){.signals = &(rp_sync){RP_SYNC_HOST, event, 1}, .n_signals = 1});
    while (round % 2 && rp_run_poll(run) == RP_ERR_TIMEOUT) continue;
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    rp_event_destroy(event);
    rp_run_end(run);
  }
  part_close(&one);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_as_soon_as_it_is_done),
                                     cmocka_unit_test(destroyed_as_soon_as_it_is_done)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
