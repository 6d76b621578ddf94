/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "costs_fixture.h"

#include <reprise/plans.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

costs_fixture the_costs;

/* ---- A device that reports made-up times ------------------------------------------------------------------------- */

/* The time of a kernel: a fixed part, and one per element. */
static const struct {
  const char *kernel;
  uint64_t fixed, each_1024; /* ns; ns per 1024 elements */
} truths[] = {{"toy_scale", 500, 90000}, {"toy_add", 2000, 300}};

static rp_backend table;

uint64_t costs_truth(const char *kernel, uint64_t groups) {
  for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
    if (strcmp(truths[i].kernel, kernel) == 0) return truths[i].fixed + truths[i].each_1024 * groups / 1024;
  return 1000;
}

static rp_status create_program(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                                rp_program **program, rp_error *err) {
  if (desc->flags & RP_RECORD_PROFILE) the_costs.program = desc;
  return rp_backend_cpu.program_create(state, desc, memory, program, err);
}

static uint32_t made_up_times(void *state, const rp_program *program, rp_timing *timings, uint32_t capacity) {
  (void)state, (void)program;
  uint64_t now = 0, ends = 0;
  assert_true(the_costs.program->n_steps <= capacity);
  for (uint32_t s = 0; s < the_costs.program->n_steps; s++) {
    const rp_step *step = &the_costs.program->steps[s];
    if (!the_costs.side_by_side || s == 0 || step->level != the_costs.program->steps[s - 1].level)
      now = ends + COSTS_GAP;
    const uint64_t times = the_costs.slow && strcmp(step->pattern->label, the_costs.slow) == 0 ? 10 : 1;
    const uint64_t ns = times * costs_truth(step->pattern->kernel->name, step->pattern->groups[0]);
    timings[s] = (rp_timing){.step = s, .begin_ns = now, .end_ns = now + ns};
    if (timings[s].end_ns > ends) ends = timings[s].end_ns;
  }
  return the_costs.program->n_steps;
}

static void *counted(void *user, size_t bytes, size_t align) {
  (void)user;
  if (the_costs.fail_at && --the_costs.fail_at == 0) return NULL;
  the_costs.live += bytes;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void counted_free(void *user, void *memory, size_t bytes) {
  (void)user;
  the_costs.live -= memory ? bytes : 0;
  free(memory);
}

static void heard(void *user, rp_log_level level, const char *message) {
  (void)user, (void)level;
  if (strstr(message, "costs")) snprintf(the_costs.last_line, sizeof the_costs.last_line, "%s", message);
}

void costs_open(void) {
  const rp_context_options o = {.struct_size = sizeof o,
                                .log = heard,
                                .log_level = RP_LOG_INFO,
                                .allocator = {.alloc = counted, .free = counted_free}};
  const rp_device_options d = {.struct_size = sizeof d, .cpu_threads = 2};
  table = rp_backend_cpu;
  table.program_create = create_program;
  table.timings = made_up_times;
  the_costs.side_by_side = 0;
  the_costs.slow = NULL;
  the_costs.fail_at = the_costs.live = 0;
  the_costs.last_line[0] = 0;
  assert_int_equal(rp_context_create(&o, &the_costs.context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(the_costs.context, &table, &d, &the_costs.device, NULL), RP_OK);
}

void costs_close(void) {
  rp_device_close(the_costs.device);
  rp_context_destroy(the_costs.context);
  assert_int_equal(the_costs.live, 0);
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

rp_graph *costs_graph(uint64_t len) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_costs.context, "costly", &g, NULL), RP_OK);
  the_costs.in = rp_graph_input(g, "in", &toy_u64, len, 0);
  return g;
}

/* Both kernels, one after the other. */
rp_graph *costs_chain(uint64_t len) {
  rp_graph *g = costs_graph(len);
  rp_graph_output(g, "out", toy_add(g, toy_scale(g, the_costs.in, 3), the_costs.in), 0);
  return g;
}

/* Values that are computed from recent and from earlier ones by cheap and expensive kernels, which `seed` chooses. */
rp_graph *costs_web(uint64_t len, uint32_t seed) {
  enum { VALUES = 40 };
  rp_graph *g = costs_graph(len);
  rp_value v[VALUES], sum = the_costs.in;
  v[0] = the_costs.in;
  for (uint32_t i = 1; i < VALUES; i++) {
    seed = seed * 1664525 + 1013904223;
    const rp_value near = v[i - 1 - (seed >> 8) % (i < 9 ? i : 9)], far = v[(seed >> 16) % i];
    v[i] = seed >> 30 ? toy_scale(g, near, i) : toy_add(g, near, far);
    if (i % 4 == 0) sum = toy_add(g, sum, toy_scale(g, v[i], 5));
  }
  rp_graph_output(g, "out", sum, 0);
  return g;
}

rp_recording *costs_record(const rp_graph *g, uint32_t flags, uint64_t budget) {
  const rp_record_options o = {.struct_size = sizeof o, .flags = flags, .memory_budget_bytes = budget};
  rp_recording *r;
  rp_error err = {0};
  if (rp_record(the_costs.device, g, &o, &r, &err)) fail_msg("%s", err.reason);
  return r;
}

void costs_run(rp_recording *r, uint64_t len) {
  rp_run *run;
  uint64_t *data = calloc(len, sizeof *data);
  assert_int_equal(rp_run_begin(r, UINT64_MAX, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, the_costs.in, data, len * sizeof *data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  rp_run_end(run);
  free(data);
}

int costs_append(void *user, const char *text, size_t n) {
  costs_bytes *b = user;
  assert_true(b->n + n <= COSTS_ROOM);
  memcpy(b->data + b->n, text, n);
  b->n += n;
  return 0;
}

/* Measures the chain of each length, all in one table. */
void costs_keep_chains(const uint64_t *lens, uint32_t n, costs_bytes *b) {
  rp_recording *r[4] = {0};
  rp_graph *g[4];
  rp_error err = {0};
  for (uint32_t i = 0; i < n; i++) {
    g[i] = costs_chain(lens[i]);
    r[i] = costs_record(g[i], RP_RECORD_PROFILE, 0);
    costs_run(r[i], lens[i]);
  }
  b->n = 0;
  if (rp_costs_keep(r, n, costs_append, b, &err)) fail_msg("%s", err.reason);
  for (uint32_t i = 0; i < n; i++) {
    rp_recording_destroy(r[i]);
    rp_graph_destroy(g[i]);
  }
}

void costs_use(rp_graph *g, const costs_bytes *b) {
  rp_error err = {0};
  if (rp_costs_use(g, b->data, b->n, &err)) fail_msg("%s", err.reason);
}
