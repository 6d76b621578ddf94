/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "prover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A failure that every machine would see is not tried again. A proof that did not verify is tried once more, since a
 * faulty machine makes such proofs too. */
static bool is_worth_another(rp_status status, int attempt) {
  if (status == RP_ERR_FORMAT || status == RP_ERR_INPUT || status == RP_ERR_MISMATCH) return 0;
  return status != RP_ERR_VERIFY || attempt < 2;
}

static void end_job(const cli_session *s, const rp_groth16_job *made, farm_job *job, uint64_t ns) {
  rp_error err = made->error;
  job->status = made->status;
  if (made->status == RP_OK)
    job->status =
        cli_proof_texts(cli_protocol_of_session(s), cli_is_gnark(s), (const cli_proof *)(const void *)made->proof,
                        made->public_signals, cli_n_public(s), &job->proof, &job->signals, &err);
  job->prove_ns = ns;
  if (job->status == RP_OK) return;
  job->again = is_worth_another(job->status, job->attempt);
  snprintf(job->reason, sizeof job->reason, "%s", err.reason[0] ? err.reason : rp_status_text(job->status));
}

static rp_status prove_with(const cli_session *s, farm_batch *b) {
  const size_t n = (size_t)b->n, signals_bytes = (size_t)cli_n_public(s) * 32 + 1;
  rp_groth16_job *jobs = calloc(n, sizeof *jobs);
  cli_proof *proofs = calloc(n, sizeof *proofs);
  uint8_t *signals = calloc(n, signals_bytes);
  rp_status status = jobs && proofs && signals ? RP_OK : RP_ERR_MEMORY, first;
  rp_error err = {0};
  if (status != RP_OK) farm_batch_fail(b, status, 1, rp_status_text(status));
  for (size_t i = 0; status == RP_OK && i < n; i++)
    jobs[i] = (rp_groth16_job){.struct_size = sizeof *jobs,
                               .wtns = b->jobs[i].witness,
                               .wtns_bytes = b->jobs[i].witness_bytes,
                               .proof = &proofs[i].groth16,
                               .public_signals = signals + i * signals_bytes};
  if (status == RP_OK) {
    const uint64_t begin = farm_now_ns();
    first = cli_prove_batch(s, jobs, n, &err);
    const uint64_t ns = (farm_now_ns() - begin) / n;
    for (size_t i = 0; i < n; i++) end_job(s, &jobs[i], &b->jobs[i], ns);
    status = first;
  }
  free(jobs);
  free(proofs);
  free(signals);
  return status;
}

static void prove(void *self, farm_batch *b) {
  farm_device_prover *p = self;
  const cli_session *session = NULL;
  rp_error err = {0};
  rp_status status = farm_residents_get(p->residents, b, &session, &err);
  if (status == RP_OK)
    status = prove_with(session, b);
  else
    farm_batch_fail(b, status, status != RP_ERR_FORMAT && status != RP_ERR_MISMATCH,
                    err.reason[0] ? err.reason : rp_status_text(status));
  if (status != RP_ERR_DEVICE_LOST || p->lost) return;
  p->lost = status;
  const uint64_t one = 1;
  (void)!write(p->stop_fd, &one, sizeof one); /* the counter never overflows */
}

static void resident(void *self, farm_array *keys) {
  farm_residents_ids(((farm_device_prover *)self)->residents, keys);
}

farm_prover farm_prover_of(farm_device_prover *p) {
  return (farm_prover){.self = p, .prove = prove, .resident = resident};
}
