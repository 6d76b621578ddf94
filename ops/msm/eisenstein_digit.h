/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The digits of a scalar in the ring of Eisenstein integers (msm/eisenstein.h), for C, CUDA C and GLSL. The file that
 * includes this one defines before it what msm/scalar_recode.h asks for, with words of 32 bits.
 */
#ifndef REPRISE_OPS_EISENSTEIN_DIGIT_H
#define REPRISE_OPS_EISENSTEIN_DIGIT_H

#include "msm/scalar_recode.h"

#define RP_NO_ROW 0xffffffffu

struct rp_eisenstein_digit {
  uint32_t row;   /* RP_NO_ROW if the digit is zero */
  uint32_t entry; /* index << 1 | negative */
};

/* multiple := round(s g / 2^320) */
RP_SHARED void rp_glv_multiple(RP_CHANGED uint32_t multiple[5], const uint32_t s[8], const uint32_t g[7]) {
  uint32_t t[15];
  RP_UNROLLED for (int i = 0; i < 15; i++) t[i] = 0u;
  RP_UNROLLED for (int i = 0; i < 8; i++) {
    uint32_t c = 0u;
    RP_UNROLLED for (int j = 0; j < 7; j++) PRODUCT_CARRY(t[i + j], s[i], g[j], t[i + j], c)
    t[i + 7] = c;
  }
  uint32_t c = t[9] >> 31; /* the highest bit that is cut off */
  RP_UNROLLED for (int i = 0; i < 5; i++) {
    multiple[i] = t[10 + i] + c;
    c = multiple[i] < c ? 1u : 0u;
  }
}

/* x -= multiple v, of 160 bits */
RP_SHARED void rp_glv_subtract(RP_CHANGED uint32_t x[5], const uint32_t multiple[5], const uint32_t v[5]) {
  uint32_t t[5], borrow = 0u;
  RP_UNROLLED for (int i = 0; i < 5; i++) t[i] = 0u;
  RP_UNROLLED for (int i = 0; i < 5; i++) {
    uint32_t c = 0u;
    RP_UNROLLED for (int j = 0; i + j < 5; j++) PRODUCT_CARRY(t[i + j], multiple[i], v[j], t[i + j], c)
  }
  RP_UNROLLED for (int i = 0; i < 5; i++) {
    const uint32_t less = t[i] + borrow, carried = less < borrow ? 1u : 0u;
    borrow = carried | (x[i] < less ? 1u : 0u);
    x[i] -= less;
  }
}

/* x += a, of 160 bits */
RP_SHARED void rp_glv_add(RP_CHANGED uint32_t x[5], const uint32_t a[5]) {
  uint32_t c = 0u;
  RP_UNROLLED for (int i = 0; i < 5; i++) {
    const uint32_t more = a[i] + c, carried = more < c ? 1u : 0u;
    x[i] += more;
    c = carried | (x[i] < more ? 1u : 0u);
  }
}

/* s := scalar i. A scalar that is not below the order counts as zero, and is a fault with `report`. So does one with
 * i >= k.n, without a fault. */
RP_SHARED void rp_eisenstein_scalar(RP_ARGS_OF(rp_eisenstein_args) RP_CHANGED uint32_t s[8], uint32_t i, bool report) {
  uint32_t negated[8], order[8];
  RP_UNROLLED for (uint32_t j = 0u; j < 8u; j++) {
    s[j] = i < k.n && j < k.scalar_words ? load_u32(at(k.scalars, i, 4u * k.scalar_words), j) : 0u;
    order[j] = k.order[j];
  }
  if (k.montgomery != 0u) rp_scalar_reduce(s, order, k.order_inverse, k.scalar_words);
  if (!rp_scalar_negate(negated, s, order) && report) rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
}

/* Scalar s as k1 + k2 omega = (k1 - k2) + k2 zeta: (s, 0) less the nearest combination of the lattice's vectors. x and
 * y are the coordinates, to each of which base^windows has been added, so that they are not negative. */
RP_SHARED void rp_eisenstein_split(RP_ARGS_OF(rp_eisenstein_args) RP_CHANGED uint32_t x[5], RP_CHANGED uint32_t y[5],
                                   const uint32_t s[8]) {
  uint32_t g[7], v[5], multiple[5];
  RP_UNROLLED for (int i = 0; i < 5; i++) {
    x[i] = s[i];
    y[i] = 0u;
  }
  for (uint32_t second = 0u; second < 2u; second++) {
    RP_UNROLLED for (int i = 0; i < 7; i++) g[i] = second != 0u ? k.g2[i] : k.g1[i];
    rp_glv_multiple(multiple, s, g);
    RP_UNROLLED for (int i = 0; i < 5; i++) v[i] = second != 0u ? k.a2[i] : k.a1[i];
    rp_glv_subtract(x, multiple, v);
    RP_UNROLLED for (int i = 0; i < 5; i++) v[i] = second != 0u ? k.b2[i] : k.b1[i];
    rp_glv_subtract(y, multiple, v);
  }
  RP_UNROLLED for (int i = 0; i < 5; i++) {
    multiple[i] = i == 0 ? 1u : 0u;
    v[i] = k.offset[i];
  }
  rp_glv_subtract(x, multiple, y);
  rp_glv_add(x, v);
  rp_glv_add(y, v);
}

