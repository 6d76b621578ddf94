/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark_proof.h"

#include "formats/fail.h"

#include <inttypes.h>
#include <stdlib.h>

enum { INDEX_BYTES = 8, MOST_COMMITTED = 1 << 20 };

static rp_status no_memory(const g16_gnark_reader *r) {
  return support_fail(r->err, RP_ERR_MEMORY, "%s: out of memory for a verifying key.", support_file_name(r->file));
}

/* Reads what the challenges hash besides the commitments: lists of indices into K, whose bounds depend on data after
 * them, so that check_committed checks them. */
static void take_committed(g16_gnark_reader *r, g16_vkey *vkey, uint32_t n_lists) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < n_lists && r->status == RP_OK; i++) {
    const uint64_t n = g16_gnark_count(r, "indices of a commitment's public values", INDEX_BYTES);
    if (n > MOST_COMMITTED)
      g16_gnark_wrong(r, "a commitment hashes %" PRIu64 " public values, at most %d are read", n, MOST_COMMITTED);
    if (r->skimming || r->status != RP_OK) {
      g16_gnark_skip(r, n * INDEX_BYTES);
      continue;
    }
    vkey->commitment[i].first = total;
    vkey->commitment[i].n = n;
    uint64_t *grown = realloc(vkey->committed, (size_t)(total + n + 1) * sizeof *grown);
    if (!grown) {
      r->status = no_memory(r);
      return;
    }
    vkey->committed = grown;
    for (uint64_t k = 0; k < n; k++) grown[total++] = g16_gnark_u64(r, "an index of a commitment's public values");
  }
}

/* An index must be that of a public signal, or of the challenge of an earlier commitment. */
static void check_committed(g16_gnark_reader *r, const g16_vkey *vkey) {
  for (uint32_t i = 0; i < vkey->n_commitments; i++)
    for (uint64_t k = 0; k < vkey->commitment[i].n; k++) {
      const uint64_t index = vkey->committed[vkey->commitment[i].first + k], most = (uint64_t)vkey->n_public + i;
      if (index == 0 || index > most)
        g16_gnark_wrong(
            r, "commitment %" PRIu32 " hashes value %" PRIu64 " of K, and only 1 to %" PRIu64 " are known before it", i,
            index, most);
    }
}

static void take_keys(g16_gnark_reader *r, g16_vkey *vkey, uint32_t n) {
  g16_g2 g = {{0}}, g_sigma_neg = {{0}};
  for (uint32_t i = 0; i < n && r->status == RP_OK; i++) {
    g16_gnark_key_point(r, "G of a commitment key", 1, &g);
    g16_gnark_key_point(r, "-sigma G of a commitment key", 1, &g_sigma_neg);
    if (r->skimming || r->status != RP_OK) continue;
    vkey->commitment[i].g = g;
    vkey->commitment[i].g_sigma_neg = g_sigma_neg;
    if (memcmp(&g, &vkey->commitment[0].g, g16_g2_bytes(r->family)) != 0)
      g16_gnark_wrong(r, "commitment keys 0 and %" PRIu32 " have different points G", i);
  }
}

static void walk(g16_gnark_reader *r, g16_vkey *vkey) {
  g16_g1 beta_1, delta_1;
  uint64_t n_k;
  g16_gnark_key_point(r, "alpha in G1", 0, &vkey->alpha_1);
  g16_gnark_key_point(r, "beta in G1", 0, &beta_1);
  g16_gnark_key_point(r, "beta in G2", 1, &vkey->beta_2);
  g16_gnark_key_point(r, "gamma in G2", 1, &vkey->gamma_2);
  g16_gnark_key_point(r, "delta in G1", 0, &delta_1);
  g16_gnark_key_point(r, "delta in G2", 1, &vkey->delta_2);
  vkey->ic = g16_gnark_points(r, "K", 0, &n_k);
  const uint32_t n_lists = g16_gnark_u32(r, "the number of commitments");
  if (n_lists > RP_GNARK_MAX_COMMITMENTS)
    g16_gnark_wrong(r, "has %" PRIu32 " commitments, at most %d are read", n_lists, RP_GNARK_MAX_COMMITMENTS);
  else if (r->status == RP_OK && n_k < (uint64_t)n_lists + 1)
    g16_gnark_wrong(r, "K has %" PRIu64 " points, too few for the constant and %" PRIu32 " commitments", n_k, n_lists);
  if (r->status == RP_OK && !r->skimming && n_lists && !(vkey->commitment = calloc(n_lists, sizeof *vkey->commitment)))
    r->status = no_memory(r);
  take_committed(r, vkey, n_lists);
  const uint32_t n_keys = g16_gnark_u32(r, "the number of commitment keys");
  if (r->status == RP_OK && n_keys != n_lists)
    g16_gnark_wrong(r, "has %" PRIu32 " commitment keys for %" PRIu32 " commitments", n_keys, n_lists);
  take_keys(r, vkey, n_keys);
  g16_gnark_end(r);
  if (r->status != RP_OK || r->skimming) return;
  vkey->n_commitments = n_lists;
  vkey->n_public = (uint32_t)(n_k - 1 - n_lists);
  check_committed(r, vkey);
}

void g16_gnark_walk_vkey(g16_gnark_reader *r) {
  g16_vkey nothing = {0};
  walk(r, &nothing);
}

rp_status g16_gnark_vkey_read(const support_file *file, g16_vkey *vkey, rp_error *err) {
  bool fits;
  const g16_family *family = g16_gnark_family(file, g16_gnark_walk_vkey, &fits);
  g16_gnark_reader r = {.file = file, .family = family, .form = -1, .err = err};
  *vkey = (g16_vkey){.family = family};
  walk(&r, vkey);
  if (r.status != RP_OK) g16_vkey_free(vkey);
  return r.status;
}
