/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Ops that allow the planner to change their nodes (rewrite.h).
 */
#include "toy_ops.h"

#include <reprise/rewrite.h>
#include <reprise/schema.h>

#include <stddef.h>

static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

/* ---- xor: the result may take the place of an operand ------------------------------------------------------------ */

typedef struct xor_args {
  RP_ADDR(uint64_t) out;
  RP_ADDR(const uint64_t) a;
  RP_ADDR(const uint64_t) b;
  uint64_t n;
} xor_args;

static void xor_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const xor_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) t->out[i] = t->a[i] ^ t->b[i];
}

static const rp_kernel k_xor = {.struct_size = sizeof(rp_kernel),
                                .name = "toy_xor",
                                .args_bytes = sizeof(xor_args),
                                .n_binds = 3,
                                .n_cpu = 1,
                                .cpu = &(const rp_cpu_variant){RP_ISA_C, xor_kernel}};

static rp_status xor_lower(rp_lower *l) {
  const rp_value out = rp_lower_out(l, 0);
  const rp_bind binds[3] = {RP_BIND(out, RP_WRITE), RP_BIND(rp_lower_in(l, 0), RP_READ | RP_IN_PLACE),
                            RP_BIND(rp_lower_in(l, 1), RP_READ | RP_IN_PLACE)};
  const xor_args args = {.n = rp_lower_len(l, out)};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &k_xor,
                                      .groups = {(uint32_t)args.n},
                                      .binds = binds,
                                      .n_binds = 3,
                                      .args = &args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

static const rp_strategy xor_strategy = {.name = "plain", .devices = RP_ON_ANY, .lower = xor_lower};
static const rp_op op_xor = {.struct_size = sizeof(rp_op),
                             .flags = RP_OP_PURE,
                             .name = "toy_xor",
                             .shape = shape,
                             .strategies = &xor_strategy,
                             .n_strategies = 1};

rp_value toy_xor(rp_graph *graph, rp_value a, rp_value b) {
  return rp_graph_node(graph, &op_xor, NULL, (rp_value[]){a, b}, 2, NULL, 1);
}

/* ---- both: one of two results may take the place of the operand -------------------------------------------------- */

typedef struct both_args {
  RP_ADDR(uint64_t) same;
  RP_ADDR(uint64_t) inverted;
  RP_ADDR(const uint64_t) a;
  uint64_t n;
} both_args;

static void both_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const both_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    const uint64_t x = t->a[i];
    t->same[i] = x;
    t->inverted[i] = ~x;
  }
}

static const rp_kernel k_both = {.struct_size = sizeof(rp_kernel),
                                 .name = "toy_both",
                                 .args_bytes = sizeof(both_args),
                                 .n_binds = 3,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, both_kernel}};

static rp_status both_shape(const rp_shape *s) {
  for (int i = 0; i < 2; i++) {
    s->out_type[i] = s->in_type[0];
    s->out_len[i] = s->in_len[0];
  }
  return RP_OK;
}

static rp_status both_lower(rp_lower *l) {
  const rp_bind binds[3] = {RP_BIND(rp_lower_out(l, 0), RP_WRITE), RP_BIND(rp_lower_out(l, 1), RP_WRITE),
                            RP_BIND(rp_lower_in(l, 0), RP_READ | RP_IN_PLACE)};
  const both_args args = {.n = rp_lower_len(l, binds[0].value)};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &k_both,
                                      .groups = {(uint32_t)args.n},
                                      .binds = binds,
                                      .n_binds = 3,
                                      .args = &args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

static const rp_strategy both_strategy = {.name = "plain", .devices = RP_ON_ANY, .lower = both_lower};
static const rp_op op_both = {.struct_size = sizeof(rp_op),
                              .flags = RP_OP_PURE,
                              .name = "toy_both",
                              .shape = both_shape,
                              .strategies = &both_strategy,
                              .n_strategies = 1};

void toy_both(rp_graph *graph, rp_value a, rp_value out[2]) { rp_graph_node(graph, &op_both, NULL, &a, 1, out, 2); }

/* ---- linear: sums of multiples; a chain of them becomes one node ------------------------------------------------- */

enum { TERMS = 4 };

typedef struct linear_params {
  uint64_t factor[TERMS]; /* of operand i; further ones are 0 */
} linear_params;

typedef struct linear_args {
  RP_ADDR(uint64_t) out;
  RP_ADDR(const uint64_t) a[TERMS];
  uint64_t factor[TERMS];
} linear_args;

static void linear_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const linear_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    uint64_t sum = 0;
    for (int k = 0; k < TERMS; k++) sum += t->a[k][i] * t->factor[k];
    t->out[i] = sum;
  }
}

