/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fused expressions over columns: the program is checked when the node is built and becomes a constant of the graph.
 *
 * kernel expr_8 expr_8/11 fields cpu:ifma products:expr_8
 * kernel expr_8 expr_8/12 fields gpu:RP_EXPR_GROUP table:expr_8_gpu products:expr_8
 * kernel expr_32 expr_32/35 fields cpu:ifma products:expr_32
 * kernel expr_32 expr_32/36 fields gpu:RP_EXPR_GROUP table:expr_32_gpu products:expr_32
 * kernel expr_256 expr_256/259 fields cpu:ifma products:expr_256
 * kernel expr_256 expr_256/260 fields gpu:RP_EXPR_GROUP table:expr_256_gpu products:expr_256
 */
#include <string.h>

#include "vector/expr.h"
#include "vector/expr_args.h"
#include "kernel_tables.h"

enum { CODE = RP_EXPR_CODE, CONSTANTS = RP_EXPR_CONSTANTS, COLUMNS = RP_EXPR_COLUMNS, MOST_CONSTANTS = 1 << 16 };

static rp_status expr_shape(const rp_shape *s) {
  const struct rp_expr_params *p = s->params;
  rp_field field;
  for (uint32_t i = COLUMNS; i < s->n_in; i++) {
    if (!rp_type_is_field(s->in_type[i], &field) || s->in_type[i]->id != s->in_type[COLUMNS]->id)
      return rp_shape_fail(s, RP_ERR_TYPE, "column %u is of type %s", i - COLUMNS, s->in_type[i]->name);
    if (s->in_len[i] != s->in_len[COLUMNS] || s->in_len[i] > RP_MAX_LEN)
      return rp_shape_fail(s, RP_ERR_SHAPE, "column %u has %llu elements, and column 0 has %llu", i - COLUMNS,
                           (unsigned long long)s->in_len[i], (unsigned long long)s->in_len[COLUMNS]);
  }
  if (p->n_constants) {
    if (s->in_type[CONSTANTS]->id != s->in_type[COLUMNS]->id)
      return rp_shape_fail(s, RP_ERR_TYPE, "constants are of type %s, and columns of type %s",
                           s->in_type[CONSTANTS]->name, s->in_type[COLUMNS]->name);
    if (s->in_len[CONSTANTS] < p->n_constants)
      return rp_shape_fail(s, RP_ERR_SHAPE, "the program uses constant %u, but there are %llu", p->n_constants - 1,
                           (unsigned long long)s->in_len[CONSTANTS]);
  }
  rp_shape_out(s, 0, s->in_type[COLUMNS], s->in_len[COLUMNS]);
  return RP_OK;
}

/* On the CPU, chunks of whole vectors of rows; on GPUs, workgroups that go over all rows. */
static void dispatch(rp_lower *l, const rp_kernel *kernel, const struct rp_expr_params *p, struct rp_expr_tail tail,
                     const void *args, const rp_bind *binds) {
  const uint32_t grain = (rp_grain(5 * p->n_code) + 15) / 16 * 16;
  if (rp_lower_on_gpu(l))
    rp_lower_blocks(l, kernel, tail.threads / RP_EXPR_GROUP, 0, args, binds);
  else
    rp_lower_items(l, kernel, tail.n, grain < 64 ? 64 : grain, args, binds);
}

/* How many workgroups go over the rows: as many as the multiprocessors can hold. On Vulkan there are more if a thread
 * would execute too many instructions: lavapipe ends a thread's loops after 65535 iterations, and a product has up to
 * six. */
static uint32_t most_groups(const rp_lower *l, uint32_t n, uint32_t n_code) {
  enum { GPU_GROUPS = 8, INSTRUCTIONS = 8192 };
  const uint32_t most = rp_lower_limits(l)->workers * GPU_GROUPS;
  if (rp_lower_device(l) != RP_DEVICE_VULKAN) return most;
  const uint32_t rows = n_code < INSTRUCTIONS ? INSTRUCTIONS / n_code : 1; /* per thread */
  const uint32_t bounded = n / (rows * RP_EXPR_GROUP) + 1;
  return most > bounded ? most : bounded;
}

/* Sets RP_IN_PLACE for the columns whose elements are read for their own rows only. */
static void find_accesses(const uint32_t *words, const struct rp_expr_params *p, uint32_t access[RP_EXPR_MAX_COLUMNS]) {
  for (uint32_t c = 0; c < RP_EXPR_MAX_COLUMNS; c++) access[c] = words ? RP_READ | RP_IN_PLACE : RP_READ;
  for (uint32_t i = 0; words && i < p->n_code; i++)
    if (rp_expr_op_of(words, i) == RP_EXPR_COLUMN && words[2 * i + 1]) access[rp_expr_index_of(words, i)] = RP_READ;
}

