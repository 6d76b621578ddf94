/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The independent check of edges: plain reachability from every step, and a comparison of the references of every two
 * steps; and of what one step reads and writes in the same bytes, which its kernel must allow.
 */
#include "hazards.h"

#include <reprise/rewrite.h>

static bool refs_conflict(const rp_ref *a, const rp_ref *b) {
  if (a->block != b->block) return 0;
  if (a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset) return 0;
  if (!((a->access | b->access) & RP_WRITE)) return 0;
  return !((a->access & RP_ATOMIC) && (b->access & RP_ATOMIC));
}

/* The guard, if there is one, stands behind what the kernel accesses. */
static uint32_t n_accesses(const rp_step *s) { return s->n_refs + (s->guard != NULL); }

static bool steps_conflict(const rp_step *a, const rp_step *b) {
  for (uint32_t i = 0; i < n_accesses(a); i++)
    for (uint32_t j = 0; j < n_accesses(b); j++)
      if (refs_conflict(&a->refs[i], &b->refs[j])) return 1;
  return 0;
}

/* Whether the step writes bytes of another value than the one that it reads there, and the kernel does not allow it
 * (RP_IN_PLACE). */
static bool overwrites_operand(const rp_step *s) {
  for (uint32_t i = 0; i < s->n_refs; i++) {
    for (uint32_t j = 0; j < s->n_refs; j++) {
      const rp_ref *write = &s->refs[i], *read = &s->refs[j];
      if (!(write->access & RP_WRITE) || read->bound == write->bound || !refs_conflict(write, read)) continue;
      if (!(read->access & RP_IN_PLACE) || read->offset != write->offset || read->bytes != write->bytes) return 1;
    }
  }
  return 0;
}

/* Marks in `reached` the step itself and all steps that must finish before it. */
static void walk_back(const rp_program_desc *program, uint32_t step, unsigned char *reached) {
  for (uint32_t i = 0; i <= step; i++) reached[i] = i == step;
  for (uint32_t i = step + 1; i-- > 0;) { /* predecessors have smaller numbers, so one walk down reaches all */
    if (!reached[i]) continue;
    for (uint32_t p = 0; p < program->steps[i].n_preds; p++) reached[program->steps[i].preds[p]] = 1;
  }
}

rp_status rp_hazards_verify(rp_context *context, const rp_program_desc *program, rp_error *err) {
  unsigned char *reached = rp_host_alloc(context, program->n_steps, 1);
  if (!reached) return rp_fail_memory(err, "the check of hazards");
  rp_status status = RP_OK;
  for (uint32_t j = 0; j < program->n_steps && !status; j++) {
    const rp_step *later = &program->steps[j];
    if (overwrites_operand(later))
      status = rp_fail(err, RP_ERR_INTERNAL, "step %u (%s) overwrites what it reads, and its kernel does not allow it",
                       j, later->label);
    for (uint32_t p = 0; p < later->n_preds && !status; p++) {
      uint32_t i = later->preds[p];
      if (i >= j || program->steps[i].level >= later->level)
        status =
            rp_fail(err, RP_ERR_INTERNAL, "the edge from step %u to step %u (%s) goes backwards", i, j, later->label);
    }
    if (status) break;
    walk_back(program, j, reached);
    for (uint32_t i = 0; i < j && !status; i++) {
      const rp_step *earlier = &program->steps[i];
      if (!reached[i] && steps_conflict(earlier, later))
        status = rp_fail(err, RP_ERR_INTERNAL, "steps %u (%s) and %u (%s) conflict, and no edge orders them", i,
                         earlier->label, j, later->label);
      if (!status && earlier->level == later->level && steps_conflict(earlier, later))
        status = rp_fail(err, RP_ERR_INTERNAL, "steps %u (%s) and %u (%s) conflict on one level", i, earlier->label, j,
                         later->label);
    }
  }
  rp_host_free(context, reached, program->n_steps);
  return status;
}
