/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plain references: field vectors.
 */
#include "ref/ref.h"

#include <string.h>

typedef uint8_t bytes;
enum { ELEMENT = 96 };

void ref_binary(const rp_field_host *f, void (*op)(void *, const void *, const void *), void *out, const void *a,
                uint64_t a_step, const void *b, uint64_t b_step, uint64_t n) {
  size_t size = f->size_bytes;
  for (uint64_t i = 0; i < n; i++)
    op((bytes *)out + i * size, (const bytes *)a + i * a_step * size, (const bytes *)b + i * b_step * size);
}

void ref_powers(const rp_field_host *f, void *out, const void *base, const void *scale, uint64_t n) {
  uint64_t power[ELEMENT / 8];
  if (scale)
    memcpy(power, scale, f->size_bytes);
  else
    f->one(power);
  for (uint64_t i = 0; i < n; i++, f->mul(power, power, base))
    memcpy((bytes *)out + i * f->size_bytes, power, f->size_bytes);
}

void ref_prefix_product(const rp_field_host *f, void *out, const void *x, bool exclusive, uint64_t n) {
  uint64_t product[ELEMENT / 8];
  size_t size = f->size_bytes;
  f->one(product);
  for (uint64_t i = 0; i < n; i++) {
    if (exclusive) memcpy((bytes *)out + i * size, product, size);
    f->mul(product, product, (const bytes *)x + i * size);
    if (!exclusive) memcpy((bytes *)out + i * size, product, size);
  }
}

void ref_sum(const rp_field_host *f, void *out, const void *x, uint64_t n) {
  f->zero(out);
  for (uint64_t i = 0; i < n; i++) f->add(out, out, (const bytes *)x + i * f->size_bytes);
}

void ref_poly_eval(const rp_field_host *f, void *out, const void *x, uint64_t n, const void *point) {
  f->zero(out);
  for (uint64_t i = n; i-- > 0;) {
    f->mul(out, out, point);
    f->add(out, out, (const bytes *)x + i * f->size_bytes);
  }
}

void ref_poly_divide(const rp_field_host *f, void *out, const void *x, uint64_t n, const void *point) {
  uint64_t sum[ELEMENT / 8];
  size_t size = f->size_bytes;
  f->zero(sum);
  for (uint64_t i = n; i-- > 1;) {
    f->mul(sum, sum, point);
    f->add(sum, sum, (const bytes *)x + i * size);
    memcpy((bytes *)out + (i - 1) * size, sum, size);
  }
}

void ref_inverse(const rp_field_host *f, void *out, const void *x, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) f->inv((bytes *)out + i * f->size_bytes, (const bytes *)x + i * f->size_bytes);
}
