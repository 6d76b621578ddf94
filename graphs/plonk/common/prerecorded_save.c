/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Writing a prerecorded key.
 */
#include "prerecorded.h"

#include "formats/fail.h"

uint64_t plonk_file_section_bytes(const plonk_key_kind *kind, uint64_t domain, uint32_t id) {
  switch (id) {
  case PLONK_FILE_VK: return kind->vk_bytes;
  case PLONK_FILE_MAP: return 3 * domain * sizeof(uint32_t);
  case PLONK_FILE_TAU: return (kind->tau_times * domain + kind->tau_more) * sizeof(plonk_g1);
  default: return (domain + kind->coef_more) * sizeof(plonk_fr);
  }
}

static void add_all(const plonk_key_kind *kind, const plonk_key *key, const uint8_t *vk, graphs_sections *s) {
  const uint64_t n = key->info.domain;
  graphs_sections_add(s, vk, plonk_file_section_bytes(kind, n, PLONK_FILE_VK));
  graphs_sections_add(s, key->map, plonk_file_section_bytes(kind, n, PLONK_FILE_MAP));
  graphs_sections_add(s, key->tau, plonk_file_section_bytes(kind, n, PLONK_FILE_TAU));
  for (int i = 0; i < PLONK_KEY_POINTS; i++)
    graphs_sections_add(s, key->coef[i], plonk_file_section_bytes(kind, n, PLONK_FILE_COEF + (uint32_t)i));
  for (uint32_t i = 0; i < key->additions.n_stages; i++) {
    const plonk_stage *stage = &key->additions.stage[i];
    graphs_sections_add(s, stage->row_ptr, (stage->rows + 1) * sizeof *stage->row_ptr);
    graphs_sections_add(s, stage->col, stage->entries * sizeof *stage->col);
    graphs_sections_add(s, stage->val, stage->entries * sizeof *stage->val);
  }
}

rp_status plonk_prerecorded_save(const plonk_key_kind *kind, const plonk_key *key, const char *path, rp_error *err) {
  uint8_t vk[PLONK_FILE_VK_MOST] = {0};
  const void *data[PLONK_FILE_SECTIONS_MOST];
  graphs_section table[PLONK_FILE_SECTIONS_MOST];
  graphs_sections s = {.data = data, .table = table};
  plonk_file_header header = {.magic = PLONK_FILE_MAGIC, /* without its NUL */
                              .version = PLONK_FILE_VERSION,
                              .endian = PLONK_FILE_ENDIAN,
                              .protocol = kind->protocol,
                              .n_vars = (uint32_t)key->info.n_vars,
                              .n_public = (uint32_t)key->info.n_public,
                              .domain = (uint32_t)key->info.domain,
                              .n_constraints = (uint32_t)key->info.n_constraints,
                              .n_additions = (uint32_t)key->info.n_additions,
                              .points_checked = (uint32_t)atomic_load(&key->points_checked),
                              .n_stages = key->additions.n_stages};
  kind->pack_vk(key, vk);
  add_all(kind, key, vk, &s);
  header.n_sections = s.n;
  header.file_bytes = graphs_sections_place(&s, sizeof header);
  header.checksum = graphs_sections_checksum(&s, &header, offsetof(plonk_file_header, checksum));
  return graphs_sections_write(&s, &header, sizeof header, path, err);
}
