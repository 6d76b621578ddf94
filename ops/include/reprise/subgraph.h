/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 2: graphs in graphs. A body is a graph by itself (call.h), which another graph calls once (rp_call), in
 * a loop (rp_repeat), for many instances side by side (rp_batch) or depending on a value (rp_if). All of them consist
 * of calls and ordinary nodes, so that they work on every device and in saved graphs. Calling rules: reprise.h.
 */
#ifndef REPRISE_SUBGRAPH_H
#define REPRISE_SUBGRAPH_H

#include <reprise/call.h>
#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A loop-carried value: an input of the body, and the output that this input is in the next iteration. Both have the
 * same type and length. `value` is that of the first iteration; the call writes that after the last one. */
typedef struct rp_carried {
  const char *input, *output;
  rp_value value;
} rp_carried;

/* What the inputs and outputs of a body are. Each input of the body is in exactly one list. An output may be in several
 * lists or in none. */
typedef struct rp_repeat_ports {
  uint32_t struct_size;
  uint32_t n_shared, n_sliced, n_carried, n_stacked;
  const rp_call_port *shared; /* inputs that have the same value in every iteration */
  /* Inputs of which iteration i gets elements [i * len, (i + 1) * len) of the value; len is the length of the body's
   * input, and the value has n * len elements. To tell a body its index, give it a slice of a constant 0, 1, 2 ... */
  const rp_call_port *sliced;
  rp_carried *carried;
  /* Outputs of all iterations, one after another: n * len elements. The call writes the values. */
  rp_call_port *stacked;
} rp_repeat_ports;

/* Calls the body n >= 1 times, each time with the carried values of the iteration before. The nodes of iteration i are
 * in the scope "NAME/[i]", those that cut and join arrays in "NAME"; a second loop of that name in the open scope
 * continues the numbers. At least one value is carried or stacked.
 *
 * Iterations are ordered by the values that they pass on, and by nothing else: what does not depend on carried values
 * may run side by side. If the shapes change from round to round, as when a list is halved, call a body for each shape
 * instead.
 *
 * Returns true, or false after an error of `graph`, which is one of rp_call's, or: n is 0 or struct_size is not set
 * (RP_ERR_ARGUMENT), a sliced value does not have n * len elements (RP_ERR_SHAPE), an output that is carried has
 * another type or length than its input (RP_ERR_TYPE, RP_ERR_SHAPE). The values of carried and stacked are then
 * RP_NO_VALUE. */
RP_API bool rp_repeat(rp_graph *graph, const char *name, const rp_graph *body, uint32_t n,
                      const rp_repeat_ports *ports);

/* The same for n instances that have nothing to do with each other, and may all run side by side: there are no carried
 * values (RP_ERR_ARGUMENT). Inputs are shared or sliced, outputs are stacked. */
RP_API bool rp_batch(rp_graph *graph, const char *name, const rp_graph *body, uint32_t n, const rp_repeat_ports *ports);

/* Calls one body or the other, by a value of the device: the condition is one u32, such as rp_low_bits makes, and the
 * results are those of then_body if it is not 0, else those of else_body. Both bodies have all of the outputs that are
 * asked for, of equal types and lengths. Each input is given to the bodies that have one of that name, at least one;
 * together they are all inputs of both bodies. The nodes are in the scopes "NAME/then[i]" and "NAME/else[i]".
 *
 * A run computes one of the bodies (rp_condition_begin, op.h), and rp_select takes its results: the other one takes no
 * time, and no fault in it (a value out of range, a strict inverse of zero) fails the run. What a body computes of
 * constants alone is computed once, in either case. How long the run takes therefore tells the condition, and so a
 * condition that depends on a secret input (RP_SECRET) leaves nothing out: both bodies are computed in every run, and a
 * fault in either of them fails it. The same holds on CUDA devices whose driver is older than 12.4, in runs that
 * rp_run_record_into adds to a CUDA graph, in groups of devices, and in recordings made with RP_RECORD_ALL_BRANCHES,
 * which is for conditions that are to be hidden but not marked as secret.
 *
 * Returns true, or false after an error of `graph`, which is one of rp_call's, or: a body is NULL or an input is in
 * neither (RP_ERR_ARGUMENT), the condition is not one u32 (RP_ERR_TYPE), an output has different types or lengths in
 * the bodies (RP_ERR_TYPE, RP_ERR_SHAPE). The values of `outputs` are then RP_NO_VALUE. */
RP_API bool rp_if(rp_graph *graph, const char *name, rp_value condition, const rp_graph *then_body,
                  const rp_graph *else_body, const rp_call_port *inputs, uint32_t n_inputs, rp_call_port *outputs,
                  uint32_t n_outputs);

#ifdef __cplusplus
}
#endif
#endif
