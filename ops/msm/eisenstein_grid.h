/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which buckets x + y zeta digits have, for C, CUDA C and GLSL. A digit in base b is the residue of the least norm, so
 * that 2 x + y <= b and x + 2 y <= b: a kite within the matrix, with a third of its buckets left out.
 */
#ifndef REPRISE_OPS_EISENSTEIN_GRID_H
#define REPRISE_OPS_EISENSTEIN_GRID_H

#include "kernel/shared.h"

/* The largest y of column x <= columns, or the largest x of row y <= columns, for bases 2 columns and 2 columns + 1. It
 * is at least 1 where the argument is. */
RP_SHARED uint32_t rp_eisenstein_reach(uint32_t columns, uint32_t z) {
  const uint32_t base = 2u * columns + 1u, one = base - 2u * z, other = (base - z) / 2u;
  return one < other ? one : other;
}

#endif
