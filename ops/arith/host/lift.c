/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many points from their x, with the variant of arith/host/host_lift_tmpl.c that suits the processor.
 */
#include "arith/host/host.h"
#include "kernel/kernels.h"
#include "lower/lower.h"

#define KERNEL(id)                  \
  RP_CPU_DECLARE_IFMA(rp_lift_##id) \
  static const rp_kernel kernel_##id = {.name = "lift_many", RP_CPU_IFMA(rp_lift_##id)};

KERNEL(many_bn254_g1)
KERNEL(many_bn254_g2)
KERNEL(many_bls12_381_g1)
KERNEL(many_bls12_381_g2)

static const rp_kernel *kernel_of(rp_curve curve) {
  switch (curve) {
  case RP_CURVE_BN254_G1: return &kernel_many_bn254_g1;
  case RP_CURVE_BN254_G2: return &kernel_many_bn254_g2;
  case RP_CURVE_BLS12_381_G1: return &kernel_many_bls12_381_g1;
  case RP_CURVE_BLS12_381_G2: return &kernel_many_bls12_381_g2;
  default: return NULL;
  }
}

rp_status rp_point_lift_many(rp_curve curve, size_t n, const uint8_t *larger, void *affine, uint8_t *valid) {
  const rp_kernel *kernel = kernel_of(curve);
  if (!kernel) return rp_curve_get(curve) ? RP_ERR_UNSUPPORTED : RP_ERR_ARGUMENT;
  if (n && (!larger || !affine || !valid)) return RP_ERR_ARGUMENT;
  const rp_lift_args args = {.larger = larger, .points = affine, .valid = valid};
  rp_host_variant(kernel)(&args, 0, n, NULL);
  return RP_OK;
}
