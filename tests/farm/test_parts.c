/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Witnesses that come in parts, from answers that this program makes in place of a database's: a witness is put
 * together, one with a part that is missing or has another length stays empty, and every part is wiped before libpq
 * frees it.
 */
#include "store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { PART = 48, PARTS = 3, LAST = 17, WITNESS = PART * (PARTS - 1) + LAST };

static uint8_t witness[WITNESS];
static int missing, shorter; /* the number of such a part; -1: none */
static int lost_at = -1;     /* the part for which the database does not answer */
static int secrets;          /* pieces of memory for secrets that have not been freed */
static bool in_parts;        /* or the witness comes with its job */
static unsigned wiped, left;

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

typedef struct field {
  const char *name;
  const void *data;
  int bytes;
} field;

static PGresult *row_of(const field *fields, int n) {
  PGresAttDesc columns[8] = {{0}};
  PGresult *rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
  for (int i = 0; i < n; i++) columns[i] = (PGresAttDesc){.name = (char *)(uintptr_t)fields[i].name, .format = 1};
  assert_int_equal(PQsetResultAttrs(rows, n, columns), 1);
  for (int i = 0; i < n; i++)
    assert_int_equal(PQsetvalue(rows, 0, i, (char *)(uintptr_t)fields[i].data, fields[i].bytes), 1);
  return rows;
}

static PGresult *claimed(void) { /* one job */
  static const uint8_t job[8] = {[7] = 1}, four[4] = {[3] = 1}, digest[32] = {1};
  const field fields[] = {{"job", job, 8},
                          {"attempt", four, 4},
                          {"key_id", four, 4},
                          {"sha256", digest, 32},
                          {"key_bytes", job, 8},
                          {"chunk_bytes", four, 4},
                          {"witness", witness, in_parts ? 0 : PART}};
  return row_of(fields, 7);
}

static PGresult *part(int n) {
  static const uint8_t size[8] = {[7] = WITNESS}, part_bytes[4] = {[3] = PART};
  const int bytes = (n < PARTS - 1 ? PART : LAST) - (n == shorter);
  const field fields[] = {{"size_bytes", size, 8}, {"part_bytes", part_bytes, 4}, {"data", witness + n * PART, bytes}};
  if (n == missing) return PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
  return row_of(fields, 3);
}

rp_status __wrap_farm_call(farm_database *db, const char *sql, const farm_value *values, int n, PGresult **rows,
                           rp_error *err);
rp_status __wrap_farm_call(farm_database *db, const char *sql, const farm_value *values, int n, PGresult **rows,
                           rp_error *err) {
  (void)db, (void)err;
  const bool is_part = strstr(sql, "reprise.witness_part") != NULL;
  assert_true(is_part || strstr(sql, "reprise.claim") != NULL);
  if (is_part && values[n - 1].integer == lost_at) return RP_ERR_UNAVAILABLE;
  *rows = is_part ? part((int)values[n - 1].integer) : claimed();
  return RP_OK;
}

void *__real_rp_secret_alloc(size_t bytes);
void *__wrap_rp_secret_alloc(size_t bytes);
void *__wrap_rp_secret_alloc(size_t bytes) {
  secrets++;
  return __real_rp_secret_alloc(bytes);
}

void __real_rp_secret_free(void *memory, size_t bytes);
void __wrap_rp_secret_free(void *memory, size_t bytes);
void __wrap_rp_secret_free(void *memory, size_t bytes) {
  if (memory) secrets--;
  __real_rp_secret_free(memory, bytes);
}

void __real_PQclear(PGresult *rows);
void __wrap_PQclear(PGresult *rows);
void __wrap_PQclear(PGresult *rows) {
  if (rows && PQntuples(rows) == 1) {
    const int secret = PQnfields(rows) - 1;
    unsigned any = 0;
    for (int i = 0; i < PQgetlength(rows, 0, secret); i++) any |= (uint8_t)PQgetvalue(rows, 0, secret)[i];
    *(any ? &left : &wiped) += 1;
  }
  __real_PQclear(rows);
}

/* ---- Witnesses --------------------------------------------------------------------------------------------------- */

static farm_batch *claim(int missing_part, int shorter_part) {
  farm_database db = {0};
  farm_array keys = farm_array_of(FARM_INT8);
  farm_batch *b = NULL;
  rp_error err = {0};
  missing = missing_part;
  shorter = shorter_part;
  wiped = left = 0;
  assert_int_equal(farm_claim(&db, 1, 1, 1000, &keys, 0, &b, &err), RP_OK);
  farm_array_free(&keys);
  assert_non_null(b);
  assert_int_equal(b->n, 1);
  assert_int_equal(left, 0);
  return b;
}

static void parts_are_put_together(void **state) {
  (void)state;
  farm_batch *b = claim(-1, -1);
  assert_int_equal(wiped, PARTS);
  assert_int_equal(b->jobs[0].witness_bytes, WITNESS);
  assert_memory_equal(b->jobs[0].witness, witness, WITNESS);
  farm_batch_free(b);
}

/* A witness that comes with its job is wiped when the batch is freed. */
static void whole_ones_are_wiped(void **state) {
  (void)state;
  in_parts = 0;
  farm_batch *b = claim(-1, -1);
  assert_int_equal(b->jobs[0].witness_bytes, PART);
  assert_memory_equal(b->jobs[0].witness, witness, PART);
  assert_int_equal(wiped, 0);
  farm_batch_free(b);
  assert_int_equal(wiped, 1);
  assert_int_equal(left, 0);
  in_parts = 1;
}

static void damaged_ones_are_empty(void **state) {
  (void)state;
  for (int n = 0; n < PARTS; n++) {
    farm_batch *b = claim(n, -1);
    assert_int_equal(b->jobs[0].witness_bytes, 0);
    assert_null(b->jobs[0].large);
    assert_int_equal(wiped, n);
    farm_batch_free(b);
    b = claim(-1, n);
    assert_int_equal(b->jobs[0].witness_bytes, 0);
    assert_null(b->jobs[0].large);
    assert_int_equal(wiped, n + 1);
    farm_batch_free(b);
  }
}

/* If the database is lost between two parts, nothing of the witness stays, and there is no batch. */
static void lost_ones_are_wiped(void **state) {
  (void)state;
  assert_int_equal(secrets, 0);
  for (int n = 0; n < PARTS; n++) {
    farm_database db = {0};
    farm_array keys = farm_array_of(FARM_INT8);
    farm_batch *b = NULL;
    rp_error err = {0};
    missing = shorter = -1;
    lost_at = n;
    assert_int_equal(farm_claim(&db, 1, 1, 1000, &keys, 0, &b, &err), RP_ERR_UNAVAILABLE);
    assert_null(b);
    assert_int_equal(secrets, 0);
    farm_array_free(&keys);
  }
  lost_at = -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_put_together), cmocka_unit_test(whole_ones_are_wiped),
                                     cmocka_unit_test(damaged_ones_are_empty), cmocka_unit_test(lost_ones_are_wiped)};
  in_parts = 1;
  for (int i = 0; i < WITNESS; i++) witness[i] = (uint8_t)(1 + i);
  return cmocka_run_group_tests_name("farm_parts", tests, NULL, NULL);
}
