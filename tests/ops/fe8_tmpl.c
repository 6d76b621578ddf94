/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tests of the eight-lane arithmetic of one field, compiled with and without IFMA: against ops/arith/field.h in memory
 * form, and on extreme register values against what the digits mean as integers. A digest of all registers shows if the
 * two variants differ.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arith/simd8/fe8.h"
#include "kernel/tmpl.h"
#include "fe8_test.h"

#include <stdlib.h>
#include <time.h>

#if !RP_HAS_FE8
#error "this field has no eight-lane arithmetic"
#endif

static uint64_t seed, digest;

static uint64_t next_random(void) { /* splitmix64 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void note(const void *registers, size_t bytes) {
  const char *at = registers;
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word;
    memcpy(&word, at + i, 8);
    digest = (digest ^ word) * 0x100000001b3u;
  }
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* 0, 1, -1, small, runs of ones and zeros, single bits, near the modulus, and anything. */
static void draw_prime(fp *r) {
  uint64_t words[FP_LIMBS] = {0};
  const uint64_t kind = next_random() % 8;
  fp_zero(r);
  if (kind == 0) return;
  if (kind < 3) { /* slightly less than the modulus, as memory words */
    uint64_t borrow = 0, little = kind == 1 ? 1 : 1 + next_random() % 5;
    for (int i = 0; i < FP_LIMBS; i++) r->v[i] = u64_sub(fp_modulus[i], i ? 0 : little, &borrow);
    return;
  }
  if (kind == 3) {
    r->v[0] = next_random() % 4;
    return;
  }
  for (int i = 0; i < FP_LIMBS; i++) {
    const uint64_t shift = next_random() % 64;
    words[i] = kind == 4 ? 0 - (next_random() & 1) : kind == 5 ? UINT64_MAX << shift : next_random();
  }
  if (kind == 6) {
    memset(words, 0, sizeof words);
    const uint64_t bit = next_random() % (64 * FP_LIMBS);
    words[bit / 64] = (uint64_t)1 << bit % 64;
  }
  words[FP_LIMBS - 1] %= fp_modulus[FP_LIMBS - 1]; /* below p without a reduction, which would destroy the pattern */
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = words[i];
}

static void draw(fe *r, int n) {
  for (int i = 0; i < n; i++) {
#if FE_DEGREE == 2
    draw_prime(&r[i].c0), draw_prime(&r[i].c1);
#else
    draw_prime(&r[i]);
#endif
  }
}

static void expect(const fe8 *a, const fe want[8]) {
  fe got[8];
  note(a, sizeof *a);
  fe8_store(got, a);
  for (int i = 0; i < 8; i++) assert_memory_equal(&got[i], &want[i], sizeof got[i]);
}

/* ---- Against field.h --------------------------------------------------------------------------------------------- */

static void check_memory(void) {
  fe in[64], out[64], want[8];
  fe8 a;
  draw(in, 64);
  fe8_load(&a, in);
  expect(&a, in);
  fe8_load_raw(&a, in);
  note(&a, sizeof a);
  fe8_store_raw(out, &a);
  assert_memory_equal(out, in, 8 * sizeof *in);
  fe8_set1(&a, &in[9]);
  for (int i = 0; i < 8; i++) want[i] = in[9];
  expect(&a, want);
  fe8_set1_raw(&a, &in[9]);
  fe8_store_raw(out, &a);
  assert_memory_equal(out, want, 8 * sizeof *in);

  const void *from[8];
  void *to[8];
  unsigned where[8];
  for (unsigned i = 0; i < 8; i++) {
    from[i] = &in[next_random() % 64];
    where[i] = 8 * i + (unsigned)(next_random() % 8);
    to[i] = &out[where[i]];
    memcpy(&want[i], from[i], sizeof want[i]);
  }
  memset(out, 0xaa, sizeof out);
  fe8_load_at(&a, from);
  expect(&a, want);
  fe8_store_at(to, &a);
  for (int i = 0; i < 8; i++) assert_memory_equal(&out[where[i]], &want[i], sizeof want[i]);
  memset(out, 0xaa, sizeof out);
  fe8_load_raw_at(&a, from);
  fe8_store_raw_at(to, &a);
  for (int i = 0; i < 8; i++) assert_memory_equal(&out[where[i]], &want[i], sizeof want[i]);
  for (int i = 0; i < 64; i++) { /* nothing else was written */
    int meant = 0;
    for (int k = 0; k < 8; k++) meant |= where[k] == (unsigned)i;
    if (!meant) assert_int_equal(((unsigned char *)&out[i])[FE_BYTES - 1], 0xaa);
  }
}

static void check_arithmetic(void) {
  fe a[8], b[8], want[8], t;
  fe8 x, y, r;
  draw(a, 8);
  draw(b, 8);
  if (next_random() % 4 == 0) b[3] = a[3], b[5] = a[5];
  fe8_load(&x, a);
  fe8_load(&y, b);
#define CHECK(call, each)           \
  call;                             \
  for (int i = 0; i < 8; i++) each; \
  expect(&r, want)
  CHECK(fe8_add(&r, &x, &y), fe_add(&want[i], &a[i], &b[i]));
  CHECK(fe8_sub(&r, &x, &y), fe_sub(&want[i], &a[i], &b[i]));
  CHECK(fe8_dbl(&r, &x), fe_dbl(&want[i], &a[i]));
  CHECK(fe8_neg(&r, &x), fe_neg(&want[i], &a[i]));
  CHECK(fe8_mul(&r, &x, &y), fe_mul(&want[i], &a[i], &b[i]));
  CHECK(fe8_sqr(&r, &x), fe_sqr(&want[i], &a[i]));
  CHECK(fe8_inv_var(&r, &x), fe_inv_var(&want[i], &a[i]));
  CHECK(fe8_zero(&r), fe_zero(&want[i]));
  CHECK(fe8_one(&r), fe_one(&want[i]));
  const m8 mask = (m8)next_random();
  r = x;
  CHECK(fe8_cmov(&r, &y, mask), want[i] = mask >> i & 1 ? b[i] : a[i]);
  /* results in place of operands */
  r = x;
  CHECK(fe8_mul(&r, &r, &r), fe_sqr(&want[i], &a[i]));
  r = x;
  CHECK(fe8_sub(&r, &y, &r), fe_sub(&want[i], &b[i], &a[i]));
  /* (a + b)(a - b) - a^2 + b^2 = 0, through values that are not reduced */
  fe8 s, d;
  fe8_add(&s, &x, &y);
  fe8_sub(&d, &x, &y);
  fe8_mul(&r, &s, &d);
  fe8_sqr(&s, &x);
  fe8_sub(&r, &r, &s);
  fe8_sqr(&s, &y);
  fe8_add(&r, &r, &s);
  note(&r, sizeof r);
  assert_int_equal(fe8_is_zero(&r), 0xff);
  unsigned zeros = 0, equals = 0;
  for (int i = 0; i < 8; i++) {
    zeros |= (unsigned)fe_is_zero(&a[i]) << i;
    equals |= (unsigned)fe_equal(&a[i], &b[i]) << i;
  }
  assert_int_equal(fe8_is_zero(&x), zeros);
  assert_int_equal(fe8_equal(&x, &y), equals);
  /* a memory value times a working value */
  fe8_load_raw(&r, b);
  fe8_mul(&r, &r, &x);
  fe8_store_raw(want, &r);
  for (int i = 0; i < 8; i++) {
    fe_mul(&t, &a[i], &b[i]);
    assert_memory_equal(&t, &want[i], sizeof t);
  }
}

/* Differences that are computed without a comparison, of values that are below p in memory. */
static void check_plus(void) {
  fe a[8], b[8], want[8], got[8];
  fe8 x, y, r, s;
  void *to[8];
  draw(a, 8);
  draw(b, 8);
  if (next_random() % 2) b[1] = a[1], b[6] = a[6];
  const m8 minus_a = (m8)next_random(), minus_b = (m8)next_random();
  fe8_load_raw(&x, a);
  fe8_load_raw(&y, b);
  fe8_sub_plus(&r, &x, &y, 1); /* below 2p */
  note(&r, sizeof r);
  fe8_store_raw(got, &r);
  unsigned zeros = 0, clear = 0;
  for (int i = 0; i < 8; i++) {
    fe_sub(&want[i], &a[i], &b[i]);
    assert_memory_equal(&got[i], &want[i], sizeof want[i]);
    zeros |= (unsigned)fe_is_zero(&want[i]) << i;
    clear |= (unsigned)fe_is_zero(&a[i]) << i;
  }
  assert_int_equal(fe8_is_clear(&x), clear);
  for (uint64_t m = 1; m < 8; m++) {
    fe8_sub_plus(&s, &x, &y, m);
    note(&s, sizeof s);
    assert_int_equal(fe8_may_be_zero(&s) & zeros, zeros);
  }
  fe8_sub_signed(&r, &x, minus_a, &y, minus_b, 2); /* below 4p */
  note(&r, sizeof r);
  for (int i = 0; i < 8; i++) {
    fe t;
    to[i] = &got[i];
    want[i] = a[i];
    t = b[i];
    if (minus_a >> i & 1) fe_neg(&want[i], &want[i]);
    if (minus_b >> i & 1) fe_neg(&t, &t);
    fe_sub(&want[i], &want[i], &t);
  }
  fe8_store_raw_wide_at(to, &r);
  for (int i = 0; i < 8; i++) assert_memory_equal(&got[i], &want[i], sizeof want[i]);
}

static void check_batch_inversion(void) {
  enum { MOST = 9 };
  const size_t n = next_random() % (MOST + 1);
  fe in[8 * MOST], want[8];
  fe8 a[MOST], scratch[MOST];
  draw(in, 8 * MOST);
  for (size_t i = 0; i < n; i++) fe8_load(&a[i], &in[8 * i]);
  fe8_batch_inv_var(a, scratch, n);
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++) fe_inv_var(&want[k], &in[8 * i + k]);
    expect(&a[i], want);
  }
}

