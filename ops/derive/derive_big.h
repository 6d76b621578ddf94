/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fixed-width integers for derive.c: simple, and fast enough that a whole parameter file takes milliseconds. Every
 * function ends the build on bad input, which can only come from the parameter files.
 */
#ifndef REPRISE_DERIVE_BIG_H
#define REPRISE_DERIVE_BIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

#define BIG_WORDS 14 /* 896 bits: enough for 2^k factors and for Fp2 exponents of a 384-bit prime */

typedef struct big {
  uint64_t w[BIG_WORDS];
} big;

static _Noreturn void fail(const char *what, const char *detail) {
  fprintf(stderr, "derive: %s: %s\n", what, detail);
  exit(1);
}

static big big_u64(uint64_t x) { return (big){{x}}; }

static int big_cmp(const big *a, const big *b) {
  for (int i = BIG_WORDS - 1; i >= 0; i--)
    if (a->w[i] != b->w[i]) return a->w[i] < b->w[i] ? -1 : 1;
  return 0;
}

static big big_add(big a, big b) {
  uint64_t carry = 0;
  for (int i = 0; i < BIG_WORDS; i++) {
    uint128 t = (uint128)a.w[i] + b.w[i] + carry;
    a.w[i] = (uint64_t)t, carry = (uint64_t)(t >> 64);
  }
  if (carry) fail("number too large", "addition");
  return a;
}

static big big_sub(big a, big b) {
  uint64_t borrow = 0;
  for (int i = 0; i < BIG_WORDS; i++) {
    uint128 t = (uint128)a.w[i] - b.w[i] - borrow;
    a.w[i] = (uint64_t)t, borrow = (uint64_t)(t >> 64) & 1;
  }
  if (borrow) fail("negative number", "subtraction");
  return a;
}

/* a * m + c */
static big big_muladd(big a, uint64_t m, uint64_t c) {
  for (int i = 0; i < BIG_WORDS; i++) {
    uint128 t = (uint128)a.w[i] * m + c;
    a.w[i] = (uint64_t)t, c = (uint64_t)(t >> 64);
  }
  if (c) fail("number too large", "multiplication");
  return a;
}

static big big_mul(big a, const big *b) {
  big r = {{0}};
  for (int i = BIG_WORDS - 1; i >= 0; i--) {
    if (r.w[BIG_WORDS - 1]) fail("number too large", "multiplication");
    memmove(r.w + 1, r.w, sizeof r.w - sizeof r.w[0]);
    r.w[0] = 0;
    r = big_add(r, big_muladd(a, b->w[i], 0));
  }
  return r;
}

static big big_shr(big a, unsigned k) {
  for (; k; k--)
    for (int i = 0; i < BIG_WORDS; i++) a.w[i] = a.w[i] >> 1 | (i + 1 < BIG_WORDS ? a.w[i + 1] << 63 : 0);
  return a;
}

static int big_bit(const big *a, unsigned i) { return i / 64 < BIG_WORDS ? (int)(a->w[i / 64] >> i % 64 & 1) : 0; }

static unsigned big_bits(const big *a) {
  unsigned n = 64 * BIG_WORDS;
  while (n && !big_bit(a, n - 1)) n--;
  return n;
}

/* Quotient and remainder by binary long division. */
static big big_divmod(big a, big d, big *remainder) {
  big q = {{0}}, r = {{0}};
  for (int i = (int)big_bits(&a) - 1; i >= 0; i--) {
    r = big_muladd(r, 2, (uint64_t)big_bit(&a, (unsigned)i));
    q = big_muladd(q, 2, 0);
    if (big_cmp(&r, &d) >= 0) r = big_sub(r, d), q.w[0] |= 1;
  }
  if (remainder) *remainder = r;
  return q;
}

