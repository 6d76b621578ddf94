/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of the segments of a chunk on a twisted Edwards curve, on eight lanes. Each lane adds up a segment of its own,
 * next to others of about the same length; a long segment is shared by all lanes. The sums of many lanes become affine
 * with one inversion. Included by bucket_accumulate_cpu_tmpl.c.
 */
#ifndef REPRISE_OPS_CPU_BUCKET_ROWS8_H
#define REPRISE_OPS_CPU_BUCKET_ROWS8_H

#include "arith/simd8/edw8.h"

/* Vectors of sums per inversion, and the length from which on a segment is shared: joining its eight sums takes about
 * as long as 40 additions on lanes. */
enum { ROWS8_VECTORS = 16, ROWS8_LONG = 256 };

/* Sums that are not affine yet, and their rows. */
typedef struct sums8 {
  fe8 x[ROWS8_VECTORS], y[ROWS8_VECTORS], z[ROWS8_VECTORS], scratch[ROWS8_VECTORS];
  uint32_t row[ROWS8_VECTORS][8], used[ROWS8_VECTORS]; /* how many lanes have a row */
  uint32_t n;
} sums8;

static void sums8_write(sums8 *s, const args_t *a, uint64_t chunk) {
  aff lane[8];
  void *x[8], *y[8];
  for (int i = 0; i < 8; i++) x[i] = &lane[i].x, y[i] = &lane[i].y;
  fe8_batch_inv_var(s->z, s->scratch, s->n);
  for (uint32_t v = 0; v < s->n; v++) {
    fe8_mul(&s->x[v], &s->x[v], &s->z[v]);
    fe8_mul(&s->y[v], &s->y[v], &s->z[v]);
    fe8_store_at(x, &s->x[v]);
    fe8_store_at(y, &s->y[v]);
    for (uint32_t i = 0; i < s->used[v]; i++) write_sum(a, chunk, s->row[v][i], &lane[i]);
  }
  s->n = 0;
}

/* Entries first[i] to first[i] + n[i] - 1 in lane i; `longest` is the largest n[i] and at least 1. Lanes whose entries
 * are at an end add the identity. */
static void sum_entries8(edw8 *sum, const args_t *a, const fe8 *d, const uint32_t first[8], const uint32_t n[8],
                         uint32_t longest) {
  const aff *points = (const aff *)a->points;
  aff identity;
  edw8 term;
  aff_zero(&identity);
  for (uint32_t k = 0; k < longest; k++) {
    const aff *at[8];
    unsigned minus = 0;
    for (int i = 0; i < 8; i++) {
      const uint32_t entry = k < n[i] ? a->entries[first[i] + k] : 0;
      at[i] = k < n[i] ? points + (entry >> 1) : &identity;
      minus |= (entry & 1u) << i;
      if (k + 2 < n[i]) __builtin_prefetch(points + (a->entries[first[i] + k + 2] >> 1));
    }
    edw8_load_affine(k ? &term : sum, at, (m8)minus);
    if (k) edw8_add_affine(sum, sum, &term, d);
  }
}

/* The sum of a long segment, to which each lane contributes an eighth. */
static void sum_long8(aff *r, const args_t *a, const fe8 *d, const segment *s) {
  uint32_t first[8], n[8];
  acc lane[8], *to[8];
  edw8 sum;
  const uint32_t each = (s->len + 7) / 8;
  for (uint32_t i = 0; i < 8; i++) {
    const uint32_t from = i * each < s->len ? i * each : s->len;
    first[i] = s->at + from;
    n[i] = s->len - from < each ? s->len - from : each;
    to[i] = &lane[i];
  }
  sum_entries8(&sum, a, d, first, n, each);
  edw8_store_at(to, &sum);
  for (int i = 1; i < 8; i++) pt_add(&lane[0], &lane[0], &lane[i]);
  pt_to_aff(r, &lane[0]);
}

/* The segments that are neither single points nor long, by falling length: counts them by length, and sorts by that.
 * Returns how many there are. */
static uint32_t by_length(uint32_t *order, const workspace *ws, uint32_t n_segments) {
  uint32_t start[ROWS8_LONG] = {0}, at = 0;
  for (uint32_t s = 0; s < n_segments; s++)
    if (ws->segments[s].len < ROWS8_LONG) start[ws->segments[s].len]++;
  for (uint32_t len = ROWS8_LONG; len-- > 2;) {
    const uint32_t count = start[len];
    start[len] = at;
    at += count;
  }
  for (uint32_t s = 0; s < n_segments; s++) {
    const uint32_t len = ws->segments[s].len;
    if (len > 1 && len < ROWS8_LONG) order[start[len]++] = s;
  }
  return at;
}

static void write_single(const args_t *a, uint64_t chunk, const segment *s) {
  const uint32_t entry = a->entries[s->at];
  aff point = ((const aff *)a->points)[entry >> 1];
  if (entry & 1u) aff_neg(&point, &point);
  write_sum(a, chunk, s->row, &point);
}

static void sum_segments8(const args_t *a, const workspace *ws, uint64_t chunk, uint32_t n_segments) {
  uint32_t *order = (uint32_t *)ws->points; /* which are not copied here */
  const uint32_t n = by_length(order, ws, n_segments);
  sums8 sums = {.n = 0};
  fe8 d;
  edw8_coefficient(&d);
  for (uint32_t s = 0; s < n_segments; s++) {
    const segment *seg = &ws->segments[s];
    aff sum;
    if (seg->len == 1) write_single(a, chunk, seg);
    if (seg->len < ROWS8_LONG) continue;
    sum_long8(&sum, a, &d, seg);
    write_sum(a, chunk, seg->row, &sum);
  }
  for (uint32_t s = 0; s < n; s += 8) {
    const uint32_t v = sums.n++;
    uint32_t first[8], len[8];
    edw8 sum;
    sums.used[v] = n - s < 8 ? n - s : 8;
    for (uint32_t i = 0; i < 8; i++) {
      const segment *seg = &ws->segments[order[i < sums.used[v] ? s + i : s]];
      first[i] = seg->at;
      len[i] = i < sums.used[v] ? seg->len : 1; /* spare lanes */
      sums.row[v][i] = seg->row;
    }
    sum_entries8(&sum, a, &d, first, len, len[0]);
    sums.x[v] = sum.x, sums.y[v] = sum.y, sums.z[v] = sum.z;
    if (sums.n == ROWS8_VECTORS || s + 8 >= n) sums8_write(&sums, a, chunk);
  }
}

#endif
