/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What stands behind rp_lower: the plan and the node that is being lowered.
 */
#ifndef REPRISE_ENGINE_LOWERING_H
#define REPRISE_ENGINE_LOWERING_H

#include "plan.h"

struct rp_lower {
  rp_plan *plan;
  uint32_t node;  /* of the plan */
  int secret;     /* some input is */
  rp_error error; /* the first; its reason without the node's name */
};

/* What is wrong with one more dispatch of so many touches, or one more value: a sentence about limits, or NULL. */
const char *rp_plan_is_full(const rp_plan *plan, uint32_t n_touches);
/* Appends a dispatch to a part; 0 when out of memory. */
int rp_part_add(rp_plan *plan, int part, const rp_plan_dispatch *dispatch);

#endif
