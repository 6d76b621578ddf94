/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A graph that a program of calls builds (fuzz_graph.c), and the calls on points, buckets and hashes
 * (fuzz_graph_ops.c), and those that know operations by what they declare (fuzz_graph_any.c). A call has four bytes:
 * which call, two earlier values, a parameter.
 */
#ifndef REPRISE_TESTS_FUZZ_GRAPH_H
#define REPRISE_TESTS_FUZZ_GRAPH_H

#include "fuzz.h"

#include <reprise/ops.h>

enum { MOST_VALUES = 48, MOST_BUCKETS = 8, MOST_BASES = 4, BASE_CALLS = 18, OTHER_CALLS = 41, ANY_CALLS = 8 };

typedef struct builder {
  rp_graph *graph;
  rp_value value[MOST_VALUES];
  rp_buckets buckets[MOST_BUCKETS];
  rp_fixed_base base[MOST_BASES];
  uint32_t n, n_buckets, n_bases, calls;
} builder;

const rp_type *fuzz_type(uint8_t which);
/* Powers of two and their neighbours, most of them small, some very large. */
uint64_t fuzz_length(uint8_t which);
/* An earlier value; now and then one that does not exist. */
rp_value fuzz_pick(const builder *b, uint8_t which);

rp_value fuzz_other_call(builder *b, unsigned which, const uint8_t step[4]); /* `which` is less than OTHER_CALLS */
/* A node of an example of any operation, with operands that fit: earlier values or new inputs. */
rp_value fuzz_example(builder *b, const uint8_t step[4]);
/* A node of any operation, with parameters within their ranges and any earlier values as operands. */
rp_value fuzz_node(builder *b, const uint8_t step[4]);
/* Makes the calls of a program in b->graph. */
void fuzz_build(builder *b, const uint8_t *data, size_t size);

#endif
