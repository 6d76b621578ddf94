/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout of a prerecorded key (prerecorded.h): which array is in which section.
 */
#ifndef REPRISE_GROTH16_PRERECORDED_FORMAT_H
#define REPRISE_GROTH16_PRERECORDED_FORMAT_H

#include "key.h"

#define G16_FILE_MAGIC "\x89RPG16\r\n" /* shows a transfer that changes line ends or the eighth bit */

enum { G16_FILE_VERSION = 2, G16_FILE_ENDIAN = 0x01020304, G16_FILE_ALIGN = 4096 };

typedef enum g16_file_id {
  G16_FILE_VK, /* alpha_1, beta_2, gamma_2, delta_2 */
  G16_FILE_IC,
  G16_FILE_A_ROWS,
  G16_FILE_A_COLS,
  G16_FILE_A_VALUES,
  G16_FILE_B_ROWS,
  G16_FILE_B_COLS,
  G16_FILE_B_VALUES,
  G16_FILE_SUPPORT_A,
  G16_FILE_SUPPORT_B,
  G16_FILE_SUPPORT_C,
  G16_FILE_VECTOR_A,
  G16_FILE_VECTOR_B1,
  G16_FILE_VECTOR_B2,
  G16_FILE_VECTOR_C,
  G16_FILE_VECTOR_H,
  G16_FILE_SECTIONS
} g16_file_id;

typedef struct g16_file_header {
  char magic[8];
  uint32_t version, endian, curve, n_sections; /* curve: rp_curve of G1 */
  uint64_t file_bytes;
  uint64_t n_vars, n_public, domain, n_coefficients, nnz[2], infinities[4];
  uint32_t points_checked; /* 1: the program that recorded it claims that every point was checked (key_check.h) */
  uint32_t unused;         /* zero, and so is `reserved` */
  uint8_t reserved[64];
  uint64_t checksum; /* XXH3 of the header up to here, then of the section table */
} g16_file_header;
_Static_assert(sizeof(g16_file_header) == 192, "a fixed layout");

typedef struct g16_file_section {
  uint32_t id, reserved;
  uint64_t offset, size_bytes, checksum; /* XXH3 */
} g16_file_section;
_Static_assert(sizeof(g16_file_section) == 32, "a fixed layout");

/* The length of a section, derived from the sizes in the header. */
uint64_t g16_file_section_bytes(const g16_family *family, const g16_file_header *header, g16_file_id id);

#endif
