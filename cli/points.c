/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The plans of a Groth16 key between fast and small: device memory against predicted time, for `reprise info --points`.
 */
#include "points.h"

enum { MOST_POINTS = 256 };

static json_t *describe(const rp_plan_point *plan) {
  return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "total_bytes", (json_int_t)plan->total_bytes, "predicted_ns",
                   (json_int_t)plan->predicted_ns, "constant_bytes", (json_int_t)plan->constant_bytes, "arena_bytes",
                   (json_int_t)plan->arena_bytes, "dispatches", (json_int_t)plan->dispatches, "levels",
                   (json_int_t)plan->levels, "memory_level", (json_int_t)plan->memory_level);
}

rp_status cli_points(const cli_session *session, uint32_t in_flight, bool tables, json_t **points, rp_error *err) {
  const rp_groth16_prover_options options = {
      .struct_size = sizeof options, .max_in_flight = in_flight, .tables = (uint32_t)tables};
  rp_plan_point found[MOST_POINTS] = {{.struct_size = sizeof *found}};
  uint32_t n = 0;
  const rp_status status = rp_groth16_plan_points(session->device, session->key, &options, found, MOST_POINTS, &n, err);
  if (status == RP_OK) *points = json_array();
  for (uint32_t i = 0; status == RP_OK && i < n && i < MOST_POINTS; i++)
    json_array_append_new(*points, describe(&found[i]));
  return status;
}

static long long number(const json_t *point, const char *name) {
  return (long long)json_integer_value(json_object_get(point, name));
}

void cli_points_csv(const json_t *points) {
  puts("total_bytes,predicted_ns,constant_bytes,arena_bytes,dispatches,levels,memory_level");
  for (size_t i = 0; i < json_array_size(points); i++) {
    const json_t *p = json_array_get(points, i);
    printf("%lld,%lld,%lld,%lld,%lld,%lld,%lld\n", number(p, "total_bytes"), number(p, "predicted_ns"),
           number(p, "constant_bytes"), number(p, "arena_bytes"), number(p, "dispatches"), number(p, "levels"),
           number(p, "memory_level"));
  }
}

void cli_points_text(const json_t *points) {
  char bytes[32], time[32];
  printf("%12s  %14s  %6s  %12s\n", "memory", "predicted time", "levels", "memory level");
  for (size_t i = 0; i < json_array_size(points); i++) {
    const json_t *p = json_array_get(points, i);
    printf("%12s  %14s  %6lld  %12lld\n", cli_bytes_text((uint64_t)number(p, "total_bytes"), bytes),
           cli_time_text((uint64_t)number(p, "predicted_ns"), time), number(p, "levels"), number(p, "memory_level"));
  }
}