/* ---- Digits as integers ------------------------------------------------------------------------------------------ */

/* The integer in a lane mod p, as a field element. */
static void integer_of(fp *r, const fp8 *a, int lane) {
  uint64_t words[FP_LIMBS52][8];
  fp shift, t;
  memcpy(words, a, sizeof words);
  fp_set_u32(&shift, 1u << 26);
  fp_sqr(&shift, &shift);
  fp_zero(r);
  for (int i = FP_LIMBS52; i-- > 0;) {
    const uint64_t digit[FP_LIMBS] = {words[i][lane]};
    assert_true(digit[0] >> 52 == 0);
    fp_mul(r, r, &shift);
    fp_from_integer_reduce(&t, digit);
    fp_add(r, r, &t);
  }
}

static void expect_tight(const fp8 *a) {
  uint64_t words[FP_LIMBS52][8];
  note(a, sizeof *a);
  memcpy(words, a, sizeof words);
  for (int i = 0; i < FP_LIMBS52; i++)
    for (int lane = 0; lane < 8; lane++)
      assert_true(words[i][lane] <= (i == FP8_TOP ? fp8_multiple(2, i) + 1 : FP8_MASK));
}

/* Values at the very end of the tight range, at p, 2p and next to them, 0, and any tight values. */
static void draw_tight(fp8 *r) {
  uint64_t words[FP_LIMBS52][8];
  for (int lane = 0; lane < 8; lane++) {
    const uint64_t kind = next_random() % 8, multiple = kind < 3 ? 2 : kind < 6 ? 1 : 0;
    for (int i = 0; i < FP_LIMBS52; i++) {
      words[i][lane] = fp8_multiple(multiple, i);
      if (kind == 0 && i < FP8_TOP) words[i][lane] = FP8_MASK;
      if (kind == 7) words[i][lane] = next_random() % (i == FP8_TOP ? fp8_multiple(2, i) : FP8_MASK);
    }
    if ((kind == 1 || kind == 3) && words[0][lane]) words[0][lane]--;
    if (kind == 6 && next_random() % 2) words[FP8_TOP][lane] = 1;
    if (kind == 4 && words[0][lane] < FP8_MASK) words[0][lane]++;
  }
  memcpy(r, words, sizeof words);
}

