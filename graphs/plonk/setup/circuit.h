/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A synthetic PLONK circuit with a witness, for the setup tool.
 */
#ifndef REPRISE_PLONK_CIRCUIT_H
#define REPRISE_PLONK_CIRCUIT_H

#include "plonk/formats/arrays.h"

typedef struct plonk_circuit {
  uint64_t n; /* the domain */
  uint32_t n_public, n_witness, n_additions, n_constraints;
  uint32_t blinded_rows;               /* at the end of the domain, equal to no other position */
  plonk_fr *value;                     /* of the witness and the additions; memory form; the first is 0 */
  uint32_t *map[3];                    /* n_constraints */
  plonk_fr *selector[PLONK_SELECTORS]; /* values on the domain, in the order of plonk_key_point */
  plonk_addition *addition;
} plonk_circuit;

static inline uint32_t plonk_circuit_vars(const plonk_circuit *c) { return c->n_witness + c->n_additions; }

/* The rows behind those of the public signals compute a new value each: the product of two earlier ones, or with random
 * selectors. A quarter of the operands are additions of earlier values. On failure there is nothing to free. */
rp_status plonk_circuit_make(uint32_t log_domain, uint32_t n_public, uint32_t blinded_rows, uint64_t seed,
                             plonk_circuit *circuit, rp_error *err);
void plonk_circuit_free(plonk_circuit *circuit);
/* Values of S1, S2 and S3 on the domain, 3n: the labels of the positions that have the same variable, each of which is
 * the label of the next. NULL when out of memory. */
plonk_fr *plonk_circuit_permutation(const plonk_circuit *circuit, const plonk_fr *omega, const plonk_fr *k1,
                                    const plonk_fr *k2);

/* SplitMix64 (Steele, Lea, Flood 2014): reproducible, not for cryptography. */
static inline uint64_t plonk_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
void plonk_next_element(const rp_field_host *fr, uint64_t *state, plonk_fr *element);

#endif
