/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Division of a polynomial by X - z, by Horner's rule in blocks: with s[i] = x[i] + z s[i + 1] from the top, s[n] = 0,
 * the quotient has the coefficients s[1], s[2] ... One item per block of `block` coefficients; on a GPU that is one
 * workgroup, and the block is a power of two.
 */
#ifndef REPRISE_ARGS_POLY_DIVIDE_H
#define REPRISE_ARGS_POLY_DIVIDE_H

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

#endif
