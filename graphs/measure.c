/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "measure.h"

#include "job.h"
#include "threads/parallel.h"

#include <reprise/ops.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum {
  LOG_SMALL = 10, /* of the product whose time shows what does not depend on the number of points */
  LOG_LEAST = 12, /* different points; larger products have each of them several times */
  LOG_MOST = 18,
  LOG_STEP = 2,
  SCALAR_BYTES = 32,
  RUNS = 3,                /* the fastest counts */
  ENOUGH_NS = 2000000,     /* a product that takes this long keeps the device busy */
  LOG_TRANSFORM = 14,      /* or, */
  LOG_LONG_TRANSFORM = 18, /* where those are short, */
  SHORT_NS = 100000,
  TRANSFORMS = 8, /* in a row */
  LOG_LINK = 18   /* elements of 32 bytes that are copied */
};

static const rp_curve the_curve = RP_CURVE_BN254_G1;
static const rp_field the_field = RP_FIELD_BN254_FR;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t rate_of(uint64_t amount, uint64_t ns, uint64_t unit_ns) {
  const double rate = (double)amount / (double)(ns ? ns : 1) * (double)unit_ns;
  return rate < 1 ? 1 : rate < (double)UINT32_MAX ? (uint32_t)rate : UINT32_MAX;
}

/* ---- A recording that is timed ----------------------------------------------------------------------------------- */

typedef struct sample {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in;
  const uint8_t *data;
  uint64_t bytes;
} sample;

static rp_status set_input(void *user, rp_run *run) {
  const sample *s = user;
  return rp_run_set_input(run, s->in, s->data, s->bytes);
}

static rp_status run(sample *s, rp_error *err) {
  return graphs_run(s->recording, &(graphs_job){.set = set_input, .user = s}, NULL, err);
}

static rp_status record(sample *s, rp_device *device, rp_error *err) {
  const rp_status status = graphs_built(s->graph, err);
  return status == RP_OK ? rp_record(device, s->graph, NULL, &s->recording, err) : status;
}

static void close_sample(sample *s) {
  rp_recording_destroy(s->recording);
  rp_graph_destroy(s->graph);
}

static rp_status time_best(sample *s, uint64_t *best_ns, rp_error *err) {
  rp_status status = RP_OK;
  *best_ns = UINT64_MAX;
  for (int i = 0; i <= RUNS && status == RP_OK; i++) {
    const uint64_t begin = now_ns();
    status = run(s, err);
    const uint64_t took = now_ns() - begin;
    if (i && took < *best_ns) *best_ns = took ? took : 1;
  }
  return status;
}

/* ---- Products ---------------------------------------------------------------------------------------------------- */

struct graphs_samples {
  rp_context *context;
  uint8_t *points, *scalars;
};

/* G, 2 G, 3 G, and so on. */
static void fill_points(const rp_curve_host *curve, uint8_t *points, uint64_t n) {
  const uint64_t different = 1 << LOG_LEAST;
  curve->generator(points);
  for (uint64_t i = 1; i < different; i++)
    curve->add(points + i * curve->affine_bytes, points + (i - 1) * curve->affine_bytes, points);
  for (uint64_t i = different; i < n; i += different)
    memcpy(points + i * curve->affine_bytes, points, different * curve->affine_bytes);
}

/* Scalars of 252 bits, which are below the order. */
static void fill_scalars(uint8_t *scalars, uint64_t n) {
  uint64_t x = 0x9e3779b97f4a7c15u;
  for (uint64_t i = 0; i < n * SCALAR_BYTES; i += sizeof x) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17; /* xorshift: Marsaglia 2003 */
    const uint64_t word = i % SCALAR_BYTES == SCALAR_BYTES - sizeof x ? x >> 4 : x;
    memcpy(scalars + i, &word, sizeof word);
  }
}

rp_status graphs_samples_open(rp_context *context, graphs_samples **samples, rp_error *err) {
  const rp_curve_host *curve = rp_curve_get(the_curve);
  const uint64_t n = (uint64_t)1 << LOG_MOST;
  graphs_samples *s = rp_context_alloc(context, sizeof *s + n * (curve->affine_bytes + SCALAR_BYTES));
  *samples = s;
  if (!s) return support_fail(err, RP_ERR_MEMORY, "Out of memory for measuring the devices of a group.");
  *s = (graphs_samples){.context = context, .points = (uint8_t *)(s + 1)};
  s->scalars = s->points + n * curve->affine_bytes;
  fill_points(curve, s->points, n);
  fill_scalars(s->scalars, n);
  return RP_OK;
}

