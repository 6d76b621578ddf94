/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "toy_ops.h"

#include <stdatomic.h>
#include <stddef.h>

const rp_type toy_u64 = {.id = RP_TYPE_USER + 1, .size_bytes = 8, .align_bytes = 8, .name = "toy.u64"};
const rp_type toy_u32 = {.id = RP_TYPE_USER + 2, .size_bytes = 4, .align_bytes = 4, .name = "toy.u32"};

/* The argument struct of all kernels here: up to three addresses and one number. */
typedef struct toy_args {
  RP_ADDR(uint64_t) a;
  RP_ADDR(uint64_t) b;
  RP_ADDR(uint64_t) c;
  uint64_t number;
} toy_args;

static rp_status like_input(const rp_shape *s) {
  if (s->in_type[0]->id != toy_u64.id) {
    s->err->status = RP_ERR_TYPE;
    return RP_ERR_TYPE;
  }
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_bind whole(rp_value v, uint32_t access) { return (rp_bind){.value = v, .access = access}; }

static rp_dispatch dispatch(const rp_kernel *kernel, uint64_t items, const rp_bind binds[3], const toy_args *args) {
  return (rp_dispatch){.kernel = kernel,
                       .groups = {(uint32_t)items},
                       .binds = binds,
                       .n_binds = 3,
                       .args = args,
                       .args_bytes = sizeof *args};
}

/* ---- add --------------------------------------------------------------------------------------------------------- */

static void add_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) t->c[i] = t->a[i] + t->b[i];
}

static const rp_kernel k_add = {.struct_size = sizeof(rp_kernel),
                                .name = "toy_add",
                                .args_bytes = sizeof(toy_args),
                                .n_binds = 3,
                                .n_cpu = 1,
                                .cpu = &(const rp_cpu_variant){RP_ISA_C, add_kernel}};

static rp_status add_shape(const rp_shape *s) {
  if (s->n_in != 2 || s->in_len[0] != s->in_len[1]) {
    s->err->status = RP_ERR_SHAPE;
    s->err->reason[0] = 0;
    const char *why = "its operands differ in length";
    for (size_t i = 0; (s->err->reason[i] = why[i]); i++) {}
    return RP_ERR_SHAPE;
  }
  return like_input(s);
}

static rp_status add_lower(rp_lower *l) {
  rp_value c = rp_lower_out(l, 0);
  rp_bind binds[3] = {whole(rp_lower_in(l, 0), RP_READ), whole(rp_lower_in(l, 1), RP_READ), whole(c, RP_WRITE)};
  toy_args args = {0};
  rp_dispatch d = dispatch(&k_add, rp_lower_len(l, c), binds, &args);
  rp_lower_dispatch(l, &d);
  return RP_OK;
}

static const rp_strategy add_strategies[] = {{.name = "plain", .devices = RP_ON_ANY, .lower = add_lower}};
static const rp_op op_add = {.struct_size = sizeof(rp_op),
                             .flags = RP_OP_PURE,
                             .name = "toy_add",
                             .shape = add_shape,
                             .strategies = add_strategies,
                             .n_strategies = 1};

rp_value toy_add(rp_graph *graph, rp_value a, rp_value b) {
  rp_value in[2] = {a, b};
  return rp_graph_node(graph, &op_add, NULL, in, 2, NULL, 1);
}

/* ---- scale ------------------------------------------------------------------------------------------------------- */

static void scale_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) t->b[i] = t->a[i] * t->number;
}

/* As if each element took two products in a field whose name needs quoting; a factor of 1 takes none. */
static double scale_products(const rp_kernel_work *work, const char **field) {
  const toy_args *t = work->args;
  if (work->n_binds != 2 || work->binds[0].access != RP_READ || work->binds[1].access != RP_WRITE) return -1;
  return (*field = t->number == 1 ? NULL : "toy \"field\"") ? 2.0 * (double)work->binds[1].count : 0;
}

static const rp_kernel k_scale = {.struct_size = sizeof(rp_kernel),
                                  .name = "toy_scale",
                                  .args_bytes = sizeof(toy_args),
                                  .n_binds = 2,
                                  .n_cpu = 1,
                                  .cpu = &(const rp_cpu_variant){RP_ISA_C, scale_kernel},
                                  .products = scale_products};

