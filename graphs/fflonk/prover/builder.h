/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What FFLONK's rounds share while the graph is built. Names are those of snarkjs (fflonk_prove.js).
 */
#ifndef REPRISE_FFLONK_BUILDER_H
#define REPRISE_FFLONK_BUILDER_H

#include "graph.h"
#include "plonk/common/builder.h"

/* Cosets on which the quotients t0, of fewer than 2n coefficients, and t2, of at most 3n, are computed. */
enum { FFLONK_T0_COSETS = 2, FFLONK_T2_COSETS = 3, FFLONK_ZEROS = 2 };

typedef struct fflonk_rounds {
  plonk_builder common;
  rp_value zeros;                      /* constant, FFLONK_ZEROS */
  rp_value wires_on[FFLONK_T0_COSETS]; /* values of the wires on cosets; not in the lean graph */
  rp_value t0, z, t1, t2;              /* polynomials: 2n, n + 3, n + 2, 3n */
  rp_value c[FFLONK_COMBINED];         /* C0, C1, C2: 9n each */
  rp_value f;                          /* 9n */
  rp_value seed, alpha, y;             /* challenges */
  rp_value evaluations;                /* canonical */
  rp_value c1, c2, w1, w2;             /* commitments, affine */
} fflonk_rounds;

void fflonk_round_1(fflonk_rounds *r); /* gates.c: t0, C1 */
void fflonk_round_2(fflonk_rounds *r); /* permutation.c: z, t1, t2, C2 */
void fflonk_round_3(fflonk_rounds *r); /* opening.c: evaluations */
void fflonk_round_4(fflonk_rounds *r); /* opening.c: f, W1 */
void fflonk_round_5(fflonk_rounds *r); /* opening.c: W2 */

/* combine.c: C0, C1 or C2 from its polynomials, or from quotients of them: parts[k] has `less` coefficients less. */
rp_value fflonk_combine_parts(fflonk_rounds *r, uint32_t i, const rp_value *parts, uint32_t less);
/* Its polynomials. Those that have not been made yet are missing. */
void fflonk_parts_of(const fflonk_rounds *r, uint32_t i, rp_value parts[PLONK_KEY_POINTS]);

#endif
