/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plain Merkle trees, which use only the constants of tests/data and the arithmetic of single elements.
 */
#ifndef REPRISE_TESTS_SOURCES_MERKLE_REF_H
#define REPRISE_TESTS_SOURCES_MERKLE_REF_H

#include <reprise/ops.h>

#include "json.h"

enum { REF_WORDS = 4 }; /* of a digest */

/* How the twelve elements of a Rescue state may lie in memory: three vectors of four, or one of sixteen whose last four
 * are padding. */
typedef enum ref_layout { REF_THREE_BY_FOUR, REF_PADDED_SIXTEEN } ref_layout;

/* The entry of a Rescue variant in the file. */
const json *ref_variant(rp_hash hash);
void ref_rescue_permute(rp_hash hash, ref_layout layout, const uint64_t in[12], uint64_t out[12]);
void ref_merge(rp_hash hash, const uint64_t *left, const uint64_t *right, uint64_t *digest);
/* All nodes of a tree in heap order; node 0 is zero. */
void ref_tree(rp_hash hash, const uint64_t *leaves, uint64_t n, uint64_t *nodes);
/* Makes n leaves of the leaf set of tests/data that has this name, in memory form. */
void ref_leaves(rp_hash hash, const char *set, uint64_t n, uint64_t *leaves);

#endif
