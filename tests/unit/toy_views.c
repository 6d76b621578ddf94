/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Slices, concatenations and the copying kernel for the engine's tests.
 */
#include "toy_ops.h"

#include <string.h>

typedef struct copy_args {
  RP_ADDR(uint64_t) from;
  RP_ADDR(uint64_t) to;
} copy_args;

static void copy_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const copy_args *t = args;
  (void)worker;
  memcpy(t->to + begin, t->from + begin, 8 * (end - begin));
}

static const rp_kernel k_copy = {.struct_size = sizeof(rp_kernel),
                                 .name = "copy",
                                 .args_bytes = sizeof(copy_args),
                                 .n_binds = 2,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, copy_kernel}};

static void copy(rp_lower *l, rp_value to, uint64_t to_first, rp_value from, uint64_t from_first, uint64_t count) {
  const rp_bind binds[2] = {{.value = from, .access = RP_READ, .first = from_first, .count = count},
                            {.value = to, .access = RP_WRITE, .first = to_first, .count = count}};
  const copy_args args = {0};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &k_copy,
                                      .groups = {(uint32_t)count},
                                      .binds = binds,
                                      .n_binds = 2,
                                      .args = &args,
                                      .args_bytes = sizeof args});
}

static rp_status slice_shape(const rp_shape *s) {
  const uint64_t *range = s->params;
  if (range[0] > s->in_len[0] || range[1] > s->in_len[0] - range[0]) return RP_ERR_SHAPE;
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = range[1];
  return RP_OK;
}

static rp_status slice_lower(rp_lower *l) {
  const uint64_t *range = rp_lower_params(l);
  copy(l, rp_lower_out(l, 0), 0, rp_lower_in(l, 0), range[0], range[1]);
  return RP_OK;
}

static uint64_t slice_first(const void *params) { return *(const uint64_t *)params; }

static const rp_strategy slice_strategies[] = {{.name = "copy", .devices = RP_ON_ANY, .lower = slice_lower}};
static const rp_op op_slice = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "toy_slice",
                               .params_bytes = 2 * sizeof(uint64_t),
                               .shape = slice_shape,
                               .strategies = slice_strategies,
                               .n_strategies = 1,
                               .slice_first = slice_first};

rp_value toy_slice(rp_graph *graph, rp_value a, uint64_t first, uint64_t len) {
  const uint64_t range[2] = {first, len};
  return rp_graph_node(graph, &op_slice, range, &a, 1, NULL, 1);
}

static rp_status concat_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0] + s->in_len[1];
  return s->n_in == 2 ? RP_OK : RP_ERR_SHAPE;
}

static rp_status concat_lower(rp_lower *l) {
  uint64_t at = 0;
  for (uint32_t i = 0; i < 2; i++) {
    const uint64_t len = rp_lower_len(l, rp_lower_in(l, i));
    copy(l, rp_lower_out(l, 0), at, rp_lower_in(l, i), 0, len);
    at += len;
  }
  return RP_OK;
}

static const rp_strategy concat_strategies[] = {{.name = "copies", .devices = RP_ON_ANY, .lower = concat_lower}};
static const rp_op op_concat = {.struct_size = sizeof(rp_op),
                                .flags = RP_OP_PURE | RP_OP_CONCAT,
                                .name = "toy_concat",
                                .shape = concat_shape,
                                .strategies = concat_strategies,
                                .n_strategies = 1};

rp_value toy_concat(rp_graph *graph, rp_value a, rp_value b) {
  return rp_graph_node(graph, &op_concat, NULL, (rp_value[]){a, b}, 2, NULL, 1);
}

static void copy_elements(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const toy_copy_args *t = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) t->to[i] = t->from[i];
}
const rp_kernel toy_copy = {.struct_size = sizeof(rp_kernel),
                            .name = "copy",
                            .args_bytes = sizeof(toy_copy_args),
                            .n_binds = 2,
                            .n_cpu = 1,
                            .cpu = &(const rp_cpu_variant){RP_ISA_C, copy_elements}};
