/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "submit.h"

#include "gnark.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_BYTES = 64 << 20, LARGEST = 768 << 20 /* PostgreSQL holds values of up to 1 GB */ };

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Reads *n witnesses, from number `at` on, up to the limits on their number and bytes. Stops at the first failure. */
static rp_status read_some(farm_submission *s, unsigned at, cli_bytes *witnesses, unsigned *n, rp_error *err) {
  size_t total = 0;
  for (*n = 0; *n < MOST && at + *n < s->n && total < MOST_BYTES; ++*n) {
    const char *path = s->call->args[2 + at + *n];
    const bool solved = s->witness_kinds == CLI_WANT_GNARK_SOLUTION;
    const cli_expected expected = {path, s->witness_kinds, solved ? cli_a_solution : cli_a_witness};
    rp_status status = cli_expect_kinds(&expected, 1, err);
    if (status == RP_OK) status = cli_read(path, LARGEST, &witnesses[*n], err);
    if (status != RP_OK) return status;
    total += witnesses[*n].size;
  }
  return RP_OK;
}

static rp_status send(farm_submission *s, farm_array *witnesses, farm_array *ids, int64_t *jobs, rp_error *err) {
  const farm_options *o = s->call->options;
  PGresult *rows = NULL;
  rp_status status;
  const farm_value values[] = {farm_bytes(s->sha256, sizeof s->sha256),
                               farm_array_value(witnesses),
                               farm_array_value(ids),
                               farm_int4(o->priority),
                               o->deadline ? farm_float8(o->deadline) : farm_null(FARM_FLOAT8),
                               farm_int4(o->attempts ? o->attempts : 5)};
  do {
    status =
        farm_call(&s->db, "SELECT ordinal, job FROM reprise.submit($1, $2, $3, $4, $5, $6)", values, 6, &rows, err);
  } while (status != RP_OK && (status = farm_try_again(s, status, err)) == RP_OK && !rows);
  for (int i = 0; status == RP_OK && i < PQntuples(rows); i++) {
    const int64_t ordinal = farm_get_int(rows, i, 0);
    if (ordinal >= 1 && ordinal <= ids->n) jobs[ordinal - 1] = farm_get_int(rows, i, 1);
  }
  PQclear(rows);
  return status;
}

static rp_status submit_some(farm_submission *s, unsigned at, unsigned *n, rp_error *err) {
  cli_bytes read[MOST] = {{0}};
  size_t room = 0;
  rp_status status = read_some(s, at, read, n, err);
  for (unsigned i = 0; i < *n; i++) room += read[i].size + 4;
  farm_array witnesses = farm_array_of_secrets(room), ids = farm_array_of(FARM_TEXT);
  for (unsigned i = 0; i < *n && status == RP_OK; i++) {
    char id[200 + 1];
    const int length = snprintf(id, sizeof id, "%s/%s", s->id, name_of(s->call->args[2 + at + i]));
    if (length < 0 || (size_t)length >= sizeof id) {
      snprintf(err->reason, sizeof err->reason, "--id and the name of a witness have more than 199 bytes together");
      status = err->status = RP_ERR_ARGUMENT;
    }
    farm_array_data(&witnesses, read[i].data, read[i].size);
    farm_array_text(&ids, id);
  }
  for (unsigned i = 0; i < MOST; i++) cli_release(&read[i]);
  if (status == RP_OK && (witnesses.has_failed || ids.has_failed)) status = err->status = RP_ERR_MEMORY;
  if (status == RP_OK) status = send(s, &witnesses, &ids, s->jobs + at, err);
  farm_array_free(&witnesses);
  farm_array_free(&ids);
  return status;
}

rp_status farm_submit_witnesses(farm_submission *s, rp_error *err) {
  rp_status status = RP_OK;
  for (unsigned at = 0, n = 0; at < s->n && status == RP_OK; at += n) status = submit_some(s, at, &n, err);
  return status;
}
