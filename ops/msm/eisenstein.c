/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/eisenstein.h"

/* ---- Endomorphisms (eisenstein_curve_tmpl.c) --------------------------------------------------------------------- */

extern const rp_endomorphism rp_endomorphism_bn254_g1, rp_endomorphism_bn254_g2;
extern const rp_endomorphism rp_endomorphism_bls12_381_g1, rp_endomorphism_bls12_381_g2;

const rp_endomorphism *rp_curve_endomorphism(rp_curve curve) {
  static const rp_endomorphism *const known[RP_CURVE_COUNT] = {
      [RP_CURVE_BN254_G1] = &rp_endomorphism_bn254_g1,
      [RP_CURVE_BN254_G2] = &rp_endomorphism_bn254_g2,
      [RP_CURVE_BLS12_381_G1] = &rp_endomorphism_bls12_381_g1,
      [RP_CURVE_BLS12_381_G2] = &rp_endomorphism_bls12_381_g2,
  };
  return (unsigned)curve < RP_CURVE_COUNT ? known[curve] : NULL;
}

/* ---- Bases ------------------------------------------------------------------------------------------------------- */

/* Whether base^windows > 2^bits, for a base below 2^16 and bits from 128 to 159. */
static bool exceeds(uint32_t base, uint32_t windows, uint32_t bits) {
  uint32_t power[6] = {1};
  for (uint32_t w = 0; w < windows; w++) {
    uint64_t carry = 0;
    for (int i = 0; i < 6; i++) {
      carry += (uint64_t)power[i] * base;
      power[i] = (uint32_t)carry;
      carry >>= 32;
    }
    const uint32_t top = power[4] >> (bits - 128);
    if (power[5] || top > 1) return 1;
    if (top && ((power[4] & ((1u << (bits - 128)) - 1)) | power[3] | power[2] | power[1] | power[0])) return 1;
  }
  return 0;
}

rp_eisenstein rp_eisenstein_of(rp_curve curve, uint32_t windows) {
  const uint32_t bits = rp_order_bits(curve) > 254 ? 129 : 128;
  uint32_t below = 1, least = 1 << 15, base; /* base^windows of `below` does not exceed it */
  while (least - below > 1) {
    const uint32_t middle = (below + least) / 2;
    if (exceeds(middle, windows, bits)) {
      least = middle;
    } else {
      below = middle;
    }
  }
  /* Up to a fiftieth more: additions that the multiples cost, against buckets. */
  base = least;
  for (uint32_t b = least + 1; b <= least + least / 50; b++)
    if (__builtin_popcount(b) < __builtin_popcount(base)) base = b;
  return (rp_eisenstein){.windows = windows, .base = base, .rows = base / 2 + 1, .columns = base / 2};
}
