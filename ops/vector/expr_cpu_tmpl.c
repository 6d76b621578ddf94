/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fused expression over columns: each instruction works on ROWS rows at a time, so that the cost of decoding it is
 * negligible. An operand that is already in memory is pushed as a pointer.
 */
#include <reprise/expr.h>

#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/expr_args.h"

enum { ROWS = 16 };

/* The program, from arguments of any of the three sizes. */
typedef struct program {
  const uint32_t *code;
  const fe *constants;
  const void *const *columns;
  struct rp_expr_tail tail;
  fe *out;
} program;

typedef struct slot {
  const fe *at;
  uint32_t step; /* 0: the same element for all rows */
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

static slot push_periodic(const fe *first, uint32_t mask, uint64_t row, uint32_t rows, fe own[ROWS]) {
  if (mask == 0) return (slot){first, 0};
  if ((row & mask) + rows <= (uint64_t)mask + 1) return (slot){first + (row & mask), 1};
  for (uint32_t i = 0; i < rows; i++) own[i] = first[(row + i) & mask];
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

/* The stack may still point to a temporary that is about to be overwritten: copies it there. */
static void keep_loaded(machine *m, uint32_t top, const fe *temp, uint32_t rows) {
  for (uint32_t i = 0; i < top; i++) {
    if (m->stack[i].at != temp) continue;
    for (uint32_t r = 0; r < rows; r++) m->own[i][r] = temp[r];
    m->stack[i].at = m->own[i];
  }
}

static void run(const program *p, uint64_t row, uint32_t rows, machine *m) {
  uint32_t top = 0; /* slots in use */
  for (uint32_t i = 0; i < p->tail.n_code; i++) {
    uint32_t op = p->code[2 * i] & 0xffff, index = p->code[2 * i] >> 16, offset = p->code[2 * i + 1];
    switch (op) {
    case RP_EXPR_COLUMN:
      m->stack[top] = push_column(p->columns[index], p->tail.n, row, offset, rows, m->own[top]);
      top++;
      break;
    case RP_EXPR_CONSTANT: m->stack[top++] = (slot){&p->constants[index], 0}; break;
    case RP_EXPR_PERIODIC:
      m->stack[top] = push_periodic(&p->constants[index], offset, row, rows, m->own[top]);
      top++;
      break;
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
  for (uint32_t r = 0; r < rows; r++) p->out[row + r] = m->stack[0].at[r * m->stack[0].step];
}

#if RP_LANES
enum { VECTORS = ROWS / 8 };

/* The values of ROWS rows as vectors of working values (fe8.h). */
typedef struct slot8 {
  fe8 v[VECTORS];
} slot8;

typedef struct machine8 {
  slot8 stack[RP_EXPR_STACK], temp[RP_EXPR_TEMPS];
} machine8;

static void load_column8(slot8 *r, const fe *column, uint32_t n, uint64_t first) {
  fe wrapped[ROWS];
  const fe *from = &column[first];
  if (first + ROWS > n) {
    for (uint32_t i = 0; i < ROWS; i++) wrapped[i] = column[(first + i) % n];
    from = wrapped;
  }
  for (int v = 0; v < VECTORS; v++) fe8_load(&r->v[v], &from[8 * v]);
}

/* With a period of at most eight rows, all vectors are the same. */
static void load_periodic8(slot8 *r, const fe *first, uint32_t mask, uint64_t row) {
  fe own[8];
  for (int v = 0; v < VECTORS; v++) {
    if (v && mask < 8) {
      r->v[v] = r->v[0];
      continue;
    }
    for (uint32_t i = 0; i < 8; i++) own[i] = first[(row + 8 * (uint64_t)v + i) & mask];
    fe8_load(&r->v[v], own);
  }
}

static void operate8(uint32_t op, slot8 *a, const slot8 *b) {
  for (int v = 0; v < VECTORS; v++) {
    fe8 *r = &a->v[v];
    switch (op) {
    case RP_EXPR_ADD: fe8_add(r, r, &b->v[v]); break;
    case RP_EXPR_SUB: fe8_sub(r, r, &b->v[v]); break;
    case RP_EXPR_NEG: fe8_neg(r, r); break;
    case RP_EXPR_SQR: fe8_sqr(r, r); break;
    default: fe8_mul(r, r, &b->v[v]);
    }
  }
}

static void run8(const program *p, uint64_t row, machine8 *m) {
  slot8 *top = m->stack; /* next free slot */
  for (uint32_t i = 0; i < p->tail.n_code; i++) {
    const uint32_t op = p->code[2 * i] & 0xffff, index = p->code[2 * i] >> 16, offset = p->code[2 * i + 1];
    switch (op) {
    case RP_EXPR_COLUMN: load_column8(top++, p->columns[index], p->tail.n, (row + offset) % p->tail.n); break;
    case RP_EXPR_CONSTANT:
      fe8_set1(&top->v[0], &p->constants[index]);
      for (int v = 1; v < VECTORS; v++) top->v[v] = top->v[0];
      top++;
      break;
    case RP_EXPR_PERIODIC: load_periodic8(top++, &p->constants[index], offset, row); break;
    case RP_EXPR_LOAD: *top++ = m->temp[index]; break;
    case RP_EXPR_STORE: m->temp[index] = *--top; break;
    case RP_EXPR_NEG:
    case RP_EXPR_SQR: operate8(op, top - 1, NULL); break;
    default: top--; operate8(op, top - 1, top);
    }
  }
  for (int v = 0; v < VECTORS; v++) fe8_store(&p->out[row + 8 * (uint64_t)v], &m->stack[0].v[v]);
}

/* Computes whole groups of ROWS rows; returns the first row after them. Not inlined because of its stack frame. */
static __attribute__((noinline)) uint64_t whole_rows(const program *p, uint64_t begin, uint64_t end) {
  machine8 m;
  for (; begin + ROWS <= end; begin += ROWS) run8(p, begin, &m);
  return begin;
}
#else
static uint64_t whole_rows(const program *p, uint64_t begin, uint64_t end) {
  (void)p, (void)end;
  return begin;
}
#endif

static void rows_of(const program *p, uint64_t begin, uint64_t end) {
  machine m;
  for (uint64_t row = whole_rows(p, begin, end); row < end; row += ROWS)
    run(p, row, end - row < ROWS ? (uint32_t)(end - row) : ROWS, &m);
}

void RP_FN(expr_8)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_expr_8_args *k = args;
  (void)w;
  rows_of(&(const program){k->code, k->constants, k->columns, k->tail, k->out}, begin, end);
}

void RP_FN(expr_32)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_expr_32_args *k = args;
  (void)w;
  rows_of(&(const program){k->code, k->constants, k->columns, k->tail, k->out}, begin, end);
}

void RP_FN(expr_256)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_expr_256_args *k = args;
  (void)w;
  rows_of(&(const program){k->code, k->constants, k->columns, k->tail, k->out}, begin, end);
}
