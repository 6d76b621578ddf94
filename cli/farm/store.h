/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calls of a worker, each one transaction. `worker` is the number that farm_worker_begin gave; db->state is RP001
 * if the database no longer has that worker, which must then begin again.
 */
#ifndef REPRISE_FARM_STORE_H
#define REPRISE_FARM_STORE_H

#include "array.h"
#include "batch.h"

#define FARM_GONE "RP001"

/* Begins, or begins again in place of worker `before` (0: none), still holding the jobs of the batches in the lists.
 * Jobs that no longer belong to the worker get is_lost; *n_stored counts those of them whose results had arrived. */
rp_status farm_worker_begin(farm_database *db, const char *name, double lease_seconds, int64_t before,
                            farm_batch *const *lists, int n_lists, int64_t *worker, int64_t *n_stored, rp_error *err);
rp_status farm_heartbeat(farm_database *db, int64_t worker, farm_array *keys, bool *draining, int64_t *n_alive,
                         rp_error *err);
/* *batch is NULL if there was nothing. After a failure the jobs are claimed, and nobody has them: the worker begins
 * again, which gives them back. */
rp_status farm_claim(farm_database *db, int64_t worker, int most, int64_t most_bytes, farm_array *keys, double patience,
                     farm_batch **batch, rp_error *err);
/* Stores the results of a batch, and its failures. Jobs whose results are not stored get is_lost. */
rp_status farm_store(farm_database *db, int64_t worker, farm_batch *batch, int64_t *n_stored, rp_error *err);
rp_status farm_release(farm_database *db, int64_t worker, const farm_batch *batch, rp_error *err);
rp_status farm_worker_end(farm_database *db, int64_t worker, rp_error *err);

#endif
