/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "key_check.h"
#include "key_unread.h"

#include "formats/fail.h"
#include "threads/parallel.h"
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
  return support_fail(err, RP_ERR_FORMAT, "%s: point %" PRIu64 " of %s %s.", c->name, i, vector_name[c->v], why);
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

static rp_status over_vector(checker *c, g16_vector v, support_range_fn fn, uint64_t grain, rp_error *err) {
  const uint64_t n = g16_vector_len(c->key, v);
  c->v = v;
  c->curve = rp_curve_get(g16_vector_curve(c->key, v));
  c->points = c->key->vector[v];
  return support_parallel(NULL, support_parts(NULL, n, grain, MAX_PARTS), n, fn, c, err);
}

static bool is_finite(const rp_groth16_key *key, g16_vector v, uint64_t i) {
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
    const bool finite[G16_SUPPORTS] = {is_finite(key, G16_VEC_A, i),
                                       is_finite(key, G16_VEC_B1, i) || is_finite(key, G16_VEC_B2, i),
                                       is_finite(key, G16_VEC_C, i)};
    for (int s = 0; s < G16_SUPPORTS; s++)
      if ((key->support[s][i / WORD] >> i % WORD & 1) != (uint32_t)finite[s])
        return support_fail(err, RP_ERR_FORMAT, "%s: the support of %s is wrong at point %" PRIu64 ".", c->name,
                            support_name[s], i);
  }
  return RP_OK;
}

rp_status g16_key_check_supports(const char *name, const rp_groth16_key *key, rp_error *err) {
  support_check c = {.name = name, .key = key};
  const uint64_t n = g16_key_scalars(key);
  return support_parallel(NULL, support_parts(NULL, n, GRAIN, MAX_PARTS), n, check_supports, &c, err);
}

static bool group_of(g16_vector v) { return v == G16_VEC_B2; }

typedef struct verdicts {
  bool curves;          /* 1: every point is on its curve */
  g16_verdict group[2]; /* of all points of G1, of G2; includes the curve equation if on_curve or `curves` */
} verdicts;

/* Tests each point by itself, except those of groups that are known to be good. */
static rp_status each_on_curve(checker *c, const verdicts *known, rp_error *err) {
  rp_status status = RP_OK;
  for (int v = 0; v < G16_VECTORS && status == RP_OK && !known->curves; v++)
    if (known->group[group_of((g16_vector)v)] != G16_ALL_GOOD)
      status = over_vector(c, (g16_vector)v, check_curve, GRAIN, err);
  return status;
}

static rp_status each_in_subgroup(checker *c, const verdicts *known, rp_error *err) {
  rp_status status = RP_OK;
  for (int v = 0; v < G16_VECTORS && status == RP_OK; v++)
    if (known->group[group_of((g16_vector)v)] != G16_ALL_GOOD)
      status = over_vector(c, (g16_vector)v, check_subgroup, SLOW_GRAIN, err);
  return status;
}

/* ---- With a device ----------------------------------------------------------------------------------------------- */

/* Tests all points of each group at once. When a group is known to be bad, the rest is left undecided. */
static rp_status check_groups(const rp_groth16_key *key, rp_device *device, bool on_curve, verdicts *known,
                              rp_error *err) {
  g16_point_array arrays[2][G16_VECTORS];
  uint32_t n[2] = {0, 0};
  for (int v = 0; v < G16_VECTORS; v++) {
    const int g = group_of((g16_vector)v);
    arrays[g][n[g]++] = (g16_point_array){key->vector[v], g16_vector_len(key, (g16_vector)v)};
  }
  rp_status status = RP_OK;
  for (int g = 0; g < 2 && status == RP_OK && known->group[0] != G16_NOT_ALL; g++) {
    const g16_subgroup_job job = {.context = rp_device_context(device),
                                  .device = device,
                                  .curve = g == 0 ? key->family->g1 : key->family->g2,
                                  .n_arrays = n[g],
                                  .arrays = arrays[g],
                                  .on_curve = on_curve};
    status = g16_subgroup_batch(&job, &known->group[g], err);
  }
  return status;
}

