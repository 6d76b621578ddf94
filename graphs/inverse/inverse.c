/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "inverse.h"

#include <string.h>

struct rp_inverter {
  rp_context *context; /* the device's */
  inverse_job job;
  rp_inverse_route route;
  rp_graph *graph;
  rp_recording *recording;
  rp_value x, inverse, zeros;
};

static rp_status check(rp_device *device, rp_field field, const rp_batch_inv_options *options, rp_batch_inv_options *o,
                       inverse_job *job, rp_error *err) {
  *o = (rp_batch_inv_options){.struct_size = sizeof *o};
  if (!device) return support_fail(err, RP_ERR_ARGUMENT, "batch inversion: the device is NULL");
  rp_status st = rp_context_check(rp_device_context(device), err);
  if (st == RP_OK) st = graphs_options(o, sizeof *o, options, "Options of a batch inversion", err);
  if (st != RP_OK) return st;
  job->f = rp_field_get(field);
  if (!job->f) return support_fail(err, RP_ERR_ARGUMENT, "batch inversion: %u is not a field", (unsigned)field);
  if ((unsigned)o->zero > RP_ZERO_STRICT || (unsigned)o->route > RP_INVERSE_ROUTE_DEVICE)
    return support_fail(err, RP_ERR_ARGUMENT, "batch inversion: the zero policy or the route is unknown");
  job->strict = o->zero == RP_ZERO_STRICT;
  job->constant_time = o->constant_time != 0;
  return RP_OK;
}

/* ---- Recorded ---------------------------------------------------------------------------------------------------- */

static rp_status record(rp_inverter *v, rp_context *context, rp_device *device, rp_error *err) {
  rp_status st = rp_graph_create(context, "batch_inverse", &v->graph, err);
  if (st != RP_OK) return st;
  v->x = rp_graph_input(v->graph, "x", rp_type_field(v->job.f->id), v->job.n, v->job.constant_time ? RP_SECRET : 0);
  v->inverse = rp_batch_inverse(v->graph, v->x,
                                &(rp_batch_inverse_options){.struct_size = sizeof(rp_batch_inverse_options),
                                                            .zero = v->job.strict ? RP_ZERO_STRICT : RP_ZERO_TO_ZERO,
                                                            .constant_time = v->job.constant_time,
                                                            .zero_mask = &v->zeros});
  rp_graph_output(v->graph, "inverse", v->inverse, 0);
  rp_graph_output(v->graph, "zeros", v->zeros, 0);
  return rp_record(device, v->graph, NULL, &v->recording, err);
}

static rp_status replay(rp_inverter *v, const void *in, void *out, uint8_t *mask, rp_error *err) {
  const uint64_t bytes = v->job.n * v->job.f->size_bytes;
  rp_run *run;
  rp_status st = rp_run_begin(v->recording, UINT64_MAX, &run, err);
  if (st != RP_OK) return st;
  st = rp_run_set_input(run, v->x, in, bytes);
  if (st == RP_OK) st = rp_run_submit(run);
  if (st == RP_OK) st = rp_run_wait(run, UINT64_MAX);
  if (st == RP_OK) {
    memcpy(out, rp_run_output(run, v->inverse), bytes);
    if (mask) memcpy(mask, rp_run_output(run, v->zeros), v->job.n);
  } else if (err) {
    *err = *rp_run_error(run);
  }
  rp_run_end(run);
  return st;
}

static rp_status run_on(rp_inverter *v, const void *in, void *out, uint8_t *mask, rp_error *err) {
  if (v->route == RP_INVERSE_ROUTE_DEVICE) return replay(v, in, out, mask, err);
  return v->route == RP_INVERSE_ROUTE_CHAIN ? inverse_chain(v->context, &v->job, in, out, mask, err)
                                            : inverse_elements(&v->job, in, out, mask, err);
}

static rp_status create(rp_device *device, const inverse_job *job, rp_inverse_route route, rp_inverter **inverter,
                        rp_error *err) {
  rp_status st = RP_OK;
  rp_inverter *v = rp_context_alloc(rp_device_context(device), sizeof *v);
  if (!v) return support_fail(err, RP_ERR_MEMORY, "batch inversion: out of host memory");
  v->context = rp_device_context(device);
  v->job = *job;
  v->route = route;
  if (route == RP_INVERSE_ROUTE_DEVICE) st = record(v, rp_device_context(device), device, err);
  if (st != RP_OK) {
    rp_inverter_destroy(v);
    return st;
  }
  *inverter = v;
  return RP_OK;
}

