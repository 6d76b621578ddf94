/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several levels of a Merkle tree in one workgroup (ops/hash/merkle_args.h). The digests of a level go to memory, and
 * stay in shared memory for the next level. ELEMENTS: field elements per digest. MERKLE_NODES: the most nodes that the
 * first level of a workgroup can have.
 */
#ifndef REPRISE_VULKAN_MERKLE_GLSL
#define REPRISE_VULKAN_MERKLE_GLSL

shared fe near[2 * MERKLE_NODES * ELEMENTS]; /* levels take turns with its halves */

uint near_at(uint level, uint node, uint e) { return ((level & 1) * MERKLE_NODES + node) * ELEMENTS + e; }

/* `node` counts the nodes of a level within the workgroup. merkle_child: element e of its two children, of which the
 * second follows the first. merkle_store: stores element e of its digest. */
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
