/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "store.h"

#include <stdlib.h>
#include <string.h>

static rp_status no_memory(rp_error *err) {
  *err = (rp_error){.status = RP_ERR_MEMORY};
  return RP_ERR_MEMORY;
}

rp_status farm_worker_begin(farm_database *db, const char *name, double lease_seconds, int64_t before,
                            farm_batch *const *lists, int n_lists, int64_t *worker, int64_t *n_stored, rp_error *err) {
  PGresult *rows = NULL;
  farm_array ids = farm_array_of(FARM_INT8);
  *n_stored = 0;
  for (int l = 0; l < n_lists; l++)
    for (const farm_batch *b = lists[l]; b; b = b->next)
      for (int i = 0; i < b->n; i++)
        if (!b->jobs[i].is_lost) farm_array_int(&ids, b->jobs[i].id);
  const farm_value values[] = {farm_text(name), farm_float8(lease_seconds),
                               before ? farm_int8(before) : farm_null(FARM_INT8), farm_array_value(&ids)};
  rp_status status = ids.has_failed
                         ? no_memory(err)
                         : farm_call(db, "SELECT worker, kept, stored FROM reprise.worker_begin($1, $2, $3, $4)",
                                     values, 4, &rows, err);
  if (status == RP_OK) *worker = farm_get_int(rows, 0, 0);
  for (int l = 0; l < n_lists && status == RP_OK; l++)
    for (const farm_batch *b = lists[l]; b; b = b->next)
      for (int i = 0; i < b->n; i++)
        if (!b->jobs[i].is_lost && !farm_array_has(rows, 0, 1, b->jobs[i].id)) {
          b->jobs[i].is_lost = 1;
          *n_stored += farm_array_has(rows, 0, 2, b->jobs[i].id);
        }
  PQclear(rows);
  farm_array_free(&ids);
  return status;
}

rp_status farm_heartbeat(farm_database *db, int64_t worker, farm_array *keys, bool *draining, int64_t *n_alive,
                         rp_error *err) {
  PGresult *rows = NULL;
  const farm_value values[] = {farm_int8(worker), farm_array_value(keys)};
  const rp_status status =
      farm_call(db, "SELECT draining, alive FROM reprise.heartbeat($1, $2)", values, 2, &rows, err);
  if (status == RP_OK) {
    *draining = farm_get_bool(rows, 0, 0);
    *n_alive = farm_get_int(rows, 0, 1);
  }
  PQclear(rows);
  return status;
}

/* One part of a witness. Sets the sizes; a row that does not fit them ends the witness, of which nothing is left. */
static rp_status fetch_part(farm_database *db, int64_t worker, farm_job *j, int64_t n, int64_t *size_bytes,
                            int64_t *part_bytes, rp_error *err) {
  PGresult *rows = NULL;
  const farm_value values[] = {farm_int8(worker), farm_int8(j->id), farm_int4(n)};
  rp_status status =
      farm_call(db, "SELECT size_bytes, part_bytes, data FROM reprise.witness_part($1, $2, $3)", values, 3, &rows, err);
  if (status != RP_OK) return status;
  const bool is_there = PQntuples(rows) == 1;
  if (is_there && n == 0) {
    *size_bytes = farm_get_int(rows, 0, 0);
    *part_bytes = farm_get_int(rows, 0, 1);
    j->large = rp_secret_alloc((size_t)*size_bytes);
    if (j->large)
      j->witness_bytes = (size_t)*size_bytes;
    else
      status = no_memory(err);
  }
  const int64_t left = *size_bytes - n * *part_bytes, expected = left < *part_bytes ? left : *part_bytes;
  const bool fits = is_there && PQgetlength(rows, 0, 2) == expected;
  if (fits && status == RP_OK) memcpy(j->large + n * *part_bytes, PQgetvalue(rows, 0, 2), (size_t)expected);
  if (is_there) explicit_bzero(PQgetvalue(rows, 0, 2), (size_t)PQgetlength(rows, 0, 2));
  PQclear(rows);
  if (!fits) *size_bytes = 0;
  return status;
}

/* The witnesses of a batch that are in parts, for which it has empty ones. One that is not complete stays empty. */
static rp_status fetch_large(farm_database *db, int64_t worker, farm_batch *b, rp_error *err) {
  rp_status status = RP_OK;
  for (int i = 0; i < b->n && status == RP_OK; i++) {
    farm_job *j = &b->jobs[i];
    int64_t size = 1, part = 1;
    if (j->witness_bytes) continue;
    for (int64_t n = 0; n * part < size && status == RP_OK; n++)
      status = fetch_part(db, worker, j, n, &size, &part, err);
    if (size) {
      j->witness = j->large;
      continue;
    }
    rp_secret_free(j->large, j->witness_bytes);
    j->large = NULL;
    j->witness_bytes = 0;
  }
  return status;
}

