/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "subgroup_batch.h"

#include "formats/fail.h"
#include "threads/parallel.h"
#include "subgroup_sums.h"

#include <stdatomic.h>

enum {
  SCALAR_BITS = 136,
  SCALAR_BYTES = 32,      /* size of a scalar in a graph */
  CHUNK_BYTES = 16 << 20, /* points of one run */
  GRID_LEAST = 32768,     /* points: testing fewer is faster than replacing them */
  CURVE_LEAST = 4096,     /* points: for fewer, testing the curve equation is faster without a device */
  MOST_GRIDS = 12,        /* successive grids; a full one leaves a fifth to a third of the points */
  LEAST_WINDOW = 4,
  MOST_WINDOW = 16,
  /* In units of one addition to a bucket on the device: an addition of two buckets on the host, and a test of
   * membership. */
  FOLD_COST = 8,
  TEST_COST = 600
};

typedef struct batch {
  const g16_subgroup_job *job;
  const rp_curve_host *curve;
  g16_random_fn random;
  g16_sums stage[MOST_GRIDS + 1]; /* the grids, then the windows that are tested */
  uint32_t grids;
  uint8_t *sums; /* of the last stage, for folding */
  atomic_int outside;
} batch;

/* The last window also takes the carry of the one before. */
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

static rp_status random_scalars(const batch *b, uint64_t n, uint8_t *scalars) {
  enum { RANDOM_BYTES = SCALAR_BITS / 8 };
  uint8_t *random = rp_context_alloc(b->job->context, n * RANDOM_BYTES);
  const rp_status status = random ? b->random(random, n * RANDOM_BYTES) : RP_ERR_MEMORY;
  memset(scalars, 0, n * SCALAR_BYTES);
  for (uint64_t i = 0; i < n && status == RP_OK; i++)
    memcpy(scalars + i * SCALAR_BYTES, random + i * RANDOM_BYTES, RANDOM_BYTES);
  rp_context_free(random);
  return status;
}

static bool is_whole_curve(const batch *b) { return b->curve->id == RP_CURVE_BN254_G1; }

static rp_status open_stage(const batch *b, g16_sums *s, const g16_grid *grid, rp_error *err) {
  s->context = b->job->context;
  s->device = b->job->device;
  s->curve = b->curve;
  s->on_curve = b->job->on_curve && s == b->stage; /* sums of points on the curve are on the curve */
  if (is_whole_curve(b)) return g16_sums_open(s, err);
  s->scalars = rp_context_alloc(s->context, s->chunk * SCALAR_BYTES);
  rp_status status = RP_ERR_MEMORY;
  if (s->scalars && grid) {
    s->affine = 1;
    s->window_bits = grid->window_bits;
    s->windows = G16_GRID_DIMENSIONS;
    status = g16_grid_scalars(s->context, grid, b->curve, s->chunk, b->random, s->scalars);
  } else if (s->scalars) {
    s->window_bits = choose_window(s->chunk);
    s->windows = windows_of(s->window_bits);
    status = random_scalars(b, s->chunk, s->scalars);
  }
  return status == RP_OK
             ? g16_sums_open(s, err)
             : support_fail(err, status, "No random scalars for a test of points: %s.", rp_status_text(status));
}

static void close_stages(batch *b) {
  for (uint32_t stage = 0; stage <= b->grids; stage++) g16_sums_close(&b->stage[stage]);
  rp_context_free(b->sums);
  b->sums = NULL;
  b->grids = 0;
  memset(b->stage, 0, sizeof b->stage);
}

static uint64_t in_equal_chunks(uint64_t points, uint64_t most) {
  const uint64_t chunks = (points + most - 1) / most;
  return (points + chunks - 1) / chunks;
}

/* Opens the stages for so many points, at most `most` per run: grids until few sums are left. */
static rp_status open_stages(batch *b, uint64_t points, uint64_t most, rp_error *err) {
  rp_status status = RP_OK;
  while (!is_whole_curve(b) && points > GRID_LEAST && most > GRID_LEAST && b->grids < MOST_GRIDS) {
    g16_sums *s = &b->stage[b->grids];
    s->chunk = in_equal_chunks(points, most);
    const g16_grid grid = g16_grid_of(s->chunk);
    const uint64_t chunks = (points + s->chunk - 1) / s->chunk;
    status = open_stage(b, s, &grid, err);
    if (status != RP_OK) return status;
    points = 0;
    for (int k = 0; k < G16_GRID_DIMENSIONS; k++) points += chunks * grid.lines[k];
    b->grids++;
  }
  g16_sums *last = &b->stage[b->grids];
  last->chunk = in_equal_chunks(points, most);
  status = open_stage(b, last, NULL, err);
  if (status != RP_OK || last->windows == 0) return status;
  b->sums = rp_context_alloc(b->job->context, (size_t)last->windows * last->buckets * b->curve->accumulator_bytes);
  return b->sums ? RP_OK : support_fail(err, RP_ERR_MEMORY, "Out of memory to test points.");
}

static bool is_in_subgroup(const rp_curve_host *curve, const void *sum) {
  g16_g2 affine;
  curve->acc_to_affine(&affine, sum);
  return curve->in_subgroup(&affine);
}

/* Tests the sums of one window. Its buckets are repeatedly folded in half: the upper half has the buckets whose index
 * has the bit. */
