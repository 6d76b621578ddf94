/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the CPU kernels of field vectors share; included by templates only (see tmpl.h).
 */
#ifndef REPRISE_OPS_CPU_H
#define REPRISE_OPS_CPU_H

#include <reprise/kernel.h>
#include <stddef.h>

#include "arith/field.h"
#include "kernel/tmpl.h"

/* r = a^e for a public exponent. */
static inline void cpu_fe_pow(fe *r, const fe *a, uint64_t e) {
  fe result, square = *a;
  fe_one(&result);
  for (; e; e >>= 1) {
    if (e & 1) fe_mul(&result, &result, &square);
    if (e > 1) fe_sqr(&square, &square);
  }
  *r = result;
}

#endif
