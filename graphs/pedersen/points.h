/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Values and generators as they come from callers, and the graph of a commitment.
 */
#ifndef REPRISE_PEDERSEN_POINTS_H
#define REPRISE_PEDERSEN_POINTS_H

#include <reprise/pedersen.h>

enum { PEDERSEN_AFFINE = 64 }; /* bytes, on both curves */

/* Compressed Banderwagon points to affine ones. RP_ERR_FORMAT names the first that is none. */
rp_status pedersen_decode(const void *generators, uint32_t n, int trusted, void *affine, rp_error *err);
/* RP_OK if all are below the group order; RP_ERR_INPUT names the first that is not. */
rp_status pedersen_check_values(rp_curve curve, const void *values, uint32_t n, rp_error *err);
rp_status pedersen_check_width(uint32_t width, rp_error *err);

/* Products of values (width, or width + 1 with a blinding last) and their sum in a tree; affine. */
rp_value pedersen_tree(rp_graph *g, rp_value products, uint64_t width, int blinded);

#endif
