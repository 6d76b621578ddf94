/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The function table of a field (reprise/host.h), compiled once for each field.
 */
#include <reprise/host.h>

#include "arith/field.h"
#include "arith/host/host.h"
#include "kernel/tmpl.h"

static void host_zero(void *r) { fe_zero(r); }
static void host_one(void *r) { fe_one(r); }
static void host_add(void *r, const void *a, const void *b) { fe_add(r, a, b); }
static void host_sub(void *r, const void *a, const void *b) { fe_sub(r, a, b); }
static void host_neg(void *r, const void *a) { fe_neg(r, a); }
static void host_mul(void *r, const void *a, const void *b) {
  fe t;
  fe_mul(&t, a, b);
  fe_store(r, &t);
}
static void host_sqr(void *r, const void *a) { fe_sqr(r, a); }
static void host_inv(void *r, const void *a) { fe_inv_var(r, a); }
static void host_inv_ct(void *r, const void *a) { fe_inv_ct(r, a); }
static bool host_sqrt(void *r, const void *a) { return fe_sqrt_var(r, a); }
static bool host_equal(const void *a, const void *b) { return fe_equal(a, b); }
static bool host_is_zero(const void *a) { return fe_is_zero(a); }

static void host_pow(void *r, const void *a, const uint8_t *exponent_le, size_t exponent_bytes) {
  const fe base = *(const fe *)a;
  fe t;
  fe_one(&t);
  for (size_t i = 8 * exponent_bytes; i-- > 0;) {
    fe_sqr(&t, &t);
    if (exponent_le[i / 8] >> i % 8 & 1) fe_mul(&t, &t, &base);
  }
  fe_store(r, &t);
}

static bool host_from_canonical(void *r, const void *canonical_le) {
  fp_word words[FE_WORDS];
  memcpy(words, canonical_le, sizeof words);
  return fe_from_canonical(r, words);
}

static void host_to_canonical(void *canonical_le, const void *a) {
  fp_word words[FE_WORDS];
  fe_to_canonical(words, a);
  memcpy(canonical_le, words, sizeof words);
}

#if FE_DEGREE == 1
/* Horner's rule over blocks of FP_BYTES bytes, most significant first. */
static void host_from_bytes_reduce(void *r, const uint8_t *le, size_t bytes) {
  fe sum, shift, t;
  const fp_word half[FP_LIMBS] = {[FP_LIMBS - 1] = (fp_word)1 << (8 * FP_WORD_BYTES - 1)};
  fe_zero(&sum);
  fp_from_integer_reduce(&shift, half);
  fe_add(&shift, &shift, &shift); /* 2 to the number of bits of a block */
  const size_t blocks = (bytes + FP_BYTES - 1) / FP_BYTES;
  for (size_t i = blocks; i-- > 0;) {
    fp_word words[FP_LIMBS] = {0};
    const size_t left = bytes - i * FP_BYTES;
    memcpy(words, le + i * FP_BYTES, left < FP_BYTES ? left : FP_BYTES);
    fp_from_integer_reduce(&t, words);
    fe_mul(&sum, &sum, &shift);
    fe_add(&sum, &sum, &t);
  }
  fe_store(r, &sum);
}

static bool host_root(void *r, rp_root convention, uint32_t log_n) {
  fe t;
  if (log_n > FP_TWO_ADICITY) return false;
  switch (convention) {
#if FP_HAS_ROOT_SNARKJS
  case RP_ROOT_SNARKJS: t = (fe)FP_ROOT_SNARKJS_64; break;
#endif
#if FP_HAS_ROOT_HALO2
  case RP_ROOT_HALO2: t = (fe)FP_ROOT_HALO2_64; break;
#endif
#if FP_HAS_ROOT_ARKWORKS
  case RP_ROOT_ARKWORKS: t = (fe)FP_ROOT_ARKWORKS_64; break;
#endif
#if FP_HAS_ROOT_PLONKY3
  case RP_ROOT_PLONKY3: t = (fe)FP_ROOT_PLONKY3_64; break;
#endif
  default: return false;
  }
  for (uint32_t i = log_n; i < FP_TWO_ADICITY; i++) fe_sqr(&t, &t);
  fe_store(r, &t);
  return true;
}
#endif

static const uint64_t modulus[FP_LIMBS] = FP_MODULUS_64;

const rp_field_host RP_FN(field_host) = {
    .name = FE_NAME,
    .id = RP_HOST_FIELD_ID(RP_ID),
    .size_bytes = FE_BYTES,
    .canonical_bytes = FE_BYTES,
    .degree = FE_DEGREE,
    .modulus_bits = FP_BITS,
    .two_adicity = FE_DEGREE == 1 ? FP_TWO_ADICITY : 0,
    .modulus_le = (const uint8_t *)modulus,
    .zero = host_zero,
    .one = host_one,
    .add = host_add,
    .sub = host_sub,
    .neg = host_neg,
    .mul = host_mul,
    .sqr = host_sqr,
    .inv = host_inv,
    .inv_ct = host_inv_ct,
    .sqrt = host_sqrt,
    .pow = host_pow,
    .equal = host_equal,
    .is_zero = host_is_zero,
    .from_canonical = host_from_canonical,
    .to_canonical = host_to_canonical,
#if FE_DEGREE == 1
    .from_bytes_reduce = host_from_bytes_reduce,
    .root = host_root,
#endif
};
