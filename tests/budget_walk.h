/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Asks one question of planning with ever smaller budgets, and holds the answers to what the headers promise of
 * budgets: an accepted plan is within its budget; its own total is a budget that is accepted; a refusal names, in the
 * figures and in the sentence, the smallest budget that is accepted; every larger one is accepted.
 */
#ifndef REPRISE_TESTS_BUDGET_WALK_H
#define REPRISE_TESTS_BUDGET_WALK_H

#include <reprise/reprise.h>

/* Plans within budget bytes. RP_OK or RP_ERR_BUDGET, and *total the bytes of the plan, or of the smallest one. */
typedef rp_status (*budget_query)(void *user, uint64_t budget, uint64_t *total, rp_error *err);

enum { BUDGET_BORDERS = 256 };
typedef struct budget_borders {
  uint64_t total[BUDGET_BORDERS]; /* of each plan that a budget just below the one before gives; descending */
  uint32_t n;
} budget_borders;

/* From the plan that takes `most` bytes down to a refusal; byte by byte `around` bytes to each side of every plan's
 * total, then at `steps` budgets evenly spread over the whole range. The last border is the smallest budget. Fails the
 * test. */
void budget_walk(budget_query query, void *user, uint64_t most, uint64_t around, uint64_t steps,
                 budget_borders *borders);

#endif
