/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A user-defined operation beside a built-in one: the number of set bits of every element, then their prefix sum. It is
 * a node like any other: planned, placed, scheduled and drawn with the rest. With a file name, the graph is drawn. */

#include <reprise/ops.h>
#include <reprise/page.h>
#include <stdio.h>

/* 1. The arguments of the kernel: addresses first, one per bind; then 32-bit integers. */
typedef struct popcount_args {
  RP_ADDR(const uint64_t) x;
  RP_ADDR(uint32_t) out;
} popcount_args;
RP_ARGS_SIZE(popcount_args, 16);

/* 2. The kernel: items [begin, end). A variant for GPUs would stand beside this one, in the same rp_kernel. */
static void popcount_cpu(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const popcount_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    uint32_t n = 0;
    for (uint64_t x = a->x[i]; x; x &= x - 1) n++;
    a->out[i] = n;
  }
}
static const rp_kernel popcount_kernel = {.struct_size = sizeof(rp_kernel),
                                          .name = "popcount",
                                          .args_bytes = sizeof(popcount_args),
                                          .n_binds = 2,
                                          .n_cpu = 1,
                                          .cpu = &(const rp_cpu_variant){RP_ISA_C, popcount_cpu}};

/* 3. The shape rule: the types and lengths of the outputs, from those of the inputs. */
static rp_status popcount_shape(const rp_shape *s) {
  if (s->n_in != 1) return rp_shape_fail(s, RP_ERR_SHAPE, "it takes one input, not %u", s->n_in);
  if (s->in_type[0]->id != RP_TYPE_U64.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "its input is of type %s, not u64", s->in_type[0]->name);
  if (s->in_len[0] > UINT32_MAX) return rp_shape_fail(s, RP_ERR_SHAPE, "its input has more than 2^32 - 1 elements");
  s->out_type[0] = &RP_TYPE_U32;
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

/* 4. The strategy: one dispatch, with what it reads and writes. */
static rp_status popcount_lower(rp_lower *l) {
  const popcount_args args = {0};
  const rp_bind binds[] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  const uint64_t n = rp_lower_len(l, rp_lower_in(l, 0));
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &popcount_kernel,
                                      .groups = {(uint32_t)n, 1, 1},
                                      .binds = binds,
                                      .n_binds = 2,
                                      .args = &args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}
static const rp_strategy popcount_strategies[] = {{"cpu", RP_ON(RP_DEVICE_CPU), NULL, popcount_lower}};
static const rp_op popcount_op = {.struct_size = sizeof popcount_op,
                                  .name = "popcount",
                                  .shape = popcount_shape,
                                  .strategies = popcount_strategies,
                                  .n_strategies = 1,
                                  .flags = RP_OP_PURE};

int main(int argc, char **argv) {
  enum { N = 5 };
  const uint64_t input[N] = {0, 1, 3, 0xff, UINT64_MAX};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_graph *graph = NULL;
  rp_recording *recording = NULL;
  rp_error err = {0};
  if (rp_context_create(NULL, &context, &err) == RP_OK && rp_device_open(context, &cpu, &device, &err) == RP_OK &&
      rp_graph_create(context, "count", &graph, &err) == RP_OK) {
    rp_value x = rp_graph_input(graph, "x", &RP_TYPE_U64, N, 0);
    rp_scope_begin(graph, "count");
    rp_scope_title(graph, "Bits that are set: %d elements, and running sums", N);
    rp_value count = rp_graph_node(graph, &popcount_op, NULL, &x, 1, NULL, 1);
    rp_graph_output(graph, "sums", rp_prefix_sum(graph, count), 0);
    rp_scope_end(graph);
    uint32_t sums[N + 1];
    const rp_replay_input in = {.name = "x", .data = input, .size_bytes = sizeof input};
    const rp_replay_output out = {.name = "sums", .data = sums, .size_bytes = sizeof sums};
    if (rp_record(device, graph, NULL, &recording, &err) == RP_OK &&
        rp_replay(recording, &in, 1, &out, 1, &err) == RP_OK)
      for (unsigned i = 0; i <= N; i++) printf("%u%c", sums[i], i < N ? ' ' : '\n');
    const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
    if (err.status == RP_OK && argc > 1) (void)!rp_view_write(&view, argv[1], &err);
  }
  if (err.status != RP_OK) fprintf(stderr, "%s: %s\n", rp_status_name(err.status), err.reason);
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  rp_device_close(device);
  rp_context_destroy(context);
  return err.status != RP_OK;
}