static rp_status scale_lower(rp_lower *l) {
  rp_value b = rp_lower_out(l, 0);
  rp_bind binds[3] = {whole(rp_lower_in(l, 0), RP_READ), whole(b, RP_WRITE)};
  toy_args args = {.number = *(const uint64_t *)rp_lower_params(l)};
  rp_dispatch d = dispatch(&k_scale, rp_lower_len(l, b), binds, &args);
  d.n_binds = 2;
  rp_lower_dispatch(l, &d);
  return RP_OK;
}

static const rp_strategy scale_strategies[] = {{.name = "plain", .devices = RP_ON_ANY, .lower = scale_lower}};
static const rp_op op_scale = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "toy_scale",
                               .params_bytes = sizeof(uint64_t),
                               .shape = like_input,
                               .strategies = scale_strategies,
                               .n_strategies = 1};

rp_value toy_scale(rp_graph *graph, rp_value a, uint64_t factor) {
  return rp_graph_node(graph, &op_scale, &factor, &a, 1, NULL, 1);
}

/* ---- sum: `parts` partial sums into scratch, then their sum ------------------------------------------------------ */

enum { PARTS = 8 };

static void partial_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_args *t = args;
  (void)worker;
  for (uint64_t p = begin; p < end; p++) {
    t->b[p] = 0;
    for (uint64_t i = p; i < t->number; i += PARTS) t->b[p] += t->a[i];
  }
}

static const rp_kernel k_partial = {.struct_size = sizeof(rp_kernel),
                                    .name = "toy_partial",
                                    .args_bytes = sizeof(toy_args),
                                    .n_binds = 2,
                                    .n_cpu = 1,
                                    .cpu = &(const rp_cpu_variant){RP_ISA_C, partial_kernel}};

static void total_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_args *t = args;
  (void)begin, (void)end, (void)worker;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < t->number; i++) sum += t->a[i];
  t->b[0] = sum;
}

static const rp_kernel k_total = {.struct_size = sizeof(rp_kernel),
                                  .name = "toy_total",
                                  .args_bytes = sizeof(toy_args),
                                  .n_binds = 2,
                                  .n_cpu = 1,
                                  .cpu = &(const rp_cpu_variant){RP_ISA_C, total_kernel}};

static rp_status sum_shape(const rp_shape *s) {
  rp_status status = like_input(s);
  s->out_len[0] = 1;
  return status;
}

static rp_status sum_lower(rp_lower *l) {
  rp_value a = rp_lower_in(l, 0), sum = rp_lower_out(l, 0);
  rp_value partial = rp_lower_scratch(l, "partial", &toy_u64, PARTS);
  rp_bind first[3] = {whole(a, RP_READ), whole(partial, RP_WRITE)},
          second[3] = {whole(partial, RP_READ), whole(sum, RP_WRITE)};
  toy_args args = {.number = rp_lower_len(l, a)};
  rp_dispatch d = dispatch(&k_partial, PARTS, first, &args);
  d.n_binds = 2;
  rp_lower_dispatch(l, &d);
  args.number = PARTS;
  d = dispatch(&k_total, 1, second, &args);
  d.n_binds = 2;
  rp_lower_dispatch(l, &d);
  return RP_OK;
}

static const rp_strategy sum_strategies[] = {{.name = "two steps", .devices = RP_ON_ANY, .lower = sum_lower}};
static const rp_op op_sum = {.struct_size = sizeof(rp_op),
                             .flags = RP_OP_PURE,
                             .name = "toy_sum",
                             .shape = sum_shape,
                             .strategies = sum_strategies,
                             .n_strategies = 1};

rp_value toy_sum(rp_graph *graph, rp_value a) { return rp_graph_node(graph, &op_sum, NULL, &a, 1, NULL, 1); }

/* ---- check ------------------------------------------------------------------------------------------------------- */

