/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opening a prerecorded key: digests and checksums, then all indices and lengths in the file.
 */
#include "prerecorded.h"

#include "formats/fail.h"
#include "threads/parallel.h"
#include "key_check.h"
#include "prerecorded_check.h"
#include "prerecorded_format.h"
#include "prerecorded_gnark.h"
#include "saved/contents.h"

#include <inttypes.h>
#include <stdlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static bool is_old(const support_file *file) {
  char magic[8];
  return support_file_size(file) >= sizeof magic && support_file_read(file, 0, sizeof magic, magic, NULL) == RP_OK &&
         memcmp(magic, G16_OLD_MAGIC, sizeof magic) == 0;
}

bool g16_is_prerecorded(const support_file *file) { return saved_is_graph(file) || is_old(file); }

rp_status g16_prerecorded_kind(const support_file *file, g16_recorded_kind *kind, rp_error *err) {
  saved_section section;
  g16_file_header h;
  *kind = is_old(file) ? G16_RECORDED_ZKEY : G16_RECORDED_NONE;
  rp_status status = saved_find(file, SAVED_KEY, &section, err);
  if (status != RP_OK || section.id != SAVED_KEY) return status;
  *kind = G16_RECORDED_ZKEY;
  const uint64_t size = support_file_size(file);
  if (section.size_bytes < sizeof h || section.offset > size || size - section.offset < sizeof h) return RP_OK;
  status = support_file_read(file, section.offset, sizeof h, &h, err);
  if (status == RP_OK && h.gnark == 1) *kind = G16_RECORDED_GNARK;
  return status;
}

typedef struct loader {
  const support_file *file;
  const char *name;
  saved_container container;
  const uint8_t *key, *data; /* SAVED_KEY, SAVED_DATA */
  saved_content *contents;
  uint32_t n_contents;
  g16_file_arrays arrays;
} loader;

static bool is_gnark(const loader *l) { return l->arrays.header.gnark != 0; }

static rp_status damaged(const loader *l, const char *why, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT, "%s: the recorded key is damaged: %s.", l->name, why);
}

/* ---- The saved graph --------------------------------------------------------------------------------------------- */

static rp_status open_container(loader *l, rp_error *err) {
  rp_error why = {0};
  const rp_status status = saved_open(l->file, SAVED_MAGIC, &l->container, &why);
  if (status == RP_ERR_UNSUPPORTED) /* of a later version */
    return support_fail(err, RP_ERR_FORMAT, "%.400s Record it again.", why.reason);
  if (status != RP_OK) {
    if (err) *err = why;
    return status;
  }
  if (!l->container.key.id)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: is a saved graph without a proving key. A recorded key is made by reprise record.",
                        l->name);
  return RP_OK;
}

/* The digests of all sections but the contents of constants, which have checksums. What describes nodes is not used,
 * but damage is damage. */
static rp_status check_sections(const loader *l, rp_error *err) {
  const saved_container *c = &l->container;
  rp_status status = RP_OK;
  for (uint32_t id = SAVED_STRINGS; id < SAVED_IDS && status == RP_OK; id++) {
    const uint8_t *data;
    if (id != SAVED_DATA && c->present[id]) status = saved_view(c, id, &data, err);
  }
  return status;
}

static rp_status find_contents(loader *l, rp_error *err) {
  const saved_container *c = &l->container;
  const uint8_t *list;
  uint64_t bytes;
  rp_status status = saved_view(c, SAVED_CONSTANTS, &list, err);
  if (status == RP_OK) status = saved_contents_read_list(c, list, &l->contents, &l->n_contents, &bytes, err);
  if (status != RP_OK) return status;
  if (!c->present[SAVED_DATA] || c->size_bytes[SAVED_DATA] != bytes ||
      memcmp(c->digest[SAVED_DATA], c->digest[SAVED_CONSTANTS], SHA256_BYTES) != 0)
    return damaged(l, "the contents of its constants are not those of its list", err);
  l->data = support_file_data(l->file) + c->offset[SAVED_DATA];
  return saved_contents_check_gaps(l->file, l->data, l->contents, 0, l->n_contents, err);
}

/* ---- The section of the key -------------------------------------------------------------------------------------- */

static const uint64_t *checksums(const loader *l) {
  return (const uint64_t *)(l->key + sizeof l->arrays.header + l->arrays.n * sizeof *l->arrays.table);
}

