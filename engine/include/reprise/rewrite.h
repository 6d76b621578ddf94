/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, the contract with operations, continued: what the planner may change about nodes and dispatches, because the
 * operation or the kernel allows it. Calling rules: reprise.h.
 */
#ifndef REPRISE_REWRITE_H
#define REPRISE_REWRITE_H

#include <reprise/op.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results in place of operands -------------------------------------------------------------------------------- */

enum {
  /* Of a bind, with RP_READ and nothing else: what the dispatch writes may lie where this operand lies. The kernel
   * writes an element only after everything that reads the operand's element of the same index has read it: each item
   * of the dispatch (on a GPU each thread, or each workgroup between its barriers) reads of the operand only elements
   * that it writes itself, before it writes them, for every device and instruction set. The two addresses may be
   * equal, or the ranges do not overlap; a kernel must not promise to its compiler that they differ (restrict). The
   * planner makes use of it if no later dispatch reads the operand, and if operand and result are of the same length
   * and size of elements. Without it, what a dispatch writes never overlaps what it reads under another bind. */
  RP_IN_PLACE = 8u
};

/* ---- Constants at any address ------------------------------------------------------------------------------------ */

enum {
  /* Of a bind, with RP_READ and nothing else: a kernel for the CPU reads this operand as bytes, so that its address
   * need not be a multiple of the type's alignment. A constant of the caller (RP_BORROW) that is not aligned is used in
   * place if all dispatches that read it say so, and copied if not. Addresses of all other values are aligned. */
  RP_ANY_ADDRESS = 32u
};

/* ---- Two nodes as one -------------------------------------------------------------------------------------------- */

typedef struct rp_plan rp_plan; /* the plan of a recording; the engine's */

typedef struct rp_fuse_node {
  const rp_op *op;
  const void *params; /* as the operation has them */
  const rp_value *in; /* n_in */
  uint32_t n_in;
} rp_fuse_node;

/* The argument of an operation's fuse function: a node of this operation, the reader, and one that computes an operand
 * of it, the maker, whose only result no other node reads. Both run each time, and both are pure (RP_OP_PURE). */
typedef struct rp_fuse {
  rp_fuse_node reader, maker;
  rp_value between;      /* the maker's result; the reader has it as an operand, perhaps several times */
  rp_value out;          /* the reader's only result */
  rp_device_kind device; /* on which the graph is planned */
  const rp_device_limits *limits;
  /* To be set: a node that computes the reader's result, in the same bits, from other operands of the two, and promises
   * RP_OP_PURE. Its params and in are of rp_fuse_alloc, or belong to one of the two; its op->shape is not called. */
  rp_fuse_node fused;
  rp_plan *plan; /* the engine's */
} rp_fuse;

/* The type of an operand of either node, or of `out`; NULL for any other value. */
RP_API const rp_type *rp_fuse_type(const rp_fuse *fuse, rp_value v);
/* Its length in elements; 0 for any other value. */
RP_API uint64_t rp_fuse_len(const rp_fuse *fuse, rp_value v);
/* Host data of a constant that the caller gave and that may not be replaced; else NULL. */
RP_API const void *rp_fuse_data(const rp_fuse *fuse, rp_value v);
/* Zeroed memory that lives as long as the plan, aligned to 64 bytes. NULL when out of memory. */
RP_API void *rp_fuse_alloc(const rp_fuse *fuse, size_t bytes);

/* Of an operation (rp_schema.rewrites). */
typedef struct rp_rewrites {
  uint32_t struct_size;
  /* Not NULL: makes one node of a reader and a maker. Returns true if it has set `fused`; false leaves both, and so
   * does true with a node that has no operation. It should fuse only where one node takes less time than two. The
   * planner asks for every maker in turn, also for those of a node that was fused before (of its operation then), and
   * only where the fused node keeps nothing alive for longer that takes more memory than what is between the two. */
  bool (*fuse)(rp_fuse *fuse);
} rp_rewrites;

#ifdef __cplusplus
}
#endif
#endif
