/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What differs with keys of gnark: the quotient is given by its coefficients, and there are commitments.
 */
#ifndef REPRISE_GROTH16_GRAPH_GNARK_H
#define REPRISE_GROTH16_GRAPH_GNARK_H

#include "graph.h"

/* The coefficients of (A B - C) / (X^n - 1) in bit-reversed order, where A and B have the values a and b on the domain,
 * and C their products. There are six transforms, none of which permutes. On the coset of g the quotient is (A B - C) /
 * (g^n - 1), and since the degree of C is below n, its coefficients are subtracted after the inverse transform. */
rp_value g16_gnark_quotient(rp_graph *g, const rp_groth16_key *key, rp_value a, rp_value b);

/* The commitments and the products for their proof of knowledge, as described at g16_graph.commitments and `committed`,
 * which both stay RP_NO_VALUE if there are none. `witness` is canonical. */
void g16_gnark_commit(rp_graph *g, const rp_groth16_key *key, rp_value witness, g16_graph *out);

#endif
