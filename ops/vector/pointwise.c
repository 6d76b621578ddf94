/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations: add, sub, mul, neg, mul_sub.
 *
 * kernel vec_add binary/3 fields cpu:ifma item:256 products:none
 * kernel vec_sub binary/3 fields cpu:ifma item:256 products:none
 * kernel vec_mul binary/3 fields cpu:ifma item:256 int64 products:per_result
 * kernel vec_neg unary/2 fields cpu:ifma item:256 products:none
 * kernel vec_mul_sub ternary/4 fields cpu:ifma item:256 int64 products:per_result
 */
#include "vector/expr.h"
#include "kernel_tables.h"

/* Element-wise operations: out[i] = f(a[i * a_step], ...). Steps are 0 (broadcast) or 1. One item per element. */
struct rp_unary_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) a;
  uint32_t n, pad;
};
RP_ARGS_SIZE(struct rp_unary_args, 24);

struct rp_binary_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) a;
  RP_ADDR(const void) b;
  uint32_t n, a_step, b_step, pad;
};
RP_ARGS_SIZE(struct rp_binary_args, 40);

struct rp_ternary_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) a;
  RP_ADDR(const void) b;
  RP_ADDR(const void) c;
  uint32_t n, a_step, b_step, c_step;
};
RP_ARGS_SIZE(struct rp_ternary_args, 48);

static rp_status pointwise_shape(const rp_shape *s) {
  rp_field field;
  uint64_t len;
  rp_status st = rp_shape_one_field(s, &field);
  if (st == RP_OK) st = rp_shape_broadcast(s, &len);
  if (st == RP_OK) rp_shape_out(s, 0, s->in_type[0], len);
  return st;
}

/* Operand i of a node with this result. */
static rp_bind operand(const rp_lower *l, rp_value out, uint32_t i) {
  const rp_value v = rp_lower_in(l, i);
  return RP_BIND(v, rp_read_of_item(l, out, v));
}

/* 1, or 0 for an operand that is broadcast. */
static uint32_t step(const rp_lower *l, uint32_t i) { return rp_lower_len(l, rp_lower_in(l, i)) != 1; }

static rp_status lower_unary(rp_lower *l, const rp_kernel *kernels) {
  rp_value out = rp_lower_out(l, 0);
  struct rp_unary_args args = {.n = (uint32_t)rp_lower_len(l, out)};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), operand(l, out, 0)};
  rp_lower_items(l, &kernels[rp_lower_field(l, out)], args.n, rp_grain(3), &args, binds);
  return RP_OK;
}

static rp_status lower_binary(rp_lower *l, const rp_kernel *kernels) {
  rp_value out = rp_lower_out(l, 0);
  struct rp_binary_args args = {.n = (uint32_t)rp_lower_len(l, out), .a_step = step(l, 0), .b_step = step(l, 1)};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), operand(l, out, 0), operand(l, out, 1)};
  rp_lower_items(l, &kernels[rp_lower_field(l, out)], args.n, rp_grain(10), &args, binds);
  return RP_OK;
}

static rp_status lower_ternary(rp_lower *l, const rp_kernel *kernels) {
  rp_value out = rp_lower_out(l, 0);
  struct rp_ternary_args args = {
      .n = (uint32_t)rp_lower_len(l, out), .a_step = step(l, 0), .b_step = step(l, 1), .c_step = step(l, 2)};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), operand(l, out, 0), operand(l, out, 1), operand(l, out, 2)};
  rp_lower_items(l, &kernels[rp_lower_field(l, out)], args.n, rp_grain(15), &args, binds);
  return RP_OK;
}

static rp_status lower_add(rp_lower *l) { return lower_binary(l, rp_kernels_vec_add); }
static rp_status lower_sub(rp_lower *l) { return lower_binary(l, rp_kernels_vec_sub); }
static rp_status lower_mul(rp_lower *l) { return lower_binary(l, rp_kernels_vec_mul); }
static rp_status lower_neg(rp_lower *l) { return lower_unary(l, rp_kernels_vec_neg); }
static rp_status lower_mul_sub(rp_lower *l) { return lower_ternary(l, rp_kernels_vec_mul_sub); }

static const rp_strategy add_strategy = {"elements", RP_ON_ANY, NULL, lower_add};
static const rp_strategy sub_strategy = {"elements", RP_ON_ANY, NULL, lower_sub};
static const rp_strategy mul_strategy = {"elements", RP_ON_ANY, NULL, lower_mul};
static const rp_strategy neg_strategy = {"elements", RP_ON_ANY, NULL, lower_neg};
static const rp_strategy mul_sub_strategy = {"elements", RP_ON_ANY, NULL, lower_mul_sub};

const rp_op rp_op_add = {.struct_size = sizeof(rp_op),
                         .name = "add",
                         .shape = pointwise_shape,
                         .strategies = &add_strategy,
                         .n_strategies = 1,
                         .flags = RP_OP_PURE,
                         .schema = RP_SCHEMA(.least_in = 2, .rewrites = &rp_fuse_elements, .examples = "field, field")};
const rp_op rp_op_sub = {
    .struct_size = sizeof(rp_op),
    .name = "sub",
    .shape = pointwise_shape,
    .strategies = &sub_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 2, .rewrites = &rp_fuse_elements, .examples = "field, field | field, field[1]")};
const rp_op rp_op_mul = {
    .struct_size = sizeof(rp_op),
    .name = "mul",
    .shape = pointwise_shape,
    .strategies = &mul_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 2, .rewrites = &rp_fuse_elements, .examples = "field, field", .products = 1)};
const rp_op rp_op_neg = {.struct_size = sizeof(rp_op),
                         .name = "neg",
                         .shape = pointwise_shape,
                         .strategies = &neg_strategy,
                         .n_strategies = 1,
                         .flags = RP_OP_PURE,
                         .schema = RP_SCHEMA(.least_in = 1, .rewrites = &rp_fuse_elements, .examples = "field")};
const rp_op rp_op_mul_sub = {.struct_size = sizeof(rp_op),
                             .name = "mul_sub",
                             .shape = pointwise_shape,
                             .strategies = &mul_sub_strategy,
                             .n_strategies = 1,
                             .flags = RP_OP_PURE,
                             .schema =
                                 RP_SCHEMA(.least_in = 3, .rewrites = &rp_fuse_elements,
                                           .examples = "field, field, field | field, field, field[1]", .products = 1)};

rp_value rp_add(rp_graph *g, rp_value a, rp_value b) {
  return rp_graph_node(g, &rp_op_add, NULL, (rp_value[]){a, b}, 2, NULL, 1);
}

rp_value rp_sub(rp_graph *g, rp_value a, rp_value b) {
  return rp_graph_node(g, &rp_op_sub, NULL, (rp_value[]){a, b}, 2, NULL, 1);
}

rp_value rp_mul(rp_graph *g, rp_value a, rp_value b) {
  return rp_graph_node(g, &rp_op_mul, NULL, (rp_value[]){a, b}, 2, NULL, 1);
}

rp_value rp_neg(rp_graph *g, rp_value a) { return rp_graph_node(g, &rp_op_neg, NULL, &a, 1, NULL, 1); }

rp_value rp_mul_sub(rp_graph *g, rp_value a, rp_value b, rp_value c) {
  return rp_graph_node(g, &rp_op_mul_sub, NULL, (rp_value[]){a, b, c}, 3, NULL, 1);
}
