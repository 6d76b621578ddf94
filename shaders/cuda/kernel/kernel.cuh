/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * First include of every kernel: the types and macros that the argument headers (ops/<family>/..._args.h) use, and what
 * functions that are written for CUDA C and GLSL read memory with.
 */
#ifndef REPRISE_CUDA_KERNEL_CUH
#define REPRISE_CUDA_KERNEL_CUH

#include <stdint.h>

#define RP_ADDR(type) type *
#define RP_ARGS_SIZE(name, bytes) static_assert(sizeof(name) == (bytes), #name " has padding")

static __device__ __forceinline__ uint32_t load_u32(const void *array, uint32_t i) {
  return ((const uint32_t *)array)[i];
}

#endif
