/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs connected with the caller's timeline semaphores and queue, and with each other (reprise/host_program.h). They
 * are held up by semaphores that the host signals, so that no test depends on how long anything takes.
 */
#include "work.h"

#include "program.h"
#include "recording.h"

#include <reprise/host_program.h>

static void signal_from_host(rp_vk *vk, VkSemaphore semaphore, uint64_t value) {
  const VkSemaphoreSignalInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
  PFN_vkSignalSemaphore call = (PFN_vkSignalSemaphore)vk->fn.vkGetDeviceProcAddr(vk->device, "vkSignalSemaphore");
  assert_non_null(call);
  assert_int_equal(call(vk->device, &info), VK_SUCCESS);
}

static VkSemaphore new_timeline(rp_vk *vk) {
  VkSemaphore semaphore;
  EXPECT(RP_OK, rp_vk_create_timeline(vk, &semaphore, NULL), NULL);
  return semaphore;
}

/* out = in + in */
typedef struct line {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in, out;
} line;

static line make(const bench *b, uint32_t slots, uint32_t in_flags, uint32_t out_flags) {
  line l;
  rp_error err = {0};
  const rp_record_options options = {.struct_size = sizeof options, .max_in_flight = slots};
  EXPECT(RP_OK, rp_graph_create(b->context, "line", &l.graph, &err), &err);
  l.in = rp_graph_input(l.graph, "in", rp_type_field(RP_FIELD_GOLDILOCKS), N, in_flags);
  l.out = rp_add(l.graph, l.in, l.in);
  rp_graph_output(l.graph, "out", l.out, out_flags);
  EXPECT(RP_OK, rp_record(b->device, l.graph, &options, &l.recording, &err), &err);
  return l;
}

static void drop(line *l) {
  rp_recording_destroy(l->recording);
  rp_graph_destroy(l->graph);
}

static rp_run *begin(const line *l, const uint64_t *in) {
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(l->recording, UINT64_MAX, &run, NULL), NULL);
  if (in) EXPECT(RP_OK, rp_run_set_input(run, l->in, in, BYTES), rp_run_error(run));
  return run;
}

static void submit(rp_run *run, rp_submit_options o) {
  o.struct_size = sizeof o;
  EXPECT(RP_OK, rp_run_submit_with(run, &o), rp_run_error(run));
}

static void fill(uint64_t in[N], uint64_t seed) {
  for (uint64_t i = 0; i < N; i++) in[i] = (seed * 1000003 + i * i) & 0xffffffff; /* far below the modulus */
}

static void check(rp_run *run, rp_value out, const uint64_t *in, uint64_t factor) {
  const uint64_t *got = rp_run_output(run, out);
  assert_non_null(got);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], factor * in[i]);
}

