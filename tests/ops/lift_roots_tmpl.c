/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The square roots in lanes of points from their x, for elements that are no x^3 + b: test_lift_many.c.
 */
#include "arith/host/host_lift_tmpl.c"

#include "lift_roots.h"

/* Roots of AT_ONCE elements, or zero. */
static uint32_t roots(const void *elements, void *out) {
  fe8 a[VECTORS], r[VECTORS], t;
  uint32_t good = 0;
  for (int v = 0; v < VECTORS; v++) fe8_load(&a[v], (const fe *)elements + 8 * v);
  roots_of(r, a);
  for (int v = 0; v < VECTORS; v++) {
    fe8_store((fe *)out + 8 * v, &r[v]);
    fe8_sqr(&t, &r[v]);
    good |= (uint32_t)fe8_equal(&t, &a[v]) << 8 * v;
  }
  return good;
}

_Static_assert((int)LIFT_ROOTS == (int)AT_ONCE, "as many as the test passes");

uint32_t (*const RP_FN(lift_roots))(const void *elements, void *out) = roots;
