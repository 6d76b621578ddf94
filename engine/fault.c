/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The error record of a run as a message.
 */
#include "recording.h"
#include "template.h"

#include <stdio.h>

void rp_fault_report(rp_error_record *record, uint32_t code, uint32_t site, uint64_t index) {
  uint32_t none = RP_FAULT_NONE;
  if (!record) return;
  if (!__atomic_compare_exchange_n(&record->code, &none, code, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  record->node = site;
  record->index_lo = (uint32_t)index;
  record->index_hi = (uint32_t)(index >> 32);
}

static const char *text_of(uint32_t code) {
  switch (code) {
#define TEXT(name, value, text) \
  case name: return text;
    RP_FAULT_LIST(TEXT)
#undef TEXT
  }
  return "unknown fault";
}

rp_status rp_fault_error(const rp_plan *plan, const rp_error_record *fault, rp_error *err) {
  unsigned long long index = (unsigned long long)fault->index_hi << 32 | fault->index_lo;
  char text[64];
  snprintf(text, sizeof text, "%s", text_of(fault->code));
  if (fault->code >= RP_FAULT_USER) snprintf(text, sizeof text, "fault %u of a user's op", fault->code);
  char node[384];
  const char *name;
  if (!rp_site_find(plan, fault->node, node, sizeof node, &name))
    return rp_fail(err, RP_ERR_INPUT, "%s: element %llu", text, index);
  return rp_fail(err, RP_ERR_INPUT, "%s: %s%selement %llu (node %s)", text, name ? name : "", name ? " " : "", index,
                 node);
}
