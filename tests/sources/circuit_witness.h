/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A witness of the circuit in cli/halo2_circuit.h, the same for the same seed.
 */
#ifndef REPRISE_TESTS_SOURCES_CIRCUIT_WITNESS_H
#define REPRISE_TESTS_SOURCES_CIRCUIT_WITNESS_H

#include "halo2_circuit.h"

typedef struct fe {
  uint64_t limb[4];
} fe;

/* What does not hold; everything else does. */
typedef enum circuit_wrong {
  CIRCUIT_RIGHT,
  CIRCUIT_WRONG_GATE,   /* a selector is 1 in a row where its gate does not hold */
  CIRCUIT_WRONG_COPY,   /* two cells of one cycle of the permutation differ */
  CIRCUIT_WRONG_LOOKUP, /* the pair that is looked up in one row is not in the table */
  CIRCUIT_WRONG_ORDER,  /* a permuted value is neither the table's nor the one before it */
  CIRCUIT_WRONGS
} circuit_wrong;

typedef struct circuit_witness {
  uint32_t k;
  uint64_t n, active; /* 2^k rows, of which the first `active` are not blinded */
  fe *column;         /* CIRCUIT_GIVEN columns of n values, one after another */
  uint32_t *order;    /* for each lookup `active` rows of the table as looked up, sorted; then as many in that order */
  fe constant[CIRCUIT_CONSTANTS];
} circuit_witness;

/* Fails the test without memory. */
void circuit_witness_make(circuit_witness *w, uint32_t k, uint64_t seed, circuit_wrong wrong);
void circuit_witness_free(circuit_witness *w);

#endif
