/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs of FFLONK: the tests of graphs/plonk/tasks_body.h with its functions.
 */
#include "common.h"

#define RP(name) rp_fflonk##name
static const char rp_fflonk_fixture_name[] = "../fflonk/multiplier";
#include "graphs/plonk/tasks_body.h"

int main(void) { return run_all(); }
