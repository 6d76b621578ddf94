/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpk_file.h"

#include "../saved/seal.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LIST_HEAD = 8 };

uint32_t rpk_arrays(const rpk_file *f) {
  const uint32_t n = f->header->n_commitments;
  return G16_FILE_COMMITMENTS + 3 * (n <= RP_GNARK_MAX_COMMITMENTS ? n : 0);
}

rpk_file rpk_open(uint8_t *data, size_t bytes) {
  rpk_file f = {.file = data};
  size_t some;
  f.key = saved_section_of(data, bytes, SAVED_KEY, &f.key_bytes);
  f.data = saved_section_of(data, bytes, SAVED_DATA, &some);
  f.constants = saved_section_of(data, bytes, SAVED_CONSTANTS, &some);
  f.header = (g16_file_header *)f.key;
  f.table = (g16_file_array *)(f.header + 1);
  f.checksums = (uint64_t *)(f.table + rpk_arrays(&f));
  return f;
}

uint8_t *rpk_array(const rpk_file *f, uint32_t id) {
  const g16_file_array *entry = &f->table[id];
  if (!entry->content) return f->key + entry->offset;
  return f->data + g16_u64(f->constants + LIST_HEAD + (entry->content - 1) * SAVED_CONSTANT_BYTES);
}

/* The checksums of contents, as far as there is room for them, and the contents lie in the file. */
static void seal_checksums(uint8_t *data, size_t bytes) {
  size_t key_bytes, listed, held;
  uint8_t *key = saved_section_of(data, bytes, SAVED_KEY, &key_bytes);
  const uint8_t *list = saved_section_of(data, bytes, SAVED_CONSTANTS, &listed),
                *held_at = saved_section_of(data, bytes, SAVED_DATA, &held);
  g16_file_header header;
  if (!key || !list || !held_at || key_bytes < sizeof header) return;
  memcpy(&header, key, sizeof header);
  const rpk_file f = {.header = &header};
  size_t at = sizeof header + rpk_arrays(&f) * sizeof(g16_file_array);
  for (size_t entry = LIST_HEAD; listed >= SAVED_CONSTANT_BYTES && entry <= listed - SAVED_CONSTANT_BYTES;
       entry += SAVED_CONSTANT_BYTES, at += sizeof(uint64_t)) {
    const uint64_t offset = g16_u64(list + entry), n = g16_u64(list + entry + 8);
    if (offset > held || n > held - offset || at > key_bytes || key_bytes - at < sizeof(uint64_t)) continue;
    const uint64_t sum = XXH3_64bits(held_at + offset, (size_t)n);
    memcpy(key + at, &sum, sizeof sum);
  }
}

void rpk_seal(uint8_t *data, size_t bytes) {
  seal_checksums(data, bytes);
  saved_seal(data, bytes);
}
