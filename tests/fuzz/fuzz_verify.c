/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A verifier with untrusted inputs: the key, the public signals and up to four proofs of one input go through the
 * readers of texts, rp_groth16_verify and rp_groth16_verify_batch. The verdicts agree, and each is that of
 * plain_verify.h.
 */
#include "fuzz.h"

#include "groth16/verify/verify.h"
#include "plain_verify.h"
#include "verify_input.h"

static rp_context *context;

/* A key that was accepted has valid points, and is the same when it has been written and read again. */
static void check_key(const rp_groth16_vkey *vkey) {
  const g16_vkey *key = g16_vkey_points(vkey);
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  const void *const g2[3] = {&key->beta_2, &key->gamma_2, &key->delta_2};
  FUZZ_NEED(rp_groth16_vkey_n_public(vkey) == key->n_public);
  FUZZ_NEED(plain_is_member(key->family->g1, &key->alpha_1) && !g1->is_identity(&key->alpha_1));
  for (int i = 0; i < 3; i++)
    FUZZ_NEED(plain_is_member(key->family->g2, g2[i]) && !rp_curve_get(key->family->g2)->is_identity(g2[i]));
  for (uint32_t i = 0; i <= key->n_public && i < VERIFY_SIGNALS; i++)
    FUZZ_NEED(plain_is_member(key->family->g1, key->ic + (size_t)i * g1->affine_bytes));
  static char text[1 << 16];
  size_t bytes;
  rp_groth16_vkey *again;
  /* The text is too long for the buffer. */
  if (rp_groth16_vkey_to_json(vkey, text, sizeof text, &bytes, NULL) != RP_OK) return;
  FUZZ_NEED(rp_groth16_vkey_from_json(context, text, bytes, &again, NULL) == RP_OK);
  const g16_vkey *other = g16_vkey_points(again);
  FUZZ_NEED(other->n_public == key->n_public && other->family == key->family &&
            memcmp(other->ic, key->ic, ((size_t)key->n_public + 1) * g1->affine_bytes) == 0);
  rp_groth16_vkey_destroy(again);
}

static void check_proofs(const rp_groth16_vkey *vkey, const rp_groth16_proof *proofs, size_t n, const uint8_t *signals,
                         size_t n_signals) {
  rp_status verdict[VERIFY_PARTS], first = RP_OK;
  rp_status batch[VERIFY_PARTS];
  uint8_t repeated[VERIFY_PARTS * VERIFY_SIGNALS * 32];
  rp_error error = {0};
  for (size_t i = 0; i < n; i++) {
    rp_error why = {0};
    verdict[i] = rp_groth16_verify(vkey, &proofs[i], signals, n_signals, &why);
    (void)fuzz_is_ok(verdict[i], &why);
    FUZZ_NEED(verdict[i] == plain_verify(g16_vkey_points(vkey), &proofs[i], signals, n_signals));
    if (first == RP_OK) first = verdict[i];
    if (n_signals) memcpy(repeated + i * n_signals * 32, signals, n_signals * 32);
  }
  const rp_status all = rp_groth16_verify_batch(vkey, proofs, repeated, n, n_signals, batch, &error);
  FUZZ_NEED(all == first && fuzz_is_ok(all, &error) == (first == RP_OK));
  for (size_t i = 0; i < n; i++) FUZZ_NEED(batch[i] == verdict[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const verify_input in = verify_split(data, size);
  rp_groth16_proof proofs[VERIFY_PARTS];
  uint8_t signals[VERIFY_SIGNALS * 32];
  size_t n_signals = 0, n = 0;
  rp_groth16_vkey *vkey = NULL;
  if (!context) FUZZ_NEED(rp_context_create(NULL, &context, NULL) == RP_OK);
  if (in.parts <= VERIFY_PROOF) return 0;
  rp_error error = {0};
  const int has_key =
      fuzz_is_ok(rp_groth16_vkey_from_json(context, in.text[VERIFY_KEY], in.bytes[VERIFY_KEY], &vkey, &error), &error);
  FUZZ_NEED(has_key == (vkey != NULL));
  error = (rp_error){0};
  const int has_signals = fuzz_is_ok(rp_groth16_public_from_json(in.text[VERIFY_PUBLIC], in.bytes[VERIFY_PUBLIC],
                                                                 signals, VERIFY_SIGNALS, &n_signals, &error),
                                     &error);
  for (size_t i = VERIFY_PROOF; i < in.parts; i++) {
    error = (rp_error){0};
    if (fuzz_is_ok(rp_groth16_proof_from_json(in.text[i], in.bytes[i], &proofs[n], &error), &error)) n++;
  }
  if (has_key) check_key(vkey);
  if (has_key && has_signals && n_signals <= VERIFY_SIGNALS) check_proofs(vkey, proofs, n, signals, n_signals);
  rp_groth16_vkey_destroy(vkey);
  return 0;
}
