/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Witness values on their way into a run: they are copied and checked by several threads, refused with the least bad
 * index, and wiped after a failure. Also the threads that do this.
 */
#include "scratch.h"

#include "formats/binfile.h"
#include "formats/fail.h"
#include "formats/values.h"
#include "formats/wtns.h"
#include "formats/crew.h"

#include <pthread.h>
#include <stdatomic.h>

/* Makes a crew in memory of a context that only the crew keeps. */
static g16_crew *new_crew(uint32_t threads) {
  rp_context *context;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  g16_crew *made = g16_crew_new(context, threads);
  rp_context_destroy(context);
  return made;
}

enum { BYTES = G16_VALUE_BYTES, BLOCK = 2048, N = 5 * 8192 + 77, NOWHERE = N };

static const uint8_t *order(void) { return rp_field_get(RP_FIELD_BN254_FR)->modulus_le; }

/* ---- Values ------------------------------------------------------------------------------------------------------ */

typedef struct given {
  uint8_t *values;
  uint64_t fails_at; /* copying the value with this index fails; NOWHERE: none fails */
  atomic_uint *pieces;
} given;

static rp_status copy_given(const void *arg, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  const given *g = arg;
  atomic_fetch_add(g->pieces, 1);
  memcpy(out, g->values + first * BYTES, n * BYTES);
  if (g->fails_at < first || g->fails_at >= first + n) return RP_OK;
  snprintf(err->reason, sizeof err->reason, "no value %d", (int)g->fails_at);
  return err->status = RP_ERR_FILE;
}

static rp_status refuse(const void *arg, uint64_t index, bool not_one, rp_error *err) {
  (void)arg;
  snprintf(err->reason, sizeof err->reason, "%d is %s", (int)index, not_one ? "not one" : "too large");
  return err->status = RP_ERR_INPUT;
}

static rp_status take(given *g, uint64_t first, uint64_t n, const rp_executor *executor, uint8_t *out, rp_error *err) {
  const g16_values values = {.arg = g, .order = order(), .copy = copy_given, .refuse = refuse};
  return g16_values_take(&values, first, n, executor, out, err);
}

static atomic_uint pieces;

/* 1, then values of full width, among them the largest valid one and values that differ from r in one limb. */
static given make_values(void) {
  given g = {.values = malloc((size_t)N * BYTES), .fails_at = NOWHERE, .pieces = &pieces};
  uint64_t x = 1;
  for (size_t i = 0; i < (size_t)N * BYTES; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    g.values[i] = i % BYTES == BYTES - 1 ? (uint8_t)(x >> 56) & 0x1f : (uint8_t)(x >> 56);
  }
  memset(g.values, 0, BYTES);
  g.values[0] = 1;
  /* R with 1 subtracted from one limb is below r, whatever the lower limbs are. */
  for (int limb = 0; limb < 4; limb++) {
    uint8_t *value = g.values + (size_t)(100 + limb) * BYTES;
    memcpy(value, order(), BYTES);
    memset(value, 0xff, (size_t)limb * 8);
    for (int i = limb * 8; value[i]-- == 0;) i++;
  }
  return g;
}

static const uint64_t borders[] = {0,    1,     2,     BLOCK - 1, BLOCK,     BLOCK + 1, 8191,
                                   8192, 16384, N / 5, N / 5 + 1, N / 5 - 1, N - 2,     N - 1};
enum { BORDERS = sizeof borders / sizeof *borders, KINDS = 6 };

/* R, which is the least bad value, some that exceed r in one limb, and the largest 256-bit number. */
static void make_bad(int kind, uint8_t *value) {
  memcpy(value, order(), BYTES);
  if (kind == KINDS - 1) memset(value, 0xff, BYTES);
  if (kind == 0 || kind == KINDS - 1) return;
  memset(value, 0, (size_t)(kind - 1) * 8); /* lower limbs cannot make up for a higher one */
  for (int i = (kind - 1) * 8; ++value[i] == 0;) i++;
}