typedef struct check_args {
  RP_ADDR(uint64_t) a;
  RP_ADDR(uint64_t) b;
  RP_ADDR(rp_error_record) error;
  uint64_t limit;
  uint32_t site, unused;
} check_args;
RP_ARGS_SIZE(check_args, 40);

static void check_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const check_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    if (t->a[i] >= t->limit) rp_fault_report(t->error, RP_FAULT_USER + 3, t->site, i);
    t->b[i] = t->a[i];
  }
}

static const rp_kernel k_check = {.struct_size = sizeof(rp_kernel),
                                  .name = "toy_check",
                                  .args_bytes = sizeof(check_args),
                                  .n_binds = 3,
                                  .n_cpu = 1,
                                  .cpu = &(const rp_cpu_variant){RP_ISA_C, check_kernel}};

static rp_status check_lower(rp_lower *l) {
  rp_value a = rp_lower_in(l, 0), b = rp_lower_out(l, 0);
  rp_bind binds[3] = {whole(a, RP_READ), whole(b, RP_WRITE), whole(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  check_args args = {.limit = *(const uint64_t *)rp_lower_params(l), .site = rp_lower_site(l)};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &k_check,
                                      .groups = {(uint32_t)rp_lower_len(l, a)},
                                      .binds = binds,
                                      .n_binds = 3,
                                      .args = &args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

static const rp_strategy check_strategies[] = {{.name = "plain", .devices = RP_ON_ANY, .lower = check_lower}};
static const rp_op op_check = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "toy_check",
                               .params_bytes = sizeof(uint64_t),
                               .shape = like_input,
                               .strategies = check_strategies,
                               .n_strategies = 1};

rp_value toy_check(rp_graph *graph, rp_value a, uint64_t limit) {
  return rp_graph_node(graph, &op_check, &limit, &a, 1, NULL, 1);
}

/* ---- split ------------------------------------------------------------------------------------------------------- */

static rp_status split_shape(const rp_shape *s) {
  if (s->n_out != 2 || s->in_len[0] % 2 || s->in_type[0]->id != toy_u64.id) return RP_ERR_SHAPE;
  for (int i = 0; i < 2; i++) {
    s->out_type[i] = s->in_type[0];
    s->out_len[i] = s->in_len[0] / 2;
  }
  return RP_OK;
}

static rp_status split_lower(rp_lower *l) {
  uint64_t half = rp_lower_len(l, rp_lower_out(l, 0));
  toy_args args = {.number = 1};
  for (uint32_t i = 0; i < 2; i++) {
    rp_bind binds[3] = {{.value = rp_lower_in(l, 0), .access = RP_READ, .first = i * half, .count = half},
                        whole(rp_lower_out(l, i), RP_WRITE)};
    rp_dispatch d = dispatch(&k_scale, half, binds, &args);
    d.n_binds = 2;
    d.label = i ? "high" : "low";
    rp_lower_dispatch(l, &d);
  }
  return RP_OK;
}

static const rp_strategy split_strategies[] = {{.name = "copies", .devices = RP_ON_ANY, .lower = split_lower}};
static const rp_op op_split = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "toy_split",
                               .shape = split_shape,
                               .strategies = split_strategies,
                               .n_strategies = 1};

void toy_split(rp_graph *graph, rp_value a, rp_value halves[2]) {
  rp_graph_node(graph, &op_split, NULL, &a, 1, halves, 2);
}

/* ---- table: filled on the host, doubled once on the device, read by every run ------------------------------------ */

static rp_status fill_squares(const void *user, void *dst, uint64_t len) {
  (void)user;
  for (uint64_t i = 0; i < len; i++) ((uint64_t *)dst)[i] = i * i;
  return RP_OK;
}

static void lookup_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) t->c[i] = t->a[i] + t->b[i % t->number];
}

static const rp_kernel k_lookup = {.struct_size = sizeof(rp_kernel),
                                   .name = "toy_lookup",
                                   .args_bytes = sizeof(toy_args),
                                   .n_binds = 3,
                                   .n_cpu = 1,
                                   .cpu = &(const rp_cpu_variant){RP_ISA_C, lookup_kernel}};

static rp_status squares_shape(const rp_shape *s) {
  s->out_type[0] = &toy_u64;
  s->out_len[0] = 16;
  return RP_OK;
}

