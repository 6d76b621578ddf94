/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Authentication paths of leaves that were chosen by computed indices. One thread per digest.
 */
#include "kernel/kernel.glsl"

#include "hash/merkle_paths_args.h"
#include "kernel/fault.glsl"

RP_ARGS(rp_merkle_paths_args)
void main() {
  const uint item = INDEX;
  if (item >= k.n) return;
  const uint path = item / k.levels, level = item - path * k.levels, leaf = load_u32(k.index, path);
  if (leaf >= k.leaves_n) {
    if (level == 0) rp_fault(k.error, RP_FAULT_INDEX, k.site, path);
    return;
  }
  /* leaves_n >> level has no bits in common with leaf >> level */
  const uint node = level != 0 ? (k.leaves_n >> level | leaf >> level) ^ 1 : leaf ^ 1;
  addr from = k.leaves;
  if (level != 0) from = k.tree;
  from = at(from, node, 4 * RP_MERKLE_PATHS_WORDS);
  const addr to = at(k.out, item, 4 * RP_MERKLE_PATHS_WORDS);
  for (uint j = 0; j < RP_MERKLE_PATHS_WORDS; j++) store_u32(to, j, load_u32(from, j));
}
