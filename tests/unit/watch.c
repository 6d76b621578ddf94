/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "watch.h"

watch the_watch;

/* ---- The allocator ----------------------------------------------------------------------------------------------- */

static void *counting_alloc(void *user, size_t bytes, size_t align) {
  watch *w = user;
  if (atomic_fetch_sub(&w->fail_host_at, 1) == 0 || (w->most_host_bytes && bytes > w->most_host_bytes)) return NULL;
  void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
  atomic_fetch_add(&w->allocs, 1);
  atomic_fetch_add(&w->live_bytes, bytes);
  return memory;
}

static void counting_free(void *user, void *memory, size_t bytes) {
  watch *w = user;
  atomic_fetch_add(&w->frees, 1);
  atomic_fetch_sub(&w->live_bytes, bytes);
  free(memory);
}

/* ---- The function table of the device ---------------------------------------------------------------------------- */

static void note(rp_memory_kind kind, const rp_memory *memory) {
  watch *w = &the_watch;
  atomic_fetch_add(&w->memory_allocs, 1);
  pthread_mutex_lock(&w->lock);
  assert_true(w->n_memories < WATCH_MEMORIES);
  w->memories[w->n_memories++] = *memory;
  int staging = kind != RP_MEMORY_DEVICE && !w->device->info.limits.host_visible;
  *(staging ? &w->staging_bytes : &w->device_bytes) += memory->bytes;
  if (w->device_bytes > w->peak_bytes) w->peak_bytes = w->device_bytes;
  pthread_mutex_unlock(&w->lock);
}

static rp_status watch_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  watch *w = &the_watch;
  if (atomic_fetch_sub(&w->fail_memory_at, 1) == 0) return rp_fail(err, RP_ERR_DEVICE_MEMORY, "none left (injected)");
  pthread_mutex_lock(&w->lock);
  const int counts = kind == RP_MEMORY_DEVICE || w->device->info.limits.host_visible;
  const int full = counts && w->limit_bytes && w->device_bytes + bytes > w->limit_bytes;
  pthread_mutex_unlock(&w->lock);
  if (full) return rp_fail(err, RP_ERR_DEVICE_MEMORY, "%llu bytes are too many", (unsigned long long)bytes);
  rp_status status = w->inner->memory_alloc(state, kind, bytes, memory, err);
  if (!status) note(kind, memory);
  return status;
}

static rp_status watch_share(void *state, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared, rp_error *err) {
  const rp_status status = the_watch.inner->memory_share(state, bytes, memory, shared, err);
  if (!status) note(RP_MEMORY_DEVICE, memory);
  return status;
}

static rp_status watch_import(void *state, const rp_shared_memory *shared, rp_memory *memory, rp_error *err) {
  const rp_status status = the_watch.inner->memory_import(state, shared, memory, err);
  if (!status) note(RP_MEMORY_DEVICE, memory);
  return status;
}

static void watch_free(void *state, rp_memory *memory) {
  watch *w = &the_watch;
  pthread_mutex_lock(&w->lock);
  uint32_t i = 0;
  while (i < w->n_memories && (w->memories[i].host != memory->host || w->memories[i].address != memory->address)) i++;
  assert_true(i < w->n_memories);
  /* Staging of a device that does not see host memory has no address. */
  int staging = !w->device->info.limits.host_visible && memory->address == 0;
  *(staging ? &w->staging_bytes : &w->device_bytes) -= memory->bytes;
  w->memories[i] = w->memories[--w->n_memories];
  pthread_mutex_unlock(&w->lock);
  w->inner->memory_free(state, memory);
}

static rp_status watch_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                              rp_program **program, rp_error *err) {
  atomic_fetch_add(&the_watch.programs, 1);
  return the_watch.inner->program_create(state, desc, memory, program, err);
}

static rp_status watch_submit(void *state, rp_program *program, const uint64_t *words, uint32_t n,
                              const rp_links *links, rp_error *err) {
  atomic_fetch_add(&the_watch.submits, 1);
  the_watch.priority = links ? links->priority : 0;
  const rp_status status = the_watch.inner->submit(state, program, words, n, links, err);
  rp_run_cancel(the_watch.cancel_in_submit);
  return status;
}

static void watch_cancel(void *state, rp_program *program) {
  atomic_fetch_add(&the_watch.cancels, 1);
  the_watch.inner->cancel(state, program);
}

