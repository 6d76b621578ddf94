/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Devices for programs that bring memory of their own (reprise/host_program.h): every block comes from their allocator,
 * and goes back to it.
 */
#include "watch.h"

#include <reprise/host_program.h>

#include <unistd.h>

enum { N = 512 };

typedef struct lender {
  uint64_t n, bytes, most, calls, refuse_from; /* refuse_from: number of the call from which on there is no memory */
  uint64_t shift;                              /* the given memory begins so many bytes behind an aligned address */
} lender;

static void *lend(void *user, uint64_t bytes, uint64_t align) {
  lender *l = user;
  if (l->calls++ >= l->refuse_from) return NULL;
  assert_int_equal(bytes % align, 0);
  assert_int_equal(align, sysconf(_SC_PAGESIZE));
  unsigned char *p = aligned_alloc(align, bytes + align);
  memset(p, 0xa5, bytes + align);
  l->n++;
  l->bytes += bytes;
  if (l->bytes > l->most) l->most = l->bytes;
  return p + l->shift;
}

static void take_back(void *user, void *memory, uint64_t bytes) {
  lender *l = user;
  const unsigned char *p = memory;
  static const uint64_t secret = 0x5ec2e75ec2e75ec2u;
  for (uint64_t i = 0; i + 8 <= bytes; i += 8) assert_memory_not_equal(p + i, &secret, 8);
  l->n--;
  l->bytes -= bytes;
  free((unsigned char *)memory - l->shift);
}

static rp_status open_with(lender *l, uint64_t budget, rp_error *err) {
  const rp_device_options o = {
      .struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = 2, .memory_budget_bytes = budget};
  const rp_host_device h = {.struct_size = sizeof h, .allocator = {.user = l, .alloc = lend, .free = take_back}};
  return rp_device_open_for(the_watch.context, &o, &h, &the_watch.device, err);
}

static void everything_is_lent(void **state) {
  (void)state;
  lender l = {.refuse_from = UINT64_MAX};
  static uint64_t in[N];
  rp_buffer *buffer;
  for (uint64_t i = 0; i < N; i++) in[i] = 0x5ec2e75ec2e75ec2u;
  watch_open_context();
  assert_int_equal(open_with(&l, 0, NULL), RP_OK);
  rp_value x = rp_graph_input(the_watch.graph, "in", &toy_u64, N, RP_SECRET | RP_BINDABLE);
  rp_value y = toy_sum(the_watch.graph, toy_table(the_watch.graph, toy_scale(the_watch.graph, x, 3)));
  rp_graph_output(the_watch.graph, "out", y, 0);
  rp_recording *r = watch_record(2, 0);
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_recording_get_plan(r, &plan);
  assert_true(l.most >= plan.constant_bytes + 2 * (plan.arena_bytes + plan.staging_bytes + plan.parameter_bytes));
  assert_int_equal(rp_buffer_create(the_watch.device, sizeof in, &buffer, NULL), RP_OK);
  const uint64_t held = l.n;
  for (int round = 0; round < 3; round++) {
    rp_run *run = watch_run(r, x, in, sizeof in, RP_OK);
    uint64_t want = 0;
    for (uint64_t i = 0; i < N; i++) want += 3 * in[i] + 2 * (i % 16) * (i % 16);
    assert_int_equal(*(const uint64_t *)rp_run_output(run, y), want);
    rp_run_end(run);
    assert_int_equal(l.n, held);
    if (round == 1) assert_int_equal(rp_recording_evict(r, NULL), RP_OK);
    if (round == 1) assert_int_equal(l.n, 1); /* the buffer */
  }
  rp_buffer_destroy(buffer);
  rp_recording_destroy(r);
  assert_int_equal(l.n, 0);
  assert_int_equal(l.bytes, 0);
  watch_close();
}

/* If the allocator has no more memory, another recording is evicted. If that is not enough, the error says whose memory
 * is missing. */
static void no_more_memory(void **state) {
  (void)state;
  lender l = {.refuse_from = UINT64_MAX};
  static uint64_t in[N];
  rp_error err = {0};
  watch_open_context();
  assert_int_equal(open_with(&l, 0, NULL), RP_OK);
  rp_value x = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  rp_graph_output(the_watch.graph, "out", toy_scale(the_watch.graph, x, 3), 0);
  rp_recording *first = watch_record(1, 0), *second = NULL;
  l.refuse_from = l.calls;
  assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &second, &err), RP_ERR_DEVICE_MEMORY);
  assert_null(second);
  assert_non_null(strstr(err.reason, "the caller's allocator has no"));
  assert_int_equal(l.n, 0); /* the first has been evicted */
  l.refuse_from = UINT64_MAX;
  rp_run_end(watch_run(first, x, in, sizeof in, RP_OK));
  l.shift = 64;
  assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &second, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "not a multiple of"));
  l.shift = 0;
  rp_recording_destroy(first);
  assert_int_equal(l.n, 0);
  watch_close();
}

static void nop(void *user, void *queue) { (void)user, (void)queue; }

static void what_is_refused(void **state) {
  (void)state;
  rp_error err = {0};
  rp_device *d = NULL;
  rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU};
  const rp_host_device half = {.struct_size = sizeof half, .allocator = {.alloc = lend}},
                       lock = {.struct_size = sizeof lock, .lock_queue = nop},
                       queue = {.struct_size = sizeof queue, .lock_queue = nop, .unlock_queue = nop},
                       no_size = {.allocator = {.alloc = lend, .free = take_back}};
  watch_open_context();
  assert_int_equal(rp_device_open_for(the_watch.context, &o, &half, &d, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "both alloc and free"));
  assert_int_equal(rp_device_open_for(the_watch.context, &o, &lock, &d, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "go together"));
  assert_int_equal(rp_device_open_for(the_watch.context, &o, &queue, &d, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "a caller's VkDevice"));
  assert_int_equal(rp_device_open_for(the_watch.context, &o, &no_size, &d, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_device_open_for(the_watch.context, NULL, NULL, &d, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "names no kind"));
  assert_int_equal(rp_device_open_for(NULL, &o, NULL, &d, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_device_open_for(the_watch.context, &o, NULL, NULL, &err), RP_ERR_ARGUMENT);
  o.index = 7;
  assert_int_equal(rp_device_open_for(the_watch.context, &o, NULL, &d, &err), RP_ERR_UNAVAILABLE);
  assert_null(d);
  o.index = 0;
  assert_int_equal(rp_device_open_for(the_watch.context, &o, NULL, &the_watch.device, &err), RP_OK);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_lent),
      cmocka_unit_test(no_more_memory),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests_name("host device", tests, NULL, NULL);
}
