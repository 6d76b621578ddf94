/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common.h"

const char *const fflonk_fixture[FFLONK_FIXTURES] = {"../fflonk/multiplier", "../fflonk/no_public"};
const char *const fflonk_proofs[2] = {"proof.json", "proof_blinding_2_3_4.json"};
