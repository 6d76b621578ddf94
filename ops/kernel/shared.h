/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Macros for functions that C, CUDA C and GLSL all read, so that an index is computed in one place only. Such functions
 * use 32-bit unsigned integers, structs of them, and the kernel's arguments, which are named k:
 *
 *   RP_SHARED uint32_t name(RP_ARGS_OF(rp_ntt_args) uint32_t x)   name(RP_ARGS_PASSED x)
 *
 * In GLSL the arguments are a global variable, in C and CUDA C the first parameter. A parameter that is an array is
 * RP_CHANGED if the function writes to it, and `const` if not. RP_UNROLLED is in front of a loop with few rounds whose
 * number is a constant.
 */
#ifndef REPRISE_OPS_SHARED_H
#define REPRISE_OPS_SHARED_H

#if defined(__CUDACC__)
#define RP_SHARED static __device__ __forceinline__
#define RP_ARGS_OF(name) const name &k,
#define RP_ARGS_PASSED k,
#define RP_TYPE_OF(name) name
#define RP_CHANGED
#define RP_UNROLLED _Pragma("unroll")
#define RP_REVERSED_32(x) __brev(x)
#define RP_HIGHEST_BIT(x) (31 - __clz(x))
#define RP_BITS_FROM(low, high, bit) __funnelshift_r(low, high, bit)
#elif defined(VULKAN)
#define RP_SHARED
#define RP_ARGS_OF(name)
#define RP_ARGS_PASSED
#define RP_TYPE_OF(name) name
#define RP_CHANGED inout
#define RP_UNROLLED [[unroll]]
#define RP_REVERSED_32(x) bitfieldReverse(x)
#define RP_HIGHEST_BIT(x) findMSB(x)
/* The 32 bits from bit `bit` % 32 of high:low on. */
#define RP_BITS_FROM(low, high, bit) ((low) >> (bit) % 32u | (high) << 1u << (31u - (bit) % 32u))
#else
#include "kernel/bits.h"
#define RP_SHARED static inline
#define RP_ARGS_OF(name) const struct name k,
#define RP_ARGS_PASSED k,
#define RP_TYPE_OF(name) struct name
#define RP_CHANGED
#ifdef __clang__
#define RP_UNROLLED _Pragma("unroll")
#else
#define RP_UNROLLED _Pragma("GCC unroll 16")
#endif
#define RP_HIGHEST_BIT(x) (31 - __builtin_clz(x))
#endif

#ifdef RP_REVERSED_32
/* The same as in bits.h, by one instruction. */
RP_SHARED uint32_t rp_bit_reverse(uint32_t x, uint32_t bits) {
  return bits != 0u ? RP_REVERSED_32(x) >> (32u - bits) : 0u;
}
#endif

#endif
