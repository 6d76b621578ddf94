/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Values of a polynomial at points: of chunks of coefficients, then of the polynomial in point^chunk whose coefficients
 * these values are.
 *
 * kernel poly_chunks poly_chunks/3 fields cpu:ifma gpu:RP_POLY_GROUP products:per_operand
 * kernel poly_join poly_join/3 fields cpu:ifma gpu:RP_POLY_GROUP products:poly_join
 */
#include "lower/lower.h"

#include "kernel_tables.h"

/* Polynomial values. poly_chunks: item p * chunks + c computes partial[p * chunks + c], the value at point p of the
 * polynomial whose coefficients are those of chunk c. poly_join: item p computes out[p] from the partial values. On a
 * GPU each item is one workgroup, and the chunk length is a power of two. */

#define RP_POLY_GROUP 128 /* threads per workgroup */

struct rp_poly_chunks_args {
  RP_ADDR(void) partial;
  RP_ADDR(const void) x;
  RP_ADDR(const void) points;
  uint32_t n, chunk, chunks, pad;
};
RP_ARGS_SIZE(struct rp_poly_chunks_args, 40);

struct rp_poly_join_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) partial;
  RP_ADDR(const void) points;
  uint32_t n, chunk, chunks, pad;
};
RP_ARGS_SIZE(struct rp_poly_join_args, 40);

/* Coefficients per chunk: the join takes one power and one product per chunk, about a hundredth of the work. */
enum { CHUNK = 2048, GPU_GROUPS = 3 };

/* A GPU takes smaller chunks, still powers of two, while some multiprocessors have no work. */
static uint32_t chunk_of(const rp_lower *l, uint64_t coefficients) {
  uint32_t chunk = CHUNK;
  if (rp_lower_on_gpu(l))
    while (chunk > RP_POLY_GROUP && coefficients / chunk < (uint64_t)rp_lower_limits(l)->workers * GPU_GROUPS)
      chunk /= 2;
  return chunk;
}

static rp_status poly_shape(const rp_shape *s) {
  rp_field field;
  rp_status st = rp_shape_one_field(s, &field);
  if (st != RP_OK) return st;
  if (s->in_len[1] > RP_MAX_LEN / (s->in_len[0] / CHUNK + 1))
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu coefficients at %llu points are too many",
                         (unsigned long long)s->in_len[0], (unsigned long long)s->in_len[1]);
  rp_shape_out(s, 0, s->in_type[0], s->in_len[1]);
  return RP_OK;
}

static rp_status poly_lower(rp_lower *l) {
  rp_value x = rp_lower_in(l, 0), points = rp_lower_in(l, 1), out = rp_lower_out(l, 0), partial = out;
  rp_field field = rp_lower_field(l, x);
  uint64_t n_points = rp_lower_len(l, points);
  uint32_t n = (uint32_t)rp_lower_len(l, x), chunk = chunk_of(l, n * n_points), chunks = n / chunk + (n % chunk != 0);
  if (chunks > 1) partial = rp_lower_scratch(l, "partial", rp_lower_type(l, x), n_points * chunks);
  struct rp_poly_chunks_args args = {.n = n, .chunk = chunk, .chunks = chunks};
  rp_bind binds[] = {RP_BIND(partial, RP_WRITE), RP_BIND(x, RP_READ), RP_BIND(points, RP_READ)};
  rp_lower_blocks(l, &rp_kernels_poly_chunks[field], n_points * chunks, rp_grain(15 * (n < chunk ? n : chunk)), &args,
                  binds);
  if (chunks == 1) return RP_OK;
  struct rp_poly_join_args join = {.n = (uint32_t)n_points, .chunk = chunk, .chunks = chunks};
  rp_bind join_binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(partial, RP_READ), RP_BIND(points, RP_READ)};
  rp_lower_blocks(l, &rp_kernels_poly_join[field], n_points, rp_grain(15 * (chunks + 20)), &join, join_binds);
  return RP_OK;
}

static const rp_strategy poly_strategy = {"chunks", RP_ON_ANY, NULL, poly_lower};
const rp_op rp_op_poly_eval = {
    .struct_size = sizeof(rp_op),
    .name = "poly_eval",
    .shape = poly_shape,
    .strategies = &poly_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 2, .examples = "field, field[1] | field, field[3]", .products = 1)};

rp_value rp_poly_eval(rp_graph *g, rp_value x, rp_value points) {
  return rp_graph_node(g, &rp_op_poly_eval, NULL, (rp_value[]){x, points}, 2, NULL, 1);
}
