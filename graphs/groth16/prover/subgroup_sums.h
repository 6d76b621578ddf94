/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket sums of chunks of points on a device: all chunks use the same scalars.
 */
#ifndef REPRISE_GROTH16_SUBGROUP_SUMS_H
#define REPRISE_GROTH16_SUBGROUP_SUMS_H

#include "formats/family.h"

#include <reprise/ops.h>

typedef struct g16_sums {
  /* Set by the caller. */
  rp_context *context;
  rp_device *device;
  const rp_curve_host *curve;
  uint64_t chunk;       /* points per run */
  uint32_t window_bits; /* of the scalars' digits */
  uint32_t windows;     /* number of windows, from the lowest, that are summed; 0: none, and no scalars */
  uint32_t on_curve;    /* 1: a run fails with RP_ERR_INPUT if a point is not on the curve */
  uint32_t affine;      /* 1: g16_sums_affine will be called, 0: g16_sums_accumulators */
  uint8_t *scalars;     /* [chunk], canonical, 32 bytes each; of rp_context_alloc, freed by g16_sums_close */

  uint32_t buckets; /* per window: 2^(window_bits - 1); bucket b sums the points whose digit is b + 1 or -(b + 1) */
  uint64_t filled;  /* points put since the last run */

  rp_graph *graph;
  rp_recording *recording;
  rp_run *run;
  rp_value points, out;
  uint8_t *staging;
  uint32_t on_device; /* 1: the device converts the sums to affine form */
} g16_sums;

rp_status g16_sums_open(g16_sums *s, rp_error *err);
void g16_sums_close(g16_sums *s); /* at any time, also after a failure */

/* Adds a finite point to the next run. When `filled` has reached `chunk`, g16_sums_run must be called. */
rp_status g16_sums_put(g16_sums *s, const uint8_t *point, rp_error *err);
/* Sums the points that have been put. The sums can be read until g16_sums_end, after which points can be put again. */
rp_status g16_sums_run(g16_sums *s, rp_error *err);
void g16_sums_end(g16_sums *s);

/* Sum i, for i < windows * buckets, as an affine point, possibly in `room`, which has room for one. */
const uint8_t *g16_sums_affine(const g16_sums *s, uint64_t i, void *room);
const uint8_t *g16_sums_accumulators(const g16_sums *s); /* [windows * buckets] */

#endif
