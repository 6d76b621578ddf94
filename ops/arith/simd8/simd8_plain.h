/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The plain C version of simd8.h, which defines each operation lane by lane. Like AVX-512 it selects without branches,
 * so that memcheck reports the branches on values of the code above it and no others.
 */
#ifndef REPRISE_OPS_CPU_SIMD8_PLAIN_H
#define REPRISE_OPS_CPU_SIMD8_PLAIN_H

#include "arith/fields/word.h"

typedef struct v8 {
  uint64_t lane[8];
} v8;

#define RP_SIMD8_MASK52 (UINT64_MAX >> 12)

static inline v8 v8_set1(uint64_t x) { return (v8){{x, x, x, x, x, x, x, x}}; }

static inline v8 v8_load(const void *p) {
  v8 r;
  memcpy(&r, p, sizeof r);
  return r;
}

static inline void v8_store(void *p, v8 a) { memcpy(p, &a, sizeof a); }

static inline v8 v8_add(v8 a, v8 b) {
  for (int i = 0; i < 8; i++) a.lane[i] += b.lane[i];
  return a;
}

static inline v8 v8_sub(v8 a, v8 b) {
  for (int i = 0; i < 8; i++) a.lane[i] -= b.lane[i];
  return a;
}

static inline v8 v8_and(v8 a, v8 b) {
  for (int i = 0; i < 8; i++) a.lane[i] &= b.lane[i];
  return a;
}

static inline v8 v8_or(v8 a, v8 b) {
  for (int i = 0; i < 8; i++) a.lane[i] |= b.lane[i];
  return a;
}

static inline v8 v8_or_xor(v8 a, v8 b, v8 c) {
  for (int i = 0; i < 8; i++) a.lane[i] |= b.lane[i] ^ c.lane[i];
  return a;
}

static inline v8 v8_mul32(v8 a, v8 b) {
  for (int i = 0; i < 8; i++) a.lane[i] = (a.lane[i] & UINT32_MAX) * (b.lane[i] & UINT32_MAX);
  return a;
}

static inline m8 v8_below(v8 a, v8 b) {
  unsigned r = 0;
  for (int i = 0; i < 8; i++) r |= (unsigned)(a.lane[i] < b.lane[i]) << i;
  return (m8)r;
}

static inline v8 v8_shl(v8 a, unsigned n) {
  for (int i = 0; i < 8; i++) a.lane[i] <<= n;
  return a;
}

static inline v8 v8_shr(v8 a, unsigned n) {
  for (int i = 0; i < 8; i++) a.lane[i] >>= n;
  return a;
}

static inline v8 v8_sar(v8 a, unsigned n) {
  for (int i = 0; i < 8; i++) a.lane[i] = (uint64_t)((int64_t)a.lane[i] >> n);
  return a;
}

static inline v8 v8_madlo(v8 sum, v8 a, v8 b) {
  for (int i = 0; i < 8; i++)
    sum.lane[i] += (a.lane[i] & RP_SIMD8_MASK52) * (b.lane[i] & RP_SIMD8_MASK52) & RP_SIMD8_MASK52;
  return sum;
}

static inline v8 v8_madhi(v8 sum, v8 a, v8 b) {
  for (int i = 0; i < 8; i++)
    sum.lane[i] += (uint64_t)((uint128)(a.lane[i] & RP_SIMD8_MASK52) * (b.lane[i] & RP_SIMD8_MASK52) >> 52);
  return sum;
}

static inline m8 v8_gt(v8 a, v8 b) {
  unsigned m = 0;
  for (int i = 0; i < 8; i++) m |= (unsigned)((int64_t)a.lane[i] > (int64_t)b.lane[i]) << i;
  return (m8)m;
}

static inline m8 v8_eq(v8 a, v8 b) {
  unsigned m = 0;
  for (int i = 0; i < 8; i++) m |= (unsigned)(a.lane[i] == b.lane[i]) << i;
  return (m8)m;
}

static inline v8 v8_select(m8 m, v8 a, v8 b) {
  for (int i = 0; i < 8; i++) {
    const uint64_t mask = 0 - (uint64_t)(m >> i & 1);
    a.lane[i] = (a.lane[i] & ~mask) | (b.lane[i] & mask);
  }
  return a;
}

static inline v8 v8_add_if(m8 m, v8 a, v8 b) { return v8_select(m, a, v8_add(a, b)); }
static inline v8 v8_sub_if(m8 m, v8 a, v8 b) { return v8_select(m, a, v8_sub(a, b)); }
static inline v8 v8_add_or_sub(m8 m, v8 a, v8 b) { return v8_select(m, v8_add(a, b), v8_sub(a, b)); }

static inline v8 v8_rotate_plain(v8 a, int n) {
  v8 r;
  for (int i = 0; i < 8; i++) r.lane[i] = a.lane[(i + n) % 8];
  return r;
}

static inline v8 v8_rotate4(v8 a) { return v8_rotate_plain(a, 4); }
static inline v8 v8_rotate2(v8 a) { return v8_rotate_plain(a, 2); }
static inline v8 v8_rotate1(v8 a) { return v8_rotate_plain(a, 1); }

static inline void v8_load_rows_plain(v8 *out, const char *const row[8], int words) {
  for (int i = 0; i < 8; i++)
    for (int w = 0; w < words; w++) memcpy(&out[w].lane[i], row[i] + 8 * w, 8);
}

static inline void v8_store_rows_plain(char *const row[8], const v8 *in, int words) {
  for (int i = 0; i < 8; i++)
    for (int w = 0; w < words; w++) memcpy(row[i] + 8 * w, &in[w].lane[i], 8);
}

static inline void v8_load_rows4(v8 out[4], const char *const row[8]) { v8_load_rows_plain(out, row, 4); }
static inline void v8_load_rows2(v8 out[2], const char *const row[8]) { v8_load_rows_plain(out, row, 2); }
static inline void v8_store_rows4(char *const row[8], const v8 in[4]) { v8_store_rows_plain(row, in, 4); }
static inline void v8_store_rows2(char *const row[8], const v8 in[2]) { v8_store_rows_plain(row, in, 2); }

#endif