/* While a GPU computes, the processors are free. A CPU device tests eight points at once, but gets its points from one
 * thread, which is too slow for many processors. */
static g16_curve_test choose(rp_device *device) {
  enum { MANY_PROCESSORS = 8 };
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(device, &info);
  if (info.kind == RP_DEVICE_CUDA || info.kind == RP_DEVICE_VULKAN) return G16_CURVE_BESIDE;
  return support_processors() >= MANY_PROCESSORS ? G16_CURVE_FIRST : G16_CURVE_ON_DEVICE;
}

typedef struct curves_job {
  checker checker;
  rp_status status;
  rp_error error;
} curves_job;

static void *check_curves(void *arg) {
  curves_job *job = arg;
  const verdicts nothing = {0};
  job->status = each_on_curve(&job->checker, &nothing, &job->error);
  return NULL;
}

/* A point off its curve is reported before one outside the subgroup, and before a failure of the device. */
static rp_status check_on_device(const checker *c, rp_device *device, g16_curve_test how, verdicts *known,
                                 rp_error *err) {
  curves_job curves = {.checker = *c};
  pthread_t thread;
  if (how == G16_CURVE_CHOSEN) how = choose(device);
  if (how == G16_CURVE_ON_DEVICE) return check_groups(c->key, device, 1, known, err);
  const bool beside = how == G16_CURVE_BESIDE && support_thread_start(&thread, check_curves, &curves) == 0;
  if (!beside) (void)check_curves(&curves);
  rp_status status = curves.status;
  if (beside || status == RP_OK) status = check_groups(c->key, device, 0, known, err);
  if (beside) (void)pthread_join(thread, NULL);
  known->curves = curves.status == RP_OK;
  if (known->curves) return status;
  if (err) *err = curves.error;
  return curves.status;
}

rp_status g16_key_check_points(rp_groth16_key *key, rp_device *device, g16_curve_test curve_test, rp_error *err) {
  checker c = {.name = g16_key_name(key), .key = key};
  verdicts known = {0};
  rp_status status = g16_key_check_blinding(c.name, key, err);
  if (status == RP_OK) status = g16_key_check_reduced(c.name, key, err);
  if (status == RP_OK && device) status = check_on_device(&c, device, curve_test, &known, err);
  if (status == RP_OK) status = each_on_curve(&c, &known, err);
  if (status == RP_OK) status = g16_key_check_supports(c.name, key, err);
  if (status == RP_OK) status = each_in_subgroup(&c, &known, err);
  if (status == RP_OK && (known.group[0] == G16_NOT_ALL || known.group[1] == G16_NOT_ALL))
    status = support_fail(err, RP_ERR_INTERNAL, "%s: the device reports a bad point, but each point is valid.", c.name);
  if (status == RP_OK) atomic_store(&key->points_checked, 1);
  return status;
}

/* The arithmetic of the checks needs aligned points. */
static rp_status refuse_in_place(const rp_groth16_key *key, rp_error *err) {
  for (int v = 0; v < G16_VECTORS; v++)
    if (key->mapped[v].memory)
      return support_fail(err, RP_ERR_UNSUPPORTED,
                          "%s was opened with points_in_place: open it without, to check its points.",
                          support_label(g16_key_name(key)));
  return RP_OK;
}

rp_status rp_groth16_key_check_points(rp_groth16_key *key, rp_device *device, rp_error *err) {
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_check_points: key is NULL.");
  rp_status status = device ? rp_context_check(rp_device_context(device), err) : RP_OK;
  if (status == RP_OK) status = g16_unread_refuse(key, "check them", err);
  if (status == RP_OK) status = refuse_in_place(key, err);
  return status != RP_OK ? status : g16_key_check_points(key, device, G16_CURVE_CHOSEN, err);
}
