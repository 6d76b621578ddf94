/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The lines of eight points side by side (lines.h over fe8.h): the same bytes as pairing_prepare gives for each.
 */
#ifndef REPRISE_OPS_ATE8_H
#define REPRISE_OPS_ATE8_H

#include "arith/pairing/ate.h"
#include "arith/simd8/fe8.h"

#define LINES_FE fe8
#include "arith/pairing/lines.h"

typedef struct prepare8_memory {
  lines_fe8 lines;
  fe8 scratch[PAIRING_LINES];
} prepare8_memory;

static inline void fe8_of_columns(fe8 *r, const fe *column) {
  const void *at[8];
  for (int i = 0; i < 8; i++) at[i] = column + i;
  fe8_load_at(r, at);
}

/* Prepares q[0..7] into r[0..7]. Returns a mask of the points that are on the curve and in the subgroup; the lines of
 * the others are all zero. */
static inline uint8_t pairing_prepare8(prepared *const r[8], const aff *const q[8], prepare8_memory *memory) {
  fe x[PAIRING_POINTS][8], y[PAIRING_POINTS][8], end_x[8], end_y[8];
  fe8 x8[PAIRING_POINTS], y8[PAIRING_POINTS], slope, offset;
  multiple_fe8 t;
  uint8_t good = 0, infinite = 0;
  void *at[8];
  line nowhere;
  for (int i = 0; i < 8; i++) {
    fe px[PAIRING_POINTS], py[PAIRING_POINTS];
    aff end;
    memset(r[i], 0, sizeof *r[i]);
    good |= (uint8_t)(aff_on_curve(q[i]) << i);
    infinite |= (uint8_t)(aff_is_zero(q[i]) << i);
    pairing_points(q[i], px, py, &end);
    for (int k = 0; k < PAIRING_POINTS; k++) x[k][i] = px[k], y[k][i] = py[k];
    end_x[i] = end.x, end_y[i] = end.y;
  }
  for (int k = 0; k < PAIRING_POINTS; k++) fe8_of_columns(&x8[k], x[k]), fe8_of_columns(&y8[k], y[k]);
  walk_fe8(&memory->lines, &t, x8, y8);
  fe8_of_columns(&x8[0], end_x), fe8_of_columns(&y8[0], end_y);
  good &= ends_at_fe8(&t, &x8[0], &y8[0]);
  fe8_batch_inv_var(memory->lines.z, memory->scratch, (size_t)memory->lines.n);
  for (int i = 0; i < memory->lines.n; i++) {
    line_at_fe8(&slope, &offset, &memory->lines, memory->lines.z, i);
    for (int k = 0; k < 8; k++) at[k] = good >> k & 1 ? &r[k]->line[i].slope : &nowhere.slope;
    fe8_store_at(at, &slope);
    for (int k = 0; k < 8; k++) at[k] = good >> k & 1 ? &r[k]->line[i].offset : &nowhere.offset;
    fe8_store_at(at, &offset);
  }
  for (int i = 0; i < 8; i++)
    r[i]->what = infinite >> i & 1 ? PREPARED_INFINITY : good >> i & 1 ? PREPARED_LINES : PREPARED_REFUSED;
  return good | infinite;
}

#endif
