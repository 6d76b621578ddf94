/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * FFLONK's prover as one graph (docs/notes/fflonk-prover.md). n is the domain. Every commitment is a product with the
 * same 9n powers of tau.
 */
#ifndef REPRISE_FFLONK_GRAPH_H
#define REPRISE_FFLONK_GRAPH_H

#include "fflonk/formats/vkey.h"
#include "plonk/common/graph.h"

/* C0, C1 and C2 each hold several polynomials, one in every so many coefficients. FFLONK_TAU times n is the length of
 * the longest, C2. */
enum { FFLONK_COMBINED = 3, FFLONK_TAU_TIMES = 9, FFLONK_BLINDED_ROWS = 2 };

/* The key's polynomials as they stand in C0: ql, qr, qo, qm, qc, and, as for PLONK, three permutations. */
enum { FFLONK_KEY_QL, FFLONK_KEY_QR, FFLONK_KEY_QO, FFLONK_KEY_QM, FFLONK_KEY_QC };

struct rp_fflonk_key {
  /* coef: n coefficients each. map: the last two rows of wire w have the places 2w and 2w + 1 behind all variables. */
  plonk_key common;
  fflonk_vkey vk;
  /* 9n places each: where the coefficients of C0, C1 and C2 are in an array of their polynomials, one behind another,
   * with a zero at its end (combine.c). */
  const uint32_t *combine[FFLONK_COMBINED];
};

/* The polynomials that C0, C1 and C2 hold, and how long each is, in elements: times n, and more. */
typedef struct fflonk_combined {
  uint32_t parts;
  struct {
    uint8_t times, more;
  } len[PLONK_KEY_POINTS];
} fflonk_combined;
extern const fflonk_combined fflonk_combined_of[FFLONK_COMBINED];
/* Fills key->combine[i]. */
void fflonk_combine_places(uint32_t i, uint64_t n, uint32_t *places);

extern const plonk_key_kind fflonk_kind;

/* Where in the input b_1 ... b_9 stand: those of the wires' last rows, then those of z, b_9 + b_8 X + b_7 X^2. */
extern const uint8_t fflonk_blinding_place[RP_FFLONK_BLINDING];

plonk_build fflonk_graph_build; /* of a key that is the first member of a rp_fflonk_key */

#endif
