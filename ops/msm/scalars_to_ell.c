/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Unsigned digits of scalars as a sparse matrix in ELLPACK: the first step of the product of cuZK (ePrint 2022/1321).
 *
 * kernel scalars_to_ell scalars_to_ell/5 cpu:c item:128
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "kernel_tables.h"

#include <stdio.h>
#include <string.h>

/* One item per row of a window. It takes scalars i, i + n, i + 2n and so on, and fills row i of every window. */
struct rp_scalars_to_ell_args {
  RP_ADDR(uint32_t) row_len;       /* [windows][n] */
  RP_ADDR(uint32_t) col;           /* [windows][n][width] */
  RP_ADDR(uint32_t) val;           /* as col */
  RP_ADDR(const uint32_t) scalars; /* 8 words each */
  RP_ADDR(uint32_t) error;
  uint32_t order[8]; /* the group order */
  uint32_t n, scalars_n, width, window_bits, first_window, windows, site, pad;
};
RP_ARGS_SIZE(struct rp_scalars_to_ell_args, 104);

/* A kernel counts the words of all scalars in 32 bits. */
#define MOST_SCALARS ((uint64_t)UINT32_MAX / 8)

typedef struct params {
  uint64_t rows; /* of a window */
  rp_curve curve;
  uint32_t window_bits, first_window, windows;
} params;

