/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key of Groth16, PLONK or FFLONK and its prover, for commands that take any without being told which.
 */
#include "cli.h"

#include "text/error.h"

#include <inttypes.h>
#include <stdlib.h>

const char *const cli_protocol_name[] = {"groth16", "plonk", "fflonk"};

static cli_protocol protocol_of(const rp_file_info *info) {
  return info->protocol == RP_PROTOCOL_PLONK    ? CLI_PLONK
         : info->protocol == RP_PROTOCOL_FFLONK ? CLI_FFLONK
                                                : CLI_GROTH16;
}

cli_protocol cli_protocol_of(const char *path) {
  rp_file_info info = {.struct_size = sizeof info};
  return rp_file_identify(path, &info, NULL) == RP_OK ? protocol_of(&info) : CLI_GROTH16;
}

cli_protocol cli_protocol_of_json(const char *json, size_t bytes) {
  rp_file_info info = {.struct_size = sizeof info};
  return rp_file_describe_memory(json, bytes, &info, NULL) == RP_OK ? protocol_of(&info) : CLI_GROTH16;
}

cli_protocol cli_protocol_of_session(const cli_session *session) {
  return session->plonk_key ? CLI_PLONK : session->fflonk_key ? CLI_FFLONK : CLI_GROTH16;
}

rp_status cli_open_any_key(const cli_call *call, cli_session *session, const char *path, rp_error *err) {
  const cli_protocol protocol = cli_protocol_of(path);
  if (protocol == CLI_GROTH16) return cli_open_key(call, session, path, err);
  const rp_plonk_key_options options = {.struct_size = sizeof options,
                                        .sha256 = call && call->pinned ? call->sha256 : NULL};
  cli_progress *progress = cli_progress_begin("reading the key");
  const uint64_t begin = cli_now_ns();
  rp_status status = cli_open_context(session, err);
  if (status == RP_OK)
    status = protocol == CLI_PLONK ? rp_plonk_key_open(session->context, path, &options, &session->plonk_key, err)
                                   : rp_fflonk_key_open(session->context, path, &options, &session->fflonk_key, err);
  session->load_ns = cli_now_ns() - begin;
  cli_progress_end(progress);
  return status;
}

/* The options that apply to PLONK and FFLONK. */
static rp_plonk_prover_options common_options(const rp_groth16_prover_options *o) {
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
  const cli_protocol protocol = cli_protocol_of_session(session);
  if (protocol == CLI_GROTH16) return cli_open_prover(call, session, options, err);
  cli_progress *progress = cli_progress_begin("recording");
  const uint64_t begin = cli_now_ns();
  rp_plonk_prover_options with = common_options(options);
  with.memory_budget_bytes = call->memory_bytes;
  const rp_status status =
      protocol == CLI_PLONK
          ? session->pool
                ? rp_pool_add_plonk(session->pool, session->plonk_key, &with, &session->pool_key, err)
                : rp_plonk_prover_create(session->device, session->plonk_key, &with, &session->plonk_prover, err)
      : session->pool
          ? rp_pool_add_fflonk(session->pool, session->fflonk_key, &with, &session->pool_key, err)
          : rp_fflonk_prover_create(session->device, session->fflonk_key, &with, &session->fflonk_prover, err);
  session->record_ns = cli_now_ns() - begin;
  cli_progress_end(progress);
  if (session->plonk_prover) cli_say_left_out(call, session, rp_plonk_prover_recording(session->plonk_prover));
  if (session->fflonk_prover) cli_say_left_out(call, session, rp_fflonk_prover_recording(session->fflonk_prover));
  return status;
}

rp_status cli_save(const cli_session *session, const char *path, rp_error *err) {
  return session->plonk_prover    ? rp_plonk_save(session->plonk_prover, path, err)
         : session->fflonk_prover ? rp_fflonk_save(session->fflonk_prover, path, err)
                                  : rp_groth16_save(session->prover, path, err);
}

rp_status cli_key_matches(const cli_session *session, const char *zkey_path, rp_error *err) {
  return session->plonk_key    ? rp_plonk_key_matches(session->plonk_key, zkey_path, err)
         : session->fflonk_key ? rp_fflonk_key_matches(session->fflonk_key, zkey_path, err)
                               : rp_groth16_key_matches(session->key, zkey_path, err);
}

const rp_graph *cli_graph_of(const cli_session *session) {
  return session->plonk_prover    ? rp_plonk_prover_graph(session->plonk_prover)
         : session->fflonk_prover ? rp_fflonk_prover_graph(session->fflonk_prover)
                                  : rp_groth16_prover_graph(session->prover);
}

