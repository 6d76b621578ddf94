/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_TESTS_SOURCES_COUNTED_INVERSE_H
#define REPRISE_TESTS_SOURCES_COUNTED_INVERSE_H

#include <stdatomic.h>
#include <stdint.h>

/* How many field operations the plain C kernels for BN254 Fr have done since the last reset. */
extern _Atomic uint64_t counted_products, counted_inversions;

#endif
