/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How a CPU kernel reports bad data.
 */
#ifndef REPRISE_OPS_CPU_FAULT_H
#define REPRISE_OPS_CPU_FAULT_H

#include <reprise/op.h>

/* Records a fault; only the first one of a run is kept. */
static inline void cpu_fault(rp_error_record *record, rp_fault fault, uint32_t site, uint64_t index) {
  uint32_t none = RP_FAULT_NONE;
  if (!__atomic_compare_exchange_n(&record->code, &none, (uint32_t)fault, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return;
  record->node = site;
  record->index_lo = (uint32_t)index;
  record->index_hi = (uint32_t)(index >> 32);
}

#endif
