/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "builder.h"

/* s has order 8n; for the largest domain there is no such root of unity, but a shift outside all of them. */
void plonk_cosets(const plonk_builder *b, plonk_coset cosets[PLONK_COSETS]) {
  const uint32_t log_n = b->key->log_domain;
  plonk_fr w, s;
  (void)b->fr->root(&w, RP_ROOT_SNARKJS, log_n + 2); /* the reader has checked that there is one */
  if (!b->fr->root(&s, RP_ROOT_SNARKJS, log_n + 3)) g16_largest_shift(b->key->family, s.limb);
  for (int k = 0; k < PLONK_COSETS; k++) {
    cosets[k] = (plonk_coset){s, s};
    for (uint32_t i = 0; i < log_n; i++) b->fr->sqr(&cosets[k].c, &cosets[k].c);
    b->fr->mul(&s, &s, &w);
  }
}
