/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Why one step of a plan must wait for another.
 */
#ifndef REPRISE_ENGINE_REASONS_H
#define REPRISE_ENGINE_REASONS_H

#include "plan.h"

typedef enum rp_reason_kind {
  RP_REASON_DATA,  /* it reads a value that the other writes */
  RP_REASON_ORDER, /* both use one value, and the other one's use must come first: it is read, or written again */
  RP_REASON_MEMORY /* the values of both lie in the same bytes */
} rp_reason_kind;

typedef struct rp_reason {
  rp_reason_kind kind;
  uint32_t value, other; /* what it uses, and what the other one uses; the same unless the kind is MEMORY */
} rp_reason;

/* Writes at most `capacity` reasons, those of data first, and returns how many it wrote. Values are those of the plan's
 * touches. */
uint32_t rp_reasons_find(const rp_plan *plan, const rp_plan_dispatch *dispatch, const rp_plan_dispatch *other,
                         rp_reason *reasons, uint32_t capacity);

#endif
