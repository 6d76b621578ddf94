/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Chains of element-wise operations and expressions as one expression: the planner gives two nodes, of which one reads
 * what the other computes (rp_rewrites), and the program of the second takes the place of the column in that of the
 * first. Field elements have one representation, so that the bits are the same.
 */
#include <stdio.h>
#include <string.h>

#include "vector/expr.h"
#include "vector/fuse_costs.h"

enum {
  MOST_CODE = 256,   /* of a fused program, whose text is the key of a constant */
  MOST_COLUMNS = 32, /* arguments of more columns take 2 KiB per dispatch */
  KEY_BYTES = 8 + 16 * MOST_CODE
};

/* The parameters of a fused node; its operands are the columns, and then the constants, if it has any. */
struct fused_params {
  struct rp_expr_params expr;
  uint32_t words[];
};

/* A node as a program. */
struct program {
  struct rp_expr_params expr;
  uint32_t plain, products; /* 1: it has a kernel of its own; which multiplies */
  rp_value constants;       /* RP_NO_VALUE: none */
  rp_value columns[MOST_COLUMNS + 1];
  uint32_t words[2 * MOST_CODE];
};

/* ---- Programs of nodes ------------------------------------------------------------------------------------------- */

static void put(struct program *p, uint32_t op, uint32_t index, uint32_t offset) {
  if (p->expr.n_code < MOST_CODE) {
    p->words[2 * p->expr.n_code] = op | index << 16;
    p->words[2 * p->expr.n_code + 1] = offset;
  }
  p->expr.n_code++; /* more than fit refuse the program */
}

/* The number of the column, which is added unless it is there. */
static uint32_t column_of(struct program *p, rp_value v) {
  uint32_t i = 0;
  while (i < p->expr.n_columns && p->columns[i].id != v.id) i++;
  if (i == p->expr.n_columns && i < MOST_COLUMNS + 1) p->columns[p->expr.n_columns++] = v;
  return i;
}

/* Pushes an operand of an element-wise operation: a column or, if it is broadcast, a constant, of which there may be
 * one. */
static bool push(struct program *p, const rp_fuse *f, rp_value v) {
  if (rp_fuse_len(f, v) == rp_fuse_len(f, f->out)) {
    put(p, RP_EXPR_COLUMN, column_of(p, v), 0);
    return 1;
  }
  if (p->constants.id && p->constants.id != v.id) return 0;
  p->constants = v;
  put(p, RP_EXPR_CONSTANT, 0, 0);
  return 1;
}

static bool read_elements(struct program *p, const rp_fuse *f, const rp_fuse_node *n) {
  p->plain = 1;
  p->products = n->op == &rp_op_mul || n->op == &rp_op_mul_sub;
  if (n->op == &rp_op_mul && n->in[0].id == n->in[1].id) {
    if (!push(p, f, n->in[0])) return 0;
    put(p, RP_EXPR_SQR, 0, 0);
    return 1;
  }
  for (uint32_t i = 0; i < n->n_in && i < 2; i++)
    if (!push(p, f, n->in[i])) return 0;
  if (n->op == &rp_op_mul_sub) {
    put(p, RP_EXPR_MUL, 0, 0);
    if (!push(p, f, n->in[2])) return 0;
    put(p, RP_EXPR_SUB, 0, 0);
    return 1;
  }
  put(p,
      n->op == &rp_op_add   ? RP_EXPR_ADD
      : n->op == &rp_op_sub ? RP_EXPR_SUB
      : n->op == &rp_op_mul ? RP_EXPR_MUL
                            : RP_EXPR_NEG,
      0, 0);
  return 1;
}

/* Copies a program, with columns that are the same value as one. */
static bool read_code(struct program *p, const struct rp_expr_params *expr, const uint32_t *words,
                      const rp_value *columns) {
  if (!words || expr->n_code > MOST_CODE || expr->n_columns > MOST_COLUMNS) return 0;
  for (uint32_t i = 0; i < expr->n_code; i++) {
    const uint32_t op = rp_expr_op_of(words, i), index = rp_expr_index_of(words, i);
    put(p, op, op == RP_EXPR_COLUMN ? column_of(p, columns[index]) : index, words[2 * i + 1]);
  }
  return 1;
}

static const rp_op fused_op;

