/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A verifier among strangers: key, public signals and up to four proofs of one input go through the texts' readers,
 * rp_groth16_verify and rp_groth16_verify_batch. The verdicts agree, and each is what a plain second look says: points
 * by doubling and adding, subgroups by multiplication by r, one product of four pairings.
 */
#include "fuzz.h"

#include "groth16/verify/verify.h"
#include "ops/torsion.h"
#include "verify_input.h"

static rp_context *context;

static int is_member(rp_curve curve, const void *affine) {
  const rp_curve_host *g = rp_curve_get(curve);
  g16_g2 multiple;
  if (!g->on_curve(affine)) return 0;
  torsion_multiple(curve, affine, g->order_le, 32, &multiple);
  return g->is_identity(&multiple);
}

/* -(IC[0] + sum x_i IC[i]) */
static void input_sum(const g16_vkey *key, const uint8_t *signals, g16_g1 *x) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  g16_g1 term;
  memcpy(x, key->ic, g1->affine_bytes);
  for (uint32_t i = 0; i < key->n_public; i++) {
    memcpy(&term, key->ic + (size_t)(i + 1) * g1->affine_bytes, g1->affine_bytes);
    torsion_multiple(key->family->g1, &term, signals + (size_t)32 * i, 32, &term);
    g1->add(x, x, &term);
  }
  g1->neg(x, x);
}

static rp_status plain_verdict(const g16_vkey *key, const rp_groth16_proof *proof, const uint8_t *signals,
                               size_t n_signals) {
  const g16_family *family = key->family;
  const rp_field_host *fr = rp_field_get(family->fr);
  const rp_curve_host *g1 = rp_curve_get(family->g1);
  if (proof->g1 != family->g1 || n_signals != key->n_public) return RP_ERR_MISMATCH;
  for (size_t i = 0; i < n_signals; i++) {
    uint64_t x[4];
    memcpy(x, signals + 32 * i, 32);
    if (!fr->from_canonical(x, x)) return RP_ERR_INPUT;
  }
  g16_g1 a, c, x, alpha = key->alpha_1;
  g16_g2 b, beta = key->beta_2, gamma = key->gamma_2, delta = key->delta_2;
  memcpy(&a, proof->a, g1->affine_bytes);
  memcpy(&b, proof->b, g16_g2_bytes(family));
  memcpy(&c, proof->c, g1->affine_bytes);
  if (!is_member(family->g1, &a) || !is_member(family->g2, &b) || !is_member(family->g1, &c)) return RP_ERR_INPUT;
  input_sum(key, signals, &x);
  g1->neg(&alpha, &alpha);
  g1->neg(&c, &c);
  const void *const p[4] = {&a, &alpha, &x, &c};
  const void *const q[4] = {&b, &beta, &gamma, &delta};
  return rp_pairing_product_is_one(family->g1, 4, p, q) ? RP_OK : RP_ERR_VERIFY;
}

/* A key that was taken: its points are what they must be, and written and read again it is the same. */
static void check_key(const rp_groth16_vkey *vkey) {
  const g16_vkey *key = g16_vkey_points(vkey);
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  const void *const g2[3] = {&key->beta_2, &key->gamma_2, &key->delta_2};
  FUZZ_NEED(rp_groth16_vkey_n_public(vkey) == key->n_public);
  FUZZ_NEED(is_member(key->family->g1, &key->alpha_1) && !g1->is_identity(&key->alpha_1));
  for (int i = 0; i < 3; i++)
    FUZZ_NEED(is_member(key->family->g2, g2[i]) && !rp_curve_get(key->family->g2)->is_identity(g2[i]));
  for (uint32_t i = 0; i <= key->n_public && i < VERIFY_SIGNALS; i++)
    FUZZ_NEED(is_member(key->family->g1, key->ic + (size_t)i * g1->affine_bytes));
  static char text[1 << 16];
  size_t bytes;
  rp_groth16_vkey *again;
  if (rp_groth16_vkey_to_json(vkey, text, sizeof text, &bytes, NULL) != RP_OK) return; /* a long one */
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
    FUZZ_NEED(verdict[i] == plain_verdict(g16_vkey_points(vkey), &proofs[i], signals, n_signals));
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