/* Decimal, or hexadecimal after 0x. */
static big big_parse(const char *text) {
  big r = {{0}};
  unsigned base = 10;
  if (text[0] == '0' && text[1] == 'x') base = 16, text += 2;
  if (!*text) fail("not a number", text);
  for (; *text; text++) {
    const char *digits = "0123456789abcdef", *at = strchr(digits, *text);
    if (!at || (unsigned)(at - digits) >= base) fail("not a number", text);
    r = big_muladd(r, base, (uint64_t)(at - digits));
  }
  return r;
}

/* ---- Arithmetic modulo an odd prime, canonical integers ---------------------------------------------------------- */

typedef struct modulus {
  big p;
  int n, n32;  /* limbs of 64 bits, and of 32 */
  uint64_t n0; /* -1/p mod 2^64 */
  big r2;      /* 2^(128 n) mod p */
} modulus;

static big mod_add(const modulus *m, big a, big b) {
  a = big_add(a, b);
  return big_cmp(&a, &m->p) >= 0 ? big_sub(a, m->p) : a;
}

static big mod_neg(const modulus *m, big a) {
  big zero = {{0}};
  return big_cmp(&a, &zero) ? big_sub(m->p, a) : a;
}

static big mod_sub(const modulus *m, big a, big b) { return mod_add(m, a, mod_neg(m, b)); }

static big mod_pow2(const modulus *m, unsigned k) {
  big r = big_u64(1);
  for (; k; k--) r = mod_add(m, r, r);
  return r;
}

/* The Montgomery product a b / 2^(64 n), by operand scanning. */
static big mod_redc_mul(const modulus *m, const big *a, const big *b) {
  big t = {{0}};
  for (int i = 0; i < m->n; i++) {
    uint64_t c = 0;
    for (int j = 0; j < m->n + 2; j++) {
      uint128 x = (uint128)a->w[i] * (j < m->n ? b->w[j] : 0) + t.w[j] + c;
      t.w[j] = (uint64_t)x, c = (uint64_t)(x >> 64);
    }
    uint64_t f = t.w[0] * m->n0;
    c = 0;
    for (int j = 0; j < m->n + 2; j++) {
      uint128 x = (uint128)f * (j < m->n ? m->p.w[j] : 0) + t.w[j] + c;
      t.w[j] = (uint64_t)x, c = (uint64_t)(x >> 64);
    }
    memmove(t.w, t.w + 1, sizeof t.w - sizeof t.w[0]);
    t.w[BIG_WORDS - 1] = 0;
  }
  return big_cmp(&t, &m->p) >= 0 ? big_sub(t, m->p) : t;
}

static big mod_mul(const modulus *m, big a, big b) {
  big t = mod_redc_mul(m, &a, &b);
  return mod_redc_mul(m, &t, &m->r2);
}

static big mod_pow(const modulus *m, big a, big e) {
  big r = big_u64(1);
  for (int i = (int)big_bits(&e) - 1; i >= 0; i--) {
    r = mod_mul(m, r, r);
    if (big_bit(&e, (unsigned)i)) r = mod_mul(m, r, a);
  }
  return r;
}

static big mod_inv(const modulus *m, big a) { return mod_pow(m, a, big_sub(m->p, big_u64(2))); }

/* -1/x mod 2^64 for odd x, by Newton's iteration. */
static uint64_t neg_inv64(uint64_t x) {
  uint64_t r = 1;
  for (int i = 0; i < 6; i++) r *= 2 - x * r;
  return 0 - r;
}

static modulus modulus_make(big p) {
  modulus m = {.p = p, .n = (int)(big_bits(&p) + 63) / 64};
  m.n32 = 2 * m.n;
  if (!(p.w[0] & 1)) fail("modulus", "must be odd");
  m.n0 = neg_inv64(p.w[0]);
  m.r2 = mod_pow2(&m, 128u * (unsigned)m.n);
  return m;
}

/* Reads a signed number into [0, p). */
static big mod_parse(const modulus *m, const char *text) {
  bool negative = text[0] == '-';
  big r = big_parse(text + negative);
  if (big_cmp(&r, &m->p) >= 0) fail("number is not below the modulus", text);
  return negative ? mod_neg(m, r) : r;
}

#endif
