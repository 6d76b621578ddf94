/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "key_check.h"

#include "formats/fail.h"
#include "formats/parallel.h"
#include "prerecorded_check.h"
#include "subgroup_batch.h"

#include <inttypes.h>

enum { GRAIN = 1024, SLOW_GRAIN = 16, MAX_PARTS = 256, WORD = 32 };

typedef struct checker {
  const char *name;
  const rp_groth16_key *key;
  g16_vector v;
  const rp_curve_host *curve;
  const uint8_t *points;
} checker;

static const char *const vector_name[G16_VECTORS] = {"A", "B1", "B2", "C", "H"};

static rp_status refuse(const checker *c, uint64_t i, const char *why, rp_error *err) {
  return graphs_fail(err, RP_ERR_FORMAT, "%s: point %" PRIu64 " of %s %s.", c->name, i, vector_name[c->v], why);
}

static rp_status check_curve(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const checker *c = arg;
  (void)part;
  for (uint64_t i = first; i < first + n; i++)
    if (!c->curve->on_curve(c->points + i * c->curve->affine_bytes)) return refuse(c, i, "is not on the curve", err);
  return RP_OK;
}

static rp_status check_subgroup(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const checker *c = arg;
  (void)part;
  for (uint64_t i = first; i < first + n; i++)
    if (!c->curve->in_subgroup(c->points + i * c->curve->affine_bytes))
      return refuse(c, i, "is not in the subgroup", err);
  return RP_OK;
}

static rp_status over_vector(checker *c, g16_vector v, g16_range_fn fn, uint64_t grain, rp_error *err) {
  const uint64_t n = g16_vector_len(c->key, v);
  c->v = v;
  c->curve = rp_curve_get(g16_vector_curve(c->key, v));
  c->points = c->key->vector[v];
  return g16_parallel(NULL, g16_parts(NULL, n, grain, MAX_PARTS), n, fn, c, err);
}

static int is_finite(const rp_groth16_key *key, g16_vector v, uint64_t i) {
  const uint32_t bytes = g16_vector_point_bytes(key, v);
  return !g16_is_infinity(key->vector[v] + i * bytes, bytes);
}

typedef struct support_check {
  const char *name;
  const rp_groth16_key *key;
} support_check;

static rp_status check_supports(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  static const char *const support_name[G16_SUPPORTS] = {"A", "B", "C"};
  const support_check *c = arg;
  const rp_groth16_key *key = c->key;
  (void)part;
  for (uint64_t i = first; i < first + n; i++) {
    const int finite[G16_SUPPORTS] = {is_finite(key, G16_VEC_A, i),
                                      is_finite(key, G16_VEC_B1, i) || is_finite(key, G16_VEC_B2, i),
                                      is_finite(key, G16_VEC_C, i)};
    for (int s = 0; s < G16_SUPPORTS; s++)
      if ((key->support[s][i / WORD] >> i % WORD & 1) != (uint32_t)finite[s])
        return graphs_fail(err, RP_ERR_FORMAT, "%s: the support of %s is wrong at point %" PRIu64 ".", c->name,
                           support_name[s], i);
  }
  return RP_OK;
}

rp_status g16_key_check_supports(const char *name, const rp_groth16_key *key, rp_error *err) {
  support_check c = {.name = name, .key = key};
  const uint64_t n = g16_key_scalars(key);
  return g16_parallel(NULL, g16_parts(NULL, n, GRAIN, MAX_PARTS), n, check_supports, &c, err);
}

/* All of a group at once: *good tells whether every point is on its curve and in its subgroup. */
static rp_status check_groups(const rp_groth16_key *key, rp_device *device, int *good, rp_error *err) {
  g16_point_array arrays[2][G16_VECTORS];
  uint32_t n[2] = {0, 0};
  *good = 1;
  for (int v = 0; v < G16_VECTORS; v++) {
    const int g2 = v == G16_VEC_B2;
    arrays[g2][n[g2]++] = (g16_point_array){key->vector[v], g16_vector_len(key, (g16_vector)v)};
  }
  rp_status status = RP_OK;
  for (int g = 0; g < 2 && status == RP_OK && *good; g++) {
    const g16_subgroup_job job = {.context = rp_device_context(device),
                                  .device = device,
                                  .curve = g == 0 ? key->family->g1 : key->family->g2,
                                  .n_arrays = n[g],
                                  .arrays = arrays[g]};
    status = g16_subgroup_batch(&job, good, err);
  }
  return status;
}

rp_status g16_key_check_points(rp_groth16_key *key, rp_device *device, rp_error *err) {
  checker c = {.name = g16_key_name(key), .key = key};
  int good = 0; /* as the device says; else the exact tests say which point is wrong */
  rp_status status = g16_key_check_blinding(c.name, key, err);
  if (status == RP_OK) status = g16_key_check_reduced(c.name, key, err);
  if (status == RP_OK && device) status = check_groups(key, device, &good, err);
  for (int v = 0; v < G16_VECTORS && status == RP_OK && !good; v++)
    status = over_vector(&c, (g16_vector)v, check_curve, GRAIN, err);
  if (status == RP_OK) status = g16_key_check_supports(c.name, key, err);
  for (int v = 0; v < G16_VECTORS && status == RP_OK && !good; v++)
    status = over_vector(&c, (g16_vector)v, check_subgroup, SLOW_GRAIN, err);
  if (status == RP_OK && device && !good)
    status = graphs_fail(err, RP_ERR_INTERNAL, "%s: the device finds fault with its points, but each point is good.",
                         c.name);
  if (status == RP_OK) atomic_store(&key->points_checked, 1);
  return status;
}
