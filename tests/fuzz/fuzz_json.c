/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fuzz.h"

#include "groth16/formats/json.h"

/* A proof that was read and is written again must be read as the same proof. */
static void proof(const char *json, size_t size) {
  rp_groth16_proof first, second;
  rp_error error = {0};
  support_text text = {0};
  if (!fuzz_is_ok(g16_proof_read("proof", json, size, &first, &error), &error)) return;
  FUZZ_NEED(g16_proof_write(&first, &text, NULL) == RP_OK);
  FUZZ_NEED(g16_proof_read("proof", text.data, text.length, &second, NULL) == RP_OK);
  FUZZ_NEED(memcmp(&first, &second, sizeof first) == 0);
  free(text.data);
}

static void public_signals(const char *json, size_t size) {
  enum { MOST = 64 };
  uint8_t first[32 * MOST], second[32 * MOST];
  size_t n, again;
  rp_error error = {0};
  support_text text = {0};
  if (!fuzz_is_ok(g16_public_read("public", json, size, first, MOST, &n, &error), &error) || n > MOST) return;
  FUZZ_NEED(g16_public_write(first, n, &text, NULL) == RP_OK);
  FUZZ_NEED(g16_public_read("public", text.data, text.length, second, MOST, &again, NULL) == RP_OK);
  FUZZ_NEED(n == again && memcmp(first, second, 32 * n) == 0);
  free(text.data);
}

static void verification_key(const char *json, size_t size) {
  g16_vkey first, second;
  rp_error error = {0};
  support_text text = {0};
  if (!fuzz_is_ok(g16_vkey_read("vkey", json, size, &first, &error), &error)) return;
  FUZZ_NEED(g16_vkey_write(&first, NULL, &text, NULL) == RP_OK);
  FUZZ_NEED(g16_vkey_read("vkey", text.data, text.length, &second, NULL) == RP_OK);
  FUZZ_NEED(first.n_public == second.n_public && first.family == second.family);
  FUZZ_NEED(memcmp(first.ic, second.ic, ((size_t)first.n_public + 1) * g16_g1_bytes(first.family)) == 0);
  free(text.data);
  g16_vkey_free(&first);
  g16_vkey_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  proof((const char *)data, size);
  public_signals((const char *)data, size);
  verification_key((const char *)data, size);
  return 0;
}
