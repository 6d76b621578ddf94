/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Digest j of path i: the leaf index[i] ^ 1 for j = 0, else node (leaves_n + index[i]) >> j, with its lowest bit
 * flipped, of the tree in heap order. One item per digest; n = paths * levels, leaves_n = 2^levels.
 */
#ifndef REPRISE_ARGS_MERKLE_PATHS_H
#define REPRISE_ARGS_MERKLE_PATHS_H

#define RP_MERKLE_PATHS_WORDS 8 /* 32-bit words of a digest */

struct rp_merkle_paths_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) leaves;
  RP_ADDR(const void) tree;
  RP_ADDR(const uint32_t) index;
  RP_ADDR(void) error;
  uint32_t n, leaves_n, levels, site;
};
RP_ARGS_SIZE(struct rp_merkle_paths_args, 56);

#endif
