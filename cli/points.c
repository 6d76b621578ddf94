/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The plans of a Groth16 key between fast and small: device memory against predicted time, for `reprise info --points`.
 */
#include "points.h"

#include "formats/fail.h"
#include "groth16/prover/graph.h"

#include <reprise/plans.h>

#include <stdlib.h>

enum { MOST_POINTS = 256 };

typedef struct plans {
  cli_point points[2 * MOST_POINTS];
  uint32_t n;
} plans;

static int is_gpu(const cli_session *session) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(session->device, &info);
  return info.kind == RP_DEVICE_CUDA || info.kind == RP_DEVICE_VULKAN;
}

/* Adds the points of one graph: that with tables of multiples of the key's points, or that without. As a prover does,
 * those with tables come first: of the others only those that take less memory are ever used. */
static rp_status add(const cli_session *session, const rp_record_options *options, int tables, plans *all,
                     rp_error *err) {
  rp_plan_point found[MOST_POINTS] = {{.struct_size = sizeof *found}};
  g16_graph graph = {0};
  uint32_t n = 0;
  rp_status status = g16_graph_build(session->key, session->device, tables, &graph, err);
  if (status == RP_OK) status = rp_plan_points(session->device, graph.graph, options, found, MOST_POINTS, &n, err);
  rp_graph_destroy(graph.graph);
  const uint64_t below = all->n ? all->points[all->n - 1].plan.total_bytes : UINT64_MAX;
  for (uint32_t i = 0; status == RP_OK && i < n && i < MOST_POINTS; i++)
    if (found[i].total_bytes < below) all->points[all->n++] = (cli_point){found[i], tables};
  return status;
}

static json_t *describe(const cli_point *p) {
  const rp_plan_point *plan = &p->plan;
  return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b}", "total_bytes", (json_int_t)plan->total_bytes,
                   "predicted_ns", (json_int_t)plan->predicted_ns, "constant_bytes", (json_int_t)plan->constant_bytes,
                   "arena_bytes", (json_int_t)plan->arena_bytes, "dispatches", (json_int_t)plan->dispatches, "levels",
                   (json_int_t)plan->levels, "memory_level", (json_int_t)plan->memory_level, "tables", p->tables);
}

rp_status cli_points(const cli_session *session, uint32_t in_flight, int tables, json_t **points, rp_error *err) {
  const rp_record_options options = {.struct_size = sizeof options, .max_in_flight = in_flight};
  plans *all = calloc(1, sizeof *all);
  if (!all) return graphs_fail(err, RP_ERR_MEMORY, "out of memory for the list of plans");
  rp_status status = tables && is_gpu(session) ? add(session, &options, 1, all, err) : RP_OK;
  if (status == RP_OK) status = add(session, &options, 0, all, err);
  if (status == RP_OK) *points = json_array();
  for (uint32_t i = 0; status == RP_OK && i < all->n; i++) json_array_append_new(*points, describe(&all->points[i]));
  free(all);
  return status;
}

static long long number(const json_t *point, const char *name) {
  return (long long)json_integer_value(json_object_get(point, name));
}

void cli_points_csv(const json_t *points) {
  size_t i;
  const json_t *p;
  puts("total_bytes,predicted_ns,constant_bytes,arena_bytes,dispatches,levels,memory_level,tables");
  json_array_foreach(points, i, p)
      printf("%lld,%lld,%lld,%lld,%lld,%lld,%lld,%d\n", number(p, "total_bytes"), number(p, "predicted_ns"),
             number(p, "constant_bytes"), number(p, "arena_bytes"), number(p, "dispatches"), number(p, "levels"),
             number(p, "memory_level"), json_is_true(json_object_get(p, "tables")));
}

void cli_points_text(const json_t *points) {
  size_t i;
  const json_t *p;
  char bytes[32], time[32];
  printf("%12s  %14s  %6s  %12s  %s\n", "memory", "predicted time", "levels", "memory level", "tables");
  json_array_foreach(points, i, p)
      printf("%12s  %14s  %6lld  %12lld  %s\n", cli_bytes_text((uint64_t)number(p, "total_bytes"), bytes),
             cli_time_text((uint64_t)number(p, "predicted_ns"), time), number(p, "levels"), number(p, "memory_level"),
             json_is_true(json_object_get(p, "tables")) ? "yes" : "no");
}
