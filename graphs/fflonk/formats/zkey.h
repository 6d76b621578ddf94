/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An FFLONK proving key as snarkjs writes it (.zkey; fflonk_setup.js). n is the domain size. Sections (binfile.h), all
 * integers little-endian:
 *   1  u32 protocol, 10 is FFLONK
 *   2  u32 n8q, q, u32 n8r, r, u32 variables, u32 public, u32 n, u32 additions, u32 constraints; k1 k2 w3 w4 w8 wr; X_2
 *      in G2, C0 in G1
 *   3  additions, 4 A map, 5 B map, 6 C map   as for PLONK (plonk/formats/zkey.h)
 *   7  QL, 8 QR, 9 QM, 10 QO, 11 QC, 12 sigma 1, 13 sigma 2, 14 sigma 3   n coefficients, then the values on the 4n-th
 *      roots of unity
 *   15 Lagrange    the same for L_1 ... L_max(public, 1)
 *   16 powers of tau   9n + 18 points of G1
 *   17 C0          8n coefficients
 *
 * snarkjs makes such keys only over BN254, and this reader accepts only those. All results have been checked: integers
 * are below their modulus, signals in range, lengths exact. The header's points are checked to be on the curve and in
 * the subgroup; those of the powers of tau on request.
 */
#ifndef REPRISE_FFLONK_ZKEY_H
#define REPRISE_FFLONK_ZKEY_H

#include "plonk/formats/zkey_common.h"
#include "vkey.h"

/* The sections after the maps by id. */
typedef enum fflonk_section {
  FFLONK_SECTION_QL = PLONK_MAP_C + 1,
  FFLONK_SECTION_QR,
  FFLONK_SECTION_QM,
  FFLONK_SECTION_QO,
  FFLONK_SECTION_QC,
  FFLONK_SIGMA_1,
  FFLONK_SIGMA_2,
  FFLONK_SIGMA_3,
  FFLONK_LAGRANGE,
  FFLONK_TAU,
  FFLONK_SECTION_C0
} fflonk_section;

typedef struct fflonk_zkey {
  plonk_zkey_common common;
  fflonk_vkey vk; /* with n_public and log_domain */
} fflonk_zkey;

/* Reads and checks everything but the large sections, which plonk/formats/zkey_common.h reads. `file` must stay open as
 * long as `zkey` is used. Holds no memory. */
rp_status fflonk_zkey_open(const support_file *file, fflonk_zkey *zkey, rp_error *err);

#endif
