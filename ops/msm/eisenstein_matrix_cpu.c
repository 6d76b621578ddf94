/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Digits in the ring of Eisenstein integers on the CPU: the reference for the GPUs' kernels, which use the same
 * functions.
 */
#include <reprise/kernel.h>

#include "kernel/shared.h"
#include "msm/bucket_matrix_args.h"
#include "msm/eisenstein_matrix_args.h"

#include <stdbool.h>
#include <string.h>

/* What msm/scalar_recode.h and msm/eisenstein_digit.h ask for. */
#define rp_word uint32_t
#define RP_WORDS 8

#define PRODUCT_CARRY(r, a, b, x, c)                              \
  {                                                               \
    const uint64_t s_ = (uint64_t)(a) * (b) + (x), t_ = s_ + (c); \
    (r) = (uint32_t)t_;                                           \
    (c) = (uint32_t)(t_ >> 32);                                   \
  }

static inline uint32_t words_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  uint64_t t = 0;
  RP_UNROLLED for (int i = 0; i < 8; i++) {
    t += (uint64_t)a[i] + b[i];
    r[i] = (uint32_t)t;
    t >>= 32;
  }
  return (uint32_t)t;
}

static inline bool words_subtract(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  uint64_t borrow = 0;
  RP_UNROLLED for (int i = 0; i < 8; i++) {
    const uint64_t t = (uint64_t)a[i] - b[i] - borrow;
    r[i] = (uint32_t)t;
    borrow = t >> 63;
  }
  return borrow != 0;
}

static inline const uint32_t *at(const uint32_t *base, uint32_t i, uint32_t bytes) {
  return base + (size_t)i * (bytes / sizeof *base);
}
static inline uint32_t load_u32(const uint32_t *array, uint32_t i) { return array[i]; }
#define rp_fault(error, code, site, i) rp_fault_report((rp_error_record *)(error), code, site, i)

#include "msm/eisenstein_digit.h"

/* A digit's power of omega and window are those of its entry. */
static void write_digits(const struct rp_eisenstein_args *a, uint32_t i) {
  uint32_t s[8], x[5], y[5], carry_x[1] = {0}, carry_y[1] = {0};
  rp_eisenstein_scalar(*a, s, i, 1);
  rp_eisenstein_split(*a, x, y, s);
  for (uint32_t w = 0; w < 3 * a->windows; w++) a->counters[(size_t)w * a->n + i] = 0;
  for (uint32_t w = 0; w < a->windows; w++) {
    const struct rp_eisenstein_digit d = rp_eisenstein_take(*a, x, y, carry_x, carry_y, i, w);
    if (d.row != RP_NO_ROW) a->counters[d.entry >> 1] = (d.row + 1) << 1 | (d.entry & 1u);
  }
}

void rp_cpu_eisenstein_digits(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_eisenstein_args *a = args;
  const uint32_t blocks = (a->n + RP_DIGITS_BLOCK - 1) / RP_DIGITS_BLOCK;
  (void)worker;
  for (uint64_t b = begin; b < end; b++) {
    for (uint64_t i = b * RP_DIGITS_BLOCK; i < (b + 1) * RP_DIGITS_BLOCK && i < a->n; i++) write_digits(a, (uint32_t)i);
    for (uint32_t w = 0; w < 3 * a->windows; w++) a->entries[(size_t)w * blocks + b] = 1;
  }
}
