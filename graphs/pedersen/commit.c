/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One commitment at a time: a recording for each width and route, made when it is first needed.
 */
#include "points.h"

#include "job.h"

#include <pthread.h>
#include <string.h>

enum { LOG_WIDTHS = 11, LINEAR = 0, TREE = 1, ROUTES = 2 };

typedef struct route {
  rp_graph *graph;
  rp_value values, points, sum;
  rp_recording *recording;
} route;

struct rp_pedersen {
  rp_device *device;
  rp_pedersen_options options;
  pthread_mutex_t lock;
  route routes[LOG_WIDTHS][ROUTES];
  uint32_t n; /* number of decoded generators */
  uint8_t encoded[RP_PEDERSEN_WIDTH_MAX * RP_PEDERSEN_BYTES];
  uint64_t affine[RP_PEDERSEN_WIDTH_MAX * PEDERSEN_AFFINE / 8];
};

rp_status rp_pedersen_create(rp_device *device, const rp_pedersen_options *options, rp_pedersen **pedersen,
                             rp_error *err) {
  rp_pedersen_options read = {0};
  if (!pedersen) return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_create: pedersen is NULL.");
  *pedersen = NULL;
  if (!device) return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_create: device is NULL.");
  const rp_status status = graphs_options(&read, sizeof read, options, "Options of commitments", err);
  if (status != RP_OK) return status;
  rp_pedersen *p = rp_context_alloc(rp_device_context(device), sizeof *p);
  if (!p) return support_fail(err, RP_ERR_MEMORY, "Out of memory for commitments.");
  if (pthread_mutex_init(&p->lock, NULL)) {
    rp_context_free(p);
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for commitments.");
  }
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(device, &info);
  rp_device_retain(device); /* recordings are made when a width is first used */
  p->device = device;
  p->options = read;
  if (!p->options.crossover) p->options.crossover = rp_pedersen_crossover(info.kind);
  *pedersen = p;
  return RP_OK;
}

void rp_pedersen_destroy(rp_pedersen *pedersen) {
  if (!pedersen) return;
  for (int i = 0; i < LOG_WIDTHS * ROUTES; i++) {
    route *r = &pedersen->routes[i / ROUTES][i % ROUTES];
    rp_recording_destroy(r->recording);
    rp_graph_destroy(r->graph);
  }
  pthread_mutex_destroy(&pedersen->lock); /* may fail in a forked child, where the lock may be held */
  rp_device_release(pedersen->device);
  rp_context_free(pedersen);
}

/* Values are marked as secret, since those of rp_pedersen_commit_blinded are also handled here. */
static rp_status record(rp_pedersen *p, uint32_t width, int kind, route *r, rp_error *err) {
  rp_status status =
      rp_graph_create(rp_device_context(p->device), kind == TREE ? "pedersen_tree" : "pedersen_linear", &r->graph, err);
  if (status != RP_OK) return status;
  r->values = rp_graph_input(r->graph, "values", &RP_TYPE_U256, width, RP_SECRET);
  r->points = rp_graph_input(r->graph, "generators", rp_type_affine(RP_CURVE_BANDERWAGON), width, 0);
  r->sum = kind == TREE ? pedersen_tree(r->graph, rp_scalar_mul(r->graph, r->values, r->points), width, 0)
                        : rp_to_affine(r->graph, rp_msm(r->graph, r->values, r->points, NULL));
  rp_graph_output(r->graph, "commitment", r->sum, 0);
  status = graphs_built(r->graph, err);
  const rp_record_options options = {.struct_size = sizeof options, .flags = p->options.flags};
  if (status == RP_OK) status = rp_record(p->device, r->graph, &options, &r->recording, err);
  if (status != RP_OK) {
    rp_graph_destroy(r->graph);
    *r = (route){0};
  }
  return status;
}

static rp_status decode(rp_pedersen *p, uint32_t width, const void *generators, rp_error *err) {
  const size_t bytes = (size_t)width * RP_PEDERSEN_BYTES;
  if (width <= p->n && !memcmp(p->encoded, generators, bytes)) return RP_OK;
  p->n = 0;
  const rp_status status = pedersen_decode(generators, width, p->options.trusted_generators != 0, p->affine, err);
  if (status != RP_OK) return status;
  memcpy(p->encoded, generators, bytes);
  p->n = width;
  return RP_OK;
}

typedef struct commit_job {
  rp_pedersen *p;
  const route *r;
  uint32_t width;
  const void *values;
  uint64_t *affine;
} commit_job;

static rp_status give(void *user, rp_run *run) {
  const commit_job *c = user;
  const rp_status status = rp_run_set_input(run, c->r->values, c->values, (uint64_t)c->width * RP_PEDERSEN_BYTES);
  if (status != RP_OK) return status;
  return rp_run_set_input(run, c->r->points, c->p->affine, (uint64_t)c->width * PEDERSEN_AFFINE);
}

static void take(void *user, rp_run *run) {
  const commit_job *c = user;
  memcpy(c->affine, rp_run_output(run, c->r->sum), PEDERSEN_AFFINE);
}

static route *route_of(rp_pedersen *p, uint32_t width) {
  uint32_t log_width = 0;
  while (width >> (log_width + 1)) log_width++;
  return &p->routes[log_width][width >= p->options.crossover ? TREE : LINEAR];
}

