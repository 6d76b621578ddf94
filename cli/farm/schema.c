/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only one program migrates at a time: the others wait for the lock on the table. */
static const char begin[] = "BEGIN; SET LOCAL client_min_messages = warning; SET LOCAL search_path = reprise, "
                            "pg_temp; CREATE SCHEMA IF NOT EXISTS reprise; "
                            "CREATE TABLE IF NOT EXISTS reprise.schema_version (version int PRIMARY KEY, name text "
                            "NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()); "
                            "LOCK TABLE reprise.schema_version IN EXCLUSIVE MODE";

static rp_status version_of(farm_database *db, int *version, rp_error *err) {
  PGresult *rows = NULL;
  const rp_status status =
      farm_call(db, "SELECT coalesce(max(version), 0) FROM reprise.schema_version", NULL, 0, &rows, err);
  *version = status == RP_OK ? (int)farm_get_int(rows, 0, 0) : 0;
  PQclear(rows);
  return status;
}

static rp_status too_new(int version, rp_error *err) {
  snprintf(err->reason, sizeof err->reason,
           "the farm in this database has schema version %d and this program knows versions up to %d: use a newer "
           "reprise",
           version, farm_n_migrations);
  return err->status = RP_ERR_UNSUPPORTED;
}

/* The step after `version`, in the transaction that has begun. */
static rp_status apply(farm_database *db, int version, rp_error *err) {
  const farm_migration *m = &farm_migrations[version];
  const farm_value values[] = {farm_int4(version + 1), farm_text(m->name)};
  rp_status status = farm_script(db, m->sql, err);
  if (status == RP_OK)
    status = farm_call(db, "INSERT INTO reprise.schema_version (version, name) VALUES ($1, $2)", values, 2, NULL, err);
  return status == RP_OK ? farm_script(db, "COMMIT", err) : status;
}

rp_status farm_migrate(farm_database *db, int *from, rp_error *err) {
  *from = -1;
  for (;;) {
    int version = 0;
    rp_status status = farm_script(db, begin, err);
    if (status == RP_OK) status = version_of(db, &version, err);
    if (*from < 0) *from = version;
    if (status == RP_OK && version > farm_n_migrations) status = too_new(version, err);
    const bool is_done = status == RP_OK && version == farm_n_migrations;
    if (status == RP_OK && !is_done) status = apply(db, version, err);
    if (status != RP_OK || is_done) {
      rp_error ignored;
      const rp_status ended = farm_script(db, is_done ? "COMMIT" : "ROLLBACK", is_done ? err : &ignored);
      return status == RP_OK ? ended : status;
    }
  }
}

rp_status farm_open(farm_database *db, rp_error *err) {
  int version = 0;
  rp_status status = farm_connect(db, err);
  if (status == RP_OK) status = version_of(db, &version, err);
  const bool is_absent = strcmp(db->state, "3F000") == 0 || strcmp(db->state, "42P01") == 0;
  if (status == RP_OK && version == farm_n_migrations) return RP_OK;
  if (status == RP_OK && version > farm_n_migrations) {
    status = too_new(version, err);
  } else if (status == RP_OK) {
    snprintf(err->reason, sizeof err->reason,
             "the farm in this database has schema version %d and this program needs %d: run reprise farm init",
             version, farm_n_migrations);
    status = err->status = RP_ERR_UNSUPPORTED;
  } else if (is_absent) {
    snprintf(err->reason, sizeof err->reason, "there is no farm in this database: run reprise farm init");
    status = err->status = RP_ERR_INPUT;
  }
  farm_disconnect(db);
  return status;
}
