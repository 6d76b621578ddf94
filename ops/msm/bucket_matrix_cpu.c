/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The counting sort of the bucket matrix on the CPU. It uses no atomics, and the entries of a row are in the order of
 * the points, whatever the number of parts.
 */
#include "msm/bucket_matrix_cpu.h"
#include "msm/bucket_matrix_args.h"

#include <stdbool.h>
#include <string.h>

/* The digits of part `part` of set `set`, as a range in the wave. */
static void part_range(uint32_t span, uint32_t wave_digits, uint32_t parts, uint32_t set, uint32_t part,
                       uint32_t *begin, uint32_t *end) {
  uint64_t first = (uint64_t)set * span;
  uint64_t len = wave_digits - first < span ? wave_digits - first : span;
  *begin = (uint32_t)(first + len * part / parts);
  *end = (uint32_t)(first + len * (part + 1) / parts);
}

/* A walk through the digits of a range of the wave that are in used blocks. */
typedef struct walk {
  const uint32_t *used; /* of the next block on */
  uint32_t n;           /* scalars */
  uint32_t in_window;   /* the scalar of the next digit */
  uint32_t at, to;      /* the next digit, and the end of the range */
} walk;

static walk walk_from(const uint32_t *used, uint32_t n, uint32_t from, uint32_t to) {
  const uint32_t blocks = (n + RP_DIGITS_BLOCK - 1) / RP_DIGITS_BLOCK, window = from / n, i = from % n;
  return (walk){used + (size_t)window * blocks + i / RP_DIGITS_BLOCK, n, i, from, to};
}

/* The next range of digits in one used block; 0 at the end. */
static inline bool next_block(walk *w, uint32_t *begin, uint32_t *end) {
  while (w->at < w->to) {
    const uint32_t room = RP_DIGITS_BLOCK - w->in_window % RP_DIGITS_BLOCK, left = w->n - w->in_window;
    const uint32_t len = room < left ? room : left, used = *w->used++;
    *begin = w->at;
    *end = w->to - w->at < len ? w->to : w->at + len;
    w->at = *end;
    w->in_window = len == left ? 0 : w->in_window + len;
    if (used) return 1;
  }
  return 0;
}

void rp_cpu_bucket_histogram(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_histogram_args *a = args;
  (void)worker;
  for (uint64_t item = begin; item < end; item++) {
    uint32_t set = (uint32_t)(item / a->parts), part = (uint32_t)(item % a->parts), from, to;
    uint32_t *histogram = a->histogram + item * a->buckets;
    uint32_t digits = 0;
    part_range(a->span, a->wave_digits, a->parts, set, part, &from, &to);
    memset(histogram, 0, a->buckets * sizeof *histogram);
    walk w = walk_from(a->used, a->n, from, to);
    while (next_block(&w, &from, &to)) {
      for (uint32_t i = from; i < to; i++) {
        if (!a->digits[i]) continue;
        histogram[(a->digits[i] >> 1) - 1]++;
        digits++;
      }
    }
    a->totals[(uint64_t)(a->first_set + set) * a->parts + part] = digits;
  }
}

void rp_cpu_bucket_scan(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_scan_args *a = args;
  (void)worker;
  for (uint64_t set = begin; set < end; set++) {
    uint64_t first_row = (a->first_set + set) * a->buckets;
    uint32_t *histogram = a->histogram + set * a->parts * a->buckets;
    uint32_t next = 0;
    for (uint64_t t = 0; t < (a->first_set + set) * a->parts; t++) next += a->totals[t];
    for (uint32_t b = 0; b < a->buckets; b++) {
      a->row_ptr[first_row + b] = next;
      for (uint32_t p = 0; p < a->parts; p++) {
        uint32_t *cell = histogram + (uint64_t)p * a->buckets + b;
        uint32_t count = *cell;
        *cell = next;
        next += count;
      }
    }
    if (a->first_set + set + 1 == a->all_sets) a->row_ptr[first_row + a->buckets] = next;
  }
}

void rp_cpu_bucket_scatter(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_scatter_args *a = args;
  (void)worker;
  for (uint64_t item = begin; item < end; item++) {
    uint32_t set = (uint32_t)(item / a->parts), part = (uint32_t)(item % a->parts), from, to;
    uint32_t *next = a->histogram + item * a->buckets;
    uint32_t base = set * a->span;
    part_range(a->span, a->wave_digits, a->parts, set, part, &from, &to);
    walk w = walk_from(a->used, a->n, from, to);
    while (next_block(&w, &from, &to)) {
      for (uint32_t i = from; i < to; i++) {
        const uint32_t digit = a->digits[i];
        if (digit) a->entries[next[(digit >> 1) - 1]++] = (i - base) << 1 | (digit & 1u);
      }
    }
  }
}
