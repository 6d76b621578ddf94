/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The linear form, on the host: the reference that every other form is compared with.
 */
#include "points.h"

#include "job.h"

#include <stdlib.h>

rp_status rp_pedersen_commit(const void *values, const void *generators, uint32_t width, void *out, rp_error *err) {
  const rp_curve_host *c = rp_curve_get(RP_CURVE_BANDERWAGON);
  uint64_t sum[2 * PEDERSEN_AFFINE / 8], point[PEDERSEN_AFFINE / 8], product[PEDERSEN_AFFINE / 8];
  if (!width) return support_fail(err, RP_ERR_SHAPE, "rp_pedersen_commit: the vector has no values.");
  if (!values || !generators || !out)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_commit: values, generators and room are needed.");
  rp_status status = pedersen_check_values(RP_CURVE_BANDERWAGON, values, width, err);
  uint8_t *points = malloc((size_t)width * PEDERSEN_AFFINE);
  if (status == RP_OK && !points) status = support_fail(err, RP_ERR_MEMORY, "Out of memory for %u generators.", width);
  if (status == RP_OK) status = pedersen_decode(generators, width, 0, points, err);
  if (status == RP_OK) {
    c->acc_identity(sum);
    for (uint32_t i = 0; i < width; i++) {
      c->mul(product, points + (size_t)i * PEDERSEN_AFFINE, (const uint8_t *)values + (size_t)i * RP_PEDERSEN_BYTES);
      c->acc_add_affine(sum, sum, product);
    }
    c->acc_to_affine(point, sum);
    status = rp_point_compress(RP_CURVE_BANDERWAGON, point, out);
  }
  free(points);
  return status;
}
