/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks that points are on the curve and in the subgroup, on the CPU. With lanes, eight points at once are checked to
 * be on the curve; those that fail are checked again one by one.
 */
#include "points/points_cpu.h"
#include "points/point_check_args.h"
#include "kernel/lanes.h"

#include <stdbool.h>

static void check_one(const struct rp_point_check_args *a, uint64_t i, bool on_curve) {
  const aff *p = (const aff *)a->in + i;
  if (!on_curve && !aff_on_curve(p)) {
    rp_fault_report((rp_error_record *)a->error, RP_FAULT_NOT_ON_CURVE, a->site, i);
  } else if (a->subgroup && !aff_in_subgroup(p)) {
    rp_fault_report((rp_error_record *)a->error, RP_FAULT_NOT_IN_SUBGROUP, a->site, i);
  }
}

#if RP_LANES && !CURVE_EDWARDS
/* The lanes in which y^2 = x^3 + b. Infinity, which is (0, 0), is not among them. */
static m8 on_curve8(const aff *points, const fe8 *b) {
  fe8 x, y, cube;
  const void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &points[i].x;
  fe8_load_at(&x, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &points[i].y;
  fe8_load_at(&y, at);
  fe8_sqr(&cube, &x);
  fe8_mul(&cube, &cube, &x);
  fe8_add(&cube, &cube, b);
  fe8_sqr(&y, &y);
  return fe8_equal(&cube, &y);
}

static uint64_t check_groups(const struct rp_point_check_args *a, uint64_t begin, uint64_t end) {
  static const fe curve_b = CURVE_B_64;
  fe all[8];
  fe8 b;
  for (int i = 0; i < 8; i++) all[i] = curve_b;
  fe8_load(&b, all);
  for (; end - begin >= 8; begin += 8) {
    const m8 good = on_curve8((const aff *)a->in + begin, &b);
    for (int i = 0; i < 8 && (good != (m8)0xff || a->subgroup); i++) check_one(a, begin + (uint64_t)i, good >> i & 1);
  }
  return begin;
}
#else
static uint64_t check_groups(const struct rp_point_check_args *a, uint64_t begin, uint64_t end) {
  (void)a, (void)end;
  return begin;
}
#endif

void RP_FN(point_check)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_point_check_args *a = args;
  (void)worker;
  for (uint64_t i = check_groups(a, begin, end); i < end; i++) check_one(a, i, 0);
  memcpy((aff *)a->out + begin, (const aff *)a->in + begin, (end - begin) * sizeof(aff));
}
