/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "budget_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct walk {
  budget_query query;
  void *user;
  uint64_t least; /* the budget that the first refusal named; 0 before */
} walk;

/* The total of the plan, or 0 if the budget is refused. */
static uint64_t ask(walk *w, uint64_t budget) {
  uint64_t total = 0;
  rp_error err = {0};
  char needs[40];
  const rp_status status = w->query(w->user, budget, &total, &err);
  if (status == RP_OK) {
    if (total > budget) fail_msg("%" PRIu64 " bytes are planned within %" PRIu64, total, budget);
    if (budget < w->least) fail_msg("%" PRIu64 " is accepted, and a refusal named %" PRIu64, budget, w->least);
    return total;
  }
  if (status != RP_ERR_BUDGET) fail_msg("at %" PRIu64 " bytes: %s", budget, err.reason);
  if (total <= budget) fail_msg("%" PRIu64 " is refused for a plan of %" PRIu64, budget, total);
  if (!w->least) w->least = total;
  if (total != w->least) fail_msg("at %" PRIu64 " bytes %" PRIu64 " are named, not %" PRIu64, budget, total, w->least);
  snprintf(needs, sizeof needs, "needs %" PRIu64 " bytes", total);
  if (!strstr(err.reason, needs)) fail_msg("\"%s\" does not say that it %s", err.reason, needs);
  return 0;
}

static void around_border(walk *w, uint64_t total, uint64_t around) {
  for (uint64_t budget = total + around; budget >= total; budget--)
    if (!ask(w, budget)) fail_msg("%" PRIu64 " is refused, and there is a plan of %" PRIu64, budget, total);
  if (ask(w, total) != total) fail_msg("the plan of %" PRIu64 " bytes is another one with its own total", total);
  for (uint64_t k = 1; k <= around && k < total; k++) (void)ask(w, total - k);
}

void budget_walk(budget_query query, void *user, uint64_t most, uint64_t around, uint64_t steps,
                 budget_borders *borders) {
  walk w = {.query = query, .user = user};
  borders->n = 0;
  for (uint64_t total = most; total; total = ask(&w, total - 1)) {
    assert_true(borders->n < BUDGET_BORDERS);
    borders->total[borders->n++] = total;
    around_border(&w, total, around);
  }
  const uint64_t least = borders->total[borders->n - 1];
  if (w.least != least) fail_msg("a refusal names %" PRIu64 ", and %" PRIu64 " is accepted", w.least, least);
  for (uint64_t i = 1; i <= steps; i++) {
    const uint64_t budget = most / steps * i;
    if (!ask(&w, budget) != (budget < least))
      fail_msg("%" PRIu64 " is %s", budget, budget < least ? "accepted" : "refused");
  }
}
