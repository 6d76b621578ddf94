/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables of the multiples of fixed bases, and scalar multiplication with them.
 *
 * kernel fixed_base_table fixed_base_table/3 curves cpu:ifma products:base_table
 * kernel fixed_base_table fixed_base_table/2 curves gpu:128 table:fixed_base_table_gpu products:base_table
 * kernel fixed_base_mul fixed_base_mul/5 curves cpu:ifma products:base_mul
 * kernel fixed_base_mul fixed_base_mul/4 curves gpu:128 int64 table:fixed_base_mul_gpu products:base_mul
 */
#include "points/points.h"
#include "points/fixed_base_memory.h"
#include "lower/gpu.h"
#include "kernel_tables.h"

#include <stdio.h>

/* Kernel arguments of tables of fixed bases and of scalar multiplication with them. */

/* One item per point and window, [point][window]. table[item][m - 1] = m * 2^(window_bits * window) * point */
struct rp_fixed_base_table_args {
  RP_ADDR(uint64_t) points;
  RP_ADDR(uint64_t) table;
  RP_ADDR(uint64_t) workspace; /* CPU only: [worker][workspace_words] */
  uint32_t windows, window_bits, workspace_words, reserved;
};
RP_ARGS_SIZE(struct rp_fixed_base_table_args, 40);

struct rp_fixed_base_mul_args {
  RP_ADDR(uint64_t) scalars;
  RP_ADDR(uint64_t) table;
  RP_ADDR(uint64_t) out; /* accumulator */
  RP_ADDR(uint32_t) error;
  RP_ADDR(uint64_t) workspace; /* CPU only: [worker][workspace_words] */
  uint32_t n, bases, windows, window_bits, workspace_words, batch, site, reserved;
};
RP_ARGS_SIZE(struct rp_fixed_base_mul_args, 72);

#define RP_FIXED_BASE_GROUP 128 /* threads per workgroup */

enum { FIXED_BASE_WINDOW_MAX = 20 };

typedef struct table_params {
  uint32_t window_bits, windows;
} table_params;

/* The number of windows follows from the curve of the points, which are operand i. */
static rp_status check_windows(const rp_draft *d, uint32_t i, uint32_t window_bits, uint32_t windows) {
  rp_curve curve;
  if (!rp_type_is_affine(rp_value_type(d->graph, d->in[i]), &curve)) return RP_OK; /* the shape rule reports it */
  const uint32_t needed = (rp_order_bits(curve) + window_bits - 1) / window_bits;
  if (windows == needed) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "%u windows of %u bits over %s, which needs %u", windows, window_bits,
                       rp_curve_name(curve), needed);
}

static rp_status check_table(const rp_draft *d) {
  const table_params *p = d->params;
  return check_windows(d, 0, p->window_bits, p->windows);
}

static rp_status shape_table(const rp_shape *s) {
  const table_params *p = s->params;
  rp_curve curve;
  rp_status status = rp_shape_affine(s, 0, &curve);
  if (status == RP_OK && s->in_len[0] > RP_MAX_LEN) /* so that the product does not wrap */
    status = rp_shape_fail(s, RP_ERR_SHAPE, "%llu points, not at most 2^32 - 1", (unsigned long long)s->in_len[0]);
  if (status == RP_OK)
    rp_shape_out(s, 0, rp_type_affine(curve), s->in_len[0] * p->windows * (((uint64_t)1 << p->window_bits) - 1));
  return status;
}

static rp_status lower_table_cpu(rp_lower *l) {
  const table_params *p = rp_lower_params(l);
  const rp_value points = rp_lower_in(l, 0);
  struct rp_fixed_base_table_args a = {.windows = p->windows, .window_bits = p->window_bits};
  rp_curve curve;
  rp_value workspace;
  rp_type_is_affine(rp_lower_type(l, points), &curve);
  a.workspace_words = rp_fixed_base_table_words(p->window_bits, rp_base_bytes(curve));
  workspace = rp_lower_scratch(l, "workspace", &RP_TYPE_U64, (uint64_t)rp_lower_limits(l)->workers * a.workspace_words);
  rp_lower_items(l, &rp_kernels_fixed_base_table[curve], rp_lower_len(l, points) * p->windows, 1, &a,
                 (rp_bind[]){RP_BIND(points, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_READ_WRITE),
                             RP_BIND(workspace, RP_READ_WRITE)});
  return RP_OK;
}

