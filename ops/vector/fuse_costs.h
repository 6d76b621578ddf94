/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * When an expression takes less time than the two dispatches that it stands for. docs/notes/planner-passes.md has the
 * measurements.
 */
#ifndef REPRISE_OPS_FUSE_COSTS_H
#define REPRISE_OPS_FUSE_COSTS_H

#include <stdbool.h>
#include <reprise/op.h>

struct rp_fuse_work {
  uint64_t n; /* elements */
  uint32_t element_bytes;
  uint32_t plain;    /* 0 to 2: how many of the two nodes have kernels of their own, without an interpreter */
  uint32_t products; /* 1: one of these multiplies */
};

/* Whether one dispatch saves more than interpreting costs. */
bool rp_fuse_pays(rp_device_kind device, const rp_device_limits *limits, const struct rp_fuse_work *work);

#endif
