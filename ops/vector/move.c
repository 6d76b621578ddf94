/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moving elements of any type: slice, concat, pad, gather, select.
 *
 * kernel copy copy/2 cpu:c gpu:256
 * kernel select_elements select/4 cpu:c gpu:256
 * kernel zero zero/1 cpu:c gpu:256
 * kernel gather gather/4 cpu:c gpu:256
 */
#include "lower/lower.h"

#include "vector/slice.h"
#include "kernel_tables.h"

/* Moving elements of any type. One item per element. */

/* out[i] = in[i] */
struct rp_copy_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  uint32_t n, size_bytes;
};
RP_ARGS_SIZE(struct rp_copy_args, 24);

/* out[i] = 0 */
struct rp_zero_args {
  RP_ADDR(void) out;
  uint32_t n, size_bytes;
};
RP_ARGS_SIZE(struct rp_zero_args, 16);

/* out[i] = condition[0] != 0 ? a[i] : b[i] */
struct rp_select_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint32_t) condition;
  RP_ADDR(const void) a;
  RP_ADDR(const void) b;
  uint32_t n, size_bytes;
};
RP_ARGS_SIZE(struct rp_select_args, 40);

/* out[i] = x[index[i]]; x has len elements */
struct rp_gather_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(const uint32_t) index;
  RP_ADDR(void) error;
  uint32_t n, len, size_bytes, site;
};
RP_ARGS_SIZE(struct rp_gather_args, 48);

static rp_status check_len(const rp_shape *s, uint64_t len) {
  if (len && len <= RP_MAX_LEN) return RP_OK;
  return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu elements, not 1 to 2^32 - 1", (unsigned long long)len);
}

/* out[out_first + i] = in[in_first + i] for i < count. */
static void lower_copy(rp_lower *l, rp_value out, uint64_t out_first, rp_value in, uint64_t in_first, uint64_t count) {
  uint32_t size = rp_lower_type(l, out)->size_bytes;
  struct rp_copy_args args = {.n = (uint32_t)count, .size_bytes = size};
  rp_bind binds[] = {{out, RP_WRITE, out_first, count}, {in, RP_READ, in_first, count}};
  rp_lower_items(l, &rp_kernel_copy, count, rp_grain(1 + size / 16), &args, binds);
}

/* ---- slice ------------------------------------------------------------------------------------------------------- */

static rp_status slice_shape(const rp_shape *s) {
  const rp_slice_params *p = s->params;
  if (p->first > s->in_len[0] || p->len > s->in_len[0] - p->first)
    return rp_shape_fail(s, RP_ERR_SHAPE, "elements %llu to %llu are asked for, but there are %llu",
                         (unsigned long long)p->first, (unsigned long long)(p->first + p->len),
                         (unsigned long long)s->in_len[0]);
  rp_shape_out(s, 0, s->in_type[0], p->len);
  return check_len(s, p->len);
}

rp_status rp_lower_slice(rp_lower *l) {
  const rp_slice_params *p = rp_lower_params(l);
  lower_copy(l, rp_lower_out(l, 0), 0, rp_lower_in(l, 0), p->first, p->len);
  return RP_OK;
}

uint64_t rp_slice_first(const void *params) { return ((const rp_slice_params *)params)->first; }

static const rp_strategy slice_strategy = {"copy", RP_ON_ANY, NULL, rp_lower_slice};
const rp_op rp_op_slice = {
    .struct_size = sizeof(rp_op),
    .name = "slice",
    .params_bytes = sizeof(rp_slice_params),
    .shape = slice_shape,
    .strategies = &slice_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .slice_first = rp_slice_first,
    .schema =
        RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_ANY(rp_slice_params, first), RP_PARAM_ANY(rp_slice_params, len)),
                  .examples = "field; first=1, len=n-1")};

rp_value rp_slice(rp_graph *g, rp_value x, uint64_t first, uint64_t len) {
  rp_slice_params p = {first, len};
  return rp_graph_node(g, &rp_op_slice, &p, &x, 1, NULL, 1);
}

rp_value rp_copy_to(rp_graph *g, rp_value x, uint32_t device) {
  if (!g || !rp_value_check(g, x, "copy_to", "x")) return RP_NO_VALUE;
  const uint32_t before = rp_on(g, device);
  const rp_value copy = rp_slice(g, x, 0, rp_value_len(g, x));
  (void)rp_on(g, before);
  return copy;
}

/* ---- concat ------------------------------------------------------------------------------------------------------ */

