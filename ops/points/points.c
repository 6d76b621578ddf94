/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations on points.
 *
 * kernel point_from_affine point_map/2 curves cpu:adx gpu:128 products:none
 * kernel point_to_affine point_map/2 curves cpu:adx gpu:128 int64 products:to_affine
 * kernel point_to_affine_chains point_chains/2 curves cuda:RP_GPU_INVERSE_BLOCK products:to_affine
 * kernel point_neg point_map/2 curves cpu:adx gpu:128 products:none
 * kernel point_add point_add/3 curves cpu:adx gpu:128 int64 products:point_add
 */
#include "points/points.h"
#include "lower/gpu.h"

#include "vector/batch_inverse_gpu_args.h"
#include "kernel_tables.h"

/* Kernel arguments of the element-wise operations on points. Flags say whether a point is affine or an accumulator. One
 * item per output point.
 *
 * from_affine, to_affine, neg */
struct rp_point_map_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out;
  uint32_t n, affine;
};
RP_ARGS_SIZE(struct rp_point_map_args, 24);

/* to_affine on GPUs: each workgroup takes `block` consecutive points */
struct rp_point_chains_args {
  RP_ADDR(const void) in;
  RP_ADDR(void) out;
  uint32_t n, block;
};
RP_ARGS_SIZE(struct rp_point_chains_args, 24);

struct rp_point_add_args {
  RP_ADDR(uint64_t) a;
  RP_ADDR(uint64_t) b;
  RP_ADDR(uint64_t) out; /* accumulator */
  uint32_t n, a_affine, b_affine;
  uint32_t a_step, b_step, reserved; /* 0: the same element for all items */
};
RP_ARGS_SIZE(struct rp_point_add_args, 48);

bool rp_type_points(const rp_type *type, rp_curve *curve, uint32_t *is_affine) {
  *is_affine = (uint32_t)rp_type_is_affine(type, curve);
  return *is_affine || rp_type_is_accumulator(type, curve);
}

rp_status rp_shape_not_points(const rp_shape *s, uint32_t i, const char *wanted) {
  return rp_shape_fail(s, RP_ERR_TYPE, "operand %u is of type %s, not %s", i, s->in_type[i]->name, wanted);
}

rp_status rp_shape_scalars(const rp_shape *s, uint32_t i) {
  if (s->in_type[i]->id == RP_TYPE_U256.id) return RP_OK;
  return rp_shape_fail(s, RP_ERR_TYPE, "the scalars are of type %s, not u256", s->in_type[i]->name);
}

uint32_t rp_order_bits(rp_curve curve) {
  const uint8_t *order = rp_curve_get(curve)->order_le;
  uint32_t bytes = 32, bits = 0;
  while (!order[bytes - 1]) bytes--;
  for (uint8_t top = order[bytes - 1]; top; top >>= 1) bits++;
  return (bytes - 1) * 8 + bits;
}

uint32_t rp_base_bytes(rp_curve curve) { return rp_type_field(rp_curve_base_field(curve))->size_bytes; }

/* ---- from_affine, to_affine, neg --------------------------------------------------------------------------------- */

static rp_status shape_from_affine(const rp_shape *s) {
  rp_curve curve;
  if (!rp_type_is_affine(s->in_type[0], &curve)) return rp_shape_not_points(s, 0, "affine points");
  rp_shape_out(s, 0, rp_type_accumulator(curve), s->in_len[0]);
  return RP_OK;
}

static rp_status shape_to_affine(const rp_shape *s) {
  rp_curve curve;
  if (!rp_type_is_accumulator(s->in_type[0], &curve)) return rp_shape_not_points(s, 0, "accumulator points");
  rp_shape_out(s, 0, rp_type_affine(curve), s->in_len[0]);
  return RP_OK;
}

static rp_status shape_same(const rp_shape *s) {
  rp_curve curve;
  uint32_t is_affine;
  if (!rp_type_points(s->in_type[0], &curve, &is_affine)) return rp_shape_not_points(s, 0, "points");
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0]);
  return RP_OK;
}

static rp_status lower_map(rp_lower *l, const rp_kernel *table, uint32_t grain) {
  const rp_value in = rp_lower_in(l, 0);
  struct rp_point_map_args a = {.n = (uint32_t)rp_lower_len(l, in)};
  rp_curve curve;
  rp_type_points(rp_lower_type(l, in), &curve, &a.affine);
  rp_lower_items(l, &table[curve], a.n, grain, &a,
                 (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)});
  return RP_OK;
}

static rp_status lower_from_affine(rp_lower *l) { return lower_map(l, rp_kernels_point_from_affine, rp_grain(10)); }
static rp_status lower_to_affine(rp_lower *l) { return lower_map(l, rp_kernels_point_to_affine, 128); }
/* CUDA, with enough points that each multiprocessor has four workgroups, which hide each other's inversions: each
 * thread takes a chain of points. */
