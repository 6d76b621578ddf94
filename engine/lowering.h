/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The state behind rp_lower: the plan and the node that is being lowered.
 */
#ifndef REPRISE_ENGINE_LOWERING_H
#define REPRISE_ENGINE_LOWERING_H

#include "plan.h"

struct rp_lower {
  rp_plan *plan;
  uint32_t node;  /* index in the plan */
  bool secret;    /* some input is secret */
  rp_error error; /* the first error; its reason lacks the node's name */
};

/* NULL if the plan has room for one more dispatch with n_touches touches, or for one more value; else a sentence that
 * names the limit. */
const char *rp_plan_is_full(const rp_plan *plan, uint32_t n_touches);
/* A constant that is filled as one of another plan, which lives at least as long as this one. */
rp_value rp_lower_constant_of(rp_lower *l, const rp_plan_value *value);

#endif
