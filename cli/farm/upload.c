/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Witnesses that are too large for one value of the database, in parts. What has arrived is not sent again.
 */
#include "keys.h"
#include "submit.h"

#include "files/mapping.h"

#include <string.h>

enum { PART_BYTES = 16 << 20 };
#define UPLOAD_GONE "RP004"

enum { JOB, UPLOAD, PART, MISSING };

typedef struct upload {
  farm_submission *s;
  const char *id;
  const support_file *file;
  int64_t number, part_bytes; /* as the database has them */
  uint8_t *block;             /* PART_BYTES */
} upload;

static rp_status send_part(const upload *u, int64_t n, rp_error *err) {
  const uint64_t at = (uint64_t)(n * u->part_bytes), left = support_file_size(u->file) - at;
  const uint64_t bytes = left < (uint64_t)u->part_bytes ? left : (uint64_t)u->part_bytes;
  rp_status status = support_file_read(u->file, at, bytes, u->block, err);
  const farm_value values[] = {farm_int8(u->number), farm_int4(n), farm_bytes(u->block, (size_t)bytes)};
  return status == RP_OK ? farm_call(&u->s->db, "SELECT reprise.upload_put($1, $2, $3)", values, 3, NULL, err) : status;
}

static rp_status end(const upload *u, int64_t *job, rp_error *err) {
  const farm_options *o = u->s->call->options;
  PGresult *rows = NULL;
  const farm_value values[] = {farm_bytes(u->s->sha256, sizeof u->s->sha256),
                               farm_int8(u->number),
                               farm_text(u->id),
                               farm_int8((int64_t)support_file_size(u->file)),
                               farm_int4(o->priority),
                               o->deadline ? farm_float8(o->deadline) : farm_null(FARM_FLOAT8),
                               farm_int4(o->attempts ? o->attempts : 5)};
  const rp_status status =
      farm_call(&u->s->db, "SELECT reprise.submit_upload($1, $2, $3, $4, $5, $6, $7)", values, 7, &rows, err);
  if (status == RP_OK) *job = farm_get_int(rows, 0, 0);
  PQclear(rows);
  return status;
}

/* From the beginning, or from where a call before has come. */
static rp_status send(upload *u, int64_t *job, rp_error *err) {
  static const char begin[] = "SELECT job, upload, part, m FROM reprise.upload_begin($1, $2, $3, $4) "
                              "LEFT JOIN LATERAL unnest(missing) AS m ON true";
  PGresult *rows = NULL;
  const farm_value values[] = {farm_bytes(u->s->sha256, sizeof u->s->sha256), farm_text(u->id),
                               farm_int8((int64_t)support_file_size(u->file)), farm_int4(PART_BYTES)};
  rp_status status = farm_call(&u->s->db, begin, values, 4, &rows, err);
  if (status == RP_OK) {
    *job = farm_get_int(rows, 0, JOB);
    u->number = farm_get_int(rows, 0, UPLOAD);
    u->part_bytes = farm_get_int(rows, 0, PART);
  }
  if (status == RP_OK && !*job && (u->part_bytes <= 0 || u->part_bytes > PART_BYTES)) {
    snprintf(err->reason, sizeof err->reason, "%s is being sent in parts of another size", u->id);
    status = err->status = RP_ERR_INPUT;
  }
  for (int i = 0; status == RP_OK && !*job && i < PQntuples(rows); i++)
    if (!PQgetisnull(rows, i, MISSING)) status = send_part(u, farm_get_int(rows, i, MISSING), err);
  PQclear(rows);
  return status == RP_OK && !*job ? end(u, job, err) : status;
}

rp_status farm_upload_witness(farm_submission *s, const char *path, const char *id, int64_t *job, rp_error *err) {
  support_file *file = NULL;
  *job = 0;
  rp_status status = support_file_open(path, 0, &file, err);
  if (status != RP_OK) return status;
  upload u = {.s = s, .id = id, .file = file, .block = rp_secret_alloc(PART_BYTES)};
  if (!u.block) status = err->status = RP_ERR_MEMORY;
  while (status == RP_OK) {
    status = send(&u, job, err);
    if (status == RP_OK) break;
    if (strcmp(s->db.state, UPLOAD_GONE) == 0 && s->db.connection && farm_now_ns() < s->until_ns)
      status = RP_OK;
    else
      status = farm_try_again(s, status, err);
  }
  rp_secret_free(u.block, PART_BYTES);
  support_file_close(file);
  return status;
}
