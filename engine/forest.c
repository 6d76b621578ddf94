/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Labels of a forest in two walks: the sizes from children to parents, everything else from parents to children.
 */
#include "forest.h"

static void label(rp_forest *f, uint32_t step, uint32_t *next) {
  const uint32_t p = f->parent[step];
  f->depth[step] = f->depth[p] + 1;
  const uint32_t far = f->jump[p];
  f->jump[step] = f->depth[p] - f->depth[far] == f->depth[far] - f->depth[f->jump[far]] ? f->jump[far] : p;
  f->begin[step] = next[p];
  next[p] += f->size[step];
  next[step] = f->begin[step] + 1;
}

bool rp_forest_build(rp_forest *f, rp_arena *arena, uint32_t n, uint32_t *parent, rp_forest_direction direction) {
  *f = (rp_forest){.n = n, .parent = parent};
  f->depth = rp_arena_array(arena, n + 1u, sizeof *f->depth);
  f->jump = rp_arena_array(arena, n + 1u, sizeof *f->jump);
  f->begin = rp_arena_array(arena, n + 1u, sizeof *f->begin);
  f->size = rp_arena_array(arena, n + 1u, sizeof *f->size);
  uint32_t *next = rp_arena_array(arena, n + 1u, sizeof *next); /* label of the next child */
  if (!f->depth || !f->jump || !f->begin || !f->size || !next) return 0;
  for (uint32_t i = 0; i <= n; i++) f->size[i] = 1;
  parent[n] = n;
  f->jump[n] = n;
  next[n] = 1;
  if (direction == RP_PARENTS_BEFORE) {
    for (uint32_t i = n; i-- > 0;) f->size[parent[i]] += f->size[i];
    for (uint32_t i = 0; i < n; i++) label(f, i, next);
  } else {
    for (uint32_t i = 0; i < n; i++) f->size[parent[i]] += f->size[i];
    for (uint32_t i = n; i-- > 0;) label(f, i, next);
  }
  return 1;
}

uint32_t rp_forest_meet(const rp_forest *f, uint32_t a, uint32_t b) {
  while (f->depth[a] > f->depth[b]) a = f->depth[f->jump[a]] >= f->depth[b] ? f->jump[a] : f->parent[a];
  while (f->depth[b] > f->depth[a]) b = f->depth[f->jump[b]] >= f->depth[a] ? f->jump[b] : f->parent[b];
  while (a != b) {
    const bool far = f->jump[a] != f->jump[b];
    a = far ? f->jump[a] : f->parent[a];
    b = far ? f->jump[b] : f->parent[b];
  }
  return a;
}
