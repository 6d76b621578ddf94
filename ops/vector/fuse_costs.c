/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vector/fuse_costs.h"

enum { SMALL_BYTES = 32 }; /* elements below this size are cheap, so that the cost of interpreting shows */

/* By the number of nodes with kernels of their own, and whether these multiply: how much longer one element takes in
 * the expression than in the two dispatches, in picoseconds. */
struct costs {
  int32_t none, one_sum, one_product, two_sums, two_products;
};

static const struct costs cpu_lanes = {-3000, -300, -2000, 2000, -500};
static const struct costs cpu_plain = {-3000, 1000, -2000, 3500, 3500};
static const struct costs cpu_small = {-1500, 1500, 1500, 3500, 3500};
/* From bytes and instructions: an element that is not stored and loaded again saves as many bytes as two of it. */
static const struct costs gpu_large = {-16, -12, -12, -8, -8};
static const struct costs gpu_small = {-4, 2, 2, 4, 4};

static const struct costs *costs_of(rp_device_kind device, const rp_device_limits *limits, uint32_t element_bytes) {
  if (device != RP_DEVICE_CPU) return element_bytes < SMALL_BYTES ? &gpu_small : &gpu_large;
  if (element_bytes < SMALL_BYTES) return &cpu_small;
  return limits->isa >> RP_ISA_X86_IFMA & 1u ? &cpu_lanes : &cpu_plain;
}

static int64_t dispatch_ps(rp_device_kind device) {
  if (device == RP_DEVICE_CPU) return 1000000;
  return device == RP_DEVICE_VULKAN ? 6000000 : 2500000;
}

bool rp_fuse_pays(rp_device_kind device, const rp_device_limits *limits, const struct rp_fuse_work *work) {
  const struct costs *c = costs_of(device, limits, work->element_bytes);
  int32_t element_ps = c->none;
  if (work->plain == 1) element_ps = work->products ? c->one_product : c->one_sum;
  if (work->plain == 2) element_ps = work->products ? c->two_products : c->two_sums;
  return (int64_t)work->n * element_ps < dispatch_ps(device); /* n is below 2^32 */
}
