/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of neighbours in a tree (ops/points/tree_reduce.c).
 */
#include "kernel/kernel.glsl"

#include "points/tree_reduce_args.h"
#include "arith/curve.glsl"
#include "points/points.glsl"
#include "kernel/exchange.glsl"

RP_ARGS(rp_tree_reduce_args)

#ifdef ENTRY_tree_reduce_w256
/* The same tree for groups of exactly RP_TREE_FIXED points, all levels in one dispatch: each thread adds two neighbours
 * before the sums of threads are joined. All bounds are constants. */
void main() {
  const uint first = GROUP * RP_TREE_FIXED + 2 * THREAD;
  acc sum = load(k.in, first, k.affine);
  for (uint level = 0; 1u << level < RP_TREE_FIXED; level++) {
    acc other;
    if (level == 0)
      other = load(k.in, first + 1, k.affine);
    else
      other = acc_of_thread(sum, (THREAD + (1u << (level - 1))) % RP_TREE_GROUP);
    if ((THREAD & ((1u << level) - 1)) == 0) sum = acc_add(sum, other);
  }
  if (THREAD == 0) acc_store(k.out, GROUP, sum);
}
#else
/* Each workgroup sums neighbours of a group, up to one per thread, with a stride that doubles from one: the canonical
 * order of rp_tree_reduce. */
void main() {
  const uint group = GROUP / k.blocks, first = GROUP % k.blocks * k.block, n = min(k.width - first, k.block);
  acc sum = acc_zero();
  if (THREAD < n) sum = load(k.in, group * k.width + first + THREAD, k.affine);
  for (uint d = 1; d < n; d *= 2) {
    const acc other = acc_of_thread(sum, (THREAD + d) % THREADS);
    if ((THREAD & (2 * d - 1)) == 0 && THREAD + d < n) sum = acc_add(sum, other);
  }
  if (THREAD == 0) acc_store(k.out, GROUP, sum);
}
#endif
