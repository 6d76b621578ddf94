/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reduction of the buckets of Eisenstein digits on the CPU, by running sums: the reference for GPUs.
 */
#include "points/points_cpu.h"
#include "arith/curves/endomorphism.h"
#include "msm/eisenstein_grid.h"
#include "msm/eisenstein_reduce_args.h"

/* p = zeta p for a point of the subgroup: zeta = -omega^2. */
static void acc_zeta(acc *p) {
  fe x;
  fe_mul_beta(&x, &p->x);
  fe_mul_beta_again(&p->x, &x, &p->x);
  fe_neg(&p->y, &p->y);
}

/* From the last row to the first: `rows` is the sum of the rows so far, which is added to `by_row` before each row, so
 * that row y counts y times there. */
void RP_FN(eisenstein_reduce)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_eisenstein_reduce_args *a = args;
  acc by_column, by_row, rows;
  (void)begin, (void)end, (void)worker;
  acc_zero(&by_column), acc_zero(&by_row), acc_zero(&rows);
  for (uint32_t y = a->columns + 1; y-- > 0;) {
    const acc *bucket = (const acc *)a->sums + (uint64_t)y * a->columns;
    acc row;
    acc_zero(&row);
    pt_add(&by_row, &by_row, &rows);
    for (uint32_t x = rp_eisenstein_reach(a->columns, y); x > 0; x--) {
      pt_add(&row, &row, &bucket[x - 1]);
      pt_add(&by_column, &by_column, &row);
    }
    pt_add(&rows, &rows, &row);
  }
  acc_zeta(&by_row);
  pt_add((acc *)a->result, &by_column, &by_row);
}
