/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Templates: the plan of a body that nodes call (called.h), made once for the plan of a graph. The body's own values
 * have their places in a frame, one value per call. Each call has the dispatches of the template, whose patterns it
 * shares with the other calls: its bases say where its frame, its operands and its results are.
 */
#ifndef REPRISE_ENGINE_TEMPLATE_H
#define REPRISE_ENGINE_TEMPLATE_H

#include "called.h"
#include "lowering.h"

/* The strategy of calls. */
rp_status rp_template_lower(rp_lower *l);

/* The node that has given the dispatch, in the plan of the innermost body. NULL: none has. */
const rp_plan_node *rp_dispatch_node(const rp_plan *plan, const rp_plan_dispatch *dispatch);
/* Touch i of the dispatch as its kernel sees it, in elements of *type. */
rp_touch rp_dispatch_touch(const rp_plan *plan, const rp_plan_dispatch *dispatch, uint32_t i, const rp_type **type);

/* The node whose kernels report faults with this number: `text` gets its name, *given the name of its only operand that
 * the caller gave, or NULL. 0: no node has the number. */
bool rp_site_find(const rp_plan *plan, uint32_t site, char *text, size_t bytes, const char **given);

#endif
