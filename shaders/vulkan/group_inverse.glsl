/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One inversion a workgroup: products go up a tree in shared memory, inverses come down. Leaves are nodes THREADS ..
 * 2 THREADS - 1, node i joins nodes 2i and 2i + 1, node 1 is the root; THREADS is a power of two.
 */
#ifndef REPRISE_VULKAN_GROUP_INVERSE_GLSL
#define REPRISE_VULKAN_GROUP_INVERSE_GLSL

#include "inverse.glsl"

shared fe group_tree[2 * gl_WorkGroupSize.x];

/* The inverse of the thread's x, none of them zero. All threads call together. */
fe group_inverse(fe x) {
  const uint t = THREAD;
  group_tree[THREADS + t] = x;
  barrier();
  /* Up: a node is the product of its two. Down: a node becomes its parent's inverse times its sibling. */
  uint d = THREADS / 2;
  bool down = false;
  while (d <= THREADS) {
    fe r;
    if (t < d) {
      const uint a = down ? (d + t) / 2 : 2 * (d + t), b = down ? (d + t) ^ 1 : 2 * (d + t) + 1;
      r = fe_mul(group_tree[a], group_tree[b]);
    }
    barrier();
    if (t < d) group_tree[d + t] = r;
    barrier();
    if (down) {
      d *= 2;
    } else if (d > 1) {
      d /= 2;
    } else {
      if (t == 0) group_tree[1] = fe_inv(group_tree[1]);
      barrier();
      down = true;
      d = 2;
    }
  }
  const fe inverse = group_tree[THREADS + t];
  barrier();
  return inverse;
}

#endif