/* The first run waits for the host; the second reads what it has written. The host waits once. */
static void chained_with_one_wait(void **state) {
  (void)state;
  bench b;
  uint64_t in[N], value = 0;
  rp_buffer *between;
  bench_open(&b);
  rp_vk *vk = b.device->state;
  line one = make(&b, 1, 0, RP_RESIDENT), two = make(&b, 1, RP_RESIDENT | RP_SECRET, 0);
  VkSemaphore gate = new_timeline(vk), end = new_timeline(vk);
  EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &between, NULL), NULL);
  for (uint64_t round = 1; round <= 5; round++) {
    rp_run_counters c[2] = {{.struct_size = sizeof *c}, {.struct_size = sizeof *c}};
    const rp_sync wait = {RP_SYNC_VULKAN, gate, round}, signal = {RP_SYNC_VULKAN, end, round};
    fill(in, round);
    rp_run *first = begin(&one, in), *second = begin(&two, NULL);
    EXPECT(RP_OK, rp_run_bind_output(first, one.out, between, 0), rp_run_error(first));
    EXPECT(RP_OK, rp_run_bind_input(second, two.in, between, 0), rp_run_error(second));
    interpose_begin(b.device);
    submit(first, (rp_submit_options){.waits = &wait, .n_waits = 1});
    assert_int_equal(interpose.first_waits, 1);
    assert_ptr_equal(interpose.last_wait, gate);
    submit(second, (rp_submit_options){.after = &first, .n_after = 1, .signals = &signal, .n_signals = 1});
    assert_int_equal(interpose.first_waits, 1); /* software devices would keep the order even without */
    assert_true(interpose.last_wait && interpose.last_wait != gate);
    assert_int_equal(interpose.calls[CALL_vkQueueSubmit], 2);
    assert_int_equal(interpose.calls[CALL_vkWaitSemaphores], 0);
    assert_int_equal(interpose.recordings != 0, round == 1); /* when the addresses are new */
    EXPECT(RP_ERR_TIMEOUT, rp_run_poll(second), rp_run_error(second));
    assert_int_equal(vk->fn.vkGetSemaphoreCounterValue(vk->device, end, &value), VK_SUCCESS);
    assert_int_equal(value, round - 1);
    signal_from_host(vk, gate, round);
    EXPECT(RP_OK, rp_run_wait(second, UINT64_MAX), rp_run_error(second));
    check(second, two.out, in, 4);
    rp_run_get_counters(first, &c[0]);
    rp_run_get_counters(second, &c[1]);
    assert_int_equal(c[0].waits, 0);
    assert_int_equal(c[1].waits, 1);
    /* Semaphores of one submission are signalled in any order. */
    EXPECT(RP_OK, rp_vk_wait_for(vk, end, round, UINT64_MAX, NULL), NULL);
    rp_run_end(first);
    rp_run_end(second);
  }
  rp_buffer_destroy(between);
  drop(&one);
  drop(&two);
  vk->fn.vkDestroySemaphore(vk->device, gate, NULL);
  vk->fn.vkDestroySemaphore(vk->device, end, NULL);
  bench_close(&b);
}

/* Kernels access what is bound where it is. Command buffers are recorded again when that has moved, and those alone
 * that have such kernels. */
static void resident_values(void **state) {
  (void)state;
  bench b;
  uint64_t in[N], out[N];
  rp_buffer *buffer;
  bench_open(&b);
  line l = make(&b, 1, RP_RESIDENT, RP_RESIDENT);
  EXPECT(RP_OK, rp_buffer_create(b.device, 4 * BYTES, &buffer, NULL), NULL);
  for (uint64_t round = 0; round < 6; round++) {
    const uint64_t at = round % 3 == 2 ? 2 * BYTES : 0; /* 0 0 2 0 0 2 */
    fill(in, round);
    EXPECT(RP_OK, rp_buffer_write(buffer, at, in, BYTES, NULL), NULL);
    rp_run *run = begin(&l, NULL);
    assert_int_equal(rp_run_bind_input(run, l.in, buffer, at + 8), RP_ERR_ARGUMENT); /* not aligned for kernels */
    EXPECT(RP_OK, rp_run_bind_input(run, l.in, buffer, at), rp_run_error(run));
    assert_int_equal(rp_run_submit(run), RP_ERR_STATE); /* the output has no place */
    EXPECT(RP_OK, rp_run_bind_output(run, l.out, buffer, at + BYTES - 16), rp_run_error(run));
    assert_int_equal(rp_run_submit(run), RP_ERR_ARGUMENT); /* both have the last 16 bytes of the input */
    EXPECT(RP_OK, rp_run_bind_output(run, l.out, buffer, at + BYTES), rp_run_error(run));
    interpose_begin(b.device);
    submit(run, (rp_submit_options){0});
    assert_int_equal(interpose.recordings != 0, round != 1 && round != 4);
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    rp_run_end(run);
    EXPECT(RP_OK, rp_buffer_read(buffer, at + BYTES, out, BYTES, NULL), NULL);
    for (uint64_t i = 0; i < N; i++) assert_int_equal(out[i], 2 * in[i]);
  }
  rp_buffer_destroy(buffer);
  drop(&l);
  bench_close(&b);
}

