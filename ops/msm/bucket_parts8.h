/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Weighted sums of the buckets of eight parts on a twisted Edwards curve, one part per lane, with running sums.
 * Included by bucket_reduce_cpu_tmpl.c.
 */
#ifndef REPRISE_OPS_CPU_BUCKET_PARTS8_H
#define REPRISE_OPS_CPU_BUCKET_PARTS8_H

#include "arith/simd8/edw8.h"

/* Adds bucket first[i] + k to lane i, unless it is empty. */
static void add_buckets8(edw8 *sum, const buckets *b, const uint64_t first[8], uint32_t k, const fe8 *d) {
  const aff *affine[8];
  const acc *other[8];
  unsigned empty = 0;
  edw8 term, before = *sum;
  for (int i = 0; i < 8; i++) {
    const uint64_t at = first[i] + k;
    empty |= (unsigned)is_empty(b, at) << i;
    affine[i] = (const aff *)b->sums + at;
    other[i] = (const acc *)b->sums + at;
  }
  if (empty == 0xff) return;
  if (b->affine) {
    edw8_load_affine(&term, affine, 0);
    edw8_add_affine(sum, sum, &term, d);
  } else {
    edw8_load_at(&term, other);
    edw8_add(sum, sum, &term, d);
  }
  if (empty) edw8_cmov(sum, &before, (m8)empty);
}

/* out[i][0] = sum of (k + 1) * bucket[first[i] + k], out[i][1] = sum of the buckets, for k < len and i < n <= 8. */
static void reduce_parts8(const buckets *b, const uint64_t first[8], acc *const out[8], uint32_t n, uint32_t len) {
  uint64_t from[8];
  acc *weighted_to[8], *plain_to[8], spare;
  edw8 weighted, plain;
  fe8 d;
  for (uint32_t i = 0; i < 8; i++) { /* spare lanes do what the first one does */
    from[i] = first[i < n ? i : 0];
    weighted_to[i] = i < n ? &out[i][0] : &spare;
    plain_to[i] = i < n ? &out[i][1] : &spare;
  }
  edw8_coefficient(&d);
  edw8_zero(&weighted);
  edw8_zero(&plain);
  for (uint32_t k = len; k-- > 0;) {
    add_buckets8(&plain, b, from, k, &d);
    edw8_add(&weighted, &weighted, &plain, &d);
  }
  edw8_store_at(weighted_to, &weighted);
  edw8_store_at(plain_to, &plain);
}

/* Parts begin to end - 1. */
static void reduce_parts(const buckets *b, uint64_t begin, uint64_t end, uint32_t len, char *memory, acc *partials) {
  uint64_t first[8];
  acc *out[8];
  uint32_t n = 0;
  for (uint64_t item = begin; item < end; item++) {
    acc *to = partials + item * 2;
    if (!reduce_few(b, item * len, len, &to[0], &to[1])) {
      first[n] = item * len;
      out[n++] = to;
    }
    if (n == 1 && item + 1 == end)
      reduce_part(b, first[0], len, memory, &out[0][0], &out[0][1]);
    else if (n == 8 || (n && item + 1 == end))
      reduce_parts8(b, first, out, n, len);
    else
      continue;
    n = 0;
  }
}

#endif
