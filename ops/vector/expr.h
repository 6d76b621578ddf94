/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What nodes of rp_expr and those into which the planner fuses others have in common: checked programs in the form that
 * kernels read (expr_args.h), and their dispatch.
 */
#ifndef REPRISE_OPS_EXPR_H
#define REPRISE_OPS_EXPR_H

#include <reprise/expr.h>

#include "lower/lower.h"

struct rp_expr_params {
  uint32_t n_code, n_columns, n_constants;
  uint32_t deepest,
      n_temps; /* deepest: the most elements on the stack, not counting those that the next instruction pops */
};

/* The operands of a node of rp_expr: its program, its constants (column 0, if it has none), columns. */
enum { RP_EXPR_CODE, RP_EXPR_CONSTANTS, RP_EXPR_COLUMNS };

static inline uint32_t rp_expr_op_of(const uint32_t *words, uint32_t i) { return words[2 * i] & 0xffff; }
static inline uint32_t rp_expr_index_of(const uint32_t *words, uint32_t i) { return words[2 * i] >> 16; }

/* Follows the stack through the program, two words per instruction, and completes the numbers of constants, stack slots
 * and temporaries, which are 0 before, with n_code and n_columns given. Returns NULL if the program is valid, else what
 * is wrong at instruction *at. The second word is checked for RP_EXPR_PERIODIC only. */
const char *rp_expr_check(const uint32_t *words, struct rp_expr_params *p, uint32_t *at);

/* Adds the dispatch of a node whose result is `out`. `words` is the program on the host, or NULL if it is not known;
 * `constants` is any operand if the program has none. */
void rp_expr_dispatch(rp_lower *l, const struct rp_expr_params *p, const uint32_t *words, rp_value code,
                      rp_value constants, const rp_value *columns);

extern const rp_rewrites rp_fuse_elements; /* of all element-wise operations (fuse.c) */

#endif
