/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * PLONK's prover as one graph (docs/notes/plonk-prover.md). Every commitment is a product with the same n + 6 powers of
 * tau, so that polynomials with fewer coefficients end with zeros: one length serves the products, and the sums of
 * polynomials.
 */
#ifndef REPRISE_PLONK_GRAPH_H
#define REPRISE_PLONK_GRAPH_H

#include "plonk/common/graph.h"

enum { PLONK_TAU_MORE = 6 };

struct rp_plonk_key {
  plonk_key common; /* coef: n + 6 coefficients each, the last six zero; tau: n + 6 points */
  plonk_vkey vk;
};

extern const plonk_key_kind plonk_kind;

/* Where in the input b_1 ... b_11 stand: in the order of the coefficients that they blind, b_2 + b_1 X, b_4 + b_3 X,
 * b_6 + b_5 X, b_9 + b_8 X + b_7 X^2, and b_10 and b_11 between the parts of the quotient. */
extern const uint8_t plonk_blinding_place[RP_PLONK_BLINDING];

plonk_build plonk_graph_build; /* of a key that is the first member of a rp_plonk_key */

#endif
