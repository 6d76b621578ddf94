/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calls of the fake driver, in their order. On a real driver nothing is expected.
 */
#ifndef REPRISE_TESTS_CUDA_SEQUENCE_H
#define REPRISE_TESTS_CUDA_SEQUENCE_H

#include "bench.h"

#ifdef FAKE_CUDA
#include "fake_cuda.h"
#else
static void fake_count_from_here(void) {}
static void fake_reset(void) {}
#endif

#define NAME_OF(name) #name
#define NAME(name) NAME_OF(name)
#define SET_NODE NAME(cuGraphExecKernelNodeSetParams) " "

static void expect_sequence(const char *want) {
#ifdef FAKE_CUDA
  assert_string_equal(fake_sequence(), want);
  assert_null(fake_violation());
#else
  (void)want;
#endif
}

#endif
