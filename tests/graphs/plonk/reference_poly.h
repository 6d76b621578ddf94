/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Polynomials of the reference prover: coefficients in memory form, each function in its shortest form.
 */
#ifndef REPRISE_TESTS_PLONK_REFERENCE_POLY_H
#define REPRISE_TESTS_PLONK_REFERENCE_POLY_H

#include "reference.h"

plonk_fr *reference_elements(uint64_t n); /* zeros */
reference_poly reference_zero(uint64_t n);
/* Values at the powers of w, which has order n. */
plonk_fr *reference_values(reference_poly p, uint64_t n, const plonk_fr *w);
reference_poly reference_interpolate(const plonk_fr *values, uint64_t n, const plonk_fr *w);
/* p(s X) */
reference_poly reference_stretch(reference_poly p, const plonk_fr *s);
/* to += factor * from; factor NULL: 1 */
void reference_add(reference_poly to, reference_poly from, const plonk_fr *factor);
void reference_sub(reference_poly to, reference_poly from, const plonk_fr *factor);
/* (p(X) - p(x)) / (X - x), with one coefficient less; `value` must be p(x). */
reference_poly reference_open(reference_poly p, const plonk_fr *x, const plonk_fr *value);
/* p(X) + (b[0] + b[1] X + ...) (X^n - 1), n the number of coefficients of p, which is freed. */
reference_poly reference_blind(reference_poly p, const plonk_fr *const *b, uint64_t n_blinding);
/* p(tau) in G1. */
void reference_commit(const plonk_zkey *zkey, reference_poly p, uint8_t point[64]);
void reference_evaluate(reference_poly p, const plonk_fr *x, plonk_fr *value, uint8_t le[32]);

#endif
