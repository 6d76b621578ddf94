/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The inside of a recorded key of Groth16, for tests that change it.
 */
#ifndef REPRISE_TESTS_RPK_FILE_H
#define REPRISE_TESTS_RPK_FILE_H

#include "groth16/prover/prerecorded_format.h"

/* Where the parts of a good file are in memory. */
typedef struct rpk_file {
  uint8_t *file;
  g16_file_header *header;
  g16_file_array *table;
  uint64_t *checksums; /* of the contents */
  uint8_t *constants;  /* the list SAVED_CONSTANTS */
  uint8_t *key, *data; /* SAVED_KEY, SAVED_DATA */
  size_t key_bytes;
} rpk_file;

rpk_file rpk_open(uint8_t *data, size_t bytes);
/* Array `id`. */
uint8_t *rpk_array(const rpk_file *f, uint32_t id);
/* The number of arrays, as the header says. */
uint32_t rpk_arrays(const rpk_file *f);
/* Recomputes all checksums and digests, as somebody who writes such a file does. Takes any bytes, and leaves alone what
 * does not look like a recorded key. */
void rpk_seal(uint8_t *data, size_t bytes);

#endif
