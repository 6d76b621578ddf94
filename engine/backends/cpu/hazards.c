/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * RP_RECORD_CHECK_HAZARDS: a task's accesses count as in flight from the moment when it could run, so that a missing
 * edge is found on one thread as well as on many.
 */
#include "cpu.h"

static bool conflict(const cpu_span *a, const cpu_span *b) {
  if (a->begin >= b->end || b->begin >= a->end) return 0;
  if (!((a->access | b->access) & RP_WRITE)) return 0;
  return !(a->access & b->access & RP_ATOMIC);
}

bool cpu_hazards_open(cpu_hazards *hazards, uint32_t task) {
  bool clean = 1;
  const cpu_span *mine = hazards->spans + hazards->first_span[task];
  const cpu_span *mine_end = hazards->spans + hazards->first_span[task + 1];
  for (uint32_t i = 0; i < hazards->n_open && clean; i++) {
    uint32_t other = hazards->open[i];
    const cpu_span *end = hazards->spans + hazards->first_span[other + 1];
    for (const cpu_span *a = mine; a < mine_end; a++)
      for (const cpu_span *b = hazards->spans + hazards->first_span[other]; b < end; b++) clean &= !conflict(a, b);
    if (clean || hazards->found) continue;
    hazards->found = 1;
    hazards->task_a = other;
    hazards->task_b = task;
  }
  hazards->open[hazards->n_open++] = task;
  return clean;
}

void cpu_hazards_close(cpu_hazards *hazards, uint32_t task) {
  for (uint32_t i = 0; i < hazards->n_open; i++) {
    if (hazards->open[i] != task) continue;
    hazards->open[i] = hazards->open[--hazards->n_open];
    return;
  }
}
