/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket and window reduction on the CPU. The buckets of a set are cut into parts, one task each, which are summed in
 * rounds of additions that share an inversion. Where nearly all rows are empty, as with witnesses of zeros and ones,
 * only the others are touched.
 */
#include "points/points_cpu.h"
#include "kernel/lanes.h"
#include "msm/bucket_reduce_args.h"
#if !CURVE_EDWARDS
#include "points/affine_batch.h"
#endif

#include <stdbool.h>

/* The sums of the rows, and which of them were written. */
typedef struct buckets {
  const uint64_t *sums;
  const uint32_t *row_ptr; /* rows that are empty have no sum; NULL: every row has one */
  uint32_t affine;
} buckets;

static inline bool is_empty(const buckets *b, uint64_t i) { return b->row_ptr && b->row_ptr[i] == b->row_ptr[i + 1]; }

/* r = k * p */
static void acc_mul_small(acc *r, const acc *p, uint32_t k) {
  acc sum;
  acc_zero(&sum);
  for (uint32_t bit = 32; bit-- > 0;) {
    pt_dbl(&sum, &sum);
    if (k >> bit & 1u) pt_add(&sum, &sum, p);
  }
  *r = sum;
}

static void add_bucket(acc *sum, const buckets *b, uint64_t i) {
  if (b->affine) {
    pt_add_aff(sum, sum, (const aff *)b->sums + i);
  } else {
    pt_add(sum, sum, (const acc *)b->sums + i);
  }
}

/* For few sums among many empty rows: for each bit of the weight, adds up the sums whose weight has that bit, and joins
 * these by Horner's rule. That takes half an addition per bit for each sum, whereas rounds take two for every bucket,
 * which cost an eighth of that in lanes. Returns false, and does nothing, if the sums are not few. */
static bool reduce_few(const buckets *b, uint64_t first, uint32_t len, acc *weighted, acc *plain) {
  acc bit_sum[RP_WINDOW_BITS_MAX + 1];
  uint32_t n = 0, bits = 0;
  if (!b->row_ptr) return 0;
  for (uint32_t i = 0; i < len; i++) n += !is_empty(b, first + i);
  if (n > len / 8) return 0;
  while (len >> bits) bits++;
  for (uint32_t k = 0; k < bits; k++) acc_zero(&bit_sum[k]);
  acc_zero(plain);
  acc_zero(weighted);
  for (uint32_t i = 0; i < len && n; i++) {
    if (is_empty(b, first + i)) continue;
    add_bucket(plain, b, first + i);
    for (uint32_t k = 0; k < bits; k++)
      if ((i + 1) >> k & 1u) add_bucket(&bit_sum[k], b, first + i);
    n--;
  }
  for (uint32_t k = bits; k-- > 0;) {
    pt_dbl(weighted, weighted);
    pt_add(weighted, weighted, &bit_sum[k]);
  }
  return 1;
}

#if !CURVE_EDWARDS
#include "msm/bucket_rounds.h"
#else
static void reduce_part(const buckets *b, uint64_t first, uint32_t len, char *memory, acc *weighted, acc *plain) {
  (void)memory;
  acc_zero(plain);
  acc_zero(weighted);
  for (uint32_t i = len; i-- > 0;) {
    if (!is_empty(b, first + i)) add_bucket(plain, b, first + i);
    pt_add(weighted, weighted, plain);
  }
}
#endif

#if CURVE_EDWARDS && RP_LANES
#include "msm/bucket_parts8.h"
#else
/* Parts begin to end - 1. */
static void reduce_parts(const buckets *b, uint64_t begin, uint64_t end, uint32_t len, char *memory, acc *partials) {
  for (uint64_t item = begin; item < end; item++) {
    acc *out = partials + item * 2;
    if (!reduce_few(b, item * len, len, &out[0], &out[1])) reduce_part(b, item * len, len, memory, &out[0], &out[1]);
  }
}
#endif

void RP_FN(bucket_reduce)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_reduce_args *a = args;
  const buckets b = {.sums = a->sums, .affine = a->affine_sums};
  const uint32_t len = a->buckets / a->parts;
  char *memory = (char *)(a->workspace + (uint64_t)worker->index * a->workspace_words);
  reduce_parts(&b, begin, end, len, memory, (acc *)a->partials);
}

void RP_FN(bucket_reduce_rows)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_reduce_rows_args *a = args;
  const buckets b = {a->sums, a->row_ptr, a->affine_sums};
  const uint32_t len = a->buckets / a->parts;
  char *memory = (char *)(a->workspace + (uint64_t)worker->index * a->workspace_words);
  reduce_parts(&b, begin, end, len, memory, (acc *)a->partials);
}

/* Joins the parts of a set: their weighted sums, plus the plain sum of each part times the number of buckets before
 * it. One part is the set. */
void RP_FN(bucket_fold)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_fold_args *a = args;
  (void)worker;
  for (uint64_t set = begin; set < end; set++) {
    const acc *parts = (const acc *)a->partials + set * a->parts * 2;
    acc plain, sum, weighted;
    if (a->parts == 1) {
      ((acc *)a->windows)[set] = parts[0];
      continue;
    }
    acc_zero(&plain);
    acc_zero(&sum);
    for (uint32_t p = a->parts; p-- > 1;) {
      pt_add(&plain, &plain, &parts[p * 2 + 1]);
      pt_add(&sum, &sum, &plain);
    }
    acc_mul_small(&weighted, &sum, a->buckets / a->parts);
    for (uint32_t p = 0; p < a->parts; p++) pt_add(&weighted, &weighted, &parts[p * 2]);
    ((acc *)a->windows)[set] = weighted;
  }
}

/* Horner's rule, from the top window down. */
void RP_FN(window_reduce)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_window_reduce_args *a = args;
  const acc *windows = (const acc *)a->windows;
  acc sum = windows[a->n - 1];
  (void)begin, (void)end, (void)worker;
  for (uint32_t w = a->n - 1; w-- > 0;) {
    for (uint32_t i = 0; i < a->doublings; i++) pt_dbl(&sum, &sum);
    pt_add(&sum, &sum, &windows[w]);
  }
  *(acc *)a->result = sum;
}
