/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of the rows of a bucket matrix on the CPU. The points of a chunk are gathered into the cache and added pairwise
 * within their rows, in rounds, with one inversion per round. When a round would have too few pairs to be worth it, the
 * rest is added one by one. Twisted Edwards curves, whose affine addition needs two inversions, add one by one
 * throughout, or in eight rows at once on lanes. All sums of a chunk are in affine form when they are written.
 *
 * The points may lie at any address: those of a zkey are used where they are in the mapped file. So they are copied or
 * loaded as bytes, never accessed as `aff`.
 */
#include "points/points_cpu.h"
#include "kernel/lanes.h"
#include "msm/bucket_accumulate_args.h"
#include "msm/bucket_matrix_cpu.h"
#include "msm/msm_tuning.h"
#if !CURVE_EDWARDS
#include "points/affine_batch.h"
#endif

#include <stdbool.h>
#include <string.h>

#if CURVE_EDWARDS && RP_LANES
#define ROWS_ON_LANES 1
#else
#define ROWS_ON_LANES 0
#endif

#define ROW_HEAD (UINT32_MAX - 1) /* the end of a long row that began in an earlier chunk */
#define ROW_TAIL UINT32_MAX       /* the beginning of a long row that continues in the next chunk */

enum { PREFETCH = 16 };

/* Points [at, at + len) of the workspace belong to `row`. */
typedef struct segment {
  uint32_t at, len, row;
} segment;

/* The memory of one worker. A chunk uses the entries of at most two chunks. */
typedef struct workspace {
#if !CURVE_EDWARDS
  pair_memory memory; /* [chunk] */
#endif
  fe *scratch;       /* [chunk], between rounds */
  aff *points;       /* [2 * chunk] */
  segment *segments; /* [chunk + 1] */
} workspace;

typedef struct rp_bucket_accumulate_args args_t;

static void workspace_map(workspace *ws, const args_t *a, uint32_t worker) {
  char *p = (char *)(a->workspace + (uint64_t)worker * a->workspace_words);
  ws->scratch = (fe *)p;
#if !CURVE_EDWARDS
  pair_memory_map(&ws->memory, p, a->chunk);
#endif
  ws->points = (aff *)(p + rp_pair_memory_bytes(a->chunk, FE_BYTES));
  ws->segments = (segment *)(ws->points + 2 * (size_t)a->chunk);
}

static void write_sum(const args_t *a, uint64_t chunk, uint32_t row, const aff *sum) {
  acc *partials = (acc *)a->partials + chunk * 2;
  if (row >= ROW_HEAD) {
    acc_from_aff(&partials[row == ROW_TAIL], sum);
  } else if (a->affine_sums) {
    ((aff *)a->sums)[row] = *sum;
  } else {
    acc_from_aff((acc *)a->sums + row, sum);
  }
}

static void write_identity(const args_t *a, uint32_t row) {
  if (a->skip_empty) return;
  if (a->affine_sums) {
    aff_zero((aff *)a->sums + row);
  } else {
    acc_zero((acc *)a->sums + row);
  }
}

#if !ROWS_ON_LANES
static inline const char *point_at(const args_t *a, uint32_t entry) {
  return (const char *)a->points + (size_t)(entry >> 1) * sizeof(aff);
}

/* Fetches every cache line of a point; at an odd address there is one more. Inlined by force: gcc deems a function that
 * only prefetches to have no effect, and drops calls of it. */
static inline __attribute__((always_inline)) void fetch_point(const char *point) {
  for (size_t at = 0; at < sizeof(aff); at += 64) __builtin_prefetch(point + at);
  __builtin_prefetch(point + sizeof(aff) - 1);
}

/* Copies the points of entries [from, to) to ws->points from index `at` on, without points at infinity, and returns how
 * many it copied. `limit` is the end of all entries, where prefetching stops. */
static uint32_t gather(const args_t *a, const workspace *ws, uint32_t at, uint32_t from, uint32_t to, uint32_t limit) {
  aff *out = ws->points + at;
  for (uint32_t i = from; i < to; i++) {
    uint32_t entry = a->entries[i];
    if (i + PREFETCH < limit) fetch_point(point_at(a, a->entries[i + PREFETCH]));
    memcpy(out, point_at(a, entry), sizeof *out);
    if (aff_is_zero(out)) continue;
    if (entry & 1u) aff_neg(out, out);
    out++;
  }
  return (uint32_t)(out - (ws->points + at));
}

