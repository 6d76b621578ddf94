/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The container that zkey, wtns and r1cs files share (iden3 binfile): 4 bytes of magic, u32 version, u32 number of
 * sections, then sections of u32 id, u64 length in bytes, and content, in any order and at any alignment.
 * https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md
 */
#ifndef REPRISE_FORMATS_BINFILE_H
#define REPRISE_FORMATS_BINFILE_H

#include "files/mapping.h"

enum {
  G16_BINFILE_IDS = 18,      /* ids 1 to 17 have a meaning in one of the formats; others are skipped */
  G16_BINFILE_SECTIONS = 256 /* files with more are refused as damaged */
};

typedef struct g16_section {
  bool present;
  uint64_t offset, size_bytes; /* of the content; inside the file as it was opened */
} g16_section;

typedef struct g16_format {
  const char *magic;
  uint32_t version;
  const char *section_name[G16_BINFILE_IDS]; /* NULL: no meaning in this format */
  uint32_t optional;                         /* bit mask of ids that may be missing */
} g16_format;

typedef struct g16_binfile {
  const support_file *file; /* borrowed */
  const g16_format *format;
  g16_section section[G16_BINFILE_IDS];
} g16_binfile;

/* Reads the list of sections. Refuses another magic or version, a section that occurs twice, a missing section, a
 * section that does not lie inside the file, and bytes after the last section. The file must stay open as long as `bin`
 * is used. */
rp_status g16_binfile_open(const support_file *file, const g16_format *format, g16_binfile *bin, rp_error *err);

/* RP_ERR_FORMAT unless the section has exactly this length; `what` says, for the reason, what the length follows
 * from. */
rp_status g16_section_expect(const g16_binfile *bin, uint32_t id, uint64_t size_bytes, const char *what, rp_error *err);
/* Copies `size_bytes` bytes from offset `at` of a section. */
rp_status g16_section_read(const g16_binfile *bin, uint32_t id, uint64_t at, uint64_t size_bytes, void *out,
                           rp_error *err);

#endif
