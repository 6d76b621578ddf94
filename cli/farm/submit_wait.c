/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "submit.h"

#include "files/output.h"
#include "gnark.h"
#include "replay.h"
#include "schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

rp_status farm_try_again(farm_submission *s, rp_status status, rp_error *err) {
  while (farm_is_lost(&s->db, status) && farm_now_ns() < s->until_ns) {
    farm_backoff_sleep(&s->backoff);
    status = farm_open(&s->db, err);
  }
  if (status == RP_OK) s->backoff.next_ns = 0;
  return status;
}

enum { MOST = 256 }; /* at most this many jobs are asked about at once */

/* Files of gnark, as replay writes them. */
static rp_status write_gnark(char *const paths[2], const char *proof, const char *signals, rp_error *err) {
  rp_gnark_proof decoded;
  cli_proof_files files = {0};
  size_t n = 0;
  rp_status status = cli_gnark_proof_from_json(proof, strlen(proof), &decoded, err);
  if (status == RP_OK) status = rp_groth16_public_from_json(signals, strlen(signals), NULL, 0, &n, err);
  uint8_t *values = malloc(n * 32 + 1);
  if (!values) return err->status = RP_ERR_MEMORY;
  if (status == RP_OK) status = rp_groth16_public_from_json(signals, strlen(signals), values, n, &n, err);
  if (status == RP_OK) status = cli_proof_begin(&files, paths[0], paths[1], err);
  if (status == RP_OK) status = cli_gnark_commit(&files, &decoded, 0, values, n, err);
  free(values);
  return status;
}

static rp_status write_files(const farm_submission *s, unsigned i, const char *proof, const char *signals,
                             rp_error *err) {
  const farm_options *o = s->call->options;
  const char *dir = o->output_dir ? o->output_dir : ".", *witness = s->call->args[2 + i];
  const bool gnark = cli_gnark_is_json(proof, strlen(proof));
  const int first = gnark ? REPLAY_GNARK_PROOF : REPLAY_PROOF;
  char *paths[2] = {replay_path(dir, witness, first), replay_path(dir, witness, first + 1)};
  const char *const texts[2] = {proof, signals};
  support_output *outputs[2] = {NULL, NULL};
  rp_status status = paths[0] && paths[1] ? RP_OK : (err->status = RP_ERR_MEMORY);
  if (status == RP_OK && gnark) status = write_gnark(paths, proof, signals, err);
  for (int f = 0; f < 2 && status == RP_OK && !gnark; f++) {
    status = support_output_begin(paths[f], &outputs[f], err);
    if (status == RP_OK) status = support_output_write(outputs[f], texts[f], strlen(texts[f]), err);
  }
  if (status == RP_OK && !gnark)
    status = support_output_publish(outputs, 2, err);
  else
    for (int f = 0; f < 2; f++) support_output_abort(outputs[f]);
  free(paths[0]);
  free(paths[1]);
  return status;
}

/* The result of one job, which is done or dead. */
static rp_status take_result(farm_submission *s, unsigned i, const PGresult *rows, int row, rp_error *err) {
  const farm_options *o = s->call->options;
  const char *proof = farm_get_text(rows, row, 1), *signals = farm_get_text(rows, row, 2);
  const char *reason = farm_get_text(rows, row, 3);
  if (!proof || !signals) {
    s->n_dead++;
    (void)cli_refuse(s->call, CLI_REFUSED, "%.180s: job %" PRId64 " is dead: %.300s", s->call->args[2 + i], s->jobs[i],
                     reason ? reason : "without a reason");
    return RP_OK;
  }
  rp_status status = o->verify ? farm_verifier_check(&s->verifier, proof, signals, err) : RP_OK;
  if (status != RP_OK) {
    const rp_error why = *err;
    snprintf(err->reason, sizeof err->reason, "job %" PRId64 ": the proof that the farm returned is refused: %.300s",
             s->jobs[i], why.reason);
    return status;
  }
  return write_files(s, i, proof, signals, err);
}

/* Asks about the next jobs that have no result yet, from number *at; *n_left decreases by one with every result. */
static rp_status ask_for_results(farm_submission *s, uint8_t *has, unsigned *n_left, rp_error *err) {
  PGresult *rows = NULL;
  farm_array ids = farm_array_of(FARM_INT8);
  for (unsigned i = 0; i < s->n && ids.n < MOST; i++)
    if (!has[i]) farm_array_int(&ids, s->jobs[i]);
  const farm_value values[] = {farm_array_value(&ids)};
  rp_status status =
      ids.has_failed
          ? (err->status = RP_ERR_MEMORY)
          : farm_call(&s->db, "SELECT job, proof, public_signals, reason FROM reprise.finished($1) ORDER BY job",
                      values, 1, &rows, err);
  for (int row = 0; status == RP_OK && row < PQntuples(rows); row++)
    for (unsigned i = 0; i < s->n && status == RP_OK; i++) {
      if (has[i] || s->jobs[i] != farm_get_int(rows, row, 0)) continue;
      status = take_result(s, i, rows, row, err);
      has[i] = 1;
      --*n_left;
    }
  PQclear(rows);
  farm_array_free(&ids);
  return status;
}

static rp_status too_late(const farm_submission *s, unsigned n_left, rp_error *err) {
  snprintf(err->reason, sizeof err->reason,
           "%u of %u jobs are not finished; the same command with --id %.100s waits for them", n_left, s->n, s->id);
  return err->status = RP_ERR_UNAVAILABLE;
}

rp_status farm_wait_for_results(farm_submission *s, rp_error *err) {
  farm_backoff pause = {.least_ns = 5000000, .most_ns = 500000000};
  unsigned n_left = s->n;
  uint8_t *has = calloc(s->n + 1, 1);
  if (!has) return err->status = RP_ERR_MEMORY;
  cli_progress *progress = cli_progress_begin_of("waiting for proofs", s->n);
  rp_status status = RP_OK;
  while (n_left && status == RP_OK) {
    const unsigned before = n_left;
    status = ask_for_results(s, has, &n_left, err);
    if (status != RP_OK) status = farm_try_again(s, status, err);
    cli_progress_set(progress, s->n - n_left);
    if (n_left < before) pause.next_ns = 0;
    if (status == RP_OK && n_left && farm_now_ns() >= s->until_ns) status = too_late(s, n_left, err);
    if (status == RP_OK && n_left && n_left == before) farm_backoff_sleep(&pause);
  }
  cli_progress_end(progress);
  free(has);
  return status;
}
