/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "call_chains.h"

#include <reprise/call.h>

#include <stdio.h>
#include <time.h>

enum { CHAIN_LEN = 32 }; /* 256 bytes, so that slices are views */

/* Processor time of this thread, which builds and plans alone. */
static uint64_t thread_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static rp_value one_node(rp_graph *g, uint32_t i, rp_value x, rp_value y) {
  return i % 2 ? toy_scale(g, x, 3) : toy_add(g, x, y);
}

static rp_graph *make_body(uint32_t nodes) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_watch.context, "body", &g, NULL), RP_OK);
  rp_value x = rp_graph_input(g, "x", &toy_u64, CHAIN_LEN, 0), y = rp_graph_input(g, "y", &toy_u64, CHAIN_LEN, 0);
  for (uint32_t i = 0; i < nodes; i++) x = one_node(g, i, x, y);
  rp_graph_output(g, "x", x, 0);
  return g;
}

static void make_chain(rp_graph *g, const rp_graph *body, uint32_t nodes, uint32_t calls) {
  rp_value x = rp_graph_input(g, "x", &toy_u64, CHAIN_LEN, 0);
  const rp_value all = rp_graph_input(g, "y", &toy_u64, (uint64_t)calls * CHAIN_LEN, 0);
  for (uint32_t i = 0; i < calls; i++) {
    const rp_value y = toy_slice(g, all, (uint64_t)i * CHAIN_LEN, CHAIN_LEN);
    for (uint32_t n = 0; n < nodes && !body; n++) x = one_node(g, n, x, y);
    if (body)
      x = rp_call(g, "loop", body, (rp_call_port[]){{"x", x}, {"y", y}}, 2, &(rp_call_port){"x", RP_NO_VALUE}, 1);
  }
  rp_graph_output(g, "x", x, 0);
}

chain_cost chain_measure(const rp_backend *backend, uint32_t nodes, uint32_t calls, bool by_call) {
  watch_open(backend, 0);
  rp_graph *body = by_call ? make_body(nodes) : NULL;
  rp_plan_info info = {.struct_size = sizeof info};
  rp_recording *r = NULL;
  const uint64_t bytes = atomic_load(&the_watch.live_bytes), begin = thread_ns();
  make_chain(the_watch.graph, body, nodes, calls);
  const uint64_t built = thread_ns(), graph_bytes = atomic_load(&the_watch.live_bytes) - bytes;
  chain_cost c = {.status = rp_record(the_watch.device, the_watch.graph, NULL, &r, NULL)};
  const uint64_t recorded = thread_ns();
  rp_recording_get_plan(r, &info);
  if (!c.status)
    c = (chain_cost){.dispatches = info.dispatches,
                     .graph_bytes = graph_bytes,
                     .recording_bytes = atomic_load(&the_watch.live_bytes) - bytes - graph_bytes,
                     .arena_bytes = info.arena_bytes,
                     .build_ns = built - begin,
                     .record_ns = recorded - built};
  rp_recording_destroy(r);
  if (body) rp_graph_destroy(body);
  watch_close();
  return c;
}

void chain_table(const rp_backend *backend) {
  static const uint32_t nodes[] = {10, 100, 1000}, calls[] = {1, 100, 1000, 10000};
  printf("| nodes | calls | | graph, KB per call | recording, KB per call | arena, KB | build, ms | record, ms |\n");
  for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++)
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
      for (int by_call = 0; by_call < 2; by_call++) {
        const chain_cost c = chain_measure(backend, nodes[n], calls[k], by_call);
        printf("| %u | %u | %s | ", nodes[n], calls[k], by_call ? "calls" : "by hand");
        if (c.status)
          printf("refused | | | | |\n");
        else
          printf("%.2f | %.2f | %.1f | %.2f | %.2f |\n", (double)c.graph_bytes / 1e3 / calls[k],
                 (double)c.recording_bytes / 1e3 / calls[k], (double)c.arena_bytes / 1e3, (double)c.build_ns / 1e6,
                 (double)c.record_ns / 1e6);
      }
}