static rp_status read_header(loader *l, rp_error *err) {
  g16_file_arrays *a = &l->arrays;
  g16_file_header *h = &a->header;
  const uint64_t size = l->container.key.size_bytes;
  rp_status status = saved_view(&l->container, SAVED_KEY, &l->key, err);
  if (status != RP_OK) return status;
  if (size < sizeof *h) return damaged(l, "it is cut short", err);
  memcpy(h, l->key, sizeof *h);
  if (h->endian != G16_FILE_ENDIAN)
    return support_fail(err, RP_ERR_FORMAT, "%s: was recorded on a machine of the other byte order.", l->name);
  if (h->version != G16_FILE_VERSION)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: is stale: version %" PRIu32
                        " of the format, this library reads version %d. Record it again.",
                        l->name, h->version, G16_FILE_VERSION);
  if (h->n_commitments > (is_gnark(l) ? RP_GNARK_MAX_COMMITMENTS : 0))
    return damaged(l, "its number of commitments makes no sense", err);
  if (h->n_contents != l->n_contents) return damaged(l, "its number of constants makes no sense", err);
  a->n = G16_FILE_COMMITMENTS + 3 * h->n_commitments;
  const uint64_t table_bytes = a->n * sizeof *a->table;
  if (size - sizeof *h < table_bytes + l->n_contents * sizeof(uint64_t)) return damaged(l, "it is cut short", err);
  memcpy(a->table, l->key + sizeof *h, table_bytes);
  return RP_OK;
}

static rp_status check_sizes(const loader *l, const g16_family *family, rp_error *err) {
  const g16_file_header *h = &l->arrays.header;
  static const uint8_t zeros[sizeof h->reserved];
  if (!family) return damaged(l, "its curve is unknown", err);
  if (h->points_checked > 1 || h->gnark > 1 || memcmp(h->reserved, zeros, sizeof h->reserved) != 0 ||
      (!is_gnark(l) && (h->root != 0 || memcmp(h->shift, zeros, sizeof h->shift) != 0 || h->n_committed != 0)))
    return damaged(l, "there is something in its header that this version does not know", err);
  if (h->n_vars == 0 || h->n_vars > INT32_MAX - G16_BLINDING || h->n_public >= h->n_vars || h->domain < 2 ||
      (h->domain & (h->domain - 1)) != 0 || h->domain >> rp_field_get(family->fr)->two_adicity > 1 ||
      h->nnz[0] > (is_gnark(l) ? 0 : UINT32_MAX) || h->nnz[1] > (is_gnark(l) ? 0 : UINT32_MAX) ||
      h->n_committed > support_file_size(l->file))
    return damaged(l, "its numbers of wires, signals or rows make no sense", err);
  return RP_OK;
}

/* Where array `id` is: a content of the same length, or the next place in the section; *at becomes the end of that. */
static rp_status place_array(loader *l, const g16_family *family, uint32_t id, uint64_t *at, rp_error *err) {
  g16_file_arrays *a = &l->arrays;
  const g16_file_array *entry = &a->table[id];
  const uint64_t size = l->container.key.size_bytes, begin = (*at + SAVED_ALIGN - 1) & ~(uint64_t)(SAVED_ALIGN - 1);
  const uint64_t bytes = id < G16_FILE_COMMITMENTS ? g16_file_array_bytes(family, &a->header, (g16_file_id)id)
                                                   : g16_file_commitment_bytes(family, a->table, id);
  if (entry->size_bytes != bytes || entry->reserved || entry->content > l->n_contents ||
      (entry->content ? entry->offset != 0 || l->contents[entry->content - 1].size_bytes != bytes
                      : entry->offset != begin || begin > size || bytes > size - begin))
    return damaged(l, "an array does not lie where it should", err);
  if (entry->content) {
    a->at[id] = l->data + l->contents[entry->content - 1].offset;
    return RP_OK;
  }
  for (; *at < begin; ++*at)
    if (l->key[*at] != 0) return damaged(l, "there is something between its arrays", err);
  a->at[id] = l->key + begin;
  *at = begin + bytes;
  return RP_OK;
}

static rp_status place_arrays(loader *l, const g16_family *family, rp_error *err) {
  uint64_t at = (uint64_t)((const uint8_t *)(checksums(l) + l->n_contents) - l->key);
  rp_status status = check_sizes(l, family, err);
  for (uint32_t i = 0; i < l->arrays.n && status == RP_OK; i++) status = place_array(l, family, i, &at, err);
  if (status == RP_OK && at != l->container.key.size_bytes)
    status = damaged(l, "there is something behind its last array", err);
  return status;
}

static rp_status check_sums(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const loader *l = arg;
  (void)part;
  for (uint64_t i = first; i < first + n; i++)
    if (XXH3_64bits(l->data + l->contents[i].offset, (size_t)l->contents[i].size_bytes) != checksums(l)[i])
      return damaged(l, "a checksum is wrong", err);
  return RP_OK;
}

/* ---- The key ----------------------------------------------------------------------------------------------------- */

/* The file is only read. */
static void *array(const loader *l, g16_file_id id) { return (void *)(uintptr_t)l->arrays.at[id]; }

static rp_status check_matrix(const loader *l, const g16_csr *csr, uint64_t n_vars, rp_error *err) {
  bool good = csr->row_ptr[0] == 0 && csr->row_ptr[csr->rows] == csr->nnz;
  for (uint64_t i = 0; i < csr->rows; i++) good &= csr->row_ptr[i] <= csr->row_ptr[i + 1];
  for (uint64_t i = 0; i < csr->nnz; i++) good &= csr->col[i] < n_vars;
  return good ? RP_OK : damaged(l, "a matrix points outside itself", err);
}