/* A staged run and one that reads what it has written, in one command buffer of the program's, with no semaphore
 * between them. It is executed three times, with new inputs. */
static void runs_in_the_programs_commands(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  rp_buffer *between;
  bench_open(&b);
  rp_vk *vk = b.device->state;
  line one = make(&b, 2, RP_SECRET, RP_RESIDENT), two = make(&b, 1, RP_RESIDENT, 0);
  EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &between, NULL), NULL);
  VkSemaphore end = new_timeline(vk);
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                             .queueFamilyIndex = vk->family};
  VkCommandPool pool;
  VkCommandBuffer commands;
  assert_int_equal(vk->fn.vkCreateCommandPool(vk->device, &pool_info, NULL, &pool), VK_SUCCESS);
  const VkCommandBufferAllocateInfo of = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = pool,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
  assert_int_equal(vk->fn.vkAllocateCommandBuffers(vk->device, &of, &commands), VK_SUCCESS);
  const VkCommandBufferBeginInfo usual = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  rp_run *first = begin(&one, NULL), *second = begin(&two, NULL);
  rp_into into = {.struct_size = sizeof into, .kind = RP_INTO_CUDA_GRAPH, .handle = (void *)commands};
  EXPECT(RP_OK, rp_run_bind_output(first, one.out, between, 0), rp_run_error(first));
  EXPECT(RP_ERR_UNSUPPORTED, rp_run_record_into(first, &into), rp_run_error(first));
  into.kind = RP_INTO_VULKAN_COMMANDS;
  EXPECT(RP_OK, rp_run_bind_input(second, two.in, between, 0), rp_run_error(second));
  assert_int_equal(vk->fn.vkBeginCommandBuffer(commands, &usual), VK_SUCCESS);
  EXPECT(RP_OK, rp_run_record_into(first, &into), rp_run_error(first));
  EXPECT(RP_OK, rp_run_record_into(second, &into), rp_run_error(second));
  assert_int_equal(vk->fn.vkEndCommandBuffer(commands), VK_SUCCESS);
  for (uint64_t round = 1; round <= 3; round++) {
    const VkTimelineSemaphoreSubmitInfo timeline = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                    .signalSemaphoreValueCount = 1,
                                                    .pSignalSemaphoreValues = &round};
    const VkSubmitInfo submission = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .pNext = &timeline,
                                     .commandBufferCount = 1,
                                     .pCommandBuffers = &commands,
                                     .signalSemaphoreCount = 1,
                                     .pSignalSemaphores = &end};
    fill(in, round);
    EXPECT(RP_OK, rp_run_set_input(first, one.in, in, BYTES), rp_run_error(first));
    assert_int_equal(vk->fn.vkQueueSubmit(vk->queue, 1, &submission, VK_NULL_HANDLE), VK_SUCCESS);
    EXPECT(RP_OK, rp_vk_wait_for(vk, end, round, UINT64_MAX, NULL), NULL);
    EXPECT(RP_OK, rp_run_collect(first), rp_run_error(first));
    EXPECT(RP_OK, rp_run_collect(second), rp_run_error(second));
    check(second, two.out, in, 4);
  }
  vk->fn.vkDestroyCommandPool(vk->device, pool, NULL);
  vk->fn.vkDestroySemaphore(vk->device, end, NULL);
  rp_run_end(first);
  rp_run_end(second);
  first = begin(&one, in); /* the slot is as before */
  EXPECT(RP_OK, rp_run_bind_output(first, one.out, between, 0), rp_run_error(first));
  submit(first, (rp_submit_options){0});
  EXPECT(RP_OK, rp_run_wait(first, UINT64_MAX), rp_run_error(first));
  rp_run_end(first);
  rp_buffer_destroy(between);
  drop(&one);
  drop(&two);
  bench_close(&b);
}

