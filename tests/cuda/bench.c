/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include "cost_table.h"

#include <reprise/plans.h>

#include <stdio.h>

void check_status(rp_status expected, rp_status status, const rp_error *err, const char *file, int line) {
  if (status == expected) return;
  print_error("%s instead of %s: %s\n", rp_status_name(status), rp_status_name(expected), err ? err->reason : "");
  _fail(file, line);
}

rp_status bench_try(bench *b, uint32_t index, uint64_t budget_bytes, rp_error *err) {
  const rp_context_options context = {.struct_size = sizeof context, .allocator = interpose_allocator()};
  const rp_device_options device = {
      .struct_size = sizeof device, .kind = RP_DEVICE_CUDA, .index = index, .memory_budget_bytes = budget_bytes};
  *b = (bench){0};
  rp_status status = rp_context_create(&context, &b->context, err);
  return status ? status : rp_device_open(b->context, &device, &b->device, err);
}

int bench_absent(void) {
  bench b;
  rp_error err = {0};
  const rp_status status = bench_try(&b, 0, 0, &err);
  if (status) printf("SKIP: %s\n", err.reason);
  bench_close(&b);
  return status != RP_OK;
}

void bench_open(bench *b, uint32_t index, uint64_t budget_bytes) {
  rp_error err = {0};
  EXPECT(RP_OK, bench_try(b, index, budget_bytes, &err), &err);
}

void bench_close(bench *b) {
  rp_device_close(b->device);
  rp_context_destroy(b->context);
  *b = (bench){0};
}

void bench_predict(const bench *b, rp_graph *graph, uint64_t ns) {
  static const char *const kernels[] = {"toy_check", "toy_mix", "toy_pause"};
  enum { KERNELS = sizeof kernels / sizeof *kernels };
  rp_cost_entry entries[KERNELS];
  size_t bytes;
  rp_error err = {0};
  for (int i = 0; i < KERNELS; i++) entries[i] = (rp_cost_entry){.kernel = kernels[i], .label = "", .ns = ns};
  const rp_cost_table t = {
      .kind = RP_DEVICE_CUDA, .device = rp_kept_device_of(b->device), .factor = 1, .entries = entries, .n = KERNELS};
  unsigned char *data = rp_cost_table_bytes(b->context, &t, &bytes);
  assert_non_null(data);
  EXPECT(RP_OK, rp_costs_use(graph, data, bytes, &err), &err);
  rp_host_free(b->context, data, bytes);
}

rp_status work_try(bench *b, work *w, uint32_t key, uint32_t flags, uint32_t pause_us, const rp_record_options *options,
                   rp_error *err) {
  uint64_t keys[N];
  for (uint64_t i = 0; i < N; i++) keys[i] = key * i;
  *w = (work){.key = key};
  rp_status status = rp_graph_create(b->context, "toy", &w->graph, err);
  if (status) return status;
  rp_graph *g = w->graph;
  w->in = rp_graph_input(g, "witness", &toy_u64, N, flags);
  rp_value constant = rp_graph_constant(g, "key", &toy_u64, N, keys, 0);
  rp_scope_begin(g, "prove");
  rp_value table = toy_mix(g, constant, constant, 2); /* computed once */
  rp_value checked = toy_check(g, w->in, BAD);
  rp_value left = toy_mix(g, checked, table, 5), right = toy_mix(g, checked, table, 7);
  rp_value sum = toy_mix(g, left, right, 1);
  w->out = toy_mix(g, table, sum, 1);
  if (pause_us) w->out = toy_pause(g, w->out, pause_us);
  rp_scope_end(g);
  rp_graph_output(g, "proof", w->out, flags & ~(uint32_t)RP_SECRET);
  return rp_record(b->device, g, options, &w->recording, err);
}

void work_make(bench *b, work *w, uint32_t key, uint32_t slots) {
  rp_error err = {0};
  const rp_record_options options = {.struct_size = sizeof options, .max_in_flight = slots};
  EXPECT(RP_OK, work_try(b, w, key, RP_SECRET, 0, &options, &err), &err);
}

void work_drop(work *w) {
  rp_recording_destroy(w->recording);
  rp_graph_destroy(w->graph);
  *w = (work){0};
}

void work_fill(uint64_t in[N], uint64_t seed) {
  for (uint64_t i = 0; i < N; i++) in[i] = (seed + 1) * 0x9e3779b97f4a7c15u ^ i * 0xc2b2ae3d27d4eb4fu;
}

void work_check(const work *w, const uint64_t in[N], const uint64_t *out) {
  assert_non_null(out);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(out[i], 12 * in[i] + 9 * w->key * i);
}

rp_run *work_start(const work *w, const uint64_t in[N]) {
  rp_error err = {0};
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(w->recording, UINT64_MAX, &run, &err), &err);
  EXPECT(RP_OK, rp_run_set_input(run, w->in, in, BYTES), rp_run_error(run));
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
  return run;
}

void work_finish(const work *w, rp_run *run, const uint64_t in[N]) {
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  work_check(w, in, rp_run_output(run, w->out));
  rp_run_end(run);
}

void work_once(const work *w, uint64_t seed) {
  uint64_t in[N];
  work_fill(in, seed);
  work_finish(w, work_start(w, in), in);
}
