/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prover's search for a plan that fits a memory budget. The prover tries its graphs from the fastest to the smallest;
 * the first that fits ends the search, and if none does, the refusal is that of the smallest.
 */
#ifndef REPRISE_GRAPHS_PLAN_SEARCH_H
#define REPRISE_GRAPHS_PLAN_SEARCH_H

#include <stdbool.h>
#include <reprise/reprise.h>

typedef struct graphs_search {
  rp_device *device;
  rp_record_options options;
  bool record;        /* 1: what fits is recorded; 0: it is only planned */
  rp_plan_info least; /* the smallest of the plans that were refused; total_bytes is 0 if none was */
  rp_error refusal;   /* its status and reason */
} graphs_search;

/* Plans the graph and, if plans are to be recorded, makes *recording, which otherwise keeps its value. *info gets the
 * figures of the plan. RP_ERR_BUDGET: it does not fit, which has been noted. `why` gets the reason of any failure. */
rp_status graphs_search_try(graphs_search *search, const rp_graph *graph, rp_recording **recording, rp_plan_info *info,
                            rp_error *why);

/* Notes that a plan with these figures does not fit, and why. Returns RP_ERR_BUDGET. */
rp_status graphs_search_refused(graphs_search *search, const rp_plan_info *info, const rp_error *why);

/* Ends a search without a plan, the last try of which failed with `status` and `why`, and returns the status. `err`
 * (may be NULL) gets the reason; if no plan fits, both it and *info are those of the smallest plan that was refused. */
rp_status graphs_search_failed(const graphs_search *search, rp_status status, const rp_error *why, rp_plan_info *info,
                               rp_error *err);

#endif
