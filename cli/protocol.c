/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key of Groth16 or of PLONK and its prover, for commands that take either without being told which.
 */
#include "cli.h"

#include "formats/mapping.h"
#include "formats/zkey_head.h"

#include <stdlib.h>

int cli_is_plonk(const char *path) {
  g16_file *file = NULL;
  if (cli_kind_of(path) != CLI_KIND_ZKEY || g16_file_open(path, 0, &file, NULL) != RP_OK) return 0;
  const int plonk = g16_zkey_protocol(file) == G16_PROTOCOL_PLONK;
  g16_file_close(file);
  return plonk;
}

rp_status cli_open_any_key(const cli_call *call, cli_session *session, const char *path, rp_error *err) {
  if (!cli_is_plonk(path)) return cli_open_key(call, session, path, err);
  const rp_plonk_key_options options = {.struct_size = sizeof options,
                                        .sha256 = call && call->pinned ? call->sha256 : NULL};
  cli_progress *progress = cli_progress_begin("reading the key");
  const uint64_t begin = cli_now_ns();
  rp_status status = cli_open_context(session, err);
  if (status == RP_OK) status = rp_plonk_key_open(session->context, path, &options, &session->plonk_key, err);
  session->load_ns = cli_now_ns() - begin;
  cli_progress_end(progress);
  return status;
}

static rp_plonk_prover_options plonk_options(const rp_groth16_prover_options *o) {
  return (rp_plonk_prover_options){.struct_size = sizeof(rp_plonk_prover_options),
                                   .max_in_flight = o->max_in_flight,
                                   .flags = o->flags,
                                   .tables = o->tables,
                                   .memory_budget_bytes = o->memory_budget_bytes,
                                   .inspect = o->inspect,
                                   .inspect_user = o->inspect_user};
}

rp_status cli_open_any_prover(const cli_call *call, cli_session *session, const rp_groth16_prover_options *options,
                              rp_error *err) {
  if (!session->plonk_key) return cli_open_prover(call, session, options, err);
  cli_progress *progress = cli_progress_begin("recording");
  const uint64_t begin = cli_now_ns();
  rp_plonk_prover_options with = plonk_options(options);
  with.memory_budget_bytes = call->memory_bytes;
  const rp_status status =
      rp_plonk_prover_create(session->device, session->plonk_key, &with, &session->plonk_prover, err);
  session->record_ns = cli_now_ns() - begin;
  cli_progress_end(progress);
  return status;
}

void cli_close_prover(cli_session *session) {
  rp_groth16_prover_destroy(session->prover);
  rp_plonk_prover_destroy(session->plonk_prover);
  session->prover = NULL;
  session->plonk_prover = NULL;
}

const rp_graph *cli_graph_of(const cli_session *session) {
  return session->plonk_prover ? rp_plonk_prover_graph(session->plonk_prover)
                               : rp_groth16_prover_graph(session->prover);
}

rp_recording *cli_recording_of(const cli_session *session) {
  return session->plonk_prover ? rp_plonk_prover_recording(session->plonk_prover)
                               : rp_groth16_prover_recording(session->prover);
}

static rp_plonk_key_info plonk_info(const cli_session *session) {
  rp_plonk_key_info info = {.struct_size = sizeof info};
  rp_plonk_key_get_info(session->plonk_key, &info);
  return info;
}

static rp_groth16_key_info groth16_info(const cli_session *session) {
  rp_groth16_key_info info = {.struct_size = sizeof info};
  rp_groth16_key_get_info(session->key, &info);
  return info;
}

rp_curve cli_curve(const cli_session *session) {
  return session->plonk_key ? plonk_info(session).g1 : groth16_info(session).g1;
}

uint64_t cli_domain(const cli_session *session) {
  return session->plonk_key ? plonk_info(session).domain : groth16_info(session).domain;
}

uint64_t cli_n_vars(const cli_session *session) {
  return session->plonk_key ? plonk_info(session).n_vars : groth16_info(session).n_vars;
}

uint64_t cli_n_public(const cli_session *session) {
  return session->plonk_key ? plonk_info(session).n_public : groth16_info(session).n_public;
}

rp_status cli_prove_bytes(const cli_session *session, const void *wtns, size_t wtns_bytes, rp_run_counters *counters,
                          rp_error *err) {
  cli_proof proof;
  return session->plonk_prover
             ? rp_plonk_prove(session->plonk_prover, wtns, wtns_bytes, &proof.plonk, NULL, counters, err)
             : rp_groth16_prove(session->prover, wtns, wtns_bytes, &proof.groth16, NULL, counters, err);
}

rp_status cli_prove_file(const cli_session *session, const char *path, cli_proof *proof, uint8_t *public_signals,
                         rp_run_counters *counters, rp_error *err) {
  return session->plonk_prover
             ? rp_plonk_prove_file(session->plonk_prover, path, &proof->plonk, public_signals, counters, err)
             : rp_groth16_prove_file(session->prover, path, &proof->groth16, public_signals, counters, err);
}

rp_status cli_prove_batch(const cli_session *session, rp_groth16_job *jobs, size_t n_jobs, rp_error *err) {
  if (!session->plonk_prover) return rp_groth16_prove_batch(session->prover, jobs, n_jobs, err);
  rp_plonk_job *of_plonk = calloc(n_jobs, sizeof *of_plonk);
  if (!of_plonk) return err->status = RP_ERR_MEMORY;
  for (size_t i = 0; i < n_jobs; i++)
    of_plonk[i] = (rp_plonk_job){.struct_size = sizeof(rp_plonk_job),
                                 .wtns = jobs[i].wtns,
                                 .wtns_bytes = jobs[i].wtns_bytes,
                                 .wtns_path = jobs[i].wtns_path,
                                 .proof = &((cli_proof *)(void *)jobs[i].proof)->plonk,
                                 .public_signals = jobs[i].public_signals};
  const rp_status status = rp_plonk_prove_batch(session->plonk_prover, of_plonk, n_jobs, err);
  for (size_t i = 0; i < n_jobs; i++) {
    jobs[i].status = of_plonk[i].status;
    jobs[i].error = of_plonk[i].error;
  }
  free(of_plonk);
  return status;
}

rp_status cli_plan(const cli_session *session, const rp_groth16_prover_options *options, rp_plan_info *info,
                   rp_error *err) {
  if (!session->plonk_key) return rp_groth16_plan(session->device, session->key, options, info, err);
  const rp_plonk_prover_options with = plonk_options(options);
  return rp_plonk_plan(session->device, session->plonk_key, &with, info, err);
}
