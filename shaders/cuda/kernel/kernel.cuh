/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * First include of every kernel: the types and macros that the argument headers (ops/<family>/..._args.h) use, and what
 * functions that are written for CUDA C and GLSL read and write memory with.
 */
#ifndef REPRISE_CUDA_KERNEL_CUH
#define REPRISE_CUDA_KERNEL_CUH

#include <stdint.h>

#define RP_ADDR(type) type *
#define RP_ARGS_SIZE(name, bytes) static_assert(sizeof(name) == (bytes), #name " has padding")

static __device__ __forceinline__ uint32_t load_u32(const void *array, uint32_t i) {
  return ((const uint32_t *)array)[i];
}

/* base + i * bytes */
static __device__ __forceinline__ const void *at(const void *base, uint32_t i, uint32_t bytes) {
  return (const char *)base + (uint64_t)i * bytes;
}
static __device__ __forceinline__ void *at(void *base, uint32_t i, uint32_t bytes) {
  return (char *)base + (uint64_t)i * bytes;
}
static __device__ __forceinline__ void store_u32(void *array, uint32_t i, uint32_t x) { ((uint32_t *)array)[i] = x; }

#endif
