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
