/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs of PLONK: the tests of tasks_body.h with its functions.
 */
#include "common.h"

#include "graphs/plonk/tasks_body.h"

int main(void) { return run_all(); }
