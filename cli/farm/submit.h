/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One call of reprise farm submit.
 */
#ifndef REPRISE_FARM_SUBMIT_H
#define REPRISE_FARM_SUBMIT_H

#include "array.h"
#include "backoff.h"
#include "farm.h"

typedef struct farm_verifier {
  rp_context *context;
  cli_verifier key;
} farm_verifier;
/* From --vkey, or from KEY, which must be a file then. */
rp_status farm_verifier_open(const cli_call *call, farm_verifier *verifier, rp_error *err);
rp_status farm_verifier_check(const farm_verifier *verifier, const char *proof, const char *signals, rp_error *err);
void farm_verifier_close(farm_verifier *verifier);

typedef struct farm_submission {
  const cli_call *call;
  farm_database db;
  farm_backoff backoff;
  uint64_t until_ns; /* UINT64_MAX: no limit */
  uint8_t sha256[32];
  char id[200];           /* what the idempotency keys begin with */
  unsigned n;             /* witnesses: call->args[2 ...] */
  unsigned witness_kinds; /* of CLI_WANT_ */
  int64_t *jobs;          /* for each, its number; 0: not yet */
  farm_verifier verifier;
  unsigned n_dead;
} farm_submission;

/* After a call that lost its connection: pauses, and connects again; RP_OK: the caller repeats the call. Otherwise the
 * status is returned. */
rp_status farm_try_again(farm_submission *s, rp_status status, rp_error *err);
/* Submits one witness in parts, which lie in the database beside each other; *job gets its number. `id` is its
 * idempotency key. */
rp_status farm_upload_witness(farm_submission *s, const char *path, const char *id, int64_t *job, rp_error *err);
/* Submits all witnesses; can be repeated after any failure. */
rp_status farm_submit_witnesses(farm_submission *s, rp_error *err);
/* Waits for all jobs and writes their results. */
rp_status farm_wait_for_results(farm_submission *s, rp_error *err);

#endif
