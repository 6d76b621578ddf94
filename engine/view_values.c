/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where the values of a recording lie and which steps use them, and what its nodes do, as structs; the documents write
 * the same.
 */
#include "export.h"

static rp_place place_of(rp_space space) {
  switch (space) {
  case RP_SPACE_CONSTANT: return RP_PLACE_CONSTANT;
  case RP_SPACE_BORROWED: return RP_PLACE_BORROWED;
  case RP_SPACE_ONCE: return RP_PLACE_ONCE;
  case RP_SPACE_ARENA: return RP_PLACE_ARENA;
  case RP_SPACE_INPUT: return RP_PLACE_INPUT;
  case RP_SPACE_OUTPUT: return RP_PLACE_OUTPUT;
  case RP_SPACE_EXCHANGE: return RP_PLACE_EXCHANGE;
  case RP_SPACE_BOUND: return RP_PLACE_BOUND;
  case RP_SPACE_PARAMETER: return RP_PLACE_PARAMETER;
  }
  return RP_PLACE_NONE;
}

const char *rp_export_space(rp_space space) {
  switch (place_of(space)) {
#define TEXT(name, value, text) \
  case name: return text;
    RP_PLACE_LIST(TEXT)
#undef TEXT
  }
  return "none";
}

rp_placement_info rp_export_value(const rp_plan *p, uint32_t value) {
  const rp_plan_value *v = &p->values[value];
  uint64_t first = 0;
  uint32_t of = v->same_as == RP_NONE ? value : v->same_as;
  rp_plan_find(p, &of, &first);
  const rp_plan_value *memory = &p->values[of];
  return (rp_placement_info){.value = value + 1,
                             .place = memory->placed ? place_of(memory->space) : RP_PLACE_NONE,
                             .of = of + 1,
                             .first = first,
                             .in_place = v->in_place != 0,
                             .node_id = v->node,
                             .fused_into = v->fused_into,
                             .scratch = v->origin == RP_ORIGIN_SCRATCH,
                             .secret = v->secret != 0,
                             .type = v->type,
                             .len = v->len,
                             .bytes = v->bytes,
                             .n_segments = v->placed ? v->n_segments : 0,
                             .first_step = RP_NONE,
                             .last_step = RP_NONE};
}

