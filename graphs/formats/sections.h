/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The files of prerecorded keys of PLONK and FFLONK (plonk/common/prerecorded.h): a header, a table of sections, and
 * the sections, each at a multiple of GRAPHS_SECTION_ALIGN, with zeros between.
 */
#ifndef REPRISE_FORMATS_SECTIONS_H
#define REPRISE_FORMATS_SECTIONS_H

#include <reprise/reprise.h>

enum { GRAPHS_SECTION_ALIGN = 4096 };

typedef struct graphs_section {
  uint32_t id, reserved;
  uint64_t offset, size_bytes, checksum; /* XXH3 */
} graphs_section;
_Static_assert(sizeof(graphs_section) == 32, "a fixed layout");

/* Sections to be written; both arrays are the caller's, with room for all. */
typedef struct graphs_sections {
  uint32_t n;
  const void **data;
  graphs_section *table;
} graphs_sections;

/* The next section, whose id is its index. The data is not copied. */
void graphs_sections_add(graphs_sections *s, const void *data, uint64_t bytes);
/* Sets the offsets, behind a header of this length and the table; returns the length of the file. */
uint64_t graphs_sections_place(graphs_sections *s, uint64_t header_bytes);
/* XXH3 of the header's first `bytes`, then of the table. */
uint64_t graphs_sections_checksum(const graphs_sections *s, const void *header, uint64_t bytes);
/* Writes the file, whole or not at all (output.h). */
rp_status graphs_sections_write(const graphs_sections *s, const void *header, uint64_t header_bytes, const char *path,
                                rp_error *err);

#endif
