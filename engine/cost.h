/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a dispatch costs on a kind of device, and what a plan of many takes: a model, which serves to compare plans of
 * one graph and promises no time. A dispatch takes a fixed time, and for each wave of groups (on a CPU: of items) that
 * the device computes at once what its kernel takes for one, but at least what moving its bytes takes.
 */
#ifndef REPRISE_ENGINE_COST_H
#define REPRISE_ENGINE_COST_H

#include "core.h"

typedef struct rp_cost {
  uint64_t alone_ns; /* if nothing else runs */
  uint32_t share;    /* the part of the device that it occupies then, at least 1, in units of 1 / RP_COST_WHOLE */
} rp_cost;

enum { RP_COST_WHOLE = 1 << 16 };

/* `groups` is the product of the grid, `bytes` what is read and written. */
rp_cost rp_cost_estimate(const rp_device_info *device, uint64_t groups, uint64_t bytes);

/* What a program of n dispatches takes. On Vulkan, with barriers between levels, those of one level run side by
 * side, and a level takes as long as its longest dispatch, or as all of them if they fill the device. On others a
 * dispatch begins when its predecessors have ended, and those that run divide the device among themselves. */
typedef struct rp_cost_program {
  const rp_cost *costs; /* per dispatch, like the others */
  const uint32_t *level;
  const uint32_t *const *preds;
  const uint32_t *n_preds;
  uint32_t n, n_levels, n_edges;
  uint64_t *begin_ns; /* NULL, or room for when each dispatch begins; only by edges */
} rp_cost_program;
/* 0 when out of memory. */
bool rp_cost_predict(rp_context *context, rp_device_kind kind, const rp_cost_program *program, uint64_t *ns);

#endif