/* A y for which the top digits of x + y are those of 2p, or one or two more or less. */
static void draw_complement(fp8 *y, const fp8 *x) {
  uint64_t words[FP_LIMBS52][8], others[FP_LIMBS52][8];
  memcpy(words, y, sizeof words);
  memcpy(others, x, sizeof others);
  for (int lane = 0; lane < 8; lane++) {
    const uint64_t limit = fp8_multiple(2, FP8_TOP) + next_random() % 5;
    if (others[FP8_TOP][lane] > 2 && limit - 2 >= others[FP8_TOP][lane])
      words[FP8_TOP][lane] = limit - 2 - others[FP8_TOP][lane];
  }
  memcpy(y, words, sizeof words);
}

/* 1 / S */
static void scale(fp *r) {
  const uint64_t bits = 52 * FP_LIMBS52;
  fp_set_u32(r, 2);
  fp_pow(r, r, &bits, 1);
  fp_inv_var(r, r);
}

/* Values below 4p, often near 0 or 4p. */
static void draw_loose(fe8 *r) {
  fe a[8], b[8];
  fe8 x, y;
  draw(a, 8);
  draw(b, 8);
  fe8_load_raw(&x, a);
  fe8_load_raw(&y, b);
  fe8_sub_signed(r, &x, (m8)next_random(), &y, (m8)next_random(), 2);
}

