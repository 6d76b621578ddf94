/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Operations with CUDA kernels over arrays of u64, as a caller writes them outside the tree. toy_head takes lengths
 * that are multiples of TOY_BLOCK.
 */
#ifndef REPRISE_TESTS_CUDA_TOY_OP_H
#define REPRISE_TESTS_CUDA_TOY_OP_H

#include <reprise/op.h>

extern const rp_type toy_u64, toy_u32;

rp_value toy_mix(rp_graph *graph, rp_value a, rp_value b, uint32_t factor); /* a * factor + b */
rp_value toy_check(rp_graph *graph, rp_value a, uint32_t bad);              /* a; a fault where it is `bad` */
rp_value toy_head(rp_graph *graph, rp_value a);                             /* its first 1 + a[0] % 4 blocks */
rp_value toy_pause(rp_graph *graph, rp_value a, uint32_t microseconds);     /* a, later */
rp_value toy_crash(rp_graph *graph, rp_value a, int really);                /* a, unless `really` */
rp_value toy_bit(rp_graph *graph, rp_value a, uint32_t mask);               /* one u32: a[0] & mask */
rp_value toy_select(rp_graph *graph, rp_value bit, rp_value a, rp_value b); /* a, or b if the u32 is 0 */

/* Gives the fake driver host functions for these kernels and for the library's own. */
void toy_register(void);
/* On the fake driver, called when the device comes to a piece of a run, before it looks whether the run has been
 * cancelled. NULL: nothing is. */
extern void (*toy_before_piece)(void);

#endif
