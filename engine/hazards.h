/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where dispatches touch memory, and an independent judge of the edges between steps.
 */
#ifndef REPRISE_ENGINE_HAZARDS_H
#define REPRISE_ENGINE_HAZARDS_H

#include "plan.h"

/* The bytes of a touch, in the blocks as the part's program sees them. */
rp_ref rp_touch_ref(const rp_plan *plan, const rp_part *part, const rp_touch *touch);

/* Compares every two steps: RP_ERR_INTERNAL names the first pair that conflicts and is not ordered by edges, and
 * likewise an edge to a later step, or levels that an edge contradicts. It shares no code with the pass that made the
 * edges. Quadratic; RP_RECORD_CHECK_HAZARDS asks for it. */
rp_status rp_hazards_verify(rp_context *context, const rp_program_desc *program, rp_error *err);

#endif
