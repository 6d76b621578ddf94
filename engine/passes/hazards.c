/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hazards: edges among dispatches from the bytes that each reads and writes, after placement. An edge stands for a read
 * after a write, a write after a read or a write after a write, in the sequence of the schedule; edges that others
 * imply are left out.
 */
#include "dag.h"
#include "hazards.h"

/* A touch never spans segments: lowering_dispatch.c checks it, and values that are bound whole have one segment. */
rp_ref rp_touch_ref(const rp_plan *plan, const rp_part *part, const rp_touch *touch) {
  const rp_plan_value *v = &plan->values[touch->value];
  rp_ref ref = {.access = touch->access,
                .bound = touch->bound,
                .address = touch->address,
                .bytes = touch->count * v->type->size_bytes};
  if (v->origin == RP_ORIGIN_ERROR) {
    ref.block = part->parameters;
    ref.offset = touch->first * v->type->size_bytes;
    return ref;
  }
  if (v->origin == RP_ORIGIN_GUARD) {
    ref.block = part->parameters;
    ref.offset = sizeof(rp_error_record) + touch->first * v->type->size_bytes;
    return ref;
  }
  const rp_segment *s = &v->segments[touch->first / v->segment_len];
  ref.block = part->index_of[s->block];
  ref.offset = s->offset + touch->first % v->segment_len * v->type->size_bytes;
  return ref;
}

static rp_status build_edges(rp_plan *plan, rp_part *part, rp_error *err) {
  const uint32_t n = (uint32_t)part->n_touches;
  uint32_t i = 0;
  rp_span *spans = rp_host_alloc(plan->context, n * sizeof *spans, 8);
  rp_dag dag = {0};
  if (!spans) return rp_plan_fail_memory(err);
  for (uint32_t s = 0; s < part->n_dispatches; s++) {
    const rp_plan_dispatch *d = &part->dispatches[part->sequence[s]];
    for (uint32_t t = 0; t < rp_n_touches(d); t++) {
      const rp_touch touch = rp_touch_at(d, t);
      const rp_ref r = rp_touch_ref(plan, part, &touch);
      spans[i++] =
          (rp_span){.place = r.block, .step = s, .begin = r.offset, .end = r.offset + r.bytes, .access = r.access};
    }
  }
  bool good = rp_dag_build(&dag, plan->context, part->n_dispatches, spans, n, part->n_blocks, plan->exact_steps);
  rp_host_free(plan->context, spans, n * sizeof *spans);
  if (!good) return rp_plan_fail_memory(err);

  uint32_t *all = rp_arena_array(&plan->passes, dag.n_edges, sizeof *all);
  part->preds = rp_arena_array(&plan->passes, part->n_dispatches, sizeof *part->preds);
  part->n_preds = rp_arena_array(&plan->passes, part->n_dispatches, sizeof *part->n_preds);
  good = all && part->preds && part->n_preds;
  for (uint32_t e = 0; good && e < dag.n_edges; e++) all[e] = part->sequence[dag.preds[e]];
  for (uint32_t s = 0; good && s < part->n_dispatches; s++) {
    part->preds[part->sequence[s]] = all + dag.first[s];
    part->n_preds[part->sequence[s]] = dag.first[s + 1] - dag.first[s];
  }
  part->n_edges = dag.n_edges;
  rp_dag_free(&dag);
  return good ? RP_OK : rp_plan_fail_memory(err);
}

rp_status rp_pass_hazards(rp_plan *plan, rp_error *err) {
  rp_status status = build_edges(plan, &plan->parts[RP_PART_ONCE], err);
  return status ? status : build_edges(plan, &plan->parts[RP_PART_RUN], err);
}
