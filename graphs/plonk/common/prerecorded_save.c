/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Writing a prerecorded key.
 */
#include "prerecorded.h"

#include "formats/fail.h"
#include "formats/output.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t plonk_file_section_bytes(const plonk_key_kind *kind, uint64_t domain, uint32_t id) {
  switch (id) {
  case PLONK_FILE_VK: return kind->vk_bytes;
  case PLONK_FILE_MAP: return 3 * domain * sizeof(uint32_t);
  case PLONK_FILE_TAU: return (kind->tau_times * domain + kind->tau_more) * sizeof(plonk_g1);
  default: return (domain + kind->coef_more) * sizeof(plonk_fr);
  }
}

typedef struct sections {
  uint32_t n;
  const void *data[PLONK_FILE_SECTIONS_MOST];
  plonk_file_section table[PLONK_FILE_SECTIONS_MOST];
} sections;

static void add(sections *s, const void *data, uint64_t bytes) {
  s->data[s->n] = data;
  s->table[s->n] = (plonk_file_section){.id = s->n, .size_bytes = bytes, .checksum = XXH3_64bits(data, bytes)};
  s->n++;
}

static void add_all(const plonk_key_kind *kind, const plonk_key *key, const uint8_t *vk, sections *s) {
  const uint64_t n = key->info.domain;
  add(s, vk, plonk_file_section_bytes(kind, n, PLONK_FILE_VK));
  add(s, key->map, plonk_file_section_bytes(kind, n, PLONK_FILE_MAP));
  add(s, key->tau, plonk_file_section_bytes(kind, n, PLONK_FILE_TAU));
  for (int i = 0; i < PLONK_KEY_POINTS; i++)
    add(s, key->coef[i], plonk_file_section_bytes(kind, n, PLONK_FILE_COEF + (uint32_t)i));
  for (uint32_t i = 0; i < key->additions.n_stages; i++) {
    const plonk_stage *stage = &key->additions.stage[i];
    add(s, stage->row_ptr, (stage->rows + 1) * sizeof *stage->row_ptr);
    add(s, stage->col, stage->entries * sizeof *stage->col);
    add(s, stage->val, stage->entries * sizeof *stage->val);
  }
}

/* Sets the offsets of the sections; returns the length of the file. */
static uint64_t place(sections *s) {
  uint64_t at = sizeof(plonk_file_header) + s->n * sizeof *s->table;
  for (uint32_t i = 0; i < s->n; i++) {
    s->table[i].offset = (at + PLONK_FILE_ALIGN - 1) & ~(uint64_t)(PLONK_FILE_ALIGN - 1);
    at = s->table[i].offset + s->table[i].size_bytes;
  }
  return at;
}

static rp_status write_file(const plonk_file_header *header, const sections *s, const char *path, rp_error *err) {
  static const uint8_t padding[PLONK_FILE_ALIGN];
  g16_output *output;
  rp_status status = g16_output_begin(path, &output, err);
  if (status != RP_OK) return status;
  status = g16_output_write(output, header, sizeof *header, err);
  if (status == RP_OK) status = g16_output_write(output, s->table, s->n * sizeof *s->table, err);
  uint64_t at = sizeof *header + s->n * sizeof *s->table;
  for (uint32_t i = 0; i < s->n && status == RP_OK; i++) {
    status = g16_output_write(output, padding, s->table[i].offset - at, err);
    if (status == RP_OK) status = g16_output_write(output, s->data[i], s->table[i].size_bytes, err);
    at = s->table[i].offset + s->table[i].size_bytes;
  }
  if (status == RP_OK) return g16_output_commit(&output, 1, err);
  g16_output_abort(output);
  return status;
}

rp_status plonk_prerecorded_save(const plonk_key_kind *kind, const plonk_key *key, const char *path, rp_error *err) {
  uint8_t vk[PLONK_FILE_VK_MOST] = {0};
  sections s = {.n = 0};
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
  header.file_bytes = place(&s);
  header.checksum =
      XXH3_64bits_withSeed(s.table, s.n * sizeof *s.table, XXH3_64bits(&header, offsetof(plonk_file_header, checksum)));
  return write_file(&header, &s, path, err);
}