static bool is_listed(const rp_plan_value *v, const rp_placement_info *info) {
  return v->placed || info->of != info->value || info->fused_into != RP_NONE;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* Per value, the first and the last step that touches it; RP_NONE: none. Steps are visited in ascending order. */
typedef struct uses {
  uint32_t *first, *last;
} uses;

static void note(uses *u, uint32_t value, uint32_t index) {
  if (u->first[value] == RP_NONE) u->first[value] = index;
  u->last[value] = index;
}

static bool find_uses(rp_arena *arena, const rp_plan *p, uses *u) {
  uint32_t index = 0;
  u->first = rp_arena_array(arena, p->n_values, sizeof *u->first);
  u->last = rp_arena_array(arena, p->n_values, sizeof *u->last);
  if (!u->first || !u->last) return 0;
  for (uint32_t i = 0; i < p->n_values; i++) u->first[i] = u->last[i] = RP_NONE;
  for (int part = 0; part < 2; part++) {
    for (uint32_t s = 0; s < p->parts[part].n_dispatches; s++, index++) {
      const rp_plan_dispatch d = rp_export_dispatch(p, part, s);
      for (uint32_t i = 0; i < rp_n_touches(&d); i++) {
        const rp_touch touch = rp_touch_at(&d, i);
        note(u, touch.value, index);
        note(u, touch.bound, index);
      }
    }
  }
  return 1;
}

rp_status rp_view_values(const rp_recording *recording, rp_placement_info *values, uint32_t capacity, uint32_t *count,
                         rp_error *err) {
  const uint32_t stride = values && capacity ? values[0].struct_size : 0;
  const rp_status status = rp_export_check_list(recording, values, capacity, stride, count, "rp_view_values", err);
  if (status) return status;
  const rp_plan *p = recording->plan;
  rp_arena arena;
  uses u;
  rp_arena_init(&arena, recording->device->context);
  const bool good = find_uses(&arena, p, &u);
  for (uint32_t i = 0; good && i < p->n_values; i++) {
    rp_placement_info info = rp_export_value(p, i);
    if (!is_listed(&p->values[i], &info)) continue;
    info.first_step = u.first[i];
    info.last_step = u.last[i];
    if (*count < capacity) rp_export_entry(values, *count, stride, &info, sizeof info);
    ++*count;
  }
  rp_arena_free(&arena);
  return good ? RP_OK : rp_fail_memory(err, "the values of a recording");
}

static rp_status check_value(const rp_recording *r, uint32_t value, const char *function, rp_error *err) {
  if (value && value <= r->plan->n_values) return RP_OK;
  return rp_fail(err, RP_ERR_ARGUMENT, "%s: the recording has values with ids 1 to %u, and none with id %u", function,
                 r->plan->n_values, value);
}

static uint32_t n_segments_of(const rp_plan_value *v) { return v->placed ? v->n_segments : 0; }

rp_status rp_view_segments(const rp_recording *recording, uint32_t value, rp_segment_info *segments, uint32_t capacity,
                           uint32_t *count, rp_error *err) {
  const uint32_t stride = segments && capacity ? segments[0].struct_size : 0;
  rp_status status = rp_export_check_list(recording, segments, capacity, stride, count, "rp_view_segments", err);
  if (!status) status = check_value(recording, value, "rp_view_segments", err);
  if (status) return status;
  const rp_plan_value *v = &recording->plan->values[value - 1];
  *count = n_segments_of(v);
  for (uint32_t i = 0; i < *count && i < capacity; i++) {
    const rp_segment *s = &v->segments[i];
    const rp_segment_info info = {.block = s->block, .offset = s->offset, .bytes = s->bytes};
    rp_export_entry(segments, i, stride, &info, sizeof info);
  }
  return RP_OK;
}

static bool have_bytes_in_common(const rp_plan_value *a, const rp_plan_value *b) {
  for (uint32_t i = 0; i < n_segments_of(a); i++) {
    const rp_segment *x = &a->segments[i];
    for (uint32_t k = 0; k < n_segments_of(b); k++) {
      const rp_segment *y = &b->segments[k];
      if (x->block == y->block && x->offset < y->offset + y->bytes && y->offset < x->offset + x->bytes) return 1;
    }
  }
  return 0;
}

rp_status rp_view_shares(const rp_recording *recording, uint32_t value, uint32_t *ids, uint32_t capacity,
                         uint32_t *count, rp_error *err) {
  rp_status status = rp_export_check_list(recording, ids, capacity, sizeof *ids, count, "rp_view_shares", err);
  if (!status) status = check_value(recording, value, "rp_view_shares", err);
  if (status) return status;
  const rp_plan *p = recording->plan;
  for (uint32_t i = 0; i < p->n_values; i++) {
    if (i + 1 == value || !have_bytes_in_common(&p->values[value - 1], &p->values[i])) continue;
    if (*count < capacity) ids[*count] = i + 1;
    ++*count;
  }
  return RP_OK;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

static void add_step(rp_work_info *node, const rp_step_info *step, uint32_t index) {
  if (!node->n_steps && !node->n_once) node->first_step = index;
  node->last_step = index;
  node->node_id = step->node_id;
  node->n_steps += !step->once;
  node->n_once += step->once;
  node->read_bytes += step->read_bytes;
  node->written_bytes += step->written_bytes;
  node->predicted_ns += step->predicted_ns;
  node->median_ns += step->median_ns;
}

rp_status rp_view_nodes(const rp_recording *recording, rp_work_info *nodes, uint32_t capacity, uint32_t *count,
                        rp_error *err) {
  const uint32_t stride = nodes && capacity ? nodes[0].struct_size : 0;
  const rp_status status = rp_export_check_list(recording, nodes, capacity, stride, count, "rp_view_nodes", err);
  if (status) return status;
  const rp_plan *p = recording->plan;
  rp_arena arena;
  rp_arena_init(&arena, recording->device->context);
  rp_work_info *all = rp_arena_array(&arena, p->n_nodes, sizeof *all);
  if (all) memset(all, 0, p->n_nodes * sizeof *all);
  for (uint32_t part = 0, index = 0; all && part < 2; part++) {
    for (uint32_t s = 0; s < p->parts[part].n_dispatches; s++, index++) {
      const rp_step_info step = rp_export_step(recording, (int)part, s);
      if (step.node_id != RP_NONE) add_step(&all[step.node_id], &step, index);
    }
  }
  for (uint32_t i = 0; all && i < p->n_nodes; i++) {
    if (!all[i].n_steps && !all[i].n_once) continue;
    if (*count < capacity) rp_export_entry(nodes, *count, stride, &all[i], sizeof all[i]);
    ++*count;
  }
  const bool good = all != NULL || p->n_nodes == 0;
  rp_arena_free(&arena);
  return good ? RP_OK : rp_fail_memory(err, "the nodes of a recording");
}