/* With as many batches as steps: the first waits, the last signals; and a recording whose earlier run is destroyed with
 * it while another still follows. */
static void batches_and_the_wrong_order(void **state) {
  (void)state;
  bench b;
  uint64_t in[N], seen[N];
  bench_open(&b);
  rp_vk *vk = b.device->state;
  vk->batch_ns = 1;
  VkSemaphore gate = new_timeline(vk);
  work w;
  work_make(&b, &w, 1, 0);
  line l = make(&b, 1, 0, 0);
  const rp_sync wait = {RP_SYNC_VULKAN, gate, 1}, signal = {RP_SYNC_VULKAN, gate, 2};
  fill(in, 3);
  work_fill(seen, 4);
  rp_run *first = NULL, *second = begin(&l, in);
  EXPECT(RP_OK, rp_run_begin(w.recording, UINT64_MAX, &first, NULL), NULL);
  EXPECT(RP_OK, rp_run_set_input(first, w.in, seen, BYTES), rp_run_error(first));
  submit(first, (rp_submit_options){.waits = &wait, .n_waits = 1, .signals = &signal, .n_signals = 1});
  submit(second, (rp_submit_options){.after = &first, .n_after = 1});
  signal_from_host(vk, gate, 1);
  work_drop(&w); /* waits for both: the later run refers to what is destroyed here */
  EXPECT(RP_OK, rp_run_poll(second), rp_run_error(second));
  check(second, l.out, in, 2);
  rp_run_end(second);
  drop(&l);
  vk->fn.vkDestroySemaphore(vk->device, gate, NULL);
  bench_close(&b);
}

static void tell(void *user, rp_run *run) { *(_Atomic int *)user = rp_run_poll(run) == RP_OK ? 1 : -1; }

/* A queue for the run, which is here the device's own, and a thread that waits for its end. */
static void a_queue_and_a_callback(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  bench_open(&b);
  rp_vk *vk = b.device->state;
  line l = make(&b, 2, RP_SECRET, 0);
  for (uint64_t round = 0; round < 4; round++) {
    _Atomic int told = 0;
    fill(in, round);
    rp_run *run = begin(&l, in);
    submit(run, (rp_submit_options){.stream = round % 2 ? (void *)vk->queue : NULL, .done = tell, .user = &told});
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    check(run, l.out, in, 2);
    rp_run_end(run);
    assert_int_equal(told, 1);
  }
  drop(&l);
  bench_close(&b);
}

/* A run that is cancelled while the device waits does nothing when its turn comes, if the device can skip dispatches.
 * The recording works as before afterwards. */
static void a_cancelled_run_is_skipped(void **state) {
  (void)state;
  bench b;
  uint64_t in[N], seen[N], old[N];
  rp_buffer *buffer;
  bench_open(&b);
  rp_vk *vk = b.device->state;
  if (!vk->has_conditions) print_message("this device has no VK_EXT_conditional_rendering\n");
  vk->section_ns = 1; /* each step looks */
  VkSemaphore gate = new_timeline(vk);
  EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &buffer, NULL), NULL);
  line l = make(&b, 1, RP_SECRET, RP_RESIDENT);
  fill(in, 7), fill(old, 8);
  for (uint64_t round = 1; round <= 4; round++) {
    const int cancels = round % 2 != 0;
    const rp_sync wait = {RP_SYNC_VULKAN, gate, round};
    EXPECT(RP_OK, rp_buffer_write(buffer, 0, old, BYTES, NULL), NULL);
    rp_run *run = begin(&l, in);
    EXPECT(RP_OK, rp_run_bind_output(run, l.out, buffer, 0), rp_run_error(run));
    submit(run, (rp_submit_options){.waits = &wait, .n_waits = 1});
    assert_int_equal(rp_run_progress(run, NULL), 0);
    if (cancels) rp_run_cancel(run);
    signal_from_host(vk, gate, round);
    EXPECT(cancels ? RP_ERR_CANCELLED : RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    rp_run_end(run);
    EXPECT(RP_OK, rp_buffer_read(buffer, 0, seen, BYTES, NULL), NULL);
    for (uint64_t i = 0; i < N && (!cancels || vk->has_conditions); i++)
      assert_int_equal(seen[i], cancels ? old[i] : 2 * in[i]);
  }
  drop(&l);
  rp_buffer_destroy(buffer);
  vk->fn.vkDestroySemaphore(vk->device, gate, NULL);
  bench_close(&b);
}

