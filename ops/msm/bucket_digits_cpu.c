/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Signed digits of scalars on the CPU, for any group order: the arithmetic is a comparison, a subtraction and, for
 * field elements, one Montgomery reduction, so that one kernel serves all fields.
 *
 * kernel bucket_digits bucket_digits/4 cpu:c
 */
#include <reprise/kernel.h>

#include "kernel/shared.h"
#include "msm/bucket_matrix_cpu.h"
#include "msm/bucket_matrix_args.h"

#include <stdbool.h>
#include <string.h>

typedef struct rp_bucket_digits_args args_t;
__extension__ typedef unsigned __int128 wide;

/* What msm/scalar_recode.h asks for. */
#define rp_word uint64_t
#define RP_WORDS 4

#define PRODUCT_CARRY(r, a, b, x, c)       \
  {                                        \
    const wide s_ = (wide)(a) * (b) + (x); \
    const wide t_ = s_ + (c);              \
    (r) = (uint64_t)t_;                    \
    (c) = (uint64_t)(t_ >> 64);            \
  }

static inline uint64_t words_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t carry = 0;
  RP_UNROLLED for (int i = 0; i < 4; i++) {
    const wide t = (wide)a[i] + b[i] + carry;
    r[i] = (uint64_t)t;
    carry = (uint64_t)(t >> 64);
  }
  return carry;
}

static inline bool words_subtract(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t borrow = 0;
  RP_UNROLLED for (int i = 0; i < 4; i++) {
    const wide t = (wide)a[i] - b[i] - borrow;
    r[i] = (uint64_t)t;
    borrow = (uint64_t)(t >> 64) & 1u;
  }
  return borrow != 0;
}

#include "msm/scalar_recode.h"

/* Digits are written one cache line per window at a time: written one by one, the lines of windows that are a power of
 * two apart would evict each other from the cache. */
enum { BLOCK = RP_DIGITS_BLOCK };

/* Scalars of a block: their words, word by word, and whether each is negative. */
typedef struct scalar_block {
  uint64_t word[5][BLOCK];
  uint32_t negative[BLOCK];
} scalar_block;

/* Puts scalar i, recoded, into the block at `at`. A scalar that is not below the order is a fault and counts as zero.
 */
