/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * INSECURE, for tests and benchmarks: the same as plonk/setup/setup.h for FFLONK. The files have the formats of
 * `snarkjs fflonk setup`, and snarkjs accepts proofs that are made with them.
 */
#ifndef REPRISE_FFLONK_SETUP_H
#define REPRISE_FFLONK_SETUP_H

#include "plonk/setup/setup.h"

/* As plonk_setup_run. A row of the domain takes about 32 (66 + 5 max(n_public, 1)) bytes of the key. */
rp_status fflonk_setup_run(rp_context *context, rp_device *device, const plonk_setup *setup, rp_error *err);

#endif
