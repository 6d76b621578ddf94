/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "transcript.h"

#include <string.h>

void plonk_transcript_begin(plonk_transcript *transcript) { plonk_keccak_begin(&transcript->hash); }

void plonk_transcript_integer(plonk_transcript *transcript, const uint8_t le[32]) {
  uint8_t be[32];
  for (int i = 0; i < 32; i++) be[i] = le[31 - i];
  plonk_keccak_add(&transcript->hash, be, sizeof be);
}

static void put_element(plonk_transcript *transcript, rp_field field, const void *element) {
  plonk_fr aligned, canonical;
  memcpy(&aligned, element, sizeof aligned);
  rp_field_get(field)->to_canonical(&canonical, &aligned);
  plonk_transcript_integer(transcript, (const uint8_t *)&canonical);
}

void plonk_transcript_point(plonk_transcript *transcript, const void *point) {
  put_element(transcript, RP_FIELD_BN254_FP, point);
  put_element(transcript, RP_FIELD_BN254_FP, (const uint8_t *)point + 32);
}

void plonk_transcript_scalar(plonk_transcript *transcript, const plonk_fr *scalar) {
  put_element(transcript, RP_FIELD_BN254_FR, scalar);
}

void plonk_transcript_challenge(plonk_transcript *transcript, plonk_fr *challenge) {
  uint8_t digest[KECCAK_BYTES], le[KECCAK_BYTES];
  plonk_keccak_end(&transcript->hash, KECCAK_PADDING, digest);
  for (int i = 0; i < KECCAK_BYTES; i++) le[i] = digest[KECCAK_BYTES - 1 - i];
  rp_field_get(RP_FIELD_BN254_FR)->from_bytes_reduce(challenge, le, sizeof le);
  plonk_transcript_begin(transcript);
}

void plonk_challenges_2(plonk_challenges *c, const plonk_vkey *vkey, const rp_plonk_proof *proof,
                        const uint8_t *public_signals) {
  plonk_transcript t;
  plonk_transcript_begin(&t);
  for (int i = 0; i < PLONK_KEY_POINTS; i++) plonk_transcript_point(&t, &vkey->point[i]);
  for (size_t i = 0; i < vkey->n_public; i++) plonk_transcript_integer(&t, public_signals + 32 * i);
  plonk_transcript_point(&t, proof->a);
  plonk_transcript_point(&t, proof->b);
  plonk_transcript_point(&t, proof->c);
  plonk_transcript_challenge(&t, &c->beta);
  plonk_transcript_scalar(&t, &c->beta);
  plonk_transcript_challenge(&t, &c->gamma);
}

void plonk_challenges_3(plonk_challenges *c, const rp_plonk_proof *proof) {
  plonk_transcript t;
  plonk_transcript_begin(&t);
  plonk_transcript_scalar(&t, &c->beta);
  plonk_transcript_scalar(&t, &c->gamma);
  plonk_transcript_point(&t, proof->z);
  plonk_transcript_challenge(&t, &c->alpha);
}

void plonk_challenges_4(plonk_challenges *c, const rp_plonk_proof *proof) {
  plonk_transcript t;
  plonk_transcript_begin(&t);
  plonk_transcript_scalar(&t, &c->alpha);
  plonk_transcript_point(&t, proof->t1);
  plonk_transcript_point(&t, proof->t2);
  plonk_transcript_point(&t, proof->t3);
  plonk_transcript_challenge(&t, &c->xi);
}

void plonk_challenges_5(plonk_challenges *c, const rp_plonk_proof *proof) {
  const uint8_t *const eval[] = {proof->eval_a,  proof->eval_b,  proof->eval_c,
                                 proof->eval_s1, proof->eval_s2, proof->eval_zw};
  plonk_transcript t;
  plonk_transcript_begin(&t);
  plonk_transcript_scalar(&t, &c->xi);
  for (size_t i = 0; i < sizeof eval / sizeof eval[0]; i++) plonk_transcript_integer(&t, eval[i]);
  plonk_transcript_challenge(&t, &c->v);
}

void plonk_challenges_6(plonk_challenges *c, const rp_plonk_proof *proof) {
  plonk_transcript t;
  plonk_transcript_begin(&t);
  plonk_transcript_point(&t, proof->wxi);
  plonk_transcript_point(&t, proof->wxiw);
  plonk_transcript_challenge(&t, &c->u);
}
