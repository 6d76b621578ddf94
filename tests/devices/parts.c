/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "parts.h"

#include "backends/cpu/cpu.h"

#include <time.h>

parts the_parts;

static const rp_backend *const cpu = &rp_backend_cpu;
static rp_backend tables[3];

/* ---- What stands between the engine and the CPU ------------------------------------------------------------------ */

static rp_status alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  parts *p = &the_parts;
  const rp_status status = cpu->memory_alloc(state, kind, bytes, memory, err);
  if (status) return status;
  memset(memory->host, 0xa5, bytes); /* nothing may rely on zeros */
  pthread_mutex_lock(&p->lock);
  assert_true(p->n_memories < sizeof p->memories / sizeof *p->memories);
  p->memories[p->n_memories++] = *memory;
  pthread_mutex_unlock(&p->lock);
  return RP_OK;
}

static void release(void *state, rp_memory *memory) {
  parts *p = &the_parts;
  pthread_mutex_lock(&p->lock);
  uint32_t i = 0;
  while (i < p->n_memories && p->memories[i].host != memory->host) i++;
  assert_true(i < p->n_memories);
  p->memories[i] = p->memories[--p->n_memories];
  pthread_mutex_unlock(&p->lock);
  cpu->memory_free(state, memory);
}

/* Copies as a driver does: each arrival waits for the run that computes its data. */
static rp_status arrive(const rp_links *links, rp_error *err) {
  for (uint32_t i = 0; links && i < links->n_arrivals; i++) {
    const rp_arrival *a = &links->arrivals[i];
    rp_error_record fault;
    const int waits = a->from && !a->arrived;
    const rp_status status = waits ? cpu->wait(a->from_state, a->from, UINT64_MAX, &fault, err) : RP_OK;
    if (status) return status;
    const void *from = a->from ? (const void *)(uintptr_t)a->from_address : a->from_host;
    memcpy((void *)(uintptr_t)a->to_address, from, a->bytes);
    atomic_fetch_add(&the_parts.arrivals, 1);
  }
  return RP_OK;
}

static rp_status submit(void *state, rp_program *program, const uint64_t *words, uint32_t n, const rp_links *links,
                        rp_error *err) {
  atomic_fetch_add(&the_parts.submissions, 1);
  if (atomic_fetch_sub(&the_parts.fails_at, 1) == 0) return rp_fail(err, RP_ERR_INTERNAL, "refused (injected)");
  const rp_status status = arrive(links, err);
  return status ? status : cpu->submit(state, program, words, n, links, err);
}

/* Like a driver that wipes as soon as a run ends, unless later runs read what it leaves (rp_links.keeps). */
static rp_status submit_and_wipe(void *state, rp_program *program, const uint64_t *words, uint32_t n,
                                 const rp_links *links, rp_error *err) {
  rp_error_record fault;
  rp_status status = submit(state, program, words, n, links, err);
  if (status || (links && links->keeps)) return status;
  status = cpu->wait(state, program, UINT64_MAX, &fault, err);
  const cpu_wipe_args *secret = &program->wipe_args[1];
  for (uint32_t i = 0; i < secret->n_regions; i++) memset(secret->regions[i].start, 0, secret->regions[i].bytes);
  return status;
}

/* Waits, because the CPU wipes in the background, and data of the next run must not arrive before that is done. */
static void wipe(void *state, rp_program *program) {
  cpu_device *device = state;
  cpu->wipe(state, program);
  const int wiped = cpu_pool_wait(&device->pool, &program->wipe_rest, UINT64_MAX);
  assert_true(wiped);
}

static rp_status wait_done(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault,
                           rp_error *err) {
  const rp_status status = cpu->wait(state, program, timeout_ns, fault, err);
  if (atomic_load(&the_parts.lost) == state && status != RP_ERR_TIMEOUT)
    return rp_fail(err, RP_ERR_DEVICE_LOST, "fell off the bus (injected)");
  return status;
}

static rp_status open_strange(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                              rp_error *err) {
  const rp_status status = cpu->open(context, options, state, info, err);
  info->kind = RP_DEVICE_NULL; /* takes every strategy */
  return status;
}

static bool reaches(void *state, void *other) { return state != other; }
static rp_status await_arrivals(void *state, rp_program *program, rp_error *err) {
  (void)state, (void)program, (void)err;
  return RP_OK; /* they are copied when the run is submitted */
}