static rp_status watch_submit_runs(void *state, const rp_start *runs, uint32_t n, const rp_links *links,
                                   rp_error *err) {
  atomic_fetch_add(&the_watch.submissions_of_runs, 1);
  the_watch.priority = runs[n - 1].priority;
  if (the_watch.refuse_runs) return rp_fail(err, RP_ERR_DEVICE_MEMORY, "refused (injected)");
  return the_watch.inner->submit_runs(state, runs, n, links, err);
}

static rp_status watch_wait(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault,
                            rp_error *err) {
  atomic_fetch_add(&the_watch.waits, 1);
  rp_status status = the_watch.inner->wait(state, program, timeout_ns, fault, err);
  if (the_watch.lose_device_at_wait && status != RP_ERR_TIMEOUT)
    return rp_fail(err, RP_ERR_DEVICE_LOST, "fell off the bus (injected)");
  return status;
}

static void watch_wipe(void *state, rp_program *program) {
  atomic_fetch_add(&the_watch.wipes, 1);
  the_watch.inner->wipe(state, program);
}

static rp_backend table;

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

void watch_open_context(void) {
  watch *w = &the_watch;
  memset(w, 0, sizeof *w);
  w->fail_host_at = w->fail_memory_at = -1;
  pthread_mutex_init(&w->lock, NULL);
  rp_context_options o = {.struct_size = sizeof o,
                          .allocator = {.user = w, .alloc = counting_alloc, .free = counting_free}};
  assert_int_equal(rp_context_create(&o, &w->context, NULL), RP_OK);
  assert_int_equal(rp_graph_create(w->context, "watched", &w->graph, NULL), RP_OK);
}

rp_status watch_open_device(const rp_backend *inner, uint64_t budget_bytes, rp_error *err) {
  watch *w = &the_watch;
  rp_device_options o = {.struct_size = sizeof o, .cpu_threads = 2, .memory_budget_bytes = budget_bytes};
  w->inner = inner;
  table = *inner;
  table.memory_alloc = watch_alloc;
  table.memory_free = watch_free;
  if (inner->memory_share) table.memory_share = watch_share, table.memory_import = watch_import;
  table.program_create = watch_create;
  table.submit = watch_submit;
  table.submit_runs = watch_submit_runs;
  table.cancel = watch_cancel;
  table.wait = watch_wait;
  table.wipe = watch_wipe;
  return rp_device_open_with(w->context, &table, &o, &w->device, err);
}

void watch_open(const rp_backend *inner, uint64_t budget_bytes) {
  watch_open_context();
  assert_int_equal(watch_open_device(inner, budget_bytes, NULL), RP_OK);
}

void watch_close(void) {
  watch *w = &the_watch;
  rp_graph_destroy(w->graph);
  rp_device_close(w->device);
  rp_context_destroy(w->context);
  assert_int_equal(w->n_memories, 0);
  assert_int_equal(w->device_bytes, 0);
  assert_int_equal(w->staging_bytes, 0);
  assert_int_equal(w->live_bytes, 0);
  pthread_mutex_destroy(&w->lock);
}

/* ---- Helpers ----------------------------------------------------------------------------------------------------- */

uint64_t watch_find(uint64_t pattern) {
  watch *w = &the_watch;
  uint64_t found = 0, x;
  pthread_mutex_lock(&w->lock);
  for (uint32_t m = 0; m < w->n_memories; m++) {
    const char *p = w->memories[m].host;
    for (uint64_t i = 0; p && i + sizeof x <= w->memories[m].bytes; i += sizeof x) {
      memcpy(&x, p + i, sizeof x);
      found += x == pattern;
    }
  }
  pthread_mutex_unlock(&w->lock);
  return found;
}

int watch_is_wiped(uint64_t pattern) {
  for (uint64_t end = rp_now_ns() + 60000000000u; rp_now_ns() < end;)
    if (watch_find(pattern) == 0) return 1;
  return 0;
}

rp_recording *watch_record(uint32_t max_in_flight, uint32_t flags) {
  rp_error err = {0};
  rp_recording *r = NULL;
  rp_record_options o = {.struct_size = sizeof o, .flags = flags, .max_in_flight = max_in_flight};
  if (rp_record(the_watch.device, the_watch.graph, &o, &r, &err)) fail_msg("%s", err.reason);
  return r;
}

rp_run *watch_run(rp_recording *recording, rp_value input, const void *data, uint64_t bytes, rp_status want) {
  rp_run *run = NULL;
  rp_error err = {0};
  if (rp_run_begin(recording, UINT64_MAX, &run, &err)) fail_msg("%s", err.reason);
  assert_int_equal(rp_run_set_input(run, input, data, bytes), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), want);
  return run;
}
