/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A graph in a file. `saved_graph FILE [PAGE]` builds a graph, runs it and saves it; then it forgets the graph, loads
 * it as another program on another machine would, runs it on the best device that is there, and prints both results. A
 * table of constants lies in FILE.data, which the second program maps. PAGE, such as sum.html, shows the graph. */

#include <reprise/ops.h>
#include <reprise/page.h>
#include <reprise/save.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 8 };

static void need(rp_status status, const rp_error *err) {
  if (status == RP_OK) return;
  fprintf(stderr, "%s: %s\n", rp_status_name(status), err->reason);
  exit(1);
}

/* y[i] = x[i] * weight[i], and the sum of all y. */
static rp_graph *build(rp_context *context) {
  static const uint64_t weights[N] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  rp_error err = {0};
  rp_graph *g;
  need(rp_graph_create(context, "weighted sum", &g, &err), &err);
  const rp_type *goldilocks = rp_type_field(RP_FIELD_GOLDILOCKS); /* plain integers below 2^64 - 2^32 + 1 */
  const rp_value x = rp_graph_input(g, "x", goldilocks, N, 0);
  rp_scope_begin(g, "weigh");
  rp_scope_title(g, "Weighted sum: %d elements", N);
  const rp_value y = rp_mul(g, x, rp_graph_constant(g, "weights", goldilocks, N, weights, 0));
  rp_graph_output(g, "sum", rp_sum(g, y), 0);
  rp_scope_end(g);
  return g;
}

/* Inputs and outputs are found by their names, so that nothing of the program that built the graph is needed. */
static uint64_t run(rp_device *device, const rp_graph *g) {
  static const uint64_t x[N] = {8, 7, 6, 5, 4, 3, 2, 1};
  const rp_replay_input in = {.name = "x", .data = x, .size_bytes = sizeof x};
  uint64_t sum = 0;
  const rp_replay_output out = {.name = "sum", .data = &sum, .size_bytes = sizeof sum};
  rp_error err = {0};
  rp_recording *recording;
  need(rp_record(device, g, NULL, &recording, &err), &err);
  need(rp_replay(recording, &in, 1, &out, 1, &err), &err);
  rp_recording_destroy(recording);
  return sum;
}

int main(int argc, char **argv) {
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU};
  const rp_save_options beside = {.struct_size = sizeof beside, .flags = RP_SAVE_BESIDE};
  const rp_load_options map = {.struct_size = sizeof map, .flags = RP_LOAD_MAP};
  rp_context *context;
  rp_device *device;
  rp_error err = {0};
  if (argc != 2 && argc != 3) {
    fprintf(stderr, "usage: saved_graph FILE [PAGE]\n");
    return 2;
  }
  /* One program. */
  need(rp_context_create(NULL, &context, &err), &err);
  need(rp_device_open(context, &cpu, &device, &err), &err);
  rp_graph *g = build(context);
  printf("built:  %llu\n", (unsigned long long)run(device, g));
  need(rp_graph_save(g, argv[1], &beside, &err), &err);
  const rp_view_source view = {.struct_size = sizeof view, .graph = g};
  if (argc > 2) need(rp_view_write(&view, argv[2], &err), &err);
  rp_graph_destroy(g);
  rp_device_close(device);
  rp_context_destroy(context);

  /* Another one. */
  need(rp_context_create(NULL, &context, &err), &err);
  need(rp_device_open(context, NULL, &device, &err), &err);
  need(rp_graph_load(context, argv[1], &map, &g, &err), &err);
  printf("loaded: %llu\n", (unsigned long long)run(device, g));
  rp_graph_destroy(g);
  rp_device_close(device);
  rp_context_destroy(context);
  return 0;
}
