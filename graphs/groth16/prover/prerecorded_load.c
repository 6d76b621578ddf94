/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opening a prerecorded key: header, checksums, then all indices and lengths in the file.
 */
#include "prerecorded.h"

#include "formats/fail.h"
#include "threads/parallel.h"
#include "key_check.h"
#include "prerecorded_check.h"
#include "prerecorded_format.h"
#include "prerecorded_gnark.h"

#include <inttypes.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

bool g16_is_prerecorded(const support_file *file) {
  char magic[8];
  return support_file_size(file) >= sizeof magic && support_file_read(file, 0, sizeof magic, magic, NULL) == RP_OK &&
         memcmp(magic, G16_FILE_MAGIC, sizeof magic) == 0;
}

bool g16_prerecorded_is_gnark(const support_file *file) {
  g16_file_header h;
  return g16_is_prerecorded(file) && support_file_size(file) >= sizeof h &&
         support_file_read(file, 0, sizeof h, &h, NULL) == RP_OK && h.version == G16_FILE_VERSION_GNARK;
}

typedef struct loader {
  const support_file *file;
  const char *name;
  const uint8_t *data;
  g16_file_header header;
  graphs_section table[G16_FILE_SECTIONS_MOST];
} loader;

static bool is_gnark(const loader *l) { return l->header.version == G16_FILE_VERSION_GNARK; }

static rp_status damaged(const loader *l, const char *why, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT, "%s: the recorded key is damaged: %s.", l->name, why);
}

static rp_status read_header(loader *l, rp_error *err) {
  g16_file_header *h = &l->header;
  uint64_t size = support_file_size(l->file);
  if (size < sizeof *h) return damaged(l, "it is cut short", err);
  memcpy(h, l->data, sizeof *h);
  if (h->endian != G16_FILE_ENDIAN)
    return support_fail(err, RP_ERR_FORMAT, "%s: was recorded on a machine of the other byte order.", l->name);
  if (h->version != G16_FILE_VERSION && !is_gnark(l))
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: is stale: version %" PRIu32
                        " of the format, this library reads versions %d and %d. Record it again.",
                        l->name, h->version, G16_FILE_VERSION, G16_FILE_VERSION_GNARK);
  if (h->n_commitments > (is_gnark(l) ? RP_GNARK_MAX_COMMITMENTS : 0))
    return damaged(l, "its number of commitments makes no sense", err);
  const uint32_t n = is_gnark(l) ? G16_FILE_COMMITMENTS + 3 * h->n_commitments : G16_FILE_SECTIONS;
  const uint64_t table_bytes = n * sizeof *l->table;
  if (size < sizeof *h + table_bytes) return damaged(l, "it is cut short", err);
  memcpy(l->table, l->data + sizeof *h, table_bytes);
  uint64_t checksum = XXH3_64bits_withSeed(l->table, table_bytes, XXH3_64bits(h, offsetof(g16_file_header, checksum)));
  if (checksum != h->checksum || h->n_sections != n) return damaged(l, "the checksum of its header is wrong", err);
  if (h->file_bytes != size) return damaged(l, "its length is not the one that it was written with", err);
  return RP_OK;
}

static rp_status check_shape(const loader *l, const g16_family *family, rp_error *err) {
  const g16_file_header *h = &l->header;
  static const uint8_t zeros[sizeof h->shift];
  if (!family) return damaged(l, "its curve is unknown", err);
  if (h->points_checked > 1 || memcmp(h->reserved, zeros, sizeof h->reserved) != 0 ||
      (!is_gnark(l) && (h->root != 0 || memcmp(h->shift, zeros, sizeof h->shift) != 0 || h->n_committed != 0)))
    return damaged(l, "there is something in its header that this version does not know", err);
  if (h->n_vars == 0 || h->n_vars > INT32_MAX - G16_BLINDING || h->n_public >= h->n_vars || h->domain < 2 ||
      (h->domain & (h->domain - 1)) != 0 || h->domain >> rp_field_get(family->fr)->two_adicity > 1 ||
      h->nnz[0] > (is_gnark(l) ? 0 : UINT32_MAX) || h->nnz[1] > (is_gnark(l) ? 0 : UINT32_MAX) ||
      h->n_committed > h->file_bytes)
    return damaged(l, "its numbers of wires, signals or rows make no sense", err);
  uint64_t at = sizeof *h + h->n_sections * sizeof *l->table;
  for (uint32_t i = 0; i < h->n_sections; i++) {
    const graphs_section *s = &l->table[i];
    uint64_t begin = (at + GRAPHS_SECTION_ALIGN - 1) & ~(uint64_t)(GRAPHS_SECTION_ALIGN - 1);
    uint64_t bytes = i < G16_FILE_COMMITMENTS ? g16_file_section_bytes(family, h, (g16_file_id)i)
                                              : g16_file_commitment_bytes(family, l->table, i);
    if (s->id != i || s->reserved != 0 || s->offset != begin || s->size_bytes != bytes || begin > h->file_bytes ||
        bytes > h->file_bytes - begin)
      return damaged(l, "a section does not lie where it should", err);
    for (; at < begin; at++)
      if (l->data[at] != 0) return damaged(l, "there is something between its sections", err);
    at = begin + bytes;
  }
  return at == h->file_bytes ? RP_OK : damaged(l, "there is something behind its last section", err);
}

