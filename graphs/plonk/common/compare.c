/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whether a key is what a .zkey makes: the .zkey is loaded, and all arrays are compared.
 */
#include "prerecorded.h"

#include "formats/fail.h"

static bool same_additions(const plonk_additions *a, const plonk_additions *b) {
  if (a->n_stages != b->n_stages) return 0;
  for (uint32_t i = 0; i < a->n_stages; i++) {
    const plonk_stage *s = &a->stage[i], *t = &b->stage[i];
    if (s->rows != t->rows || s->entries != t->entries ||
        memcmp(s->row_ptr, t->row_ptr, (s->rows + 1) * sizeof *s->row_ptr) != 0 ||
        memcmp(s->col, t->col, s->entries * sizeof *s->col) != 0 ||
        memcmp(s->val, t->val, s->entries * sizeof *s->val) != 0)
      return 0;
  }
  return 1;
}

/* NULL, or what differs. */
static const char *difference(const plonk_key_kind *kind, const plonk_key *a, const plonk_key *b) {
  const uint64_t n = a->info.domain;
  uint8_t vk[2][PLONK_FILE_VK_MOST] = {{0}};
  if (a->info.n_vars != b->info.n_vars || a->info.n_public != b->info.n_public || n != b->info.domain ||
      a->info.n_constraints != b->info.n_constraints || a->info.n_additions != b->info.n_additions)
    return "circuit differs";
  kind->pack_vk(a, vk[0]);
  kind->pack_vk(b, vk[1]);
  if (memcmp(vk[0], vk[1], sizeof vk[0]) != 0) return "verification part differs";
  if (!same_additions(&a->additions, &b->additions)) return "additions differ";
  if (memcmp(a->map, b->map, plonk_file_section_bytes(kind, n, PLONK_FILE_MAP)) != 0) return "wires differ";
  for (uint32_t i = 0; i < PLONK_KEY_POINTS; i++)
    if (memcmp(a->coef[i], b->coef[i], plonk_file_section_bytes(kind, n, PLONK_FILE_COEF + i)) != 0)
      return "polynomials differ";
  return memcmp(a->tau, b->tau, a->n_tau * sizeof *a->tau) == 0 ? NULL : "powers of tau differ";
}

rp_status plonk_key_matches(const plonk_key_kind *kind, const char *call, const plonk_key *key, const char *zkey_path,
                            rp_error *err) {
  const rp_plonk_key_options none = {.struct_size = sizeof none};
  support_file *file = NULL;
  plonk_key *made = NULL;
  if (!key || !zkey_path) return support_fail(err, RP_ERR_ARGUMENT, "%s: key or zkey_path is NULL.", call);
  rp_status status = support_file_open(zkey_path, 0, &file, err);
  if (status != RP_OK) return status;
  if (plonk_prerecorded_protocol(file)) {
    support_file_close(file);
    return support_fail(err, RP_ERR_FORMAT, "%s: is a recorded key, and a .zkey is needed.", support_label(zkey_path));
  }
  status = plonk_key_open_file(kind, file, &none, &made, err);
  if (status != RP_OK) return status;
  const char *what = difference(kind, key, made);
  plonk_key_close(made);
  if (!what) return RP_OK;
  return support_fail(err, RP_ERR_MISMATCH, "%s: the key does not hold what this zkey makes: its %s.%s",
                      support_label(zkey_path), what, key->info.prerecorded ? " Record it again." : "");
}
