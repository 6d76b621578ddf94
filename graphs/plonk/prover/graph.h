/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The prover as one graph (docs/notes/plonk-prover.md): all five rounds, with the challenges computed by the device.
 */
#ifndef REPRISE_PLONK_GRAPH_H
#define REPRISE_PLONK_GRAPH_H

#include "key.h"

/* Where in the input b_1 ... b_11 stand: in the order of the coefficients that they blind, b_2 + b_1 X, b_4 + b_3 X,
 * b_6 + b_5 X, b_9 + b_8 X + b_7 X^2, and b_10 and b_11 between the parts of the quotient. */
extern const uint8_t plonk_blinding_place[RP_PLONK_BLINDING];

typedef struct plonk_graph {
  rp_graph *graph;
  /* Input, secret: n_vars + 11 canonical integers: the witness with 0 instead of the constant 1, since PLONK gives
   * variable 0, to which unused places refer, the value 0; then the blinding values. */
  rp_value witness;
  rp_value points;      /* output: nine affine points, in the order of plonk_proof_point */
  rp_value evaluations; /* output: six canonical integers, in the order of plonk_proof_scalar */
} plonk_graph;

typedef enum plonk_graph_kind {
  PLONK_GRAPH_TABLES, /* with multiples of the powers of tau, so that all windows share their buckets */
  PLONK_GRAPH_PLAIN,  /* the values of the key's polynomials on the cosets are constants */
  PLONK_GRAPH_LEAN    /* they are computed in each run, one coset after the other */
} plonk_graph_kind;

/* On failure there is nothing to free. */
rp_status plonk_graph_build(const rp_plonk_key *key, rp_device *device, plonk_graph_kind kind, plonk_graph *out,
                            rp_error *err);

#endif
