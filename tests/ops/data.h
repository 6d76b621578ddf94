/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Test data: field elements that arithmetic gets wrong first, and comparison on canonical values.
 */
#ifndef REPRISE_TESTS_OPS_DATA_H
#define REPRISE_TESTS_OPS_DATA_H

#include <reprise/ops.h>

typedef enum data_kind {
  DATA_RANDOM,
  DATA_EDGES,  /* 0, 1, 2, p - 1, p - 2, (p +- 1) / 2 and long runs of ones and zeros, mixed */
  DATA_EQUAL,  /* all p - 1 */
  DATA_SPARSE, /* mostly 0 and 1, as witnesses are */
  DATA_KINDS
} data_kind;

uint64_t data_next(uint64_t *seed);
/* n elements in memory form (host.h), malloc'd. */
void *data_field(rp_field field, data_kind kind, uint64_t seed, uint64_t n);
/* n elements, none of them zero. */
void *data_field_nonzero(rp_field field, data_kind kind, uint64_t seed, uint64_t n);
/* The canonical integers of n elements of a prime field, malloc'd. */
void *data_canonical(rp_field field, const void *elements, uint64_t n);
/* The inverse of data_canonical. */
void *data_from_canonical(rp_field field, const void *canonical, uint64_t n);

/* n, but at most 2^REPRISE_TEST_MAX_LOG where that is set: short runs under a sanitizer. */
uint64_t data_cap(uint64_t n);
/* Whether n is not 0 and within that cap. */
int data_fits(uint64_t n);
/* The first curve to be tested from `from` on, RP_CURVE_COUNT if there is none. All curves are tested, or those that
 * REPRISE_TEST_CURVES names, separated by spaces: a software GPU compiles the kernels of one curve for a minute. */
rp_curve data_curve(rp_curve from);
/* Sizes for tests, from 1 on, some of them no powers of two; ends with 0. */
extern const uint64_t data_sizes[];

/* Fails with the first index that differs. */
void data_assert_equal(rp_field field, const void *got, const void *want, uint64_t n, const char *what);

#endif
