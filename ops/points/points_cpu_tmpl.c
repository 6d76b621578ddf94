/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Point arithmetic that the other templates call, and element-wise operations on points, on the CPU.
 */
#include "points/points_cpu.h"
#include "points/points_args.h"

void pt_dbl(acc *r, const acc *a) { acc_dbl(r, a); }
void pt_add(acc *r, const acc *a, const acc *b) { acc_add(r, a, b); }
void pt_add_aff(acc *r, const acc *a, const aff *b) { acc_add_aff(r, a, b); }
void pt_to_aff(aff *r, const acc *a) { acc_to_aff(r, a); }
void pt_batch_to_aff(aff *r, const acc *a, size_t n, fe *scratch) { acc_batch_to_aff(r, a, n, scratch); }

enum { BATCH = 128 }; /* points that share an inversion */

void RP_FN(point_from_affine)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_point_map_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) acc_from_aff((acc *)a->out + i, (const aff *)a->in + i);
}

void RP_FN(point_to_affine)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_point_map_args *a = args;
  fe products[BATCH];
  (void)worker;
  for (uint64_t i = begin; i < end; i += BATCH) {
    uint32_t n = end - i < BATCH ? (uint32_t)(end - i) : BATCH;
    pt_batch_to_aff((aff *)a->out + i, (const acc *)a->in + i, n, products);
  }
}

void RP_FN(point_neg)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_point_map_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    if (a->affine) {
      aff_neg((aff *)a->out + i, (const aff *)a->in + i);
    } else {
      acc_neg((acc *)a->out + i, (const acc *)a->in + i);
    }
  }
}

void RP_FN(point_add)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_point_add_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    uint64_t ia = i * a->a_step, ib = i * a->b_step;
    acc *r = (acc *)a->out + i, t;
    if (a->a_affine) {
      acc_from_aff(&t, (const aff *)a->a + ia);
    } else {
      t = ((const acc *)a->a)[ia];
    }
    if (a->b_affine) {
      pt_add_aff(r, &t, (const aff *)a->b + ib);
    } else {
      pt_add(r, &t, (const acc *)a->b + ib);
    }
  }
}
