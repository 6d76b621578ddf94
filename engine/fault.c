/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The error record of a run as a message.
 */
#include "recording.h"

static const char *text_of(uint32_t code) {
  switch (code) {
#define TEXT(name, value, text) \
  case name: return text;
    RP_FAULT_LIST(TEXT)
#undef TEXT
  }
  return code > RP_FAULT_USER ? "fault of a user's op" : "unknown fault";
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
  if (fault->node >= plan->n_nodes) return rp_fail(err, RP_ERR_INPUT, "%s: element %llu", text_of(fault->code), index);
  const rp_plan_node *node = &plan->nodes[fault->node];
  const char *name = given_input(plan, node);
  return rp_fail(err, RP_ERR_INPUT, "%s: %s%selement %llu (node %s)", text_of(fault->code), name ? name : "",
                 name ? " " : "", index, node->node.name);
}
