/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What is another with keys of gnark: the quotient by its coefficients, and commitments.
 */
#ifndef REPRISE_GROTH16_GRAPH_GNARK_H
#define REPRISE_GROTH16_GRAPH_GNARK_H

#include "graph.h"

/* The coefficients of (A B - C) / (X^n - 1) in bit-reversed order, where A and B have the values a and b on the domain,
 * and C their products. Six transforms, none of which permutes: C's degree is below n, so that on any coset (A B - C)
 * / (g^n - 1) is the quotient's value, and C is subtracted behind the way back. */
rp_value g16_gnark_quotient(rp_graph *g, const rp_groth16_key *key, rp_value a, rp_value b);

/* The commitments and what proves knowledge of what is in them, as out->commitments says; none: RP_NO_VALUE. `witness`
 * is canonical. */
rp_value g16_gnark_commit(rp_graph *g, const rp_groth16_key *key, rp_device_kind device, rp_value witness);

#endif
