/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The error record of a run as a message.
 */
#include "recording.h"

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

/* The name of the node's input that the caller gave, if there is exactly one: the bad element is in it. Else NULL. */
static const char *given_input(const rp_plan *plan, const rp_plan_node *node) {
  const char *name = NULL;
  for (uint32_t i = 0; i < node->node.n_in; i++) {
    const rp_plan_value *v = &plan->values[node->given_in[i].id - 1];
    if (v->origin != RP_ORIGIN_INPUT && v->origin != RP_ORIGIN_GIVEN) continue;
    if (name && strcmp(name, v->name) != 0) return NULL;
    name = v->name;
  }
  return name;
}

rp_status rp_fault_error(const rp_plan *plan, const rp_error_record *fault, rp_error *err) {
  unsigned long long index = (unsigned long long)fault->index_hi << 32 | fault->index_lo;
  char text[64];
  snprintf(text, sizeof text, "%s", text_of(fault->code));
  if (fault->code >= RP_FAULT_USER) snprintf(text, sizeof text, "fault %u of a user's op", fault->code);
  if (fault->node >= plan->n_nodes) return rp_fail(err, RP_ERR_INPUT, "%s: element %llu", text, index);
  const rp_plan_node *node = &plan->nodes[fault->node];
  const char *name = given_input(plan, node);
  return rp_fail(err, RP_ERR_INPUT, "%s: %s%selement %llu (node %s)", text, name ? name : "", name ? " " : "", index,
                 node->node.name);
}
