/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Replaces the question whether many points are all in the subgroup by the same question about fewer sums of them: four
 * additions per point, and a fifth as many sums.
 *
 * The points are put into the cells of a grid of four dimensions, at random, at most one per cell. Along each dimension
 * the points of every line of the grid are added up, each with a random sign of its own in each dimension. All points
 * are in the subgroup if all these sums are (except with the probability below), so the sums are tested instead.
 *
 * Soundness: the group of the curve is the product of the subgroup and a group T of odd order (on these curves). Let a
 * set of w >= 1 points have parts t_i other than zero in T, chosen before the random values are drawn. Let the grid
 * have N cells and sides of at least 14, and suppose that the sums of all lines have the part zero.
 *
 *   - Every line that has one of the w points has another one. So there are at least 2^4 cells: a slice of them, at one
 *     value of one coordinate, has the same property in one dimension less, and there are at least two slices. The code
 *     whose words have this property is the product of four parity codes (Elias, "Error-free coding", 1954). Fewer than
 *     16 bad points are therefore always detected.
 *   - Given the placement, each line that has bad points has a sum of zero with a probability of at most 1/2, since t_i
 *     is not -t_i, and lines are independent, since every sign belongs to one line. By the inequality of Loomis and
 *     Whitney (1949), w cells lie on at least 4 w^(3/4) lines of the four dimensions: the signs miss with a probability
 *     of at most 2^-(4 w^(3/4)).
 *   - The placement of the w points is any set of w cells with equal probability. Each slice has at least 8 of them, so
 *     that each coordinate takes at most s = floor(w / 8) values: the number of sets with the property of the first
 *     item is at most the product of the four C(side, s), times C(s^4, w), out of C(N, w).
 *
 * The product of both bounds is below 2^-137 for every w from 16 on: at w = 112, from where on the signs alone suffice,
 * for sides of 14, and lower everywhere else (tests/graphs/groth16/test_subgroup_grid.c computes it). The placement is
 * drawn from 44 bits per point, which makes no set more than 1.01 times as likely as it should be.
 */
#ifndef REPRISE_GROTH16_SUBGROUP_GRID_H
#define REPRISE_GROTH16_SUBGROUP_GRID_H

#include "formats/family.h"

enum {
  G16_GRID_DIMENSIONS = 4,
  G16_GRID_LEAST_SIDE = 14,
  G16_GRID_MOST = 25 * 25 * 25 * 25 /* cells: four digits of 15 bits fit into 64 bits */
};

/* Fills memory with unpredictable bits, as rp_random_bytes does. */
typedef rp_status (*g16_random_fn)(void *out, size_t bytes);

typedef struct g16_grid {
  uint32_t side[G16_GRID_DIMENSIONS];
  uint32_t lines[G16_GRID_DIMENSIONS]; /* along each dimension: cells / side */
  uint32_t cells;
  uint32_t window_bits; /* of the digits below: all line numbers are below 2^(window_bits - 1) */
} g16_grid;

/* The smallest grid with nearly equal sides that has at least `points` cells; points is at most G16_GRID_MOST. */
g16_grid g16_grid_of(uint64_t points);

/* The number of the line along `dimension` on which a cell lies. */
uint32_t g16_grid_line(const g16_grid *grid, uint32_t cell, uint32_t dimension);

/* Draws a canonical scalar of 32 bytes for each point. Its digit of window k is +-(1 + the point's line along dimension
 * k), so that the bucket sums of the first four windows are the sums of the lines. Memory comes from the context. */
rp_status g16_grid_scalars(rp_context *context, const g16_grid *grid, const rp_curve_host *curve, uint64_t points,
                           g16_random_fn random, uint8_t *scalars);

#endif
