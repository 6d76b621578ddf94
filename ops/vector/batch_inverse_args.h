/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion by blocks. Zeros count as one in every product, and their inverse is zero.
 *   inverse_products  one item per block b: out[i] = product of the elements before i in its chain, product[b] that of
 *                     block b
 *   inverse_sweep     one item per block b: out[i] = 1 / x[i], from what inverse_products left and from product[b],
 *                     which must hold the inverse of the product of block b
 *   inverse_block     both, with the inversion between them, on all n elements; one item
 *   inverse_serial    the same as a single chain; one item
 * A block's elements form RP_INVERSE_LANES interleaved chains; where lanes are available, those of a whole block form
 * eight.
 */
#ifndef REPRISE_ARGS_BATCH_INVERSE_H
#define REPRISE_ARGS_BATCH_INVERSE_H

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

#endif