/* On GPUs one thread makes one entry of the table, or one product; there is no workspace. */
static rp_status lower_table_gpu(rp_lower *l) {
  const table_params *p = rp_lower_params(l);
  const rp_value points = rp_lower_in(l, 0);
  const uint32_t row = ((uint32_t)1 << p->window_bits) - 1;
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, points), &curve);
  rp_gpu_dispatch(l, &rp_kernels_fixed_base_table_gpu[curve],
                  rp_gpu_groups(row, RP_FIXED_BASE_GROUP) * (uint32_t)rp_lower_len(l, points) * p->windows, 1,
                  &(struct rp_fixed_base_table_args){.windows = p->windows, .window_bits = p->window_bits},
                  (rp_bind[]){RP_BIND(points, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)});
  return RP_OK;
}

static int describe_table(const void *params, char *text, size_t bytes) {
  const table_params *p = params;
  return snprintf(text, bytes, "window_bits=%u windows=%u", p->window_bits, p->windows);
}

static const rp_strategy table_strategies[] = {
    {.name = "doubling_rows", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_table_cpu},
    {.name = "entries", .devices = RP_ON_GPU, .lower = lower_table_gpu},
};

const rp_op rp_op_fixed_base_table = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "fixed_base_table",
    .params_bytes = sizeof(table_params),
    .shape = shape_table,
    .strategies = table_strategies,
    .n_strategies = sizeof table_strategies / sizeof *table_strategies,
    .describe = describe_table,
    .schema = RP_SCHEMA(.least_in = 1, .check = check_table,
                        RP_PARAMS(RP_PARAM_UPTO(table_params, window_bits, 1, FIXED_BASE_WINDOW_MAX),
                                  RP_PARAM_UPTO(table_params, windows, 1, UINT32_MAX)))};

rp_fixed_base rp_fixed_base_table(rp_graph *g, rp_value points, uint32_t window_bits) {
  rp_fixed_base base = {.n = rp_value_len(g, points), .window_bits = window_bits};
  const rp_type *type = rp_value_type(g, points);
  table_params p;
  if (!rp_value_check(g, points, "fixed_base_table", "points")) return base;
  if (!rp_type_is_affine(type, &base.curve)) {
    rp_graph_fail(g, RP_ERR_TYPE, "fixed_base_table: the points are not affine points");
    return base;
  }
  if (window_bits > FIXED_BASE_WINDOW_MAX) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "fixed_base_table: %u window bits are asked for; at most %d are possible",
                  window_bits, FIXED_BASE_WINDOW_MAX);
    return base;
  }
  /* Chosen so that the tables of all bases together take a few tens of megabytes, but at least 4 bits. */
  if (!window_bits) {
    for (base.window_bits = 16; base.window_bits > 4 && base.n << base.window_bits > 1u << 16;) base.window_bits--;
  }
  p = (table_params){base.window_bits, (rp_order_bits(base.curve) + base.window_bits - 1) / base.window_bits};
  base.table = rp_graph_node(g, &rp_op_fixed_base_table, &p, &points, 1, NULL, 1);
  return base;
}

typedef struct fixed_params {
  uint64_t n;
  uint32_t window_bits, windows;
} fixed_params;

static rp_status check_fixed(const rp_draft *d) {
  const fixed_params *p = d->params;
  return check_windows(d, 1, p->window_bits, p->windows);
}