/* False: it is not an element-wise operation, or its program is too large. */
static bool read_node(struct program *p, const rp_fuse *f, const rp_fuse_node *n) {
  memset(p, 0, sizeof *p);
  if (n->op == &fused_op) {
    const struct fused_params *own = n->params;
    if (own->expr.n_constants) p->constants = n->in[own->expr.n_columns];
    return read_code(p, &own->expr, own->words, n->in);
  }
  if (n->op == &rp_op_expr) {
    const struct rp_expr_params *expr = n->params;
    if (expr->n_constants) p->constants = n->in[RP_EXPR_CONSTANTS];
    return read_code(p, expr, rp_fuse_data(f, n->in[RP_EXPR_CODE]), n->in + RP_EXPR_COLUMNS);
  }
  if (n->op != &rp_op_add && n->op != &rp_op_sub && n->op != &rp_op_mul && n->op != &rp_op_neg &&
      n->op != &rp_op_mul_sub)
    return 0;
  return read_elements(p, f, n);
}

/* ---- One program in another -------------------------------------------------------------------------------------- */

/* Whether a rotation of the program's value by `offset` rows is the same as that of all its columns: periodic constants
 * must then have the same element in row (i + offset) mod n as in row i. */
static bool may_rotate(const struct program *p, uint32_t offset, uint64_t n) {
  for (uint32_t i = 0; i < p->expr.n_code; i++)
    if (offset && rp_expr_op_of(p->words, i) == RP_EXPR_PERIODIC && ((offset | n) & p->words[2 * i + 1])) return 0;
  return 1;
}

/* What the reader's program does with the column that the maker computes. */
struct use {
  uint32_t column, times, offset;
};

/* 0 if it reads elements of several rotations, which would have to be computed several times. */
static bool find_use(struct use *u, const struct program *reader, rp_value between) {
  while (u->column < reader->expr.n_columns && reader->columns[u->column].id != between.id) u->column++;
  for (uint32_t i = 0; i < reader->expr.n_code; i++) {
    if (rp_expr_op_of(reader->words, i) != RP_EXPR_COLUMN || rp_expr_index_of(reader->words, i) != u->column) continue;
    if (u->times && reader->words[2 * i + 1] != u->offset) return 0;
    u->offset = reader->words[2 * i + 1];
    u->times++;
  }
  return u->times > 0;
}

/* The maker's program, for the rows that the reader asks for, with temporaries behind those of the reader. */
static void put_maker(struct program *to, const struct program *maker, uint32_t temps, uint32_t offset, uint64_t n) {
  for (uint32_t i = 0; i < maker->expr.n_code; i++) {
    const uint32_t op = rp_expr_op_of(maker->words, i), index = rp_expr_index_of(maker->words, i);
    if (op == RP_EXPR_COLUMN)
      put(to, op, column_of(to, maker->columns[index]), (uint32_t)((maker->words[2 * i + 1] + (uint64_t)offset) % n));
    else
      put(to, op, op == RP_EXPR_STORE || op == RP_EXPR_LOAD ? index + temps : index, maker->words[2 * i + 1]);
  }
}

/* The first use computes the column and, if others follow, keeps it in a temporary. */
static void join(struct program *to, const struct program *reader, const struct program *maker, const struct use *u,
                 uint64_t n) {
  uint32_t met = 0;
  const uint32_t kept = reader->expr.n_temps + maker->expr.n_temps;
  for (uint32_t i = 0; i < reader->expr.n_code; i++) {
    const uint32_t op = rp_expr_op_of(reader->words, i), index = rp_expr_index_of(reader->words, i);
    if (op != RP_EXPR_COLUMN) {
      put(to, op, index, reader->words[2 * i + 1]);
    } else if (index != u->column) {
      put(to, op, column_of(to, reader->columns[index]), reader->words[2 * i + 1]);
    } else {
      if (!met) put_maker(to, maker, reader->expr.n_temps, u->offset, n);
      if (!met && u->times > 1) put(to, RP_EXPR_STORE, kept, 0);
      if (met || u->times > 1) put(to, RP_EXPR_LOAD, kept, 0);
      met = 1;
    }
  }
}

