/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the tests of PLONK: the files of snarkjs, and its proofs.
 */
#ifndef REPRISE_TESTS_PLONK_COMMON_H
#define REPRISE_TESTS_PLONK_COMMON_H

#include "graphs/groth16/common.h"
#include "names.h"

#include <reprise/plonk.h>

/* The fixtures, in a folder beside those of Groth16. Each has a proof with the blinding values 2, 3, 4, ...:
 * proof_blinding_2_3_4.json. The last has no public signals; snarkjs can prove it only if a buffer in plonk_prove.js is
 * made one polynomial larger (max(nPublic, 1)). */
enum { PLONK_FIXTURES = 3, PLONK_MOST_PUBLIC = 4 };
extern const char *const plonk_fixture[PLONK_FIXTURES];

#include "graphs/plonk/proved.h"

#endif
