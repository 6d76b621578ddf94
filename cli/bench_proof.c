/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Benchmarks of whole proofs: from a witness in the caller's pageable memory to a verified proof, which is what a
 * caller waits for. In addition, the latency of the recording: from the submission, with the witness in the staging, to
 * the proof on the host, without its verification. The rates are those of whole proofs.
 */
#include "bench.h"

#include "text/error.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct result {
  uint64_t whole_ns; /* one at a time */
  uint64_t latency_ns, least_ns, submit_ns;
  uint64_t load_ns, record_ns;
  double one_per_second, many_per_second;
  rp_plan_info plan;
  uint64_t table_bytes;
  const char *protocol, *curve;
  uint64_t domain;
} result;

/* A GPU that has been idle, while its kernels were compiled for instance, needs a while to reach its clock rate: the
 * first proofs then take up to seven times as long. */
static rp_status warm_up(cli_session *s, const cli_bytes *witness, rp_error *err) {
  enum { LEAST_RUNS = 2, LEAST_NS = 500000000 };
  const uint64_t begin = cli_now_ns();
  rp_run_counters counters = {.struct_size = sizeof counters};
  rp_status status = RP_OK;
  for (uint32_t i = 0; status == RP_OK && (i < LEAST_RUNS || cli_now_ns() - begin < LEAST_NS); i++)
    status = cli_prove_bytes(s, witness->data, witness->size, &counters, err);
  return status;
}

static rp_status one_at_a_time(cli_session *s, const cli_bytes *witness, uint32_t runs, result *r, rp_error *err) {
  uint64_t *latency = calloc(3 * (size_t)runs, sizeof *latency);
  if (!latency) return err->status = RP_ERR_MEMORY;
  uint64_t *submit = latency + runs, *whole = submit + runs;
  cli_progress *progress = cli_progress_begin("proofs, one at a time");
  rp_status status = warm_up(s, witness, err);
  for (uint32_t i = 0; status == RP_OK && i < runs; i++) {
    rp_run_counters counters = {.struct_size = sizeof counters};
    uint64_t begin = cli_now_ns();
    status = cli_prove_bytes(s, witness->data, witness->size, &counters, err);
    latency[i] = counters.latency_ns;
    submit[i] = counters.submit_ns;
    whole[i] = cli_now_ns() - begin;
  }
  cli_progress_end(progress);
  if (status == RP_OK) {
    r->latency_ns = bench_median(latency, runs);
    r->least_ns = latency[0];
    r->submit_ns = bench_median(submit, runs);
    r->whole_ns = bench_median(whole, runs);
  }
  free(latency);
  return status;
}

/* Proofs per second. Measured over as many as take about a second one at a time, at least eight, in full runs of
 * `batch`. */
static rp_status rate(cli_session *s, const cli_bytes *witness, uint64_t whole_ns, uint32_t batch, double *per_second,
                      rp_error *err) {
  size_t n = whole_ns ? 1000000000u / whole_ns : 0;
  n = n < 8 ? 8 : n > 1000 ? 1000 : n;
  n = (n + batch - 1) / batch * batch;
  rp_groth16_job *jobs = calloc(n, sizeof *jobs);
  cli_proof *proofs = calloc(n, sizeof *proofs);
  rp_status status = jobs && proofs ? RP_OK : (err->status = RP_ERR_MEMORY);
  for (size_t i = 0; status == RP_OK && i < n; i++)
    jobs[i] = (rp_groth16_job){.struct_size = sizeof(rp_groth16_job),
                               .wtns = witness->data,
                               .wtns_bytes = witness->size,
                               .proof = &proofs[i].groth16};
  if (status == RP_OK) {
    cli_progress *progress = cli_progress_begin("proofs per second");
    uint64_t begin = cli_now_ns();
    status = cli_prove_batch(s, jobs, n, err);
    *per_second = (double)n * 1e9 / (double)(cli_now_ns() - begin);
    cli_progress_end(progress);
  }
  free(jobs);
  free(proofs);
  return status;
}

static rp_status with_prover(const cli_call *call, cli_session *s, const rp_groth16_prover_options *options,
                             rp_error *err) {
  cli_close_prover(s);
  return cli_open_any_prover(call, s, options, err);
}

