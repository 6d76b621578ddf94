/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables of multiples of fixed points, and scalar multiplication with them, on the CPU. On Weierstrass curves a batch
 * of scalars is added up in affine form, so that a multiplication takes about six field products per window; on twisted
 * Edwards curves eight lanes have a scalar each.
 */
#include "points/points_cpu.h"
#include "kernel/lanes.h"
#include "points/fixed_base_args.h"
#include "points/fixed_base_memory.h"
#include "arith/scalar.h"
#if !CURVE_EDWARDS
#include "points/affine_batch.h"
#elif RP_LANES
#include "arith/simd8/edw8.h"
#endif

static const uint64_t order[4] = CURVE_ORDER_64;

/* r = 2^doublings * p */
static void shifted(aff *r, const aff *p, uint32_t doublings) {
  acc t;
  acc_from_aff(&t, p);
  for (uint32_t i = 0; i < doublings; i++) pt_dbl(&t, &t);
  pt_to_aff(r, &t);
}

/* row[m - 1] = m * row[0] for m < 2^window_bits */
static void fill_row(aff *row, uint32_t window_bits, void *memory) {
#if !CURVE_EDWARDS
  const uint32_t len = (1u << window_bits) - 1;
  pair_memory m;
  pair_memory_map(&m, memory, 1u << (window_bits - 1));
  for (uint32_t known = 1; known < len; known *= 2) { /* row[known + k - 1] is the sum of entries known and k */
    uint32_t n = 0;
    for (uint32_t k = 1; k <= known && known + k <= len; k++)
      m.pairs[n++] = (point_pair){known - 1, k - 1, known + k - 1, PAIR_ADD};
    pair_add(&m, n, row);
  }
#else
  enum { TOGETHER = 128 }; /* points that share an inversion */
  const uint32_t len = (1u << window_bits) - 1;
  acc sums[TOGETHER], sum;
  fe products[TOGETHER];
  (void)memory;
  acc_from_aff(&sum, &row[0]);
  for (uint32_t first = 1; first < len; first += TOGETHER) {
    const uint32_t n = len - first < TOGETHER ? len - first : TOGETHER;
    for (uint32_t i = 0; i < n; i++) {
      pt_add_aff(&sum, &sum, &row[0]);
      sums[i] = sum;
    }
    pt_batch_to_aff(row + first, sums, n, products);
  }
#endif
}

void RP_FN(fixed_base_table)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_fixed_base_table_args *a = args;
  const size_t len = ((size_t)1 << a->window_bits) - 1;
  void *memory = a->workspace + (uint64_t)worker->index * a->workspace_words;
  for (uint64_t item = begin; item < end; item++) {
    aff *row = (aff *)a->table + item * len;
    shifted(row, (const aff *)a->points + item / a->windows, (uint32_t)(item % a->windows) * a->window_bits);
    fill_row(row, a->window_bits, memory);
  }
}

typedef struct rp_fixed_base_mul_args args_t;

/* The table's entry for the digit of scalar i in window w, or NULL if the digit is zero. */
static const aff *look_up(const args_t *a, uint64_t i, uint32_t w) {
  const uint64_t digit = rp_scalar_bits(a->scalars + i * 4, w * a->window_bits, a->window_bits);
  const uint64_t row = (i % a->bases) * a->windows + w;
  return digit ? (const aff *)a->table + row * (((uint64_t)1 << a->window_bits) - 1) + (digit - 1) : NULL;
}

/* out[i] = scalar[begin + i] * base for i < n, at most RP_FIXED_BASE_BATCH; scalars must be below the order. */
#if !CURVE_EDWARDS
static void multiply(const args_t *a, uint64_t begin, uint32_t n, void *memory, acc *out) {
  pair_memory m;
  aff *sums = pair_memory_map(&m, memory, RP_FIXED_BASE_BATCH), *terms = sums + RP_FIXED_BASE_BATCH;
  for (uint32_t i = 0; i < n; i++) aff_zero(&sums[i]);
  for (uint32_t w = 0; w < a->windows; w++) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) __builtin_prefetch(look_up(a, begin + i, w));
    for (uint32_t i = 0; i < n; i++) {
      const aff *term = look_up(a, begin + i, w);
      if (!term) continue;
      terms[used] = *term;
      m.pairs[used] = (point_pair){i, RP_FIXED_BASE_BATCH + used, i, PAIR_ADD};
      used++;
    }
    pair_add(&m, used, sums);
  }
  for (uint32_t i = 0; i < n; i++) acc_from_aff(&out[i], &sums[i]);
}
#elif RP_LANES
/* The same for n <= 8. Spare lanes do what the first one does. */
static void multiply8(const args_t *a, uint64_t begin, uint32_t n, acc *out) {
  const aff *term[8], *next[8];
  acc *to[8], spare;
  edw8 sum, point;
  fe8 d;
  for (uint32_t i = 0; i < 8; i++) {
    to[i] = i < n ? &out[i] : &spare;
    next[i] = look_up(a, begin + (i < n ? i : 0), 0);
  }
  edw8_coefficient(&d);
  edw8_zero(&sum);
  for (uint32_t w = 0; w < a->windows; w++) {
    const edw8 before = sum;
    unsigned none = 0;
    for (uint32_t i = 0; i < 8; i++) {
      term[i] = next[i] ? next[i] : (const aff *)a->table;
      none |= (unsigned)!next[i] << i;
      if (w + 1 == a->windows) continue;
      next[i] = look_up(a, begin + (i < n ? i : 0), w + 1);
      __builtin_prefetch(next[i]);
    }
    if (none == 0xff) continue;
    edw8_load_affine(&point, term, 0);
    edw8_add_affine(&sum, &sum, &point, &d);
    if (none) edw8_cmov(&sum, &before, (m8)none);
  }
  edw8_store_at(to, &sum);
}

static void multiply(const args_t *a, uint64_t begin, uint32_t n, void *memory, acc *out) {
  (void)memory;
  for (uint32_t i = 0; i < n; i += 8) multiply8(a, begin + i, n - i < 8 ? n - i : 8, out + i);
}
#else
static void multiply(const args_t *a, uint64_t begin, uint32_t n, void *memory, acc *out) {
  (void)memory;
  for (uint32_t i = 0; i < n; i++) {
    acc_zero(&out[i]);
    for (uint32_t w = 0; w < a->windows; w++) {
      const aff *term = look_up(a, begin + i, w);
      if (term) pt_add_aff(&out[i], &out[i], term);
    }
  }
}
#endif

void RP_FN(fixed_base_mul)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  void *memory = a->workspace + (uint64_t)worker->index * a->workspace_words;
  for (uint64_t i = begin; i < end; i++) {
    if (!rp_scalar_below(a->scalars + i * 4, order))
      rp_fault_report((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, i);
  }
  for (uint64_t i = begin; i < end; i += RP_FIXED_BASE_BATCH) {
    uint32_t n = end - i < RP_FIXED_BASE_BATCH ? (uint32_t)(end - i) : RP_FIXED_BASE_BATCH;
    multiply(a, i, n, memory, (acc *)a->out + i);
  }
}
