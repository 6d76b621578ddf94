/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The steps of a recording, and why they wait for others, as structs: what export_recording_json.c writes.
 */
#include "critical.h"
#include "export.h"
#include "reasons.h"
#include "template.h"

#include <reprise/view.h>

enum { REASONS = 8 }; /* per predecessor, as in the document */

/* ---- What each step is ------------------------------------------------------------------------------------------- */

uint32_t rp_export_reasons(const rp_plan *plan, int part, uint32_t step, uint32_t pred, rp_reason *reasons,
                           uint32_t capacity) {
  const rp_plan_dispatch one = rp_export_dispatch(plan, part, step), other = rp_export_dispatch(plan, part, pred);
  return rp_reasons_find(plan, &one, &other, reasons, capacity);
}

static uint32_t count_waits(const rp_plan *p, int part, uint32_t step) {
  const rp_step *s = &p->parts[part].steps[step];
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->n_preds; i++) {
    rp_reason reasons[REASONS];
    n += rp_export_reasons(p, part, step, s->preds[i], reasons, REASONS);
  }
  return n;
}

/* Copies, which have no kernel, multiply nothing. */
static double products_of(const rp_plan *p, const rp_plan_dispatch *d, const char **field) {
  enum { MOST = 512 };
  const rp_kernel *kernel = d->pattern->step.kernel;
  const uint32_t n = rp_n_touches(d);
  rp_kernel_range binds[MOST];
  *field = NULL;
  if (!kernel) return 0;
  if (!RP_HAS(kernel, products) || !kernel->products || n > MOST) return -1;
  for (uint32_t i = 0; i < n; i++) {
    const rp_touch touch = rp_dispatch_touch(p, d, i, &binds[i].type);
    binds[i].access = touch.access & (RP_READ_WRITE | RP_ATOMIC);
    binds[i].count = touch.count;
  }
  const rp_kernel_work work = {
      .struct_size = sizeof work, .n_binds = n, .kernel = kernel, .args = d->pattern->step.args, .binds = binds};
  return kernel->products(&work, field);
}

rp_step_info rp_export_step(const rp_recording *r, int part, uint32_t step) {
  const rp_plan *p = r->plan;
  const rp_part *in = &p->parts[part];
  const rp_plan_dispatch dispatch = rp_export_dispatch(p, part, step), *x = &dispatch;
  rp_step_info info = {.once = part == RP_PART_ONCE,
                       .step = step,
                       .node_id = rp_node_of(x),
                       .level = in->steps[step].level,
                       .epoch = in->epoch_of[step],
                       .n_preds = in->steps[step].n_preds,
                       .n_waits = count_waits(p, part, step),
                       .predicted_ns = in->steps[step].alone_ns};
  for (uint32_t i = 0; i < rp_n_touches(x); i++) {
    const rp_touch touch = rp_touch_at(x, i);
    const uint64_t bytes = touch.count * p->values[touch.value].type->size_bytes;
    if (touch.access & RP_READ) info.read_bytes += bytes;
    if (touch.access & RP_WRITE) info.written_bytes += bytes;
  }
  info.products = products_of(p, x, &info.field);
  if (part == RP_PART_RUN && !rp_profile_median(r, step, &info.median_ns)) info.median_ns = 0;
  return info;
}

static const uint64_t *predicted_slack(rp_arena *arena, const rp_recording *r) {
  const rp_part *part = &r->plan->parts[RP_PART_RUN];
  uint64_t *ns = rp_arena_array(arena, part->n_dispatches, sizeof *ns);
  rp_critical c;
  if (!ns) return NULL;
  for (uint32_t s = 0; s < part->n_dispatches; s++) ns[s] = part->steps[s].alone_ns;
  return rp_critical_find(arena, part->steps, part->n_dispatches, ns, &c) ? c.slack_ns : NULL;
}

void rp_export_entry(void *list, uint32_t index, uint32_t stride, const void *info, size_t bytes) {
  char *theirs = (char *)list + (size_t)index * stride;
  memcpy(theirs, &stride, sizeof stride);
  rp_info_write(theirs, info, bytes);
}

rp_status rp_export_check_list(const rp_recording *r, const void *list, uint32_t capacity, uint32_t stride,
                               uint32_t *count, const char *function, rp_error *err) {
  if (!r || !count || (!list && capacity)) return rp_fail_null(err, function);
  *count = 0;
  if (capacity && stride < sizeof stride)
    return rp_fail(err, RP_ERR_ARGUMENT, "%s: struct_size of the first entry is not set", function);
  return rp_context_check(r->device->context, err);
}

rp_status rp_view_steps(const rp_recording *recording, rp_step_info *steps, uint32_t capacity, uint32_t *count,
                        rp_error *err) {
  const uint32_t stride = steps && capacity ? steps[0].struct_size : 0;
  const rp_status status = rp_export_check_list(recording, steps, capacity, stride, count, "rp_view_steps", err);
  if (status) return status;
  rp_arena arena;
  rp_arena_init(&arena, recording->device->context);
  const uint64_t *slack_ns = predicted_slack(&arena, recording);
  for (int part = 0; slack_ns && part < 2; part++) {
    for (uint32_t s = 0; s < recording->plan->parts[part].n_dispatches; s++, ++*count) {
      if (*count >= capacity) continue;
      rp_step_info info = rp_export_step(recording, part, s);
      if (part == RP_PART_RUN) info.slack_ns = slack_ns[s];
      rp_export_entry(steps, *count, stride, &info, sizeof info);
    }
  }
  rp_arena_free(&arena);
  return slack_ns ? RP_OK : rp_fail_memory(err, "the steps of a recording");
}

/* ---- Why it waits ------------------------------------------------------------------------------------------------ */

rp_status rp_view_waits(const rp_recording *recording, uint32_t index, rp_wait_info *waits, uint32_t capacity,
                        uint32_t *count, rp_error *err) {
  static const rp_wait_kind kinds[] = {
      [RP_REASON_DATA] = RP_WAIT_DATA, [RP_REASON_ORDER] = RP_WAIT_ORDER, [RP_REASON_MEMORY] = RP_WAIT_MEMORY};
  const uint32_t stride = waits && capacity ? waits[0].struct_size : 0;
  const rp_status status = rp_export_check_list(recording, waits, capacity, stride, count, "rp_view_waits", err);
  if (status) return status;
  const rp_plan *p = recording->plan;
  const uint32_t once = p->parts[RP_PART_ONCE].n_dispatches;
  const int part = index < once ? RP_PART_ONCE : RP_PART_RUN;
  const uint32_t step = part == RP_PART_ONCE ? index : index - once;
  if (step >= p->parts[part].n_dispatches)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_view_waits: there are %u steps, and none with index %u",
                   once + p->parts[RP_PART_RUN].n_dispatches, index);
  const rp_step *s = &p->parts[part].steps[step];
  for (uint32_t i = 0; i < s->n_preds; i++) {
    rp_reason reasons[REASONS];
    const uint32_t n = rp_export_reasons(p, part, step, s->preds[i], reasons, REASONS);
    for (uint32_t k = 0; k < n; k++, ++*count) {
      const rp_wait_info info = {.pred = s->preds[i],
                                 .kind = kinds[reasons[k].kind],
                                 .value = reasons[k].value + 1,
                                 .other = reasons[k].other + 1};
      if (*count < capacity) rp_export_entry(waits, *count, stride, &info, sizeof info);
    }
  }
  return RP_OK;
}
