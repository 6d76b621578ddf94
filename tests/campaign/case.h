/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One case: a key of the round, one witness or several, one way to ask for proofs.
 */
#ifndef REPRISE_TESTS_CAMPAIGN_CASE_H
#define REPRISE_TESTS_CAMPAIGN_CASE_H

#include "round.h"

enum { MOST_JOBS = 8, UNTOUCHED = 0x5a }; /* what stands in the caller's memory before */

typedef struct job {
  attempt about;
  uint8_t *values; /* as given; n of them */
  size_t n;
  blob wtns;
  char path[192];
  uint8_t *signals, *room; /* what the witness says; the caller's memory, NULL if none is given */
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

/* witness.c: a witness for the way, sound or spoilt, and room for what comes back. 0: no memory, or no room for a
 * file. */
int job_make(trial *t, uint32_t i, path_id path);
void job_free(job *j);

/* ways.c: fill in status, reason and proof of the trial's jobs. */
void prove_one(trial *t, rp_groth16_prover *prover);
void prove_batch(trial *t, rp_groth16_prover *prover);
/* The prover's recording, used as its own calls use it, but with a thread that cancels after 1 us to 4 ms. What is done
 * by then must be a valid proof. */
void prove_and_cancel(trial *t, rp_groth16_prover *prover);

#endif
