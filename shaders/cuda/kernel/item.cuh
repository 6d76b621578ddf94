/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernels that are written once for CUDA and Vulkan (ops/<family>/<name>_item.h). If each thread computes an item by
 * itself,
 *
 *   RP_ITEM(kernel, rp_name_args) { ... }
 *
 * is executed for each i below k.n, where k are the arguments; i is a uint32_t. If the threads of a workgroup work
 * together,
 *
 *   RP_GROUP_ITEM(kernel, rp_name_args) { ... }
 *
 * is executed by all threads of each workgroup. GROUP is its number among GROUPS, THREAD that of the thread among
 * THREADS, a power of two, and INDEX that of the thread in the whole grid. RP_GROUP_ARRAY(type, name, length), before
 * the function that uses it, declares an array that they share; the length is a constant, or THREADS_<kernel>, the
 * kernel's number of threads, or a multiple of that. barrier() waits until all have come, shared_add(number, x) adds to
 * a number in such an array, and kernel/group_sum.h has a sum over a workgroup.
 *
 * The body uses what both languages have under the same names: integers and `bool`, fe_load and the functions of
 * arith/field or arith/curve, at, load_u32, store_u32 and rp_fault. Conditions are written as comparisons, because GLSL
 * has no truth value of an integer.
 */
#ifndef REPRISE_CUDA_ITEM_CUH
#define REPRISE_CUDA_ITEM_CUH

#include "kernel/fault.cuh"
#include "kernel/kernel.cuh"

#define RP_ITEM(kernel, args)                                                           \
  static __device__ __forceinline__ void kernel##_item(const args &k, uint32_t i);      \
  extern "C" __global__ void __launch_bounds__(THREADS_##kernel) kernel(const args k) { \
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                           \
    if (i < k.n) kernel##_item(k, i);                                                   \
  }                                                                                     \
  static __device__ __forceinline__ void kernel##_item(const args &k, uint32_t i)

#define RP_GROUP_ITEM(kernel, args) extern "C" __global__ void __launch_bounds__(THREADS_##kernel) kernel(const args k)

#define RP_GROUP_ARRAY(type, name, length) static __shared__ type name[length]
#define GROUP (blockIdx.x)
#define GROUPS (gridDim.x)
#define THREAD (threadIdx.x)
#define THREADS (blockDim.x)
#define INDEX (GROUP * THREADS + THREAD)

/* Adds x to a number in shared memory, which other threads may be adding to. */
static __device__ __forceinline__ void shared_add(uint32_t &number, uint32_t x) { atomicAdd(&number, x); }
static __device__ __forceinline__ void barrier() { __syncthreads(); }

#endif
