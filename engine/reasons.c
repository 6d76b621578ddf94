/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "reasons.h"

static bool overlaps(uint64_t first, uint64_t bytes, uint64_t other_first, uint64_t other_bytes) {
  return first < other_first + other_bytes && other_first < first + bytes;
}

/* The bytes of one segment that a touch covers; 0 if there are none. */
static uint64_t piece(const rp_plan_value *v, const rp_touch *t, uint32_t segment, uint64_t *offset) {
  const uint64_t begin = segment * v->segment_len, size = v->type->size_bytes;
  const uint64_t end = begin + v->segments[segment].bytes / size;
  const uint64_t first = t->first > begin ? t->first : begin;
  const uint64_t last = t->first + t->count < end ? t->first + t->count : end;
  *offset = v->segments[segment].offset + (first - begin) * size;
  return first < last ? (last - first) * size : 0;
}

static bool shares_bytes(const rp_plan *plan, const rp_touch *a, const rp_touch *b) {
  const rp_plan_value *v = &plan->values[a->value], *w = &plan->values[b->value];
  if (!v->placed || !w->placed) return 0;
  for (uint32_t i = 0; i < v->n_segments; i++)
    for (uint32_t j = 0; j < w->n_segments; j++) {
      uint64_t at, other_at;
      if (v->segments[i].block != w->segments[j].block) continue;
      const uint64_t bytes = piece(v, a, i, &at), other_bytes = piece(w, b, j, &other_at);
      if (bytes && other_bytes && overlaps(at, bytes, other_at, other_bytes)) return 1;
    }
  return 0;
}

/* Whether the two touches are a reason of this kind. */
static bool is_reason(const rp_plan *plan, const rp_touch *t, const rp_touch *other, rp_reason_kind kind) {
  if (!((t->access | other->access) & RP_WRITE)) return 0;
  if (t->value != other->value) return kind == RP_REASON_MEMORY && shares_bytes(plan, t, other);
  if (kind == RP_REASON_MEMORY || !overlaps(t->first, t->count, other->first, other->count)) return 0;
  const bool data = (t->access & RP_READ) && (other->access & RP_WRITE);
  return data == (kind == RP_REASON_DATA);
}

uint32_t rp_reasons_find(const rp_plan *plan, const rp_plan_dispatch *dispatch, const rp_plan_dispatch *other,
                         rp_reason *reasons, uint32_t capacity) {
  uint32_t n = 0;
  for (int kind = RP_REASON_DATA; kind <= RP_REASON_MEMORY; kind++)
    for (uint32_t i = 0; i < rp_n_touches(dispatch); i++) {
      const rp_touch one = rp_touch_at(dispatch, i);
      for (uint32_t j = 0; j < rp_n_touches(other) && n < capacity; j++) {
        const rp_touch two = rp_touch_at(other, j);
        if (is_reason(plan, &one, &two, (rp_reason_kind)kind))
          reasons[n++] = (rp_reason){(rp_reason_kind)kind, one.value, two.value};
      }
    }
  return n;
}