/* The steps of the batches that the device has passed are done; a run begins with none, whatever the one before did. */
static void batches_are_progress(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  bench_open(&b);
  rp_vk *vk = b.device->state;
  vk->batch_ns = 1;
  VkSemaphore gate = new_timeline(vk);
  work w;
  work_make(&b, &w, 1, 0);
  work_fill(in, 4);
  for (uint64_t round = 1; round <= 3; round++) {
    const rp_sync wait = {RP_SYNC_VULKAN, gate, round};
    rp_run *run = NULL;
    uint32_t all = 0, done = 0;
    EXPECT(RP_OK, rp_run_begin(w.recording, UINT64_MAX, &run, NULL), NULL);
    EXPECT(RP_OK, rp_run_set_input(run, w.in, in, BYTES), rp_run_error(run));
    submit(run, (rp_submit_options){.waits = &wait, .n_waits = 1});
    assert_int_equal(rp_run_progress(run, &all), 0);
    assert_true(all > 2);
    signal_from_host(vk, gate, round);
    for (uint32_t now; done != all; done = now) {
      now = rp_run_progress(run, NULL);
      assert_in_range(now, done, all);
    }
    work_finish(&w, run, in);
    uint64_t passed = 0;
    const rp_program *p = w.recording->slots[0].program;
    assert_int_equal(p->lanes.n_lanes, 1);
    assert_int_equal(vk->fn.vkGetSemaphoreCounterValue(vk->device, p->passed[0], &passed), VK_SUCCESS);
    assert_int_equal(passed, round * (p->lanes.n_batches - 1));
    assert_int_equal(p->lanes.batches[0].n_done, 1);
    assert_int_equal(p->lanes.batches[p->lanes.n_batches - 2].n_done, all - 1);
  }
  work_drop(&w);
  vk->fn.vkDestroySemaphore(vk->device, gate, NULL);
  bench_close(&b);
}

/* A submission that is refused, by the engine or by the driver, leaves nothing behind. */
static void refused_submissions(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  bench_open(&b);
  rp_vk *vk = b.device->state;
  line l = make(&b, 1, RP_SECRET, 0);
  const rp_sync wrong = {RP_SYNC_CUDA_EVENT, &b, 0};
  const rp_submit_options refused = {.struct_size = sizeof refused, .waits = &wrong, .n_waits = 1};
  fill(in, 1);
  rp_run *run = begin(&l, in);
  EXPECT(RP_ERR_UNSUPPORTED, rp_run_submit_with(run, &refused), rp_run_error(run));
  interpose.fail_call = CALL_vkQueueSubmit, interpose.fail_in = 1, interpose.fail_result = VK_ERROR_OUT_OF_HOST_MEMORY;
  const rp_submit_options queue = {.struct_size = sizeof queue, .stream = (void *)vk->queue};
  EXPECT(RP_ERR_MEMORY, rp_run_submit_with(run, &queue), rp_run_error(run));
  rp_run_end(run);
  run = begin(&l, in);
  submit(run, queue);
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  check(run, l.out, in, 2);
  rp_run_end(run);
  drop(&l);
  bench_close(&b);
}

/* ---- A device of the caller's ------------------------------------------------------------------------------------ */

