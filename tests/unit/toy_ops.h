/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Ops for the engine's tests, written as a caller outside the project would write them, with an element type of their
 * own and CPU kernels.
 */
#ifndef REPRISE_TESTS_TOY_OPS_H
#define REPRISE_TESTS_TOY_OPS_H

#include <reprise/op.h>

extern const rp_type toy_u64; /* its id is in the range for callers */
extern const rp_type toy_u32;

/* Element-wise a + b, and a * factor. The lengths of a and b must be equal. */
rp_value toy_add(rp_graph *graph, rp_value a, rp_value b);
rp_value toy_scale(rp_graph *graph, rp_value a, uint64_t factor);
/* Sum of all elements, in two dispatches with scratch between. */
rp_value toy_sum(rp_graph *graph, rp_value a);
/* Elements must be below the limit: RP_FAULT_SCALAR_RANGE otherwise. The result is a copy. */
rp_value toy_check(rp_graph *graph, rp_value a, uint64_t limit);
/* Both halves of a: two outputs, each written by a dispatch of its own. */
void toy_split(rp_graph *graph, rp_value a, rp_value halves[2]);
/* a[i] + table[i mod 16], where the op fills the table (16 squares) and doubles it once at record time. */
rp_value toy_table(rp_graph *graph, rp_value a);
/* The number of odd elements, as one u64: several dispatches on disjoint ranges add to it atomically. */
rp_value toy_count_odd(rp_graph *graph, rp_value a);
/* Elements [first, first + len) of a, and the elements of a followed by those of b. The engine may make views of these
 * ops (toy_views.c). */
rp_value toy_slice(rp_graph *graph, rp_value a, uint64_t first, uint64_t len);
rp_value toy_concat(rp_graph *graph, rp_value a, rp_value b);
/* a ^ b, and a * by_a + b * by_b (toy_rewrites.c). Either result may take the place of an operand, and chains of the
 * second operation become one node of up to four operands. */
rp_value toy_xor(rp_graph *graph, rp_value a, rp_value b);
/* a and ~a; one of the results may take the place of a. */
void toy_both(rp_graph *graph, rp_value a, rp_value out[2]);
rp_value toy_linear(rp_graph *graph, rp_value a, uint64_t by_a, rp_value b, uint64_t by_b);
/* `len` elements, of which element i is a[i mod (length of a)], and the sum of a; both work segment by segment. */
rp_value toy_fill_segments(rp_graph *graph, rp_value a, uint64_t len);
rp_value toy_sum_segments(rp_graph *graph, rp_value a);

/* For operations of a test's own: one u64 per item. */
typedef struct toy_copy_args {
  RP_ADDR(uint64_t) to;
  RP_ADDR(const uint64_t) from;
} toy_copy_args;
extern const rp_kernel toy_copy;

#endif
