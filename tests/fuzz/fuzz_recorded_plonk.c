/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recorded files of PLONK and FFLONK as an attacker makes them: every input gets right checksums before it is opened,
 * with all checks and without any. A file that opens must be within its bounds and must hide a witness: this harness
 * checks what that depends on a second time, in a plain way.
 */
#include "plonk_key.h"

#include "fflonk/prover/graph.h"
#include "formats/fail.h"
#include "graphs/plonk/recorded.h"
#include "plonk/prover/graph.h"

/* What holds for keys from recorded files and from .zkeys alike, and of their wires: public signals come first, and the
 * last `blinded` rows of each have the blinding. */
static void check_key(const plonk_key *key, uint32_t blinded) {
  const uint64_t n = key->info.domain, places = key->info.n_vars + key->info.n_additions;
  fuzz_check_key(key, 3 * blinded);
  for (uint64_t i = 0; i < key->info.n_public; i++) FUZZ_NEED(key->map[i] == i + 1);
  for (uint64_t w = 0; w < 3; w++) {
    for (uint64_t i = 0; i < n - blinded; i++) FUZZ_NEED(key->map[w * n + i] < places);
    for (uint64_t i = 0; i < blinded; i++) FUZZ_NEED(key->map[(w + 1) * n - blinded + i] == places + blinded * w + i);
  }
}

static int is_other_point(const plonk_key *key, uint64_t power) {
  const rp_curve_host *g1 = rp_curve_get(RP_CURVE_BN254_G1);
  const uint8_t *q = rp_field_get(RP_FIELD_BN254_FP)->modulus_le;
  const uint8_t *at = (const uint8_t *)&key->tau[power], *first = (const uint8_t *)key->tau;
  for (int i = 0; i < 2; i++)
    if (!g16_below(at + 32 * i, q, 32) || !g16_below(first + 32 * i, q, 32)) return 0;
  return !g1->equal(at, first);
}

static void open_plonk(const uint8_t *data, size_t size, const rp_plonk_key_options *options) {
  rp_plonk_key *key;
  rp_error error = {0};
  if (!fuzz_is_ok(rp_plonk_key_open_memory(fuzz_context(), data, size, options, &key, &error), &error)) return;
  check_key(&key->common, 0);
  FUZZ_NEED(plonk_vkey_check("key", &key->vk, NULL) == RP_OK);
  FUZZ_NEED(is_other_point(&key->common, key->common.info.domain));
  rp_plonk_key_close(key);
}

static void open_fflonk(const uint8_t *data, size_t size, const rp_plonk_key_options *options) {
  rp_fflonk_key *key;
  rp_error error = {0};
  if (!fuzz_is_ok(rp_fflonk_key_open_memory(fuzz_context(), data, size, options, &key, &error), &error)) return;
  const plonk_key *k = &key->common;
  check_key(k, FFLONK_BLINDED_ROWS);
  FUZZ_NEED(fflonk_vkey_check("key", &key->vk, NULL) == RP_OK);
  FUZZ_NEED(is_other_point(k, 3 * k->info.domain) && is_other_point(k, 4 * k->info.domain));
  for (int i = 0; i < FFLONK_COMBINED; i++)
    for (uint64_t at = 0; at < k->n_tau; at++) FUZZ_NEED(key->combine[i][at] <= 8 * k->info.domain);
  rp_fflonk_key_close(key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const rp_plonk_key_options options[] = {{.struct_size = sizeof *options, .skip_checksum = 1},
                                          {.struct_size = sizeof *options, .check_points = 1}};
  size_t bytes;
  uint8_t *file = recorded_unpack(data, size, &bytes);
  if (!file) return 0;
  memcpy(file, PLONK_FILE_MAGIC, sizeof PLONK_FILE_MAGIC - 1);
  recorded_seal(file, bytes);
  for (int i = 0; i < 2; i++) {
    open_plonk(file, bytes, &options[i]);
    open_fflonk(file, bytes, &options[i]);
  }
  free(file);
  return 0;
}
