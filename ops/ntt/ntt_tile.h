/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where the elements of a tile are, for the GPU kernels of a pass (ntt_args.h). A tile has 2^layers rows of
 * 2^log_columns columns, of one block of the pass if a block has that many columns, else of neighbouring blocks. The
 * local index of an element is (block, row, column), with the column in the lowest bits.
 */
#ifndef REPRISE_OPS_NTT_TILE_H
#define REPRISE_OPS_NTT_TILE_H

#include "kernel/shared.h"

struct rp_ntt_tile {
  uint32_t transform;      /* its number in the batch */
  uint32_t block, chunk;   /* the first block and the first column */
  uint32_t low_bits;       /* a block has 2^low_bits columns */
  uint32_t x_bits, y_bits; /* bits of the local index for the column and for the block */
};

/* The tile of a workgroup; the tiles of one transform are consecutive. */
RP_SHARED RP_TYPE_OF(rp_ntt_tile) rp_ntt_tile_of(RP_ARGS_OF(rp_ntt_args) uint32_t group) {
  RP_TYPE_OF(rp_ntt_tile) t;
  const uint32_t log_tiles = k.log_n - k.layers - k.log_columns, id = group & ((1u << log_tiles) - 1u);
  t.transform = group >> log_tiles;
  t.low_bits = k.log_n - k.first_layer - k.layers;
  t.x_bits = k.log_columns < t.low_bits ? k.log_columns : t.low_bits;
  t.y_bits = k.log_columns - t.x_bits;
  const uint32_t chunk_bits = t.low_bits - t.x_bits;
  t.chunk = (id & ((1u << chunk_bits) - 1u)) << t.x_bits;
  t.block = id >> chunk_bits << t.y_bits;
  return t;
}

/* The block of the pass that a local index is in. The blocks of a tile are neighbours where the tile is written. */
RP_SHARED uint32_t rp_ntt_block_of(RP_ARGS_OF(rp_ntt_args) RP_TYPE_OF(rp_ntt_tile) t, uint32_t local) {
  const uint32_t b = t.block + (local >> (k.layers + t.x_bits));
  return (k.flags & RP_NTT_PERMUTE_OUT) != 0u && t.low_bits == 0u ? rp_bit_reverse(b, k.first_layer) : b;
}

/* The position in its transform of the element with that local index. */
RP_SHARED uint32_t rp_ntt_position_of(RP_ARGS_OF(rp_ntt_args) RP_TYPE_OF(rp_ntt_tile) t, uint32_t local) {
  const uint32_t x = local & ((1u << t.x_bits) - 1u), row = local >> t.x_bits & ((1u << k.layers) - 1u);
  return ((rp_ntt_block_of(RP_ARGS_PASSED t, local) << k.layers | row) << t.low_bits) + t.chunk + x;
}

/* Index in the table of the twiddle of block b > 0 of any layer. For the inverse, the twiddle is minus the entry. */
RP_SHARED uint32_t rp_ntt_twiddle_at(RP_ARGS_OF(rp_ntt_args) uint32_t b) {
  return (k.flags & RP_NTT_INVERSE) == 0u ? b : b ^ ((1u << RP_HIGHEST_BIT(b)) - 1u);
}

/* The first layer of step s. In a step a thread does up to `radix` layers of the pass between two exchanges. Steps are
 * counted in the order of the plain network. If one of them is shorter, it is the first of the plain network and the
 * last of the transposed one, so that both have the same layers in each step. */
RP_SHARED uint32_t rp_ntt_first_of_step(uint32_t layers, uint32_t radix, uint32_t s) {
  const uint32_t rest = layers % radix;
  return s == 0u ? 0u : (rest != 0u ? rest : radix) + (s - 1u) * radix;
}

#endif