/* x := floor((x + carry) / base) without the new carry; returns the remainder. Only the lowest `words` words of x are
 * not zero. The quotient of a number below 2^30 is the high word of its product with `inverse`, which is 2^(32 + shift)
 * / base rounded up, less the `shift` lowest bits of that (Granlund, Montgomery: "Division by Invariant Integers using
 * Multiplication", PLDI 1994). */
RP_SHARED uint32_t rp_eisenstein_divide(RP_ARGS_OF(rp_eisenstein_args) RP_CHANGED uint32_t x[5],
                                        RP_CHANGED uint32_t carry[1], uint32_t words) {
  uint32_t rest = 0u;
  RP_UNROLLED for (uint32_t above = 0u; above < 5u; above++) {
    const uint32_t i = 4u - above;
    if (i >= words) continue;
    uint32_t quotient = 0u;
    RP_UNROLLED for (uint32_t low = 0u; low < 2u; low++) {
      const uint32_t part = rest << 16u | (low == 0u ? x[i] >> 16u : x[i] & 0xffffu);
      uint32_t high = 0u;
      PRODUCT_CARRY(rest, part, k.inverse, 0u, high)
      const uint32_t q = high >> k.shift;
      rest = part - q * k.base;
      quotient = quotient << 16u | q;
    }
    x[i] = quotient;
  }
  rest += carry[0];
  carry[0] = rest >= k.base ? 1u : 0u;
  return rest - carry[0] * k.base;
}

/* Takes digit w of scalar i from x + y zeta, from w = 0 on; the carries are what it adds to the next one. Of all
 * residues of x + y zeta mod base the one of the least norm x^2 + x y + y^2 is taken: zeta is at 60 degrees, and the
 * residues with 0 <= x, y < base consist of those nearest to 0, base, base zeta, and base + base zeta. */
RP_SHARED RP_TYPE_OF(rp_eisenstein_digit)
    rp_eisenstein_take(RP_ARGS_OF(rp_eisenstein_args) RP_CHANGED uint32_t x[5], RP_CHANGED uint32_t y[5],
                       RP_CHANGED uint32_t carry_x[1], RP_CHANGED uint32_t carry_y[1], uint32_t i, uint32_t w) {
  RP_TYPE_OF(rp_eisenstein_digit) d;
  const uint32_t gone = w * k.base_bits, left = k.bits > gone ? k.bits - gone : 1u, words = (left + 31u) / 32u;
  const uint32_t a = rp_eisenstein_divide(RP_ARGS_PASSED x, carry_x, words);
  const uint32_t b = rp_eisenstein_divide(RP_ARGS_PASSED y, carry_y, words);
  const bool near_zero = 2u * a + b <= k.base && a + 2u * b <= k.base;
  const bool near_both = !near_zero && 2u * a + b >= 2u * k.base && a + 2u * b >= 2u * k.base;
  const bool less_x = !near_zero && (near_both || a > b), less_y = !near_zero && (near_both || a <= b);
  carry_x[0] += less_x ? 1u : 0u;
  carry_y[0] += less_y ? 1u : 0u;
  /* p and q are absolute values, and the digit is p + q zeta, or -p + q zeta if `turned`, or the negative of that. */
  const uint32_t p = less_x ? k.base - a : a, q = less_y ? k.base - b : b;
  const bool turned = q != 0u && (p == 0u || less_x != less_y);
  bool negative = less_y || (q == 0u && less_x);
  /* -p + q zeta = zeta ((q - p) + p zeta) = zeta^2 (q + (p - q) zeta), with zeta = -omega^2. */
  const bool once = turned && q > p, twice = turned && q <= p;
  const uint32_t column = once ? q - p : twice ? q : p, row = once ? p : twice ? p - q : q;
  const uint32_t power = once ? 2u : twice ? 1u : 0u; /* of omega */
  negative = negative != once;
  d.row = column != 0u ? row * k.columns + column - 1u : RP_NO_ROW;
  d.entry = ((power * k.windows + w) * k.n + i) << 1u | (negative ? 1u : 0u);
  return d;
}

#endif
