/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs of PLONK: the tests of tasks_body.h with its functions.
 */
#include "common.h"

#define RP(name) rp_plonk##name
static const char rp_plonk_fixture_name[] = "../plonk/multiplier";
#include "graphs/plonk/tasks_body.h"

int main(void) { return run_all(); }
