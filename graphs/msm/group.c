/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One product over several devices, split by windows: Q is the sum over the devices d of 2^(window_bits * first_d) Q_d.
 * Split by points: points.c.
 */
#include "msm.h"
#include "points.h"

#include <string.h>

enum { MOST_DEVICES = 64 };

typedef struct part {
  rp_graph *graph;
  rp_recording *recording;
  rp_value scalars, sum;
  uint32_t first, count; /* windows */
} part;

struct rp_msm_group {
  const rp_curve_host *curve;
  uint64_t n;
  uint32_t n_parts, window_bits;
  part parts[MOST_DEVICES];
  msm_points points; /* split by points: all there is */
};

bool rp_msm_partition(rp_msm_split split, uint32_t windows, uint32_t devices, uint32_t index, uint32_t *first,
                      uint32_t *count) {
  if (!first || !count) return false;
  *first = *count = 0;
  if (!devices || index >= devices || (unsigned)split > RP_MSM_SPLIT_EVEN) return false;
  if (split == RP_MSM_SPLIT_EVEN) {
    const uint32_t each = windows / devices, larger = windows % devices;
    *first = index * each + (index < larger ? index : larger);
    *count = each + (index < larger);
    return true;
  }
  const uint64_t block = ((uint64_t)windows + devices - 1) / devices, begin = index * block;
  *first = begin < windows ? (uint32_t)begin : windows;
  *count = windows - *first < block ? windows - *first : (uint32_t)block;
  return true;
}

/* Builds the whole bucket matrix, of which only the rows of the part's windows are summed. */
static rp_status build(rp_msm_group *g, part *p, uint32_t index, rp_device *device, const void *points,
                       rp_msm_split split, rp_error *err) {
  rp_status st = rp_graph_create(rp_device_context(device), "msm_part", &p->graph, err);
  if (st != RP_OK) return st;
  p->scalars = rp_graph_input(p->graph, "scalars", &RP_TYPE_U256, g->n, RP_SECRET);
  rp_value bases = rp_graph_constant(p->graph, "points", rp_type_affine(g->curve->id), g->n, points, RP_BORROW);
  rp_buckets b = rp_bucket_matrix(p->graph, p->scalars,
                                  &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options),
                                                       .curve = g->curve->id,
                                                       .window_bits = g->window_bits});
  st = graphs_built(p->graph, err); /* windows that could not be made are not windows of other devices */
  if (st != RP_OK) return st;
  if (!rp_msm_partition(split, b.windows, g->n_parts, index, &p->first, &p->count))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_msm_group_create: the split is unknown");
  if (!p->count) return RP_OK; /* more devices than windows: this one has none */
  b = rp_bucket_range(p->graph, &b, p->first, p->count);
  p->sum = rp_window_reduce(p->graph, &b, rp_bucket_windows(p->graph, &b, bases));
  rp_graph_output(p->graph, "sum", p->sum, 0);
  return rp_record(device, p->graph, NULL, &p->recording, err);
}

rp_status rp_msm_group_create(rp_device *const *devices, uint32_t n_devices, rp_curve curve, const void *points,
                              uint64_t n, const rp_msm_group_options *options, rp_msm_group **group, rp_error *err) {
  rp_msm_group_options o = {0};
  const rp_curve_host *host = rp_curve_get(curve);
  if (group) *group = NULL;
  if (!group || !devices || !points || !host || !n || !n_devices || n_devices > MOST_DEVICES)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_msm_group_create: %s",
                        !group || !devices || !points ? "devices, points or group is NULL"
                        : !host                       ? "the curve is unknown"
                        : !n                          ? "there are no points"
                                                      : "1 to 64 devices are possible");
  rp_status st = graphs_options(&o, sizeof o, options, "Options of several devices", err);
  if (st != RP_OK) return st;
  for (uint32_t i = 0; i < n_devices; i++)
    if (!devices[i]) return support_fail(err, RP_ERR_ARGUMENT, "rp_msm_group_create: device %u is NULL", i);
  rp_msm_group *g = rp_context_alloc(rp_device_context(devices[0]), sizeof *g);
  rp_device_info info = {.struct_size = sizeof info};
  if (!g) return support_fail(err, RP_ERR_MEMORY, "rp_msm_group_create: out of host memory");
  rp_device_get_info(devices[0], &info);
  g->curve = host;
  g->n = n;
  g->n_parts = n_devices;
  if (o.split == RP_MSM_SPLIT_POINTS) {
    g->n_parts = 0;
    st = msm_points_open(devices, n_devices, host, points, n, &o, &g->points, err);
  }
  g->window_bits = o.window_bits ? o.window_bits : rp_msm_window_bits(info.kind, curve, n, 0);
  for (uint32_t i = 0; i < g->n_parts && st == RP_OK; i++)
    st = build(g, &g->parts[i], i, devices[i], points, o.split, err);
  if (st != RP_OK) {
    rp_msm_group_destroy(g);
    return st;
  }
  *group = g;
  return RP_OK;
}

void rp_msm_group_destroy(rp_msm_group *group) {
  if (!group) return;
  msm_points_close(&group->points);
  for (uint32_t i = 0; i < group->n_parts; i++) {
    rp_recording_destroy(group->parts[i].recording);
    rp_graph_destroy(group->parts[i].graph);
  }
  rp_context_free(group);
}

uint32_t rp_msm_group_windows(const rp_msm_group *group, uint32_t index) {
  return group && index < group->n_parts ? group->parts[index].count : 0;
}

rp_status rp_msm_group_run(rp_msm_group *group, const void *scalars, void *result, rp_error *err) {
  rp_run *run[MOST_DEVICES] = {NULL};
  uint64_t sum[MSM_MOST_POINT_WORDS];
  rp_status st = RP_OK;
  if (!group || !scalars || !result)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_msm_group_run: group, scalars or result is NULL");
  for (uint32_t i = 0; i < group->n_parts && st == RP_OK; i++) { /* all devices start before any is waited for */
    part *p = &group->parts[i];
    if (!p->count) continue;
    st = rp_run_begin(p->recording, UINT64_MAX, &run[i], err);
    if (st == RP_OK) st = rp_run_set_input(run[i], p->scalars, scalars, group->n * MSM_SCALAR_BYTES);
    if (st == RP_OK) st = rp_run_submit(run[i]);
    if (st != RP_OK && run[i] && err) *err = *rp_run_error(run[i]);
  }
  if (st == RP_OK && group->points.recording) return msm_points_run(&group->points, scalars, result, err);
  group->curve->acc_identity(sum);
  for (uint32_t i = group->n_parts; i-- > 0;) { /* Horner's rule, from the highest windows */
    const part *p = &group->parts[i];
    if (!run[i]) continue;
    const rp_status done = st == RP_OK ? rp_run_wait(run[i], UINT64_MAX) : st;
    if (st == RP_OK && done != RP_OK && err) *err = *rp_run_error(run[i]);
    if (done == RP_OK) {
      for (uint32_t k = p->count * group->window_bits; k; k--) group->curve->acc_double(sum, sum);
      group->curve->acc_add(sum, sum, rp_run_output(run[i], p->sum));
    }
    st = done;
    rp_run_end(run[i]);
  }
  if (st == RP_OK) group->curve->acc_to_affine(result, sum);
  rp_wipe(sum, sizeof sum); /* it depends on the scalars, which are secret */
  return st;
}
