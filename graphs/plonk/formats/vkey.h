/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verification part of a PLONK key, and the elements of a proof, by name.
 */
#ifndef REPRISE_PLONK_VKEY_H
#define REPRISE_PLONK_VKEY_H

#include "formats/family.h"

#include <stdbool.h>
#include <reprise/plonk.h>

enum { PLONK_SELECTORS = 5, PLONK_PERMUTATIONS = 3, PLONK_KEY_POINTS = PLONK_SELECTORS + PLONK_PERMUTATIONS };
/* Indices into plonk_vkey.point. */
typedef enum plonk_key_point {
  PLONK_KEY_QM,
  PLONK_KEY_QL,
  PLONK_KEY_QR,
  PLONK_KEY_QO,
  PLONK_KEY_QC,
  PLONK_KEY_S1,
  PLONK_KEY_S2,
  PLONK_KEY_S3
} plonk_key_point;

typedef struct plonk_fr {
  uint64_t limb[4]; /* memory form */
} plonk_fr;
typedef struct plonk_g1 {
  uint64_t limb[8];
} plonk_g1;

typedef struct plonk_vkey {
  const g16_family *family; /* BN254 */
  uint32_t n_public, log_domain;
  plonk_fr k1, k2;                  /* shifts of the cosets of the second and the third wire */
  plonk_g1 point[PLONK_KEY_POINTS]; /* commitments to selectors and permutations */
  g16_g2 x_2;                       /* tau times the generator */
} plonk_vkey;

extern const char *const plonk_key_point_name[PLONK_KEY_POINTS]; /* "Qm" ... "S3", in files and reasons */
/* A selector may be the zero polynomial, whose commitment is infinity; a permutation polynomial may not. */
static inline bool plonk_may_be_infinity(int key_point) { return key_point < PLONK_SELECTORS; }

/* RP_ERR_INPUT unless the field has the domain, the public signals fit into it, and 1, k1 and k2 are in different
 * cosets of it: otherwise, two positions of the permutation would have the same label. `name` names the key in
 * reasons. */
rp_status plonk_vkey_check_shape(const char *name, const plonk_vkey *vkey, rp_error *err);
/* RP_ERR_INPUT unless that holds, every point is on its curve and in its subgroup, and only points that may be are at
 * infinity. */
rp_status plonk_vkey_check(const char *name, const plonk_vkey *vkey, rp_error *err);

/* The elements of a proof in the order of the JSON file: points, then canonical integers. */
enum { PLONK_PROOF_POINTS = 9, PLONK_PROOF_SCALARS = 6 };
typedef struct plonk_element {
  const char *name;
  size_t offset; /* in the proof's struct */
} plonk_element;
extern const plonk_element plonk_proof_point[PLONK_PROOF_POINTS], plonk_proof_scalar[PLONK_PROOF_SCALARS];

/* RP_ERR_INPUT unless the proof is over BN254, its points are on the curve with coordinates below q, and its
 * evaluations are below r. */
rp_status plonk_proof_check(const char *name, const rp_plonk_proof *proof, rp_error *err);

/* ---- The same checks for keys and proofs of both PLONK and FFLONK ------------------------------------------------ */

/* plonk_vkey_check_shape */
rp_status plonk_check_cosets(const char *name, const g16_family *family, uint32_t n_public, uint32_t log_n,
                             const plonk_fr *k1, const plonk_fr *k2, rp_error *err);
/* RP_ERR_INPUT unless the point is on the curve and in its subgroup, and finite unless it may be infinity. `what` names
 * the point in reasons. */
rp_status plonk_check_point(const char *name, const char *what, rp_curve curve, const void *point, bool may_be_infinity,
                            rp_error *err);
/* RP_ERR_INPUT unless the points are on the curve with coordinates below q, and the scalars below r. */
rp_status plonk_check_elements(const char *name, const void *proof, const plonk_element *point, int n_points,
                               const plonk_element *scalar, int n_scalars, rp_error *err);

#endif
