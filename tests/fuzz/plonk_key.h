/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What must hold of a key of PLONK or FFLONK that has been opened for a prover.
 */
#ifndef REPRISE_TESTS_FUZZ_PLONK_KEY_H
#define REPRISE_TESTS_FUZZ_PLONK_KEY_H

#include "fuzz.h"

#include "plonk/common/key.h"

/* The context of all inputs. */
static inline rp_context *fuzz_context(void) {
  static rp_context *context;
  if (!context) FUZZ_NEED(rp_context_create(NULL, &context, NULL) == RP_OK);
  return context;
}

/* Every place is known where it is used; `extra` places are behind the variables. */
static inline void fuzz_check_key(const plonk_key *key, uint64_t extra) {
  const plonk_additions *a = &key->additions;
  uint64_t known = key->info.n_vars;
  FUZZ_NEED(a->n_stages <= PLONK_STAGES_MOST);
  for (uint32_t s = 0; s < a->n_stages; s++) {
    const plonk_stage *stage = &a->stage[s];
    FUZZ_NEED(stage->row_ptr[0] == 0 && stage->row_ptr[stage->rows] == stage->entries);
    for (uint64_t row = 0; row < stage->rows; row++) FUZZ_NEED(stage->row_ptr[row] <= stage->row_ptr[row + 1]);
    for (uint64_t e = 0; e < stage->entries; e++) FUZZ_NEED(stage->col[e] < known);
    known += stage->rows;
  }
  FUZZ_NEED(known == key->info.n_vars + key->info.n_additions);
  for (uint64_t i = 0; i < 3 * key->info.domain; i++) FUZZ_NEED(key->map[i] < known + extra);
}

#endif
