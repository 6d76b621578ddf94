/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common.h"

const char *const plonk_fixture[PLONK_FIXTURES] = {"../plonk/multiplier", "../plonk/poseidon_chain",
                                                   "../plonk/no_public"};
