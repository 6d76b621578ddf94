/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where dispatches touch memory, and an independent check of the edges between steps.
 */
#ifndef REPRISE_ENGINE_HAZARDS_H
#define REPRISE_ENGINE_HAZARDS_H

#include "plan.h"

/* The bytes of a touch, as a range of a block of the part's program. */
rp_ref rp_touch_ref(const rp_plan *plan, const rp_part *part, const rp_touch *touch);

/* Lists the copies that bring up the inputs: part->uploads of the replayed part. Wants its steps. 0 when out of
 * memory. */
bool rp_plan_list_uploads(rp_plan *plan);

/* Compares every two steps. RP_ERR_INTERNAL names the first pair that conflicts and is not ordered by edges, an edge
 * that does not lead to a later step and a higher level, a conflict inside a level, or a step that overwrites what it
 * reads though its kernel does not allow it (RP_IN_PLACE). It shares no code with the pass
 * that made the edges. Quadratic time; only for RP_RECORD_CHECK_HAZARDS. */
rp_status rp_hazards_verify(rp_context *context, const rp_program_desc *program, rp_error *err);

#endif
