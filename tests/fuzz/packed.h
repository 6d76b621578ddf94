/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A recorded file without the zeros between its sections, as in the seeds of fuzz_recorded: header, table, then the
 * contents of the sections one after another. This makes a mutation more likely to change something that matters.
 */
#ifndef REPRISE_TESTS_PACKED_H
#define REPRISE_TESTS_PACKED_H

#include "groth16/prover/prerecorded_format.h"

#include <stdlib.h>
#include <string.h>

enum { PACKED_HEAD = sizeof(g16_file_header) + G16_FILE_SECTIONS * sizeof(g16_file_section), PACKED_MOST = 1 << 18 };

/* Packs a file in place and returns the new length. The file must be a good one. */
static inline size_t pack_recorded(uint8_t *data) {
  g16_file_section table[G16_FILE_SECTIONS];
  memcpy(table, data + sizeof(g16_file_header), sizeof table);
  size_t at = PACKED_HEAD;
  for (int i = 0; i < G16_FILE_SECTIONS; i++) {
    memmove(data + at, data + table[i].offset, table[i].size_bytes);
    at += table[i].size_bytes;
  }
  return at;
}

/* The file that header and table describe, whether they are valid or not: sections that would lie outside are left out,
 * and missing bytes are zero. The result is 64-byte aligned; free with free(). NULL if the input or the file is too
 * short, the file too long, or memory is missing. */
static inline uint8_t *unpack_recorded(const uint8_t *data, size_t size, size_t *bytes) {
  g16_file_header header;
  g16_file_section table[G16_FILE_SECTIONS];
  if (size < PACKED_HEAD) return NULL;
  memcpy(&header, data, sizeof header);
  memcpy(table, data + sizeof header, sizeof table);
  if (header.file_bytes < PACKED_HEAD || header.file_bytes > PACKED_MOST) return NULL;
  uint8_t *file = aligned_alloc(64, (header.file_bytes + 63) & ~(size_t)63);
  if (!file) return NULL;
  *bytes = header.file_bytes;
  memset(file, 0, *bytes);
  size_t at = PACKED_HEAD;
  for (int i = 0; i < G16_FILE_SECTIONS; i++) {
    const size_t n = table[i].size_bytes < size - at ? table[i].size_bytes : size - at;
    if (table[i].offset <= *bytes && n <= *bytes - table[i].offset) memcpy(file + table[i].offset, data + at, n);
    at += n;
  }
  memcpy(file, data, PACKED_HEAD);
  return file;
}

#endif