/* Copies the points of all segments, which become ranges of the workspace instead of ranges of entries. */
static void gather_segments(const args_t *a, const workspace *ws, uint32_t n_segments) {
  const uint32_t limit = a->row_ptr[a->first_row + a->rows];
  uint32_t at = 0;
  for (uint32_t s = 0; s < n_segments; s++) {
    segment *seg = &ws->segments[s];
    seg->len = gather(a, ws, at, seg->at, seg->at + seg->len, limit);
    seg->at = at;
    at += seg->len;
  }
}

#if !CURVE_EDWARDS && RP_LANES
/* Fetches the last point of a segment of odd length, which is copied. */
static inline __attribute__((always_inline)) void fetch_single(const args_t *a, const segment *seg) {
  if (seg->len & 1u) fetch_point(point_at(a, a->entries[seg->at + seg->len - 1]));
}

/* The same, joined with the first round of pairwise sums, for which the points are not copied. Points at infinity are
 * kept. */
static void load_segments(const args_t *a, const workspace *ws, uint32_t n_segments) {
  uint32_t n = 0, at = 0;
  for (uint32_t s = 0; s < n_segments; s++) n += ws->segments[s].len / 2;
  if (n < RP_MSM_MIN_PAIRS) {
    gather_segments(a, ws, n_segments);
    return;
  }
  n = 0;
  for (uint32_t s = 0; s < n_segments; s++) {
    segment *seg = &ws->segments[s];
    const uint32_t *entries = a->entries + seg->at;
    const uint32_t half = seg->len / 2;
    if (s + PREFETCH < n_segments) fetch_single(a, seg + PREFETCH);
    for (uint32_t i = 0; i < half; i++)
      ws->memory.pairs[n++] = (point_pair){entries[2 * i], entries[2 * i + 1], at + i, PAIR_ADD};
    if (seg->len & 1u) {
      aff *single = &ws->points[at + half];
      memcpy(single, point_at(a, entries[2 * half]), sizeof *single);
      if (entries[2 * half] & 1u) aff_neg(single, single);
    }
    seg->at = at;
    seg->len -= half;
    at += seg->len;
  }
  pair_add_entries(&ws->memory, n, a->points, ws->points);
}
#else
#define load_segments gather_segments
#endif

#if !CURVE_EDWARDS
/* Rounds of pairwise sums as long as there are enough pairs to share an inversion. */
static void sum_pairwise(const workspace *ws, uint32_t n_segments) {
  for (;;) {
    uint32_t n = 0;
    for (uint32_t s = 0; s < n_segments; s++) {
      uint32_t at = ws->segments[s].at, half = ws->segments[s].len / 2;
      for (uint32_t i = 0; i < half; i++)
        ws->memory.pairs[n++] = (point_pair){at + 2 * i, at + 2 * i + 1, at + i, PAIR_ADD};
    }
    if (n < RP_MSM_MIN_PAIRS) return;
    pair_add(&ws->memory, n, ws->points);
    for (uint32_t s = 0; s < n_segments; s++) {
      segment *seg = &ws->segments[s];
      if (seg->len < 2) continue;
      if (seg->len & 1u) ws->points[seg->at + seg->len / 2] = ws->points[seg->at + seg->len - 1];
      seg->len = (seg->len + 1) / 2;
    }
  }
}
#endif

/* Adds the points of each segment and writes the sums in affine form, in batches. */
static void sum_segments(const args_t *a, const workspace *ws, uint64_t chunk, uint32_t n_segments) {
  acc sums[RP_MSM_MIN_PAIRS];
  aff normal[RP_MSM_MIN_PAIRS];
  uint32_t rows[RP_MSM_MIN_PAIRS], n = 0;
#if !CURVE_EDWARDS
  sum_pairwise(ws, n_segments);
#endif
  for (uint32_t s = 0; s < n_segments; s++) {
    const segment *seg = &ws->segments[s];
    const aff *points = ws->points + seg->at;
    if (seg->len == 1) {
      write_sum(a, chunk, seg->row, points);
    } else {
      rows[n] = seg->row;
      acc_zero(&sums[n]);
      for (uint32_t i = 0; i < seg->len; i++) pt_add_aff(&sums[n], &sums[n], &points[i]);
      n++;
    }
    if (n == RP_MSM_MIN_PAIRS || (n && s + 1 == n_segments)) {
      pt_batch_to_aff(normal, sums, n, ws->scratch);
      for (uint32_t i = 0; i < n; i++) write_sum(a, chunk, rows[i], &normal[i]);
      n = 0;
    }
  }
}