enum { CHAIN = 16, CHAIN_GROUPS = 4 };
static uint32_t chain_of(const rp_lower *l) {
  const uint64_t threads = (uint64_t)rp_lower_limits(l)->workers * CHAIN_GROUPS * RP_GPU_INVERSE_BLOCK;
  const uint64_t chain = (rp_lower_len(l, rp_lower_in(l, 0)) + threads - 1) / threads;
  return chain < CHAIN ? (uint32_t)chain : CHAIN;
}
static bool are_many(const rp_lower *l) { return chain_of(l) > 1; }
static rp_status lower_to_affine_chains(rp_lower *l) {
  const rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0);
  const struct rp_point_chains_args a = {.n = (uint32_t)rp_lower_len(l, in),
                                         .block = chain_of(l) * RP_GPU_INVERSE_BLOCK};
  rp_curve curve;
  uint32_t is_affine;
  rp_type_points(rp_lower_type(l, in), &curve, &is_affine);
  rp_gpu_dispatch(l, &rp_kernels_point_to_affine_chains[curve], rp_gpu_groups(a.n, a.block), 1, &a,
                  (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(out, RP_READ_WRITE)});
  return RP_OK;
}

static rp_status lower_neg(rp_lower *l) { return lower_map(l, rp_kernels_point_neg, rp_grain(10)); }

static const rp_strategy from_affine_strategies[] = {
    {.name = "map", .devices = RP_ON_ANY, .lower = lower_from_affine},
};
static const rp_strategy to_affine_strategies[] = {
    {.name = "chains", .devices = RP_ON(RP_DEVICE_CUDA), .applies = are_many, .lower = lower_to_affine_chains},
    {.name = "batch_inverse", .devices = RP_ON_ANY, .lower = lower_to_affine},
};
static const rp_strategy neg_strategies[] = {
    {.name = "map", .devices = RP_ON_ANY, .lower = lower_neg},
};

const rp_op rp_op_from_affine = {.struct_size = sizeof(rp_op),
                                 .flags = RP_OP_PURE,
                                 .name = "from_affine",
                                 .shape = shape_from_affine,
                                 .strategies = from_affine_strategies,
                                 .n_strategies = 1,
                                 .schema = RP_SCHEMA(.least_in = 1, .examples = "affine")};
const rp_op rp_op_to_affine = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "to_affine",
                               .shape = shape_to_affine,
                               .strategies = to_affine_strategies,
                               .n_strategies = sizeof to_affine_strategies / sizeof *to_affine_strategies,
                               .schema = RP_SCHEMA(.least_in = 1, .examples = "accumulator")};
const rp_op rp_op_point_neg = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "point_neg",
                               .shape = shape_same,
                               .strategies = neg_strategies,
                               .n_strategies = 1,
                               .schema = RP_SCHEMA(.least_in = 1, .examples = "affine")};

rp_value rp_from_affine(rp_graph *g, rp_value affine) {
  return rp_graph_node(g, &rp_op_from_affine, NULL, &affine, 1, NULL, 1);
}

rp_value rp_to_affine(rp_graph *g, rp_value acc) { return rp_graph_node(g, &rp_op_to_affine, NULL, &acc, 1, NULL, 1); }

rp_value rp_point_neg(rp_graph *g, rp_value a) { return rp_graph_node(g, &rp_op_point_neg, NULL, &a, 1, NULL, 1); }

/* ---- point_add --------------------------------------------------------------------------------------------------- */

static rp_status shape_add(const rp_shape *s) {
  rp_curve curve[2];
  uint32_t is_affine;
  uint64_t len;
  rp_status status;
  for (uint32_t i = 0; i < 2; i++)
    if (!rp_type_points(s->in_type[i], &curve[i], &is_affine)) return rp_shape_not_points(s, i, "points");
  if (curve[0] != curve[1])
    return rp_shape_fail(s, RP_ERR_TYPE, "operands are of types %s and %s", s->in_type[0]->name, s->in_type[1]->name);
  status = rp_shape_broadcast(s, &len);
  if (status == RP_OK) rp_shape_out(s, 0, rp_type_accumulator(curve[0]), len);
  return status;
}

static rp_status lower_add(rp_lower *l) {
  const rp_value x = rp_lower_in(l, 0), y = rp_lower_in(l, 1), out = rp_lower_out(l, 0);
  struct rp_point_add_args a = {
      .n = (uint32_t)rp_lower_len(l, out), .a_step = rp_lower_len(l, x) > 1, .b_step = rp_lower_len(l, y) > 1};
  rp_curve curve;
  rp_type_points(rp_lower_type(l, y), &curve, &a.b_affine);
  rp_type_points(rp_lower_type(l, x), &curve, &a.a_affine);
  rp_lower_items(l, &rp_kernels_point_add[curve], a.n, rp_grain(150), &a,
                 (rp_bind[]){RP_BIND(x, RP_READ), RP_BIND(y, RP_READ), RP_BIND(out, RP_WRITE)});
  return RP_OK;
}

static const rp_strategy add_strategies[] = {{.name = "map", .devices = RP_ON_ANY, .lower = lower_add}};

const rp_op rp_op_point_add = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "point_add",
                               .shape = shape_add,
                               .strategies = add_strategies,
                               .n_strategies = 1,
                               .schema = RP_SCHEMA(.least_in = 2, .examples = "accumulator, affine")};

rp_value rp_point_add(rp_graph *g, rp_value a, rp_value b) {
  return rp_graph_node(g, &rp_op_point_add, NULL, (rp_value[]){a, b}, 2, NULL, 1);
}
