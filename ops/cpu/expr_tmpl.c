/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fused expression over columns: each instruction works on ROWS rows at a time, so that decoding it does not count.
 * What is pushed is a pointer where the operand lies in memory already.
 */
#include <reprise/ops.h>

#include "cpu.h"

#include "args/expr.h"

enum { ROWS = 16 };

typedef struct slot {
  const fe *at;
  uint32_t step; /* 0: one element for all rows */
} slot;

typedef struct machine {
  slot stack[RP_EXPR_STACK];
  fe own[RP_EXPR_STACK][ROWS], temp[RP_EXPR_TEMPS][ROWS];
} machine;

static slot push_column(const fe *column, uint32_t n, uint64_t row, uint32_t offset, uint32_t rows, fe own[ROWS]) {
  uint64_t first = (row + offset) % n;
  if (first + rows <= n) return (slot){column + first, 1};
  for (uint32_t i = 0; i < rows; i++) own[i] = column[(first + i) % n];
  return (slot){own, 1};
}

static slot binary(uint32_t op, slot a, slot b, uint32_t rows, fe own[ROWS]) {
  for (uint32_t i = 0; i < rows; i++) {
    const fe *x = &a.at[i * a.step], *y = &b.at[i * b.step];
    if (op == RP_EXPR_ADD)
      fe_add(&own[i], x, y);
    else if (op == RP_EXPR_SUB)
      fe_sub(&own[i], x, y);
    else
      fe_mul(&own[i], x, y);
  }
  return (slot){own, 1};
}

static slot unary(uint32_t op, slot a, uint32_t rows, fe own[ROWS]) {
  for (uint32_t i = 0; i < rows; i++) {
    if (op == RP_EXPR_NEG)
      fe_neg(&own[i], &a.at[i * a.step]);
    else
      fe_sqr(&own[i], &a.at[i * a.step]);
  }
  return (slot){own, 1};
}

/* What is pushed is a pointer, and a temporary that is about to be written may be on the stack still. */
static void keep_loaded(machine *m, uint32_t top, const fe *temp, uint32_t rows) {
  for (uint32_t i = 0; i < top; i++) {
    if (m->stack[i].at != temp) continue;
    for (uint32_t r = 0; r < rows; r++) m->own[i][r] = temp[r];
    m->stack[i].at = m->own[i];
  }
}

static void run(const uint32_t *code, const fe *constants, const void *const *columns, struct rp_expr_tail tail,
                uint64_t row, uint32_t rows, machine *m, fe *out) {
  uint32_t top = 0; /* slots in use */
  for (uint32_t i = 0; i < tail.n_code; i++) {
    uint32_t op = code[2 * i] & 0xffff, index = code[2 * i] >> 16, offset = code[2 * i + 1];
    switch (op) {
    case RP_EXPR_COLUMN:
      m->stack[top] = push_column(columns[index], tail.n, row, offset, rows, m->own[top]);
      top++;
      break;
    case RP_EXPR_CONSTANT: m->stack[top++] = (slot){&constants[index], 0}; break;
    case RP_EXPR_LOAD: m->stack[top++] = (slot){m->temp[index], 1}; break;
    case RP_EXPR_STORE:
      top--;
      keep_loaded(m, top, m->temp[index], rows);
      for (uint32_t r = 0; r < rows; r++) m->temp[index][r] = m->stack[top].at[r * m->stack[top].step];
      break;
    case RP_EXPR_NEG:
    case RP_EXPR_SQR: m->stack[top - 1] = unary(op, m->stack[top - 1], rows, m->own[top - 1]); break;
    default: top--; m->stack[top - 1] = binary(op, m->stack[top - 1], m->stack[top], rows, m->own[top - 1]);
    }
  }
  for (uint32_t r = 0; r < rows; r++) out[row + r] = m->stack[0].at[r * m->stack[0].step];
}

static void rows_of(const uint32_t *code, const void *constants, const void *const *columns, struct rp_expr_tail tail,
                    fe *out, uint64_t begin, uint64_t end) {
  machine m;
  for (uint64_t row = begin; row < end; row += ROWS)
    run(code, constants, columns, tail, row, end - row < ROWS ? (uint32_t)(end - row) : ROWS, &m, out);
}

void RP_FN(expr_8)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_expr_8_args *k = args;
  (void)w;
  rows_of(k->code, k->constants, k->columns, k->tail, k->out, begin, end);
}

void RP_FN(expr_32)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_expr_32_args *k = args;
  (void)w;
  rows_of(k->code, k->constants, k->columns, k->tail, k->out, begin, end);
}

void RP_FN(expr_256)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_expr_256_args *k = args;
  (void)w;
  rows_of(k->code, k->constants, k->columns, k->tail, k->out, begin, end);
}