static void set_matrix(const loader *l, g16_csr *csr, int m) {
  g16_file_id first = m == 0 ? G16_FILE_A_ROWS : G16_FILE_B_ROWS;
  *csr = (g16_csr){.rows = l->arrays.header.domain,
                   .nnz = l->arrays.header.nnz[m],
                   .row_ptr = array(l, first),
                   .col = array(l, (g16_file_id)(first + 1)),
                   .value = array(l, (g16_file_id)(first + 2))};
}

static void set_key(const loader *l, rp_groth16_key *key) {
  const g16_file_header *h = &l->arrays.header;
  const uint8_t *vk = array(l, G16_FILE_VK);
  uint32_t g1 = g16_g1_bytes(key->family), g2 = g16_g2_bytes(key->family);
  g16_key_set_domain(key, (uint32_t)__builtin_ctzll(h->domain));
  key->info = (rp_groth16_key_info){.g1 = key->family->g1,
                                    .g2 = key->family->g2,
                                    .prerecorded = 1,
                                    .n_vars = h->n_vars,
                                    .n_public = h->n_public,
                                    .domain = h->domain,
                                    .n_coefficients = h->n_coefficients,
                                    .file_bytes = support_file_size(l->file)};
  memcpy(key->info.infinities, h->infinities, sizeof h->infinities);
  atomic_init(&key->points_checked, (int)h->points_checked);
  key->vk = (g16_vkey){.family = key->family, .n_public = (uint32_t)h->n_public, .ic = array(l, G16_FILE_IC)};
  memcpy(&key->vk.alpha_1, vk, g1);
  memcpy(&key->vk.beta_2, vk + g1, g2);
  memcpy(&key->vk.gamma_2, vk + g1 + g2, g2);
  memcpy(&key->vk.delta_2, vk + g1 + 2 * g2, g2);
  if (is_gnark(l)) {
    g16_prerecorded_set_gnark(key, &l->arrays);
  } else {
    set_matrix(l, &key->a, 0);
    set_matrix(l, &key->b, 1);
  }
  for (int v = 0; v < G16_VECTORS; v++) key->vector[v] = array(l, (g16_file_id)(G16_FILE_VECTOR_A + v));
  for (int s = 0; s < G16_SUPPORTS; s++) key->support[s] = array(l, (g16_file_id)(G16_FILE_SUPPORT_A + s));
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

static rp_status check_contents(const loader *l, rp_groth16_key *key, bool everything, rp_error *err) {
  rp_status status;
  if (is_gnark(l)) {
    status = g16_prerecorded_check_gnark(l->name, key, l->arrays.header.n_committed, err);
  } else {
    status = check_matrix(l, &key->a, key->info.n_vars, err);
    if (status == RP_OK) status = check_matrix(l, &key->b, key->info.n_vars, err);
  }
  if (status == RP_OK) status = g16_key_check_blinding(l->name, key, err);
  return status == RP_OK && everything ? g16_key_check_reduced(l->name, key, err) : status;
}

static rp_status load(loader *l, rp_groth16_key *key, bool checksum, rp_error *err) {
  rp_status status = open_container(l, err);
  if (status == RP_OK) status = check_sections(l, err);
  if (status == RP_OK) status = find_contents(l, err);
  if (status == RP_OK) status = read_header(l, err);
  if (status != RP_OK) return status;
  key->family = g16_family_by_g1((rp_curve)l->arrays.header.curve);
  status = place_arrays(l, key->family, err);
  if (status == RP_OK && checksum)
    status = support_parallel(NULL, support_parts(NULL, l->n_contents, 1, G16_FILE_ARRAYS_MOST), l->n_contents,
                              check_sums, l, err);
  if (status == RP_OK) set_key(l, key);
  return status;
}

rp_status g16_key_load_prerecorded(rp_groth16_key *key, bool checksum, bool check_points, rp_error *err) {
  loader l = {.file = key->file, .name = support_file_name(key->file)};
  const uint8_t *data = support_file_data(key->file);
  /* The first bytes could not be read when the file was opened. */
  if (!data) return support_fail(err, RP_ERR_FILE, "%s: its first bytes could not be read.", l.name);
  if ((uintptr_t)data % 8 != 0)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: the memory of a recorded key must be 8-byte aligned.", l.name);
  if (is_old(key->file))
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: is stale: a recorded key of before it was a saved graph, which this library does not "
                        "read. Record it again.",
                        l.name);
  rp_status status = load(&l, key, checksum, err);
  if (status == RP_OK) status = check_contents(&l, key, checksum || check_points, err);
  if (status == RP_OK && check_points) status = g16_key_check_points(key, NULL, G16_CURVE_CHOSEN, err);
  if (status == RP_OK) count_supports(key);
  free(l.contents);
  return status;
}
