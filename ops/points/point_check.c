/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks that points are on their curve and in its subgroup.
 *
 * kernel point_check point_check/3 curves cpu:ifma gpu:128 products:check
 */
#include "points/points.h"
#include "kernel_tables.h"

struct rp_point_check_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out;
  RP_ADDR(uint32_t) error;
  uint32_t n, subgroup, site, reserved;
};
RP_ARGS_SIZE(struct rp_point_check_args, 40);

typedef struct check_params {
  uint32_t subgroup;
} check_params;

static rp_status shape_check(const rp_shape *s) {
  rp_curve curve;
  if (!rp_type_is_affine(s->in_type[0], &curve)) return rp_shape_not_points(s, 0, "affine points");
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0]);
  return RP_OK;
}

static rp_status lower_check(rp_lower *l) {
  const check_params *p = rp_lower_params(l);
  const rp_value in = rp_lower_in(l, 0);
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, in), &curve);
  rp_lower_items(l, &rp_kernels_point_check[curve], rp_lower_len(l, in), rp_grain(p->subgroup ? 10000 : 60),
                 &(struct rp_point_check_args){
                     .n = (uint32_t)rp_lower_len(l, in), .subgroup = p->subgroup, .site = rp_lower_site(l)},
                 (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                             RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}

static const rp_strategy check_strategies[] = {{.name = "map", .devices = RP_ON_ANY, .lower = lower_check}};

const rp_op rp_op_point_check = {.struct_size = sizeof(rp_op),
                                 .flags = RP_OP_PURE,
                                 .name = "point_check",
                                 .params_bytes = sizeof(check_params),
                                 .shape = shape_check,
                                 .strategies = check_strategies,
                                 .n_strategies = 1,
                                 .schema = RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_FLAG(check_params, subgroup)),
                                                     .examples = "affine | affine; subgroup=1", .products = 3)};

rp_value rp_point_check(rp_graph *g, rp_value affine, bool subgroup) {
  return rp_graph_node(g, &rp_op_point_check, &(check_params){subgroup != 0}, &affine, 1, NULL, 1);
}