static void put_biased(scalar_block *to, uint32_t at, const args_t *a, uint64_t i, const uint64_t order[4],
                       const uint64_t bias[4]) {
  const uint32_t scalar_bytes = a->scalar_words * 4;
  uint64_t scalar[4] = {0}, negated[4], s[5];
  memcpy(scalar, (const char *)a->scalars + i * scalar_bytes, scalar_bytes);
  if (a->montgomery)
    rp_scalar_reduce(scalar, order, (uint64_t)a->order_inverse[1] << 32 | a->order_inverse[0], a->scalar_words / 2);
  if (!rp_scalar_negate(negated, scalar, order))
    rp_fault_report((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, i);
  to->negative[at] = rp_scalar_bias(s, scalar, negated, bias);
  for (int j = 0; j < 5; j++) to->word[j][at] = s[j];
}

/* Whether all n scalars are 0 or 1, as in most blocks of a witness; only their first window then has nonzero digits. */
static bool all_bits(const args_t *a, uint64_t first, uint32_t n) {
  const uint32_t words = a->scalar_words;
  const uint32_t *s = (const uint32_t *)a->scalars + first * words;
  uint32_t any = 0;
  if (a->montgomery) return 0;
  for (uint32_t i = 0; i < n; i++, s += words) {
    any |= s[0] & ~1u;
    for (uint32_t w = 1; w < words; w++) any |= s[w];
  }
  return any == 0;
}

/* Writes the n digits of a block in window w, unless all of them are zero. */
static void write_window(const args_t *a, uint64_t block, uint32_t n, uint32_t w, const uint32_t digits[BLOCK],
                         bool used) {
  const uint64_t blocks = ((uint64_t)a->n + BLOCK - 1) / BLOCK, window = w - a->first_window;
  a->used[window * blocks + block] = used;
  if (used) memcpy(a->digits + window * a->n + block * BLOCK, digits, n * sizeof *digits);
}

/* For scalars that all_bits has seen to be bits. A caller who has lent them may have changed them since: a digit that
 * has no bucket would be counted outside the histogram. */
static void write_bits(const args_t *a, uint64_t block, uint32_t n) {
  const uint32_t *s = (const uint32_t *)a->scalars + block * BLOCK * a->scalar_words;
  uint32_t digits[BLOCK], any = 0;
  for (uint32_t i = 0; i < n; i++) any |= digits[i] = (s[(size_t)i * a->scalar_words] & 1u) << 1;
  for (uint32_t w = a->first_window; w < a->first_window + a->windows; w++)
    write_window(a, block, n, w, digits, w == 0 && any);
}

/* Two words of 64 bits, four of 32 bits: every machine has instructions for them. */
typedef uint64_t words2 __attribute__((vector_size(16)));
typedef uint32_t words4 __attribute__((vector_size(16)));
typedef int32_t signed4 __attribute__((vector_size(16)));

/* The low 52 or fewer bits of two scalars from bit `shift` of the word at `word` on. */
static inline words2 window_of_two(const scalar_block *b, uint32_t word, uint32_t i, uint32_t shift, uint64_t mask) {
  words2 low, high;
  memcpy(&low, &b->word[word][i], sizeof low);
  memcpy(&high, &b->word[word + 1][i], sizeof high);
  return (low >> shift | high << 1 << (63 - shift)) & mask;
}

/* The digits of all scalars of the block in a window. `middle` is subtracted: the bias, if the window has one. Returns
 * whether any digit is not zero. */
static bool window_digits(uint32_t digits[BLOCK], const scalar_block *b, uint32_t bit, uint64_t mask, uint32_t middle) {
  const uint32_t word = bit / 64, shift = bit % 64;
  words4 any = {0};
  for (uint32_t i = 0; i < BLOCK; i += 4) {
    const words4 two = (words4)window_of_two(b, word, i, shift, mask),
                 next = (words4)window_of_two(b, word, i + 2, shift, mask);
    const words4 digit = (words4){two[0], two[2], next[0], next[2]} - middle;
    const words4 below = (words4)((signed4)digit >> 31), magnitude = (digit ^ below) - below;
    words4 negative;
    memcpy(&negative, &b->negative[i], sizeof negative);
    const words4 out = magnitude << 1 | ((below ^ negative) & (words4)(magnitude != 0) & 1u);
    memcpy(&digits[i], &out, sizeof out);
    any |= out;
  }
  return (any[0] | any[1] | any[2] | any[3]) != 0;
}

void rp_cpu_bucket_digits(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  const uint32_t c = a->window_bits, top = a->all_windows - 1;
  const uint64_t mask = ((uint64_t)1 << c) - 1;
  const uint32_t middle = (uint32_t)1 << (c - 1);
  uint64_t order[4], bias[4];
  scalar_block scalars = {0};
  (void)worker;
  memcpy(order, a->order, sizeof order);
  memcpy(bias, a->bias, sizeof bias);
  for (uint64_t b = begin; b < end; b++) {
    const uint64_t first = b * BLOCK;
    const uint32_t n = a->n - first < BLOCK ? (uint32_t)(a->n - first) : BLOCK;
    uint32_t digits[BLOCK];
    if (c > 1 && all_bits(a, first, n)) {
      write_bits(a, b, n);
      continue;
    }
    for (uint32_t i = 0; i < n; i++) put_biased(&scalars, i, a, first + i, order, bias);
    for (uint32_t w = a->first_window; w < a->first_window + a->windows; w++) {
      const bool used = window_digits(digits, &scalars, w * c, mask, w == top ? 0 : middle);
      write_window(a, b, n, w, digits, used);
    }
  }
}