rp_status farm_claim(farm_database *db, int64_t worker, int most, int64_t most_bytes, farm_array *keys, double patience,
                     farm_batch **batch, rp_error *err) {
  PGresult *rows = NULL;
  const farm_value values[] = {farm_int8(worker), farm_int4(most), farm_int8(most_bytes), farm_array_value(keys),
                               farm_float8(patience)};
  *batch = NULL;
  const rp_status status = farm_call(db,
                                     "SELECT job, attempt, key_id, sha256, key_bytes, chunk_bytes, witness FROM "
                                     "reprise.claim($1, $2, $3, $4, $5)",
                                     values, 5, &rows, err);
  if (status != RP_OK) return status;
  if (PQntuples(rows) == 0) {
    PQclear(rows);
    return RP_OK;
  }
  farm_batch *b = farm_batch_of(rows);
  if (!b) return no_memory(err);
  const rp_status fetched = fetch_large(db, worker, b, err);
  if (fetched == RP_OK)
    *batch = b;
  else
    farm_batch_free(b);
  return fetched;
}

/* The jobs whose proofs were made. */
static rp_status store_proofs(farm_database *db, int64_t worker, farm_batch *b, int64_t *n_stored, rp_error *err) {
  farm_array ids = farm_array_of(FARM_INT8), proofs = farm_array_of(FARM_TEXT), signals = farm_array_of(FARM_TEXT);
  farm_array ns = farm_array_of(FARM_INT8);
  PGresult *rows = NULL;
  for (int i = 0; i < b->n; i++) {
    const farm_job *j = &b->jobs[i];
    if (j->is_lost || j->status != RP_OK) continue;
    farm_array_int(&ids, j->id);
    farm_array_text(&proofs, j->proof);
    farm_array_text(&signals, j->signals);
    farm_array_int(&ns, (int64_t)j->prove_ns);
  }
  rp_status status = RP_OK;
  if (ids.has_failed || proofs.has_failed || signals.has_failed || ns.has_failed) {
    status = no_memory(err);
  } else if (ids.n) {
    const farm_value values[] = {farm_int8(worker), farm_array_value(&ids), farm_array_value(&proofs),
                                 farm_array_value(&signals), farm_array_value(&ns)};
    status = farm_call(db, "SELECT array_agg(s) FROM reprise.store($1, $2, $3, $4, $5) AS s", values, 5, &rows, err);
  }
  for (int i = 0; i < b->n && rows; i++) {
    farm_job *j = &b->jobs[i];
    if (j->is_lost || j->status != RP_OK) continue;
    if (farm_array_has(rows, 0, 0, j->id)) ++*n_stored;
    j->is_lost = 1; /* in either case the job no longer belongs to the worker */
  }
  PQclear(rows);
  farm_array_free(&ids);
  farm_array_free(&proofs);
  farm_array_free(&signals);
  farm_array_free(&ns);
  return status;
}

static rp_status store_failures(farm_database *db, int64_t worker, const farm_batch *b, rp_error *err) {
  farm_array ids = farm_array_of(FARM_INT8), why = farm_array_of(FARM_TEXT),
             again = farm_array_of((farm_type)FARM_BOOL);
  for (int i = 0; i < b->n; i++) {
    const farm_job *j = &b->jobs[i];
    if (j->is_lost || j->status == RP_OK) continue;
    farm_array_int(&ids, j->id);
    farm_array_text(&why, j->reason[0] ? j->reason : rp_status_text(j->status));
    farm_array_bool(&again, j->again);
  }
  rp_status status = RP_OK;
  if (ids.has_failed || why.has_failed || again.has_failed) {
    status = no_memory(err);
  } else if (ids.n) {
    const farm_value values[] = {farm_int8(worker), farm_array_value(&ids), farm_array_value(&why),
                                 farm_array_value(&again)};
    status = farm_call(db, "SELECT reprise.fail($1, $2, $3, $4)", values, 4, NULL, err);
  }
  farm_array_free(&ids);
  farm_array_free(&why);
  farm_array_free(&again);
  return status;
}

rp_status farm_store(farm_database *db, int64_t worker, farm_batch *b, int64_t *n_stored, rp_error *err) {
  const rp_status status = store_proofs(db, worker, b, n_stored, err);
  return status == RP_OK ? store_failures(db, worker, b, err) : status;
}

rp_status farm_release(farm_database *db, int64_t worker, const farm_batch *b, rp_error *err) {
  farm_array ids = farm_array_of(FARM_INT8);
  for (int i = 0; i < b->n; i++)
    if (!b->jobs[i].is_lost) farm_array_int(&ids, b->jobs[i].id);
  const farm_value values[] = {farm_int8(worker), farm_array_value(&ids)};
  const rp_status status =
      ids.has_failed ? no_memory(err) : farm_call(db, "SELECT reprise.release($1, $2)", values, 2, NULL, err);
  farm_array_free(&ids);
  return status;
}

rp_status farm_worker_end(farm_database *db, int64_t worker, rp_error *err) {
  const farm_value values[] = {farm_int8(worker)};
  return farm_call(db, "SELECT reprise.worker_end($1)", values, 1, NULL, err);
}