static rp_status concat_shape(const rp_shape *s) {
  uint64_t len = 0;
  for (uint32_t i = 0; i < s->n_in; i++) {
    if (s->in_type[i]->id != s->in_type[0]->id)
      return rp_shape_fail(s, RP_ERR_TYPE, "part %u is of type %s, and part 0 is of type %s", i, s->in_type[i]->name,
                           s->in_type[0]->name);
    if (s->in_len[i] > RP_MAX_LEN - len) return check_len(s, RP_MAX_LEN + 1);
    len += s->in_len[i];
  }
  rp_shape_out(s, 0, s->in_type[0], len);
  return RP_OK;
}

static rp_status concat_lower(rp_lower *l) {
  uint64_t at = 0;
  for (uint32_t i = 0; i < rp_lower_n_in(l); i++) {
    rp_value part = rp_lower_in(l, i);
    uint64_t len = rp_lower_len(l, part);
    lower_copy(l, rp_lower_out(l, 0), at, part, 0, len);
    at += len;
  }
  return RP_OK;
}

static const rp_strategy concat_strategy = {"copy", RP_ON_ANY, NULL, concat_lower};
const rp_op rp_op_concat = {.struct_size = sizeof(rp_op),
                            .name = "concat",
                            .shape = concat_shape,
                            .strategies = &concat_strategy,
                            .n_strategies = 1,
                            .flags = RP_OP_PURE | RP_OP_CONCAT,
                            .schema = RP_SCHEMA(.least_in = 1, .most_in = UINT32_MAX, .examples = "field, field[1]")};

rp_value rp_concat(rp_graph *g, const rp_value *parts, uint32_t n_parts) {
  if (!parts || !n_parts) return rp_graph_fail(g, RP_ERR_ARGUMENT, "concat: there are no parts");
  return rp_graph_node(g, &rp_op_concat, NULL, parts, n_parts, NULL, 1);
}

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

static rp_status coordinates_shape(const rp_shape *s) {
  rp_curve curve;
  const rp_status status = rp_shape_affine(s, 0, &curve);
  if (status != RP_OK) return status;
  rp_shape_out(s, 0, rp_type_field(rp_curve_base_field(curve)), 2 * s->in_len[0]);
  return check_len(s, 2 * s->in_len[0]);
}

static rp_status coordinates_lower(rp_lower *l) {
  const rp_value in = rp_lower_in(l, 0);
  const uint64_t n = rp_lower_len(l, in);
  const uint32_t size = rp_lower_type(l, in)->size_bytes;
  struct rp_copy_args args = {.n = (uint32_t)n, .size_bytes = size};
  rp_bind binds[] = {RP_BIND(rp_lower_out(l, 0), RP_WRITE), RP_BIND(in, RP_READ)};
  rp_lower_items(l, &rp_kernel_copy, n, rp_grain(1 + size / 16), &args, binds);
  return RP_OK;
}

static const rp_strategy coordinates_strategy = {"copy", RP_ON_ANY, NULL, coordinates_lower};
const rp_op rp_op_point_coordinates = {.struct_size = sizeof(rp_op),
                                       .name = "point_coordinates",
                                       .shape = coordinates_shape,
                                       .strategies = &coordinates_strategy,
                                       .n_strategies = 1,
                                       .flags = RP_OP_PURE,
                                       .schema = RP_SCHEMA(.least_in = 1, .examples = "affine")};

rp_value rp_point_coordinates(rp_graph *g, rp_value affine) {
  return rp_graph_node(g, &rp_op_point_coordinates, NULL, &affine, 1, NULL, 1);
}

/* ---- pad --------------------------------------------------------------------------------------------------------- */

struct pad_params {
  uint64_t len;
};

static rp_status pad_shape(const rp_shape *s) {
  const struct pad_params *p = s->params;
  if (p->len < s->in_len[0])
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu elements cannot be padded to %llu", (unsigned long long)s->in_len[0],
                         (unsigned long long)p->len);
  rp_shape_out(s, 0, s->in_type[0], p->len);
  return check_len(s, p->len);
}

static rp_status pad_lower(rp_lower *l) {
  rp_value out = rp_lower_out(l, 0), in = rp_lower_in(l, 0);
  uint64_t len = rp_lower_len(l, in), rest = rp_lower_len(l, out) - len;
  uint32_t size = rp_lower_type(l, out)->size_bytes;
  lower_copy(l, out, 0, in, 0, len);
  if (!rest) return RP_OK;
  struct rp_zero_args args = {.n = (uint32_t)rest, .size_bytes = size};
  rp_bind binds[] = {{out, RP_WRITE, len, rest}};
  rp_lower_items(l, &rp_kernel_zero, rest, rp_grain(1 + size / 16), &args, binds);
  return RP_OK;
}

