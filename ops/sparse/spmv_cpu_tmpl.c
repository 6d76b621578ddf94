/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector, see sparse/spmv.c. Indices are checked when they are used, so that a matrix that is
 * an input of the run can never lead outside the arrays.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "sparse/spmv_args.h"

#include <stdbool.h>

/* The value 1 in the form of x. */
static fe one_of(const struct rp_spmv_args *k) {
  fe one;
  fe_one(&one);
  if (k->x_canonical) {
    fp_word canonical[FE_WORDS];
    fe_to_canonical(canonical, &one);
    fe_load(&one, canonical);
  }
  return one;
}

/* How many entries ahead x is prefetched: its elements are read in random order, and an L2 miss takes as long as two
 * products. With 2^16 rows of three entries it takes 36 ns per entry without prefetching and 25 ns with it; 8 to 32 are
 * equally good. */
enum { AHEAD = 16 };

/* Products that are waiting to be added to their sums, until there are eight: rows are too short to fill the lanes, and
 * if x is mostly zeros and ones, few products are needed. */
typedef struct products {
  const fe *one; /* in the form of x */
#if RP_LANES
  const void *x[8], *value[8];
  fe *sum[8];
  fe ones[8];
  uint32_t n;
#endif
} products;

#if RP_LANES
static void flush(products *p) {
  fe8 x, value;
  fe product[8];
  if (!p->n) return;
  for (uint32_t i = p->n; i < 8; i++) p->x[i] = p->x[0], p->value[i] = p->value[0];
  fe8_load_raw_at(&x, p->x);
  fe8_load_at(&value, p->value);
  fe8_mul(&x, &x, &value);
  fe8_store_raw(product, &x);
  for (uint32_t i = 0; i < p->n; i++) fe_add(p->sum[i], p->sum[i], &product[i]);
  p->n = 0;
}

/* Does sum += x value at the next flush; until then all three must stay in place. */
static inline void add_product(products *p, const fe *x, const fe *value, fe *sum) {
  p->x[p->n] = x;
  p->value[p->n] = value;
  p->sum[p->n] = sum;
  if (++p->n == 8) flush(p);
}

static void add_ones(products *p, const fe *ones, fe *sum) {
  p->ones[p->n] = *ones;
  add_product(p, p->one, &p->ones[p->n], sum);
}
#else
static void flush(products *p) { (void)p; }

static inline void add_product(products *p, const fe *x, const fe *value, fe *sum) {
  fe t;
  (void)p;
  fe_mul(&t, x, value);
  fe_add(sum, sum, &t);
}

static void add_ones(products *p, const fe *ones, fe *sum) { add_product(p, p->one, ones, sum); }
#endif

/* The dot product for entries [begin, end) of one row; *sum is complete after the next flush. Where x is 1, as are most
 * nonzero elements of a witness, the values are added up first, and their sum takes a single product at the end. */
static void dot_range(const struct rp_spmv_args *k, products *p, uint32_t begin, uint32_t end, fe *sum) {
  const fe *val = k->val, *x = k->x;
  fe ones;
  fe_zero(sum);
  fe_zero(&ones);
  for (uint32_t i = begin; i < end; i++) {
    uint32_t c = k->col[i];
    if (k->nnz - i > AHEAD && k->col[i + AHEAD] < k->cols) __builtin_prefetch(&x[k->col[i + AHEAD]]);
    if (c >= k->cols) {
      rp_fault_report(k->error, RP_FAULT_INDEX, k->site, i);
    } else if (fe_equal(&x[c], p->one)) {
      fe_add(&ones, &ones, &val[i]);
    } else if (!fe_is_zero(&x[c])) {
      add_product(p, &x[c], &val[i], sum);
    }
  }
  if (!fe_is_zero(&ones)) add_ones(p, &ones, sum);
}

/* The bounds of a row; if they are out of order that is a fault, and the row is taken as empty. */
static void row_bounds(const struct rp_spmv_args *k, uint32_t row, uint32_t *begin, uint32_t *end) {
  *begin = k->row_ptr[row];
  *end = k->row_ptr[row + 1];
  if (*begin <= *end && *end <= k->nnz && (row || !*begin)) return;
  rp_fault_report(k->error, RP_FAULT_INDEX, k->site, row);
  *begin = *end = 0;
}

void RP_FN(spmv_rows)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_spmv_args *k = args;
  fe *y = k->y;
  const fe one = one_of(k);
  products p = {.one = &one};
  (void)w;
  for (uint64_t row = begin; row < end; row++) {
    uint32_t first, last;
    row_bounds(k, (uint32_t)row, &first, &last);
    dot_range(k, &p, first, last, &y[row]);
  }
  flush(&p);
}

/* The first row whose entries begin at `at` or later, or `rows`. */
static uint32_t row_from(const uint32_t *row_ptr, uint32_t rows, uint32_t at) {
  uint32_t low = 0, high = rows;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (row_ptr[middle] >= at)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

void RP_FN(spmv_balanced)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_spmv_args *k = args;
  fe *y = k->y, *partial = k->partial;
  const fe one = one_of(k);
  products p = {.one = &one};
  (void)w;
  for (uint64_t item = begin; item < end; item++) {
    uint64_t first = item * k->chunk, last = first + k->chunk;
    if (last > k->nnz) last = k->nnz;
    bool is_last = last == k->nnz;
    uint32_t row = row_from(k->row_ptr, k->rows, (uint32_t)first), lo, hi;
    fe_zero(&partial[2 * item]);
    fe_zero(&partial[2 * item + 1]);
    if (row > 0 && k->row_ptr[row - 1] < first) {
      row_bounds(k, row - 1, &lo, &hi);
      if (hi > last) hi = (uint32_t)last;
      if (hi > first) dot_range(k, &p, (uint32_t)first, hi, &partial[2 * item]);
    }
    for (; row < k->rows && (k->row_ptr[row] < last || is_last); row++) {
      row_bounds(k, row, &lo, &hi);
      dot_range(k, &p, lo, hi > last ? (uint32_t)last : hi, hi > last ? &partial[2 * item + 1] : &y[row]);
    }
  }
  flush(&p);
}

void RP_FN(spmv_join)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_spmv_join_args *k = args;
  const fe *partial = k->partial;
  fe *y = k->y;
  (void)w;
  for (uint64_t item = begin; item < end; item++) {
    uint64_t first = item * k->chunk, last = first + k->chunk;
    if (last >= k->nnz) continue;
    uint32_t row = row_from(k->row_ptr, k->rows, (uint32_t)last);
    if (!row || k->row_ptr[row - 1] < first || k->row_ptr[row - 1] >= last) continue;
    uint32_t stop = k->row_ptr[row] <= k->nnz ? k->row_ptr[row] : k->nnz;
    if (stop <= last) continue;
    fe sum = partial[2 * item + 1];
    for (uint64_t next = item + 1; next * k->chunk < stop; next++) fe_add(&sum, &sum, &partial[2 * next]);
    y[row - 1] = sum;
  }
}
