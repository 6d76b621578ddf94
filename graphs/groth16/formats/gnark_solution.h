/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What gnark's solver leaves: the wires W = [1 | public | secret | internal], and A, B, C with a value per constraint,
 * A_i B_i = C_i. Either R1CSSolution.WriteTo (u32 count, then canonical big-endian values) or the memory image of the
 * same vectors (u64 little-endian count, then Montgomery form). The values are secret: they are copied only into the
 * memory that the caller names, and never stand in a reason.
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
  const g16_file *file; /* borrowed */
  int montgomery;
  uint64_t n[G16_GNARK_VECTORS], offset[G16_GNARK_VECTORS];
} g16_gnark_solution;

/* Checks all but the values: counts, lengths, that W is not empty and the other three are equally long. */
rp_status g16_gnark_solution_open(const g16_file *file, g16_gnark_solution *solution, rp_error *err);
/* A vector in Montgomery form into `out`, any alignment. Each value is checked to be below the family's r, the first of
 * W to be 1; on failure `out` is wiped. Side by side on `executor`; NULL: on the calling thread. */
rp_status g16_gnark_solution_read(const g16_gnark_solution *solution, const g16_family *family, g16_gnark_vector v,
                                  const rp_executor *executor, uint8_t *out, rp_error *err);

#endif