typedef struct owner {
  rp_vk *vk;
  rp_memory given[64]; /* each a VkBuffer of its own */
  uint32_t n;
  int locked;
  uint64_t locks;
} owner;

static void *lend(void *user, uint64_t bytes, uint64_t align) {
  enum { ALONE = 4 << 20 }; /* a block that shares its buffer with no other */
  owner *o = user;
  rp_memory m;
  assert_int_equal(align, 256);
  if (rp_vk_memory_alloc(o->vk, RP_MEMORY_DEVICE, bytes < ALONE ? ALONE : bytes, &m, NULL) != RP_OK) return NULL;
  assert_int_equal(rp_vk_block_of(&m)->offset, 0);
  assert_true(o->n < 64);
  o->given[o->n++] = m;
  return (void *)rp_vk_block_of(&m)->buffer;
}

static void take_back(void *user, void *memory, uint64_t bytes) {
  owner *o = user;
  uint32_t i = 0;
  (void)bytes;
  while (i < o->n && (void *)rp_vk_block_of(&o->given[i])->buffer != memory) i++;
  assert_true(i < o->n);
  rp_vk_memory_free(o->vk, &o->given[i]);
  o->given[i] = o->given[--o->n];
}

static void lock(void *user, void *queue) {
  owner *o = user;
  assert_ptr_equal(queue, o->vk->queue);
  assert_int_equal(o->locked++, 0);
  o->locks++;
}

static void unlock(void *user, void *queue) {
  owner *o = user;
  assert_ptr_equal(queue, o->vk->queue);
  assert_int_equal(--o->locked, 0);
}

static void a_device_of_the_callers(void **state) {
  (void)state;
  bench own, b;
  uint64_t in[N];
  rp_error err = {0};
  rp_vk_features features;
  bench_open(&own);
  owner o = {.vk = own.device->state};
  rp_vk_wanted_features(&features, o.vk->int64);
  const rp_device_options options = {.struct_size = sizeof options,
                                     .kind = RP_DEVICE_VULKAN,
                                     .native = {o.vk->instance, o.vk->adapter, o.vk->device, o.vk->queue},
                                     .native_index = o.vk->family};
  const rp_host_device host = {.struct_size = sizeof host,
                               .allocator = {.user = &o, .alloc = lend, .free = take_back},
                               .vulkan_features = &features.first,
                               .lock_user = &o,
                               .lock_queue = lock,
                               .unlock_queue = unlock};
  EXPECT(RP_OK, rp_context_create(NULL, &b.context, &err), &err);
  EXPECT(RP_OK, rp_device_open_for(b.context, &options, &host, &b.device, &err), &err);
  assert_int_equal(((rp_vk *)b.device->state)->int64, o.vk->int64);
  line l = make(&b, 1, RP_SECRET, 0);
  assert_true(o.n > 0);
  fill(in, 1);
  rp_run *run = begin(&l, in);
  const uint64_t locks = o.locks;
  submit(run, (rp_submit_options){0});
  assert_int_equal(o.locks, locks + 1);
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  check(run, l.out, in, 2);
  rp_run_end(run);
  drop(&l);
  assert_int_equal(o.n, 0);
  rp_device_close(b.device);
  rp_context_destroy(b.context);
  bench_close(&own);
}

void features_are_read(void **state); /* connected_features.c */

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chained_with_one_wait),         cmocka_unit_test(resident_values),
      cmocka_unit_test(runs_in_the_programs_commands), cmocka_unit_test(batches_and_the_wrong_order),
      cmocka_unit_test(a_queue_and_a_callback),        cmocka_unit_test(a_cancelled_run_is_skipped),
      cmocka_unit_test(batches_are_progress),          cmocka_unit_test(refused_submissions),
      cmocka_unit_test(a_device_of_the_callers),       cmocka_unit_test(features_are_read),
  };
  return cmocka_run_group_tests_name("connected with Vulkan", tests, NULL, NULL);
}