/* Products and squares of the program. */
static uint32_t row_products(const uint32_t *words, uint32_t n_code) {
  uint32_t n = 0;
  if (!words) return UINT32_MAX;
  for (uint32_t i = 0; i < n_code; i++) {
    const uint32_t op = rp_expr_op_of(words, i);
    n += op == RP_EXPR_MUL || op == RP_EXPR_SQR;
  }
  return n;
}

/* What only GPUs have: the number of threads, and the slots that do not fit into workgroup memory. Returns the bind of
 * the slots. */
static rp_bind gpu_slots(rp_lower *l, const struct rp_expr_params *p, struct rp_expr_tail *tail) {
  const rp_type *type = rp_lower_type(l, rp_lower_out(l, 0));
  const uint32_t groups = tail->n / RP_EXPR_GROUP + (tail->n % RP_EXPR_GROUP != 0);
  const uint32_t most = most_groups(l, tail->n, p->n_code), n_slots = tail->first_temp + p->n_temps;
  const uint32_t shared = rp_lower_device(l) == RP_DEVICE_VULKAN ? RP_EXPR_SHARED_VULKAN(type->size_bytes)
                                                                 : RP_EXPR_SHARED(type->size_bytes);
  tail->threads = (groups < most ? groups : most) * RP_EXPR_GROUP;
  if (n_slots <= shared) return rp_bind_optional(RP_NO_VALUE, RP_READ_WRITE);
  return RP_BIND(rp_lower_scratch(l, "slots", type, (uint64_t)(n_slots - shared) * tail->threads), RP_READ_WRITE);
}

void rp_expr_dispatch(rp_lower *l, const struct rp_expr_params *p, const uint32_t *words, rp_value code,
                      rp_value constants, const rp_value *columns) {
  const rp_value out = rp_lower_out(l, 0);
  const rp_field field = rp_lower_field(l, out);
  const bool gpu = rp_lower_on_gpu(l);
  const uint32_t room = p->n_columns <= 8 ? 8 : p->n_columns <= 32 ? 32 : RP_EXPR_MAX_COLUMNS;
  struct rp_expr_tail tail = {.n = (uint32_t)rp_lower_len(l, out),
                              .n_code = p->n_code,
                              .first_temp = p->deepest - 1,
                              .row_products = row_products(words, p->n_code)};
  uint32_t access[RP_EXPR_MAX_COLUMNS];
  rp_bind binds[4 + RP_EXPR_MAX_COLUMNS];
  find_accesses(words, p, access);
  binds[0] = RP_BIND(out, RP_WRITE);
  binds[1] = RP_BIND(code, RP_READ);
  binds[2] = rp_bind_optional(p->n_constants ? constants : RP_NO_VALUE, RP_READ);
  for (uint32_t i = 0; i < room; i++)
    binds[3 + i] = rp_bind_optional(i < p->n_columns ? columns[i] : RP_NO_VALUE, access[i]);
  if (gpu) binds[3 + room] = gpu_slots(l, p, &tail);
  if (room == 8) {
    const struct rp_expr_8_args args = {.tail = tail};
    dispatch(l, gpu ? &rp_kernels_expr_8_gpu[field] : &rp_kernels_expr_8[field], p, tail, &args, binds);
  } else if (room == 32) {
    const struct rp_expr_32_args args = {.tail = tail};
    dispatch(l, gpu ? &rp_kernels_expr_32_gpu[field] : &rp_kernels_expr_32[field], p, tail, &args, binds);
  } else {
    const struct rp_expr_256_args args = {.tail = tail};
    dispatch(l, gpu ? &rp_kernels_expr_256_gpu[field] : &rp_kernels_expr_256[field], p, tail, &args, binds);
  }
}