rp_recording *cli_recording_of(const cli_session *session) {
  return session->plonk_prover    ? rp_plonk_prover_recording(session->plonk_prover)
         : session->fflonk_prover ? rp_fflonk_prover_recording(session->fflonk_prover)
                                  : rp_groth16_prover_recording(session->prover);
}

/* The figures of a key of PLONK or FFLONK; all are zero for a session without such a key. */
static rp_plonk_key_info plonk_info(const cli_session *session) {
  rp_plonk_key_info info = {.struct_size = sizeof info};
  if (session->plonk_key)
    rp_plonk_key_get_info(session->plonk_key, &info);
  else
    rp_fflonk_key_get_info(session->fflonk_key, &info);
  return info;
}

static rp_groth16_key_info groth16_info(const cli_session *session) {
  rp_groth16_key_info info = {.struct_size = sizeof info};
  rp_groth16_key_get_info(session->key, &info);
  return info;
}

static bool is_groth16(const cli_session *session) { return cli_protocol_of_session(session) == CLI_GROTH16; }

rp_curve cli_curve(const cli_session *session) {
  return is_groth16(session) ? groth16_info(session).g1 : plonk_info(session).g1;
}

bool cli_is_gnark(const cli_session *session) { return is_groth16(session) && groth16_info(session).gnark; }

uint64_t cli_domain(const cli_session *session) {
  return is_groth16(session) ? groth16_info(session).domain : plonk_info(session).domain;
}

uint64_t cli_n_vars(const cli_session *session) {
  return is_groth16(session) ? groth16_info(session).n_vars : plonk_info(session).n_vars;
}

uint64_t cli_n_public(const cli_session *session) {
  return is_groth16(session) ? groth16_info(session).n_public : plonk_info(session).n_public;
}

rp_status cli_check_witness(const cli_session *session, const char *key_path, const char *path, rp_error *err) {
  rp_file_info wtns = {.struct_size = sizeof wtns};
  const rp_curve g1 = cli_curve(session);
  const uint64_t n_vars = cli_n_vars(session);
  const rp_status status = rp_file_describe(path, &wtns, err);
  if (status == RP_OK && wtns.kind != RP_FILE_WTNS)
    return support_fail(err, RP_ERR_FORMAT, "%s: is not a wtns file: it does not begin with \"wtns\".",
                        support_label(path));
  if (status != RP_OK || (wtns.g1 == g1 && wtns.n_vars == n_vars)) return status;
  err->status = RP_ERR_MISMATCH;
  if (wtns.g1 != g1)
    snprintf(err->reason, sizeof err->reason, "%s is a witness over %s, and %s is a key over %s",
             support_pair_label(path), cli_curve_name(wtns.g1), support_pair_label(key_path), cli_curve_name(g1));
  else
    snprintf(err->reason, sizeof err->reason,
             "%s is a witness of another circuit than that of %s: it has %" PRIu64 " values, and the circuit "
             "has %" PRIu64 " wires",
             support_pair_label(path), support_pair_label(key_path), wtns.n_vars, n_vars);
  return err->status;
}

rp_status cli_prove_bytes(const cli_session *session, const void *wtns, size_t wtns_bytes, rp_run_counters *counters,
                          rp_error *err) {
  cli_proof proof;
  return session->plonk_prover
             ? rp_plonk_prove(session->plonk_prover, wtns, wtns_bytes, &proof.plonk, NULL, counters, err)
         : session->fflonk_prover
             ? rp_fflonk_prove(session->fflonk_prover, wtns, wtns_bytes, &proof.fflonk, NULL, counters, err)
             : rp_groth16_prove(session->prover, wtns, wtns_bytes, &proof.groth16, NULL, counters, err);
}

rp_status cli_prove_file(const cli_session *session, const char *path, cli_proof *proof, uint8_t *public_signals,
                         rp_run_counters *counters, rp_error *err) {
  return session->plonk_prover
             ? rp_plonk_prove_file(session->plonk_prover, path, &proof->plonk, public_signals, counters, err)
         : session->fflonk_prover
             ? rp_fflonk_prove_file(session->fflonk_prover, path, &proof->fflonk, public_signals, counters, err)
             : rp_groth16_prove_file(session->prover, path, &proof->groth16, public_signals, counters, err);
}

static void set_result(rp_groth16_job *job, rp_status status, const rp_error *err) {
  job->status = status;
  job->error = *err;
}

