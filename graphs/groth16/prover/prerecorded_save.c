/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Writing a prerecorded key.
 */
#include "prerecorded.h"

#include "formats/fail.h"
#include "graph.h"
#include "prerecorded_format.h"
#include "saved/addition.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t g16_file_array_bytes(const g16_family *family, const g16_file_header *header, g16_file_id id) {
  uint64_t scalars = header->n_vars + G16_BLINDING, g1 = g16_g1_bytes(family), g2 = g16_g2_bytes(family);
  switch (id) {
  case G16_FILE_VK: return g1 + 3 * g2;
  case G16_FILE_IC: return (header->n_public + 1 + header->n_commitments) * g1;
  case G16_FILE_COMMITMENT_KEYS: return header->n_commitments * sizeof(g16_commitment_key);
  case G16_FILE_COMMITTED: return header->n_committed * sizeof(uint64_t);
  case G16_FILE_CHALLENGES: return header->n_commitments * sizeof(uint32_t);
  case G16_FILE_A_ROWS:
  case G16_FILE_B_ROWS: return header->gnark ? 0 : (header->domain + 1) * sizeof(uint32_t);
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

static g16_file_header header_of(const rp_groth16_key *key, uint32_t n_contents) {
  const g16_vkey *vk = &key->vk;
  g16_file_header header = {.version = G16_FILE_VERSION,
                            .endian = G16_FILE_ENDIAN,
                            .curve = (uint32_t)key->family->g1,
                            .gnark = key->info.gnark,
                            .n_vars = key->info.n_vars,
                            .n_public = key->info.n_public,
                            .domain = key->info.domain,
                            .n_coefficients = key->info.n_coefficients,
                            .nnz = {key->a.nnz, key->b.nnz},
                            .points_checked = (uint32_t)atomic_load(&key->points_checked),
                            .root = (uint32_t)key->root,
                            .n_commitments = key->info.n_commitments,
                            .n_contents = n_contents};
  memcpy(header.infinities, key->info.infinities, sizeof header.infinities);
  memcpy(header.shift, key->shift, sizeof header.shift);
  for (uint32_t i = 0; i < header.n_commitments; i++)
    if (vk->commitment[i].first + vk->commitment[i].n > header.n_committed)
      header.n_committed = vk->commitment[i].first + vk->commitment[i].n;
  return header;
}

/* What is written besides the graph. */
typedef struct parts {
  g16_file_arrays arrays;
  uint8_t vk[96 + 3 * 192];
  uint32_t challenge[RP_GNARK_MAX_COMMITMENTS];
} parts;

static void set_arrays(const rp_groth16_key *key, parts *p) {
  g16_file_arrays *a = &p->arrays;
  const void *const fixed[G16_FILE_COMMITMENTS] = {
      p->vk,
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
      p->challenge,
  };
  pack_vk(key, p->vk);
  a->n = G16_FILE_COMMITMENTS + 3 * key->info.n_commitments;
  for (uint32_t i = 0; i < G16_FILE_COMMITMENTS; i++) {
    a->at[i] = fixed[i];
    a->table[i].size_bytes = g16_file_array_bytes(key->family, &a->header, (g16_file_id)i);
  }
  for (uint32_t i = 0; i < key->info.n_commitments; i++) {
    const g16_key_commitment *c = &key->commitment[i];
    const uint32_t id = G16_FILE_COMMITMENTS + 3 * i;
    const void *const of_one[3] = {c->wires, c->basis, c->basis_sigma};
    p->challenge[i] = c->challenge;
    for (uint32_t k = 0; k < 3; k++) {
      a->at[id + k] = of_one[k];
      a->table[id + k].size_bytes = c->n * (k ? g16_g1_bytes(key->family) : sizeof *c->wires);
    }
  }
}

/* The section SAVED_KEY. */
static rp_status make_section(const void *user, const rp_graph *graph, const saved_contents *contents,
                              saved_bytes *section, rp_error *err) {
  const rp_groth16_key *key = user;
  parts p = {.arrays.header = header_of(key, contents->n)};
  g16_file_arrays *a = &p.arrays;
  (void)err;
  set_arrays(key, &p);
  saved_put(section, &a->header, sizeof a->header);
  uint64_t end = section->size + a->n * sizeof *a->table + contents->n * sizeof(uint64_t);
  for (uint32_t i = 0; i < a->n; i++) {
    g16_file_array *entry = &a->table[i];
    if (entry->size_bytes) entry->content = saved_contents_at(contents, graph, a->at[i]);
    if (entry->content) continue;
    entry->offset = (end + SAVED_ALIGN - 1) & ~(uint64_t)(SAVED_ALIGN - 1);
    end = entry->offset + entry->size_bytes;
  }
  saved_put(section, a->table, a->n * sizeof *a->table);
  for (uint32_t i = 0; i < contents->n; i++) {
    const uint64_t sum = XXH3_64bits(contents->items[i].data, (size_t)contents->items[i].size_bytes);
    saved_put(section, &sum, sizeof sum);
  }
  for (uint32_t i = 0; i < a->n && !section->failed; i++) {
    if (a->table[i].content) continue;
    saved_room(section, a->table[i].offset - section->size);
    saved_put(section, a->at[i], a->table[i].size_bytes);
  }
  return RP_OK;
}

rp_status g16_key_save(const rp_groth16_key *key, rp_context *context, const char *path, rp_error *err) {
  g16_graph graph;
  rp_status status = g16_graph_build(key, context, 0, &G16_UNCUT, &graph, err);
  if (status == RP_OK)
    status = saved_graph_save(graph.graph, path, NULL, &(saved_addition){.make = make_section, .user = key}, err);
  rp_graph_destroy(graph.graph);
  return status;
}
