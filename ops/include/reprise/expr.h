/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 2: the programs of rp_expr (ops.h). A program is in postfix notation. Its stack is at most
 * RP_EXPR_STACK deep and holds one element at the end, which is out[i]:
 *
 *   column c, rotation k      pushes columns[c][(i + k * rotation_step) mod n]
 *   constant c                pushes constants[c] (constants is a value of that field, read at run time)
 *   periodic c, period m      pushes constants[c + (i mod m)]; m is a power of two, and c + m at most 65536. So values
 *                             that repeat, such as those of 1 / (X^n - 1) on a coset, take no column.
 *   add, sub, mul, neg, sqr   replace the top one or two elements of the stack by the result
 *   store t, load t           pop into, or push, temporary t < RP_EXPR_TEMPS
 */
#ifndef REPRISE_EXPR_H
#define REPRISE_EXPR_H

#include <stdint.h>

enum { RP_EXPR_STACK = 16, RP_EXPR_TEMPS = 64, RP_EXPR_MAX_COLUMNS = 256, RP_EXPR_MAX_CODE = 65536 };
typedef enum rp_expr_op {
  RP_EXPR_COLUMN = 0,   /* index, rotation */
  RP_EXPR_CONSTANT = 1, /* index */
  RP_EXPR_ADD = 2,
  RP_EXPR_SUB = 3,
  RP_EXPR_MUL = 4,
  RP_EXPR_NEG = 5,
  RP_EXPR_SQR = 6,
  RP_EXPR_STORE = 7,   /* index of the temporary; pops */
  RP_EXPR_LOAD = 8,    /* index of the temporary; pushes */
  RP_EXPR_PERIODIC = 9 /* index of the first constant, period */
} rp_expr_op;
/* One instruction. What an operation does not use is 0. */
typedef struct rp_expr_code {
  uint16_t op;      /* rp_expr_op */
  uint16_t index;   /* of the column, constant or temporary */
  int32_t rotation; /* of a column, in rotation steps; may be negative. Of periodic constants, their period in rows */
} rp_expr_code;

#endif
