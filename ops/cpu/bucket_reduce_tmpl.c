/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket and window reduction on the CPU. The buckets of a set are cut into parts (tasks), a part into chains that
 * run in lockstep, so that the two additions a bucket (running sum, and sum of the running sums) share inversions
 * across chains.
 */
#include "cpu/points.h"
#include "args/bucket_reduce.h"
#if !CURVE_EDWARDS
#include "cpu/affine_batch.h"
#endif

typedef struct rp_bucket_reduce_args args_t;

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

#if !CURVE_EDWARDS
/* Loads the buckets first + k * stride, k < chains. */
static void load(const args_t *a, aff *out, uint64_t first, uint32_t stride) {
  if (a->affine_sums) {
    const aff *sums = (const aff *)a->sums + first;
    for (uint32_t k = 0; k < a->chains; k++) out[k] = sums[(size_t)k * stride];
    return;
  }
  const acc *sums = (const acc *)a->sums + first;
  fe one;
  fe_one(&one);
  for (uint32_t k = 0; k < a->chains; k++) {
    const acc *p = sums + (size_t)k * stride;
    if (acc_is_zero(p)) {
      aff_zero(&out[k]);
    } else if (fe_equal(&p->zz, &one) && fe_equal(&p->zzz, &one)) {
      out[k].x = p->x;
      out[k].y = p->y;
    } else {
      pt_to_aff(&out[k], p);
    }
  }
}

static void reduce_part(const args_t *a, uint64_t first, uint32_t len, char *memory, acc *weighted, acc *plain) {
  uint32_t chains = a->chains, steps = len / chains;
  pair_memory m;
  aff *run = pair_memory_map(&m, memory, 2 * chains), *total = run + chains, *next = total + chains;
  acc sum;
  load(a, run, first + steps - 1, steps);
  for (uint32_t k = 0; k < chains; k++) aff_zero(&total[k]);
  for (uint32_t i = steps; i-- > 0;) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < chains; k++) m.pairs[n++] = (point_pair){chains + k, k, chains + k, PAIR_ADD};
    if (i > 0) {
      load(a, next, first + i - 1, steps);
      for (uint32_t k = 0; k < chains; k++) m.pairs[n++] = (point_pair){k, 2 * chains + k, k, PAIR_ADD};
    }
    pair_add(&m, n, run);
  }
  acc_zero(plain);
  acc_zero(&sum);
  for (uint32_t k = chains; k-- > 0;) {
    pt_add_aff(plain, plain, &run[k]);
    if (k) pt_add(&sum, &sum, plain); /* k * run[k] in the end */
  }
  acc_mul_small(weighted, &sum, steps);
  for (uint32_t k = 0; k < chains; k++) pt_add_aff(weighted, weighted, &total[k]);
}
#else
static void reduce_part(const args_t *a, uint64_t first, uint32_t len, char *memory, acc *weighted, acc *plain) {
  (void)memory;
  acc_zero(plain);
  acc_zero(weighted);
  for (uint32_t i = len; i-- > 0;) {
    pt_add(plain, plain, (const acc *)a->sums + first + i);
    pt_add(weighted, weighted, plain);
  }
}
#endif

void RP_FN(bucket_reduce)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  uint32_t len = a->buckets / a->parts;
  char *memory = (char *)(a->workspace + (uint64_t)worker->index * a->workspace_words);
  for (uint64_t item = begin; item < end; item++) {
    acc *out = (acc *)a->partials + item * 2;
    reduce_part(a, item * len, len, memory, &out[0], &out[1]);
  }
}

/* The parts of a set: the sum of their weighted sums, and of each one's plain sum times the buckets before it. */
void RP_FN(bucket_fold)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_fold_args *a = args;
  (void)worker;
  for (uint64_t set = begin; set < end; set++) {
    const acc *parts = (const acc *)a->partials + set * a->parts * 2;
    acc plain, sum, weighted;
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
