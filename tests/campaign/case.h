/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One case: a key of the round, one or several witnesses, and one way to ask for proofs.
 */
#ifndef REPRISE_TESTS_CAMPAIGN_CASE_H
#define REPRISE_TESTS_CAMPAIGN_CASE_H

#include "round.h"

enum { MOST_JOBS = 8, UNTOUCHED = 0x5a }; /* UNTOUCHED: the bytes of the caller's memory before the call */

typedef struct job {
  attempt about;
  uint8_t *values; /* the n values of the witness, as given */
  size_t n;
  blob wtns;
  char path[192];
  uint8_t *signals, *room; /* public signals of the witness; the caller's memory for them, or NULL */
  rp_groth16_proof proof;
  rp_status status;
  rp_error err;
  verdict verdict;
} job;

typedef struct trial {
  round_t *round;
  campaign *all;
  uint64_t number, random;
  uint32_t client, n_jobs;
  member *m;
  job jobs[MOST_JOBS];
} trial;

/* witness.c: makes job i: a witness, sound or spoilt, in the form that the path takes, and memory for the results.
 * Returns 0 if memory is missing or a file cannot be written. */
int job_make(trial *t, uint32_t i, path_id path);
void job_free(job *j);

/* ways.c: set the status, reason and proof of the trial's jobs. */
void prove_one(trial *t, rp_groth16_prover *prover);
void prove_batch(trial *t, rp_groth16_prover *prover);
/* Runs the prover's recording as its own calls do, while another thread cancels the run after 1 us to 4 ms. If the run
 * is done by then, its proof must be valid. */
void prove_and_cancel(trial *t, rp_groth16_prover *prover);

#endif
