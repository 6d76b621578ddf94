/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The nodes of the tree of verkle_tree.c: they are computed in batches of commitments, level by level. */

#include "verkle_tree.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 64 };

uint64_t tree_random(void) { /* splitmix64 */
  static uint64_t state;
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void tree_random_scalar(uint8_t scalar[SCALAR]) {
  uint64_t words[4];
  for (int i = 0; i < 4; i++) words[i] = tree_random();
  words[3] >>= 4; /* the order has 253 bits */
  memcpy(scalar, words, SCALAR);
}

void tree_scalar(uint8_t scalar[SCALAR], const uint8_t point[AFFINE]) {
  const rp_field_host *f = rp_field_get(RP_FIELD_BLS12_381_FR), *r = rp_field_get(RP_FIELD_BANDERSNATCH_FR);
  uint64_t affine[AFFINE / 8], x[4], canonical[4];
  memcpy(affine, point, AFFINE);
  f->inv(x, affine + 4);
  f->mul(x, x, affine);
  f->to_canonical(canonical, x);
  r->from_bytes_reduce(x, (const uint8_t *)canonical, SCALAR);
  r->to_canonical(scalar, x);
}

/* Commitments to the children of all nodes of a level, BATCH of them per replay. */
static rp_status commit_level(const tree_level *l, rp_pedersen_batch *batch, rp_error *err) {
  uint8_t *values = calloc(BATCH, WIDTH * SCALAR), out[BATCH * SCALAR];
  rp_status status = values ? RP_OK : RP_ERR_MEMORY;
  for (uint32_t first = 0; first < l->nodes && status == RP_OK; first += BATCH) {
    const uint32_t n = l->nodes - first < BATCH ? l->nodes - first : BATCH;
    memcpy(values, l->children + (size_t)first * WIDTH * SCALAR, (size_t)n * WIDTH * SCALAR);
    status = rp_pedersen_batch_commit(batch, values, out, NULL, err);
    for (uint32_t i = 0; i < n && status == RP_OK; i++)
      status = rp_point_decompress(CURVE, out + (size_t)i * SCALAR, 1, l->points + (size_t)(first + i) * AFFINE);
  }
  free(values);
  return status;
}

static rp_status fill(tree *t, uint32_t log_leaves, rp_pedersen_batch *batch, rp_error *err) {
  uint32_t children = (uint32_t)1 << log_leaves;
  for (uint32_t k = 0; k == 0 || children > 1; k++) {
    tree_level *l = &t->level[k];
    l->nodes = (children + WIDTH - 1) / WIDTH;
    t->n_levels = k + 1;
    l->children = calloc(l->nodes, WIDTH * SCALAR);
    l->points = malloc((size_t)l->nodes * AFFINE);
    if (!l->children || !l->points) return RP_ERR_MEMORY;
    for (uint32_t i = 0; i < children; i++) {
      uint8_t *child = l->children + (size_t)i * SCALAR;
      if (k)
        tree_scalar(child, t->level[k - 1].points + (size_t)i * AFFINE);
      else
        tree_random_scalar(child);
    }
    const rp_status status = commit_level(l, batch, err);
    if (status != RP_OK) return status;
    children = l->nodes;
  }
  return RP_OK;
}

rp_status tree_create(tree *t, rp_device *device, uint32_t log_leaves, rp_error *err) {
  const rp_pedersen_batch_options o = {.struct_size = sizeof o, .width = WIDTH, .commitments = BATCH};
  rp_pedersen_batch *batch = NULL;
  memset(t, 0, sizeof *t);
  rp_status status = rp_pedersen_verkle_generators(WIDTH, t->generators, err);
  if (status == RP_OK) status = rp_pedersen_batch_create(device, &o, t->generators, &batch, err);
  if (status == RP_OK) status = fill(t, log_leaves, batch, err);
  rp_pedersen_batch_destroy(batch);
  return status;
}

void tree_destroy(tree *t) {
  for (uint32_t k = 0; k < t->n_levels; k++) free(t->level[k].children), free(t->level[k].points);
}

rp_status tree_check(const tree *t, uint32_t k, uint32_t node, int *agrees, rp_error *err) {
  uint8_t want[SCALAR], got[SCALAR];
  const tree_level *l = &t->level[k];
  rp_status status = rp_pedersen_commit(l->children + (size_t)node * WIDTH * SCALAR, t->generators, WIDTH, want, err);
  if (status == RP_OK) status = rp_point_compress(CURVE, l->points + (size_t)node * AFFINE, got);
  *agrees = status == RP_OK && !memcmp(want, got, SCALAR);
  return status;
}
