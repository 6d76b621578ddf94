/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key in the form that the graph uses, in a file that is mapped and used in place: nothing is converted or
 * recomputed.
 *
 *   header    g16_file_header (prerecorded_format.h)
 *   table     n_sections times graphs_section
 *   sections  each at a multiple of 4 KiB, zeros between
 *
 * Integers have the byte order of the machine, points and field elements are in memory form (types.h). Header and
 * sections have checksums (XXH3). Opening also checks all indices, and what makes a proof hide its witness
 * (prerecorded_check.h), because a file with correct checksums may be malicious. Files of keys of gnark also hold the
 * verifying key and the wires of commitments, which gnark has in files of their own (prerecorded_gnark.h).
 */
#ifndef REPRISE_GROTH16_PRERECORDED_H
#define REPRISE_GROTH16_PRERECORDED_H

#include "key.h"

/* Whether the file begins like a prerecorded key. */
bool g16_is_prerecorded(const support_file *file);
/* Whether it also holds a key of gnark. */
bool g16_prerecorded_is_gnark(const support_file *file);
/* The file must be mapped or wrapped; the key takes it over. */
rp_status g16_key_load_prerecorded(rp_groth16_key *key, bool checksum, bool check_points, rp_error *err);
rp_status g16_key_save(const rp_groth16_key *key, const char *path, rp_error *err);

#endif
