/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shares of the devices of a group by their speeds, which are measured where they are unknown.
 */
#include "range.h"

#include "job.h"

#include <reprise/ops.h>

#include <stdbool.h>
#include <string.h>
#include <time.h>

enum {
  LOG_LEAST = 12, /* different points; larger products have each of them several times */
  LOG_MOST = 18,
  LOG_STEP = 2,
  SCALAR_BYTES = 32,
  RUNS = 3,             /* the fastest counts */
  ENOUGH_NS = 2000000,  /* a product that takes this long keeps the device busy */
  MOST_SHARES = 1 << 20 /* of one device, so that the sum stays below 2^24 */
};

static const rp_curve the_curve = RP_CURVE_BN254_G1;

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

typedef struct product {
  rp_graph *graph;
  rp_recording *recording;
  rp_value scalars;
  const uint8_t *elements;
  uint64_t n;
} product;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

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

static rp_status set_scalars(void *user, rp_run *run) {
  const product *p = user;
  return rp_run_set_input(run, p->scalars, p->elements, p->n * SCALAR_BYTES);
}

static rp_status record(product *p, rp_device *device, const uint8_t *points, rp_error *err) {
  rp_status status = rp_graph_create(rp_device_context(device), "speed", &p->graph, err);
  if (status != RP_OK) return status;
  const rp_value bases = rp_graph_constant(p->graph, "points", rp_type_affine(the_curve), p->n, points, RP_BORROW);
  p->scalars = rp_graph_input(p->graph, "scalars", &RP_TYPE_U256, p->n, 0);
  rp_graph_output(p->graph, "sum", rp_msm(p->graph, p->scalars, bases, NULL), 0);
  status = graphs_built(p->graph, err);
  return status == RP_OK ? rp_record(device, p->graph, NULL, &p->recording, err) : status;
}

/* The time of the fastest of several products of n points, after one that warms up. */
static rp_status time_product(rp_device *device, const uint8_t *points, const uint8_t *scalars, uint64_t n,
                              uint64_t *best_ns, rp_error *err) {
  product p = {.elements = scalars, .n = n};
  rp_status status = record(&p, device, points, err);
  *best_ns = UINT64_MAX;
  for (int i = 0; i <= RUNS && status == RP_OK; i++) {
    const uint64_t begin = now_ns();
    status = graphs_run(p.recording, &(graphs_job){.set = set_scalars, .user = &p}, NULL, err);
    const uint64_t took = now_ns() - begin;
    if (i && took < *best_ns) *best_ns = took ? took : 1;
  }
  rp_recording_destroy(p.recording);
  rp_graph_destroy(p.graph);
  return status;
}

static rp_status measure(rp_device *device, const uint8_t *points, const uint8_t *scalars, rp_error *err) {
  rp_status status = RP_OK;
  uint64_t ns = 0, speed = 0;
  for (uint32_t log_n = LOG_LEAST; log_n <= LOG_MOST && ns < ENOUGH_NS && status == RP_OK; log_n += LOG_STEP) {
    status = time_product(device, points, scalars, (uint64_t)1 << log_n, &ns, err);
    speed = ((uint64_t)1000000 << log_n) / ns;
  }
  if (status == RP_OK) rp_device_set_speed(device, speed ? (uint32_t)speed : 1);
  return status;
}

static rp_status measure_unknown(rp_device *group, rp_error *err) {
  const rp_curve_host *curve = rp_curve_get(the_curve);
  const uint64_t n = (uint64_t)1 << LOG_MOST;
  uint8_t *points = rp_context_alloc(rp_device_context(group), n * (curve->affine_bytes + SCALAR_BYTES));
  if (!points) return support_fail(err, RP_ERR_MEMORY, "Out of memory for measuring the devices of a group.");
  uint8_t *scalars = points + n * curve->affine_bytes;
  rp_status status = RP_OK;
  fill_points(curve, points, n);
  fill_scalars(scalars, n);
  for (uint32_t i = 0; i < rp_group_size(group) && status == RP_OK; i++)
    if (!rp_device_speed(rp_group_device(group, i))) status = measure(rp_group_device(group, i), points, scalars, err);
  rp_context_free(points);
  return status;
}

/* ---- Shares ------------------------------------------------------------------------------------------------------ */

static bool are_alike(rp_device *group) {
  rp_device_info first = {.struct_size = sizeof first};
  rp_device_get_info(rp_group_device(group, 0), &first);
  for (uint32_t i = 1; i < rp_group_size(group); i++) {
    rp_device_info other = {.struct_size = sizeof other};
    rp_device_get_info(rp_group_device(group, i), &other);
    if (other.kind != first.kind || other.limits.workers != first.limits.workers ||
        strcmp(other.name, first.name) != 0 || strcmp(other.driver, first.driver) != 0)
      return 0;
  }
  return 1;
}

rp_status graphs_shares_of(rp_device *device, graphs_shares *shares, rp_error *err) {
  uint32_t most = 1, known = 0;
  *shares = (graphs_shares){.n = rp_group_size(device)};
  for (uint32_t i = 0; i < shares->n; i++) known += rp_device_speed(rp_group_device(device, i)) != 0;
  const bool equal = !known && are_alike(device);
  const rp_status status = equal || known == shares->n ? RP_OK : measure_unknown(device, err);
  if (status != RP_OK) return status;
  for (uint32_t i = 0; i < shares->n; i++) {
    const uint32_t speed = rp_device_speed(rp_group_device(device, i));
    shares->of[i] = equal || !speed ? 1 : speed;
    if (shares->of[i] > most) most = shares->of[i];
  }
  for (uint32_t i = 0; i < shares->n; i++) { /* in proportion, the largest becoming MOST_SHARES */
    const uint32_t share = (uint32_t)((uint64_t)shares->of[i] * MOST_SHARES / most);
    shares->of[i] = share ? share : 1;
  }
  return RP_OK;
}
