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

static bool steps_conflict(const rp_step *a, const rp_step *b) {
  for (uint32_t i = 0; i < rp_step_n_refs(a); i++) {
    const rp_ref one = rp_step_ref(a, i);
    for (uint32_t j = 0; j < rp_step_n_refs(b); j++) {
      const rp_ref other = rp_step_ref(b, j);
      if (refs_conflict(&one, &other)) return 1;
    }
  }
  return 0;
}

/* Whether the step writes bytes of another value than the one that it reads there, and the kernel does not allow it
 * (RP_IN_PLACE). */
static bool overwrites_operand(const rp_step *s) {
  for (uint32_t i = 0; i < s->pattern->n_refs; i++) {
    const rp_ref write = rp_step_ref(s, i);
    if (!(write.access & RP_WRITE)) continue;
    for (uint32_t j = 0; j < s->pattern->n_refs; j++) {
      const rp_ref read = rp_step_ref(s, j);
      if (read.bound == write.bound || !refs_conflict(&write, &read)) continue;
      if (!(read.access & RP_IN_PLACE) || read.offset != write.offset || read.bytes != write.bytes) return 1;
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

static rp_status verify_edges(const rp_program_desc *program, uint32_t j, rp_error *err) {
  const rp_step *later = &program->steps[j];
  char text[RP_LABEL_BYTES];
  if (overwrites_operand(later))
    return rp_fail(err, RP_ERR_INTERNAL, "step %u (%s) overwrites what it reads, and its kernel does not allow it", j,
                   rp_step_label(later, text));
  for (uint32_t p = 0; p < later->n_preds; p++) {
    const uint32_t i = later->preds[p];
    if (i >= j || program->steps[i].level >= later->level)
      return rp_fail(err, RP_ERR_INTERNAL, "the edge from step %u to step %u (%s) goes backwards", i, j,
                     rp_step_label(later, text));
  }
  return RP_OK;
}

/* Whether steps i and j may be as they are; `reached`: edges order them. */
static rp_status verify_pair(const rp_program_desc *program, uint32_t i, uint32_t j, bool reached, rp_error *err) {
  const rp_step *earlier = &program->steps[i], *later = &program->steps[j];
  char one[RP_LABEL_BYTES], other[RP_LABEL_BYTES];
  if (reached && earlier->level != later->level) return RP_OK;
  if (!steps_conflict(earlier, later)) return RP_OK;
  return rp_fail(err, RP_ERR_INTERNAL, "steps %u (%s) and %u (%s) conflict%s", i, rp_step_label(earlier, one), j,
                 rp_step_label(later, other), reached ? " on one level" : ", and no edge orders them");
}

rp_status rp_hazards_verify(rp_context *context, const rp_program_desc *program, rp_error *err) {
  unsigned char *reached = rp_host_alloc(context, program->n_steps, 1);
  if (!reached) return rp_fail_memory(err, "the check of hazards");
  rp_status status = RP_OK;
  for (uint32_t j = 0; j < program->n_steps && !status; j++) {
    status = verify_edges(program, j, err);
    if (status) break;
    walk_back(program, j, reached);
    for (uint32_t i = 0; i < j && !status; i++) status = verify_pair(program, i, j, reached[i], err);
  }
  rp_host_free(context, reached, program->n_steps);
  return status;
}