static rp_status expr_lower(rp_lower *l) {
  const struct rp_expr_params *p = rp_lower_params(l);
  const rp_value code = rp_lower_in(l, CODE);
  rp_value columns[RP_EXPR_MAX_COLUMNS];
  for (uint32_t i = 0; i < p->n_columns; i++) columns[i] = rp_lower_in(l, COLUMNS + i);
  rp_expr_dispatch(l, p, rp_lower_constant_data(l, code), code, rp_lower_in(l, CONSTANTS), columns);
  return RP_OK;
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

const char *rp_expr_check(const uint32_t *words, struct rp_expr_params *p, uint32_t *at) {
  static const struct {
    uint32_t pops, pushes;
  } effect[] = {
      [RP_EXPR_COLUMN] = {0, 1}, [RP_EXPR_CONSTANT] = {0, 1}, [RP_EXPR_ADD] = {2, 1}, [RP_EXPR_SUB] = {2, 1},
      [RP_EXPR_MUL] = {2, 1},    [RP_EXPR_NEG] = {1, 1},      [RP_EXPR_SQR] = {1, 1}, [RP_EXPR_STORE] = {1, 0},
      [RP_EXPR_LOAD] = {0, 1},   [RP_EXPR_PERIODIC] = {0, 1}};
  uint64_t stored = 0;
  uint32_t depth = 0;
  for (uint32_t i = *at = 0; i < p->n_code; *at = ++i) {
    const uint32_t op = rp_expr_op_of(words, i), index = rp_expr_index_of(words, i);
    if (op >= sizeof effect / sizeof effect[0]) return "no such instruction";
    if (depth < effect[op].pops) return "the stack is empty";
    depth += effect[op].pushes - effect[op].pops;
    if (depth > RP_EXPR_STACK) return "the stack is too deep";
    if (op == RP_EXPR_COLUMN && index >= p->n_columns) return "no such column";
    if ((op == RP_EXPR_STORE || op == RP_EXPR_LOAD) && index >= RP_EXPR_TEMPS) return "no such temporary";
    if (op == RP_EXPR_LOAD && !(stored >> index & 1)) return "the temporary was not stored before";
    const uint32_t next = i + 1 < p->n_code ? rp_expr_op_of(words, i + 1) : RP_EXPR_STORE;
    if (next < RP_EXPR_ADD || next > RP_EXPR_MUL) p->deepest = depth > p->deepest ? depth : p->deepest;
    if (op == RP_EXPR_STORE) stored |= (uint64_t)1 << index;
    if (op == RP_EXPR_STORE && index >= p->n_temps) p->n_temps = index + 1u;
    const uint32_t mask = op == RP_EXPR_PERIODIC ? words[2 * i + 1] : 0;
    if (mask == UINT32_MAX || (mask & (mask + 1))) return "the period is no power of two";
    if (mask >= MOST_CONSTANTS - index) return "its constants reach beyond the last that there can be";
    if ((op == RP_EXPR_CONSTANT || op == RP_EXPR_PERIODIC) && index + mask >= p->n_constants)
      p->n_constants = index + mask + 1;
  }
  return depth == 1 ? NULL : "the program does not end with one element";
}

/* Kernels rely on the program, which is an operand: it must be a constant of the graph that is valid for these columns,
 * and the parameters must follow from it. */
static rp_status expr_check(const rp_draft *d) {
  const struct rp_expr_params *p = d->params;
  const rp_value code = d->in[CODE];
  struct rp_expr_params made = {.n_code = p->n_code, .n_columns = p->n_columns};
  rp_value_info info = {.struct_size = sizeof info};
  const rp_status status = rp_graph_get_value(d->graph, code.id - 1, &info, d->err);
  if (status != RP_OK) return status;
  const uint32_t *words = info.data;
  const uint64_t rows = rp_value_len(d->graph, d->in[COLUMNS]);
  uint32_t at;
  if (d->n_in != COLUMNS + p->n_columns)
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "%u operands for %u columns", d->n_in, p->n_columns);
  if (!words || info.type->id != RP_TYPE_U32.id || info.len != 2 * (uint64_t)p->n_code)
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "its program is no constant of %u instructions", p->n_code);
  const char *wrong = rp_expr_check(words, &made, &at);
  if (wrong) return rp_draft_fail(d, RP_ERR_ARGUMENT, "instruction %u: %s", at, wrong);
  for (at = 0; at < p->n_code; at++)
    if (rp_expr_op_of(words, at) != RP_EXPR_PERIODIC &&
        words[2 * at + 1] >= (rp_expr_op_of(words, at) == RP_EXPR_COLUMN ? rows : 1))
      return rp_draft_fail(d, RP_ERR_ARGUMENT, "instruction %u: rotation by %u of %llu rows", at, words[2 * at + 1],
                           (unsigned long long)rows);
  if (memcmp(&made, p, sizeof made) == 0) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT,
                       "its numbers of constants, stack slots or temporaries are not the program's");
}

