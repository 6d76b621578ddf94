/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Missing memory and randomness with PLONK: the tests of failures_body.h with its functions.
 */
#include "common.h"

#include "graphs/plonk/failures_body.h"

int main(void) { return run_all(); }
