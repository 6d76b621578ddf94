/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A slice whose first element and length are values: a computed number as an index, and as a length within a bound.
 *
 * kernel slice_at slice_at/5 cpu:c gpu:256
 */
#include "lower/lower.h"

#include "kernel_tables.h"

/* out[i] = x[first + i] for i < count, else zero; x has `len` elements, out has n. One item per element. Without
 * has_first, first is 0; without has_count, count is n; their addresses are absent then. */
struct rp_slice_at_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(const uint32_t) first;
  RP_ADDR(const uint32_t) count;
  RP_ADDR(void) error;
  uint32_t n, len, size_bytes, site;
  uint32_t has_first, has_count;
};
RP_ARGS_SIZE(struct rp_slice_at_args, 64);

typedef struct params {
  uint64_t len;
  uint32_t has_first, has_count; /* which of them are operands, after x in this order */
} params;

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  if (d->n_in == 1 + p->has_first + p->has_count) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "there are %u operands, not the %u that its parameters name", d->n_in,
                       1 + p->has_first + p->has_count);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  for (uint32_t i = 1; i < s->n_in; i++) {
    const char *name = i == 1 && p->has_first ? "first" : "count";
    if (s->in_type[i]->id != RP_TYPE_U32.id)
      return rp_shape_fail(s, RP_ERR_TYPE, "%s is of type %s, not u32", name, s->in_type[i]->name);
    if (s->in_len[i] != 1)
      return rp_shape_fail(s, RP_ERR_SHAPE, "%s has %llu elements, not 1", name, (unsigned long long)s->in_len[i]);
  }
  if (!p->len || p->len > RP_MAX_LEN || s->in_len[0] > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu elements of %llu are asked for; both must be 1 to 2^32 - 1",
                         (unsigned long long)p->len, (unsigned long long)s->in_len[0]);
  rp_shape_out(s, 0, s->in_type[0], p->len);
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value out = rp_lower_out(l, 0), x = rp_lower_in(l, 0);
  const rp_value first = p->has_first ? rp_lower_in(l, 1) : RP_NO_VALUE;
  const rp_value count = p->has_count ? rp_lower_in(l, 1 + p->has_first) : RP_NO_VALUE;
  const uint32_t size = rp_lower_type(l, x)->size_bytes;
  const struct rp_slice_at_args args = {.n = (uint32_t)p->len,
                                        .len = (uint32_t)rp_lower_len(l, x),
                                        .size_bytes = size,
                                        .site = rp_lower_site(l),
                                        .has_first = p->has_first,
                                        .has_count = p->has_count};
  const rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(x, RP_READ), rp_bind_optional(first, RP_READ),
                           rp_bind_optional(count, RP_READ), RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  rp_lower_items(l, &rp_kernel_slice_at, p->len, rp_grain(1 + size / 16), &args, binds);
  return RP_OK;
}

static const rp_strategy strategy = {.name = "elements", .devices = RP_ON_ANY, .lower = lower};
const rp_op rp_op_slice_at = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "slice_at",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = &strategy,
    .n_strategies = 1,
    .schema = RP_SCHEMA(.least_in = 1, .most_in = 3, .check = check,
                        RP_PARAMS(RP_PARAM_UPTO(params, len, 1, RP_MAX_LEN), RP_PARAM_FLAG(params, has_first),
                                  RP_PARAM_FLAG(params, has_count)),
                        .examples = "field, u32[1], u32[1]; len=n, has_first=1, has_count=1")};

rp_value rp_slice_at(rp_graph *g, rp_value x, rp_value first, rp_value count, uint64_t len) {
  const params p = {.len = len, .has_first = first.id != 0, .has_count = count.id != 0};
  rp_value in[3] = {x};
  uint32_t n = 1;
  if (p.has_first) in[n++] = first;
  if (p.has_count) in[n++] = count;
  return rp_graph_node(g, &rp_op_slice_at, &p, in, n, NULL, 1);
}