#include "fe8_two.h"

#if FE_DEGREE == 1
static void check_registers(void) {
  fp8 x, y, r;
  fp a, b, got, want, s_inverse;
  draw_tight(&x);
  draw_tight(&y);
  if (next_random() % 2) draw_complement(&y, &x);
  scale(&s_inverse);
#define CHECK_TIGHT(call, each)                   \
  call;                                           \
  expect_tight(&r);                               \
  for (int i = 0; i < 8; i++) {                   \
    integer_of(&a, &x, i), integer_of(&b, &y, i); \
    integer_of(&got, &r, i);                      \
    each;                                         \
    assert_memory_equal(&got, &want, sizeof got); \
  }
  CHECK_TIGHT(fp8_add(&r, &x, &y), fp_add(&want, &a, &b));
  CHECK_TIGHT(fp8_sub(&r, &x, &y), fp_sub(&want, &a, &b));
  CHECK_TIGHT(fp8_neg(&r, &x), fp_neg(&want, &a));
  CHECK_TIGHT(fp8_mul(&r, &x, &y), (fp_mul(&want, &a, &b), fp_mul(&want, &want, &s_inverse)));
  CHECK_TIGHT(fp8_sqr(&r, &x), (fp_sqr(&want, &a), fp_mul(&want, &want, &s_inverse)));
  draw_loose(&x);
  draw_loose(&y);
  CHECK_TIGHT(fp8_mul(&r, &x, &y), (fp_mul(&want, &a, &b), fp_mul(&want, &want, &s_inverse)));
  CHECK_TIGHT(fp8_sqr(&r, &x), (fp_sqr(&want, &a), fp_mul(&want, &want, &s_inverse)));
  draw_tight(&x);
  draw_tight(&y);
  /* a lazy difference below 6p as a factor; a lazy sum of two of them tightened */
  fp8 sum, difference;
  fp8_sub_lazy(&difference, &x, &y);
  fp8_add_lazy(&sum, &difference, &difference);
  fp8_carry(&difference);
  CHECK_TIGHT(fp8_mul(&r, &difference, &y),
              (fp_sub(&want, &a, &b), fp_mul(&want, &want, &b), fp_mul(&want, &want, &s_inverse)));
  r = sum;
  CHECK_TIGHT(fp8_tighten(&r), (fp_sub(&want, &a, &b), fp_dbl(&want, &want)));
  /* as many products as a sum may have */
  fp8_wide w;
  fp8_wide_zero(&w);
  for (int k = 0; k < FP8_WIDE_TERMS; k++) fp8_wide_add_mul(&w, &x, &y);
  CHECK_TIGHT(fp8_wide_reduce(&r, &w),
              (fp_mul(&want, &a, &b), fp_set_u32(&got, FP8_WIDE_TERMS), fp_mul(&want, &want, &got),
               fp_mul(&want, &want, &s_inverse), integer_of(&got, &r, i)));
  /* stores reduce fully */
  fp out[8];
  fe8_store_raw(out, &x);
  for (int i = 0; i < 8; i++) {
    fp t;
    integer_of(&a, &x, i);
    fp_from_integer_reduce(&t, out[i].v);
    assert_memory_equal(&t, &a, sizeof t);
    assert_true(fp_from_canonical(&t, out[i].v));
  }
  fe8_store(out, &x);
  fe8_load(&r, out);
  for (int i = 0; i < 8; i++) {
    fp t;
    assert_true(fp_from_canonical(&t, out[i].v));
    integer_of(&a, &x, i), integer_of(&b, &r, i);
    assert_memory_equal(&a, &b, sizeof a);
  }
}
#else
static void integers_of(fe *r, const fe8 *a, int lane) {
  integer_of(&r->c0, &a->c0, lane);
  integer_of(&r->c1, &a->c1, lane);
}

