/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Why one dispatch waits for another, element by element: ranges that touch each other are no reason, and ranges that
 * overlap are the one that their accesses make.
 */
#include "reasons.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { N = 6, ELEMENT_BYTES = 8, SEGMENT = 4 };

static const rp_type type = {.id = RP_TYPE_USER, .size_bytes = ELEMENT_BYTES, .align_bytes = 8, .name = "element"};

static bool overlap(uint64_t a, uint64_t n, uint64_t b, uint64_t m) {
  for (uint64_t i = a; i < a + n; i++)
    if (b <= i && i < b + m) return true;
  return false;
}

/* Two values of N elements in segments of 4 and 2, the second's bytes `shift` elements behind the first's. */
static void try_ranges(const rp_touch *t, const rp_touch *other, int shift) {
  rp_segment first[] = {{0, 64 * 8, SEGMENT * ELEMENT_BYTES}, {1, 64 * 8, (N - SEGMENT) * ELEMENT_BYTES}};
  rp_segment second[] = {first[0], first[1]};
  for (int s = 0; s < 2; s++) second[s].offset += (uint64_t)(shift * ELEMENT_BYTES);
  rp_plan_value values[] = {
      {.type = &type, .len = N, .placed = true, .segment_len = SEGMENT, .n_segments = 2, .segments = first},
      {.type = &type, .len = N, .placed = true, .segment_len = SEGMENT, .n_segments = 2, .segments = second}};
  const rp_plan plan = {.values = values, .n_values = 2};
  const rp_plan_pattern one = {.step.n_refs = 1, .touches = t}, two = {.step.n_refs = 1, .touches = other};
  const rp_plan_dispatch a = {.pattern = &one}, b = {.pattern = &two};
  rp_reason reason;
  const uint32_t n = rp_reasons_find(&plan, &a, &b, &reason, 1);
  bool meets = false;
  if (t->value == other->value) {
    meets = overlap(t->first, t->count, other->first, other->count);
  } else {
    for (uint64_t i = t->first; i < t->first + t->count; i++)
      for (uint64_t j = other->first; j < other->first + other->count; j++) /* elements in one segment's bytes */
        if (i / SEGMENT == j / SEGMENT) meets |= i % SEGMENT + (uint64_t)64 == j % SEGMENT + (uint64_t)(64 + shift);
  }
  const bool must = meets && ((t->access | other->access) & RP_WRITE);
  assert_int_equal(n, must);
  if (!must) return;
  const bool data = (t->access & RP_READ) && (other->access & RP_WRITE);
  assert_int_equal(reason.kind, t->value != other->value ? RP_REASON_MEMORY : data ? RP_REASON_DATA : RP_REASON_ORDER);
}

static void every_two_ranges(void **state) {
  static const uint32_t accesses[] = {RP_READ, RP_WRITE, RP_READ_WRITE};
  (void)state;
  for (uint32_t k = 0; k < 9; k++)
    for (uint64_t first = 0; first < N; first++)
      for (uint64_t end = first + 1; end <= N; end++)
        for (uint64_t from = 0; from < N; from++)
          for (uint64_t to = from + 1; to <= N; to++) {
            const rp_touch t = {.access = accesses[k / 3], .first = first, .count = end - first};
            rp_touch other = {.access = accesses[k % 3], .first = from, .count = to - from};
            try_ranges(&t, &other, 0);
            other.value = 1;
            for (int shift = -5; shift <= 5; shift++) try_ranges(&t, &other, shift);
          }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_two_ranges)};
  return cmocka_run_group_tests_name("reasons", tests, NULL, NULL);
}
