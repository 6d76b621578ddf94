/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of batch inversion for one field, compiled once more with counters. The linker takes these instead of the
 * library's, so that the graph, the plan and the device of the test are the real ones.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "counted_inverse.h"

_Atomic uint64_t counted_products, counted_inversions;

static inline void counted_mul(fe *r, const fe *a, const fe *b) {
  counted_products++;
  fe_mul(r, a, b);
}

static inline void counted_inv_var(fe *r, const fe *a) {
  counted_inversions++;
  fe_inv_var(r, a);
}

static inline void counted_inv_ct(fe *r, const fe *a) {
  counted_inversions++;
  fe_inv_ct(r, a);
}

#define fe_mul counted_mul
#define fe_inv_var counted_inv_var
#define fe_inv_ct counted_inv_ct
#include "vector/batch_inverse_cpu_tmpl.c"
