/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The passes, in the order in which they run.
 */
#include "plan.h"

const rp_pass rp_passes[] = {
    {"check", rp_pass_check, rp_print_check},          /* the graph is whole */
    {"prune", rp_pass_prune, rp_print_prune},          /* removes what no output needs */
    {"common", rp_pass_common, rp_print_common},       /* one node for all that compute the same */
    {"order", rp_pass_order, rp_print_order},          /* what runs once, then what runs each time */
    {"fuse", rp_pass_fuse, rp_print_fuse},             /* chains of nodes that one node can compute */
    {"views", rp_pass_views, rp_print_views},          /* slices and concatenations that need no copies */
    {"lower", rp_pass_lower, rp_print_lower},          /* nodes to dispatches */
    {"in place", rp_pass_in_place, rp_print_in_place}, /* results that take the bytes of an operand */
    {"lifetime", rp_pass_lifetime, rp_print_lifetime}, /* which dispatches must follow which, wherever values lie */
    {"schedule", rp_pass_schedule, rp_print_schedule}, /* costs, and in which epoch each dispatch runs */
    {"place", rp_pass_place, rp_print_place},          /* values to blocks and offsets */
    {"hazards", rp_pass_hazards, rp_print_hazards},    /* edges from what each dispatch reads and writes where */
    {"levels", rp_pass_levels, rp_print_levels},       /* steps for the backend, sorted by level */
    {NULL, NULL, NULL}};
