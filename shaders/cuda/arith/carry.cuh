/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * 32-bit additions, subtractions and multiply-adds with the carry flag. `volatile` keeps the instructions of a chain in
 * order; ptxas fuses each lo/hi pair into one wide multiply-add.
 */
#ifndef REPRISE_CUDA_CARRY_CUH
#define REPRISE_CUDA_CARRY_CUH

#include <stdint.h>

#define RP_DEV static __device__ __forceinline__

RP_DEV uint32_t mul_lo(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("mul.lo.u32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
RP_DEV uint32_t mul_hi(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("mul.hi.u32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
RP_DEV uint32_t mad_lo_cc(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r;
  asm volatile("mad.lo.cc.u32 %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
RP_DEV uint32_t madc_lo_cc(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r;
  asm volatile("madc.lo.cc.u32 %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
RP_DEV uint32_t madc_hi_cc(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r;
  asm volatile("madc.hi.cc.u32 %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
RP_DEV uint32_t madc_hi(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r;
  asm volatile("madc.hi.u32 %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
RP_DEV uint32_t add_cc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("add.cc.u32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
RP_DEV uint32_t addc_cc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("addc.cc.u32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
RP_DEV uint32_t addc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("addc.u32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
RP_DEV uint32_t sub_cc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("sub.cc.u32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
RP_DEV uint32_t subc_cc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("subc.cc.u32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
RP_DEV uint32_t subc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("subc.u32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

/* a b + c, in 64 bits. As one instruction, it is not taken apart where several such sums follow each other. */
RP_DEV uint64_t mad_wide(uint32_t a, uint32_t b, uint64_t c) {
  uint32_t low, high;
  asm volatile("{ .reg .u32 t; mad.lo.cc.u32 t,%2,%3,%4; madc.hi.u32 %1,%2,%3,%5; mov.u32 %0,t; }"
               : "=r"(low), "=r"(high)
               : "r"(a), "r"(b), "r"((uint32_t)c), "r"((uint32_t)(c >> 32)));
  return low | (uint64_t)high << 32;
}

#endif
