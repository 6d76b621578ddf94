/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The names of PLONK, for the tests that it shares with FFLONK (graphs/plonk/..._body.h).
 */
#ifndef REPRISE_TESTS_PLONK_NAMES_H
#define REPRISE_TESTS_PLONK_NAMES_H

#define RP(name) rp_plonk##name
#define OWN(name) plonk##name
#define CONST(name) PLONK##name
#define PUBLIC(name) rp_plonk_public##name
#define HOSTILE(name) hostile_plonk##name
#define BLINDING RP_PLONK_BLINDING
#define PROTOCOL G16_PROTOCOL_PLONK
#define FOLDER "plonk"

#endif
