/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An operation that a caller defines, between built-in ones. Its CPU kernel and its CUDA image come with this test. It
 * computes indices from numbers; elements are gathered with them and then hashed.
 *
 * The operation has no kernel for Vulkan.
 * op-test lavapipe:none no-vulkan
 */
#include "data.h"
#include "device.h"
#include "own_op.h"

static void own_spread_cpu(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const own_spread_args *k = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) k->out[i] = (uint32_t)(k->in[i] * k->factor >> 32) % k->limit;
}

#if REPRISE_HAVE_CUDA
extern const unsigned char reprise_cuda_own_op[];
#define IMAGE reprise_cuda_own_op
#else
#define IMAGE NULL
#endif
static const rp_kernel kernel = {.struct_size = sizeof(rp_kernel),
                                 .name = "own_spread",
                                 .args_bytes = sizeof(own_spread_args),
                                 .n_binds = 2,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, own_spread_cpu},
                                 .cuda = {.image = IMAGE, .entry = "own_spread", .block = OWN_GROUP}};

typedef struct own_params {
  uint32_t factor, limit;
} own_params;

static rp_status shape(const rp_shape *s) {
  if (s->n_in != 1 || s->in_type[0]->id != RP_TYPE_U64.id) return RP_ERR_TYPE;
  s->out_type[0] = &RP_TYPE_U32;
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const own_params *p = rp_lower_params(l);
  const uint32_t n = (uint32_t)rp_lower_len(l, rp_lower_out(l, 0));
  const own_spread_args args = {.n = n, .factor = p->factor, .limit = p->limit};
  const rp_bind binds[] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_lower_dispatch(
      l, &(rp_dispatch){.kernel = &kernel,
                        .groups = {rp_lower_device(l) == RP_DEVICE_CPU ? n : (n + OWN_GROUP - 1) / OWN_GROUP, 1, 1},
                        .binds = binds,
                        .n_binds = 2,
                        .args = &args,
                        .args_bytes = sizeof args});
  return RP_OK;
}

static const rp_strategy strategies[] = {
    {.name = "spread", .devices = RP_ON(RP_DEVICE_CPU) | RP_ON(RP_DEVICE_CUDA), .lower = lower}};
static const rp_op own_op = {.struct_size = sizeof(rp_op),
                             .name = "own_spread",
                             .params_bytes = sizeof(own_params),
                             .shape = shape,
                             .strategies = strategies,
                             .n_strategies = 1};

static void test_between_others(void **state) {
  enum { N = 1003, LEN = 77 };
  const rp_field_host *f = rp_field_get(RP_FIELD_BN254_FR);
  const own_params params = {2654435761u, LEN};
  uint64_t in[N], seed = 1;
  uint32_t index[N];
  uint8_t *x = data_field(f->id, DATA_RANDOM, 1, LEN), got[N * 32], want[N * 32], *digests = malloc(N * 32);
  uint8_t single[LEN * 32];
  job j;
  (void)state;
  assert_int_equal(f->size_bytes, 32);
  for (int i = 0; i < N; i++) in[i] = data_next(&seed);
  job_begin(&j);
  const rp_value numbers = job_input(&j, &RP_TYPE_U64, N, in), elements = job_input(&j, rp_type_field(f->id), LEN, x);
  const rp_value spread = rp_graph_node(j.graph, &own_op, &params, &numbers, 1, NULL, 1);
  const rp_value gathered = rp_gather(j.graph, elements, spread);
  job_output(&j, spread, index);
  job_output(&j, gathered, got);
  job_output(&j, rp_hash_rows(j.graph, RP_HASH_POSEIDON_BN254, gathered, 1), digests);
  job_output(&j, rp_hash_rows(j.graph, RP_HASH_POSEIDON_BN254, elements, 1), single);
  job_check(&j);
  for (int i = 0; i < N; i++) {
    assert_int_equal(index[i], (uint32_t)(in[i] * params.factor >> 32) % LEN);
    memcpy(want + 32 * i, x + 32 * index[i], 32);
    assert_memory_equal(digests + 32 * i, single + 32 * index[i], 32);
  }
  data_assert_equal(f->id, got, want, N, "gathered");
  free(x);
  free(digests);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_between_others)};
  return device_run_tests("own_op", tests, sizeof tests / sizeof *tests);
}
