/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOB, ATTEMPT, KEY, SHA256, KEY_BYTES, CHUNK_BYTES, WITNESS };

/* libpq has no memory for secrets; its copy is overwritten in place, before it is freed. */
static void wipe_rows(PGresult *rows) {
  for (int i = 0; i < PQntuples(rows); i++)
    explicit_bzero(PQgetvalue(rows, i, WITNESS), (size_t)PQgetlength(rows, i, WITNESS));
  PQclear(rows);
}

farm_batch *farm_batch_of(PGresult *rows) {
  const int n = PQntuples(rows);
  farm_batch *b = calloc(1, sizeof *b);
  if (b) b->jobs = calloc((size_t)n + 1, sizeof *b->jobs);
  if (!b || !b->jobs) {
    wipe_rows(rows);
    free(b);
    return NULL;
  }
  b->rows = rows;
  b->n = n;
  for (int i = 0; i < n; i++)
    b->jobs[i] = (farm_job){.id = farm_get_int(rows, i, JOB),
                            .attempt = (int)farm_get_int(rows, i, ATTEMPT),
                            .witness = PQgetvalue(rows, i, WITNESS),
                            .witness_bytes = (size_t)PQgetlength(rows, i, WITNESS)};
  if (n == 0) return b;
  b->key_id = (int32_t)farm_get_int(rows, 0, KEY);
  b->key_bytes = farm_get_int(rows, 0, KEY_BYTES);
  b->chunk_bytes = (int32_t)farm_get_int(rows, 0, CHUNK_BYTES);
  if (PQgetlength(rows, 0, SHA256) == sizeof b->sha256)
    memcpy(b->sha256, PQgetvalue(rows, 0, SHA256), sizeof b->sha256);
  return b;
}

void farm_batch_free(farm_batch *b) {
  if (!b) return;
  for (int i = 0; i < b->n; i++) {
    rp_secret_free(b->jobs[i].large, b->jobs[i].witness_bytes);
    free(b->jobs[i].proof);
    free(b->jobs[i].signals);
  }
  wipe_rows(b->rows);
  free(b->jobs);
  free(b);
}

void farm_batch_fail(farm_batch *b, rp_status status, bool again, const char *reason) {
  for (int i = 0; i < b->n; i++) {
    b->jobs[i].status = status;
    b->jobs[i].again = again;
    snprintf(b->jobs[i].reason, sizeof b->jobs[i].reason, "%s", reason);
  }
}
