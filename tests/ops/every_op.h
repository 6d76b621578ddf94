/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every operation of reprise/ops.h, over every field or curve it has, as a graph of its own: the examples that
 * operations declare (rp_schema.examples), and what every_op.c has for those without. Together they lower to every
 * kernel that there is. test_gpu_coverage.c holds the list against the headers.
 */
#ifndef REPRISE_TESTS_OPS_EVERY_OP_H
#define REPRISE_TESTS_OPS_EVERY_OP_H

#include "device.h"

typedef struct every_op_case {
  rp_graph *g;
  rp_field field;
  rp_curve curve;
  uint64_t n;
  int computed; /* operands are computed by nodes, from inputs */
} every_op_case;

typedef struct every_op {
  const char *name;
  rp_value (*build)(const every_op_case *c); /* returns RP_NO_VALUE, without an error, where there is none */
  rp_example_over over;
  const rp_op *op; /* example `which` of this operation, if build is NULL */
  uint32_t which;
} every_op;

size_t every_op_count(void);
const every_op *every_op_get(size_t i);
/* How many ids there are: of fields or of curves, whichever the operation is over. */
int every_op_ids(const every_op *op);
/* Builds the operation in c->g over field or curve `id`, which is set in *c. Returns RP_NO_VALUE, without an error, if
 * it cannot be built over that. */
rp_value every_op_build(const every_op *op, int id, every_op_case *c);

/* Records each operation on the device, with the lengths `least`, 100 * `least` and so on up to 50,000. */
void every_op_record(rp_context *context, rp_device *device, uint64_t least);
/* Records each operation that has one length, with `least` elements and with operands that nodes compute. */
void every_op_record_computed(rp_context *context, rp_device *device, uint64_t least);

#endif
