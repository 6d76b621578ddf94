/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The prover as one graph (ePrint 2016/260; the quotient in snarkjs's Lagrange basis on the odd coset).
 *
 *   witness = wires, s, r --+-- spmv A ---+- mul -+
 *                           +-- spmv B ---+       |
 *                           |   three inverse NTT, three NTT on the coset w_2n <w_n>
 *                           |   h = a b - c ---- MSM with H ------------------------------+
 *                           +-- buckets --------+-- filter -- MSM with A -- pi_a --- s . -+-- pi_c
 *                                               +-- filter -+ MSM with B1 ---------- r . -+
 *                                               |           + MSM with B2 -- pi_b         |
 *                                               +-- filter -- MSM with C -----------------+
 *
 * With a key of gnark, a and b are inputs, and the scalars of H are the coefficients of the quotient (graph_gnark.h).
 */
#ifndef REPRISE_GROTH16_GRAPH_H
#define REPRISE_GROTH16_GRAPH_H

#include "cut.h"
#include "key.h"

enum { G16_BATCH_MAX = 32 }; /* proofs of one run */

/* Inputs and outputs of one proof. */
typedef struct g16_seat_values {
  rp_value witness, pi_a, pi_b, pi_c;
} g16_seat_values;

typedef struct g16_graph {
  rp_graph *graph;
  rp_value witness;          /* input: U256 canonical, wires then s and r; secret */
  rp_value pi_a, pi_b, pi_c; /* outputs: one affine point each */
  rp_value h;                /* output of g16_graph_build_quotient: U256 canonical, the scalars of H; secret */
  /* For keys of gnark. The witness is in Montgomery form, and so are these inputs, all secret. The run may take all but
   * `rest` from the caller's memory (RP_LENDABLE). */
  rp_value rest;    /* the wires from g16_gnark_front on, then s and r; `witness` has those before, or is RP_NO_VALUE */
  rp_value a, b;    /* the factors of the constraints, `domain` elements each */
  rp_value scalars; /* output of g16_graph_build_quotient: the witness, U256 canonical; secret */
  rp_value commitments; /* output: one affine point per commitment, then one each over sigma times the points */
  rp_value committed;   /* with commitments, an input: two u32, whether the output is computed, and its first half */
  /* A graph of several proofs: their number, and theirs. The values above are those of the first. */
  uint32_t batch; /* 0: one proof */
  g16_seat_values seats[G16_BATCH_MAX];
} g16_graph;

/* The number of wires that are an input of their own with a key of gnark: so many that the others, which follow them in
 * memory once all are canonical, begin at a multiple of 256 bytes, and none has to be moved. */
static inline uint64_t g16_gnark_front(const rp_groth16_key *key) { return key->info.n_vars & ~UINT64_C(7); }

/* Builds the graph, which suits every device. tables: 1 lets the products keep multiples of their points as far as
 * device and memory level allow. For a device that is not a group the cut is G16_UNCUT. The graph borrows the key's
 * arrays. A builder error is reported here. */
rp_status g16_graph_build(const rp_groth16_key *key, rp_context *context, bool tables, const g16_cut *cut,
                          g16_graph *out, rp_error *err);

/* The same for `batch` proofs with nothing in common but the key, 2 <= batch <= G16_BATCH_MAX: inputs "witness[i]",
 * outputs "pi_a[i]", "pi_b[i]", "pi_c[i]". Not for keys of gnark. */
rp_status g16_graph_build_batch(const rp_groth16_key *key, rp_context *context, bool tables, uint32_t batch,
                                g16_graph *out, rp_error *err);

/* Builds only the quotient of the witness: what runs as a graph when the points are streamed (streamed.h). */
rp_status g16_graph_build_quotient(const rp_groth16_key *key, rp_context *context, g16_graph *out, rp_error *err);

#endif
