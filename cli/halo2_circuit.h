/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A circuit of the kind that halo2 proves, over BN254 Fr: gates, a permutation argument over 48 columns and four lookup
 * arguments, with the constraints as halo2 writes them. `reprise bench` measures its quotient, and source_circuit
 * checks the quotient by the polynomial identity.
 */
#ifndef REPRISE_CLI_HALO2_CIRCUIT_H
#define REPRISE_CLI_HALO2_CIRCUIT_H

#include <reprise/halo2.h>

/* The last CIRCUIT_BLIND rows are blinded, and the row before them is the last of the grand products. A circuit has at
 * least 2^CIRCUIT_LEAST_LOG rows. */
enum { CIRCUIT_BLIND = 5, CIRCUIT_LEAST_LOG = 4 };

/* Gate g has the wires 3 g, 3 g + 1 and 3 g + 2. Lookup l looks up the pair of columns from CIRCUIT_LOOKED_UP + 2 l on
 * in the pair of columns of the table. Each grand product of the permutation is over the three wires of a gate. */
enum {
  CIRCUIT_GATES = 16,
  CIRCUIT_PER_GATE = 3,
  CIRCUIT_WIRES = CIRCUIT_GATES * CIRCUIT_PER_GATE,
  CIRCUIT_LOOKUPS = 4,
};

/* Columns that are given, and from CIRCUIT_PERMUTED on those that the prover computes. */
enum {
  CIRCUIT_WIRE,
  CIRCUIT_LOOKED_UP = CIRCUIT_WIRE + CIRCUIT_WIRES,
  CIRCUIT_SELECTOR = CIRCUIT_LOOKED_UP + 2 * CIRCUIT_LOOKUPS,
  CIRCUIT_TABLE = CIRCUIT_SELECTOR + CIRCUIT_GATES,
  CIRCUIT_SIGMA = CIRCUIT_TABLE + 2,
  CIRCUIT_FIRST = CIRCUIT_SIGMA + CIRCUIT_WIRES, /* 1 in row 0 */
  CIRCUIT_LAST,                                  /* 1 in row n - CIRCUIT_BLIND - 1 */
  CIRCUIT_ACTIVE,                                /* 1 in all rows before that one */
  CIRCUIT_ID,                                    /* the domain itself: the polynomial X */
  CIRCUIT_GIVEN,
  CIRCUIT_PERMUTED = CIRCUIT_GIVEN, /* of each lookup what is looked up, sorted, and the table in that order */
  CIRCUIT_Z = CIRCUIT_PERMUTED + 2 * CIRCUIT_LOOKUPS, /* grand products of the permutation */
  CIRCUIT_LOOKUP_Z = CIRCUIT_Z + CIRCUIT_GATES,       /* grand products of the lookups */
  CIRCUIT_COLUMNS = CIRCUIT_LOOKUP_Z + CIRCUIT_LOOKUPS
};

/* Challenges, the number one, and for each wire the factor that makes its labels from the domain. */
enum {
  CIRCUIT_THETA,
  CIRCUIT_BETA,
  CIRCUIT_GAMMA,
  CIRCUIT_Y,
  CIRCUIT_ONE,
  CIRCUIT_DELTA,
  CIRCUIT_CONSTANTS = CIRCUIT_DELTA + CIRCUIT_WIRES
};

/* The product of wire + beta label + gamma over the wires of gate g; with `permuted` nonzero, over the labels of
 * sigma. */
rp_term circuit_labelled(rp_terms *t, uint32_t gate, int permuted);
/* The pair of columns from `first` on, folded by theta. */
rp_term circuit_pair(rp_terms *t, uint32_t first);
/* (a + beta) (b + gamma) */
rp_term circuit_shifted(rp_terms *t, rp_term a, rp_term b);
/* All constraints, folded by y. Their degree is 5, so that the quotient of a circuit of n rows has less than 4 n
 * coefficients. */
rp_term circuit_constraints(rp_terms *t);
/* The coset of 2^(k + 2) points on which the quotient of 2^k rows is evaluated, shifted by a cube root of one. */
rp_extended_domain circuit_domain(uint32_t k);

#endif
