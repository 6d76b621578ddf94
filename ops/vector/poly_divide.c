/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The quotient of a polynomial by X - z, a linear recurrence as a scan: the values at z of blocks of coefficients
 * (poly_eval's kernel), the recurrence over these in z^block, and then in each block from what it brings. With one z
 * the operator (a, b) (c, d) = (a c, b c + d) needs no products of its first parts: they are powers of z.
 *
 * kernel poly_divide poly_divide/4 fields cpu:ifma gpu:RP_DIVIDE_GROUP products:two_per_result
 */
#include "lower/lower.h"

#include "vector/poly_eval_args.h"
#include "kernel_tables.h"

/* Division of a polynomial by X - z, by Horner's rule in blocks: with s[i] = x[i] + z s[i + 1] from the top, s[n] = 0,
 * the quotient has the coefficients s[1], s[2] ... One item per block of `block` coefficients; on a GPU that is one
 * workgroup, and the block is a power of two. */

#define RP_DIVIDE_GROUP 128 /* threads per workgroup, each with a share of the block; a block has as many or more */

/* out[i - 1] = s[i] for the i > 0 of a block, where z = point^(2^squarings). With has_carry, s begins at carry[b] above
 * every block b but the last one; else at 0. */
struct rp_poly_divide_args {
  RP_ADDR(void) out;         /* n - 1 */
  RP_ADDR(const void) x;     /* n */
  RP_ADDR(const void) carry; /* the number of blocks less one */
  RP_ADDR(const void) point;
  uint32_t n, block, squarings, has_carry;
};
RP_ARGS_SIZE(struct rp_poly_divide_args, 48);

static rp_status divide_shape(const rp_shape *s) {
  rp_field field;
  const rp_status st = rp_shape_one_field(s, &field);
  if (st != RP_OK) return st;
  if (s->in_len[1] != 1)
    return rp_shape_fail(s, RP_ERR_SHAPE, "the point has %llu elements, not 1", (unsigned long long)s->in_len[1]);
  if (s->in_len[0] < 2) return rp_shape_fail(s, RP_ERR_SHAPE, "a polynomial of one coefficient has no quotient");
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0] - 1);
  return RP_OK;
}

/* Coefficients per block. The recurrence over the blocks is serial on a CPU, and is computed by one workgroup on a GPU.
 * On a CPU there are therefore at most four times as many blocks as a block has coefficients. A GPU takes smaller
 * blocks while some multiprocessors have no work. */
static uint32_t block_of(const rp_lower *l, uint64_t n) {
  enum { GPU_GROUPS = 3, GPU_MOST = 16 * RP_DIVIDE_GROUP };
  uint64_t block = RP_DIVIDE_GROUP;
  if (rp_lower_on_gpu(l))
    while (block < GPU_MOST && n / block > (uint64_t)rp_lower_limits(l)->workers * GPU_GROUPS) block *= 2;
  else
    while (4 * block * block < n) block *= 2;
  return (uint32_t)block;
}

static uint32_t log2_of(uint32_t power) {
  uint32_t log = 0;
  while (power >> log != 1) log++;
  return log;
}

/* carry may be RP_NO_VALUE. */
static void lower_blocks(rp_lower *l, rp_value out, rp_value x, rp_value carry, uint32_t block, uint32_t squarings) {
  /* CPU kernels may take 16 blocks at a time. */
  enum { LEAST_BLOCKS = 16, PRODUCT_NS = 20 };
  const uint32_t n = (uint32_t)rp_lower_len(l, x), grain = rp_grain(PRODUCT_NS * block);
  const rp_value point = rp_lower_in(l, 1);
  const struct rp_poly_divide_args args = {.n = n, .block = block, .squarings = squarings, .has_carry = carry.id != 0};
  const rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(x, RP_READ), rp_bind_optional(carry, RP_READ),
                           RP_BIND(point, RP_READ)};
  rp_lower_blocks(l, &rp_kernels_poly_divide[rp_lower_field(l, x)], n / block + (n % block != 0),
                  rp_lower_lanes(l) && grain < LEAST_BLOCKS ? LEAST_BLOCKS : grain, &args, binds);
}

static rp_status divide_lower(rp_lower *l) {
  const rp_value x = rp_lower_in(l, 0), out = rp_lower_out(l, 0);
  const rp_type *type = rp_lower_type(l, x);
  const uint32_t n = (uint32_t)rp_lower_len(l, x), block = block_of(l, n), blocks = n / block + (n % block != 0);
  if (blocks <= 1) {
    lower_blocks(l, out, x, RP_NO_VALUE, block, 0);
    return RP_OK;
  }
  const rp_value values = rp_lower_scratch(l, "values", type, blocks);
  const rp_value carry = rp_lower_scratch(l, "carry", type, blocks - 1);
  const struct rp_poly_chunks_args args = {.n = n, .chunk = block, .chunks = blocks};
  const rp_bind binds[] = {RP_BIND(values, RP_WRITE), RP_BIND(x, RP_READ), RP_BIND(rp_lower_in(l, 1), RP_READ)};
  rp_lower_blocks(l, &rp_kernels_poly_chunks[rp_lower_field(l, x)], blocks, rp_grain(15 * block), &args, binds);
  uint32_t all = RP_DIVIDE_GROUP;
  while (all < blocks) all *= 2;
  lower_blocks(l, carry, values, RP_NO_VALUE, all, log2_of(block));
  lower_blocks(l, out, x, carry, block, 0);
  return RP_OK;
}

static const rp_strategy divide_strategy = {.name = "blocks", .devices = RP_ON_ANY, .lower = divide_lower};
const rp_op rp_op_poly_divide = {.struct_size = sizeof(rp_op),
                                 .flags = RP_OP_PURE,
                                 .name = "poly_divide",
                                 .shape = divide_shape,
                                 .strategies = &divide_strategy,
                                 .n_strategies = 1,
                                 .schema = RP_SCHEMA(.least_in = 2, .examples = "field, field[1]", .products = 1)};

rp_value rp_poly_divide(rp_graph *g, rp_value x, rp_value point) {
  return rp_graph_node(g, &rp_op_poly_divide, NULL, (rp_value[]){x, point}, 2, NULL, 1);
}
