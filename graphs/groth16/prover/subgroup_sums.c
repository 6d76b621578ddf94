/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "subgroup_sums.h"

#include "formats/fail.h"

static rp_value bucket_sums(g16_sums *s, rp_value points) {
  rp_graph *g = s->graph;
  const rp_value scalars = rp_graph_constant(g, "scalars", &RP_TYPE_U256, s->chunk, s->scalars, RP_BORROW);
  rp_buckets rows = rp_bucket_matrix(g, scalars,
                                     &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options),
                                                          .curve = s->curve->id,
                                                          .window_bits = s->window_bits});
  rows = rp_bucket_range(g, &rows, 0, s->windows);
  const rp_value sums = rp_bucket_accumulate(g, &rows, points);
  return s->on_device ? rp_to_affine(g, sums) : sums;
}

rp_status g16_sums_open(g16_sums *s, rp_error *err) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(s->device, &info);
  /* The CPU's sums are already normalised, so that converting one is a copy. */
  s->on_device = s->affine && info.kind != RP_DEVICE_CPU;
  s->buckets = s->windows == 0 ? 0 : 1u << (s->window_bits - 1);
  rp_status status = rp_graph_create(s->context, "subgroup", &s->graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = s->graph;
  s->points = rp_graph_input(g, "points", rp_type_affine(s->curve->id), s->chunk, 0);
  const rp_value points = s->on_curve ? rp_point_check(g, s->points, 0) : s->points;
  s->out = s->windows == 0 ? rp_slice(g, points, 0, 1) : bucket_sums(s, points);
  rp_graph_output(g, "sums", s->out, 0);
  status = graphs_built(g, err);
  const rp_record_options record = {.struct_size = sizeof record, .max_in_flight = 1};
  return status == RP_OK ? rp_record(s->device, g, &record, &s->recording, err) : status;
}

void g16_sums_close(g16_sums *s) {
  if (s->run) rp_run_end(s->run);
  rp_recording_destroy(s->recording);
  rp_graph_destroy(s->graph);
  rp_context_free(s->scalars);
}

rp_status g16_sums_put(g16_sums *s, const uint8_t *point, rp_error *err) {
  if (!s->run) {
    const rp_status status = rp_run_begin(s->recording, UINT64_MAX, &s->run, err);
    if (status != RP_OK) return status;
    s->staging = rp_run_input(s->run, s->points);
  }
  memcpy(s->staging + s->filled++ * s->curve->affine_bytes, point, s->curve->affine_bytes);
  return RP_OK;
}

rp_status g16_sums_run(g16_sums *s, rp_error *err) {
  const uint32_t bytes = s->curve->affine_bytes;
  memset(s->staging + s->filled * bytes, 0, (s->chunk - s->filled) * bytes);
  rp_status status = rp_run_submit(s->run);
  if (status == RP_OK) status = rp_run_wait(s->run, UINT64_MAX);
  if (status != RP_OK && err) *err = *rp_run_error(s->run);
  return status;
}

void g16_sums_end(g16_sums *s) {
  rp_run_end(s->run);
  s->run = NULL;
  s->filled = 0;
}

const uint8_t *g16_sums_accumulators(const g16_sums *s) { return rp_run_output(s->run, s->out); }

const uint8_t *g16_sums_affine(const g16_sums *s, uint64_t i, void *room) {
  const rp_curve_host *curve = s->curve;
  const uint8_t *sums = rp_run_output(s->run, s->out), *sum = sums + i * curve->accumulator_bytes;
  g16_g2 normal[2]; /* an accumulator has the size of two affine points */
  if (s->on_device) return sums + i * curve->affine_bytes;
  curve->acc_from_affine(normal, sum);
  if (memcmp(sum + curve->affine_bytes, (uint8_t *)normal + curve->affine_bytes, curve->affine_bytes) == 0) return sum;
  curve->acc_to_affine(room, sum);
  return room;
}
