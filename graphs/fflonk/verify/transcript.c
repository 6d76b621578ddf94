/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "transcript.h"

void fflonk_challenges_2(fflonk_challenges *c, const fflonk_vkey *vkey, const rp_fflonk_proof *proof,
                         const uint8_t *public_signals) {
  plonk_transcript t;
  plonk_transcript_begin(&t);
  plonk_transcript_point(&t, &vkey->c0);
  for (size_t i = 0; i < vkey->n_public; i++) plonk_transcript_integer(&t, public_signals + 32 * i);
  plonk_transcript_point(&t, proof->c1);
  plonk_transcript_challenge(&t, &c->beta);
  plonk_transcript_scalar(&t, &c->beta);
  plonk_transcript_challenge(&t, &c->gamma);
}

void fflonk_challenges_3(fflonk_challenges *c, const rp_fflonk_proof *proof) {
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  plonk_transcript t;
  plonk_fr eighth;
  plonk_transcript_begin(&t);
  plonk_transcript_scalar(&t, &c->gamma);
  plonk_transcript_point(&t, proof->c2);
  plonk_transcript_challenge(&t, &c->seed);
  fr->sqr(&eighth, &c->seed);
  fr->sqr(&eighth, &eighth);
  fr->sqr(&eighth, &eighth);
  fr->sqr(&c->xi, &eighth);
  fr->mul(&c->xi, &c->xi, &eighth);
}

void fflonk_challenges_4(fflonk_challenges *c, const rp_fflonk_proof *proof) {
  plonk_transcript t;
  plonk_transcript_begin(&t);
  plonk_transcript_scalar(&t, &c->seed);
  for (int i = 0; i < FFLONK_HASHED_SCALARS; i++)
    plonk_transcript_integer(&t, (const uint8_t *)proof + fflonk_proof_scalar[i].offset);
  plonk_transcript_challenge(&t, &c->alpha);
}

void fflonk_challenges_5(fflonk_challenges *c, const rp_fflonk_proof *proof) {
  plonk_transcript t;
  plonk_transcript_begin(&t);
  plonk_transcript_scalar(&t, &c->alpha);
  plonk_transcript_point(&t, proof->w1);
  plonk_transcript_challenge(&t, &c->y);
}
