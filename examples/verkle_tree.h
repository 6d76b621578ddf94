/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A Verkle tree of width 256 over Banderwagon in the memory of the host, for verkle_tree.c.
 */
#ifndef REPRISE_EXAMPLES_VERKLE_TREE_H
#define REPRISE_EXAMPLES_VERKLE_TREE_H

#include <reprise/graphs.h>

enum { WIDTH = 256, SCALAR = RP_PEDERSEN_BYTES, AFFINE = 64, LEVELS_MOST = 4 };
static const rp_curve CURVE = RP_CURVE_BANDERWAGON;

/* The nodes of a level; level 0 are the parents of the leaves. The children of node i are WIDTH scalars from
 * i * WIDTH on: leaves, or the scalars of the nodes one level below, and zeros where there is none. */
typedef struct tree_level {
  uint32_t nodes;
  uint8_t *children; /* [nodes][WIDTH][SCALAR] */
  uint8_t *points;   /* [nodes][AFFINE]: the commitments to the children */
} tree_level;

typedef struct tree {
  uint32_t n_levels; /* the last one is the root alone */
  tree_level level[LEVELS_MOST];
  uint8_t generators[WIDTH * SCALAR];
} tree;

/* A tree of 2^log_leaves random leaves, whose nodes are computed on the device. */
rp_status tree_create(tree *t, rp_device *device, uint32_t log_leaves, rp_error *err);
void tree_destroy(tree *t);
/* The scalar that stands for a commitment among the children of its parent: x / y, reduced, as the Verkle specification
 * has it. */
void tree_scalar(uint8_t scalar[SCALAR], const uint8_t point[AFFINE]);
/* Sets *agrees to whether the node is the commitment to its children, which is computed on the host. */
rp_status tree_check(const tree *t, uint32_t level, uint32_t node, int *agrees, rp_error *err);
/* The next number of a sequence that is always the same. */
uint64_t tree_random(void);
/* A scalar below the group order from that sequence. */
void tree_random_scalar(uint8_t scalar[SCALAR]);

#endif
