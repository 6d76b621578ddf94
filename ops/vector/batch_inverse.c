/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion: the products of blocks are inverted in the same way, level by level, until one block with one
 * inversion is left.
 *
 * kernel inverse_products inverse/5 fields cpu:ifma products:per_result
 * kernel inverse_sweep inverse/5 fields cpu:ifma products:two_per_result
 * kernel inverse_block inverse/5 fields cpu:ifma products:three_per_result
 * kernel inverse_serial inverse/5 fields cpu:ifma products:three_per_result
 * kernel inverse_blocks gpu_inverse/4 fields gpu:RP_GPU_INVERSE_BLOCK int64 products:three_per_result
 */
#include "lower/gpu.h"

#include "kernel_tables.h"

/* Batch inversion by blocks. Zeros count as one in every product, and their inverse is zero.
 *   inverse_products  one item per block b: out[i] = product of the elements before i in its chain, product[b] that of
 *                     block b
 *   inverse_sweep     one item per block b: out[i] = 1 / x[i], from what inverse_products left and from product[b],
 *                     which must hold the inverse of the product of block b
 *   inverse_block     both, with the inversion between them, on all n elements; one item
 *   inverse_serial    the same as a single chain; one item
 * A block's elements form RP_INVERSE_LANES interleaved chains; where lanes are available, those of a whole block form
 * eight. */

#define RP_INVERSE_LANES 4

struct rp_inverse_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(void) product; /* not used by inverse_block and inverse_serial */
  RP_ADDR(uint8_t) mask; /* with has_mask: 1 where x is zero; the last step writes it */
  RP_ADDR(void) error;
  uint32_t n, block, constant_time, strict, has_mask, site;
};
RP_ARGS_SIZE(struct rp_inverse_args, 64);

/* Elements per block: the work per block is about ten products and one product on the next level, 2% of 3 * 256. */
enum { BLOCK = 256, LEAST_BLOCKS = 4 };

struct inverse_params {
  uint32_t strict, constant_time, serial, has_mask;
};

static rp_status inverse_shape(const rp_shape *s) {
  const struct inverse_params *p = s->params;
  rp_field field;
  rp_status st = rp_shape_one_field(s, &field);
  if (st != RP_OK) return st;
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0]);
  if (p->has_mask) rp_shape_out(s, 1, &RP_TYPE_U8, s->in_len[0]);
  return RP_OK;
}

static rp_status inverse_check(const rp_draft *d) {
  const struct inverse_params *p = d->params;
  if (d->n_out == 1 + p->has_mask) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "it has %u results %s a mask", d->n_out, p->has_mask ? "with" : "without");
}

static void dispatch(rp_lower *l, const rp_kernel *kernel, uint64_t items, struct rp_inverse_args args, rp_value out,
                     uint32_t out_access, rp_value x, rp_value product, uint32_t product_access, rp_value mask) {
  rp_bind binds[] = {RP_BIND(out, out_access), RP_BIND(x, RP_READ), rp_bind_optional(product, product_access),
                     rp_bind_optional(mask, RP_WRITE), RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  rp_lower_items(l, kernel, items, rp_grain(25 * BLOCK), &args, binds);
}

/* `args` says what is asked of the elements themselves (mask, strict); the products of blocks are never zero. */
static void invert(rp_lower *l, rp_value out, rp_value x, rp_value mask, struct rp_inverse_args args, uint32_t serial) {
  rp_field field = rp_lower_field(l, x);
  uint32_t n = (uint32_t)rp_lower_len(l, x);
  args.n = n;
  args.block = BLOCK;
  if (serial || n <= BLOCK * LEAST_BLOCKS) {
    const rp_kernel *kernels = serial ? rp_kernels_inverse_serial : rp_kernels_inverse_block;
    dispatch(l, &kernels[field], 1, args, out, RP_READ_WRITE, x, RP_NO_VALUE, RP_READ, mask);
    return;
  }
  uint32_t blocks = n / BLOCK + (n % BLOCK != 0);
  rp_value product = rp_lower_scratch(l, "product", rp_lower_type(l, x), blocks);
  rp_value inverse = rp_lower_scratch(l, "inverse", rp_lower_type(l, x), blocks);
  struct rp_inverse_args plain = {.constant_time = args.constant_time, .n = n, .block = BLOCK};
  dispatch(l, &rp_kernels_inverse_products[field], blocks, plain, out, RP_WRITE, x, product, RP_WRITE, RP_NO_VALUE);
  invert(l, inverse, product, RP_NO_VALUE, plain, 0);
  dispatch(l, &rp_kernels_inverse_sweep[field], blocks, args, out, RP_READ_WRITE, x, inverse, RP_READ, mask);
}

static rp_status inverse_lower(rp_lower *l) {
  const struct inverse_params *p = rp_lower_params(l);
  struct rp_inverse_args args = {
      .constant_time = p->constant_time, .strict = p->strict, .has_mask = p->has_mask, .site = rp_lower_site(l)};
  rp_value x = rp_lower_in(l, 0);
  invert(l, rp_lower_out(l, 0), x, p->has_mask ? rp_lower_out(l, 1) : RP_NO_VALUE, args, p->serial);
  return RP_OK;
}

static rp_status inverse_lower_gpu(rp_lower *l) {
  const struct inverse_params *p = rp_lower_params(l);
  return rp_lower_inverse_gpu(l, p->strict, p->has_mask);
}

static const rp_strategy inverse_strategies[] = {{"workgroups", RP_ON_GPU, NULL, inverse_lower_gpu},
                                                 {"blocks", RP_ON_ANY, NULL, inverse_lower}};
const rp_op rp_op_batch_inverse = {
    .struct_size = sizeof(rp_op),
    .name = "batch_inverse",
    .params_bytes = sizeof(struct inverse_params),
    .shape = inverse_shape,
    .strategies = inverse_strategies,
    .n_strategies = 2,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 1, .most_out = 2, .check = inverse_check,
                        RP_PARAMS(RP_PARAM_FLAG(struct inverse_params, strict),
                                  RP_PARAM_FLAG(struct inverse_params, constant_time),
                                  RP_PARAM_FLAG(struct inverse_params, serial),
                                  RP_PARAM_FLAG(struct inverse_params, has_mask)),
                        .examples = "field | field; constant_time=1 | field; strict=1, serial=1", .products = 3)};

rp_value rp_batch_inverse(rp_graph *g, rp_value x, const rp_batch_inverse_options *options) {
  rp_batch_inverse_options o = {0};
  rp_value out[2];
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "batch_inverse: options->struct_size is not set");
  if ((uint32_t)o.zero > RP_ZERO_STRICT)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "batch_inverse: the zero policy is unknown");
  struct inverse_params p = {.strict = o.zero == RP_ZERO_STRICT,
                             .constant_time = o.constant_time != 0,
                             .serial = o.serial != 0,
                             .has_mask = o.zero_mask != NULL};
  rp_graph_node(g, &rp_op_batch_inverse, &p, &x, 1, out, 1 + p.has_mask);
  if (o.zero_mask) *o.zero_mask = out[1];
  return out[0];
}