static const rp_kernel k_linear = {.struct_size = sizeof(rp_kernel),
                                   .name = "toy_linear",
                                   .args_bytes = sizeof(linear_args),
                                   .n_binds = 1 + TERMS,
                                   .n_cpu = 1,
                                   .cpu = &(const rp_cpu_variant){RP_ISA_C, linear_kernel}};

static rp_status linear_lower(rp_lower *l) {
  const linear_params *p = rp_lower_params(l);
  const rp_value out = rp_lower_out(l, 0);
  rp_bind binds[1 + TERMS] = {RP_BIND(out, RP_WRITE)};
  linear_args args = {0};
  for (uint32_t i = 0; i < TERMS; i++) {
    binds[1 + i] = RP_BIND(rp_lower_in(l, i < rp_lower_n_in(l) ? i : 0), RP_READ | RP_IN_PLACE);
    args.factor[i] = p->factor[i];
  }
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &k_linear,
                                      .groups = {(uint32_t)rp_lower_len(l, out)},
                                      .binds = binds,
                                      .n_binds = 1 + TERMS,
                                      .args = &args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

/* Replaces the reader's term for the maker's result by the maker's terms, multiplied by that term's factor. */
static bool linear_fuse(rp_fuse *f) {
  const linear_params *reader = f->reader.params, *maker = f->maker.params;
  if (f->maker.op != f->reader.op) return false;
  linear_params *both = rp_fuse_alloc(f, sizeof *both);
  rp_value *in = rp_fuse_alloc(f, TERMS * sizeof *in);
  uint32_t n = 0;
  if (!both || !in) return false;
  for (uint32_t r = 0; r < f->reader.n_in; r++) {
    const int is_maker = f->reader.in[r].id == f->between.id;
    const rp_fuse_node *from = is_maker ? &f->maker : &f->reader;
    for (uint32_t i = is_maker ? 0 : r; i < (is_maker ? from->n_in : r + 1); i++) {
      if (n == TERMS) return false;
      both->factor[n] = reader->factor[r] * (is_maker ? maker->factor[i] : 1);
      in[n++] = from->in[i];
    }
  }
  f->fused = (rp_fuse_node){f->reader.op, both, in, n};
  return true;
}

static const rp_rewrites linear_rewrites = {.struct_size = sizeof(rp_rewrites), .fuse = linear_fuse};
static const rp_param linear_list[] = {
    {"factor", RP_PARAM_BYTES, 0, sizeof(linear_params), 0, 0, 0, 0, NULL},
};
static const rp_schema linear_schema = {.struct_size = sizeof(rp_schema),
                                        .params = linear_list,
                                        .n_params = 1,
                                        .least_in = 1,
                                        .most_in = 2,
                                        .rewrites = &linear_rewrites};
static const rp_strategy linear_strategy = {.name = "plain", .devices = RP_ON_ANY, .lower = linear_lower};
static const rp_op op_linear = {.struct_size = sizeof(rp_op),
                                .flags = RP_OP_PURE,
                                .name = "toy_linear",
                                .params_bytes = sizeof(linear_params),
                                .shape = shape,
                                .strategies = &linear_strategy,
                                .n_strategies = 1,
                                .schema = &linear_schema};

rp_value toy_linear(rp_graph *graph, rp_value a, uint64_t by_a, rp_value b, uint64_t by_b) {
  const linear_params p = {{by_a, by_b}};
  return rp_graph_node(graph, &op_linear, &p, (rp_value[]){a, b}, 2, NULL, 1);
}