static bool is_valid(struct program *p) {
  uint32_t at;
  if (p->expr.n_code > MOST_CODE || p->expr.n_columns > MOST_COLUMNS || !p->expr.n_columns) return 0;
  return rp_expr_check(p->words, &p->expr, &at) == NULL;
}

static bool make_node(rp_fuse *f, const struct program *p) {
  const size_t code = 2 * (size_t)p->expr.n_code * sizeof *p->words;
  struct fused_params *params = rp_fuse_alloc(f, sizeof *params + code);
  rp_value *in = rp_fuse_alloc(f, (p->expr.n_columns + 1u) * sizeof *in);
  if (!params || !in) return 0;
  params->expr = p->expr;
  memcpy(params->words, p->words, code);
  memcpy(in, p->columns, p->expr.n_columns * sizeof *in);
  if (p->expr.n_constants) in[p->expr.n_columns] = p->constants;
  f->fused = (rp_fuse_node){&fused_op, params, in, p->expr.n_columns + (p->expr.n_constants != 0)};
  return 1;
}

static bool fuse_elements(rp_fuse *f) {
  struct program reader, maker, both;
  struct use use = {0};
  uint32_t at;
  const uint64_t n = rp_fuse_len(f, f->out);
  if (rp_fuse_len(f, f->between) != n || !read_node(&reader, f, &f->reader) || !read_node(&maker, f, &f->maker))
    return false;
  if (rp_expr_check(reader.words, &reader.expr, &at) || rp_expr_check(maker.words, &maker.expr, &at)) return false;
  if (reader.constants.id && maker.constants.id && reader.constants.id != maker.constants.id) return false;
  if (reader.constants.id == f->between.id || !find_use(&use, &reader, f->between)) return false;
  if (!may_rotate(&maker, use.offset, n)) return false;
  memset(&both, 0, sizeof both);
  both.constants = reader.constants.id ? reader.constants : maker.constants;
  join(&both, &reader, &maker, &use, n);
  if (!is_valid(&both)) return false;
  const rp_type *type = rp_fuse_type(f, f->out);
  const struct rp_fuse_work work = {.n = n,
                                    .element_bytes = type->size_bytes,
                                    .plain = reader.plain + maker.plain,
                                    .products = reader.products || maker.products};
  return rp_fuse_pays(f->device, f->limits, &work) && make_node(f, &both);
}

const rp_rewrites rp_fuse_elements = {.struct_size = sizeof(rp_rewrites), .fuse = fuse_elements};

/* ---- Lowering ---------------------------------------------------------------------------------------------------- */

static rp_status fill_words(const void *user, void *dst, uint64_t len) {
  memcpy(dst, user, len * sizeof(uint32_t));
  return RP_OK;
}

static rp_status fused_lower(rp_lower *l) {
  const struct fused_params *p = rp_lower_params(l);
  const uint32_t n_words = 2 * p->expr.n_code, n_columns = p->expr.n_columns;
  char key[KEY_BYTES];
  size_t used = (size_t)snprintf(key, sizeof key, "fused/");
  for (uint32_t i = 0; i < n_words; i++)
    used += (size_t)snprintf(key + used, sizeof key - used, "%08x", (unsigned)p->words[i]);
  const rp_value code = rp_lower_constant(l, key, &RP_TYPE_U32, n_words, fill_words, p->words, n_words * 4u);
  rp_value columns[MOST_COLUMNS] = {{0}};
  for (uint32_t i = 0; i < n_columns; i++) columns[i] = rp_lower_in(l, i);
  rp_expr_dispatch(l, &p->expr, p->words, code, p->expr.n_constants ? rp_lower_in(l, n_columns) : RP_NO_VALUE, columns);
  return RP_OK;
}

static rp_status fused_shape(const rp_shape *s) { /* never asked: the planner makes these nodes */
  return rp_shape_fail(s, RP_ERR_UNSUPPORTED, "only the planner makes fused nodes");
}

static const rp_strategy fused_strategy = {"rows", RP_ON_ANY, NULL, fused_lower};
static const rp_op fused_op = {
    .struct_size = sizeof(rp_op),
    .name = "fused",
    .params_bytes = sizeof(struct fused_params),
    .shape = fused_shape,
    .strategies = &fused_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 1, .most_in = MOST_COLUMNS + 1, .rewrites = &rp_fuse_elements)};
