/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Decoding generators and checking values of callers, and the graph of a commitment.
 */
#ifndef REPRISE_PEDERSEN_POINTS_H
#define REPRISE_PEDERSEN_POINTS_H

#include <stdbool.h>
#include <reprise/pedersen.h>

enum { PEDERSEN_AFFINE = 64 }; /* bytes, on both curves */

/* Decompresses Banderwagon points to affine ones. RP_ERR_FORMAT names the first that is not valid. */
rp_status pedersen_decode(const void *generators, uint32_t n, bool trusted, void *affine, rp_error *err);
/* RP_OK if all values are below the group order; RP_ERR_INPUT names the first that is not. */
rp_status pedersen_check_values(rp_curve curve, const void *values, uint32_t n, rp_error *err);
rp_status pedersen_check_width(uint32_t width, rp_error *err);

/* Adds products (width of them, or width + 1 with that of the blinding as the last) in a tree; the result is affine. */
rp_value pedersen_tree(rp_graph *g, rp_value products, uint64_t width, bool blinded);

#endif
