/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One inversion per workgroup: products go up a tree in shared memory, inverses come down. The leaves are the products
 * of neighbours, nodes THREADS / 2 .. THREADS - 1; node i joins nodes 2i and 2i + 1, node 1 is the root. THREADS must
 * be a power of two.
 */
#ifndef REPRISE_VULKAN_GROUP_INVERSE_GLSL
#define REPRISE_VULKAN_GROUP_INVERSE_GLSL

#include "arith/inverse.glsl"

shared fe group_tree[gl_WorkGroupSize.x];

/* The inverse of the thread's x, which must not be zero. All threads of the workgroup call together. */
fe group_inverse(fe x) {
  const uint t = THREAD;
  group_tree[t] = x;
  barrier();
  const fe neighbour = group_tree[t ^ 1];
  barrier();
  /* Up: a node becomes the product of its two children. Down: a node becomes its parent's inverse times its sibling's
   * product. Both ways have the threads' own elements at one end. */
  uint d = THREADS;
  bool down = false, done = false;
  fe r = x;
  while (!done) {
    const bool own = d == THREADS;
    fe a = r, b = neighbour;
    if (own) {
      if (down) a = group_tree[(d + t) / 2];
    } else if (t < d) {
      a = group_tree[down ? (d + t) / 2 : 2 * (d + t)];
      b = group_tree[down ? (d + t) ^ 1 : 2 * (d + t) + 1];
    }
    r = fe_mul(a, b);
    done = own && down;
    barrier();
    if (own ? t % 2 == 0 : t < d) group_tree[own ? (d + t) / 2 : d + t] = r;
    barrier();
    if (down) {
      d *= 2;
    } else {
      d /= own ? 4 : 2;
      if (d == 0) {
        if (t == 0) group_tree[1] = fe_inv(group_tree[1]);
        barrier();
        down = true;
        d = 2;
      }
    }
  }
  return r;
}

#endif
