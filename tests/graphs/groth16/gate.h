/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For the tests of submitted proofs: a prover whose proofs stay unfinished until the test releases them.
 */
#ifndef REPRISE_TESTS_GROTH16_GATE_H
#define REPRISE_TESTS_GROTH16_GATE_H

#include "common.h"

#include <semaphore.h>

/* Each run posts `inside` when it is over, and is released when `open` is posted. */
typedef struct gate {
  sem_t inside, open;
} gate;

rp_groth16_prover *gated_prover(bench *b, const blob *zkey, gate *g, uint32_t max_in_flight);
void gate_free(gate *g);

void pause_ns(uint64_t ns);
uint64_t clock_ns(void);
/* The number of threads of this process. */
unsigned count_threads(void);

#endif
