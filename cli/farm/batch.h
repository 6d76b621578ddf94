/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Jobs of one key that a worker claimed together. The witnesses are in the memory of the answer, or in secret memory
 * if they came in parts; both are wiped.
 */
#ifndef REPRISE_FARM_BATCH_H
#define REPRISE_FARM_BATCH_H

#include "database.h"

typedef struct farm_job {
  int64_t id;
  int attempt;
  const void *witness;
  size_t witness_bytes;
  uint8_t *large;   /* NULL, or secret memory for the witness, which came in parts and has witness_bytes bytes */
  bool is_lost;     /* another worker has the job now; its result is discarded */
  rp_status status; /* of the proof */
  bool again;       /* 1: the failure may be this machine's, so that another attempt makes sense */
  char reason[508];
  char *proof, *signals; /* JSON; freed with the batch */
  uint64_t prove_ns;
} farm_job;

typedef struct farm_batch {
  PGresult *rows;
  farm_job *jobs;
  int n;
  int32_t key_id, chunk_bytes;
  int64_t key_bytes;
  uint8_t sha256[32];
  struct farm_batch *next;
} farm_batch;

/* Takes the rows of reprise.claim(); NULL when out of memory (the rows are cleared then). */
farm_batch *farm_batch_of(PGresult *rows);
/* Wipes the witnesses. NULL is accepted. */
void farm_batch_free(farm_batch *batch);
/* Gives all jobs that status, with a reason. */
void farm_batch_fail(farm_batch *batch, rp_status status, bool again, const char *reason);

#endif
