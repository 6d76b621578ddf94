/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "database.h"

#include "backoff.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CONNECT_SECONDS = 10, MAX_VALUES = 8, MAX_REPEATS = 8 };
static const uint64_t second = 1000000000u;

uint64_t farm_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * second + (uint64_t)now.tv_nsec;
}

/* The first sentence of what libpq or the server says, which may have several lines. */
static rp_status refuse(rp_error *err, rp_status status, const char *what, const char *why) {
  const size_t length = strcspn(why, "\n");
  if (err) {
    err->status = status;
    snprintf(err->reason, sizeof err->reason, "%s%.*s", what, (int)(length < 400 ? length : 400), why);
  }
  return status;
}

static rp_status lost(farm_database *db, const char *why, rp_error *err) {
  char text[512] = "the database: ";
  snprintf(text + strlen(text), sizeof text - strlen(text), "%.400s",
           why); /* libpq's memory ends with the connection */
  farm_disconnect(db);
  db->state[0] = 0;
  return refuse(err, RP_ERR_UNAVAILABLE, "", text);
}

void farm_disconnect(farm_database *db) {
  PQfinish(db->connection);
  db->connection = NULL;
}

/* Waits until the socket can be read (or written); false if the time is over. */
static bool wait_for(const farm_database *db, short events, uint64_t until_ns) {
  for (;;) {
    const uint64_t now = farm_now_ns();
    if (now >= until_ns) return 0;
    struct pollfd fd = {.fd = PQsocket(db->connection), .events = events};
    const int ready = poll(&fd, 1, (int)((until_ns - now) / 1000000 + 1));
    if (ready > 0) return 1;
    if (ready < 0 && errno != EINTR) return 0;
  }
}

static void no_notices(void *user, const char *text) { /* such as "relation exists, skipping" */
  (void)user;
  (void)text;
}

rp_status farm_connect(farm_database *db, rp_error *err) {
  /* The settings of the URL come last and override the others. */
  const char *const names[] = {"application_name",
                               "keepalives_idle",
                               "keepalives_interval",
                               "keepalives_count",
                               "tcp_user_timeout",
                               "dbname",
                               NULL};
  const char *const values[] = {db->program, "10", "5", "3", "20000", db->url, NULL};
  farm_disconnect(db);
  db->connection = PQconnectStartParams(names, values, 1);
  if (!db->connection) return refuse(err, RP_ERR_MEMORY, "", rp_status_text(RP_ERR_MEMORY));
  if (PQstatus(db->connection) == CONNECTION_BAD) return lost(db, PQerrorMessage(db->connection), err);
  const uint64_t until = farm_now_ns() + CONNECT_SECONDS * second;
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  while (next != PGRES_POLLING_OK) {
    if (next == PGRES_POLLING_FAILED) return lost(db, PQerrorMessage(db->connection), err);
    if (!wait_for(db, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until))
      return lost(db, "no answer within 10 seconds; is the address right, and does a server listen there?", err);
    next = PQconnectPoll(db->connection);
  }
  PQsetNoticeProcessor(db->connection, no_notices, NULL);
  if (PQsetnonblocking(db->connection, 1) != 0) return lost(db, PQerrorMessage(db->connection), err);
  return RP_OK;
}

/* Sends what is left of a request and receives all results; the last one counts. */
static rp_status receive(farm_database *db, PGresult **last, rp_error *err) {
  const uint64_t until = farm_now_ns() + (db->timeout_ns ? db->timeout_ns : 30 * second);
  static const char late[] = "it does not answer";
  *last = NULL;
  for (;;) {
    const int flushed = PQflush(db->connection);
    if (flushed < 0) break;
    if (flushed == 0 && !PQisBusy(db->connection)) {
      PGresult *result = PQgetResult(db->connection);
      if (!result) return RP_OK;
      if (*last && PQresultStatus(*last) == PGRES_FATAL_ERROR) { /* the first failure says why */
        PQclear(result);
        continue;
      }
      PQclear(*last);
      *last = result;
      continue;
    }
    if (!wait_for(db, (short)(POLLIN | (flushed ? POLLOUT : 0)), until)) {
      PQclear(*last);
      *last = NULL;
      return lost(db, late, err);
    }
    if (!PQconsumeInput(db->connection)) break;
  }
  PQclear(*last);
  *last = NULL;
  return lost(db, PQerrorMessage(db->connection), err);
}

/* 57P01 to 57P05: the server ends the session, or does not accept one yet. */
static rp_status judge(farm_database *db, PGresult *result, rp_error *err) {
  const ExecStatusType status = PQresultStatus(result);
  db->state[0] = 0;
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return RP_OK;
  const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char *why = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  if (!result || !state || strncmp(state, "57P0", 4) == 0 || PQstatus(db->connection) == CONNECTION_BAD)
    return lost(db, why ? why : PQerrorMessage(db->connection), err);
  snprintf(db->state, sizeof db->state, "%s", state);
  if (strcmp(state, "42501") == 0)
    return refuse(err, RP_ERR_FILE, "the database: ",
                  "this role may not do that; GRANT it reprise_submitter, "
                  "reprise_worker or reprise_reader (or be the farm's owner)");
  return refuse(err, RP_ERR_INPUT, "the database: ", why ? why : "it refuses without a reason");
}