static rp_status squares_lower(rp_lower *l) {
  rp_value squares = rp_lower_constant(l, "squares/16", &toy_u64, 16, fill_squares, NULL, 0);
  rp_bind binds[3] = {whole(squares, RP_READ), whole(rp_lower_out(l, 0), RP_WRITE)};
  const toy_args args = {.number = 2};
  rp_dispatch d = dispatch(&k_scale, 16, binds, &args);
  d.n_binds = 2;
  d.label = "double";
  rp_lower_dispatch(l, &d);
  return RP_OK;
}

static rp_status table_lower(rp_lower *l) {
  const rp_value a = rp_lower_in(l, 0), table = rp_lower_in(l, 1);
  const rp_bind binds[3] = {whole(a, RP_READ), whole(table, RP_READ), whole(rp_lower_out(l, 0), RP_WRITE)};
  const toy_args args = {.number = 16};
  const rp_dispatch d = dispatch(&k_lookup, rp_lower_len(l, a), binds, &args);
  rp_lower_dispatch(l, &d);
  return RP_OK;
}

static const rp_strategy squares_strategies[] = {{.name = "squares", .devices = RP_ON_ANY, .lower = squares_lower}};
/* Not pure, so that each lookup keeps a table of its own. */
static const rp_op op_squares = {.struct_size = sizeof(rp_op),
                                 .name = "toy_squares",
                                 .shape = squares_shape,
                                 .strategies = squares_strategies,
                                 .n_strategies = 1};
static const rp_strategy table_strategies[] = {{.name = "table", .devices = RP_ON_ANY, .lower = table_lower}};
static const rp_op op_table = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "toy_table",
                               .shape = like_input,
                               .strategies = table_strategies,
                               .n_strategies = 1};

rp_value toy_table(rp_graph *graph, rp_value a) {
  const rp_value table = rp_graph_node(graph, &op_squares, NULL, NULL, 0, NULL, 1);
  return rp_graph_node(graph, &op_table, NULL, (rp_value[]){a, table}, 2, NULL, 1);
}

/* ---- count: commuting updates of one word, side by side ---------------------------------------------------------- */

static void zero_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) t->a[i] = 0;
}

static const rp_kernel k_zero = {.struct_size = sizeof(rp_kernel),
                                 .name = "toy_zero",
                                 .args_bytes = sizeof(toy_args),
                                 .n_binds = 1,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, zero_kernel}};

static void odd_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) atomic_fetch_add((_Atomic uint64_t *)t->b, t->a[i] & 1);
}

static const rp_kernel k_odd = {.struct_size = sizeof(rp_kernel),
                                .name = "toy_odd",
                                .args_bytes = sizeof(toy_args),
                                .n_binds = 2,
                                .n_cpu = 1,
                                .cpu = &(const rp_cpu_variant){RP_ISA_C, odd_kernel}};

static rp_status count_lower(rp_lower *l) {
  rp_value a = rp_lower_in(l, 0), count = rp_lower_out(l, 0);
  uint64_t len = rp_lower_len(l, a), step = (len + 3) / 4;
  toy_args args = {0};
  rp_bind zero[3] = {whole(count, RP_WRITE)};
  rp_dispatch d = dispatch(&k_zero, 1, zero, &args);
  d.n_binds = 1;
  rp_lower_dispatch(l, &d);
  for (uint64_t at = 0; at < len; at += step) {
    uint64_t n = len - at < step ? len - at : step;
    rp_bind binds[3] = {{.value = a, .access = RP_READ, .first = at, .count = n},
                        whole(count, RP_READ_WRITE | RP_ATOMIC)};
    d = dispatch(&k_odd, n, binds, &args);
    d.n_binds = 2;
    rp_lower_dispatch(l, &d);
  }
  return RP_OK;
}

static const rp_strategy count_strategies[] = {{.name = "atomic", .devices = RP_ON_ANY, .lower = count_lower}};
static const rp_op op_count = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "toy_count_odd",
                               .shape = sum_shape,
                               .strategies = count_strategies,
                               .n_strategies = 1};

