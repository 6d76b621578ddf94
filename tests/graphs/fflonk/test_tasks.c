/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common.h"

#define RP(name) rp_fflonk##name
static const char rp_fflonk_fixture_name[] = "../fflonk/multiplier";
#include "graphs/plonk/tasks_body.h"

int main(void) { return run_all(); }
