/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Data for benchmarks: reproducible, and uniform over the whole field or group.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* SplitMix64 (Steele, Lea, Flood 2014): sufficient for data that need not be secret. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Draws integers with as many bits as the modulus until one is below it, for each coefficient of an extension. */
static void random_element(const rp_field_host *f, uint64_t *state, void *element) {
  enum { WORD_BITS = 64 };
  uint64_t canonical[12] = {0};
  const uint32_t words = (f->modulus_bits + WORD_BITS - 1) / WORD_BITS, free_bits = words * WORD_BITS - f->modulus_bits;
  const size_t coefficient_bytes = f->canonical_bytes / f->degree;
  do {
    for (uint32_t c = 0; c < f->degree; c++) {
      uint64_t word[8] = {0};
      for (uint32_t i = 0; i < words; i++) word[i] = next_random(state);
      word[words - 1] >>= free_bits;
      memcpy((uint8_t *)canonical + c * coefficient_bytes, word, coefficient_bytes);
    }
  } while (!f->from_canonical(element, canonical));
}

static rp_value no_memory(bench_build *b) {
  return rp_graph_fail(b->graph, RP_ERR_MEMORY, "out of host memory for the data");
}

static uint8_t *add_input(bench_build *b, const rp_type *type, uint64_t n, rp_value *value) {
  static const char *const names[BENCH_INPUTS] = {"a", "b", "c", "d"};
  uint8_t *data = b->n_inputs < BENCH_INPUTS ? aligned_alloc(64, (n * type->size_bytes + 63) & ~(uint64_t)63) : NULL;
  if (!data) return NULL;
  *value = rp_graph_input(b->graph, names[b->n_inputs], type, n, 0);
  b->input[b->n_inputs].value = *value;
  b->input[b->n_inputs].data = data;
  b->input[b->n_inputs++].bytes = n * type->size_bytes;
  return data;
}

rp_value bench_elements(bench_build *b, rp_field field, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  rp_value value = RP_NO_VALUE;
  uint8_t *data = add_input(b, rp_type_field(field), n, &value);
  if (!data) return no_memory(b);
  for (uint64_t i = 0; i < n; i++) random_element(f, &b->seed, data + i * f->size_bytes);
  return value;
}

uint32_t *bench_u32(bench_build *b, uint64_t n, uint64_t below, rp_value *value) {
  uint32_t *data = (uint32_t *)add_input(b, &RP_TYPE_U32, n, value);
  if (!data) *value = no_memory(b);
  for (uint64_t i = 0; data && i < n; i++) data[i] = below ? (uint32_t)(next_random(&b->seed) % below) : 0;
  return data;
}

rp_value bench_bytes(bench_build *b, const rp_type *type, uint64_t n) {
  rp_value value = RP_NO_VALUE;
  uint8_t *data = add_input(b, type, n, &value);
  if (!data) return no_memory(b);
  for (uint64_t i = 0; i < n * type->size_bytes; i++) data[i] = (uint8_t)next_random(&b->seed);
  return value;
}

rp_value bench_canonical(bench_build *b, rp_field field, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  const rp_type *type = rp_type_canonical(field);
  rp_value value = RP_NO_VALUE;
  uint64_t element[12];
  uint8_t *data = add_input(b, type, n, &value);
  if (!data) return no_memory(b);
  for (uint64_t i = 0; i < n; i++) {
    random_element(f, &b->seed, element);
    f->to_canonical(data + i * type->size_bytes, element);
  }
  return value;
}

static void random_scalars(const rp_field_host *f, uint64_t *state, uint8_t *out, uint64_t n) {
  uint64_t element[8];
  for (uint64_t i = 0; i < n; i++) {
    random_element(f, state, element);
    memset(out + 32 * i, 0, 32);
    f->to_canonical(out + 32 * i, element);
  }
}

const char *const bench_spread_names[BENCH_SPREADS] = {"uniform", "equal", "bits", "clustered"};

/* Changes random scalars to the distribution. Clustered: 48 values that differ only in their two lowest bytes, so that
 * in every window but the lowest all points have the same digit. */
static void spread_scalars(bench_spread spread, uint8_t *scalars, uint64_t n) {
  for (uint64_t i = 0; spread != BENCH_UNIFORM && i < n; i++) {
    uint8_t *s = scalars + 32 * i, low = s[0];
    if (spread == BENCH_BITS) {
      memset(s, 0, 32);
      s[0] = low & 1;
    } else if (i) {
      memcpy(s, scalars, 32);
      if (spread == BENCH_CLUSTERED) s[0] = low & 0x0f, s[1] = (uint8_t)(i % 3);
    }
  }
}

