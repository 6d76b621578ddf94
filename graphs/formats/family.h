/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The two pairing-friendly curves that circom circuits are proved on, and how their files name them.
 */
#ifndef REPRISE_FORMATS_FAMILY_H
#define REPRISE_FORMATS_FAMILY_H

#include <reprise/host.h>

typedef struct g16_family {
  const char *name;     /* as snarkjs writes it: "bn128", "bls12381" */
  rp_field fq, fq2, fr; /* coordinates of G1, of G2; scalars */
  rp_curve g1, g2;
  uint32_t fq_bytes, fr_bytes; /* a canonical integer or a Montgomery form, in every file */
} g16_family;

/* By the primes that stand in a file, little-endian; NULL if no family has them. */
const g16_family *g16_family_by_q(const uint8_t *q, uint32_t bytes);
const g16_family *g16_family_by_r(const uint8_t *r, uint32_t bytes);
/* By a name, case and punctuation aside: bn128, bn254, altbn128, bls12381. NULL if there is none. */
const g16_family *g16_family_by_name(const char *name);
const g16_family *g16_family_by_g1(rp_curve g1);

/* The quotient is evaluated on the domain shifted by the root of twice its order. The largest domain of a field has no
 * such root; snarkjs then shifts by the square of the least number that is no square (Fr.shift in groth16_prove.js and
 * powersoftau_preparephase2.js). That shift, in memory form; rapidsnark refuses such a domain. */
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
