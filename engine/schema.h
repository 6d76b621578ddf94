/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checking a node by the schema of its operation.
 */
#ifndef REPRISE_ENGINE_SCHEMA_H
#define REPRISE_ENGINE_SCHEMA_H

#include "graph.h"

#include <reprise/schema.h>

/* RP_OK if the operation has no schema, or the node is one that it allows. */
rp_status rp_draft_check(const rp_op *op, const rp_draft *draft);

#endif