static void all_values_arrive(void **state) {
  (void)state;
  given g = make_values();
  uint8_t *out = malloc((size_t)N * BYTES + 1);
  for (uint32_t threads = 0; threads < 4; threads++) {
    g16_crew *crew = threads ? new_crew(threads) : NULL;
    for (int odd = 0; odd < 2; odd++) { /* at any alignment */
      memset(out, 0xee, (size_t)N * BYTES + 1);
      assert_ok(take(&g, 0, N, g16_crew_executor(crew), out + odd, err));
      assert_memory_equal(out + odd, g.values, (size_t)N * BYTES);
    }
    /* Value 0 is not among these, so none of them has to be 1. */
    assert_ok(take(&g, 7, 9000, g16_crew_executor(crew), out, err));
    assert_memory_equal(out, g.values + (size_t)7 * BYTES, (size_t)9000 * BYTES);
    g16_crew_destroy(crew);
  }
  assert_true(atomic_load(&pieces) > 8 * (N / 8192));
  free(out);
  free(g.values);
}

static void expect_wiped(const uint8_t *out) {
  for (size_t i = 0; i < (size_t)N * BYTES; i++)
    if (out[i]) fail_msg("byte %zu has not been wiped", i);
}

/* One bad value, at various places and distances from the order, and then a second one behind it. */
static void bad_values_are_refused(void **state) {
  (void)state;
  given g = make_values();
  uint8_t *out = malloc((size_t)N * BYTES), saved[BYTES];
  g16_crew *crew = new_crew(3);
  for (int b = 0; b < BORDERS; b++)
    for (int kind = 0; kind < KINDS; kind++) {
      const rp_executor *executor = kind % 2 ? g16_crew_executor(crew) : NULL;
      uint8_t *value = g.values + borders[b] * BYTES;
      char expected[32];
      rp_error error = {0};
      snprintf(expected, sizeof expected, "%d is too large", (int)borders[b]);
      memcpy(saved, value, BYTES);
      make_bad(kind, value);
      assert_int_equal(take(&g, 0, N, executor, out, &error), RP_ERR_INPUT);
      assert_string_equal(error.reason, expected);
      expect_wiped(out);
      if (borders[b] + 1 < N) {
        uint8_t *other = g.values + (size_t)(N - 1) * BYTES, kept[BYTES];
        memcpy(kept, other, BYTES);
        memset(other, 0xff, BYTES);
        assert_int_equal(take(&g, 0, N, g16_crew_executor(crew), out, &error), RP_ERR_INPUT);
        assert_string_equal(error.reason, expected);
        memcpy(other, kept, BYTES);
      }
      memcpy(value, saved, BYTES);
    }
  g16_crew_destroy(crew);
  free(out);
  free(g.values);
}

static void the_first_value_is_one(void **state) {
  (void)state;
  static const int bytes[] = {0, 0, 1, 8, 16, 31};
  given g = make_values();
  uint8_t *out = malloc((size_t)N * BYTES);
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
    rp_error error = {0};
    memset(g.values, 0, BYTES);
    g.values[0] = i != 0;
    g.values[bytes[i]] |= i ? 2 : 0;
    assert_int_equal(take(&g, 0, N, NULL, out, &error), RP_ERR_INPUT);
    assert_string_equal(error.reason, "0 is not one");
    expect_wiped(out);
  }
  free(out);
  free(g.values);
}

/* The source fails half-way: what other threads have copied until then is wiped. */
static void a_failed_copy_leaves_nothing(void **state) {
  (void)state;
  given g = make_values();
  uint8_t *out = malloc((size_t)N * BYTES);
  g16_crew *crew = new_crew(3);
  for (int b = 0; b < BORDERS; b++) {
    rp_error error = {0};
    char expected[32];
    snprintf(expected, sizeof expected, "no value %d", (int)borders[b]);
    g.fails_at = borders[b];
    memset(out, 0x5a, (size_t)N * BYTES);
    assert_int_equal(take(&g, 0, N, b % 2 ? g16_crew_executor(crew) : NULL, out, &error), RP_ERR_FILE);
    assert_string_equal(error.reason, expected);
    expect_wiped(out);
  }
  g16_crew_destroy(crew);
  free(out);
  free(g.values);
}

