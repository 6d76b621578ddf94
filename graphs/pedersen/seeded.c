/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Commitments over BN254 G1 with generators that are hashed from a seed, blinded by a multiple of one more generator.
 */
#include "points.h"

#include "hash_to_g1.h"
#include "job.h"

#include <inttypes.h>
#include <string.h>

enum { SEED_BYTES = 32 };
static const char tag[] = "PEDERSEN_SEEDED_GEN_V1";

struct rp_pedersen_seeded {
  uint32_t width;
  rp_graph *graph;
  rp_value values, blinding, sum;
  rp_recording *recording;
};

rp_status rp_pedersen_seeded_generators(const uint8_t seed[32], uint64_t first, uint32_t n, void *affine,
                                        rp_error *err) {
  uint8_t text[SEED_BYTES + 8];
  if (!seed || (n && !affine))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_seeded_generators: a seed and room are needed.");
  if (n > 1 && first > UINT64_MAX - (n - 1))
    return support_fail(err, RP_ERR_ARGUMENT,
                        "rp_pedersen_seeded_generators: points have 64-bit numbers, and there are only %" PRIu64
                        " of them from number %" PRIu64 " on, not %" PRIu32 ".",
                        UINT64_MAX - first + 1, first, n);
  memcpy(text, seed, SEED_BYTES);
  for (uint64_t i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++) text[SEED_BYTES + k] = (uint8_t)((first + i) >> 8 * k);
    pedersen_hash_to_g1(text, sizeof text, tag, (uint8_t *)affine + i * PEDERSEN_AFFINE);
  }
  return RP_OK;
}

static rp_status build(rp_device *device, const void *points, rp_pedersen_seeded *s, rp_error *err) {
  const rp_status status = rp_graph_create(rp_device_context(device), "pedersen_seeded", &s->graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = s->graph;
  s->values = rp_graph_input(g, "values", &RP_TYPE_U256, s->width, RP_SECRET);
  s->blinding = rp_graph_input(g, "blinding", &RP_TYPE_U256, 1, RP_SECRET);
  const rp_value scalars = rp_concat(g, (rp_value[]){s->values, s->blinding}, 2);
  const rp_fixed_base tables = rp_fixed_base_table(
      g, rp_graph_constant(g, "generators", rp_type_affine(RP_CURVE_BN254_G1), s->width + 1, points, 0), 0);
  s->sum = pedersen_tree(g, rp_fixed_base_mul(g, &tables, scalars), s->width, 1);
  rp_graph_output(g, "commitment", s->sum, 0);
  return graphs_built(g, err);
}

rp_status rp_pedersen_seeded_create(rp_device *device, const uint8_t seed[32], uint32_t width, uint32_t flags,
                                    rp_pedersen_seeded **seeded, rp_error *err) {
  if (!seeded) return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_seeded_create: seeded is NULL.");
  *seeded = NULL;
  if (!device || !seed) return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_seeded_create: device or seed is NULL.");
  rp_status status = pedersen_check_width(width, err);
  if (status != RP_OK) return status;
  rp_pedersen_seeded *s = rp_context_alloc(rp_device_context(device), sizeof *s);
  void *points = rp_context_alloc(rp_device_context(device), ((size_t)width + 1) * PEDERSEN_AFFINE);
  if (!s || !points) {
    rp_context_free(s);
    rp_context_free(points);
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for %u generators.", width + 1);
  }
  const rp_record_options options = {.struct_size = sizeof options, .flags = flags};
  s->width = width;
  status = rp_pedersen_seeded_generators(seed, 0, width + 1, points, err);
  if (status == RP_OK) status = build(device, points, s, err);
  if (status == RP_OK) status = rp_record(device, s->graph, &options, &s->recording, err);
  rp_context_free(points);
  if (status == RP_OK)
    *seeded = s;
  else
    rp_pedersen_seeded_destroy(s);
  return status;
}

void rp_pedersen_seeded_destroy(rp_pedersen_seeded *seeded) {
  if (!seeded) return;
  rp_recording_destroy(seeded->recording);
  rp_graph_destroy(seeded->graph);
  rp_context_free(seeded);
}

typedef struct seeded_job {
  const rp_pedersen_seeded *s;
  const void *values, *blinding;
  uint8_t *out;
} seeded_job;

static rp_status give(void *user, rp_run *run) {
  const seeded_job *j = user;
  const rp_status status = rp_run_set_input(run, j->s->values, j->values, (uint64_t)j->s->width * RP_PEDERSEN_BYTES);
  return status == RP_OK ? rp_run_set_input(run, j->s->blinding, j->blinding, RP_PEDERSEN_BYTES) : status;
}

static void take(void *user, rp_run *run) {
  const seeded_job *j = user;
  const rp_status status = rp_point_compress(RP_CURVE_BN254_G1, rp_run_output(run, j->s->sum), j->out);
  (void)status; /* the curve has an encoding: RP_OK */
}

rp_status rp_pedersen_seeded_commit(rp_pedersen_seeded *seeded, const void *values, const void *blinding, void *out,
                                    rp_error *err) {
  if (!seeded || !values || !blinding || !out)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_seeded_commit: values, a blinding and room are needed.");
  seeded_job j = {seeded, values, blinding, out};
  return graphs_run(seeded->recording, &(graphs_job){give, take, &j}, NULL, err);
}