rp_value bench_scalars(bench_build *b, uint64_t n) {
  rp_value value = RP_NO_VALUE;
  uint8_t *data = add_input(b, &RP_TYPE_U256, n, &value);
  if (!data) return no_memory(b);
  random_scalars(rp_field_get(rp_curve_scalar_field(b->curve)), &b->seed, data, n);
  spread_scalars(b->spread, data, n);
  return value;
}

/* n random multiples of the generator, computed on the device. */
static rp_status make_points(bench_build *b, uint64_t n, uint8_t *out) {
  const rp_curve_host *c = rp_curve_get(b->curve);
  uint64_t generator[24];
  rp_graph *graph = NULL;
  rp_recording *recording = NULL;
  rp_run *run = NULL;
  c->generator(generator);
  rp_status status = rp_graph_create(b->context, "points", &graph, b->err);
  if (status != RP_OK) return status;
  rp_value base = rp_graph_constant(graph, "generator", rp_type_affine(b->curve), 1, generator, 0);
  rp_value scalars = rp_graph_input(graph, "scalars", &RP_TYPE_U256, n, 0);
  enum { FEW = 4096, FEW_BITS = 4 }; /* a table with the default window would cost more than the points */
  rp_fixed_base table = rp_fixed_base_table(graph, base, n < FEW ? FEW_BITS : 0);
  rp_value points = rp_to_affine(graph, rp_fixed_base_mul(graph, &table, scalars));
  rp_graph_output(graph, "points", points, 0);
  status = rp_record(b->device, graph, NULL, &recording, b->err);
  rp_graph_destroy(graph);
  if (status == RP_OK) status = rp_run_begin(recording, UINT64_MAX, &run, b->err);
  if (status == RP_OK) {
    random_scalars(rp_field_get(c->scalar), &b->seed, rp_run_input(run, scalars), n);
    status = rp_run_submit(run);
    if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
    if (status == RP_OK)
      memcpy(out, rp_run_output(run, points), (size_t)(n * c->affine_bytes));
    else
      *b->err = *rp_run_error(run);
  }
  rp_run_end(run);
  rp_recording_destroy(recording);
  return status;
}

rp_value bench_points(bench_build *b, uint64_t n, bool constant) {
  const rp_type *type = rp_type_affine(b->curve);
  rp_value value = RP_NO_VALUE;
  uint8_t *data =
      constant ? aligned_alloc(64, (n * type->size_bytes + 63) & ~(uint64_t)63) : add_input(b, type, n, &value);
  if (!data) return no_memory(b);
  rp_status status = make_points(b, n, data);
  if (constant) {
    if (status == RP_OK) value = rp_graph_constant(b->graph, "points", type, n, data, 0);
    free(data);
  }
  return status == RP_OK ? value : rp_graph_fail(b->graph, status, "%s", b->err->reason);
}

bool bench_points_of_devices(bench_build *b, uint64_t n, rp_value points[]) {
  const rp_type *type = rp_type_affine(b->curve);
  const uint32_t n_devices = rp_group_size(b->device);
  uint8_t *data = aligned_alloc(64, (n * type->size_bytes + 63) & ~(uint64_t)63);
  if (!data) return (void)no_memory(b), 0;
  const rp_status status = make_points(b, n, data);
  if (status != RP_OK) (void)rp_graph_fail(b->graph, status, "%s", b->err->reason);
  for (uint32_t d = 0; status == RP_OK && d < n_devices; d++) {
    const uint64_t first = n * d / n_devices, end = n * (d + 1) / n_devices;
    (void)rp_on(b->graph, d);
    points[d] = rp_graph_constant(b->graph, "points", type, end - first, data + first * type->size_bytes, 0);
  }
  (void)rp_on(b->graph, 0);
  free(data);
  return status == RP_OK;
}

rp_value bench_accumulators(bench_build *b, uint64_t n) {
  const rp_curve_host *c = rp_curve_get(b->curve);
  rp_value value = RP_NO_VALUE;
  uint8_t *affine = aligned_alloc(64, (n * c->affine_bytes + 63) & ~(uint64_t)63);
  uint8_t *data = affine ? add_input(b, rp_type_accumulator(b->curve), n, &value) : NULL;
  if (!data) value = no_memory(b);
  rp_status status = data ? make_points(b, n, affine) : RP_OK;
  if (status != RP_OK) value = rp_graph_fail(b->graph, status, "%s", b->err->reason);
  for (uint64_t i = 0; data && status == RP_OK && i < n; i++)
    c->acc_from_affine(data + i * c->accumulator_bytes, affine + i * c->affine_bytes);
  free(affine);
  return value;
}

void bench_free(bench_build *b) {
  for (unsigned i = 0; i < b->n_inputs; i++) free(b->input[i].data);
  rp_graph_destroy(b->graph);
  b->graph = NULL;
  b->n_inputs = 0;
}
