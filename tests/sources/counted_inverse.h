/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_TESTS_SOURCES_COUNTED_INVERSE_H
#define REPRISE_TESTS_SOURCES_COUNTED_INVERSE_H

#include <stdatomic.h>
#include <stdint.h>

/* Field operations of the kernels for BN254 Fr in plain C, since the last reset. */
extern _Atomic uint64_t counted_products, counted_inversions;

#endif
