/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_GRAPHS_MSM_POINTS_H
#define REPRISE_GRAPHS_MSM_POINTS_H

#include "job.h"

#include <reprise/msm.h>

/* A product over a group of devices, split by points. */
typedef struct msm_points {
  rp_device *devices; /* the group; NULL: there is none */
  rp_graph *graph;
  rp_recording *recording;
  rp_value scalars, sum;
  const rp_curve_host *curve;
  uint64_t n;
} msm_points;

/* The caller keeps `points`. After a failure *p is zero. */
rp_status msm_points_open(rp_device *const *devices, uint32_t n_devices, const rp_curve_host *curve, const void *points,
                          uint64_t n, const rp_msm_group_options *options, msm_points *p, rp_error *err);
void msm_points_close(msm_points *p); /* zero: does nothing */
/* result: one affine point, not written on failure. May be called from several threads. */
rp_status msm_points_run(const msm_points *p, const void *scalars, void *result, rp_error *err);

#endif
