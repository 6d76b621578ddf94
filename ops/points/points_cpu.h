/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Point arithmetic for the templates over curves, as functions that are not inlined (points_cpu_tmpl.c defines them for
 * each curve): inlining them everywhere would add a hundred kilobytes of code for the large curves, and the cost of a
 * call is negligible beside ten field products. Contracts: ops/arith/curve.h.
 */
#ifndef REPRISE_OPS_CPU_POINTS_H
#define REPRISE_OPS_CPU_POINTS_H

#include <reprise/kernel.h>

#include "kernel/tmpl.h"
#include "arith/curve.h"

/* Single points gain nothing from eight lanes, so that those variants call the ones without lanes. */
#if defined(__AVX512IFMA__)
#define PT_FN(name) RP_FN_EXPAND(name, RP_ID, _adx)
#elif defined(RP_SIMD8_PLAIN)
#define PT_FN(name) RP_FN_EXPAND(name, RP_ID, )
#else
#define PT_FN(name) RP_FN(name)
#endif
#define pt_dbl PT_FN(cpu_point_dbl)
#define pt_add PT_FN(cpu_point_add)
#define pt_add_aff PT_FN(cpu_point_add_aff)
#define pt_to_aff PT_FN(cpu_point_to_aff)
#define pt_batch_to_aff PT_FN(cpu_point_batch_to_aff)

void pt_dbl(acc *r, const acc *a);
void pt_add(acc *r, const acc *a, const acc *b);
void pt_add_aff(acc *r, const acc *a, const aff *b);
void pt_to_aff(aff *r, const acc *a);
void pt_batch_to_aff(aff *r, const acc *a, size_t n, fe *scratch);

#endif
