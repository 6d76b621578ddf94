/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plain references: number-theoretic transforms.
 */
#include "ref/ref.h"

#include <stdlib.h>
#include <string.h>

typedef uint8_t bytes;
enum { ELEMENT = 96 };

void ref_dft(const rp_field_host *f, void *out, const void *x, const void *w, uint64_t n) {
  uint64_t power[ELEMENT / 8];
  f->one(power);
  for (uint64_t i = 0; i < n; i++, f->mul(power, power, w))
    ref_poly_eval(f, (bytes *)out + i * f->size_bytes, x, n, power);
}

/* The transform of x[0], x[step], x[2 step] and so on. */
static void ntt_strided(const rp_field_host *f, bytes *out, const bytes *x, uint64_t step, const void *w, uint64_t n) {
  uint64_t square[ELEMENT / 8], power[ELEMENT / 8], t[ELEMENT / 8];
  size_t size = f->size_bytes;
  if (n == 1) {
    memcpy(out, x, size);
    return;
  }
  f->sqr(square, w);
  ntt_strided(f, out, x, 2 * step, square, n / 2);
  ntt_strided(f, out + n / 2 * size, x + step * size, 2 * step, square, n / 2);
  f->one(power);
  for (uint64_t i = 0; i < n / 2; i++, f->mul(power, power, w)) {
    bytes *even = out + i * size, *odd = even + n / 2 * size;
    f->mul(t, odd, power);
    f->sub(odd, even, t);
    f->add(even, even, t);
  }
}

void ref_ntt(const rp_field_host *f, void *out, const void *x, const void *w, uint64_t n) {
  ntt_strided(f, out, x, 1, w, n);
}

void ref_bit_reverse(const rp_field_host *f, void *out, const void *x, uint64_t n) {
  size_t size = f->size_bytes;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t r = 0;
    for (uint64_t bit = 1; bit < n; bit <<= 1) r = r << 1 | ((i & bit) != 0);
    memcpy((bytes *)out + i * size, (const bytes *)x + r * size, size);
  }
}
