/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prover as one graph: all rounds, with the challenges computed by the device.
 */
#ifndef REPRISE_PLONK_COMMON_GRAPH_H
#define REPRISE_PLONK_COMMON_GRAPH_H

#include "key.h"

typedef struct plonk_graph {
  rp_graph *graph;
  /* Input, secret: canonical integers: the n_vars values of the witness with 0 instead of the constant 1, since PLONK
   * gives variable 0, to which unused places refer, the value 0; then the blinding values. */
  rp_value witness;
  rp_value points;      /* output: affine points, in the order of the proof's points */
  rp_value evaluations; /* output: canonical integers, in the order of the proof's scalars */
} plonk_graph;

typedef enum plonk_graph_kind {
  PLONK_GRAPH_TABLES, /* plain, with multiples of the powers of tau where device and memory level allow */
  PLONK_GRAPH_PLAIN,  /* the values of the key's polynomials on the cosets are constants */
  PLONK_GRAPH_LEAN    /* they are computed in each run, one coset after the other */
} plonk_graph_kind;

/* Builds the graph of a proof system. On failure there is nothing to free. */
typedef rp_status plonk_build(const plonk_key *key, rp_device *device, plonk_graph_kind kind, plonk_graph *out,
                              rp_error *err);

#endif