static const rp_strategy expr_strategy = {"rows", RP_ON_ANY, NULL, expr_lower};
const rp_op rp_op_expr = {
    .struct_size = sizeof(rp_op),
    .name = "expr",
    .params_bytes = sizeof(struct rp_expr_params),
    .shape = expr_shape,
    .strategies = &expr_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = COLUMNS + 1, .most_in = COLUMNS + RP_EXPR_MAX_COLUMNS, .check = expr_check,
                        .rewrites = &rp_fuse_elements,
                        RP_PARAMS(RP_PARAM_UPTO(struct rp_expr_params, n_code, 1, RP_EXPR_MAX_CODE),
                                  RP_PARAM_UPTO(struct rp_expr_params, n_columns, 1, RP_EXPR_MAX_COLUMNS),
                                  RP_PARAM_UPTO(struct rp_expr_params, n_constants, 0, MOST_CONSTANTS),
                                  RP_PARAM_UPTO(struct rp_expr_params, deepest, 1, RP_EXPR_STACK),
                                  RP_PARAM_UPTO(struct rp_expr_params, n_temps, 0, RP_EXPR_TEMPS)))};

/* ---- Builder ----------------------------------------------------------------------------------------------------- */

/* rotation * step mod n, not negative */
static uint32_t offset_of(int32_t rotation, uint64_t step, uint64_t n) {
  uint64_t turns = rotation < 0 ? (uint64_t)(-(int64_t)rotation) : (uint64_t)rotation;
  uint64_t offset = turns % n * (step % n) % n; /* both below 2^32 */
  return (uint32_t)(rotation < 0 && offset ? n - offset : offset);
}

/* The program as the kernels read it, for columns of n elements. */
static void pack_code(const rp_expr_options *o, uint64_t n, uint32_t *words) {
  for (uint32_t i = 0; i < o->n_code; i++) {
    const rp_expr_code *c = &o->code[i];
    words[2 * i] = c->op | (uint32_t)c->index << 16;
    words[2 * i + 1] = c->op == RP_EXPR_COLUMN     ? offset_of(c->rotation, o->rotation_step ? o->rotation_step : 1, n)
                       : c->op == RP_EXPR_PERIODIC ? (uint32_t)c->rotation - 1
                                                   : 0;
  }
}

/* A constant with the program, after it was checked. */
static rp_value code_constant(rp_graph *g, const rp_expr_options *o, uint64_t n, struct rp_expr_params *p) {
  uint32_t *words = rp_context_alloc(rp_graph_context(g), (size_t)o->n_code * 8), at;
  if (!words) return rp_graph_fail(g, RP_ERR_MEMORY, "expr: out of memory for the program");
  pack_code(o, n, words);
  const char *wrong = rp_expr_check(words, p, &at);
  const rp_value code = wrong ? rp_graph_fail(g, RP_ERR_ARGUMENT, "expr: instruction %u: %s", at, wrong)
                              : rp_graph_constant(g, "expr.code", &RP_TYPE_U32, 2 * (uint64_t)o->n_code, words, 0);
  rp_context_free(words);
  return code;
}

rp_value rp_expr(rp_graph *g, const rp_value *columns, uint32_t n_columns, rp_value constants,
                 const rp_expr_options *options) {
  rp_expr_options o = {0};
  rp_value in[COLUMNS + RP_EXPR_MAX_COLUMNS];
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "expr: options->struct_size is not set");
  if (!columns || !n_columns || n_columns > RP_EXPR_MAX_COLUMNS)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "expr: there are %u columns, not 1 to %d", n_columns, RP_EXPR_MAX_COLUMNS);
  if (!o.code || !o.n_code || o.n_code > RP_EXPR_MAX_CODE)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "expr: there are %u instructions, not 1 to %d", o.n_code,
                         RP_EXPR_MAX_CODE);
  struct rp_expr_params p = {.n_code = o.n_code, .n_columns = n_columns};
  const uint64_t n = rp_value_len(g, columns[0]);
  in[CODE] = code_constant(g, &o, n && n <= RP_MAX_LEN ? n : 1, &p);
  if (!in[CODE].id) return RP_NO_VALUE;
  if (p.n_constants && !constants.id) return rp_graph_fail(g, RP_ERR_ARGUMENT, "expr: there are no constants");
  in[CONSTANTS] = constants.id ? constants : columns[0];
  for (uint32_t i = 0; i < n_columns; i++) in[COLUMNS + i] = columns[i];
  return rp_graph_node(g, &rp_op_expr, &p, in, COLUMNS + n_columns, NULL, 1);
}
