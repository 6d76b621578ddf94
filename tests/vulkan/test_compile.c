/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pipelines are compiled by the device's own threads: several at once, with stacks that are large enough for a driver's
 * recursion, and each kernel once, however many recordings and threads ask for it.
 */
#include "work.h"

#include "backends/cpu/cpu.h"
#include "device.h"

#include <time.h>

enum { DEEP_BYTES = 48 << 20, FRAME_BYTES = 64 << 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint32_t inside, most_inside, expected, warnings;
static pthread_t callers_thread;
static int in_callers_thread;

/* Uses as much stack as a driver that recurses through a long expression. `volatile` and the use of the result keep the
 * compiler from making a loop of it. */
static unsigned deep(unsigned bytes) {
  volatile unsigned char frame[FRAME_BYTES];
  for (unsigned i = 0; i < FRAME_BYTES; i += 4096) frame[i] = (unsigned char)bytes;
  return bytes > FRAME_BYTES ? deep(bytes - FRAME_BYTES) + frame[0] : frame[FRAME_BYTES - 4096];
}

/* Waits up to 3 s until `expected` threads are compiling at once. */
static void meet_another(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 3;
  pthread_mutex_lock(&lock);
  if (++inside > most_inside) most_inside = inside;
  pthread_cond_broadcast(&changed);
  while (most_inside < expected && !pthread_cond_timedwait(&changed, &lock, &until)) continue;
  inside--;
  pthread_mutex_unlock(&lock);
}

static void use_stack(void) {
  pthread_mutex_lock(&lock);
  in_callers_thread |= pthread_equal(pthread_self(), callers_thread) != 0;
  pthread_mutex_unlock(&lock);
  (void)deep(DEEP_BYTES);
}

static void a_drivers_recursion_has_room(void **state) {
  (void)state;
  bench b;
  work w;
  bench_open(&b);
  interpose.compiling = use_stack;
  callers_thread = pthread_self();
  in_callers_thread = 0;
  work_make(&b, &w, 1, 0);
  assert_true(interpose.calls[CALL_vkCreateComputePipelines] >= 3);
  assert_false(in_callers_thread);
  work_once(&w, 1);
  work_drop(&w);
  bench_close(&b);
}

static void several_at_once(void **state) {
  (void)state;
  bench b;
  work w;
  bench_open(&b);
  interpose.compiling = meet_another;
  expected = cpu_count() < 2 ? 1 : 2;
  most_inside = 0;
  work_make(&b, &w, 1, 0);
  assert_int_equal(most_inside, expected);
  work_once(&w, 1);
  work_drop(&w);
  bench_close(&b);
}

typedef struct recorder {
  bench *b;
  work w;
  pthread_t thread;
} recorder;

static void *record_in_thread(void *argument) {
  recorder *r = argument;
  if (work_try(r->b->context, r->b->device, &r->w, RP_SECRET, NULL, NULL)) r->w.recording = NULL;
  return NULL;
}

/* Two recordings of the same graph that are made at the same time compile no kernel twice. */
static void each_kernel_once(void **state) {
  (void)state;
  bench b;
  work w;
  recorder recorders[2];
  bench_open(&b);
  work_make(&b, &w, 1, 0);
  const uint64_t once = interpose.calls[CALL_vkCreateComputePipelines];
  work_drop(&w);
  bench_close(&b);
  bench_open(&b);
  for (int i = 0; i < 2; i++) {
    recorders[i].b = &b;
    assert_int_equal(pthread_create(&recorders[i].thread, NULL, record_in_thread, &recorders[i]), 0);
  }
  for (int i = 0; i < 2; i++) pthread_join(recorders[i].thread, NULL);
  assert_int_equal(interpose.calls[CALL_vkCreateComputePipelines], once);
  for (uint64_t i = 0; i < 2; i++) {
    assert_non_null(recorders[i].w.recording);
    work_once(&recorders[i].w, i);
    work_drop(&recorders[i].w);
  }
  bench_close(&b);
}

static void note(void *user, rp_log_level level, const char *message) {
  (void)user;
  if (level == RP_LOG_WARNING && strstr(message, "no thread with a stack of")) warnings++;
}

/* If no such thread can be started, the caller's thread compiles, and the log says so. */
static void without_room_the_caller_compiles(void **state) {
  (void)state;
  bench b = {0};
  work w;
  rp_error err = {0};
  const rp_context_options context = {.struct_size = sizeof context, .log = note};
  const rp_device_options device = {.struct_size = sizeof device, .kind = RP_DEVICE_VULKAN};
  EXPECT(RP_OK, rp_context_create(&context, &b.context, &err), &err);
  EXPECT(RP_OK, rp_device_open(b.context, &device, &b.device, &err), &err);
  ((rp_vk *)b.device->state)->compile_stack_bytes = SIZE_MAX / 2;
  warnings = 0;
  work_make(&b, &w, 1, 0);
  assert_true(warnings > 0);
  work_once(&w, 1);
  work_drop(&w);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_drivers_recursion_has_room),
      cmocka_unit_test(several_at_once),
      cmocka_unit_test(each_kernel_once),
      cmocka_unit_test(without_room_the_caller_compiles),
  };
  return cmocka_run_group_tests_name("vulkan_compile", tests, NULL, NULL);
}
