/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a prerecorded key of gnark has in addition: root and shift of its domain, commitments, and the verification keys
 * of these. There are no matrices.
 */
#ifndef REPRISE_GROTH16_PRERECORDED_GNARK_H
#define REPRISE_GROTH16_PRERECORDED_GNARK_H

#include "prerecorded_format.h"

/* The length that array `id`, of G16_FILE_COMMITMENTS or behind, must have: bases are as long as their list of wires
 * says. UINT64_MAX if the list is not valid. */
uint64_t g16_file_commitment_bytes(const g16_family *family, const g16_file_array *table, uint32_t id);
/* Sets the members of the key. The arrays have been placed. */
void g16_prerecorded_set_gnark(rp_groth16_key *key, const g16_file_arrays *arrays);
/* RP_ERR_FORMAT unless the root is one of the domain, the shift leads out of it, commitments take private wires, none
 * twice and none with a point of C, the points of their bases are in the subgroup, and their verification keys and what
 * their challenges hash are as in a verifying key. `n_committed` values are there. */
rp_status g16_prerecorded_check_gnark(const char *name, const rp_groth16_key *key, uint64_t n_committed, rp_error *err);

#endif
