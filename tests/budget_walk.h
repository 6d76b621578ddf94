/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Asks one question of planning with smaller and smaller budgets, and compares the answers with what the headers
 * promise about budgets: an accepted plan is within its budget; its total is a budget that is accepted; a refusal
 * names, in its figures and in its sentence, the smallest budget that is accepted; every larger one is accepted.
 */
#ifndef REPRISE_TESTS_BUDGET_WALK_H
#define REPRISE_TESTS_BUDGET_WALK_H

#include <reprise/reprise.h>

/* Plans within `budget` bytes. Returns RP_OK, and in *total the bytes of the plan, or RP_ERR_BUDGET, and in *total
 * those of the smallest plan. */
typedef rp_status (*budget_query)(void *user, uint64_t budget, uint64_t *total, rp_error *err);

enum { BUDGET_BORDERS = 256 };
typedef struct budget_borders {
  /* Totals of the plans, descending: each is the plan for a budget just below the one before. */
  uint64_t total[BUDGET_BORDERS];
  uint32_t n;
} budget_borders;

/* Walks from the plan that takes `most` bytes down to a refusal. Tries every budget up to `around` bytes on each side
 * of every plan's total, then `steps` budgets evenly spread over the whole range. The last border is the smallest
 * budget. Fails the test if a promise does not hold. */
void budget_walk(budget_query query, void *user, uint64_t most, uint64_t around, uint64_t steps,
                 budget_borders *borders);

#endif
