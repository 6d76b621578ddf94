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

enum { PACKED_LEAST = sizeof(g16_file_header), PACKED_MOST = 1 << 18 };

/* The number of sections, as its version and its number of commitments say. */
static inline uint32_t packed_sections(const uint8_t *data) {
  g16_file_header header;
  memcpy(&header, data, sizeof header);
  return header.version == G16_FILE_VERSION_GNARK && header.n_commitments <= RP_GNARK_MAX_COMMITMENTS
             ? G16_FILE_COMMITMENTS + 3 * header.n_commitments
             : G16_FILE_SECTIONS;
}

/* Packs a file in place and returns the new length. The file must be a good one. */
static inline size_t pack_recorded(uint8_t *data) {
  graphs_section table[G16_FILE_SECTIONS_MOST];
  const uint32_t n = packed_sections(data);
  size_t at = sizeof(g16_file_header) + n * sizeof *table;
  memcpy(table, data + sizeof(g16_file_header), n * sizeof *table);
  for (uint32_t i = 0; i < n; i++) {
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
  graphs_section table[G16_FILE_SECTIONS_MOST];
  if (size < PACKED_LEAST) return NULL;
  memcpy(&header, data, sizeof header);
  const uint32_t n = packed_sections(data);
  size_t at = sizeof header + n * sizeof *table;
  if (size < at || header.file_bytes < at || header.file_bytes > PACKED_MOST) return NULL;
  memcpy(table, data + sizeof header, n * sizeof *table);
  uint8_t *file = aligned_alloc(64, (header.file_bytes + 63) & ~(size_t)63);
  if (!file) return NULL;
  *bytes = header.file_bytes;
  memset(file, 0, *bytes);
  for (uint32_t i = 0; i < n; i++) {
    const size_t some = table[i].size_bytes < size - at ? table[i].size_bytes : size - at;
    if (table[i].offset <= *bytes && some <= *bytes - table[i].offset) memcpy(file + table[i].offset, data + at, some);
    at += some;
  }
  memcpy(file, data, sizeof header + n * sizeof *table);
  return file;
}

#endif
