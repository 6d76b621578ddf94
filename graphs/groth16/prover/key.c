/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a proving key owns, whatever file it came from.
 */
#include "key.h"

#include "formats/memory.h"

rp_groth16_key *g16_key_new(void) {
  rp_groth16_key *key = calloc(1, sizeof *key);
  if (!key) return NULL;
  atomic_init(&key->refs, 1);
  return key;
}

rp_groth16_key *g16_key_ref(rp_groth16_key *key) {
  atomic_fetch_add_explicit(&key->refs, 1, memory_order_relaxed);
  return key;
}

void *g16_key_alloc(rp_groth16_key *key, uint64_t bytes) {
  if (key->n_parts == G16_MAX_PARTS) return NULL;
  if (bytes == 0) bytes = 1;
  void *memory = g16_alloc(NULL, &bytes);
  if (!memory) return NULL;
  key->part[key->n_parts].memory = memory;
  key->part[key->n_parts++].bytes = bytes;
  return memory;
}

void rp_groth16_key_close(rp_groth16_key *key) {
  if (!key || atomic_fetch_sub_explicit(&key->refs, 1, memory_order_acq_rel) != 1) return;
  support_file_close(key->source);
  support_file_close(key->file);
  if (!key->file) {
    g16_csr_free(&key->a, NULL);
    g16_csr_free(&key->b, NULL);
    g16_vkey_free(&key->vk);
  }
  for (int v = 0; v < G16_VECTORS; v++) support_range_unmap(&key->mapped[v]);
  for (uint32_t i = 0; i < key->n_parts; i++) g16_free(NULL, key->part[i].memory, key->part[i].bytes);
  free(key);
}

void rp_groth16_key_get_info(const rp_groth16_key *key, rp_groth16_key_info *info) {
  rp_groth16_key_info now = {.struct_size = sizeof now};
  if (!info) return;
  if (key) {
    now = key->info;
    now.forgeable = key->vk.ic && g16_vkey_is_forgeable(&key->vk);
    now.points_checked = (uint32_t)atomic_load(&key->points_checked);
  }
  rp_info_write(info, &now, sizeof now);
}