void graphs_samples_close(graphs_samples *s) { rp_context_free(s); }

static rp_status open_product(sample *p, rp_device *device, const graphs_samples *s, uint32_t log_n, rp_error *err) {
  const uint64_t n = (uint64_t)1 << log_n;
  *p = (sample){.data = s->scalars, .bytes = n * SCALAR_BYTES};
  const rp_status status = rp_graph_create(s->context, "speed", &p->graph, err);
  if (status != RP_OK) return status;
  const rp_value bases = rp_graph_constant(p->graph, "points", rp_type_affine(the_curve), n, s->points, RP_BORROW);
  p->in = rp_graph_input(p->graph, "scalars", &RP_TYPE_U256, n, 0);
  rp_graph_output(p->graph, "sum", rp_msm(p->graph, p->in, bases, NULL), 0);
  return record(p, device, err);
}

static rp_status time_product(rp_device *device, const graphs_samples *s, uint32_t log_n, uint64_t *ns, rp_error *err) {
  sample p;
  rp_status status = open_product(&p, device, s, log_n, err);
  if (status == RP_OK) status = time_best(&p, ns, err);
  close_sample(&p);
  return status;
}

rp_status graphs_measure_products(rp_device *device, const graphs_samples *s, graphs_product_times *times,
                                  rp_error *err) {
  uint64_t small_ns = 0, ns = 0;
  rp_status status = time_product(device, s, LOG_SMALL, &small_ns, err);
  for (uint32_t log_n = LOG_LEAST; log_n <= LOG_MOST && ns < ENOUGH_NS && status == RP_OK; log_n += LOG_STEP) {
    status = time_product(device, s, log_n, &ns, err);
    times->log_n = log_n;
  }
  if (status != RP_OK) return status;
  const uint64_t n = (uint64_t)1 << times->log_n, more = n - ((uint64_t)1 << LOG_SMALL);
  const uint64_t more_ns = ns > small_ns ? ns - small_ns : 1, points_ns = more_ns * ((uint64_t)1 << LOG_SMALL) / more;
  times->speed = rate_of(n, ns, 1000000);
  times->rate = rate_of(more, more_ns, 1000000);
  times->fixed_us = small_ns > points_ns + 1000 ? (uint32_t)((small_ns - points_ns) / 1000) : 1;
  return RP_OK;
}

/* ---- Products of all devices at once ----------------------------------------------------------------------------- */

typedef struct racer {
  sample product;
  uint64_t points, ns;
  atomic_uint *unfinished; /* racers that have not made RUNS products */
  rp_status status;
  rp_error error;
  pthread_t thread;
  bool runs;
} racer;

/* Goes on until all others have made their products too, so that each is measured beside all. */
static void *race(void *arg) {
  racer *r = arg;
  const uint64_t n = r->product.bytes / SCALAR_BYTES, begin = now_ns();
  int done = 0;
  do {
    r->status = run(&r->product, &r->error);
    r->points += n;
    if (++done == RUNS || (r->status != RP_OK && done < RUNS)) atomic_fetch_sub(r->unfinished, 1);
  } while (r->status == RP_OK && atomic_load(r->unfinished));
  r->ns = now_ns() - begin;
  return NULL;
}

static rp_status race_all(racer *racers, uint32_t n, atomic_uint *unfinished, double *together, rp_error *err) {
  rp_status status = RP_OK;
  atomic_store(unfinished, n);
  for (uint32_t i = 0; i < n; i++) {
    racers[i].unfinished = unfinished;
    racers[i].runs = status == RP_OK && support_thread_start(&racers[i].thread, race, &racers[i]) == 0;
    if (racers[i].runs) continue;
    atomic_fetch_sub(unfinished, 1);
    status = support_fail(err, RP_ERR_MEMORY, "No thread could be started for measuring the devices of a group.");
  }
  *together = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!racers[i].runs) continue;
    pthread_join(racers[i].thread, NULL);
    *together += (double)racers[i].points * 1e6 / (double)(racers[i].ns ? racers[i].ns : 1);
    if (status != RP_OK || racers[i].status == RP_OK) continue;
    status = racers[i].status;
    if (err) *err = racers[i].error;
  }
  return status;
}

