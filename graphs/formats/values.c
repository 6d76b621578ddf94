/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "values.h"

#include "fail.h"
#include "threads/parallel.h"

/* BLOCK values are copied and then checked in a core's cache; GRAIN values are worth waking a thread for; at most
 * MAX_RANGES ranges. */
enum { BLOCK = 2048, GRAIN = 8192, MAX_RANGES = 512 };

typedef struct taking {
  const g16_values *values;
  uint64_t first;
  uint8_t *out;
} taking;

/* 1 if all values are below `order`, in constant time. Limbs are compared from the lowest up: a limb overrides the
 * result so far unless it is equal to that of the order. */
static uint64_t all_below(const uint8_t *values, uint64_t n, const uint8_t *order) {
  const uint64_t r0 = g16_u64(order), r1 = g16_u64(order + 8), r2 = g16_u64(order + 16), r3 = g16_u64(order + 24);
  uint64_t all = 1;
  for (uint64_t i = 0; i < n; i++) {
    const uint8_t *value = values + i * G16_VALUE_BYTES;
    const uint64_t v1 = g16_u64(value + 8), v2 = g16_u64(value + 16), v3 = g16_u64(value + 24);
    uint64_t below = g16_u64(value) < r0;
    below = (uint64_t)(v1 < r1) | ((uint64_t)(v1 == r1) & below);
    below = (uint64_t)(v2 < r2) | ((uint64_t)(v2 == r2) & below);
    below = (uint64_t)(v3 < r3) | ((uint64_t)(v3 == r3) & below);
    all &= below;
  }
  return all;
}

static bool is_one(const uint8_t *value, const uint8_t *one) {
  static const uint8_t integer[G16_VALUE_BYTES] = {1};
  uint8_t any = 0;
  if (!one) one = integer;
  for (int i = 0; i < G16_VALUE_BYTES; i++) any |= value[i] ^ one[i];
  return any == 0;
}

static rp_status check(const g16_values *values, const uint8_t *at, uint64_t first, uint64_t n, rp_error *err) {
  if (!all_below(at, n, values->order)) {
    uint64_t i = 0; /* bounded: values that are lent may have changed since, so that all are below now */
    while (i + 1 < n && all_below(at + i * G16_VALUE_BYTES, 1, values->order)) i++;
    return values->refuse(values->arg, first + i, 0, err);
  }
  return first == 0 && !values->any_first && !is_one(at, values->one) ? values->refuse(values->arg, 0, 1, err) : RP_OK;
}

static rp_status take_range(void *arg, uint32_t part, uint64_t begin, uint64_t n, rp_error *err) {
  const taking *t = arg;
  rp_status status = RP_OK;
  (void)part;
  for (uint64_t end = begin + n; begin < end && status == RP_OK;) {
    const uint64_t some = end - begin < BLOCK ? end - begin : BLOCK;
    uint8_t *to = t->out + begin * G16_VALUE_BYTES;
    status = t->values->copy(t->values->arg, t->first + begin, some, to, err);
    if (status == RP_OK) status = check(t->values, to, t->first + begin, some, err);
    begin += some;
  }
  return status;
}

rp_status g16_values_take(const g16_values *values, uint64_t first, uint64_t n, const rp_executor *executor,
                          uint8_t *out, rp_error *err) {
  taking t = {values, first, out};
  const uint32_t parts = executor ? support_parts(executor, n, GRAIN, MAX_RANGES) : 1;
  rp_status status = support_parallel(executor, parts, n, take_range, &t, err);
  if (status != RP_OK) rp_wipe(out, (size_t)n * G16_VALUE_BYTES);
  return status;
}

static rp_status check_range(void *arg, uint32_t part, uint64_t begin, uint64_t n, rp_error *err) {
  const taking *t = arg;
  (void)part;
  return check(t->values, t->out + begin * G16_VALUE_BYTES, t->first + begin, n, err);
}

rp_status g16_values_check(const g16_values *values, uint64_t first, uint64_t n, const rp_executor *executor,
                           const uint8_t *at, rp_error *err) {
  taking t = {values, first, (uint8_t *)at}; /* only read */
  const uint32_t parts = executor ? support_parts(executor, n, GRAIN, MAX_RANGES) : 1;
  return support_parallel(executor, parts, n, check_range, &t, err);
}

rp_status g16_array_copy(const void *array, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  const g16_array *a = array;
  (void)err;
  memcpy(out, a->values + first * G16_VALUE_BYTES, n * G16_VALUE_BYTES);
  return RP_OK;
}
