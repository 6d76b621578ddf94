/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "submit.h"

#include "gnark.h"

#include <string.h>
#include <sys/stat.h>

enum { MOST = 64, MOST_BYTES = 64 << 20, ID_ROOM = 201 };

/* Larger files than MOST_BYTES are sent in parts (upload.c): PostgreSQL holds values of up to 1 GB, in its memory. */
static bool is_large(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > MOST_BYTES;
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static rp_status check_kind(const farm_submission *s, const char *path, rp_error *err) {
  const bool solved = s->witness_kinds == CLI_WANT_GNARK_SOLUTION;
  const cli_expected expected = {path, s->witness_kinds, solved ? cli_a_solution : cli_a_witness};
  return cli_expect_kinds(&expected, 1, err);
}

/* The idempotency key of a witness; `id` has room for 201 bytes. */
static rp_status id_of(const farm_submission *s, const char *path, char *id, rp_error *err) {
  const int length = snprintf(id, ID_ROOM, "%s/%s", s->id, name_of(path));
  if (length >= 0 && length < ID_ROOM) return RP_OK;
  snprintf(err->reason, sizeof err->reason, "--id and the name of a witness have more than 199 bytes together");
  return err->status = RP_ERR_ARGUMENT;
}

/* Reads *n witnesses, from number `at` on, up to the limits on their number and bytes, or to one that is large. Stops
 * at the first failure. */
static rp_status read_some(farm_submission *s, unsigned at, cli_bytes *witnesses, unsigned *n, rp_error *err) {
  size_t total = 0;
  for (*n = 0; *n < MOST && at + *n < s->n && total < MOST_BYTES; ++*n) {
    const char *path = s->call->args[2 + at + *n];
    if (*n && is_large(path)) break;
    rp_status status = check_kind(s, path, err);
    if (status == RP_OK) status = cli_read(path, MOST_BYTES, &witnesses[*n], err);
    if (status != RP_OK) return status;
    total += witnesses[*n].size;
  }
  return RP_OK;
}

static rp_status send_witnesses(farm_submission *s, farm_array *witnesses, farm_array *ids, int64_t *jobs,
                                rp_error *err) {
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
    char id[ID_ROOM];
    status = id_of(s, s->call->args[2 + at + i], id, err);
    farm_array_data(&witnesses, read[i].data, read[i].size);
    farm_array_text(&ids, id);
  }
  for (unsigned i = 0; i < MOST; i++) cli_release(&read[i]);
  if (status == RP_OK && (witnesses.has_failed || ids.has_failed)) status = err->status = RP_ERR_MEMORY;
  if (status == RP_OK) status = send_witnesses(s, &witnesses, &ids, s->jobs + at, err);
  farm_array_free(&witnesses);
  farm_array_free(&ids);
  return status;
}

static rp_status submit_large(farm_submission *s, unsigned at, rp_error *err) {
  char id[ID_ROOM];
  const char *path = s->call->args[2 + at];
  rp_status status = check_kind(s, path, err);
  if (status == RP_OK) status = id_of(s, path, id, err);
  return status == RP_OK ? farm_upload_witness(s, path, id, &s->jobs[at], err) : status;
}

rp_status farm_submit_witnesses(farm_submission *s, rp_error *err) {
  rp_status status = RP_OK;
  for (unsigned at = 0, n = 1; at < s->n && status == RP_OK; at += n) {
    n = 1;
    status = is_large(s->call->args[2 + at]) ? submit_large(s, at, err) : submit_some(s, at, &n, err);
  }
  return status;
}
