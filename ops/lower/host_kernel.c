/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CPU kernels in the hands of the host: constants are filled before any device computes.
 */
#include "lower/lower.h"

#define BIT(isa) (1u << (isa))

#if defined(__x86_64__)
#include <cpuid.h>

static bool has_ifma(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2");
}

/* Each set includes the ones before it, as for devices (cpu/isa.c of the engine). __builtin_cpu_supports, which asks
 * whether the operating system saves the registers, has no name for ADX. Processors with IFMA have it; others are asked
 * by cpuid, which is slow in virtual machines. */
static uint32_t instruction_sets(void) {
  unsigned a, b, c, d;
  const uint32_t sets = BIT(RP_ISA_C) | BIT(RP_ISA_X86_ADX) | BIT(RP_ISA_X86_AVX2);
  if (has_ifma()) return sets | BIT(RP_ISA_X86_IFMA);
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_BMI2) || !(b & bit_ADX)) return BIT(RP_ISA_C);
  return __builtin_cpu_supports("avx2") ? sets : sets & ~BIT(RP_ISA_X86_AVX2);
}
#elif defined(__aarch64__)
static uint32_t instruction_sets(void) { return BIT(RP_ISA_C) | BIT(RP_ISA_ARM64); }
#else
static uint32_t instruction_sets(void) { return BIT(RP_ISA_C); }
#endif

rp_cpu_fn rp_host_variant(const rp_kernel *kernel) {
  const uint32_t sets = instruction_sets();
  const rp_cpu_variant *best = NULL;
  for (uint32_t i = 0; i < kernel->n_cpu; i++) {
    const rp_cpu_variant *v = &kernel->cpu[i];
    if (v->run && sets & BIT(v->isa) && (!best || v->isa > best->isa)) best = v;
  }
  return best ? best->run : NULL;
}
