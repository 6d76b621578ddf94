/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernels that are written once for CUDA and Vulkan, item by item (ops/<family>/<name>_item.h):
 *
 *   RP_ITEM(kernel, rp_name_args) { ... }
 *
 * is executed for each i below k.n, where k are the arguments; i is a uint32_t. The body uses what both languages have
 * under the same names: integers and `bool`, fe_load and the functions of arith/field or arith/curve, load_u32,
 * store_u32 and rp_fault. Conditions are written as comparisons, because GLSL has no truth value of an integer.
 */
#ifndef REPRISE_CUDA_ITEM_CUH
#define REPRISE_CUDA_ITEM_CUH

#include "kernel/fault.cuh"
#include "kernel/kernel.cuh"

#define RP_ITEM(kernel, args)                                                          \
  static __device__ __forceinline__ void kernel##_item(const args &k, uint32_t i);     \
  extern "C" __global__ void __launch_bounds__(RP_ITEM_THREADS) kernel(const args k) { \
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                          \
    if (i < k.n) kernel##_item(k, i);                                                  \
  }                                                                                    \
  static __device__ __forceinline__ void kernel##_item(const args &k, uint32_t i)

static __device__ __forceinline__ uint32_t load_u32(const void *array, uint32_t i) {
  return ((const uint32_t *)array)[i];
}
static __device__ __forceinline__ void store_u32(void *array, uint32_t i, uint32_t x) { ((uint32_t *)array)[i] = x; }

#endif
