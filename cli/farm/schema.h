/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The version of the schema that this program knows: the number of its migrations, which are the files of sql/.
 */
#ifndef REPRISE_FARM_SCHEMA_H
#define REPRISE_FARM_SCHEMA_H

#include "database.h"

typedef struct farm_migration {
  const char *name, *sql;
} farm_migration;
extern const farm_migration farm_migrations[];
extern const int farm_n_migrations;

/* Brings the database to this version, one transaction for each step. RP_ERR_UNSUPPORTED: it is newer. *from becomes
 * the version that it had, 0 if there was no farm. */
rp_status farm_migrate(farm_database *db, int *from, rp_error *err);
/* Connects, and refuses a database of another version. */
rp_status farm_open(farm_database *db, rp_error *err);

#endif
