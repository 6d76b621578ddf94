/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout of a prerecorded key (prerecorded.h): which array is in which section.
 */
#ifndef REPRISE_GROTH16_PRERECORDED_FORMAT_H
#define REPRISE_GROTH16_PRERECORDED_FORMAT_H

#include "formats/sections.h"
#include "key.h"

#define G16_FILE_MAGIC "\x89RPG16\r\n" /* reveals a transfer that changed line ends or the eighth bit */

/* A key of gnark has a version of its own, because readers of the other version do not know its additional sections. */
enum { G16_FILE_VERSION = 2, G16_FILE_VERSION_GNARK = 3, G16_FILE_ENDIAN = 0x01020304 };

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
  G16_FILE_SECTIONS, /* of a key of a zkey; the sections after it are of keys of gnark, whose matrices are empty */
  G16_FILE_COMMITMENT_KEYS = G16_FILE_SECTIONS, /* g16_commitment_key of each commitment */
  G16_FILE_COMMITTED,                           /* g16_vkey.committed */
  G16_FILE_COMMITMENTS /* from here, for each: u32 wire of its challenge, wires; basis; basis times sigma */
} g16_file_id;
enum { G16_FILE_SECTIONS_MOST = G16_FILE_COMMITMENTS + 3 * RP_GNARK_MAX_COMMITMENTS };

typedef struct g16_file_header {
  char magic[8];
  uint32_t version, endian, curve, n_sections; /* curve: rp_curve of G1 */
  uint64_t file_bytes;
  uint64_t n_vars, n_public, domain, n_coefficients, nnz[2], infinities[4];
  uint32_t points_checked; /* 1: the program that recorded it claims that every point was checked (key_check.h) */
  /* Of keys of gnark; zero for others, and so is `reserved`. */
  uint32_t root;     /* rp_root of the domain, */
  uint8_t shift[32]; /* and shift of its coset, canonical */
  uint64_t n_committed;
  uint32_t n_commitments;
  uint8_t reserved[20];
  uint64_t checksum; /* XXH3 of the header up to here, then of the section table */
} g16_file_header;
_Static_assert(sizeof(g16_file_header) == 192, "a fixed layout");
_Static_assert(sizeof(g16_commitment_key) == 400, "a fixed layout");

/* The length of a section before G16_FILE_COMMITMENTS, derived from the sizes in the header. */
uint64_t g16_file_section_bytes(const g16_family *family, const g16_file_header *header, g16_file_id id);

#endif
