/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the tests of FFLONK: the files of snarkjs, and its proofs.
 */
#ifndef REPRISE_TESTS_FFLONK_COMMON_H
#define REPRISE_TESTS_FFLONK_COMMON_H

#include "graphs/groth16/common.h"
#include "names.h"

#include <reprise/fflonk.h>

/* The fixtures, in a folder beside those of Groth16. Each has a second proof, with the blinding values 2, 3, 4, ... The
 * last has no public signals. */
enum { FFLONK_FIXTURES = 2, FFLONK_MOST_PUBLIC = 4 };
extern const char *const fflonk_fixture[FFLONK_FIXTURES];
extern const char *const fflonk_proofs[2];

#include "graphs/plonk/proved.h"

#endif
