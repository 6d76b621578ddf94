/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compares a key with a zkey: the arrays are derived from the zkey again, block by block, and compared byte by byte.
 */
#include "key.h"

#include "formats/fail.h"
#include "key_check.h"
#include "key_unread.h"
#include "threads/parallel.h"

#include <stdlib.h>

enum { BLOCK_BYTES = 192 * 1024, GRAIN = 4096, MAX_PARTS = 256 };

static const g16_points_id ids[G16_VECTORS] = {G16_A, G16_B1, G16_B2, G16_C, G16_H};
static const char *const vector_name[G16_VECTORS] = {"A", "B1", "B2", "C", "H"};

typedef struct comparison {
  const rp_groth16_key *key;
  const g16_zkey *zkey;
  const char *name; /* name of the zkey */
  g16_vector v;
  uint64_t offset, count; /* position of the section's points in the vector */
} comparison;

static rp_status differs(const comparison *c, const char *what, rp_error *err) {
  return support_fail(err, RP_ERR_MISMATCH, "%s: the key does not hold what this zkey makes: its %s differs.%s",
                      c->name, what, c->key->info.prerecorded ? " Record it again." : "");
}

/* Adds alpha and beta at wire 0 and puts delta at the blinding scalars, as key.h says. */
static void fold(const comparison *c, uint64_t first, uint64_t n, uint8_t *block) {
  const g16_zkey *zkey = c->zkey;
  const rp_curve_host *curve = rp_curve_get(g16_vector_curve(c->key, c->v));
  const uint64_t s = c->key->info.n_vars, r = s + 1;
  const uint32_t bytes = curve->affine_bytes;
  if (first == 0 && c->v == G16_VEC_A) curve->add(block, block, &zkey->alpha_1);
  if (first == 0 && c->v == G16_VEC_B1) curve->add(block, block, &zkey->beta_1);
  if (first == 0 && c->v == G16_VEC_B2) curve->add(block, block, &zkey->beta_2);
  if (c->v == G16_VEC_A && r >= first && r - first < n) memcpy(block + (r - first) * bytes, &zkey->delta_1, bytes);
  if (c->v == G16_VEC_B2 && s >= first && s - first < n) memcpy(block + (s - first) * bytes, &zkey->delta_2, bytes);
}

static rp_status compare_block(const comparison *c, uint64_t first, uint64_t n, uint8_t *block, rp_error *err) {
  const uint32_t bytes = g16_vector_point_bytes(c->key, c->v);
  const uint64_t begin = first > c->offset ? first : c->offset, last = c->offset + c->count,
                 end = first + n < last ? first + n : last;
  memset(block, 0, n * bytes);
  rp_status status = RP_OK;
  if (begin < end)
    status =
        g16_points_read(c->zkey, ids[c->v], begin - c->offset, end - begin, 0, block + (begin - first) * bytes, err);
  if (status != RP_OK) return status;
  fold(c, first, n, block);
  return memcmp(block, c->key->vector[c->v] + first * bytes, n * bytes) == 0 ? RP_OK
                                                                             : differs(c, vector_name[c->v], err);
}

static rp_status compare_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const comparison *c = arg;
  const uint64_t most = BLOCK_BYTES / g16_vector_point_bytes(c->key, c->v);
  (void)part;
  uint8_t *block = aligned_alloc(64, BLOCK_BYTES);
  rp_status status = block ? RP_OK : support_fail(err, RP_ERR_MEMORY, "Out of memory to compare a key.");
  for (uint64_t done = 0; done < n && status == RP_OK; done += most)
    status = compare_block(c, first + done, n - done < most ? n - done : most, block, err);
  free(block);
  return status;
}

static rp_status compare_vectors(comparison *c, rp_error *err) {
  rp_status status = RP_OK;
  for (int v = 0; v < G16_VECTORS && status == RP_OK; v++) {
    const uint64_t n = g16_vector_len(c->key, (g16_vector)v);
    c->v = (g16_vector)v;
    c->offset = v == G16_VEC_C ? c->key->info.n_public + 1 : 0;
    c->count = g16_points_count(c->zkey, ids[v]);
    status = support_parallel(NULL, support_parts(NULL, n, GRAIN, MAX_PARTS), n, compare_range, c, err);
  }
  return status;
}

