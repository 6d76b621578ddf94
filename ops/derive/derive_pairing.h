/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constants of the towers over the sextic twists of pairing-friendly curves, for derive.c. With the non-residue xi of
 * Fp6 = Fp2[v]/(v^3 - xi) and Fp12 = Fp6[w]/(w^2 - v), all of them are powers of xi.
 */
#ifndef REPRISE_DERIVE_PAIRING_H
#define REPRISE_DERIVE_PAIRING_H

#include "derive_params.h"

typedef struct big2 {
  big c[2];
} big2;

static big2 big2_mul(const modulus *m, big2 a, big2 b) {
  big re = mod_sub(m, mod_mul(m, a.c[0], b.c[0]), mod_mul(m, a.c[1], b.c[1]));
  big im = mod_add(m, mod_mul(m, a.c[0], b.c[1]), mod_mul(m, a.c[1], b.c[0]));
  return (big2){{re, im}};
}

static big2 big2_conjugate(const modulus *m, big2 a) { return (big2){{a.c[0], mod_neg(m, a.c[1])}}; }

static big2 big2_inv(const modulus *m, big2 a) {
  big2 n = big2_mul(m, a, big2_conjugate(m, a)), c = big2_conjugate(m, a);
  big i = mod_inv(m, n.c[0]);
  return (big2){{mod_mul(m, c.c[0], i), mod_mul(m, c.c[1], i)}};
}

static big2 big2_pow(const modulus *m, big2 a, big e) {
  big2 r = {{big_u64(1), big_u64(0)}};
  for (int i = (int)big_bits(&e) - 1; i >= 0; i--) {
    r = big2_mul(m, r, r);
    if (big_bit(&e, (unsigned)i)) r = big2_mul(m, r, a);
  }
  return r;
}

/* The signed digits 0, 1, -1 of a loop count, of which no two neighbours are nonzero, most significant first; the
 * leading 1 is left out. */
static void put_signed_digits(output *o, const char *name, big e) {
  int digit[BIG_WORDS * 64] = {0}, n = 0;
  for (big zero = {{0}}; big_cmp(&e, &zero); e = big_shr(e, 1)) {
    digit[n] = big_bit(&e, 0) ? 2 - (int)(e.w[0] & 3) : 0;
    if (digit[n] > 0) e = big_sub(e, big_u64(1));
    if (digit[n] < 0) e = big_add(e, big_u64(1));
    n++;
  }
  int additions = 0;
  fprintf(o->c, "#define %s {", name);
  for (int i = n - 2; i >= 0; i--) {
    fprintf(o->c, i ? "%d, " : "%d}\n", digit[i]);
    additions += digit[i] != 0;
  }
  fprintf(o->c, "#define %s_DOUBLINGS %d\n#define %s_ADDITIONS %d\n", name, n - 1, name, additions);
}

/* Writes the family and its parameter CURVE_X; for a twist over Fp2, the constants of the pairing too. */
static void put_family(output *o, const modulus *m, big r, int degree, const params *p) {
  const char *family = params_find(p, "family", 0);
  if (!family) return;
  bool bn = !strcmp(family, "bn");
  if (!bn && strcmp(family, "bls12")) fail("unknown family", family);
  const char *text = params_get(p, "x", 0);
  big x = big_parse(text + (text[0] == '-'));
  put_int(o, "CURVE_FAMILY_BN", (unsigned long)bn);
  put_int(o, "CURVE_FAMILY_BLS12", (unsigned long)!bn);
  fprintf(o->c, "#define CURVE_X 0x%016llxull\n", (unsigned long long)x.w[0]);
  fprintf(o->glsl, "#define CURVE_X uvec2(0x%08llxu, 0x%08llxu)\n", (unsigned long long)x.w[0] & 0xffffffffu,
          (unsigned long long)x.w[0] >> 32);
  put_int(o, "CURVE_X_IS_NEGATIVE", text[0] == '-');
  if (degree != 2) return;
  /* loop count of the optimal ate pairing: 6x + 2 on BN (Vercauteren 2008), x on BLS12 */
  put_signed_digits(o, "PAIRING_LOOP", bn ? big_muladd(x, 6, 2) : x);
  bool m_twist = !strcmp(params_get(p, "twist", 0), "M");
  put_int(o, "PAIRING_M_TWIST", (unsigned long)m_twist);
  big2 xi = {{mod_parse(m, params_get(p, "xi", 0)), mod_parse(m, params_get(p, "xi", 1))}};
  big sixth = big_divmod(big_sub(m->p, big_u64(1)), big_u64(6), NULL);
  big2 g = big2_pow(m, xi, sixth), power = g;
  fprintf(o->c, "#define PAIRING_XI_C0 %llu /* xi = PAIRING_XI_C0 + u */\n", (unsigned long long)xi.c[0].w[0]);
  if (xi.c[1].w[0] != 1) fail("xi must be c + u", family);
  for (int i = 1; i <= 5; i++, power = big2_mul(m, power, g)) {
    char name[32];
    snprintf(name, sizeof name, "PAIRING_FROBENIUS_%d", i); /* xi^(i (p - 1) / 6) */
    put_element(o, m, r, 2, name, power.c);
    if (i != 2 && i != 3) continue;
    /* the twist's endomorphism: (x, y) -> (conj(x) PSI_X, conj(y) PSI_Y) */
    big2 psi = m_twist ? big2_inv(m, power) : power;
    put_element(o, m, r, 2, i == 2 ? "CURVE_PSI_X" : "CURVE_PSI_Y", psi.c);
  }
}

#endif
