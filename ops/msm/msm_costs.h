/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How a multi-scalar product is computed: chosen when a graph is planned, from measured costs for each kind of device.
 */
#ifndef REPRISE_OPS_MSM_COSTS_H
#define REPRISE_OPS_MSM_COSTS_H

#include <stdbool.h>
#include <reprise/op.h>
#include <reprise/ops.h>

/* Above this many points no device uses shared doublings (msm_small). */
enum { RP_MSM_SMALL_MOST = 128 };

typedef struct rp_msm_problem {
  rp_curve curve;
  uint64_t n;           /* points */
  uint64_t batch;       /* products over the same points */
  uint32_t products;    /* with the same scalars, over different points; they share the bucket matrix */
  bool constant_points; /* multiples of the points can be computed once */
  bool in_subgroup;     /* all points of all products are in the subgroup of prime order */
  uint32_t point_bytes;
  uint32_t window_bits, precompute; /* as the caller asks; 0: to be chosen */
} rp_msm_problem;

typedef struct rp_msm_strategy {
  uint32_t window_bits;
  uint32_t merged;     /* windows that share buckets, over multiples of the points; 1: no multiples */
  uint32_t eisenstein; /* not 0: digits are Eisenstein integers, in so many windows (msm/eisenstein.h) */
} rp_msm_strategy;

/* Whether the product is to be computed with shared doublings and without buckets, because this is the fastest on this
 * device, or because it takes the least memory at a memory level that asks for it. */
bool rp_msm_prefers_small(rp_device_kind device, uint32_t memory_level, const rp_msm_problem *problem);

/* The windows of a product with buckets. What the caller asks for is kept, even if it does not suit the problem. */
rp_msm_strategy rp_msm_choose(rp_device_kind device, const rp_device_limits *limits, uint32_t memory_level,
                              const rp_msm_problem *problem);

/* The cheapest window bits for n points on a CPU with or without eight lanes, if `merged` windows share buckets. */
uint32_t rp_msm_cpu_window_bits(rp_curve curve, uint64_t n, uint32_t merged, bool lanes);

#endif
