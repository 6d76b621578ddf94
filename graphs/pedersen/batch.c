/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many commitments in one replay: products with tables of the generators, and a tree for each commitment.
 */
#include "points.h"

#include "job.h"

#include <string.h>

struct rp_pedersen_batch {
  uint32_t width, commitments;
  rp_graph *graph;
  rp_value values, sums;
  rp_recording *recording;
};

static rp_status build(rp_device *device, const rp_pedersen_batch_options *o, const void *affine, rp_pedersen_batch *b,
                       rp_error *err) {
  const rp_status status = rp_graph_create(rp_device_context(device), "pedersen_batch", &b->graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = b->graph;
  b->values =
      rp_graph_input(g, "values", &RP_TYPE_U256, (uint64_t)o->width * o->commitments, o->secret ? RP_SECRET : 0);
  const rp_value points = rp_graph_constant(g, "generators", rp_type_affine(RP_CURVE_BANDERWAGON), o->width, affine, 0);
  const rp_fixed_base tables = rp_fixed_base_table(g, points, o->window_bits);
  b->sums = pedersen_tree(g, rp_fixed_base_mul(g, &tables, b->values), o->width, 0);
  rp_graph_output(g, "commitments", b->sums, 0);
  return graphs_built(g, err);
}

static rp_status create(rp_device *device, const rp_pedersen_batch_options *o, const void *affine, rp_pedersen_batch *b,
                        rp_error *err) {
  const rp_record_options options = {.struct_size = sizeof options,
                                     .flags = o->flags,
                                     .max_in_flight = o->max_in_flight,
                                     .memory_budget_bytes = o->memory_budget_bytes};
  b->width = o->width;
  b->commitments = o->commitments;
  const rp_status status = build(device, o, affine, b, err);
  return status == RP_OK ? rp_record(device, b->graph, &options, &b->recording, err) : status;
}

rp_status rp_pedersen_batch_create(rp_device *device, const rp_pedersen_batch_options *options, const void *generators,
                                   rp_pedersen_batch **batch, rp_error *err) {
  rp_pedersen_batch_options o = {0};
  if (!batch) return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_batch_create: batch is NULL.");
  *batch = NULL;
  if (!device || !options || !generators)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_batch_create: device, options and generators are needed.");
  rp_status status = graphs_options(&o, sizeof o, options, "Options of a batch of commitments", err);
  if (status != RP_OK) return status;
  if (!o.width || o.width > RP_PEDERSEN_WIDTH_MAX || !o.commitments)
    return support_fail(
        err, RP_ERR_SHAPE,
        "A batch cannot have %u commitments to %u values: there must be at least one commitment, and 1 to %d values.",
        o.commitments, o.width, RP_PEDERSEN_WIDTH_MAX);
  rp_pedersen_batch *b = rp_context_alloc(rp_device_context(device), sizeof *b);
  void *affine = rp_context_alloc(rp_device_context(device), (size_t)o.width * PEDERSEN_AFFINE);
  status = b && affine ? pedersen_decode(generators, o.width, o.trusted_generators != 0, affine, err)
                       : support_fail(err, RP_ERR_MEMORY, "Out of memory for a batch of commitments.");
  if (status == RP_OK) status = create(device, &o, affine, b, err);
  rp_context_free(affine);
  if (status == RP_OK)
    *batch = b;
  else
    rp_pedersen_batch_destroy(b);
  return status;
}

void rp_pedersen_batch_destroy(rp_pedersen_batch *batch) {
  if (!batch) return;
  rp_recording_destroy(batch->recording);
  rp_graph_destroy(batch->graph);
  rp_context_free(batch);
}

const rp_graph *rp_pedersen_batch_graph(const rp_pedersen_batch *batch) { return batch ? batch->graph : NULL; }
rp_recording *rp_pedersen_batch_recording(rp_pedersen_batch *batch) { return batch ? batch->recording : NULL; }

typedef struct batch_job {
  const rp_pedersen_batch *b;
  const void *values;
  uint8_t *out;
} batch_job;

static rp_status give(void *user, rp_run *run) {
  const batch_job *j = user;
  return rp_run_set_input(run, j->b->values, j->values, (uint64_t)j->b->width * j->b->commitments * RP_PEDERSEN_BYTES);
}

static void take(void *user, rp_run *run) {
  const batch_job *j = user;
  const uint8_t *points = rp_run_output(run, j->b->sums);
  for (uint32_t i = 0; i < j->b->commitments; i++) {
    const rp_status status = rp_point_compress(RP_CURVE_BANDERWAGON, points + (size_t)i * PEDERSEN_AFFINE,
                                               j->out + (size_t)i * RP_PEDERSEN_BYTES);
    (void)status; /* the curve has an encoding: RP_OK */
  }
}

rp_status rp_pedersen_batch_commit(rp_pedersen_batch *batch, const void *values, void *out, rp_run_counters *counters,
                                   rp_error *err) {
  if (!batch || !values || !out)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_batch_commit: a batch, values and room are needed.");
  batch_job j = {batch, values, out};
  return graphs_run(batch->recording, &(graphs_job){give, take, &j}, counters, err);
}
