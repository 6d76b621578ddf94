/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One connection to PostgreSQL, over libpq. No call waits for longer than a limit, whatever the network does: requests
 * are sent and answers received without blocking, and a server that does not answer in time counts as lost. Nothing is
 * repeated here; a lost connection is opened again by the caller, who knows what may be repeated.
 *
 * Passwords are never part of a message. Parameters are sent in binary, apart from the text of the query.
 */
#ifndef REPRISE_FARM_DATABASE_H
#define REPRISE_FARM_DATABASE_H

#include <reprise/reprise.h>

#include <stdbool.h>
#include <libpq-fe.h>
#include <stddef.h>

typedef struct farm_database {
  const char *url; /* or a connection string of libpq; kept by the caller */
  const char *program;
  PGconn *connection;  /* NULL: not connected */
  uint64_t timeout_ns; /* for one request; 0: 30 s */
  char state[6];       /* SQLSTATE of the last failure; empty: the connection failed */
} farm_database;

/* Values of parameters; farm_call takes an array of them. Those that are not numbers are not copied. */
typedef enum farm_type { FARM_INT4, FARM_INT8, FARM_FLOAT8, FARM_TEXT, FARM_BYTES, FARM_ARRAY } farm_type;
typedef struct farm_value {
  farm_type type;
  uint32_t oid; /* of the array */
  bool is_null;
  int64_t integer;
  double real;
  const void *data; /* of texts, bytes and arrays in binary form (array.h) */
  size_t bytes;
} farm_value;
farm_value farm_int4(int64_t value);
farm_value farm_int8(int64_t value);
farm_value farm_float8(double value);
farm_value farm_text(const char *text); /* NULL: null */
farm_value farm_bytes(const void *data, size_t bytes);
farm_value farm_null(farm_type type);

/* Connects. RP_ERR_UNAVAILABLE: no server answers, or it refuses. */
rp_status farm_connect(farm_database *db, rp_error *err);
void farm_disconnect(farm_database *db);
/* Sends one statement and receives its rows, in binary form. RP_ERR_UNAVAILABLE: the connection was lost, or there is
 * none, and it is unknown whether the statement was executed; db->connection is NULL then. Otherwise the server refused
 * the statement, db->state says why, and it had no effect. The caller clears *rows; it may be NULL if no rows are
 * wanted. Statements that a distributed server aborted in favour of others (SQLSTATE 40001, 40P01) are repeated. */
rp_status farm_call(farm_database *db, const char *sql, const farm_value *values, int n, PGresult **rows,
                    rp_error *err);
/* Several statements in one text, without parameters. */
rp_status farm_script(farm_database *db, const char *sql, rp_error *err);
/* Whether the status says that the connection is lost. */
bool farm_is_lost(const farm_database *db, rp_status status);
int farm_socket(const farm_database *db); /* -1: none */
/* Takes the notifications that have arrived: of jobs, or of draining. A connection that turns out to be lost is
 * closed. */
enum { FARM_NEWS_JOBS = 1, FARM_NEWS_DRAIN = 2 };
unsigned farm_notifications(farm_database *db);

/* Fields of an answer: integers are big-endian, as PostgreSQL sends them. Null gives 0. */
int64_t farm_get_int(const PGresult *rows, int row, int column);
bool farm_get_bool(const PGresult *rows, int row, int column);
const char *farm_get_text(const PGresult *rows, int row, int column); /* NULL: null */
uint64_t farm_now_ns(void);

#endif
