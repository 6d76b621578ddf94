/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments of an operation that a caller wrote; this header is included by C and by CUDA.
 */
#ifndef REPRISE_TESTS_OWN_OP_H
#define REPRISE_TESTS_OWN_OP_H

#ifdef __CUDACC__
#include <stdint.h>
#define RP_ADDR(type) type *
#define RP_ARGS_SIZE(name, bytes) static_assert(sizeof(name) == (bytes), #name " has padding")
#else
#include <reprise/op.h>
#endif

#define OWN_GROUP 128

/* out[i] = (in[i] * factor mod 2^64) / 2^32 mod limit */
typedef struct own_spread_args {
  RP_ADDR(const uint64_t) in;
  RP_ADDR(uint32_t) out;
  uint32_t n, factor, limit, pad;
} own_spread_args;
RP_ARGS_SIZE(own_spread_args, 32);

#endif
