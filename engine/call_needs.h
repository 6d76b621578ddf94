/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What calls compute that nothing reads.
 */
#ifndef REPRISE_ENGINE_CALL_NEEDS_H
#define REPRISE_ENGINE_CALL_NEEDS_H

#include "called.h"

/* *much: of more than a few calls in the graph, some outputs are not needed. */
rp_status rp_calls_compute_much(const rp_graph *graph, bool *much, rp_error *err);

#endif
