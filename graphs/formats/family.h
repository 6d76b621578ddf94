/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The two pairing-friendly curve families that circom circuits are proved on, and how files name them.
 */
#ifndef REPRISE_FORMATS_FAMILY_H
#define REPRISE_FORMATS_FAMILY_H

#include <reprise/host.h>

typedef struct g16_family {
  const char *name;     /* as snarkjs writes it: "bn128", "bls12381" */
  rp_field fq, fq2, fr; /* coordinates of G1, of G2; scalars */
  rp_curve g1, g2;
  uint32_t fq_bytes, fr_bytes; /* size of an element in files, as canonical integer or in Montgomery form */
} g16_family;

/* The family with this prime, as in files: little-endian. NULL if there is none. */
const g16_family *g16_family_by_q(const uint8_t *q, uint32_t bytes);
const g16_family *g16_family_by_r(const uint8_t *r, uint32_t bytes);
/* The family by name, ignoring case and punctuation: bn128, bn254, altbn128, bls12381. NULL if there is none. */
const g16_family *g16_family_by_name(const char *name);
const g16_family *g16_family_by_g1(rp_curve g1);

/* The shift of the coset for the largest domain, in memory form. The quotient is evaluated on the domain multiplied by
 * the root of unity of twice its order. For the largest domain of a field there is no such root; snarkjs then
 * multiplies by the square of the smallest quadratic non-residue (Fr.shift in groth16_prove.js and
 * powersoftau_preparephase2.js). rapidsnark refuses such a domain. */
void g16_largest_shift(const g16_family *family, uint64_t shift[4]);

static inline uint32_t g16_g1_bytes(const g16_family *family) { return 2 * family->fq_bytes; }
static inline uint32_t g16_g2_bytes(const g16_family *family) { return 4 * family->fq_bytes; }

/* Room for a point of either family in its memory form (types.h). */
typedef struct g16_g1 {
  uint64_t limb[12];
} g16_g1;
typedef struct g16_g2 {
  uint64_t limb[24];
} g16_g2;

#endif
