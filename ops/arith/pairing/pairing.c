/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Public entry points of the pairings: they check the arguments, the families do the work.
 */
#include "arith/host/host.h"

#include <stdbool.h>
#include <string.h>

/* The variant of each family that this processor runs, or the only one that this build has. */
#define VARIANT(suffix) \
  { &rp_pairing_host_bn254_g2##suffix, &rp_pairing_host_bls12_381_g2##suffix }
typedef struct variant {
  const rp_pairing_host *bn254, *bls12_381;
} variant;

#if defined(REPRISE_CPU_ONLY_IFMA)
static const variant *best(void) {
  static const variant ifma = VARIANT(_ifma);
  return &ifma;
}
#elif defined(REPRISE_CPU_ONLY_ADX)
static const variant *best(void) {
  static const variant adx = VARIANT(_adx);
  return &adx;
}
#elif defined(__x86_64__) && !defined(REPRISE_CPU_ONLY)
#include <cpuid.h>

static bool has_adx(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) && (b & bit_ADX);
}

/* The instruction sets that the IFMA variant is compiled for. ADX is older than IFMA and need not be asked for;
 * __builtin_cpu_supports does not execute cpuid, which is slow in virtual machines. */
static bool has_ifma(void) {
  return __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2");
}

static const variant *best(void) {
  static const variant plain = VARIANT(), adx = VARIANT(_adx), ifma = VARIANT(_ifma);
  return has_ifma() ? &ifma : has_adx() ? &adx : &plain;
}
#else
static const variant *best(void) {
  static const variant plain = VARIANT();
  return &plain;
}
#endif

static const rp_pairing_host *family(rp_curve pairing) {
  switch (pairing) {
  case RP_CURVE_BN254_G1: return best()->bn254;
  case RP_CURVE_BLS12_381_G1: return best()->bls12_381;
  default: return NULL;
  }
}

uint32_t rp_pairing_prepared_bytes(rp_curve pairing) {
  const rp_pairing_host *f = family(pairing);
  return f ? f->prepared_bytes : 0;
}

uint32_t rp_pairing_value_bytes(rp_curve pairing) {
  const rp_pairing_host *f = family(pairing);
  return f ? f->value_bytes : 0;
}

rp_status rp_pairing_prepare(rp_curve pairing, const void *g2_affine, rp_pairing_prepared *prepared) {
  const rp_pairing_host *f = family(pairing);
  if (!f || !g2_affine || !prepared) return RP_ERR_ARGUMENT;
  return f->prepare(prepared, g2_affine) ? RP_OK : RP_ERR_INPUT;
}

rp_status rp_pairing_prepare_many(rp_curve pairing, uint32_t n, const void *const *g2_affine,
                                  rp_pairing_prepared *const *prepared, uint8_t *valid) {
  const rp_pairing_host *f = family(pairing);
  if (!f || (n && (!g2_affine || !prepared || !valid))) return RP_ERR_ARGUMENT;
  for (uint32_t i = 0; i < n; i++)
    if (!g2_affine[i] || !prepared[i]) return RP_ERR_ARGUMENT;
  if (f->prepare_many(n, (void *const *)prepared, g2_affine, valid)) return RP_OK;
  memset(valid, 0, n);
  return RP_ERR_MEMORY;
}

rp_status rp_pairing_product(rp_curve pairing, uint32_t n, const void *const *g1_affine,
                             const rp_pairing_prepared *const *g2, rp_pairing_value *value) {
  const rp_pairing_host *f = family(pairing);
  if (!f || !value || (n && (!g1_affine || !g2))) return RP_ERR_ARGUMENT;
  for (uint32_t i = 0; i < n; i++)
    if (!g1_affine[i] || !g2[i]) return RP_ERR_ARGUMENT;
  return f->product(value, n, g1_affine, (const void *const *)g2) ? RP_OK : RP_ERR_INPUT;
}

bool rp_pairing_value_equal(rp_curve pairing, const rp_pairing_value *a, const rp_pairing_value *b) {
  const rp_pairing_host *f = family(pairing);
  return f && a && b && memcmp(a, b, f->value_bytes) == 0;
}

bool rp_pairing_value_is_one(rp_curve pairing, const rp_pairing_value *a) {
  uint64_t one[72]; /* twelve elements of 48 bytes */
  const rp_pairing_host *f = family(pairing);
  if (!f || !a) return false;
  f->one(one);
  return memcmp(a, one, f->value_bytes) == 0;
}

bool rp_pairing_product_is_one(rp_curve pairing, uint32_t n, const void *const *g1_affine,
                               const void *const *g2_affine) {
  const rp_pairing_host *f = family(pairing);
  if (!f || (n && (!g1_affine || !g2_affine))) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!g1_affine[i] || !g2_affine[i]) return false;
  return f->product_is_one(n, g1_affine, g2_affine);
}