/* Without memory for the jobs of a proof system, none of them can begin. */
static rp_status fail_all(rp_groth16_job *jobs, size_t n_jobs, rp_error *err) {
  *err = (rp_error){.status = RP_ERR_MEMORY};
  snprintf(err->reason, sizeof err->reason, "Out of memory for %zu proofs.", n_jobs);
  for (size_t i = 0; i < n_jobs; i++) set_result(&jobs[i], RP_ERR_MEMORY, err);
  return RP_ERR_MEMORY;
}

static rp_status plonk_batch(const cli_session *session, rp_groth16_job *jobs, size_t n_jobs, rp_error *err) {
  rp_plonk_job *own = calloc(n_jobs, sizeof *own);
  if (!own) return fail_all(jobs, n_jobs, err);
  for (size_t i = 0; i < n_jobs; i++)
    own[i] = (rp_plonk_job){.struct_size = sizeof *own,
                            .wtns = jobs[i].wtns,
                            .wtns_bytes = jobs[i].wtns_bytes,
                            .wtns_path = jobs[i].wtns_path,
                            .proof = &((cli_proof *)(void *)jobs[i].proof)->plonk,
                            .public_signals = jobs[i].public_signals};
  const rp_status status = session->pool ? rp_pool_prove_plonk(session->pool_key, own, n_jobs, err)
                                         : rp_plonk_prove_batch(session->plonk_prover, own, n_jobs, err);
  for (size_t i = 0; i < n_jobs; i++) set_result(&jobs[i], own[i].status, &own[i].error);
  free(own);
  return status;
}

static rp_status fflonk_batch(const cli_session *session, rp_groth16_job *jobs, size_t n_jobs, rp_error *err) {
  rp_fflonk_job *own = calloc(n_jobs, sizeof *own);
  if (!own) return fail_all(jobs, n_jobs, err);
  for (size_t i = 0; i < n_jobs; i++)
    own[i] = (rp_fflonk_job){.struct_size = sizeof *own,
                             .wtns = jobs[i].wtns,
                             .wtns_bytes = jobs[i].wtns_bytes,
                             .wtns_path = jobs[i].wtns_path,
                             .proof = &((cli_proof *)(void *)jobs[i].proof)->fflonk,
                             .public_signals = jobs[i].public_signals};
  const rp_status status = session->pool ? rp_pool_prove_fflonk(session->pool_key, own, n_jobs, err)
                                         : rp_fflonk_prove_batch(session->fflonk_prover, own, n_jobs, err);
  for (size_t i = 0; i < n_jobs; i++) set_result(&jobs[i], own[i].status, &own[i].error);
  free(own);
  return status;
}

static rp_status gnark_batch(const cli_session *session, rp_groth16_job *jobs, size_t n_jobs, rp_error *err) {
  rp_gnark_job *own = calloc(n_jobs, sizeof *own);
  if (!own) return fail_all(jobs, n_jobs, err);
  for (size_t i = 0; i < n_jobs; i++)
    own[i] = (rp_gnark_job){.struct_size = sizeof *own,
                            .path = jobs[i].wtns ? NULL : jobs[i].wtns_path,
                            .file = jobs[i].wtns,
                            .file_bytes = jobs[i].wtns_bytes,
                            .proof = &((cli_proof *)(void *)jobs[i].proof)->gnark,
                            .public_signals = jobs[i].public_signals};
  const rp_status status = session->pool ? rp_pool_prove_gnark(session->pool_key, own, n_jobs, err)
                                         : rp_gnark_prove_batch(session->prover, own, n_jobs, err);
  for (size_t i = 0; i < n_jobs; i++) set_result(&jobs[i], own[i].status, &own[i].error);
  free(own);
  return status;
}

rp_status cli_prove_batch(const cli_session *session, rp_groth16_job *jobs, size_t n_jobs, rp_error *err) {
  return session->plonk_key      ? plonk_batch(session, jobs, n_jobs, err)
         : session->fflonk_key   ? fflonk_batch(session, jobs, n_jobs, err)
         : cli_is_gnark(session) ? gnark_batch(session, jobs, n_jobs, err)
         : session->pool         ? rp_pool_prove_groth16(session->pool_key, jobs, n_jobs, err)
                                 : rp_groth16_prove_batch(session->prover, jobs, n_jobs, err);
}

rp_status cli_plan(const cli_session *session, const rp_groth16_prover_options *options, rp_plan_info *info,
                   rp_error *err) {
  if (is_groth16(session)) return rp_groth16_plan(session->device, session->key, options, info, err);
  const rp_plonk_prover_options with = common_options(options);
  return session->plonk_key ? rp_plonk_plan(session->device, session->plonk_key, &with, info, err)
                            : rp_fflonk_plan(session->device, session->fflonk_key, &with, info, err);
}
