/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs that are predicted to take long, for tests of what is cut into pieces.
 */
#ifndef REPRISE_TESTS_CUDA_LONG_GRAPH_H
#define REPRISE_TESTS_CUDA_LONG_GRAPH_H

#include "bench.h"

#define MS UINT64_C(1000000)

typedef struct long_graph {
  bench b;
  rp_graph *g;
  rp_recording *recording;
  rp_value x, bit, out; /* x is secret */
} long_graph;

long_graph long_begin(void); /* a device and a graph with two inputs */
/* Every mix and every pause is predicted to take this time; 0: by the model, which says microseconds. */
void long_record(long_graph *l, rp_value out, uint64_t ns, const rp_record_options *options);
void long_end(long_graph *l);

/* from + links x, one dispatch after the other. */
rp_value long_chain(long_graph *l, rp_value from, uint32_t links);

rp_run *long_start(const long_graph *l, const uint64_t x[N], uint32_t bit);
/* The output is to be `factor` x. */
void long_finish(const long_graph *l, rp_run *run, const uint64_t x[N], uint64_t factor);
void long_once(const long_graph *l, uint64_t seed, uint32_t bit, uint64_t factor);
/* Waits for a run that has been cancelled, and ends it. */
void long_expect_cancelled(const long_graph *l, rp_run *run);

#endif
