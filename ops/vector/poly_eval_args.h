/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Polynomial values. poly_chunks: partial[p * chunks + c] is the value at point p of the coefficients of chunk c, as a
 * polynomial of their own; item p * chunks + c. poly_join: out[p] from the partial values; item p. On a GPU an item is
 * a workgroup's, and the chunk a power of two.
 */
#ifndef REPRISE_ARGS_POLY_EVAL_H
#define REPRISE_ARGS_POLY_EVAL_H

#define RP_POLY_GROUP 128 /* threads of a workgroup */

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

#endif
