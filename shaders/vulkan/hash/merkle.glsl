/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several levels of a Merkle tree in a workgroup (ops/hash/merkle_args.h). What a level makes goes to memory, and stays
 * in shared memory for the next. ELEMENTS: of a digest; MERKLE_NODES: of a workgroup's first level, at most.
 */
#ifndef REPRISE_VULKAN_MERKLE_GLSL
#define REPRISE_VULKAN_MERKLE_GLSL

shared fe near[2 * MERKLE_NODES * ELEMENTS]; /* levels take turns with its halves */

uint near_at(uint level, uint node, uint e) { return ((level & 1) * MERKLE_NODES + node) * ELEMENTS + e; }

/* The workgroup's node number `node` of a level: element e of its two children, and where its own digest goes. */
fe merkle_child(uint level, uint node, uint e) {
  if (level == 0) return fe_load(k.hash.in, (GROUP * k.group + node) * (2 * ELEMENTS) + e);
  return near[near_at(level - 1, 2 * node, e)];
}
void merkle_store(uint level, uint node, uint e, fe x) {
  const uint first = (k.offset >> level) - k.first_slot, index = GROUP * (k.group >> level) + node;
  fe_store(k.hash.out, (first + index) * ELEMENTS + e, x);
  near[near_at(level, node, e)] = x;
}

void merkle_clear_slot_0() {
  if (k.first_slot != 0 || GROUP != 0) return;
  for (uint e = THREAD; e < ELEMENTS; e += THREADS) fe_store(k.hash.out, e, fe_zero());
}

#endif