static rp_status check_sums(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const loader *l = arg;
  (void)part;
  for (uint64_t i = first; i < first + n; i++)
    if (XXH3_64bits(l->data + l->table[i].offset, l->table[i].size_bytes) != l->table[i].checksum)
      return damaged(l, "a checksum is wrong", err);
  return RP_OK;
}

/* The arrays lie at multiples of 4 KiB; the file is only read. */
static void *section(const loader *l, g16_file_id id) { return (void *)(uintptr_t)(l->data + l->table[id].offset); }

static rp_status check_matrix(const loader *l, const g16_csr *csr, uint64_t n_vars, rp_error *err) {
  bool good = csr->row_ptr[0] == 0 && csr->row_ptr[csr->rows] == csr->nnz;
  for (uint64_t i = 0; i < csr->rows; i++) good &= csr->row_ptr[i] <= csr->row_ptr[i + 1];
  for (uint64_t i = 0; i < csr->nnz; i++) good &= csr->col[i] < n_vars;
  return good ? RP_OK : damaged(l, "a matrix points outside itself", err);
}

static void set_matrix(const loader *l, g16_csr *csr, int m) {
  g16_file_id first = m == 0 ? G16_FILE_A_ROWS : G16_FILE_B_ROWS;
  *csr = (g16_csr){.rows = l->header.domain,
                   .nnz = l->header.nnz[m],
                   .row_ptr = section(l, first),
                   .col = section(l, (g16_file_id)(first + 1)),
                   .value = section(l, (g16_file_id)(first + 2))};
}

static void set_key(const loader *l, rp_groth16_key *key) {
  const g16_file_header *h = &l->header;
  const uint8_t *vk = section(l, G16_FILE_VK);
  uint32_t g1 = g16_g1_bytes(key->family), g2 = g16_g2_bytes(key->family);
  g16_key_set_domain(key, (uint32_t)__builtin_ctzll(h->domain));
  key->info = (rp_groth16_key_info){.g1 = key->family->g1,
                                    .g2 = key->family->g2,
                                    .prerecorded = 1,
                                    .n_vars = h->n_vars,
                                    .n_public = h->n_public,
                                    .domain = h->domain,
                                    .n_coefficients = h->n_coefficients,
                                    .file_bytes = h->file_bytes};
  memcpy(key->info.infinities, h->infinities, sizeof h->infinities);
  atomic_init(&key->points_checked, (int)h->points_checked);
  key->vk = (g16_vkey){.family = key->family, .n_public = (uint32_t)h->n_public, .ic = section(l, G16_FILE_IC)};
  memcpy(&key->vk.alpha_1, vk, g1);
  memcpy(&key->vk.beta_2, vk + g1, g2);
  memcpy(&key->vk.gamma_2, vk + g1 + g2, g2);
  memcpy(&key->vk.delta_2, vk + g1 + 2 * g2, g2);
  if (is_gnark(l)) {
    g16_prerecorded_set_gnark(key, h, l->table, l->data);
  } else {
    set_matrix(l, &key->a, 0);
    set_matrix(l, &key->b, 1);
  }
  for (int v = 0; v < G16_VECTORS; v++) key->vector[v] = section(l, (g16_file_id)(G16_FILE_VECTOR_A + v));
  for (int s = 0; s < G16_SUPPORTS; s++) key->support[s] = section(l, (g16_file_id)(G16_FILE_SUPPORT_A + s));
}

/* Except at the entries that prerecorded_check.h names, any bits of a support are safe: a point that does not exist is
 * at infinity, and one that is left out makes a wrong proof, which does not verify. */
static void count_supports(rp_groth16_key *key) {
  const uint64_t words = g16_support_words(key);
  for (int s = 0; s < G16_SUPPORTS; s++) {
    key->supported[s] = 0;
    for (uint64_t w = 0; w < words; w++) key->supported[s] += (uint64_t)__builtin_popcount(key->support[s][w]);
  }
}

rp_status g16_key_load_prerecorded(rp_groth16_key *key, bool checksum, bool check_points_too, rp_error *err) {
  loader l = {.file = key->file, .name = support_file_name(key->file), .data = support_file_data(key->file)};
  /* The first bytes could not be read when the file was opened. */
  if (!l.data) return support_fail(err, RP_ERR_FILE, "%s: its first bytes could not be read.", l.name);
  if ((uintptr_t)l.data % 8 != 0)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: the memory of a recorded key must be 8-byte aligned.", l.name);
  rp_status status = read_header(&l, err);
  if (status != RP_OK) return status;
  key->family = g16_family_by_g1((rp_curve)l.header.curve);
  status = check_shape(&l, key->family, err);
  if (status == RP_OK && checksum)
    status = support_parallel(NULL, support_parts(NULL, l.header.n_sections, 1, G16_FILE_SECTIONS_MOST),
                              l.header.n_sections, check_sums, &l, err);
  if (status != RP_OK) return status;
  set_key(&l, key);
  if (is_gnark(&l)) {
    status = g16_prerecorded_check_gnark(l.name, key, l.header.n_committed, err);
  } else {
    status = check_matrix(&l, &key->a, key->info.n_vars, err);
    if (status == RP_OK) status = check_matrix(&l, &key->b, key->info.n_vars, err);
  }
  if (status == RP_OK) status = g16_key_check_blinding(l.name, key, err);
  if (status == RP_OK && (checksum || check_points_too)) status = g16_key_check_reduced(l.name, key, err);
  if (status == RP_OK && check_points_too) status = g16_key_check_points(key, NULL, G16_CURVE_CHOSEN, err);
  count_supports(key);
  return status;
}
