/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key in the form that the graph uses, in a file that is mapped and used in place: nothing is parsed or computed
 * again.
 *
 *   header    g16_file_header (prerecorded_format.h)
 *   table     n_sections times g16_file_section
 *   sections  each at a multiple of 4 KiB, zeros between
 *
 * Integers are in the byte order of the machine, points and field elements in memory form (types.h). Header and
 * sections have checksums (XXH3). Whatever an index decides, and what makes a proof hide its witness
 * (prerecorded_check.h), is checked on opening even so: a file with a right checksum may have been made to harm.
 */
#ifndef REPRISE_GROTH16_PRERECORDED_H
#define REPRISE_GROTH16_PRERECORDED_H

#include "key.h"

/* 1 if the file begins as such a file does. */
int g16_is_prerecorded(const g16_file *file);
/* The file must be mapped or wrapped, and stays with the key. */
rp_status g16_key_load_prerecorded(rp_groth16_key *key, int checksum, int check_points, rp_error *err);
rp_status g16_key_save(const rp_groth16_key *key, const char *path, rp_error *err);

#endif
