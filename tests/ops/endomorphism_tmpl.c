/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The endomorphism of one curve with the library's constant, for test_endomorphism.c: r = (beta x, y), and
 * (beta^2 x, y) if `again`.
 */
#include "arith/curve.h"
#include "arith/curves/endomorphism.h"
#include "kernel/tmpl.h"

#include <stdbool.h>

void RP_FN(omega)(void *r, const void *affine, bool again);
void RP_FN(omega)(void *r, const void *affine, bool again) {
  aff p;
  memcpy(&p, affine, sizeof p);
  const fe x = p.x;
  fe_mul_beta(&p.x, &p.x);
  if (again) fe_mul_beta_again(&p.x, &p.x, &x);
  memcpy(r, &p, sizeof p);
}
