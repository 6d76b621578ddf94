/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "farm.h"

#include "backoff.h"
#include "schema.h"

cli_exit farm_run_drain(const cli_call *call) {
  const farm_options *o = call->options;
  farm_database db = {.url = call->args[0], .program = "reprise farm drain"};
  const farm_value values[] = {farm_text(call->n_args > 1 ? call->args[1] : NULL)};
  farm_backoff pause = {.least_ns = 20000000, .most_ns = 1000000000};
  rp_error err = {0};
  int64_t left = 1;
  rp_status status = farm_open(&db, &err);
  while (status == RP_OK && left) {
    PGresult *rows = NULL;
    status = farm_call(&db, "SELECT reprise.drain($1)", values, 1, &rows, &err);
    left = status == RP_OK ? farm_get_int(rows, 0, 0) : left;
    PQclear(rows);
    if (o->no_wait) break;
    if (left) farm_backoff_sleep(&pause);
  }
  farm_disconnect(&db);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}