rp_recording *rp_pedersen_recording(rp_pedersen *p, uint32_t width) {
  if (!p || pedersen_check_width(width, NULL) != RP_OK) return NULL;
  if (rp_context_check(rp_device_context(p->device), NULL) != RP_OK) return NULL;
  pthread_mutex_lock(&p->lock);
  rp_recording *recording = route_of(p, width)->recording;
  pthread_mutex_unlock(&p->lock);
  return recording;
}

static rp_status commit_locked(commit_job *c, const void *generators, rp_error *err) {
  route *r = route_of(c->p, c->width);
  rp_status status = decode(c->p, c->width, generators, err);
  if (status == RP_OK && !r->recording)
    status = record(c->p, c->width, c->width >= c->p->options.crossover ? TREE : LINEAR, r, err);
  c->r = r;
  return status == RP_OK ? graphs_run(r->recording, &(graphs_job){give, take, c}, NULL, err) : status;
}

static rp_status commit(rp_pedersen *p, uint32_t width, const void *values, const void *generators, uint64_t *affine,
                        rp_error *err) {
  commit_job c = {.p = p, .width = width, .values = values, .affine = affine};
  rp_status status =
      rp_context_check(rp_device_context(p->device), err); /* before the lock, which may be held for ever */
  if (status != RP_OK) return status;
  pthread_mutex_lock(&p->lock);
  status = commit_locked(&c, generators, err);
  pthread_mutex_unlock(&p->lock);
  return status;
}

static rp_status check(const rp_pedersen *p, uint32_t width, const void *values, const void *generators,
                       const void *out, rp_error *err) {
  if (!p || !values || !generators || !out)
    return support_fail(err, RP_ERR_ARGUMENT, "A commitment: device, values, generators and room are needed.");
  const rp_status status = pedersen_check_width(width, err);
  return status == RP_OK ? pedersen_check_values(RP_CURVE_BANDERWAGON, values, width, err) : status;
}

rp_status rp_pedersen_commit_tree(rp_pedersen *p, uint32_t width, const void *values, const void *generators, void *out,
                                  rp_error *err) {
  uint64_t point[PEDERSEN_AFFINE / 8];
  rp_status status = check(p, width, values, generators, out, err);
  if (status == RP_OK) status = commit(p, width, values, generators, point, err);
  return status == RP_OK ? rp_point_compress(RP_CURVE_BANDERWAGON, point, out) : status;
}

rp_status rp_pedersen_commit_tree_w256(rp_pedersen *p, const void *values, const void *generators, void *out,
                                       rp_error *err) {
  return rp_pedersen_commit_tree(p, 256, values, generators, out, err);
}

/* ---- Blinded ----------------------------------------------------------------------------------------------------- */

static rp_status random_scalar(const rp_pedersen *p, uint64_t r[4]) {
  const rp_field_host *f = rp_field_get(RP_FIELD_BANDERSNATCH_FR);
  uint64_t canonical[4];
  rp_status status;
  do {
    status = p->options.random ? p->options.random(p->options.random_user, canonical)
                               : rp_random_canonical(RP_FIELD_BANDERSNATCH_FR, canonical);
    if (status == RP_OK && !f->from_canonical(r, canonical)) status = RP_ERR_INPUT;
  } while (status == RP_OK && f->is_zero(r));
  rp_wipe(canonical, sizeof canonical);
  return status;
}

/* blinded = r * values; r := 1 / r, canonical. */
static void blind(const void *values, uint32_t width, uint64_t r[4], uint8_t *blinded) {
  const rp_field_host *f = rp_field_get(RP_FIELD_BANDERSNATCH_FR);
  uint64_t x[4];
  for (uint32_t i = 0; i < width; i++) {
    f->from_canonical(x, (const uint8_t *)values + (size_t)i * RP_PEDERSEN_BYTES);
    f->mul(x, x, r);
    f->to_canonical(blinded + (size_t)i * RP_PEDERSEN_BYTES, x);
  }
  f->inv_ct(r, r);
  f->to_canonical(r, r);
  rp_wipe(x, sizeof x);
}

rp_status rp_pedersen_commit_blinded(rp_pedersen *p, uint32_t width, const void *values, const void *generators,
                                     void *out, rp_error *err) {
  const rp_curve_host *c = rp_curve_get(RP_CURVE_BANDERWAGON);
  uint64_t r[4], point[PEDERSEN_AFFINE / 8];
  rp_status status = check(p, width, values, generators, out, err);
  if (status != RP_OK) return status;
  uint8_t *blinded = rp_secret_alloc((size_t)width * RP_PEDERSEN_BYTES);
  if (!blinded) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a blinded commitment.");
  status = random_scalar(p, r);
  if (status == RP_OK) {
    blind(values, width, r, blinded);
    status = commit(p, width, blinded, generators, point, err);
  } else {
    (void)support_fail(err, status, "The operating system gives no randomness to blind a commitment.");
  }
  if (status == RP_OK) {
    c->mul_ct(point, point, (const uint8_t *)r);
    status = rp_point_compress(RP_CURVE_BANDERWAGON, point, out);
  }
  rp_wipe(r, sizeof r);
  rp_secret_free(blinded, (size_t)width * RP_PEDERSEN_BYTES);
  return status;
}