/* A file that becomes shorter after it was opened, read in several pieces. */
static void short_files_leave_nothing(void **state) {
  given g = make_values();
  uint8_t *out = malloc((size_t)N * BYTES), head[76] = "wtns\2\0\0\0\2\0\0\0\1\0\0\0\50\0\0\0\0\0\0\0\40\0\0\0";
  const uint64_t bytes = (uint64_t)N * BYTES;
  const char *path = scratch_path(state, "short.wtns");
  memcpy(head + 28, order(), 32);
  const uint32_t n = N, id = 2;
  memcpy(head + 60, &n, 4);
  memcpy(head + 64, &id, 4);
  memcpy(head + 68, &bytes, 8);
  g16_crew *crew = new_crew(3);
  for (int k = 0; k < 3; k++) {
    static const uint64_t gone[] = {1, 20000, (uint64_t)N * BYTES};
    rp_error error = {0};
    support_file *file;
    g16_wtns wtns;
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(head, 1, sizeof head, to), sizeof head);
    assert_int_equal(fwrite(g.values, 1, bytes, to), bytes);
    assert_int_equal(fclose(to), 0);
    assert_ok(support_file_open(path, 0, &file, err));
    assert_ok(g16_wtns_open(file, &wtns, err));
    assert_ok(g16_wtns_read(&wtns, 0, N, g16_crew_executor(crew), out, err));
    assert_memory_equal(out, g.values, bytes);
    assert_int_equal(truncate(path, (off_t)(sizeof head + bytes - gone[k])), 0);
    assert_int_equal(g16_wtns_read(&wtns, 0, N, g16_crew_executor(crew), out, &error), RP_ERR_FORMAT);
    assert_non_null(strstr(error.reason, "cut short"));
    expect_wiped(out);
    support_file_close(file);
  }
  g16_crew_destroy(crew);
  unlink(path);
  free(out);
  free(g.values);
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

enum { TASKS = 200, CALLERS = 4 };

typedef struct tally {
  const rp_executor *executor;
  atomic_uint seen[TASKS];
  int bad;
} tally;

static void count(void *arg, uint32_t i) { atomic_fetch_add(&((tally *)arg)->seen[i], 1); }

static void *call(void *arg) {
  tally *t = arg;
  for (uint32_t round = 1; round <= 300; round++) {
    const uint32_t n = round % TASKS + 1;
    for (uint32_t i = 0; i < TASKS; i++) atomic_store(&t->seen[i], 0);
    t->executor->parallel(t->executor->user, n, count, t);
    for (uint32_t i = 0; i < TASKS; i++) t->bad |= atomic_load(&t->seen[i]) != (i < n);
  }
  return NULL;
}

/* Every task runs once, and all have run when the call returns, with several callers at a time. */
static void callers_share_a_crew(void **state) {
  (void)state;
  static tally tallies[CALLERS];
  pthread_t threads[CALLERS];
  g16_crew *crew = new_crew(3);
  assert_int_equal(g16_crew_executor(crew)->workers, 4);
  for (int i = 0; i < CALLERS; i++) {
    tallies[i].executor = g16_crew_executor(crew);
    assert_int_equal(pthread_create(&threads[i], NULL, call, &tallies[i]), 0);
  }
  for (int i = 0; i < CALLERS; i++) {
    pthread_join(threads[i], NULL);
    assert_false(tallies[i].bad);
  }
  g16_crew_executor(crew)->parallel(crew, 0, count, &tallies[0]);
  g16_crew_destroy(crew);
  g16_crew_destroy(new_crew(2)); /* a crew that never had work */
  g16_crew_destroy(NULL);
  assert_null(g16_crew_executor(NULL));
}

static atomic_uint helped, alone;

/* Two tasks, each of which waits until the other one runs, for at most two minutes. */
static void wait_for_each_other(void *arg, uint32_t i) {
  (void)arg, (void)i;
  atomic_fetch_add(&helped, 1);
  for (int k = 0; k < 240000; k++) {
    if (atomic_load(&helped) % 2 == 0) return;
    usleep(500);
  }
  atomic_fetch_add(&alone, 1);
}

static void threads_share_the_tasks(void **state) {
  (void)state;
  g16_crew *crew = new_crew(1);
  for (int i = 0; i < 20; i++) {
    g16_crew_executor(crew)->parallel(crew, 2, wait_for_each_other, NULL);
    assert_int_equal(atomic_load(&helped), 2 * (i + 1));
    assert_int_equal(atomic_load(&alone), 0);
  }
  g16_crew_destroy(crew);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_values_arrive),
      cmocka_unit_test(bad_values_are_refused),
      cmocka_unit_test(the_first_value_is_one),
      cmocka_unit_test(a_failed_copy_leaves_nothing),
      cmocka_unit_test_setup_teardown(short_files_leave_nothing, scratch_begin, scratch_end),
      cmocka_unit_test(callers_share_a_crew),
      cmocka_unit_test(threads_share_the_tasks),
  };
  return cmocka_run_group_tests_name("files_values", tests, NULL, NULL);
}
