/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One product over several devices, split by points: each device sorts and sums its own, and the fastest one adds what
 * the others send, a point each. All of it is one graph for the group of the devices.
 */
#include "msm.h"
#include "points.h"
#include "range.h"

#include <stdbool.h>
#include <string.h>

/* The part of one device, an accumulator on the fastest; RP_NO_VALUE if it has no points. */
static rp_value part(msm_points *p, const graphs_shares *shares, uint32_t index, const uint8_t *points,
                     const rp_msm_group_options *o) {
  rp_graph *g = p->graph;
  const rp_curve_host *curve = p->curve;
  const graphs_range r = graphs_range_of(p->n, shares, index, 1);
  rp_device_info info = {.struct_size = sizeof info};
  if (!r.count) return RP_NO_VALUE;
  rp_device_get_info(rp_group_device(p->devices, index), &info);
  const bool tables = o->tables && info.kind != RP_DEVICE_CPU; /* on the CPU they cost more than they save */
  rp_msm_options m = {.struct_size = sizeof m, .window_bits = o->window_bits};
  if (tables && !m.window_bits) m.window_bits = rp_msm_window_bits(info.kind, curve->id, r.count, 1);
  if (tables) m.precompute = rp_msm_windows(curve->id, m.window_bits);
  (void)rp_on(g, index);
  const rp_value bases = rp_graph_constant(g, "points", rp_type_affine(curve->id), r.count,
                                           points + r.first * curve->affine_bytes, RP_BORROW);
  const rp_value sum = rp_msm(g, rp_slice(g, p->scalars, r.first, r.count), bases, &m);
  (void)rp_on(g, shares->home);
  return rp_copy_to(g, sum, shares->home);
}

static rp_status build(msm_points *p, const void *points, const rp_msm_group_options *o, rp_error *err) {
  rp_value sums[RP_GROUP_MOST];
  uint32_t n = 0;
  graphs_shares shares;
  rp_status st = graphs_shares_of(p->devices, &shares, err);
  if (st == RP_OK) st = rp_graph_create(rp_device_context(p->devices), "msm", &p->graph, err);
  if (st != RP_OK) return st;
  (void)rp_on(p->graph, shares.home);
  p->scalars = rp_graph_input(p->graph, "scalars", &RP_TYPE_U256, p->n, RP_SECRET);
  for (uint32_t i = 0; i < rp_group_size(p->devices); i++) {
    const rp_value sum = part(p, &shares, i, points, o);
    if (sum.id) sums[n++] = sum;
  }
  p->sum = rp_to_affine(p->graph, rp_tree_reduce(p->graph, rp_concat(p->graph, sums, n), 0));
  rp_graph_output(p->graph, "sum", p->sum, 0);
  st = graphs_built(p->graph, err);
  return st == RP_OK ? rp_record(p->devices, p->graph, NULL, &p->recording, err) : st;
}

rp_status msm_points_open(rp_device *const *devices, uint32_t n_devices, const rp_curve_host *curve, const void *points,
                          uint64_t n, const rp_msm_group_options *options, msm_points *p, rp_error *err) {
  *p = (msm_points){.curve = curve, .n = n};
  rp_status st = rp_group_open(rp_device_context(devices[0]), devices, n_devices, &p->devices, err);
  if (st == RP_OK) st = build(p, points, options, err);
  if (st != RP_OK) msm_points_close(p);
  return st;
}

void msm_points_close(msm_points *p) {
  rp_recording_destroy(p->recording);
  rp_graph_destroy(p->graph);
  rp_device_release(p->devices);
  *p = (msm_points){0};
}

typedef struct job {
  const msm_points *points;
  const void *scalars;
  void *result;
} job;

static rp_status set(void *user, rp_run *run) {
  const job *j = user;
  return rp_run_set_input(run, j->points->scalars, j->scalars, j->points->n * MSM_SCALAR_BYTES);
}

static void take(void *user, rp_run *run) {
  const job *j = user;
  memcpy(j->result, rp_run_output(run, j->points->sum), j->points->curve->affine_bytes);
}

rp_status msm_points_run(const msm_points *p, const void *scalars, void *result, rp_error *err) {
  job j = {p, scalars, result};
  return graphs_run(p->recording, &(graphs_job){.set = set, .take = take, .user = &j}, NULL, err);
}
