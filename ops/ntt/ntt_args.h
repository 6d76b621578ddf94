/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One pass of an NTT of n = 2^log_n elements: `layers` butterfly layers from `first_layer` on, where layer s works on
 * 2^s blocks of n >> s elements. On the CPU there is one item per tile of 2^log_columns sub-transforms of 2^layers
 * elements.
 *
 * Twiddles: entry b, of n / 2, is w^(b with its log_n - 1 bits reversed). Block b of every layer uses entry b. The
 * twiddle of w^-1 for block b is minus entry b ^ (2^floor(log2 b) - 1), so that one table serves all layers and both
 * directions.
 */
#ifndef REPRISE_ARGS_NTT_H
#define REPRISE_ARGS_NTT_H

#define RP_NTT_TRANSPOSED 1u  /* layers from the last to the first: bit-reversed input, natural output */
#define RP_NTT_INVERSE 2u     /* w^-1 in place of w */
#define RP_NTT_PERMUTE_IN 4u  /* the input is in the other order (first pass of the plain network) */
#define RP_NTT_PERMUTE_OUT 8u /* the output is in the other order (last pass of the plain network) */
#define RP_NTT_FACTOR_IN 16u  /* in[i] is multiplied by factors[i * factor_step] when it is read */
#define RP_NTT_FACTOR_OUT 32u /* out[i] is multiplied likewise when it is written */

/* CPU: bytes of a tile's row for elements of 4 bytes (ntt_small.h) */
#define RP_NTT_SMALL_RUN_BYTES 128

/* GPUs: threads per block and bytes per tile, in CUDA. In Vulkan, workgroups for elements of 32 bytes and more are
 * smaller, so that more of them are in different phases at once (shaders/vulkan/ntt/ntt.comp has their tiles); those
 * for small elements use the device's workgroup memory, up to RP_NTT_TILE_BYTES. */
#define RP_NTT_BLOCK 256
#define RP_NTT_TILE_BYTES 32768
#define RP_NTT_SMALL_BYTES 8
#define RP_NTT_VULKAN_GROUP(element_bytes) ((element_bytes) <= RP_NTT_SMALL_BYTES ? RP_NTT_BLOCK : 128)

struct rp_ntt_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(const void) twiddles;
  RP_ADDR(const void) factors;
  RP_ADDR(void) tile; /* CPU only: tile_stride elements per worker */
  uint32_t log_n, first_layer, layers, log_columns;
  uint32_t flags, factor_step, tile_stride, pad;
};
RP_ARGS_SIZE(struct rp_ntt_args, 72);

#endif
