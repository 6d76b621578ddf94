/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What loops cost the host: graphs that compute x <- body(x, y[i]) for i = 0, 1, 2 ..., by calls or node by node.
 */
#ifndef REPRISE_TESTS_CALL_CHAINS_H
#define REPRISE_TESTS_CALL_CHAINS_H

#include "watch.h"

typedef struct chain_cost {
  rp_status status; /* of the recording; the rest is 0 unless it is RP_OK */
  uint32_t dispatches;
  uint64_t graph_bytes, recording_bytes; /* of host memory, as long as they exist */
  uint64_t arena_bytes;
  uint64_t build_ns, record_ns; /* of processor time */
} chain_cost;

/* Builds and records the graph, with a body of so many nodes that is called so often. */
chain_cost chain_measure(const rp_backend *backend, uint32_t nodes, uint32_t calls, bool by_call);
/* Prints a table of bodies of 10, 100 and 1000 nodes that are called 1 to 10,000 times. */
void chain_table(const rp_backend *backend);

#endif
