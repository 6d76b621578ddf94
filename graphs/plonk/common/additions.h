/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The additions of a key of PLONK or FFLONK as sparse products. An addition refers to two earlier variables, so that
 * additions which are computed in order form a chain. Here each becomes a row of its own over variables that are known
 * before: the additions that it refers to are written out, down to the witness where that takes no more than
 * PLONK_ROW_MOST entries. Where it takes more, the addition belongs to a later stage, whose rows may refer to those of
 * earlier stages. snarkjs sums a linear combination through a queue (plonk_setup.js, reduceCoefs), as a balanced tree:
 * one stage sums 64 terms, two sum 4096.
 */
#ifndef REPRISE_PLONK_COMMON_ADDITIONS_H
#define REPRISE_PLONK_COMMON_ADDITIONS_H

#include "plonk/formats/arrays.h"

enum { PLONK_ROW_MOST = 64, PLONK_STAGES_MOST = 64 };

/* One sparse product: rows of `entries` entries in all, whose columns are places below the stage's first. */
typedef struct plonk_stage {
  uint64_t rows, entries;
  uint32_t *row_ptr, *col; /* rows + 1, entries */
  plonk_fr *val;           /* memory form */
} plonk_stage;

/* Variables lie in another order than in the key: the witness, then the rows of the first stage, of the second ... */
typedef struct plonk_additions {
  uint32_t n_stages, n_witness;
  plonk_stage stage[PLONK_STAGES_MOST];
  uint32_t *place; /* of each addition. There is none for the witness, whose length is only claimed by the header. */
} plonk_additions;

/* The place of a variable of the key. */
static inline uint32_t plonk_place(const plonk_additions *additions, uint32_t variable) {
  return variable < additions->n_witness ? variable : additions->place[variable - additions->n_witness];
}

/* Reads the additions of a key with n_vars variables, the additions among them. RP_ERR_UNSUPPORTED: they refer to each
 * other in a chain that takes more than PLONK_STAGES_MOST stages, of more than 4000 additions. Memory is at most
 * proportional to the section: no more than 64 entries of 36 bytes for each addition. On failure there is nothing to
 * free. */
rp_status plonk_additions_load(const plonk_array *array, uint32_t n_vars, plonk_additions *out, rp_error *err);
void plonk_additions_free(plonk_additions *additions);

#endif