enum { OUT_ROW_LEN, OUT_COL, OUT_VAL };

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  const uint32_t all = rp_msm_windows(p->curve, p->window_bits);
  if (p->windows <= all && p->first_window <= all - p->windows) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "%u windows from window %u on, and scalars have %u of %u bits", p->windows,
                       p->first_window, all, p->window_bits);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const uint64_t n = s->in_len[0];
  if (s->in_type[0]->id != RP_TYPE_U256.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the scalars are of type %s, not u256", s->in_type[0]->name);
  if (p->rows < 1 || p->rows > n || n > MOST_SCALARS)
    return rp_shape_fail(s, RP_ERR_SHAPE,
                         "%llu rows for %llu scalars; there must be 1 to as many, and at most 2^29 - 1",
                         (unsigned long long)p->rows, (unsigned long long)n);
  const uint64_t rows = p->rows * p->windows, width = (n + p->rows - 1) / p->rows;
  if (rows * width > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu rows of %llu places: entries must fit 32 bits",
                         (unsigned long long)rows, (unsigned long long)width);
  rp_shape_out(s, OUT_ROW_LEN, &RP_TYPE_U32, rows);
  rp_shape_out(s, OUT_COL, &RP_TYPE_U32, rows * width);
  rp_shape_out(s, OUT_VAL, &RP_TYPE_U32, rows * width);
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value scalars = rp_lower_in(l, 0);
  const uint64_t n = rp_lower_len(l, scalars);
  struct rp_scalars_to_ell_args a = {.n = (uint32_t)p->rows,
                                     .scalars_n = (uint32_t)n,
                                     .width = (uint32_t)((n + p->rows - 1) / p->rows),
                                     .window_bits = p->window_bits,
                                     .first_window = p->first_window,
                                     .windows = p->windows,
                                     .site = rp_lower_site(l)};
  const uint64_t item_ns = (uint64_t)a.width * (10 + 3 * a.windows);
  memcpy(a.order, rp_curve_get(p->curve)->order_le, sizeof a.order);
  rp_lower_items(l, &rp_kernel_scalars_to_ell, a.n, rp_grain(item_ns < 10000 ? (uint32_t)item_ns : 10000), &a,
                 (rp_bind[]){RP_BIND(rp_lower_out(l, OUT_ROW_LEN), RP_READ_WRITE),
                             RP_BIND(rp_lower_out(l, OUT_COL), RP_WRITE), RP_BIND(rp_lower_out(l, OUT_VAL), RP_WRITE),
                             RP_BIND(scalars, RP_READ), RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}

static int describe(const void *params_, char *text, size_t bytes) {
  const params *p = params_;
  return snprintf(text, bytes, "%s rows=%llu window_bits=%u windows=%u", rp_curve_name(p->curve),
                  (unsigned long long)p->rows, p->window_bits, p->windows);
}

static const rp_strategy strategies[] = {{.name = "rows", .devices = RP_ON_ANY, .lower = lower}};

const rp_op rp_op_scalars_to_ell = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "scalars_to_ell",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .describe = describe,
    .schema = RP_SCHEMA(.least_in = 1, .least_out = 3, .check = check,
                        RP_PARAMS(RP_PARAM_ANY(params, rows), RP_PARAM_CURVE(params, curve),
                                  RP_PARAM_UPTO(params, window_bits, 1, RP_WINDOW_BITS_MAX - 1),
                                  RP_PARAM_UPTO(params, first_window, 0, RP_WINDOWS_MAX),
                                  RP_PARAM_UPTO(params, windows, 1, RP_WINDOWS_MAX)),
                        .examples = "scalar; rows=n, window_bits=5, windows=1, curve=curve -> 3")};

/* The rule of cuZK's program: L - (L / 3 - 2) bits for up to 2^L points. */
static uint32_t chosen_bits(uint64_t n) {
  uint32_t log = 0;
  while (log < 63 && (uint64_t)1 << log < n) log++;
  const uint32_t bits = log + 2 - log / 3;
  return bits < RP_WINDOW_BITS_MAX ? bits : RP_WINDOW_BITS_MAX - 1;
}

enum { CHOSEN_WIDTH = 32 };

rp_ell rp_scalars_to_ell(rp_graph *g, rp_value scalars, const rp_scalars_to_ell_options *options) {
  const rp_ell none = {0};
  rp_scalars_to_ell_options o;
  rp_field field;
  params p;
  rp_value out[3];
  if (!options || !rp_options_read(&o, sizeof o, options) || (unsigned)o.curve >= RP_CURVE_COUNT) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "scalars_to_ell: options with a curve are needed");
    return none;
  }
  if (!rp_value_check(g, scalars, "scalars_to_ell", "scalars")) return none;
  const uint64_t n = rp_value_len(g, scalars);
  memset(&p, 0, sizeof p); /* padding too: the bytes of two nodes are compared */
  p.curve = o.curve;
  p.rows = o.rows ? o.rows : (n + CHOSEN_WIDTH - 1) / CHOSEN_WIDTH;
  p.window_bits = o.window_bits ? o.window_bits : chosen_bits(n);
  if (p.window_bits >= RP_WINDOW_BITS_MAX) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "scalars_to_ell: windows of %u bits; they have at most %d", p.window_bits,
                  RP_WINDOW_BITS_MAX - 1);
    return none;
  }
  const uint32_t all = rp_msm_windows(p.curve, p.window_bits);
  p.first_window = o.first_window;
  p.windows = o.windows ? o.windows : all - (o.first_window < all ? o.first_window : 0);
  if (p.windows > all || p.first_window > all - p.windows) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "scalars_to_ell: %u windows from window %u on, and scalars have %u of %u bits",
                  p.windows, p.first_window, all, p.window_bits);
    return none;
  }
  if (rp_type_is_field(rp_value_type(g, scalars), &field) && field == rp_curve_scalar_field(p.curve))
    scalars = rp_to_canonical(g, scalars);
  rp_graph_node(g, &rp_op_scalars_to_ell, &p, &scalars, 1, out, 3);
  return (rp_ell){.row_len = out[OUT_ROW_LEN],
                  .col = out[OUT_COL],
                  .val = out[OUT_VAL],
                  .rows = p.rows * p.windows,
                  .cols = (uint64_t)p.windows << p.window_bits,
                  .width = p.rows ? (n + p.rows - 1) / p.rows : 0};
}