static const rp_strategy pad_strategy = {"copy", RP_ON_ANY, NULL, pad_lower};
const rp_op rp_op_pad = {
    .struct_size = sizeof(rp_op),
    .name = "pad",
    .params_bytes = sizeof(struct pad_params),
    .shape = pad_shape,
    .strategies = &pad_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_ANY(struct pad_params, len)), .examples = "field; len=n+3")};

rp_value rp_pad(rp_graph *g, rp_value x, uint64_t len) {
  struct pad_params p = {len};
  return rp_graph_node(g, &rp_op_pad, &p, &x, 1, NULL, 1);
}

/* ---- gather ------------------------------------------------------------------------------------------------------ */

static rp_status gather_shape(const rp_shape *s) {
  if (s->in_type[1]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the index is of type %s, not u32", s->in_type[1]->name);
  rp_shape_out(s, 0, s->in_type[0], s->in_len[1]);
  return s->in_len[0] > RP_MAX_LEN ? check_len(s, s->in_len[0]) : check_len(s, s->in_len[1]);
}

void rp_lower_gather(rp_lower *l, rp_value out, rp_value x, rp_value index) {
  struct rp_gather_args args = {.n = (uint32_t)rp_lower_len(l, out),
                                .len = (uint32_t)rp_lower_len(l, x),
                                .size_bytes = rp_lower_type(l, out)->size_bytes,
                                .site = rp_lower_site(l)};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(x, RP_READ), RP_BIND(index, RP_READ),
                     RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  rp_lower_items(l, &rp_kernel_gather, args.n, rp_grain(8), &args, binds);
}

static rp_status gather_lower(rp_lower *l) {
  rp_lower_gather(l, rp_lower_out(l, 0), rp_lower_in(l, 0), rp_lower_in(l, 1));
  return RP_OK;
}

static const rp_strategy gather_strategy = {"elements", RP_ON_ANY, NULL, gather_lower};
const rp_op rp_op_gather = {.struct_size = sizeof(rp_op),
                            .name = "gather",
                            .shape = gather_shape,
                            .strategies = &gather_strategy,
                            .n_strategies = 1,
                            .flags = RP_OP_PURE,
                            .schema = RP_SCHEMA(.least_in = 2, .examples = "field, index")};

rp_value rp_gather(rp_graph *g, rp_value x, rp_value index) {
  return rp_graph_node(g, &rp_op_gather, NULL, (rp_value[]){x, index}, 2, NULL, 1);
}

/* ---- select ------------------------------------------------------------------------------------------------------ */

static rp_status select_shape(const rp_shape *s) {
  if (s->in_type[0]->id != RP_TYPE_U32.id || s->in_len[0] != 1)
    return rp_shape_fail(s, RP_ERR_TYPE, "the condition is %llu elements of %s, not one u32",
                         (unsigned long long)s->in_len[0], s->in_type[0]->name);
  if (s->in_type[1]->id != s->in_type[2]->id)
    return rp_shape_fail(s, RP_ERR_TYPE, "a is of type %s, and b is of type %s", s->in_type[1]->name,
                         s->in_type[2]->name);
  if (s->in_len[1] != s->in_len[2])
    return rp_shape_fail(s, RP_ERR_SHAPE, "a has %llu elements, and b has %llu", (unsigned long long)s->in_len[1],
                         (unsigned long long)s->in_len[2]);
  rp_shape_out(s, 0, s->in_type[1], s->in_len[1]);
  return check_len(s, s->in_len[1]);
}

static rp_status select_lower(rp_lower *l) {
  const rp_value out = rp_lower_out(l, 0), condition = rp_lower_in(l, 0), a = rp_lower_in(l, 1), b = rp_lower_in(l, 2);
  const uint64_t n = rp_lower_len(l, out);
  const uint32_t size = rp_lower_type(l, out)->size_bytes;
  struct rp_select_args args = {.n = (uint32_t)n, .size_bytes = size};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(condition, RP_READ), RP_BIND(a, RP_READ), RP_BIND(b, RP_READ)};
  rp_lower_items(l, &rp_kernel_select_elements, n, rp_grain(1 + size / 16), &args, binds);
  return RP_OK;
}

static const rp_strategy select_strategy = {"copy", RP_ON_ANY, NULL, select_lower};
const rp_op rp_op_select = {.struct_size = sizeof(rp_op),
                            .name = "select",
                            .shape = select_shape,
                            .strategies = &select_strategy,
                            .n_strategies = 1,
                            .flags = RP_OP_PURE,
                            .schema = RP_SCHEMA(.least_in = 3, .examples = "u32[1], field, field")};

rp_value rp_select(rp_graph *g, rp_value condition, rp_value a, rp_value b) {
  return rp_graph_node(g, &rp_op_select, NULL, (rp_value[]){condition, a, b}, 3, NULL, 1);
}
