/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "sections.h"

#include "files/output.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

void graphs_sections_add(graphs_sections *s, const void *data, uint64_t bytes) {
  s->data[s->n] = data;
  s->table[s->n] =
      (graphs_section){.id = s->n, .size_bytes = bytes, .checksum = XXH3_64bits(bytes != 0 ? data : "", (size_t)bytes)};
  s->n++;
}

uint64_t graphs_sections_place(graphs_sections *s, uint64_t header_bytes) {
  uint64_t at = header_bytes + s->n * sizeof *s->table;
  for (uint32_t i = 0; i < s->n; i++) {
    s->table[i].offset = (at + GRAPHS_SECTION_ALIGN - 1) & ~(uint64_t)(GRAPHS_SECTION_ALIGN - 1);
    at = s->table[i].offset + s->table[i].size_bytes;
  }
  return at;
}

uint64_t graphs_sections_checksum(const graphs_sections *s, const void *header, uint64_t bytes) {
  return XXH3_64bits_withSeed(s->table, s->n * sizeof *s->table, XXH3_64bits(header, (size_t)bytes));
}

rp_status graphs_sections_write(const graphs_sections *s, const void *header, uint64_t header_bytes, const char *path,
                                rp_error *err) {
  static const uint8_t padding[GRAPHS_SECTION_ALIGN];
  support_output *output;
  rp_status status = support_output_begin(path, &output, err);
  if (status != RP_OK) return status;
  status = support_output_write(output, header, header_bytes, err);
  if (status == RP_OK) status = support_output_write(output, s->table, s->n * sizeof *s->table, err);
  uint64_t at = header_bytes + s->n * sizeof *s->table;
  for (uint32_t i = 0; i < s->n && status == RP_OK; i++) {
    status = support_output_write(output, padding, s->table[i].offset - at, err);
    if (status == RP_OK && s->table[i].size_bytes != 0)
      status = support_output_write(output, s->data[i], s->table[i].size_bytes, err);
    at = s->table[i].offset + s->table[i].size_bytes;
  }
  if (status == RP_OK) return support_output_commit(&output, 1, err);
  support_output_abort(output);
  return status;
}
