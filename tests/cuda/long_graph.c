/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "long_graph.h"

#ifdef FAKE_CUDA
#include "fake_cuda.h"
#endif

long_graph long_begin(void) {
  long_graph l = {0};
#ifdef FAKE_CUDA
  fake_reset();
  toy_register();
#endif
  bench_open(&l.b, 0, 0);
  EXPECT(RP_OK, rp_graph_create(l.b.context, "long", &l.g, NULL), NULL);
  l.x = rp_graph_input(l.g, "x", &toy_u64, N, RP_SECRET);
  l.bit = rp_graph_input(l.g, "bit", &toy_u32, 1, 0);
  return l;
}

void long_record(long_graph *l, rp_value out, uint64_t ns, const rp_record_options *options) {
  rp_error err = {0};
  l->out = out;
  rp_graph_output(l->g, "out", out, 0);
  if (ns) bench_predict(&l->b, l->g, ns);
  EXPECT(RP_OK, rp_record(l->b.device, l->g, options, &l->recording, &err), &err);
}

void long_end(long_graph *l) {
  rp_recording_destroy(l->recording);
  rp_graph_destroy(l->g);
  bench_close(&l->b);
#ifdef FAKE_CUDA
  if (fake_violation()) fail_msg("%s", fake_violation());
  assert_int_equal(fake_live("graph") + fake_live("exec"), 0);
#endif
}

rp_value long_chain(long_graph *l, rp_value from, uint32_t links) {
  for (uint32_t i = 0; i < links; i++) from = toy_mix(l->g, from, l->x, 1);
  return from;
}

rp_run *long_start(const long_graph *l, const uint64_t x[N], uint32_t bit) {
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(l->recording, UINT64_MAX, &run, NULL), NULL);
  EXPECT(RP_OK, rp_run_set_input(run, l->x, x, BYTES), rp_run_error(run));
  EXPECT(RP_OK, rp_run_set_input(run, l->bit, &bit, sizeof bit), rp_run_error(run));
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
  return run;
}

void long_finish(const long_graph *l, rp_run *run, const uint64_t x[N], uint64_t factor) {
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  const uint64_t *got = rp_run_output(run, l->out);
  for (int e = 0; e < N; e++) assert_int_equal(got[e], factor * x[e]);
  rp_run_end(run);
}

void long_once(const long_graph *l, uint64_t seed, uint32_t bit, uint64_t factor) {
  uint64_t x[N];
  work_fill(x, seed);
  long_finish(l, long_start(l, x, bit), x, factor);
}

void long_expect_cancelled(const long_graph *l, rp_run *run) {
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_CANCELLED);
  assert_null(rp_run_output(run, l->out));
  rp_run_end(run);
}
