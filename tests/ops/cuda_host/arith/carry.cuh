/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * In place of shaders/cuda/arith/carry.cuh, so that a C++ compiler can compile the arithmetic of the CUDA kernels: the
 * same functions with the carry flag in a variable, and what CUDA C has beyond C++. A function that leaves the flag
 * undefined sets it to a value that no sum would have given.
 */
#ifndef REPRISE_CUDA_CARRY_CUH
#define REPRISE_CUDA_CARRY_CUH

#include <stdint.h>

#define __device__
#define __noinline__
#define __shared__
#define RP_DEV static inline

struct uint4 {
  uint32_t x, y, z, w;
};
[[maybe_unused]] static struct { uint32_t x; } threadIdx;

static uint32_t carry_flag;

static inline uint32_t keep(uint64_t sum) {
  carry_flag = (uint32_t)(sum >> 32);
  return (uint32_t)sum;
}
static inline uint32_t drop(uint64_t sum) {
  carry_flag = 0xdead;
  return (uint32_t)sum;
}

static inline uint32_t mul_lo(uint32_t a, uint32_t b) { return a * b; }
static inline uint32_t mul_hi(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }
static inline uint32_t add_cc(uint32_t a, uint32_t b) { return keep((uint64_t)a + b); }
static inline uint32_t addc_cc(uint32_t a, uint32_t b) { return keep((uint64_t)a + b + carry_flag); }
static inline uint32_t addc(uint32_t a, uint32_t b) { return drop((uint64_t)a + b + carry_flag); }
static inline uint32_t mad_lo_cc(uint32_t a, uint32_t b, uint32_t c) { return add_cc(mul_lo(a, b), c); }
static inline uint32_t madc_lo_cc(uint32_t a, uint32_t b, uint32_t c) { return addc_cc(mul_lo(a, b), c); }
static inline uint32_t madc_hi_cc(uint32_t a, uint32_t b, uint32_t c) { return addc_cc(mul_hi(a, b), c); }
static inline uint32_t madc_hi(uint32_t a, uint32_t b, uint32_t c) { return addc(mul_hi(a, b), c); }

/* The flag is the borrow, which PTX keeps in the same place. */
static inline uint32_t sub_cc(uint32_t a, uint32_t b) {
  carry_flag = a < b;
  return a - b;
}
static inline uint32_t subc_cc(uint32_t a, uint32_t b) {
  const uint64_t other = (uint64_t)b + carry_flag;
  carry_flag = a < other;
  return (uint32_t)(a - other);
}
static inline uint32_t subc(uint32_t a, uint32_t b) { return drop(a - (uint64_t)b - carry_flag); }

static inline uint64_t mad_wide(uint32_t a, uint32_t b, uint64_t c) { return (uint64_t)a * b + c; }
static inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t bits) {
  return (uint32_t)(((uint64_t)high << 32 | low) << (bits & 31) >> 32);
}

#endif