rp_value toy_count_odd(rp_graph *graph, rp_value a) { return rp_graph_node(graph, &op_count, NULL, &a, 1, NULL, 1); }

/* ---- segments: one dispatch for each ----------------------------------------------------------------------------- */

static void repeat_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_args *t = args;
  uint64_t first = t->number >> 32, len = t->number & UINT32_MAX;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) t->b[i] = t->a[(first + i) % len];
}

static const rp_kernel k_repeat = {.struct_size = sizeof(rp_kernel),
                                   .name = "toy_repeat",
                                   .args_bytes = sizeof(toy_args),
                                   .n_binds = 2,
                                   .n_cpu = 1,
                                   .cpu = &(const rp_cpu_variant){RP_ISA_C, repeat_kernel}};

static rp_status fill_shape(const rp_shape *s) {
  rp_status status = like_input(s);
  s->out_len[0] = *(const uint64_t *)s->params;
  return status;
}

static rp_status fill_lower(rp_lower *l) {
  rp_value a = rp_lower_in(l, 0), b = rp_lower_out(l, 0);
  uint64_t len = rp_lower_len(l, b), step = rp_lower_segment_len(l, b);
  for (uint64_t at = 0; at < len; at += step) {
    uint64_t n = len - at < step ? len - at : step;
    rp_bind binds[3] = {whole(a, RP_READ), {.value = b, .access = RP_WRITE, .first = at, .count = n}};
    toy_args args = {.number = at << 32 | rp_lower_len(l, a)};
    rp_dispatch d = dispatch(&k_repeat, n, binds, &args);
    d.n_binds = 2;
    rp_lower_dispatch(l, &d);
  }
  return RP_OK;
}

static const rp_strategy fill_strategies[] = {{.name = "segments", .devices = RP_ON_ANY, .lower = fill_lower}};
static const rp_op op_fill = {.struct_size = sizeof(rp_op),
                              .flags = RP_OP_PURE,
                              .name = "toy_fill_segments",
                              .params_bytes = sizeof(uint64_t),
                              .shape = fill_shape,
                              .strategies = fill_strategies,
                              .n_strategies = 1};

rp_value toy_fill_segments(rp_graph *graph, rp_value a, uint64_t len) {
  return rp_graph_node(graph, &op_fill, &len, &a, 1, NULL, 1);
}

static rp_status segment_sum_lower(rp_lower *l) {
  rp_value a = rp_lower_in(l, 0);
  uint64_t len = rp_lower_len(l, a), step = rp_lower_segment_len(l, a), parts = (len + step - 1) / step;
  rp_value partial = rp_lower_scratch(l, "partial", &toy_u64, parts);
  for (uint64_t p = 0; p < parts; p++) {
    uint64_t n = len - p * step < step ? len - p * step : step;
    rp_bind binds[3] = {{.value = a, .access = RP_READ, .first = p * step, .count = n},
                        {.value = partial, .access = RP_WRITE, .first = p, .count = 1}};
    toy_args args = {.number = n};
    rp_dispatch d = dispatch(&k_total, 1, binds, &args);
    d.n_binds = 2;
    rp_lower_dispatch(l, &d);
  }
  rp_bind binds[3] = {whole(partial, RP_READ), whole(rp_lower_out(l, 0), RP_WRITE)};
  toy_args args = {.number = parts};
  rp_dispatch d = dispatch(&k_total, 1, binds, &args);
  d.n_binds = 2;
  rp_lower_dispatch(l, &d);
  return RP_OK;
}

static const rp_strategy segment_sum_strategies[] = {
    {.name = "segments", .devices = RP_ON_ANY, .lower = segment_sum_lower}};
static const rp_op op_segment_sum = {.struct_size = sizeof(rp_op),
                                     .flags = RP_OP_PURE,
                                     .name = "toy_sum_segments",
                                     .shape = sum_shape,
                                     .strategies = segment_sum_strategies,
                                     .n_strategies = 1};

rp_value toy_sum_segments(rp_graph *graph, rp_value a) {
  return rp_graph_node(graph, &op_segment_sum, NULL, &a, 1, NULL, 1);
}
