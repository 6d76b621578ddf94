/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The weighted sum of a part's buckets in rounds. Let S_r[i] be the sum of 2^r neighbours. Then
 *
 *   sum of i S_r[i]  =  sum of the odd S_r[i]  +  2 * sum of i S_(r + 1)[i],
 *
 * so that two additions per bucket suffice, as with running sums. But here they form log(len) rounds of independent
 * additions, with one inversion per round, instead of one long chain. Included by bucket_reduce_cpu_tmpl.c.
 */
#ifndef REPRISE_OPS_CPU_BUCKET_ROUNDS_H
#define REPRISE_OPS_CPU_BUCKET_ROUNDS_H

#include "msm/msm_tuning.h"

#include <stdbool.h>

/* Fewer additions than this are done one by one: they are not worth an inversion, which lanes make no cheaper. */
enum { ROUND_MIN_PAIRS = RP_LANES ? 12 : RP_MSM_MIN_PAIRS };

/* A part after some rounds: `n` sums of 2^rounds neighbours each. For each round, the odd-numbered sums that it began
 * with are added up to n / 2 points, from index odd_at[round] on. */
typedef struct reduction {
  pair_memory memory;
  aff *points;
  uint32_t n, rounds;
  uint32_t odd_at[RP_WINDOW_BITS_MAX];
} reduction;

/* Writes the buckets first + k, for k < n, to out in affine form. */
static void load(const buckets *b, aff *out, uint64_t first, uint32_t n) {
  fe one;
  fe_one(&one);
  for (uint32_t k = 0; k < n; k++) {
    const acc *p = (const acc *)b->sums + first + k;
    if (is_empty(b, first + k)) {
      aff_zero(&out[k]);
    } else if (b->affine) {
      out[k] = ((const aff *)b->sums)[first + k];
    } else if (acc_is_zero(p)) {
      aff_zero(&out[k]);
    } else if (fe_equal(&p->zz, &one) && fe_equal(&p->zzz, &one)) {
      out[k].x = p->x;
      out[k].y = p->y;
    } else {
      pt_to_aff(&out[k], p);
    }
  }
}

typedef struct first_round {
  const buckets *b;
  uint64_t first;
  const aff *in;
} first_round;

/* points[dst] = in[i] + in[j]: appends a pair, or copies one point if the other is absent. Returns the new number of
 * pairs. */
static uint32_t first_pair(const reduction *r, uint32_t n, const first_round *f, uint32_t i, uint32_t j, uint32_t dst) {
  const bool no_i = is_empty(f->b, f->first + i) || aff_is_zero(&f->in[i]);
  const bool no_j = is_empty(f->b, f->first + j) || aff_is_zero(&f->in[j]);
  if (!no_i && !no_j) {
    r->memory.pairs[n] = (point_pair){i, j, dst, PAIR_ADD};
    return n + 1;
  }
  if (no_i && no_j) {
    aff_zero(&r->points[dst]);
  } else {
    r->points[dst] = f->in[no_i ? j : i];
  }
  return n;
}

/* The first round, from the buckets into the workspace. */
static void round_first(const reduction *r, const first_round *f) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->n / 4; i++) n = first_pair(r, n, f, 4 * i + 1, 4 * i + 3, r->odd_at[0] + i);
  for (uint32_t i = 0; i < r->n / 2; i++) n = first_pair(r, n, f, 2 * i, 2 * i + 1, i);
  pair_add_to(&r->memory, n, f->in, r->points);
}

/* The other rounds, in place: pairs that read a sum come before those that overwrite it. */
static void round_next(const reduction *r) {
  const uint32_t quarter = r->n / 4;
  point_pair *pairs = r->memory.pairs;
  uint32_t n = 0;
  for (uint32_t i = 0; i < quarter; i++)
    pairs[n++] = (point_pair){4 * i + 1, 4 * i + 3, r->odd_at[r->rounds] + i, PAIR_ADD};
  for (uint32_t i = 0; i < 2 * quarter; i++) pairs[n++] = (point_pair){2 * i, 2 * i + 1, i, PAIR_ADD};
  for (uint32_t j = 0; j < r->rounds; j++) {
    const uint32_t at = r->odd_at[j];
    for (uint32_t i = 0; i < quarter; i++) pairs[n++] = (point_pair){at + 2 * i, at + 2 * i + 1, at + i, PAIR_ADD};
  }
  pair_add(&r->memory, n, r->points);
}

/* weighted = sum of i * in[i], plain = sum of in[i]. */
static void sum_steps(acc *weighted, acc *plain, const aff *in, uint32_t n) {
  acc_zero(plain);
  acc_zero(weighted);
  for (uint32_t i = n; i-- > 0;) {
    pt_add_aff(plain, plain, &in[i]);
    if (i) pt_add(weighted, weighted, plain);
  }
}

/* weighted = sum of (i + 1) * bucket[first + i], plain = sum of the buckets, for i < len; len must be a power of
 * two. */
static void reduce_part(const buckets *b, uint64_t first, uint32_t len, char *memory, acc *weighted, acc *plain) {
  reduction r = {.n = len};
  aff *loaded = pair_memory_map(&r.memory, memory, rp_reduce_pairs(len));
  const bool in_place = b->affine && len >= 4 && 3 * (len / 4) >= ROUND_MIN_PAIRS;
  const first_round f = {b, first, in_place ? (const aff *)b->sums + first : loaded};
  r.points = in_place ? loaded : loaded + len;
  if (!in_place) load(b, loaded, first, len);
  r.odd_at[0] = len / 2;
  for (uint32_t j = 1; j < RP_WINDOW_BITS_MAX; j++) r.odd_at[j] = r.odd_at[j - 1] + (len >> (j + 1));
  while (r.n >= 4 && (3 + r.rounds) * (r.n / 4) >= ROUND_MIN_PAIRS) {
    if (r.rounds) {
      round_next(&r);
    } else {
      round_first(&r, &f);
    }
    r.n /= 2;
    r.rounds++;
  }
  sum_steps(weighted, plain, r.rounds ? r.points : loaded, r.n);
  for (uint32_t j = r.rounds; j-- > 0;) {
    pt_dbl(weighted, weighted);
    for (uint32_t i = 0; i < r.n / 2; i++) pt_add_aff(weighted, weighted, &r.points[r.odd_at[j] + i]);
  }
  pt_add(weighted, weighted, plain);
}

#endif
