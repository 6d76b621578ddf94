/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * RP_LANES is 1 if this variant of a template has eight-lane arithmetic for its field (fe8.h): with AVX-512 IFMA or, in
 * a build with REPRISE_SIMD8_PLAIN, in plain C that gives the same bits, so that the kernels are tested on every
 * machine.
 */
#ifndef REPRISE_OPS_CPU_LANES_H
#define REPRISE_OPS_CPU_LANES_H

#if defined(__AVX512IFMA__) || defined(RP_SIMD8_PLAIN)
#include "arith/simd8/fe8.h"
#define RP_LANES RP_HAS_FE8
#else
#define RP_LANES 0
#endif

#endif
