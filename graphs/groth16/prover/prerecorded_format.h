/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The section SAVED_KEY of a prerecorded key (prerecorded.h), in the byte order of the machine:
 *
 *   header     g16_file_header
 *   table      for each array g16_file_array: G16_FILE_COMMITMENTS + 3 n_commitments of them
 *   checksums  for each content of the graph's constants u64: XXH3
 *   arrays     those that are no constants of the graph, each at a multiple of SAVED_ALIGN in the section, with zeros
 *              between
 */
#ifndef REPRISE_GROTH16_PRERECORDED_FORMAT_H
#define REPRISE_GROTH16_PRERECORDED_FORMAT_H

#include "key.h"
#include "saved/format.h"

/* The files of versions 1 to 3 were no saved graphs, and began with this. They are refused with a reason. */
#define G16_OLD_MAGIC "\x89RPG16\r\n"

enum { G16_FILE_VERSION = 4, G16_FILE_ENDIAN = 0x01020304 };

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
  /* The arrays from here on are empty unless the key is one of gnark, whose matrices are empty. */
  G16_FILE_COMMITMENT_KEYS, /* g16_commitment_key of each commitment */
  G16_FILE_COMMITTED,       /* g16_vkey.committed */
  G16_FILE_CHALLENGES,      /* u32 wire of the challenge of each commitment */
  G16_FILE_COMMITMENTS      /* from here, for each: u32 wires; basis; basis times sigma */
} g16_file_id;
enum { G16_FILE_ARRAYS_MOST = G16_FILE_COMMITMENTS + 3 * RP_GNARK_MAX_COMMITMENTS };

typedef struct g16_file_header {
  uint32_t version, endian, curve, gnark; /* curve: rp_curve of G1; gnark: 1 for a key of gnark */
  uint64_t n_vars, n_public, domain, n_coefficients, nnz[2], infinities[4];
  uint32_t points_checked; /* 1: the program that recorded it claims that every point was checked (key_check.h) */
  /* Of keys of gnark; zero for others. */
  uint32_t root;     /* rp_root of the domain, */
  uint8_t shift[32]; /* and shift of its coset, canonical */
  uint64_t n_committed;
  uint32_t n_commitments;
  uint32_t n_contents; /* of the graph's constants */
  uint8_t reserved[40];
} g16_file_header;
_Static_assert(sizeof(g16_file_header) == 192, "a fixed layout");
_Static_assert(sizeof(g16_commitment_key) == 400, "a fixed layout");

typedef struct g16_file_array {
  uint32_t content, reserved; /* 1 plus the index of the content that it is; 0: it is in the section, */
  uint64_t offset;            /* here; 0 for a content */
  uint64_t size_bytes;
} g16_file_array;
_Static_assert(sizeof(g16_file_array) == 24, "a fixed layout");

/* A file's header, and where its arrays are in memory. */
typedef struct g16_file_arrays {
  g16_file_header header;
  g16_file_array table[G16_FILE_ARRAYS_MOST];
  const uint8_t *at[G16_FILE_ARRAYS_MOST];
  uint32_t n;
} g16_file_arrays;

/* The length of an array before G16_FILE_COMMITMENTS, derived from the sizes in the header. */
uint64_t g16_file_array_bytes(const g16_family *family, const g16_file_header *header, g16_file_id id);

#endif
