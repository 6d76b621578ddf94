/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "toy_op.h"

#include "toy_args.h"

extern const unsigned char reprise_cuda_toy[]; /* embedded */

const rp_type toy_u64 = {.id = RP_TYPE_USER + 1, .size_bytes = 8, .align_bytes = 8, .name = "toy.u64"};
const rp_type toy_u32 = {.id = RP_TYPE_USER + 2, .size_bytes = 4, .align_bytes = 4, .name = "toy.u32"};

/* X(name, number of addresses) */
#define TOY_KERNELS(X) X(mix, 3) X(check, 3) X(count, 2) X(head, 3) X(pause, 2) X(bit, 2) X(select, 4)
#define TOY_KERNEL(kernel, binds)                \
  static const rp_kernel k_##kernel = {          \
      .struct_size = sizeof(rp_kernel),          \
      .name = "toy_" #kernel,                    \
      .args_bytes = sizeof(toy_##kernel##_args), \
      .n_binds = binds,                          \
      .cuda = {.image = reprise_cuda_toy, .entry = "toy_" #kernel, .block = TOY_BLOCK}};
TOY_KERNELS(TOY_KERNEL)
static const rp_kernel k_crash = {.struct_size = sizeof(rp_kernel),
                                  .name = "toy_crash",
                                  .args_bytes = sizeof(toy_pause_args),
                                  .n_binds = 2,
                                  .cuda = {.image = reprise_cuda_toy, .entry = "toy_crash", .block = TOY_BLOCK}};

static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static uint32_t number(const rp_lower *l) { return *(const uint32_t *)rp_lower_params(l); }
static uint32_t length(const rp_lower *l) { return (uint32_t)rp_lower_len(l, rp_lower_out(l, 0)); }

static rp_status emit(rp_lower *l, const rp_kernel *kernel, const void *args, const rp_bind *binds, uint32_t groups) {
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = kernel,
                                      .groups = {groups},
                                      .binds = binds,
                                      .n_binds = kernel->n_binds,
                                      .args = args,
                                      .args_bytes = kernel->args_bytes});
  return RP_OK;
}

static uint32_t groups_of(uint32_t n) { return (n + TOY_BLOCK - 1) / TOY_BLOCK; }

static rp_status lower_mix(rp_lower *l) {
  const toy_mix_args args = {.factor = number(l), .n = length(l)};
  const rp_bind binds[3] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_in(l, 1), RP_READ),
                            RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  return emit(l, &k_mix, &args, binds, groups_of(args.n));
}

static rp_status lower_check(rp_lower *l) {
  const toy_check_args args = {
      .bad = number(l), .n = length(l), .site = rp_lower_site(l), .fault = RP_FAULT_SCALAR_RANGE};
  const rp_bind binds[3] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                            RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  return emit(l, &k_check, &args, binds, groups_of(args.n));
}

static rp_status lower_head(rp_lower *l) {
  const toy_count_args count_args = {0};
  const toy_head_args args = {0};
  const toy_mix_args zero = {.factor = 0, .n = length(l)};
  rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0), count = rp_lower_scratch(l, "count", &toy_u32, 1),
           none = rp_lower_scratch(l, "none", &toy_u64, length(l));
  const rp_bind counting[2] = {RP_BIND(in, RP_READ), RP_BIND(count, RP_WRITE)},
                clearing[3] = {RP_BIND(in, RP_READ), RP_BIND(in, RP_READ), RP_BIND(none, RP_WRITE)},
                again[3] = {RP_BIND(in, RP_READ), RP_BIND(none, RP_READ), RP_BIND(out, RP_WRITE)},
                keeping[3] = {RP_BIND(in, RP_READ), RP_BIND(count, RP_READ), RP_BIND(out, RP_READ_WRITE)};
  rp_status status = emit(l, &k_count, &count_args, counting, 1);
  /* none = 0 * in + in and out = (2^32 - 1) * in + none = 2^32 in: what the head must overwrite. */
  if (status == RP_OK) status = emit(l, &k_mix, &zero, clearing, groups_of(zero.n));
  const toy_mix_args wrong = {.factor = UINT32_MAX, .n = zero.n};
  if (status == RP_OK) status = emit(l, &k_mix, &wrong, again, groups_of(zero.n));
  return status == RP_OK ? emit(l, &k_head, &args, keeping, groups_of(zero.n)) : status;
}

