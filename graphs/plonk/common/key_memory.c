/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory of proving keys, and closing them.
 */
#include "key.h"

#include "formats/memory.h"

#include <stdlib.h>

plonk_key *plonk_key_ref(plonk_key *key) {
  atomic_fetch_add_explicit(&key->refs, 1, memory_order_relaxed);
  return key;
}

void *plonk_key_alloc(plonk_key *key, uint64_t bytes) {
  if (key->n_parts == PLONK_KEY_PARTS) return NULL;
  void *memory = g16_alloc(NULL, &bytes);
  if (!memory) return NULL;
  key->part[key->n_parts].memory = memory;
  key->part[key->n_parts++].bytes = bytes;
  return memory;
}

void plonk_key_close(plonk_key *key) {
  if (!key || atomic_fetch_sub_explicit(&key->refs, 1, memory_order_acq_rel) != 1) return;
  support_file_close(key->source);
  if (!key->info.prerecorded) plonk_additions_free(&key->additions);
  for (uint32_t i = 0; i < key->n_parts; i++) g16_free(NULL, key->part[i].memory, key->part[i].bytes);
  free(key);
}