static void fold_window(batch *b, uint32_t buckets, uint8_t *sums) {
  const rp_curve_host *curve = b->curve;
  const uint32_t bytes = curve->accumulator_bytes;
  g16_g2 with_bit[2]; /* an accumulator has the size of two affine points */
  bool good = 1;
  for (uint32_t half = buckets / 2; half != 0 && good; half /= 2) {
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
  const uint32_t buckets = b->stage[b->grids].buckets;
  (void)part, (void)err;
  for (uint64_t w = first; w < first + n; w++)
    fold_window(b, buckets, b->sums + w * buckets * b->curve->accumulator_bytes);
  return RP_OK;
}

static rp_status test_sums(batch *b, const g16_sums *s, rp_error *err) {
  memcpy(b->sums, g16_sums_accumulators(s), (size_t)s->windows * s->buckets * b->curve->accumulator_bytes);
  return support_parallel(NULL, support_parts(NULL, s->windows, 1, s->windows), s->windows, fold_windows, b, err);
}

static rp_status run_stage(batch *b, uint32_t stage, rp_error *err);

/* Adds a point to a stage. A full stage is run at once, and its sums go to the next one. */
static rp_status put(batch *b, uint32_t stage, const uint8_t *point, rp_error *err) {
  g16_sums *s = &b->stage[stage];
  if (g16_is_infinity(point, b->curve->affine_bytes)) return RP_OK;
  const rp_status status = g16_sums_put(s, point, err);
  return status == RP_OK && s->filled == s->chunk ? run_stage(b, stage, err) : status;
}

static rp_status run_stage(batch *b, uint32_t stage, rp_error *err) {
  g16_sums *s = &b->stage[stage];
  g16_g2 room;
  if (s->filled == 0) return RP_OK;
  rp_status status = g16_sums_run(s, err);
  if (status == RP_ERR_INPUT) {
    b->outside = 1;
    status = RP_OK;
  }
  if (stage == b->grids && s->windows != 0 && status == RP_OK && !b->outside) status = test_sums(b, s, err);
  for (uint64_t i = 0; stage < b->grids && !b->outside && i < (uint64_t)s->windows * s->buckets && status == RP_OK; i++)
    status = put(b, stage + 1, g16_sums_affine(s, i, &room), err);
  g16_sums_end(s);
  return status;
}

/* Few points are tested faster one by one. */
static bool is_worth_it(const batch *b, uint64_t n) {
  return is_whole_curve(b) ? n >= CURVE_LEAST : n * TEST_COST > cost(n, choose_window(n));
}

static rp_status run_stages(batch *b, rp_error *err) {
  const uint32_t bytes = b->curve->affine_bytes;
  rp_status status = RP_OK;
  for (uint32_t a = 0; a < b->job->n_arrays; a++) {
    const g16_point_array *array = &b->job->arrays[a];
    for (uint64_t i = 0; i < array->n && status == RP_OK && !b->outside; i++)
      status = put(b, 0, array->points + i * bytes, err);
  }
  for (uint32_t stage = 0; stage <= b->grids && status == RP_OK; stage++) status = run_stage(b, stage, err);
  return status;
}

/* A device with little memory gets smaller chunks. A lack of memory may appear only when the stages run: each recording
 * fits by itself, but those of several stages are in use at once. */
static rp_status run_all(batch *b, uint64_t finite, g16_verdict *verdict, rp_error *err) {
  uint64_t most = CHUNK_BYTES / b->curve->affine_bytes;
  rp_status status = RP_ERR_BUDGET;
  if (most > G16_GRID_MOST) most = G16_GRID_MOST;
  for (most = in_equal_chunks(finite, most); status == RP_ERR_BUDGET && is_worth_it(b, most); most = (most + 1) / 2) {
    status = open_stages(b, finite, most, err);
    if (status == RP_OK) status = run_stages(b, err);
    close_stages(b);
  }
  if (status == RP_OK) *verdict = b->outside ? G16_NOT_ALL : G16_ALL_GOOD;
  return status == RP_ERR_BUDGET ? RP_OK : status;
}

static uint64_t count_finite(const batch *b) {
  const uint32_t bytes = b->curve->affine_bytes;
  uint64_t finite = 0;
  for (uint32_t a = 0; a < b->job->n_arrays; a++)
    for (uint64_t i = 0; i < b->job->arrays[a].n; i++)
      finite += !g16_is_infinity(b->job->arrays[a].points + i * bytes, bytes);
  return finite;
}

rp_status g16_subgroup_batch(const g16_subgroup_job *job, g16_verdict *verdict, rp_error *err) {
  rp_device_info info = {.struct_size = sizeof info};
  *verdict = G16_UNDECIDED;
  rp_device_get_info(job->device, &info);
  if (info.kind == RP_DEVICE_NULL)
    return support_fail(err, RP_ERR_UNSUPPORTED, "The null device computes nothing; points cannot be tested with it.");
  batch b = {.job = job, .curve = rp_curve_get(job->curve), .random = job->random ? job->random : rp_random_bytes};
  atomic_init(&b.outside, 0);
  if (is_whole_curve(&b) && !job->on_curve) {
    *verdict = G16_ALL_GOOD;
    return RP_OK;
  }
  const uint64_t finite = count_finite(&b);
  return is_worth_it(&b, finite) ? run_all(&b, finite, verdict, err) : RP_OK;
}
