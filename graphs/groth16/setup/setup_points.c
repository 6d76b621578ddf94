/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "setup_points.h"

#include "formats/fail.h"

rp_status g16_multiples_init(rp_context *context, rp_device *device, rp_curve curve, uint64_t block, g16_multiples *m,
                             rp_error *err) {
  const rp_curve_host *host = rp_curve_get(curve);
  uint64_t generator[24];
  host->generator(generator);
  *m = (g16_multiples){.block = block, .point_bytes = host->affine_bytes};
  rp_status status = rp_graph_create(context, "setup", &m->graph, err);
  if (status != RP_OK) return status;
  rp_value base = rp_graph_constant(m->graph, "generator", rp_type_affine(curve), 1, generator, 0);
  rp_fixed_base table = rp_fixed_base_table(m->graph, base, 0);
  m->scalars = rp_graph_input(m->graph, "scalars", &RP_TYPE_U256, block, RP_SECRET);
  m->points = rp_to_affine(m->graph, rp_fixed_base_mul(m->graph, &table, m->scalars));
  rp_graph_output(m->graph, "points", m->points, 0);
  status = rp_record(device, m->graph, NULL, &m->recording, err);
  if (status != RP_OK) g16_multiples_free(m);
  return status;
}

void g16_multiples_free(g16_multiples *m) {
  rp_recording_destroy(m->recording);
  rp_graph_destroy(m->graph);
  *m = (g16_multiples){0};
}

rp_status g16_multiples_run(g16_multiples *m, const uint8_t *scalars, uint64_t n, rp_run **out, const uint8_t **points,
                            rp_error *err) {
  rp_run *run;
  *out = NULL;
  rp_status status = rp_run_begin(m->recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  uint8_t *input = rp_run_input(run, m->scalars);
  if (input) {
    memcpy(input, scalars, n * 32);
    memset(input + n * 32, 0, (m->block - n) * 32);
  }
  status = input ? rp_run_submit(run) : RP_ERR_INTERNAL;
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status == RP_OK && (*points = rp_run_output(run, m->points))) {
    *out = run;
    return RP_OK;
  }
  if (err) *err = *rp_run_error(run);
  rp_run_end(run);
  return status == RP_OK ? RP_ERR_INTERNAL : status;
}
