/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The names of FFLONK, for the tests that it shares with PLONK (graphs/plonk/..._body.h).
 */
#ifndef REPRISE_TESTS_FFLONK_NAMES_H
#define REPRISE_TESTS_FFLONK_NAMES_H

#define RP(name) rp_fflonk##name
#define OWN(name) fflonk##name
#define CONST(name) FFLONK##name
#define PUBLIC(name) rp_groth16_public##name
#define HOSTILE(name) hostile_fflonk##name
#define BLINDING RP_FFLONK_BLINDING
#define PROTOCOL G16_PROTOCOL_FFLONK
#define FOLDER "fflonk"

#endif