static void make_tables(void) {
  for (int i = 0; i < 3; i++) {
    tables[i] = *cpu;
    tables[i].memory_alloc = alloc;
    tables[i].memory_free = release;
    tables[i].submit = submit;
    tables[i].wait = wait_done;
    tables[i].wipe = wipe;
  }
  tables[PART_STRANGE].open = tables[PART_REACHING].open = open_strange;
  tables[PART_STRANGE].name = "strange";
  tables[PART_STRANGE].submit = tables[PART_REACHING].submit = submit_and_wipe;
  tables[PART_REACHING].name = "reaching";
  tables[PART_REACHING].reaches = reaches;
  tables[PART_REACHING].await_arrivals = await_arrivals;
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

void parts_open(const part_kind *kinds, uint32_t n) {
  parts *p = &the_parts;
  rp_error err = {0};
  *p = (parts){.fails_at = -1};
  pthread_mutex_init(&p->lock, NULL);
  make_tables();
  assert_int_equal(rp_context_create(NULL, &p->g.context, NULL), RP_OK);
  for (uint32_t i = 0; i < n; i++) {
    const rp_device_options o = {.struct_size = sizeof o, .cpu_threads = 1 + i % 2};
    if (rp_device_open_with(p->g.context, &tables[kinds[i]], &o, &p->g.devices[i], &err)) fail_msg("%s", err.reason);
    p->g.n++;
  }
  if (rp_group_open(p->g.context, p->g.devices, n, &p->g.all, &err)) fail_msg("%s", err.reason);
}

void parts_close(void) {
  group_close(&the_parts.g);
  assert_int_equal(the_parts.n_memories, 0);
  pthread_mutex_destroy(&the_parts.lock);
}

static uint64_t find(uint64_t pattern) {
  parts *p = &the_parts;
  uint64_t found = 0, x;
  pthread_mutex_lock(&p->lock);
  for (uint32_t m = 0; m < p->n_memories; m++)
    for (uint64_t i = 0; i + sizeof x <= p->memories[m].bytes; i += sizeof x) {
      memcpy(&x, (const char *)p->memories[m].host + i, sizeof x);
      found += x == pattern;
    }
  pthread_mutex_unlock(&p->lock);
  return found;
}

uint64_t parts_find(uint64_t pattern) {
  for (int i = 0; i < 6000 && find(pattern); i++) nanosleep(&(struct timespec){0, 10000000}, NULL);
  return find(pattern);
}

rp_graph *parts_graph(const char *name) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_parts.g.context, name, &g, NULL), RP_OK);
  return g;
}

rp_recording *parts_record(rp_graph *graph, const rp_record_options *options) {
  rp_recording *r;
  rp_error err = {0};
  if (rp_record(the_parts.g.all, graph, options, &r, &err)) fail_msg("%s", err.reason);
  rp_graph_destroy(graph);
  return r;
}

/* ---- The graph of two devices ------------------------------------------------------------------------------------ */

rp_graph *loop_graph(loop *l, uint64_t limit) {
  rp_graph *g = parts_graph("loop");
  l->in = rp_graph_input(g, "in", &toy_u64, LOOP_N, RP_SECRET);
  const rp_value twice = toy_scale(g, l->in, 2), there = rp_copy_to(g, twice, 1);
  rp_on(g, 1);
  const rp_value checked = toy_scale(g, toy_check(g, there, limit), 3);
  rp_on(g, 0);
  l->out = toy_add(g, toy_scale(g, twice, 5), rp_copy_to(g, checked, 0));
  rp_graph_output(g, "out", l->out, 0);
  return g;
}

loop loop_open(const part_kind *kinds, uint32_t n, uint64_t limit, uint32_t slots) {
  loop l;
  parts_open(kinds, n);
  l.recording = parts_record(loop_graph(&l, limit),
                             &(rp_record_options){.struct_size = sizeof(rp_record_options), .max_in_flight = slots});
  return l;
}

void loop_close(const loop *l) {
  rp_recording_destroy(l->recording);
  parts_close();
}

rp_run *loop_begin(const loop *l, uint64_t first) {
  rp_run *run;
  uint64_t data[LOOP_N];
  rp_error err = {0};
  for (uint64_t i = 0; i < LOOP_N; i++) data[i] = first + i;
  if (rp_run_begin(l->recording, UINT64_MAX, &run, &err)) fail_msg("%s", err.reason);
  assert_int_equal(rp_run_set_input(run, l->in, data, sizeof data), RP_OK);
  return run;
}

void loop_check(rp_run *run, const loop *l, uint64_t first) {
  if (rp_run_wait(run, UINT64_MAX)) fail_msg("%s", rp_run_error(run)->reason);
  const uint64_t *out = rp_run_output(run, l->out);
  assert_non_null(out);
  for (uint64_t i = 0; i < LOOP_N; i++) assert_int_equal(out[i], (first + i) * 16);
}

void loop_run(const loop *l, uint64_t first) {
  rp_run *run = loop_begin(l, first);
  assert_int_equal(rp_run_submit(run), RP_OK);
  loop_check(run, l, first);
  rp_run_end(run);
}
