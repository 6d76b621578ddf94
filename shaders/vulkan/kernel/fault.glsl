/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The error record of the run (reprise/kernel.h): the first fault is kept.
 */
#ifndef REPRISE_VULKAN_FAULT_GLSL
#define REPRISE_VULKAN_FAULT_GLSL

#include "fault_codes.h"

void rp_fault(addr record, uint code, uint site, uint index) {
  if (atomicCompSwap(rp_u32(record).v[0], 0u, code) != 0u) return;
  store_u32(record, 1, site);
  store_u32(record, 2, index);
  store_u32(record, 3, 0);
}

#endif
