/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The passes, in the order in which they run.
 */
#include "plan.h"

const rp_pass rp_passes[] = {
    {"check", rp_pass_check},       /* the graph is whole, the options make sense */
    {"prune", rp_pass_prune},       /* drop what no output needs */
    {"order", rp_pass_order},       /* what runs once, then what runs each time */
    {"lower", rp_pass_lower},       /* nodes to dispatches */
    {"lifetime", rp_pass_lifetime}, /* which dispatches must follow which, whatever the placement */
    {"place", rp_pass_place},       /* values to blocks and offsets */
    {"hazards", rp_pass_hazards},   /* edges from what each dispatch reads and writes where */
    {"levels", rp_pass_levels},     /* steps for the backend, sorted by level */
    {NULL, NULL}};
