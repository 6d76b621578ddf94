/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prerecorded key: a saved graph (docs/notes/saved-graphs.md) whose constants are the key in the form that the graph
 * uses, and one more section, SAVED_KEY, with what a graph does not have: the verifying key, sizes, which points are
 * checked, a checksum (XXH3) of each of the graph's contents, which is compared much faster than a SHA-256, and which
 * of the contents is which array of the key (prerecorded_format.h). The file is mapped and its arrays are used in
 * place: nothing is converted or recomputed.
 *
 * A prover takes the contents from the file, never the nodes: it builds its graph itself, for its device and options.
 * So the author of a file cannot change what is computed with a witness. The nodes are for rp_graph_load, whose
 * callers trust a file as they trust a program.
 *
 * Points and field elements are in memory form (types.h). Opening also checks all indices, and what makes a proof hide
 * its witness (prerecorded_check.h), because a file with correct checksums may be malicious. Files of keys of gnark
 * also hold the wires of commitments, which gnark has in a file of their own (prerecorded_gnark.h).
 */
#ifndef REPRISE_GROTH16_PRERECORDED_H
#define REPRISE_GROTH16_PRERECORDED_H

#include "key.h"

/* Whether the file begins like a prerecorded key, of whatever version, or like any other saved graph. */
bool g16_is_prerecorded(const support_file *file);
typedef enum g16_recorded_kind { G16_RECORDED_NONE, G16_RECORDED_ZKEY, G16_RECORDED_GNARK } g16_recorded_kind;
/* What kind of key a file claims to hold; a saved graph without a key is none. Fails only where the file cannot be
 * read. */
rp_status g16_prerecorded_kind(const support_file *file, g16_recorded_kind *kind, rp_error *err);
/* The file must be mapped or wrapped; the key takes it over. */
rp_status g16_key_load_prerecorded(rp_groth16_key *key, bool checksum, bool check_points, rp_error *err);
rp_status g16_key_save(const rp_groth16_key *key, rp_context *context, const char *path, rp_error *err);

#endif
