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
/* n elements in memory form (host.h). Free with free(). */
void *data_field(rp_field field, data_kind kind, uint64_t seed, uint64_t n);
/* n elements, none of them zero. */
void *data_field_nonzero(rp_field field, data_kind kind, uint64_t seed, uint64_t n);
/* The canonical integers of n elements of a prime field. Free with free(). */
void *data_canonical(rp_field field, const void *elements, uint64_t n);
/* The inverse of data_canonical. Free with free(). */
void *data_from_canonical(rp_field field, const void *canonical, uint64_t n);

/* n, but at most 2^REPRISE_TEST_MAX_LOG where that is set (for short runs under a sanitizer), and at most what
 * device_cap allows. */
uint64_t data_cap(uint64_t n);
/* Whether n is not 0 and data_cap does not reduce it. */
int data_fits(uint64_t n);
/* The first curve from `from` on that is to be tested; RP_CURVE_COUNT if there is none. All curves are tested, or only
 * those that REPRISE_TEST_CURVES names, separated by spaces: a software driver needs a minute to compile the kernels of
 * one curve. */
rp_curve data_curve(rp_curve from);
/* Lengths to test, in ascending order, some of them not powers of two; ends with 0. */
extern const uint64_t data_sizes[];

/* Fails with the first index that differs. */
void data_assert_equal(rp_field field, const void *got, const void *want, uint64_t n, const char *what);

#endif
