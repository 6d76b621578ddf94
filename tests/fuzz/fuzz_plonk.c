/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plonk_key.h"

#include "plonk/formats/json.h"
#include "plonk/formats/zkey.h"
#include "plonk/prover/graph.h"

enum { AT_ONCE = 64 };

static void check_maps(const plonk_zkey *zkey, uint32_t id) {
  uint32_t row[AT_ONCE];
  const uint64_t count = plonk_section_count(&zkey->common, id), n = count < AT_ONCE ? count : AT_ONCE;
  rp_error error = {0};
  if (!fuzz_is_ok(plonk_map_read(&zkey->common, id, count - n, n, row, &error), &error)) return;
  for (uint64_t i = 0; i < n; i++) FUZZ_NEED(row[i] < zkey->common.n_vars);
}

static void check_additions(const plonk_zkey *zkey) {
  plonk_addition addition[AT_ONCE];
  const uint64_t n = zkey->common.n_additions < AT_ONCE ? zkey->common.n_additions : AT_ONCE;
  rp_error error = {0};
  if (!fuzz_is_ok(plonk_additions_read(&zkey->common, 0, n, addition, &error), &error)) return;
  for (uint64_t i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) FUZZ_NEED(addition[i].signal[k] < zkey->common.n_vars - zkey->common.n_additions + i);
}

static void proving_key(const uint8_t *data, size_t size) {
  uint8_t out[AT_ONCE * PLONK_POINT_BYTES];
  support_file *file;
  plonk_zkey zkey;
  rp_error error = {0};
  if (!fuzz_is_ok(support_file_wrap("zkey", data, size, &file, &error), &error)) return;
  const uint32_t protocol = g16_zkey_protocol(file);
  if (fuzz_is_ok(plonk_zkey_open(file, &zkey, &error), &error)) {
    FUZZ_NEED(protocol == G16_PROTOCOL_PLONK);
    FUZZ_NEED(plonk_vkey_check("key", &zkey.vk, NULL) == RP_OK); /* opening has checked the whole header */
    check_additions(&zkey);
    for (uint32_t id = PLONK_MAP_A; id <= PLONK_MAP_C; id++) check_maps(&zkey, id);
    for (plonk_section id = PLONK_QM; id <= PLONK_TAU; id++) {
      const uint64_t count = plonk_section_count(&zkey.common, id), n = count < AT_ONCE ? count : AT_ONCE;
      error = (rp_error){0};
      (void)fuzz_is_ok(id == PLONK_TAU ? plonk_tau_read(&zkey.common, count - n, n, 1, out, &error)
                                       : plonk_scalars_read(&zkey.common, id, count - n, n, out, &error),
                       &error);
    }
  }
  support_file_close(file);
}

/* The same key as a prover opens it. */
static void opened_key(const uint8_t *data, size_t size) {
  rp_plonk_key *key;
  rp_error error = {0};
  if (!fuzz_is_ok(rp_plonk_key_open_memory(fuzz_context(), data, size, NULL, &key, &error), &error)) return;
  fuzz_check_key(&key->common, 0);
  const plonk_key *k = &key->common;
  FUZZ_NEED(memcmp(&k->tau[k->info.domain], &k->tau[0], sizeof *k->tau) != 0);
  rp_plonk_key_close(key);
}

/* A proof that was read and is written again must be read as the same proof. */
static void proof(const char *json, size_t size) {
  rp_plonk_proof first, second;
  rp_error error = {0};
  support_text text = {0};
  if (!fuzz_is_ok(plonk_proof_read("proof", json, size, &first, &error), &error)) return;
  FUZZ_NEED(plonk_proof_write(&first, &text, NULL) == RP_OK);
  FUZZ_NEED(plonk_proof_read("proof", text.data, text.length, &second, NULL) == RP_OK);
  FUZZ_NEED(memcmp(&first, &second, sizeof first) == 0);
  free(text.data);
}

static void verification_key(const char *json, size_t size) {
  plonk_vkey first, second;
  rp_error error = {0};
  support_text text = {0};
  if (!fuzz_is_ok(plonk_vkey_read("vkey", json, size, &first, &error), &error)) return;
  FUZZ_NEED(plonk_vkey_write(&first, &text, NULL) == RP_OK);
  FUZZ_NEED(plonk_vkey_read("vkey", text.data, text.length, &second, NULL) == RP_OK);
  FUZZ_NEED(first.n_public == second.n_public && first.log_domain == second.log_domain);
  FUZZ_NEED(memcmp(first.point, second.point, sizeof first.point) == 0);
  (void)fuzz_is_ok(plonk_vkey_check("vkey", &first, &error), &error);
  free(text.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  proving_key(data, size);
  opened_key(data, size);
  proof((const char *)data, size);
  verification_key((const char *)data, size);
  return 0;
}
