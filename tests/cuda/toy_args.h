/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments of the test's kernels, read by C and CUDA.
 */
#ifndef REPRISE_TESTS_CUDA_TOY_ARGS_H
#define REPRISE_TESTS_CUDA_TOY_ARGS_H

#include <stdint.h>

enum { TOY_BLOCK = 64 };

typedef struct toy_mix_args {
  const uint64_t *a, *b;
  uint64_t *out;
  uint32_t factor, n;
} toy_mix_args;

typedef struct toy_check_args {
  const uint64_t *a;
  uint64_t *out;
  uint32_t *error; /* code, node, index low, index high */
  uint32_t bad, n, site, fault;
} toy_check_args;

/* toy_count: how many blocks of TOY_BLOCK elements are kept. toy_head: copies their elements, and writes nothing
 * else. */
typedef struct toy_count_args {
  const uint64_t *a;
  uint32_t *count;
} toy_count_args;

typedef struct toy_head_args {
  const uint64_t *a;
  const uint32_t *count;
  uint64_t *out;
} toy_head_args;

typedef struct toy_pause_args {
  const uint64_t *a;
  uint64_t *out;
  uint32_t n, microseconds;
} toy_pause_args;

/* Whether a[0] has one of the bits of `mask`. */
typedef struct toy_bit_args {
  const uint64_t *a;
  uint32_t *bit;
  uint32_t mask, pad;
} toy_bit_args;

/* Reads one of a and b. */
typedef struct toy_select_args {
  const uint32_t *bit;
  const uint64_t *a, *b;
  uint64_t *out;
  uint32_t n, pad;
} toy_select_args;

#endif
