/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The least time that a case can take: its products at the rate at which the device multiplies in registers, or its
 * bytes at the rate at which it copies, whichever takes longer. Both rates are measured in the same process.
 */
#include "bench.h"

#include <reprise/page.h>

rp_status bench_measure_ceilings(const cli_session *session, rp_field field, bench_ceilings *c, rp_error *err) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(session->device, &info);
  const bool gpu = info.kind == RP_DEVICE_CUDA || info.kind == RP_DEVICE_VULKAN;
  rp_status status = rp_view_product_ns(session->device, field, &c->product_ns, err);
  if (status == RP_OK && c->byte_ns == 0)
    status = rp_view_byte_ns(session->device, 1ull << (gpu ? 26 : 19), &c->byte_ns, err);
  return status;
}

/* A product in a quadratic extension takes three products (Karatsuba). */
rp_field bench_prime_field(rp_field field, double *products) {
  *products = rp_field_get(field)->degree == 2 ? 3 : 1;
  return field == RP_FIELD_BN254_FP2       ? RP_FIELD_BN254_FP
         : field == RP_FIELD_BLS12_381_FP2 ? RP_FIELD_BLS12_381_FP
                                           : field;
}

double bench_floor_ms(const bench_op *op, const bench_build *b, const bench_ceilings *c) {
  double factor;
  bench_cost cost = {.products = op->products * (double)b->n, .moved = op->moved * (double)b->n};
  if (op->cost) cost = op->cost(b);
  const rp_field field = op->over == BENCH_OVER_CURVES ? rp_curve_base_field(b->curve) : b->field;
  bench_prime_field(field, &factor);
  const double work = cost.products * factor * c->product_ns;
  const double memory = cost.moved * (double)rp_field_get(field)->size_bytes * c->byte_ns;
  return (work > memory ? work : memory) / 1e6;
}

/* Numbers of products: adding an affine point, adding two accumulators, and doubling (formulas of the EFD for XYZZ
 * coordinates, and of ePrint 2008/522 for extended ones). */
static double mixed_addition(rp_curve curve) { return curve == RP_CURVE_BANDERWAGON ? 8 : 10; }
static double affine_addition(rp_curve curve) { return curve == RP_CURVE_BANDERWAGON ? 8 : 6; } /* of affine points */
static double addition(rp_curve curve) { return curve == RP_CURVE_BANDERWAGON ? 9 : 14; }
static double doubling(rp_curve curve) { return curve == RP_CURVE_BANDERWAGON ? 8 : 9; }

bench_cost bench_cost_ntt(const bench_build *b) {
  double log_n = 0;
  while (b->n >> (uint32_t)(log_n + 1)) log_n++;
  return (bench_cost){.products = (double)b->n * log_n / 2, .moved = 2 * (double)b->n};
}

/* Each digit costs an addition to a bucket, and each bucket two additions of accumulators. */
static bench_cost cost_msm(const bench_build *b, bool merged) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(b->device, &info);
  const uint32_t bits = rp_msm_window_bits(info.kind, b->curve, b->n, merged), windows = rp_msm_windows(b->curve, bits);
  const double buckets = (double)(1ull << (bits - 1)) * (merged ? 1 : windows);
  return (bench_cost){.products =
                          (double)windows * (double)b->n * mixed_addition(b->curve) + buckets * 2 * addition(b->curve),
                      .moved = 2 * (double)b->n};
}

bench_cost bench_cost_msm(const bench_build *b) { return cost_msm(b, 1); }
bench_cost bench_cost_msm_once(const bench_build *b) { return cost_msm(b, 0); }

bench_cost bench_cost_tree_reduce(const bench_build *b) {
  const double n = (double)b->n;
  return (bench_cost){.products = n / 2 * (affine_addition(b->curve) + addition(b->curve)), .moved = 2 * n};
}

/* Windows of four bits: the doublings, an addition for fifteen of sixteen digits, and the table. The CUDA kernels split
 * scalars into halves if the curve has an endomorphism: half as many doublings, a smaller table, and the products by
 * beta. */
bench_cost bench_cost_scalar_mul(const bench_build *b) {
  const double bits = rp_field_get(rp_curve_scalar_field(b->curve))->modulus_bits, digits = bits / 4 * 15 / 16;
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(b->device, &info);
  const bool glv = info.kind == RP_DEVICE_CUDA && (b->curve == RP_CURVE_BN254_G1 || b->curve == RP_CURVE_SECP256K1);
  const double products = glv ? bits / 2 * doubling(b->curve) + (digits + 7) * addition(b->curve) + digits / 2
                              : bits * doubling(b->curve) + (digits + 14) * addition(b->curve);
  return (bench_cost){.products = (double)b->n * products, .moved = 6 * (double)b->n};
}

/* Windows of BENCH_FIXED_BASE_BITS bits of one point: an addition for every nonzero digit but the first. */
bench_cost bench_cost_fixed_base(const bench_build *b) {
  const double bits = rp_field_get(rp_curve_scalar_field(b->curve))->modulus_bits;
  const double digits = bits / BENCH_FIXED_BASE_BITS * (1 - 1.0 / (1 << BENCH_FIXED_BASE_BITS)) - 1;
  return (bench_cost){.products = (double)b->n * digits * mixed_addition(b->curve), .moved = 5 * (double)b->n};
}

bench_cost bench_cost_point_add(const bench_build *b) {
  return (bench_cost){.products = (double)b->n * affine_addition(b->curve), .moved = 8 * (double)b->n};
}

/* An inverse in a batch takes three products; that of zz follows from that of zzz by two more, and each coordinate
 * takes one. */
bench_cost bench_cost_to_affine(const bench_build *b) {
  return (bench_cost){.products = (double)b->n * (b->curve == RP_CURVE_BANDERWAGON ? 5 : 7), .moved = 6 * (double)b->n};
}
