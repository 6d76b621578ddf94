/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Finds the function tables of fields and curves by id.
 */
#include "arith/host/host.h"

const rp_field_host *rp_field_get(rp_field field) {
  static const rp_field_host *const table[RP_FIELD_COUNT] = {
#define FIELD(NAME, name, bytes, limbs, degree) &rp_field_host_##name,
      RP_FIELD_LIST(FIELD)
#undef FIELD
  };
  return (unsigned)field < RP_FIELD_COUNT ? table[field] : NULL;
}

const rp_curve_host *rp_curve_get(rp_curve curve) {
  static const rp_curve_host *const table[RP_CURVE_COUNT] = {
#define CURVE(NAME, name, base, scalar, weierstrass) &RP_HOST_LEAST(rp_curve_host_##name),
      RP_CURVE_LIST(CURVE)
#undef CURVE
  };
  if ((unsigned)curve >= RP_CURVE_COUNT) return NULL;
#if defined(__x86_64__) && !defined(REPRISE_CPU_ONLY)
  static const rp_curve_host *const adx[RP_CURVE_COUNT] = {
#define CURVE(NAME, name, base, scalar, weierstrass) &rp_curve_host_##name##_adx,
      RP_CURVE_LIST(CURVE)
#undef CURVE
  };
  /* Processors with IFMA have MULX and ADX. Those with ADX but without IFMA use the plain table: __builtin_cpu_supports
   * has no name for ADX, and asking cpuid in each call would take tens of microseconds in a virtual machine. */
  if (__builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("bmi2")) return adx[curve];
#endif
  return table[curve];
}
