/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A PLONK proving key as snarkjs writes it (.zkey; plonk_setup.js). n is the domain size. Sections (binfile.h), all
 * integers little-endian:
 *   1  u32 protocol, 2 is PLONK
 *   2  u32 n8q, q, u32 n8r, r, u32 variables, u32 public, u32 n, u32 additions, u32 constraints; k1 k2; Qm Ql Qr Qo Qc
 *      S1 S2 S3 in G1, X_2 in G2
 *   3  additions   records: u32 signal, u32 signal, two factors. Addition i is variable
 *                  variables - additions + i, the sum of the two signals times their factors.
 *   4  A map, 5 B map, 6 C map   u32 signal for each constraint
 *   7  Qm, 8 Ql, 9 Qr, 10 Qo, 11 Qc   n coefficients, then the values on the 4n-th roots of unity
 *   12 sigma       the same for S1, S2, S3
 *   13 Lagrange    the same for L_1 ... L_max(public, 1)
 *   14 powers of tau   n + 6 points of G1
 * Field elements and points are in Montgomery form, infinity all zero: the memory forms of types.h. Variable 0 is the
 * constant wire of circom, to which PLONK gives the value 0; unused positions of a constraint refer to it.
 *
 * snarkjs makes such keys only over BN254, and this reader accepts only those. All results have been checked: integers
 * are below their modulus, signals in range, lengths exact. The header's points are checked to be on the curve and in
 * the subgroup; those of the powers of tau on request.
 */
#ifndef REPRISE_PLONK_ZKEY_H
#define REPRISE_PLONK_ZKEY_H

#include "zkey_common.h"

/* The other sections by id. */
typedef enum plonk_section {
  PLONK_QM = PLONK_MAP_C + 1,
  PLONK_QL,
  PLONK_QR,
  PLONK_QO,
  PLONK_QC,
  PLONK_SIGMA,
  PLONK_LAGRANGE,
  PLONK_TAU
} plonk_section;

typedef struct plonk_zkey {
  plonk_zkey_common common;
  plonk_vkey vk; /* with n_public and log_domain */
} plonk_zkey;

/* Reads and checks everything but the large sections, which zkey_common.h reads. `file` must stay open as long as
 * `zkey` is used. Holds no memory. */
rp_status plonk_zkey_open(const support_file *file, plonk_zkey *zkey, rp_error *err);

#endif
