/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The proof system of plonk.c, which is compiled once for each: PLONK, or FFLONK if CAMPAIGN_FFLONK is defined.
 */
#ifndef REPRISE_TESTS_CAMPAIGN_SYSTEM_H
#define REPRISE_TESTS_CAMPAIGN_SYSTEM_H

#include "plonk/setup/circuit.h"

#ifdef CAMPAIGN_FFLONK

#include "fflonk/formats/zkey.h"
#include "fflonk/setup/setup.h"

#define SYSTEM "fflonk"
#define RP(name) rp_fflonk_##name
#define SETUP_RUN fflonk_setup_run
enum { BLINDED_ROWS = 2, SYSTEM_TAU = FFLONK_TAU };
typedef fflonk_zkey system_zkey;
#define system_zkey_open fflonk_zkey_open

/* Where in the file the coefficients of a polynomial are. */
static inline size_t system_polynomial(const fflonk_zkey *zkey, uint32_t which) {
  return zkey->common.bin.section[FFLONK_SECTION_QL + which].offset;
}

#else

#include "plonk/formats/zkey.h"
#include "plonk/setup/setup.h"

#define SYSTEM "plonk"
#define RP(name) rp_plonk_##name
#define SETUP_RUN plonk_setup_run
enum { BLINDED_ROWS = 0, SYSTEM_TAU = PLONK_TAU };
typedef plonk_zkey system_zkey;
#define system_zkey_open plonk_zkey_open

static inline size_t system_polynomial(const plonk_zkey *zkey, uint32_t which) {
  const size_t bytes = (size_t)PLONK_EXTENDED * zkey->common.domain_size * PLONK_SCALAR_BYTES; /* of each */
  return which < PLONK_SELECTORS ? zkey->common.bin.section[PLONK_QM + which].offset
                                 : zkey->common.bin.section[PLONK_SIGMA].offset + (which - PLONK_SELECTORS) * bytes;
}

#endif
#endif
