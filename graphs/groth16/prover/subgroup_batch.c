/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "subgroup_batch.h"

#include "groth16/formats/fail.h"
#include "groth16/formats/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
  SCALAR_BITS = 128,
  SCALAR_BYTES = 32,      /* as the engine takes them */
  CHUNK_BYTES = 16 << 20, /* of points in one run */
  LEAST_WINDOW = 4,
  MOST_WINDOW = 16,
  /* In additions of a point to a bucket on the device: an addition of two buckets here, and a test of membership. */
  FOLD_COST = 8,
  TEST_COST = 600
};

typedef struct batch {
  rp_context *context;
  rp_device *device;
  const rp_curve_host *curve;
  uint64_t chunk;
  uint32_t window_bits, windows, buckets;
  uint8_t *scalars, *sums;
  rp_graph *graph;
  rp_recording *recording;
  rp_value points, out;
  atomic_int outside;
} batch;

/* The digit of the last window takes the carry of the one before. */
static uint32_t windows_of(uint32_t window_bits) { return SCALAR_BITS / window_bits + 1; }

static uint64_t cost(uint64_t n, uint32_t window_bits) {
  return windows_of(window_bits) * (n + ((uint64_t)FOLD_COST << window_bits) + (uint64_t)TEST_COST * window_bits);
}

static uint32_t choose_window(uint64_t n) {
  uint32_t best = LEAST_WINDOW;
  for (uint32_t bits = LEAST_WINDOW; bits <= MOST_WINDOW; bits++)
    if (cost(n, bits) < cost(n, best)) best = bits;
  return best;
}

static rp_status draw_scalars(batch *b, rp_error *err) {
  enum { RANDOM_BYTES = SCALAR_BITS / 8 };
  uint8_t *random = malloc(b->chunk * RANDOM_BYTES);
  b->scalars = aligned_alloc(64, (b->chunk * SCALAR_BYTES + 63) & ~(size_t)63);
  rp_status status = random && b->scalars ? rp_random_bytes(random, b->chunk * RANDOM_BYTES) : RP_ERR_MEMORY;
  if (status == RP_OK) {
    memset(b->scalars, 0, b->chunk * SCALAR_BYTES);
    for (uint64_t i = 0; i < b->chunk; i++)
      memcpy(b->scalars + i * SCALAR_BYTES, random + i * RANDOM_BYTES, RANDOM_BYTES);
  }
  free(random);
  return status == RP_OK
             ? RP_OK
             : graphs_fail(err, status, "No random scalars for a test of points: %s.", rp_status_text(status));
}

static rp_status build(batch *b, rp_error *err) {
  rp_status status = rp_graph_create(b->context, "subgroup", &b->graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = b->graph;
  b->points = rp_graph_input(g, "points", rp_type_affine(b->curve->id), b->chunk, 0);
  const rp_value scalars = rp_graph_constant(g, "scalars", &RP_TYPE_U256, b->chunk, b->scalars, RP_BORROW);
  rp_buckets rows = rp_bucket_matrix(g, scalars,
                                     &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options),
                                                          .curve = b->curve->id,
                                                          .window_bits = b->window_bits});
  rows.row_ptr = rp_slice(g, rows.row_ptr, 0, (uint64_t)b->windows * b->buckets + 1);
  rows.windows = b->windows;
  b->out = rp_bucket_accumulate(g, &rows, b->points);
  rp_graph_output(g, "sums", b->out, 0);
  status = graphs_built(g, err);
  const rp_record_options record = {.struct_size = sizeof record, .max_in_flight = 1};
  return status == RP_OK ? rp_record(b->device, g, &record, &b->recording, err) : status;
}

static int is_in_subgroup(const rp_curve_host *curve, const void *sum) {
  g16_g2 affine;
  curve->acc_to_affine(&affine, sum);
  return curve->in_subgroup(&affine);
}

/* The sums of one window. Its buckets are folded in half again and again: the upper half is those whose index has the bit. */
static void fold_window(batch *b, uint8_t *sums) {
  const rp_curve_host *curve = b->curve;
  const uint32_t bytes = curve->accumulator_bytes;
  g16_g2 with_bit[2]; /* an accumulator is two affine points long */
  int good = 1;
  for (uint32_t half = b->buckets / 2; half != 0 && good; half /= 2) {
    const uint8_t *upper = sums + (size_t)half * bytes;
    curve->acc_identity(with_bit);
    for (uint32_t i = 0; i < half; i++) {
      curve->acc_add(with_bit, with_bit, upper + (size_t)i * bytes);
      curve->acc_add(sums + (size_t)i * bytes, sums + (size_t)i * bytes, upper + (size_t)i * bytes);
    }
    good = is_in_subgroup(curve, with_bit);
  }
  if (!good || !is_in_subgroup(curve, sums)) atomic_store(&b->outside, 1);
}

static rp_status fold_windows(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  batch *b = arg;
  (void)part, (void)err;
  for (uint64_t w = first; w < first + n; w++) fold_window(b, b->sums + w * b->buckets * b->curve->accumulator_bytes);
  return RP_OK;
}

