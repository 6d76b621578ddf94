/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion by blocks. Zeros count as one in every product, and their inverse is zero.
 *   inverse_products  out[i] = product of the lane's elements before i; product[b] = product of block b; item: a block
 *   inverse_sweep     out[i] = 1 / x[i] from what inverse_products left and product[b] = 1 / product of block b;
 *                     item: a block
 *   inverse_block     both, with the inversion between them, on all n elements; one item
 *   inverse_serial    the same as one chain
 * A block's elements form RP_INVERSE_LANES interleaved chains.
 */
#ifndef REPRISE_ARGS_BATCH_INVERSE_H
#define REPRISE_ARGS_BATCH_INVERSE_H

#define RP_INVERSE_LANES 4

struct rp_inverse_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(void) product; /* inverse_block, inverse_serial: any */
  RP_ADDR(uint8_t) mask; /* with has_mask: 1 where x was zero; written by the last step */
  RP_ADDR(void) error;
  uint32_t n, block, constant_time, strict, has_mask, site;
};
RP_ARGS_SIZE(struct rp_inverse_args, 64);

#endif
