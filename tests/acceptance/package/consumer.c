/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Uses the installed library: a context, a graph that multiplies two field vectors, its plan on the CPU. */
#include <reprise/graphs.h>

#include <stdio.h>

int main(void) {
  rp_error err = {0};
  rp_context *context;
  rp_graph *graph;
  rp_device *device;
  rp_plan_info plan = {.struct_size = sizeof plan};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU};

  if (rp_context_create(NULL, &context, &err) != RP_OK) goto failed;
  if (rp_device_open(context, &cpu, &device, &err) != RP_OK) goto failed;
  if (rp_graph_create(context, "consumer", &graph, &err) != RP_OK) goto failed;
  const rp_type *type = rp_type_field(RP_FIELD_BN254_FR);
  rp_value a = rp_graph_input(graph, "a", type, 1000, 0);
  rp_value b = rp_graph_input(graph, "b", type, 1000, 0);
  rp_graph_output(graph, "product", rp_mul(graph, a, b), 0);
  if (rp_plan_query(device, graph, NULL, &plan, &err) != RP_OK) goto failed;
  printf("%u dispatches, %llu bytes\n", plan.dispatches, (unsigned long long)plan.total_bytes);
  rp_graph_destroy(graph);
  rp_device_close(device);
  rp_context_destroy(context);
  return plan.dispatches == 0;
failed:
  fprintf(stderr, "%s: %s\n", rp_status_name(err.status), err.reason);
  return 1;
}