rp_status farm_script(farm_database *db, const char *sql, rp_error *err) {
  PGresult *result = NULL;
  if (!db->connection) return lost(db, "there is no connection", err);
  if (!PQsendQuery(db->connection, sql)) return lost(db, PQerrorMessage(db->connection), err);
  rp_status status = receive(db, &result, err);
  if (status == RP_OK) status = judge(db, result, err);
  PQclear(result);
  return status;
}

static void put_be(uint8_t *out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) out[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

/* The data of a parameter: the binary form of a number, in `room`, or the caller's own bytes. */
static void encode(const farm_value *v, uint8_t room[8], Oid *oid, const char **data, int *bytes) {
  static const Oid oids[] = {23, 20, 701, 25, 17};
  uint64_t bits = (uint64_t)v->integer;
  if (v->type == FARM_FLOAT8) memcpy(&bits, &v->real, sizeof bits);
  *oid = v->type == FARM_ARRAY ? v->oid : oids[v->type];
  *bytes = v->type == FARM_INT4 ? 4 : v->type >= FARM_TEXT ? (int)v->bytes : 8;
  if (v->type < FARM_TEXT) put_be(room, bits, (unsigned)*bytes);
  *data = v->is_null ? NULL : v->type < FARM_TEXT ? (const char *)room : v->bytes ? v->data : "";
}

static rp_status call_once(farm_database *db, const char *sql, const farm_value *values, int n, PGresult **result,
                           rp_error *err) {
  static const int binary[MAX_VALUES] = {1, 1, 1, 1, 1, 1, 1, 1};
  uint8_t room[MAX_VALUES][8];
  const char *data[MAX_VALUES];
  Oid oids[MAX_VALUES];
  int bytes[MAX_VALUES];
  if (!db->connection) return lost(db, "there is no connection", err);
  for (int i = 0; i < n; i++) encode(&values[i], room[i], &oids[i], &data[i], &bytes[i]);
  if (!PQsendQueryParams(db->connection, sql, n, oids, data, bytes, binary, 1))
    return lost(db, PQerrorMessage(db->connection), err);
  const rp_status status = receive(db, result, err);
  return status == RP_OK ? judge(db, *result, err) : status;
}

rp_status farm_call(farm_database *db, const char *sql, const farm_value *values, int n, PGresult **rows,
                    rp_error *err) {
  farm_backoff pause = {.least_ns = second / 200, .most_ns = second / 2};
  for (int i = 0;; i++) {
    PGresult *result = NULL;
    const rp_status status = call_once(db, sql, values, n, &result, err);
    if (status == RP_OK && rows) {
      *rows = result;
      return RP_OK;
    }
    PQclear(result);
    if (rows) *rows = NULL;
    if (i == MAX_REPEATS || (strcmp(db->state, "40001") != 0 && strcmp(db->state, "40P01") != 0)) return status;
    farm_backoff_sleep(&pause);
  }
}

bool farm_is_lost(const farm_database *db, rp_status status) { return status != RP_OK && !db->connection; }
int farm_socket(const farm_database *db) { return db->connection ? PQsocket(db->connection) : -1; }

unsigned farm_notifications(farm_database *db) {
  unsigned news = 0;
  if (!db->connection) return 0;
  if (!PQconsumeInput(db->connection)) {
    farm_disconnect(db);
    return 0;
  }
  for (PGnotify *notify; (notify = PQnotifies(db->connection)) != NULL; PQfreemem(notify))
    news |= strcmp(notify->relname, "reprise_drain") == 0 ? FARM_NEWS_DRAIN : FARM_NEWS_JOBS;
  return news;
}

int64_t farm_get_int(const PGresult *rows, int row, int column) {
  if (PQgetisnull(rows, row, column)) return 0;
  const uint8_t *data = (const uint8_t *)PQgetvalue(rows, row, column);
  const int bytes = PQgetlength(rows, row, column);
  uint64_t value = bytes > 0 && data[0] & 0x80 ? UINT64_MAX : 0;
  for (int i = 0; i < bytes && i < 8; i++) value = value << 8 | data[i];
  return (int64_t)value;
}

bool farm_get_bool(const PGresult *rows, int row, int column) {
  return !PQgetisnull(rows, row, column) && PQgetvalue(rows, row, column)[0] != 0;
}

const char *farm_get_text(const PGresult *rows, int row, int column) {
  return PQgetisnull(rows, row, column) ? NULL : PQgetvalue(rows, row, column);
}

farm_value farm_int4(int64_t value) { return (farm_value){.type = FARM_INT4, .integer = value}; }
farm_value farm_int8(int64_t value) { return (farm_value){.type = FARM_INT8, .integer = value}; }
farm_value farm_float8(double value) { return (farm_value){.type = FARM_FLOAT8, .real = value}; }
farm_value farm_null(farm_type type) { return (farm_value){.type = type, .is_null = 1}; }
farm_value farm_bytes(const void *data, size_t bytes) {
  return (farm_value){.type = FARM_BYTES, .data = data, .bytes = bytes};
}
farm_value farm_text(const char *text) {
  return text ? (farm_value){.type = FARM_TEXT, .data = text, .bytes = strlen(text)} : farm_null(FARM_TEXT);
}
