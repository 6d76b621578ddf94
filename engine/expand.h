/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs with composite operations, expanded for a device (rp_op.expand).
 */
#ifndef REPRISE_ENGINE_EXPAND_H
#define REPRISE_ENGINE_EXPAND_H

#include "device.h"
#include "graph.h"

typedef rp_status (*rp_expand_fn)(rp_expand *expand);

/* NULL unless the operation is composite. */
rp_expand_fn rp_op_expand(const rp_op *op);

/* *expanded gets a graph without composite operations that computes the same, and has the values of `graph` under the
 * same ids; or `graph` itself, if it has none, or an error. The caller owns a reference to it, which keeps `graph`. */
rp_status rp_graph_expand(const rp_graph *graph, const rp_device *device, uint32_t memory_level,
                          const rp_graph **expanded, rp_error *err);

/* A graph with everything of `from` but the nodes, which references it; NULL when out of memory. */
rp_graph *rp_graph_copy_tables(const rp_graph *from);
/* Adds a node of the graph whose tables were copied. 0 when out of memory. */
bool rp_graph_copy_node(rp_graph *graph, const rp_node *node);
/* The nodes from `first` on write and read `own` instead of `made`, which one of them computes as its only result.
 * 0 when out of memory. */
bool rp_graph_replace_value(rp_graph *graph, uint32_t first, rp_value made, rp_value own);

/* Host memory of a graph that rp_graph_expand made; 0 for any other graph. */
uint64_t rp_graph_expanded_bytes(const rp_graph *graph);

#endif
