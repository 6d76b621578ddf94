/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What PLONK's rounds share while the graph is built. Every polynomial that is committed to has n + 6 coefficients.
 */
#ifndef REPRISE_PLONK_BUILDER_H
#define REPRISE_PLONK_BUILDER_H

#include "graph.h"
#include "plonk/common/builder.h"

/* Elements of a proof in the order of rp_plonk_proof. */
enum { PLONK_A, PLONK_B, PLONK_C, PLONK_Z, PLONK_T1, PLONK_T2, PLONK_T3, PLONK_WXI, PLONK_WXIW };
enum { PLONK_EVAL_A, PLONK_EVAL_B, PLONK_EVAL_C, PLONK_EVAL_S1, PLONK_EVAL_S2, PLONK_EVAL_ZW };

typedef struct plonk_rounds {
  plonk_builder common;
  uint64_t len;       /* n + 6 */
  rp_value zeros;     /* constant, for the ends of polynomials */
  rp_value abc, z, t; /* blinded polynomials, n + 6 each: three, one, three */
  rp_value alpha, v;  /* challenges */
  rp_value eval[PLONK_PROOF_SCALARS];
  rp_value evaluations;     /* canonical */
  rp_value round_points[4]; /* commitments of rounds 1, 2, 3, 5: affine */
} plonk_rounds;

void plonk_round_1(plonk_rounds *r); /* wires.c: a, b, c */
void plonk_round_2(plonk_rounds *r); /* wires.c: z */
void plonk_round_3(plonk_rounds *r); /* quotient.c: t */
void plonk_round_4(plonk_rounds *r); /* opening.c: evaluations */
void plonk_round_5(plonk_rounds *r); /* opening.c: both openings */

#endif
