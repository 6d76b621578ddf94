/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "farm.h"

#include "schema.h"

cli_exit farm_run_init(const cli_call *call) {
  farm_database db = {.url = call->args[0], .program = "reprise farm init"};
  rp_error err = {0};
  int from = 0;
  rp_status status = farm_connect(&db, &err);
  if (status == RP_OK) status = farm_migrate(&db, &from, &err);
  if (status == RP_OK && from == farm_n_migrations)
    cli_tell(call, "the farm is there already, with schema version %d", from);
  else if (status == RP_OK)
    cli_tell(call, from ? "migrated the farm from schema version %d to %d" : "created a farm: schema version %d to %d",
             from, farm_n_migrations);
  farm_disconnect(&db);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}
