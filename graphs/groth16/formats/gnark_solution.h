/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The result of gnark's solver: the wires W = [1 | public | secret | internal], and A, B, C with one value per
 * constraint, A_i B_i = C_i. Either R1CSSolution.WriteTo (u32 count, then canonical big-endian values) or the memory
 * image of the same vectors (u64 little-endian count, then Montgomery form). The values are secret: they are copied
 * only into the memory that the caller names, and never appear in a reason.
 */
#ifndef REPRISE_GROTH16_GNARK_SOLUTION_H
#define REPRISE_GROTH16_GNARK_SOLUTION_H

#include "gnark.h"

typedef enum g16_gnark_vector {
  G16_GNARK_W,
  G16_GNARK_L,
  G16_GNARK_R,
  G16_GNARK_O,
  G16_GNARK_VECTORS
} g16_gnark_vector;

typedef struct g16_gnark_solution {
  const support_file *file; /* borrowed */
  bool montgomery;
  uint64_t n[G16_GNARK_VECTORS], offset[G16_GNARK_VECTORS];
} g16_gnark_solution;

/* Checks everything but the values: counts and lengths, that W is not empty, and that the other three have equal
 * lengths. */
rp_status g16_gnark_solution_open(const support_file *file, g16_gnark_solution *solution, rp_error *err);
/* Reads the values [first, first + n) of a vector in Montgomery form to `out` (of any alignment), in parallel on
 * `executor` (NULL: on the calling thread). Each value is checked to be below the family's r, and the first of W to be
 * 1; on failure `out` is wiped. */
rp_status g16_gnark_solution_read(const g16_gnark_solution *solution, const g16_family *family, g16_gnark_vector v,
                                  uint64_t first, uint64_t n, const rp_executor *executor, uint8_t *out, rp_error *err);

#endif
