/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The loop of a worker. The calling thread speaks with the database: it claims a batch ahead of the one that is being
 * proved, stores results, renews the lease. Another thread proves, so that neither waits for the other.
 */
#ifndef REPRISE_FARM_WORKER_H
#define REPRISE_FARM_WORKER_H

#include "store.h"

/* What proves. A pool over several devices takes one batch after the other just as one device does. */
typedef struct farm_prover {
  void *self;
  /* Sets status, reason and texts of every job; called by one thread. Does not look at is_lost. */
  void (*prove)(void *self, farm_batch *batch);
  /* The ids of the keys that are resident, at any time. */
  void (*resident)(void *self, farm_array *keys);
} farm_prover;

typedef struct farm_worker_options {
  const char *name;
  double lease_seconds;    /* after this time without a sign of life, others take a worker's jobs */
  double poll_seconds;     /* between two calls for jobs where no notification arrives */
  double patience_seconds; /* how long jobs whose keys are not resident here wait for a worker that has the key */
  double batch_seconds;    /* how much work is claimed at once, from measured rates */
  int most;                /* jobs of a batch */
  int64_t most_bytes;      /* witnesses of a batch */
  int64_t end_after;       /* results; 0: work until told to end */
  bool until_empty;        /* 1: it ends when no job is ready */
  int stop_fd;             /* becomes readable when the worker is to end; it then finishes what is being proved */
  void (*log)(void *user, const char *text);
  void *user;
} farm_worker_options;

typedef struct farm_worker_counts {
  int64_t stored, failed, lost, claims, reconnects;
  uint64_t database_ns; /* of claims and of storing, which the prover does not wait for */
} farm_worker_counts;

/* Works until it is told to end. RP_OK: it holds no job any more. RP_ERR_UNAVAILABLE: the database cannot be reached at
 * the beginning, or at the end. */
rp_status farm_work(farm_database *db, const farm_worker_options *options, const farm_prover *prover,
                    farm_worker_counts *counts, rp_error *err);

#endif