static void expect_product(const fe8 *r, const fe8 *x, const fe8 *y) {
  fp s_inverse;
  fe a, b, got, want;
  scale(&s_inverse);
  expect_tight(&r->c0);
  expect_tight(&r->c1);
  for (int i = 0; i < 8; i++) {
    integers_of(&a, x, i), integers_of(&b, y, i), integers_of(&got, r, i);
    fe_mul(&want, &a, &b);
    fp_mul(&want.c0, &want.c0, &s_inverse);
    fp_mul(&want.c1, &want.c1, &s_inverse);
    assert_memory_equal(&got, &want, sizeof got);
  }
}

static void check_registers(void) {
  fe8 x, y, r;
  draw_tight(&x.c0), draw_tight(&x.c1);
  draw_tight(&y.c0), draw_tight(&y.c1);
  if (next_random() % 2) draw_complement(&x.c1, &x.c0), draw_complement(&y.c1, &y.c0);
  fe8_mul(&r, &x, &y);
  expect_product(&r, &x, &y);
  fe8_sqr(&r, &x);
  expect_product(&r, &x, &x);
  draw_loose(&x);
  draw_loose(&y);
  fe8_mul(&r, &x, &y);
  expect_product(&r, &x, &y);
  fe8_sqr(&r, &x);
  expect_product(&r, &x, &x);
}
#endif

/* Reduces sums of four such values, which are below 16p. */
static void check_reduce(void) {
  fe want[8];
  fe8 x, sum;
  draw_loose(&x);
  fe8_add_lazy(&sum, &x, &x);
  fe8_add_lazy(&sum, &sum, &sum);
  fe8_carry(&sum);
  fe8_reduce(&sum);
  fe8_reduce(&x);
  fe8_dbl(&x, &x);
  fe8_dbl(&x, &x);
  fe8_store(want, &x);
  expect(&sum, want);
}

uint64_t RP_FN(test_fe8)(unsigned rounds) {
  seed = 1;
  digest = 0xcbf29ce484222325u;
  for (unsigned i = 0; i < rounds; i++) {
    check_memory();
    check_arithmetic();
    check_plus();
    check_batch_inversion();
    check_registers();
    check_two();
    check_reduce();
  }
  return digest;
}

/* ---- Benchmark --------------------------------------------------------------------------------------------------- */

static double processor_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

void RP_FN(bench_fe8)(fe8_times *times) {
  enum { VECTORS = 64, REPEAT = 100, ROUNDS = 10 };
  static fe8 a[VECTORS], b[VECTORS];
  static fe memory[8 * VECTORS];
  draw(memory, 8 * VECTORS);
  for (int i = 0; i < VECTORS; i++) {
    fe8_load(&a[i], &memory[8 * i]);
    b[i] = a[i];
  }
#define TIME(field, statement)                                             \
  times->field = 1e9;                                                      \
  for (int round = 0; round < ROUNDS; round++) {                           \
    const double begin = processor_ns();                                   \
    for (int k = 0; k < REPEAT; k++) {                                     \
      for (int i = 0; i < VECTORS; i++) {                                  \
        statement;                                                         \
        __asm__ volatile("" ::: "memory");                                 \
      }                                                                    \
    }                                                                      \
    const double ns = (processor_ns() - begin) / (8.0 * VECTORS * REPEAT); \
    if (ns < times->field) times->field = ns;                              \
  }
  TIME(mul, fe8_mul(&a[i], &a[i], &b[i]))
  TIME(sqr, fe8_sqr(&a[i], &a[i]))
  TIME(add, fe8_add(&a[i], &a[i], &b[i]))
  TIME(sub, fe8_sub(&a[i], &a[i], &b[i]))
  TIME(load, fe8_load(&a[i], &memory[8 * i]))
  TIME(store, fe8_store(&memory[8 * i], &a[i]))
  TIME(load_raw, fe8_load_raw(&b[i], &memory[8 * i]))
  TIME(store_raw, fe8_store_raw(&memory[8 * i], &b[i]))
  TIME(batch_inv, if (i == 0) fe8_batch_inv_var(a, b, VECTORS))
  TIME(scalar_mul, for (int k8 = 0; k8 < 8; k8++)
                       fe_mul(&memory[8 * i + k8], &memory[8 * i + k8], &memory[8 * (VECTORS - 1 - i) + k8]))
}
