/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The error record of the run (reprise/kernel.h): the first fault is kept.
 */
#ifndef REPRISE_VULKAN_FAULT_GLSL
#define REPRISE_VULKAN_FAULT_GLSL

/* Values of rp_fault in reprise/kernel.h, which kernels do not include; tests/hygiene/layers.sh compares both. */
#define RP_FAULT_NOT_CANONICAL 1u
#define RP_FAULT_SCALAR_RANGE 2u
#define RP_FAULT_ZERO 3u
#define RP_FAULT_NOT_ON_CURVE 4u
#define RP_FAULT_NOT_IN_SUBGROUP 5u
#define RP_FAULT_ENCODING 6u
#define RP_FAULT_INDEX 7u

void rp_fault(addr record, uint code, uint site, uint index) {
  if (atomicCompSwap(rp_u32(record).v[0], 0u, code) != 0u) return;
  store_u32(record, 1, site);
  store_u32(record, 2, index);
  store_u32(record, 3, 0);
}

#endif
