/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Writing a prerecorded key.
 */
#include "prerecorded.h"

#include "formats/fail.h"
#include "formats/output.h"
#include "prerecorded_format.h"

#include <inttypes.h>
#include <stdlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t g16_file_section_bytes(const g16_family *family, const g16_file_header *header, g16_file_id id) {
  uint64_t scalars = header->n_vars + G16_BLINDING, g1 = g16_g1_bytes(family), g2 = g16_g2_bytes(family);
  switch (id) {
  case G16_FILE_VK: return g1 + 3 * g2;
  case G16_FILE_IC: return (header->n_public + 1) * g1;
  case G16_FILE_A_ROWS:
  case G16_FILE_B_ROWS: return (header->domain + 1) * sizeof(uint32_t);
  case G16_FILE_A_COLS: return header->nnz[0] * sizeof(uint32_t);
  case G16_FILE_B_COLS: return header->nnz[1] * sizeof(uint32_t);
  case G16_FILE_A_VALUES: return header->nnz[0] * family->fr_bytes;
  case G16_FILE_B_VALUES: return header->nnz[1] * family->fr_bytes;
  case G16_FILE_SUPPORT_A:
  case G16_FILE_SUPPORT_B:
  case G16_FILE_SUPPORT_C: return (scalars + 31) / 32 * sizeof(uint32_t);
  case G16_FILE_VECTOR_B2: return scalars * g2;
  case G16_FILE_VECTOR_H: return header->domain * g1;
  default: return scalars * g1;
  }
}

static void pack_vk(const rp_groth16_key *key, uint8_t *out) {
  uint32_t g1 = g16_g1_bytes(key->family), g2 = g16_g2_bytes(key->family);
  memcpy(out, &key->vk.alpha_1, g1);
  memcpy(out + g1, &key->vk.beta_2, g2);
  memcpy(out + g1 + g2, &key->vk.gamma_2, g2);
  memcpy(out + g1 + 2 * g2, &key->vk.delta_2, g2);
}

static rp_status write_file(const g16_file_header *header, const g16_file_section *table, const void *const *data,
                            const char *path, rp_error *err) {
  static const uint8_t padding[G16_FILE_ALIGN];
  g16_output *output;
  rp_status status = g16_output_begin(path, &output, err);
  if (status != RP_OK) return status;
  status = g16_output_write(output, header, sizeof *header, err);
  if (status == RP_OK) status = g16_output_write(output, table, G16_FILE_SECTIONS * sizeof *table, err);
  uint64_t at = sizeof *header + G16_FILE_SECTIONS * sizeof *table;
  for (int i = 0; i < G16_FILE_SECTIONS && status == RP_OK; i++) {
    status = g16_output_write(output, padding, table[i].offset - at, err);
    if (status == RP_OK && table[i].size_bytes != 0)
      status = g16_output_write(output, data[i], table[i].size_bytes, err);
    at = table[i].offset + table[i].size_bytes;
  }
  if (status == RP_OK) return g16_output_commit(&output, 1, err);
  g16_output_abort(output);
  return status;
}

rp_status g16_key_save(const rp_groth16_key *key, const char *path, rp_error *err) {
  uint8_t vk[96 + 3 * 192];
  pack_vk(key, vk);
  const void *data[G16_FILE_SECTIONS] = {
      vk,
      key->vk.ic,
      key->a.row_ptr,
      key->a.col,
      key->a.value,
      key->b.row_ptr,
      key->b.col,
      key->b.value,
      key->support[G16_SUP_A],
      key->support[G16_SUP_B],
      key->support[G16_SUP_C],
      key->vector[G16_VEC_A],
      key->vector[G16_VEC_B1],
      key->vector[G16_VEC_B2],
      key->vector[G16_VEC_C],
      key->vector[G16_VEC_H],
  };
  g16_file_header header = {.magic = G16_FILE_MAGIC, /* without its NUL */
                            .version = G16_FILE_VERSION,
                            .endian = G16_FILE_ENDIAN,
                            .curve = (uint32_t)key->family->g1,
                            .n_sections = G16_FILE_SECTIONS,
                            .n_vars = key->info.n_vars,
                            .n_public = key->info.n_public,
                            .domain = key->info.domain,
                            .n_coefficients = key->info.n_coefficients,
                            .nnz = {key->a.nnz, key->b.nnz},
                            .points_checked = (uint32_t)atomic_load(&key->points_checked)};
  memcpy(header.infinities, key->info.infinities, sizeof header.infinities);
  g16_file_section table[G16_FILE_SECTIONS] = {0};
  uint64_t at = sizeof header + sizeof table;
  for (uint32_t i = 0; i < G16_FILE_SECTIONS; i++) {
    at = (at + G16_FILE_ALIGN - 1) & ~(uint64_t)(G16_FILE_ALIGN - 1);
    uint64_t bytes = g16_file_section_bytes(key->family, &header, (g16_file_id)i);
    table[i] = (g16_file_section){.id = i, .offset = at, .size_bytes = bytes, .checksum = XXH3_64bits(data[i], bytes)};
    at += bytes;
  }
  header.file_bytes = at;
  header.checksum =
      XXH3_64bits_withSeed(table, sizeof table, XXH3_64bits(&header, offsetof(g16_file_header, checksum)));
  return write_file(&header, table, data, path, err);
}