static rp_status shape_fixed(const rp_shape *s) {
  const fixed_params *p = s->params;
  rp_curve curve;
  rp_status status = rp_shape_scalars(s, 0);
  if (status == RP_OK) status = rp_shape_affine(s, 1, &curve);
  if (status != RP_OK) return status;
  if (s->in_len[1] != p->n * p->windows * (((uint64_t)1 << p->window_bits) - 1))
    return rp_shape_fail(s, RP_ERR_SHAPE, "the table has %llu points, not %llu times %u windows of %u bits",
                         (unsigned long long)s->in_len[1], (unsigned long long)p->n, p->windows, p->window_bits);
  rp_shape_out(s, 0, rp_type_accumulator(curve), s->in_len[0]);
  return RP_OK;
}

static rp_status lower_fixed_cpu(rp_lower *l) {
  const fixed_params *p = rp_lower_params(l);
  const rp_value scalars = rp_lower_in(l, 0), table = rp_lower_in(l, 1);
  struct rp_fixed_base_mul_args a = {.n = (uint32_t)rp_lower_len(l, scalars),
                                     .bases = (uint32_t)p->n,
                                     .windows = p->windows,
                                     .window_bits = p->window_bits,
                                     .site = rp_lower_site(l)};
  rp_curve curve;
  rp_value workspace;
  rp_type_is_affine(rp_lower_type(l, table), &curve);
  a.workspace_words = rp_fixed_base_mul_words(rp_type_affine(curve)->size_bytes, rp_base_bytes(curve));
  workspace = rp_lower_scratch(l, "workspace", &RP_TYPE_U64, (uint64_t)rp_lower_limits(l)->workers * a.workspace_words);
  rp_lower_items(l, &rp_kernels_fixed_base_mul[curve], a.n, RP_FIXED_BASE_BATCH, &a,
                 (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(table, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                             RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC), RP_BIND(workspace, RP_READ_WRITE)});
  return RP_OK;
}

static rp_status lower_fixed_gpu(rp_lower *l) {
  const fixed_params *p = rp_lower_params(l);
  const rp_value scalars = rp_lower_in(l, 0), table = rp_lower_in(l, 1);
  const struct rp_fixed_base_mul_args a = {.n = (uint32_t)rp_lower_len(l, scalars),
                                           .bases = (uint32_t)p->n,
                                           .windows = p->windows,
                                           .window_bits = p->window_bits,
                                           .site = rp_lower_site(l)};
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, table), &curve);
  rp_gpu_dispatch(l, &rp_kernels_fixed_base_mul_gpu[curve], rp_gpu_groups(a.n, RP_FIXED_BASE_GROUP), 1, &a,
                  (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(table, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                              RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}

static const rp_strategy fixed_strategies[] = {
    {.name = "batch_affine", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_fixed_cpu},
    {.name = "sums", .devices = RP_ON_GPU, .lower = lower_fixed_gpu},
};

const rp_op rp_op_fixed_base_mul = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "fixed_base_mul",
    .params_bytes = sizeof(fixed_params),
    .shape = shape_fixed,
    .strategies = fixed_strategies,
    .n_strategies = sizeof fixed_strategies / sizeof *fixed_strategies,
    .schema = RP_SCHEMA(.least_in = 2, .check = check_fixed,
                        RP_PARAMS(RP_PARAM_UPTO(fixed_params, n, 1, RP_MAX_LEN),
                                  RP_PARAM_UPTO(fixed_params, window_bits, 1, FIXED_BASE_WINDOW_MAX),
                                  RP_PARAM_UPTO(fixed_params, windows, 1, UINT32_MAX)))};

rp_value rp_fixed_base_mul(rp_graph *g, const rp_fixed_base *base, rp_value scalars) {
  fixed_params p;
  /* The description is the caller's. Within these bounds the number of points that it implies does not wrap. */
  if (!base || !base->n || base->n > RP_MAX_LEN || !base->window_bits || base->window_bits > FIXED_BASE_WINDOW_MAX ||
      (unsigned)base->curve >= RP_CURVE_COUNT)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "fixed_base_mul: base does not describe a table of fixed_base_table");
  p = (fixed_params){base->n, base->window_bits,
                     (rp_order_bits(base->curve) + base->window_bits - 1) / base->window_bits};
  return rp_graph_node(g, &rp_op_fixed_base_mul, &p, (rp_value[]){scalars, base->table}, 2, NULL, 1);
}