static bool same_matrix(const rp_groth16_key *key, const g16_csr *a, const g16_csr *b) {
  return a->rows == b->rows && a->nnz == b->nnz &&
         memcmp(a->row_ptr, b->row_ptr, (a->rows + 1) * sizeof *a->row_ptr) == 0 &&
         (a->nnz == 0 || (memcmp(a->col, b->col, a->nnz * sizeof *a->col) == 0 &&
                          memcmp(a->value, b->value, a->nnz * key->family->fr_bytes) == 0));
}

static rp_status compare_matrices(const comparison *c, rp_error *err) {
  g16_csr a, b;
  rp_status status = g16_csr_load(c->zkey, NULL, &a, &b, err);
  if (status != RP_OK) return status;
  if (!same_matrix(c->key, &a, &c->key->a) || !same_matrix(c->key, &b, &c->key->b))
    status = differs(c, "matrices", err);
  g16_csr_free(&a, NULL);
  g16_csr_free(&b, NULL);
  return status;
}

static rp_status compare_verification_part(const comparison *c, rp_error *err) {
  const g16_vkey *ours = &c->key->vk;
  const uint32_t g1 = g16_g1_bytes(ours->family), g2 = g16_g2_bytes(ours->family);
  g16_vkey vk;
  rp_status status = g16_vkey_from_zkey(c->zkey, &vk, err);
  if (status != RP_OK) return status;
  if (memcmp(&vk.alpha_1, &ours->alpha_1, g1) != 0 || memcmp(&vk.beta_2, &ours->beta_2, g2) != 0 ||
      memcmp(&vk.gamma_2, &ours->gamma_2, g2) != 0 || memcmp(&vk.delta_2, &ours->delta_2, g2) != 0 ||
      memcmp(vk.ic, ours->ic, ((uint64_t)vk.n_public + 1) * g1) != 0)
    status = differs(c, "verification part", err);
  g16_vkey_free(&vk);
  return status;
}

static rp_status compare_shape(const comparison *c, rp_error *err) {
  const rp_groth16_key_info *info = &c->key->info;
  const g16_zkey *zkey = c->zkey;
  return zkey->family == c->key->family && zkey->n_vars == info->n_vars && zkey->n_public == info->n_public &&
                 zkey->domain_size == info->domain && zkey->n_coefs == info->n_coefficients
             ? RP_OK
             : differs(c, "circuit", err);
}

static rp_status compare(const rp_groth16_key *key, const support_file *file, rp_error *err) {
  g16_zkey zkey;
  rp_status status = g16_zkey_open(file, &zkey, err);
  if (status != RP_OK) return status;
  comparison c = {.key = key, .zkey = &zkey, .name = support_file_name(file)};
  status = compare_shape(&c, err);
  if (status == RP_OK) status = compare_verification_part(&c, err);
  if (status == RP_OK) status = compare_matrices(&c, err);
  if (status == RP_OK) status = compare_vectors(&c, err);
  if (status == RP_OK && g16_key_check_supports(c.name, key, NULL) != RP_OK) status = differs(&c, "support", err);
  return status;
}

rp_status rp_groth16_key_matches(const rp_groth16_key *key, const char *zkey_path, rp_error *err) {
  if (!key || !zkey_path)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_matches: key or zkey_path is NULL.");
  if (key->info.gnark)
    return support_fail(err, RP_ERR_MISMATCH, "%s is a key of gnark, and no zkey makes it.",
                        support_label(g16_key_name(key)));
  support_file *file;
  rp_status status = g16_unread_refuse(key, "compare it", err);
  if (status == RP_OK) status = support_file_open(zkey_path, 0, &file, err);
  if (status != RP_OK) return status;
  support_file_read_ahead(file, 1);
  status = compare(key, file, err);
  support_file_close(file);
  return status;
}
