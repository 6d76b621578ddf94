/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verification part of an FFLONK key, and the elements of a proof, by name. Elements, points and the checks of both
 * are those of PLONK.
 */
#ifndef REPRISE_FFLONK_VKEY_H
#define REPRISE_FFLONK_VKEY_H

#include "plonk/formats/vkey.h"

#include <reprise/fflonk.h>

typedef struct fflonk_vkey {
  const g16_family *family; /* BN254 */
  uint32_t n_public, log_domain;
  plonk_fr k1, k2; /* shifts of the cosets of the second and the third wire */
  plonk_fr w3, wr; /* a root of unity of order 3; a cube root of the domain's root of unity */
  plonk_g1 c0;     /* commitment to selectors and permutations */
  g16_g2 x_2;      /* tau times the generator */
} fflonk_vkey;

/* The roots of unity of order 4 and 8, which keys also hold. */
enum { FFLONK_LOG_W4 = 2, FFLONK_LOG_W8 = 3 };

/* RP_ERR_INPUT unless the field has the domain, the public signals fit into it, 1, k1 and k2 are in different cosets of
 * it, w3 has order 3, and wr^3 is the domain's root of unity. `name` names the key in reasons. */
rp_status fflonk_vkey_check_shape(const char *name, const fflonk_vkey *vkey, rp_error *err);
/* RP_ERR_INPUT unless that holds and both points are on their curve, in their subgroup and finite. */
rp_status fflonk_vkey_check(const char *name, const fflonk_vkey *vkey, rp_error *err);

/* The elements of a proof in the order of the JSON file: points, then canonical integers. */
enum { FFLONK_PROOF_POINTS = 4, FFLONK_PROOF_SCALARS = 16, FFLONK_HASHED_SCALARS = 15 /* all but the last, inv */ };
extern const plonk_element fflonk_proof_point[FFLONK_PROOF_POINTS], fflonk_proof_scalar[FFLONK_PROOF_SCALARS];

/* RP_ERR_INPUT unless the proof is over BN254 (RP_ERR_MISMATCH), its points are on the curve with coordinates below q,
 * and its evaluations are below r. */
rp_status fflonk_proof_check(const char *name, const rp_fflonk_proof *proof, rp_error *err);

#endif