/* Where the next point is taken from. */
typedef struct cursor {
  const g16_point_array *arrays;
  uint32_t n_arrays, array;
  uint64_t point;
} cursor;

/* Copies the next finite points, at most n; returns how many. */
static uint64_t take(cursor *c, uint32_t bytes, uint8_t *out, uint64_t n) {
  uint64_t taken = 0;
  for (; c->array < c->n_arrays && taken < n; c->array++, c->point = 0) {
    const g16_point_array *a = &c->arrays[c->array];
    for (; c->point < a->n && taken < n; c->point++) {
      const uint8_t *point = a->points + c->point * bytes;
      if (g16_is_infinity(point, bytes)) continue;
      memcpy(out + taken++ * bytes, point, bytes);
    }
    if (c->point < a->n) break;
  }
  return taken;
}

static rp_status run_chunk(batch *b, cursor *from, uint64_t *taken, rp_error *err) {
  const uint32_t bytes = b->curve->affine_bytes;
  rp_run *run;
  rp_status status = rp_run_begin(b->recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  uint8_t *staging = rp_run_input(run, b->points);
  *taken = take(from, bytes, staging, b->chunk);
  memset(staging + *taken * bytes, 0, (b->chunk - *taken) * bytes);
  status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status == RP_OK)
    memcpy(b->sums, rp_run_output(run, b->out), (size_t)b->windows * b->buckets * b->curve->accumulator_bytes);
  else if (err)
    *err = *rp_run_error(run);
  rp_run_end(run);
  return status == RP_OK
             ? g16_parallel(NULL, g16_parts(NULL, b->windows, 1, b->windows), b->windows, fold_windows, b, err)
             : status;
}

static void release(batch *b) {
  rp_recording_destroy(b->recording);
  rp_graph_destroy(b->graph);
  free(b->scalars);
  free(b->sums);
  b->recording = NULL;
  b->graph = NULL;
  b->scalars = b->sums = NULL;
}

static rp_status prepare(batch *b, uint64_t chunk, rp_error *err) {
  b->chunk = chunk;
  b->window_bits = choose_window(chunk);
  b->windows = windows_of(b->window_bits);
  b->buckets = 1u << (b->window_bits - 1);
  b->sums = malloc((size_t)b->windows * b->buckets * b->curve->accumulator_bytes);
  rp_status status = b->sums ? draw_scalars(b, err) : graphs_fail(err, RP_ERR_MEMORY, "Out of memory to test points.");
  return status == RP_OK ? build(b, err) : status;
}

/* Few points are tested one by one. */
static int is_worth_it(uint64_t n) { return n * TEST_COST > cost(n, choose_window(n)); }

static void test_each(batch *b, cursor from) {
  g16_g2 point;
  while (take(&from, b->curve->affine_bytes, (uint8_t *)&point, 1) == 1)
    if (!b->curve->in_subgroup(&point)) b->outside = 1;
}

/* A device with little memory gets smaller chunks, and one that has no room for any none. */
static rp_status run_all(batch *b, cursor from, uint64_t finite, rp_error *err) {
  const uint64_t most = CHUNK_BYTES / b->curve->affine_bytes, chunks = (finite + most - 1) / most;
  uint64_t chunk = (finite + chunks - 1) / chunks;
  rp_status status = RP_ERR_BUDGET;
  for (; status == RP_ERR_BUDGET && is_worth_it(chunk); chunk = (chunk + 1) / 2) {
    release(b);
    status = prepare(b, chunk, err);
  }
  if (status == RP_ERR_BUDGET) {
    test_each(b, from);
    return RP_OK;
  }
  for (uint64_t taken = b->chunk; status == RP_OK && taken == b->chunk && !b->outside;)
    status = run_chunk(b, &from, &taken, err);
  return status;
}

rp_status g16_subgroup_batch(rp_context *context, rp_device *device, rp_curve curve, const g16_point_array *arrays,
                             uint32_t n_arrays, int *all, rp_error *err) {
  rp_device_info info;
  *all = 0;
  rp_device_get_info(device, &info);
  if (info.kind == RP_DEVICE_NULL)
    return graphs_fail(err, RP_ERR_UNSUPPORTED, "The null device computes nothing; points cannot be tested with it.");
  batch b = {.context = context, .device = device, .curve = rp_curve_get(curve)};
  const cursor from = {.arrays = arrays, .n_arrays = n_arrays};
  uint64_t finite = 0;
  for (uint32_t a = 0; a < n_arrays; a++)
    for (uint64_t i = 0; i < arrays[a].n; i++)
      finite += !g16_is_infinity(arrays[a].points + i * b.curve->affine_bytes, b.curve->affine_bytes);
  atomic_init(&b.outside, 0);
  rp_status status = RP_OK;
  if (is_worth_it(finite))
    status = run_all(&b, from, finite, err);
  else
    test_each(&b, from);
  release(&b);
  *all = status == RP_OK && !b.outside;
  return status;
}
