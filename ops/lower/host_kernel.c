/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CPU kernels in the hands of the host: constants are filled before any device computes.
 */
#include "lower/lower.h"

#define BIT(isa) (1u << (isa))

#if defined(__x86_64__)
#include <cpuid.h>

/* As cpu/isa.c of the engine does for devices: each set includes the ones before it. __builtin_cpu_supports has no name
 * for ADX, and looks at the registers that the operating system saves. */
static uint32_t instruction_sets(void) {
  unsigned a, b, c, d;
  uint32_t sets = BIT(RP_ISA_C);
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_BMI2) || !(b & bit_ADX)) return sets;
  sets |= BIT(RP_ISA_X86_ADX);
  if (!__builtin_cpu_supports("avx2")) return sets;
  sets |= BIT(RP_ISA_X86_AVX2);
  const bool has_ifma = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq");
  return has_ifma ? sets | BIT(RP_ISA_X86_IFMA) : sets;
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