#endif

#if ROWS_ON_LANES
#include "msm/bucket_rows8.h"
#endif

/* The range of entries of a chunk. */
static void chunk_range(const args_t *a, uint64_t chunk, uint32_t *begin, uint32_t *end) {
  uint64_t first = a->row_ptr[a->first_row], last = a->row_ptr[a->first_row + a->rows];
  uint64_t from = first + chunk * a->chunk, to = from + a->chunk;
  *begin = (uint32_t)(from < last ? from : last);
  *end = (uint32_t)(to < last ? to : last);
}

static void do_chunk(const args_t *a, const workspace *ws, uint64_t chunk) {
  const uint32_t *row_ptr = a->row_ptr + a->first_row;
  uint32_t begin, end, row, n_segments = 0;
  chunk_range(a, chunk, &begin, &end);
  if (begin == end) return;
  row = rp_bucket_first_row(row_ptr, a->rows, begin);
  if (row_ptr[row] > begin && row_ptr[row] - row_ptr[row - 1] > a->chunk) { /* a long row began earlier */
    uint32_t to = row_ptr[row] < end ? row_ptr[row] : end;
    ws->segments[n_segments++] = (segment){begin, to - begin, ROW_HEAD};
  }
  for (; row < a->rows && row_ptr[row] < end; row++) {
    uint32_t from = row_ptr[row], to = row_ptr[row + 1];
    bool is_long = to - from > a->chunk;
    if (from == to) {
      write_identity(a, row);
      continue;
    }
    ws->segments[n_segments++] = (segment){from, (is_long ? end : to) - from, is_long ? ROW_TAIL : row};
  }
#if ROWS_ON_LANES
  sum_segments8(a, ws, chunk, n_segments);
#else
  load_segments(a, ws, n_segments);
  sum_segments(a, ws, chunk, n_segments);
#endif
}

void RP_FN(bucket_accumulate)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  workspace ws;
  workspace_map(&ws, a, worker->index);
  for (uint64_t chunk = begin; chunk < end; chunk++) do_chunk(a, &ws, chunk);
}

/* Adds the partial sums of the long row that begins in each chunk, and clears the empty rows after the last entry, an
 * equal share per item. */
void RP_FN(bucket_accumulate_long)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  const uint32_t *row_ptr = a->row_ptr + a->first_row;
  const acc *partials = (const acc *)a->partials;
  uint32_t empty = rp_bucket_first_row(row_ptr, a->rows, row_ptr[a->rows]);
  (void)worker;
  for (uint64_t chunk = begin; chunk < end; chunk++) {
    uint64_t from_row = empty + (a->rows - empty) * chunk / a->chunks;
    uint64_t to_row = empty + (a->rows - empty) * (chunk + 1) / a->chunks;
    uint32_t from, to, row;
    for (uint64_t r = from_row; r < to_row && !a->skip_empty; r++) write_identity(a, (uint32_t)r);
    chunk_range(a, chunk, &from, &to);
    if (from == to) continue;
    row = rp_bucket_first_row(row_ptr, a->rows, to) - 1; /* the last row that starts in this chunk or an earlier one */
    if (row_ptr[row] >= from && row_ptr[row + 1] - row_ptr[row] > a->chunk) {
      acc sum = partials[chunk * 2 + 1];
      uint64_t last = (row_ptr[row + 1] - row_ptr[0] - 1) / a->chunk;
      for (uint64_t c = chunk + 1; c <= last; c++) pt_add(&sum, &sum, &partials[c * 2]);
      if (a->affine_sums) {
        pt_to_aff((aff *)a->sums + row, &sum);
      } else {
        ((acc *)a->sums)[row] = sum;
      }
    }
  }
}
