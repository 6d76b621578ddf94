/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Writing a prerecorded key.
 */
#include "prerecorded.h"

#include "formats/fail.h"
#include "prerecorded_format.h"

#include <stdlib.h>

uint64_t g16_file_section_bytes(const g16_family *family, const g16_file_header *header, g16_file_id id) {
  uint64_t scalars = header->n_vars + G16_BLINDING, g1 = g16_g1_bytes(family), g2 = g16_g2_bytes(family);
  const bool gnark = header->version == G16_FILE_VERSION_GNARK;
  switch (id) {
  case G16_FILE_VK: return g1 + 3 * g2;
  case G16_FILE_IC: return (header->n_public + 1 + header->n_commitments) * g1;
  case G16_FILE_COMMITMENT_KEYS: return header->n_commitments * sizeof(g16_commitment_key);
  case G16_FILE_COMMITTED: return header->n_committed * sizeof(uint64_t);
  case G16_FILE_A_ROWS:
  case G16_FILE_B_ROWS: return gnark ? 0 : (header->domain + 1) * sizeof(uint32_t);
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

/* `wires` has room for the challenge and the wires of each commitment. */
static void add_commitments(const rp_groth16_key *key, uint32_t *wires, graphs_sections *s) {
  const uint64_t g1 = g16_g1_bytes(key->family);
  for (uint32_t i = 0; i < key->info.n_commitments; i++) {
    const g16_key_commitment *c = &key->commitment[i];
    wires[0] = c->challenge;
    memcpy(wires + 1, c->wires, c->n * sizeof *wires);
    graphs_sections_add(s, wires, (c->n + 1) * sizeof *wires);
    graphs_sections_add(s, c->basis, c->n * g1);
    graphs_sections_add(s, c->basis_sigma, c->n * g1);
    wires += c->n + 1;
  }
}

static g16_file_header header_of(const rp_groth16_key *key) {
  const g16_vkey *vk = &key->vk;
  g16_file_header header = {.magic = G16_FILE_MAGIC, /* without its NUL */
                            .version = key->info.gnark ? G16_FILE_VERSION_GNARK : G16_FILE_VERSION,
                            .endian = G16_FILE_ENDIAN,
                            .curve = (uint32_t)key->family->g1,
                            .n_vars = key->info.n_vars,
                            .n_public = key->info.n_public,
                            .domain = key->info.domain,
                            .n_coefficients = key->info.n_coefficients,
                            .nnz = {key->a.nnz, key->b.nnz},
                            .points_checked = (uint32_t)atomic_load(&key->points_checked),
                            .root = (uint32_t)key->root,
                            .n_commitments = key->info.n_commitments};
  memcpy(header.infinities, key->info.infinities, sizeof header.infinities);
  memcpy(header.shift, key->shift, sizeof header.shift);
  for (uint32_t i = 0; i < header.n_commitments; i++)
    if (vk->commitment[i].first + vk->commitment[i].n > header.n_committed)
      header.n_committed = vk->commitment[i].first + vk->commitment[i].n;
  return header;
}

rp_status g16_key_save(const rp_groth16_key *key, const char *path, rp_error *err) {
  uint8_t vk[96 + 3 * 192];
  const void *data[G16_FILE_SECTIONS_MOST];
  graphs_section table[G16_FILE_SECTIONS_MOST];
  graphs_sections s = {.data = data, .table = table};
  g16_file_header header = header_of(key);
  uint64_t n_wires = 0;
  for (uint32_t i = 0; i < header.n_commitments; i++) n_wires += key->commitment[i].n + 1;
  uint32_t *wires = malloc((n_wires + 1) * sizeof *wires);
  if (!wires) return support_fail(err, RP_ERR_MEMORY, "Out of memory to save a key.");
  pack_vk(key, vk);
  const void *const fixed[G16_FILE_COMMITMENTS] = {
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
      key->vk.commitment,
      key->vk.committed,
  };
  const uint32_t n = key->info.gnark ? G16_FILE_COMMITMENTS : G16_FILE_SECTIONS;
  for (uint32_t i = 0; i < n; i++)
    graphs_sections_add(&s, fixed[i], g16_file_section_bytes(key->family, &header, (g16_file_id)i));
  add_commitments(key, wires, &s);
  header.n_sections = s.n;
  header.file_bytes = graphs_sections_place(&s, sizeof header);
  header.checksum = graphs_sections_checksum(&s, &header, offsetof(g16_file_header, checksum));
  const rp_status status = graphs_sections_write(&s, &header, sizeof header, path, err);
  free(wires);
  return status;
}
