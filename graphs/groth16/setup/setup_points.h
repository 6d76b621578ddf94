/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many multiples of a curve's generator: one graph, recorded once and replayed for each block.
 */
#ifndef REPRISE_GROTH16_SETUP_POINTS_H
#define REPRISE_GROTH16_SETUP_POINTS_H

#include <reprise/ops.h>

typedef struct g16_multiples {
  rp_graph *graph;
  rp_recording *recording;
  rp_value scalars, points;
  uint64_t block; /* scalars per run */
  uint32_t point_bytes;
} g16_multiples;

rp_status g16_multiples_init(rp_context *context, rp_device *device, rp_curve curve, uint64_t block, g16_multiples *m,
                             rp_error *err);
void g16_multiples_free(g16_multiples *m);
/* Computes n affine points from n canonical scalars, n at most `block`; scalar 0 gives infinity. *points is valid until
 * rp_run_end(*run). */
rp_status g16_multiples_run(g16_multiples *m, const uint8_t *scalars, uint64_t n, rp_run **run, const uint8_t **points,
                            rp_error *err);

#endif