static rp_status measure(const cli_call *call, cli_session *s, const bench_proofs *how, const cli_bytes *witness,
                         result *r, rp_error *err) {
  rp_groth16_prover_options options = {.struct_size = sizeof options};
  rp_plan_info bare = {.struct_size = sizeof bare};
  rp_status status = cli_plan(s, &options, &bare, err);
  options.tables = !how->no_tables;
  options.first_percent = how->first_percent;
  if (status == RP_OK) status = with_prover(call, s, &options, err);
  if (status != RP_OK) return status;
  r->load_ns = s->load_ns;
  r->record_ns = s->record_ns;
  r->plan.struct_size = sizeof r->plan;
  rp_recording_get_plan(cli_recording_of(s), &r->plan);
  r->table_bytes = r->plan.constant_bytes > bare.constant_bytes ? r->plan.constant_bytes - bare.constant_bytes : 0;
  status = one_at_a_time(s, witness, how->runs, r, err);
  if (status == RP_OK) status = rate(s, witness, r->whole_ns, 1, &r->one_per_second, err);
  options.max_in_flight = how->in_flight;
  options.batch = how->batch;
  if (status == RP_OK && (how->in_flight > 1 || how->batch > 1)) status = with_prover(call, s, &options, err);
  if (status == RP_OK) status = rate(s, witness, r->whole_ns, how->batch, &r->many_per_second, err);
  return status;
}

static void print(const cli_call *call, const bench_proofs *how, const result *r, bool head, json_t *list) {
  if (call->json) {
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:I, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:f, s:f, s:I, s:I, s:i}", "op",
                        r->protocol, "type", r->curve, "n", (json_int_t)r->domain, "runs", (int)how->runs, "whole_ms",
                        (double)r->whole_ns / 1e6, "median_ms", (double)r->latency_ns / 1e6, "least_ms",
                        (double)r->least_ns / 1e6, "submit_us", (double)r->submit_ns / 1e3, "proofs_per_second",
                        r->one_per_second, "proofs_per_second_in_flight", r->many_per_second, "in_flight",
                        (int)how->in_flight, "batch", (int)how->batch, "load_ms", (double)r->load_ns / 1e6, "record_ms",
                        (double)r->record_ns / 1e6, "device_bytes", (json_int_t)r->plan.total_bytes, "table_bytes",
                        (json_int_t)r->table_bytes, "dispatches", (int)r->plan.dispatches));
    return;
  }
  char device[32], tables[32], record[32], at_once[32];
  snprintf(at_once, sizeof at_once, "/s, %u at once", how->in_flight * how->batch);
  if (head)
    printf("%-10s %-14s %10s %12s %12s %12s %12s %14s %12s %12s %12s\n", "proof", "over", "domain", "whole, ms",
           "run, ms", "submit, us", "proofs/s", at_once, "recording", "on device", "tables");
  printf("%-10s %-14s %10llu %12.4f %12.4f %12.1f %12.1f %14.1f %12s %12s %12s\n", r->protocol, r->curve,
         (unsigned long long)r->domain, (double)r->whole_ns / 1e6, (double)r->latency_ns / 1e6,
         (double)r->submit_ns / 1e3, r->one_per_second, r->many_per_second, cli_time_text(r->record_ns, record),
         cli_bytes_text(r->plan.total_bytes, device), cli_bytes_text(r->table_bytes, tables));
  (void)fflush(stdout); /* so that it is visible at once; cli_finish checks for errors */
}

rp_status bench_prove(const cli_call *call, const cli_session *with_device, const bench_proofs *how, const char *dir,
                      bool head, json_t *list, rp_error *err) {
  char zkey[4096 + 64], wtns[4096 + 64];
  (void)snprintf(zkey, sizeof zkey, "%s/circuit.zkey", dir); /* a truncated path is refused by the system */
  (void)snprintf(wtns, sizeof wtns, "%s/witness.wtns", dir); /* likewise */
  cli_session session = {.context = with_device->context, .device = with_device->device};
  cli_bytes witness = {0};
  result r = {0};
  rp_status status = cli_open_any_key(NULL, &session, zkey, err);
  if (status == RP_OK && how->batch > 1 && cli_protocol_of_session(&session) != CLI_GROTH16)
    status =
        support_fail(err, RP_ERR_UNSUPPORTED, "--batch is for keys of Groth16, and %s is not one", support_label(zkey));
  if (status == RP_OK) status = cli_read(wtns, SIZE_MAX, &witness, err);
  if (status == RP_OK) {
    r.protocol = cli_protocol_name[cli_protocol_of_session(&session)];
    r.curve = rp_curve_name(cli_curve(&session));
    r.domain = cli_domain(&session);
    status = measure(call, &session, how, &witness, &r, err);
  }
  if (status == RP_OK) print(call, how, &r, head, list);
  cli_release(&witness);
  session.context = NULL; /* the caller's */
  session.device = NULL;
  cli_close(&session);
  return status;
}
