/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Polynomial values. poly_chunks: item p * chunks + c computes partial[p * chunks + c], the value at point p of the
 * polynomial whose coefficients are those of chunk c. poly_join: item p computes out[p] from the partial values. On a
 * GPU each item is one workgroup, and the chunk length is a power of two.
 */
#ifndef REPRISE_ARGS_POLY_EVAL_H
#define REPRISE_ARGS_POLY_EVAL_H

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

#endif
