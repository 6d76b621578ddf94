/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which instruction sets kernels may use. Each set includes the ones before it on the same architecture, so that a
 * kernel without the strongest variant runs its next one.
 */
#include "cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[RP_ISA_COUNT] = {
#define NAME(name, value, text) [value] = text,
    RP_CPU_ISA_LIST(NAME)
#undef NAME
};

#define BIT(n) (1u << (n))

#if defined(__x86_64__)
#include <cpuid.h>

/* Register states that the operating system saves (XCR0). */
static uint64_t saved_states(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

static uint32_t detect(void) {
  enum { STATES_AVX = 0x6, STATES_AVX512 = 0xe6 };
  const uint32_t osxsave = BIT(27), avx = BIT(28);                         /* leaf 1, ecx */
  const uint32_t bmi2 = BIT(8), adx = BIT(19), avx2 = BIT(5);              /* leaf 7, ebx */
  const uint32_t avx512 = BIT(16) | BIT(17) | BIT(21) | BIT(30) | BIT(31); /* F DQ IFMA BW VL */
  uint32_t a, b, c, d, isa = BIT(RP_ISA_C);
  if (!__get_cpuid(1, &a, &b, &c, &d)) return isa;
  uint64_t states = c & osxsave ? saved_states() : 0;
  uint32_t has_avx = c & avx;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return isa;
  if ((b & (bmi2 | adx)) != (bmi2 | adx)) return isa;
  isa |= BIT(RP_ISA_X86_ADX);
  if (!has_avx || !(b & avx2) || (states & STATES_AVX) != STATES_AVX) return isa;
  isa |= BIT(RP_ISA_X86_AVX2);
  if ((b & avx512) != avx512 || (states & STATES_AVX512) != STATES_AVX512) return isa;
  return isa | BIT(RP_ISA_X86_IFMA);
}

#ifdef REPRISE_SIMD8_PLAIN /* kernels of eight lanes are plain C in this build, and run everywhere */
uint32_t cpu_isa_detect(void) { return detect() | BIT(RP_ISA_X86_IFMA); }
#else
uint32_t cpu_isa_detect(void) { return detect(); }
#endif
#elif defined(__aarch64__)
uint32_t cpu_isa_detect(void) { return BIT(RP_ISA_C) | BIT(RP_ISA_ARM64); }
#else
uint32_t cpu_isa_detect(void) { return BIT(RP_ISA_C); }
#endif

void cpu_isa_names(uint32_t isa, char *text, size_t bytes) {
  size_t at = 0;
  if (bytes) text[0] = 0;
  for (uint32_t i = 0; i < RP_ISA_COUNT; i++) {
    if (!(isa & BIT(i)) || at >= bytes) continue;
    int n = snprintf(text + at, bytes - at, "%s%s", at ? " " : "", names[i]);
    if (n > 0) at += (size_t)n;
  }
}

#if defined(REPRISE_CPU_ONLY_IFMA)
enum { BUILT_FOR = RP_ISA_X86_IFMA };
#elif defined(REPRISE_CPU_ONLY_ADX)
enum { BUILT_FOR = RP_ISA_X86_AVX2 }; /* includes ADX */
#else
enum { BUILT_FOR = RP_ISA_C };
#endif

/* A build with REPRISE_CPU=NATIVE has kernels for processors like the one it was made on, and for no others. */
static rp_status check_build(uint32_t isa, rp_error *err) {
  if (isa & BIT(BUILT_FOR)) return RP_OK;
  char list[64];
  cpu_isa_names(isa, list, sizeof list);
  return rp_fail(err, RP_ERR_UNSUPPORTED,
                 "cpu: this library was built for processors with the instruction set \"%s\" (REPRISE_CPU=NATIVE), and "
                 "the device would use: %s; build it with -DREPRISE_CPU=ALL",
                 names[BUILT_FOR], list);
}

rp_status cpu_isa_select(const char *forced, uint32_t *isa, rp_error *err) {
  uint32_t have = cpu_isa_detect();
  const char *from = "cpu_isa";
  if (!forced) {
    forced = getenv("REPRISE_CPU_ISA");
    from = "REPRISE_CPU_ISA";
  }
  *isa = have;
  if (!forced || !*forced) return check_build(*isa, err);
  char list[64];
  for (uint32_t i = 0; i < RP_ISA_COUNT; i++) {
    if (strcmp(forced, names[i]) != 0) continue;
    cpu_isa_names(have, list, sizeof list);
    if (!(have & BIT(i)))
      return rp_fail(err, RP_ERR_UNSUPPORTED, "%s: this machine has no instruction set \"%s\"; it has: %s", from,
                     forced, list);
    *isa = have & (BIT(i) | (BIT(i) - 1));
    return check_build(*isa, err);
  }
  cpu_isa_names(BIT(RP_ISA_COUNT) - 1, list, sizeof list);
  return rp_fail(err, RP_ERR_ARGUMENT, "%s: unknown instruction set \"%.40s\"; known: %s", from, forced, list);
}