rp_status rp_inverter_create(rp_device *device, rp_field field, uint64_t n, const rp_batch_inv_options *options,
                             rp_inverter **inverter, rp_error *err) {
  rp_batch_inv_options o;
  inverse_job job = {.n = n};
  rp_device_info info = {.struct_size = sizeof info};
  if (inverter) *inverter = NULL;
  if (!inverter || !n)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_inverter_create: %s", inverter ? "n is 0" : "inverter is NULL");
  rp_status st = check(device, field, options, &o, &job, err);
  if (st != RP_OK) return st;
  rp_device_get_info(device, &info);
  rp_inverse_table table = o.table ? *o.table : rp_batch_inv_table(info.kind);
  table.device_once = table.device;
  o.table = &table;
  return create(device, &job, rp_batch_inv_route(info.kind, n, &o), inverter, err);
}

rp_inverse_route rp_inverter_route(const rp_inverter *inverter) {
  return inverter ? inverter->route : RP_INVERSE_ROUTE_AUTO;
}

rp_status rp_inverter_run(rp_inverter *inverter, const void *in, void *out, uint8_t *zero_mask, rp_error *err) {
  if (!inverter || !in || !out)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_inverter_run: inverter, in or out is NULL");
  const rp_status st = rp_context_check(inverter->context, err);
  return st == RP_OK ? run_on(inverter, in, out, zero_mask, err) : st;
}

void rp_inverter_destroy(rp_inverter *inverter) {
  if (!inverter) return;
  rp_recording_destroy(inverter->recording);
  rp_graph_destroy(inverter->graph);
  rp_context_free(inverter);
}

/* ---- One call ---------------------------------------------------------------------------------------------------- */

rp_status rp_batch_inv(rp_device *device, rp_field field, const void *in, void *out, uint64_t n,
                       const rp_batch_inv_options *options, rp_error *err) {
  rp_batch_inv_options o;
  inverse_job job = {.n = n};
  rp_device_info info = {.struct_size = sizeof info};
  rp_inverter *v;
  rp_status st = check(device, field, options, &o, &job, err);
  if (st != RP_OK || !n) return st;
  if (!in || !out) return support_fail(err, RP_ERR_ARGUMENT, "rp_batch_inv: in or out is NULL");
  rp_device_get_info(device, &info);
  st = create(device, &job, rp_batch_inv_route(info.kind, n, &o), &v, err);
  if (st != RP_OK) return st;
  st = run_on(v, in, out, o.zero_mask, err);
  rp_inverter_destroy(v);
  return st;
}

rp_status rp_batch_inv_ct(rp_device *device, rp_field field, const void *in, void *out, uint64_t n,
                          const rp_batch_inv_options *options, rp_error *err) {
  rp_batch_inv_options o = {0};
  const rp_status st = graphs_options(&o, sizeof o, options, "Options of a batch inversion", err);
  if (st != RP_OK) return st;
  o.struct_size = sizeof o;
  o.constant_time = 1;
  return rp_batch_inv(device, field, in, out, n, &o, err);
}

rp_status rp_secp256k1_batch_inv_fp(rp_device *device, const void *in, void *out, uint64_t n, rp_error *err) {
  return rp_batch_inv(device, RP_FIELD_SECP256K1_FP, in, out, n, NULL, err);
}

rp_status rp_bn254_batch_inv_fr(rp_device *device, const void *in, void *out, uint64_t n, rp_error *err) {
  return rp_batch_inv(device, RP_FIELD_BN254_FR, in, out, n, NULL, err);
}

rp_status rp_bls12_381_batch_inv_fp(rp_device *device, const void *in, void *out, uint64_t n, rp_error *err) {
  return rp_batch_inv(device, RP_FIELD_BLS12_381_FP, in, out, n, NULL, err);
}

rp_status rp_banderwagon_batch_inv(rp_device *device, const void *in, void *out, uint64_t n, rp_error *err) {
  return rp_batch_inv(device, RP_FIELD_BLS12_381_FR, in, out, n, NULL, err);
}