rp_status graphs_measure_together(rp_device *group, const graphs_samples *s, const uint32_t log_n[], uint32_t *together,
                                  rp_error *err) {
  racer racers[RP_GROUP_MOST] = {{.points = 0}};
  atomic_uint unfinished;
  double speed = 0;
  const uint32_t n = rp_group_size(group);
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n && status == RP_OK; i++) {
    status = open_product(&racers[i].product, rp_group_device(group, i), s, log_n[i], err);
    if (status == RP_OK) status = run(&racers[i].product, err);
  }
  if (status == RP_OK) status = race_all(racers, n, &unfinished, &speed, err);
  for (uint32_t i = 0; i < n; i++) close_sample(&racers[i].product);
  *together = speed < 1 ? 1 : speed < (double)UINT32_MAX ? (uint32_t)speed : UINT32_MAX;
  return status;
}

/* ---- Transforms and links ---------------------------------------------------------------------------------------- */

/* The powers of an input, which is one element, so that no long upload is timed. */
static rp_status begin_powers(sample *s, rp_context *context, uint32_t device, uint32_t log_n, rp_value *powers,
                              rp_error *err) {
  static const uint8_t element[SCALAR_BYTES] = {2, 3, 5, 7};
  *s = (sample){.data = element, .bytes = SCALAR_BYTES};
  const rp_status status = rp_graph_create(context, "rate", &s->graph, err);
  if (status != RP_OK) return status;
  (void)rp_on(s->graph, device);
  s->in = rp_graph_input(s->graph, "element", rp_type_field(the_field), 1, 0);
  *powers = rp_powers(s->graph, s->in, RP_NO_VALUE, (uint64_t)1 << log_n);
  return RP_OK;
}

/* The time of a graph with one result, of which one element is downloaded. */
static rp_status finish(sample *s, rp_value result, rp_device *device, uint64_t *ns, rp_error *err) {
  rp_graph_output(s->graph, "first", rp_slice(s->graph, result, 0, 1), 0);
  rp_status status = record(s, device, err);
  if (status == RP_OK) status = time_best(s, ns, err);
  close_sample(s);
  return status;
}

static rp_status time_row(rp_device *device, uint32_t log_n, uint32_t n, uint64_t *ns, rp_error *err) {
  const rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS};
  sample s;
  rp_value x = RP_NO_VALUE;
  const rp_status status = begin_powers(&s, rp_device_context(device), 0, log_n, &x, err);
  if (status != RP_OK) return status;
  for (uint32_t i = 0; i < n; i++) x = rp_ntt(s.graph, x, &o);
  return finish(&s, x, device, ns, err);
}

/* The time of TRANSFORMS of them, without what comes before and behind. */
static rp_status time_transforms(rp_device *device, uint32_t log_n, uint64_t *ns, rp_error *err) {
  uint64_t one_ns = 0, all_ns = 0;
  rp_status status = time_row(device, log_n, 1, &one_ns, err);
  if (status == RP_OK) status = time_row(device, log_n, 1 + TRANSFORMS, &all_ns, err);
  *ns = all_ns > one_ns ? all_ns - one_ns : 1;
  return status;
}

rp_status graphs_measure_transforms(rp_device *device, uint32_t *rate, rp_error *err) {
  uint32_t log_n = LOG_TRANSFORM;
  uint64_t ns = 0;
  rp_status status = time_transforms(device, log_n, &ns, err);
  if (status == RP_OK && ns < (uint64_t)SHORT_NS * TRANSFORMS)
    status = time_transforms(device, log_n = LOG_LONG_TRANSFORM, &ns, err);
  if (status == RP_OK) *rate = rate_of((uint64_t)TRANSFORMS * log_n << (log_n - 1), ns, 1000);
  return status;
}

/* One graph, recorded for the group, and for one of its devices alone, on which nothing is copied. */
rp_status graphs_measure_link(rp_device *group, uint32_t from, uint32_t to, uint32_t *rate, rp_error *err) {
  rp_device *const on[2] = {group, rp_group_device(group, to)};
  uint64_t ns[2] = {0};
  rp_status status = RP_OK;
  for (int i = 0; i < 2 && status == RP_OK; i++) {
    sample s;
    rp_value x = RP_NO_VALUE;
    status = begin_powers(&s, rp_device_context(group), from, LOG_LINK, &x, err);
    if (status != RP_OK) return status;
    x = rp_copy_to(s.graph, x, to);
    (void)rp_on(s.graph, to);
    status = finish(&s, rp_neg(s.graph, x), on[i], &ns[i], err);
  }
  if (status == RP_OK)
    *rate = ns[0] > ns[1] + 1000 ? rate_of((uint64_t)SCALAR_BYTES << LOG_LINK, ns[0] - ns[1], 1000) : UINT32_MAX;
  return status;
}