static rp_status lower_copying(rp_lower *l, const rp_kernel *kernel) {
  const toy_pause_args args = {.n = length(l), .microseconds = number(l)};
  const rp_bind binds[2] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  return emit(l, kernel, &args, binds, groups_of(args.n));
}
static rp_status lower_pause(rp_lower *l) { return lower_copying(l, &k_pause); }
static rp_status lower_crash(rp_lower *l) { return lower_copying(l, &k_crash); }

static rp_status lower_bit(rp_lower *l) {
  const toy_bit_args args = {.mask = number(l)};
  const rp_bind binds[2] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  return emit(l, &k_bit, &args, binds, 1);
}

static rp_status lower_select(rp_lower *l) {
  const toy_select_args args = {.n = length(l)};
  const rp_bind binds[4] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_in(l, 1), RP_READ),
                            RP_BIND(rp_lower_in(l, 2), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  return emit(l, &k_select, &args, binds, groups_of(args.n));
}

static rp_status shape_bit(const rp_shape *s) {
  s->out_type[0] = &toy_u32;
  s->out_len[0] = 1;
  return RP_OK;
}

static rp_status shape_select(const rp_shape *s) {
  s->out_type[0] = s->in_type[1];
  s->out_len[0] = s->in_len[1];
  return RP_OK;
}

#define TOY_OP(op, its_shape)                                                                                       \
  static const rp_strategy strategy_##op = {.name = "cuda", .devices = RP_ON(RP_DEVICE_CUDA), .lower = lower_##op}; \
  static const rp_op op_##op = {.struct_size = sizeof(rp_op),                                                       \
                                .name = "toy_" #op,                                                                 \
                                .params_bytes = sizeof(uint32_t),                                                   \
                                .shape = its_shape,                                                                 \
                                .strategies = &strategy_##op,                                                       \
                                .n_strategies = 1}
TOY_OP(mix, shape);
TOY_OP(check, shape);
TOY_OP(head, shape);
TOY_OP(pause, shape);
TOY_OP(crash, shape);
TOY_OP(bit, shape_bit);
TOY_OP(select, shape_select);

rp_value toy_mix(rp_graph *graph, rp_value a, rp_value b, uint32_t factor) {
  return rp_graph_node(graph, &op_mix, &factor, (rp_value[]){a, b}, 2, NULL, 1);
}
rp_value toy_check(rp_graph *graph, rp_value a, uint32_t bad) {
  return rp_graph_node(graph, &op_check, &bad, &a, 1, NULL, 1);
}
rp_value toy_head(rp_graph *graph, rp_value a) {
  return rp_graph_node(graph, &op_head, &(uint32_t){0}, &a, 1, NULL, 1);
}
rp_value toy_pause(rp_graph *graph, rp_value a, uint32_t microseconds) {
  return rp_graph_node(graph, &op_pause, &microseconds, &a, 1, NULL, 1);
}
rp_value toy_crash(rp_graph *graph, rp_value a, int really) {
  return rp_graph_node(graph, &op_crash, &(uint32_t){(uint32_t)really}, &a, 1, NULL, 1);
}
rp_value toy_bit(rp_graph *graph, rp_value a, uint32_t mask) {
  return rp_graph_node(graph, &op_bit, &mask, &a, 1, NULL, 1);
}
rp_value toy_select(rp_graph *graph, rp_value bit, rp_value a, rp_value b) {
  return rp_graph_node(graph, &op_select, &(uint32_t){0}, (rp_value[]){bit, a, b}, 3, NULL, 1);
}
