/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products of scalars and points.
 *
 * kernel scalar_mul scalar_mul/4 curves cpu:ifma gpu:128 int64 products:scalar_mul
 * kernel scalar_mul_quad scalar_mul/4 curves cuda:32 vulkan:4 int64 products:scalar_mul
 * kernel scalar_mul_glv scalar_mul/4 ids:bn254_g1,secp256k1 cuda:32 products:scalar_mul_glv
 */
#include "points/points.h"
#include "lower/gpu.h"
#include "kernel_tables.h"

struct rp_scalar_mul_args {
  RP_ADDR(uint64_t) scalars; /* U256 */
  RP_ADDR(uint64_t) points;  /* affine */
  RP_ADDR(uint64_t) out;     /* accumulator */
  RP_ADDR(uint32_t) error;
  uint32_t n, scalar_step, point_step, site;
};
RP_ARGS_SIZE(struct rp_scalar_mul_args, 48);

static rp_status shape_mul(const rp_shape *s) {
  rp_curve curve;
  uint64_t len;
  rp_status status = rp_shape_scalars(s, 0);
  if (status == RP_OK) status = rp_shape_affine(s, 1, &curve);
  if (status == RP_OK) status = rp_shape_broadcast(s, &len);
  if (status == RP_OK) rp_shape_out(s, 0, rp_type_accumulator(curve), len);
  return status;
}

static rp_status lower_mul(rp_lower *l, const rp_kernel *kernels, uint32_t lanes) {
  const rp_value scalars = rp_lower_in(l, 0), points = rp_lower_in(l, 1), out = rp_lower_out(l, 0);
  struct rp_scalar_mul_args a = {.n = (uint32_t)rp_lower_len(l, out),
                                 .scalar_step = rp_lower_len(l, scalars) > 1,
                                 .point_step = rp_lower_len(l, points) > 1,
                                 .site = rp_lower_site(l)};
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, points), &curve);
  rp_lower_items(l, &kernels[curve], (uint64_t)a.n * lanes, rp_lower_lanes(l) ? 8 : 2, &a,
                 (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(points, RP_READ), RP_BIND(out, RP_WRITE),
                             RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}

static rp_status lower_mul_cpu(rp_lower *l) { return lower_mul(l, rp_kernels_scalar_mul, 1); }

/* On a GPU, fewer products than lanes get four lanes each, which lowers the throughput but takes a third of the
 * time. */
static bool are_few(const rp_lower *l) {
  return rp_lower_len(l, rp_lower_out(l, 0)) <= (uint64_t)rp_lower_limits(l)->workers * 64;
}
static rp_status lower_mul_quads(rp_lower *l) { return lower_mul(l, rp_kernels_scalar_mul_quad, 4); }

/* Still fewer get eight lanes each, with half as many doublings, if the curve has an endomorphism that acts as
 * multiplication by a constant on all of its points (CURVE_GLV). */
static bool has_glv(const rp_lower *l) {
  rp_curve curve;
  return rp_type_is_affine(rp_lower_type(l, rp_lower_in(l, 1)), &curve) && rp_kernels_scalar_mul_glv[curve].name &&
         rp_lower_len(l, rp_lower_out(l, 0)) <= (uint64_t)rp_lower_limits(l)->workers * 32;
}
static rp_status lower_mul_glv(rp_lower *l) { return lower_mul(l, rp_kernels_scalar_mul_glv, 8); }

static const rp_strategy mul_strategies[] = {
    {.name = "naf", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_mul_cpu},
    {.name = "glv", .devices = RP_ON(RP_DEVICE_CUDA), .applies = has_glv, .lower = lower_mul_glv},
    {.name = "quads", .devices = RP_ON_GPU, .applies = are_few, .lower = lower_mul_quads},
    {.name = "lanes", .devices = RP_ON_GPU, .lower = lower_mul_cpu},
};

const rp_op rp_op_scalar_mul = {.struct_size = sizeof(rp_op),
                                .flags = RP_OP_PURE,
                                .name = "scalar_mul",
                                .shape = shape_mul,
                                .strategies = mul_strategies,
                                .n_strategies = sizeof mul_strategies / sizeof *mul_strategies,
                                .schema = RP_SCHEMA(.least_in = 2, .examples = "scalar, affine")};

rp_value rp_scalar_mul(rp_graph *g, rp_value scalars, rp_value points) {
  return rp_graph_node(g, &rp_op_scalar_mul, NULL, (rp_value[]){scalars, points}, 2, NULL, 1);
}
