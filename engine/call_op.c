/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The operation of calls that are nodes (call_node.c). It is lowered by the template of its body.
 */
#include "template.h"

#include <stdio.h>

static rp_status shape(const rp_shape *s) {
  const rp_call_what *what = s->params;
  for (uint32_t i = 0; i < s->n_out; i++) {
    s->out_type[i] = what->body->values[what->outs[i]].type;
    s->out_len[i] = what->body->values[what->outs[i]].len;
  }
  return RP_OK;
}

static int describe(const void *params, char *text, size_t bytes) {
  const rp_call_what *what = params;
  return snprintf(text, bytes, "%.64s nodes=%u", what->body->name, what->body->n_nodes);
}

static const rp_strategy strategies[] = {{.name = "planned once", .devices = UINT32_MAX, .lower = rp_template_lower}};

const rp_op rp_op_call = {.struct_size = sizeof(rp_op),
                          .name = "call",
                          .params_bytes = sizeof(rp_call_what),
                          .shape = shape,
                          .strategies = strategies,
                          .n_strategies = 1,
                          .describe = describe};
