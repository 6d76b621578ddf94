/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Measured costs as bytes: they are kept with plans, what does not belong to the device is not used, and what is
 * damaged is refused.
 */
#include "costs_fixture.h"

#include <reprise/plans.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- With plans that are kept ------------------------------------------------------------------------------------ */

static void keep_plans(const rp_graph *g, costs_bytes *b) {
  b->n = 0;
  assert_int_equal(rp_plans_keep(the_costs.device, g, NULL, 0, costs_append, b, NULL), RP_OK);
}

static void same_points(const rp_graph *a, const rp_graph *b, bool same) {
  static rp_plan_point points[2][64];
  uint32_t n[2];
  memset(points, 0, sizeof points);
  for (int i = 0; i < 2; i++) {
    points[i][0].struct_size = sizeof **points;
    assert_int_equal(rp_plan_points(the_costs.device, i ? b : a, NULL, points[i], 64, &n[i], NULL), RP_OK);
  }
  assert_int_equal(n[0] == n[1] && memcmp(points[0], points[1], n[0] * sizeof **points) == 0, same);
}

static void plans_are_kept_with_their_costs(void **state) {
  (void)state;
  static const uint64_t lens[] = {1024, 16384};
  costs_open();
  costs_bytes costs, plans, again;
  costs_keep_chains(lens, 2, &costs);
  rp_graph *model = costs_web(4096, 2), *measured = costs_web(4096, 2), *kept = costs_web(4096, 2);
  costs_use(measured, &costs);
  keep_plans(measured, &plans);
  same_points(model, kept, 1);
  assert_int_equal(rp_plans_use(kept, plans.data, plans.n, 0, NULL), RP_OK);
  same_points(model, kept, 0);
  same_points(measured, kept, 1);
  keep_plans(kept, &again);
  assert_int_equal(plans.n, again.n);
  assert_memory_equal(plans.data, again.data, plans.n);
  for (uint64_t budget = UINT64_MAX; budget > 1; budget = budget > 1 << 20 ? 1 << 20 : budget - 65536) {
    rp_plan_info want = {.struct_size = sizeof want}, got = want;
    const rp_record_options o = {.struct_size = sizeof o, .memory_budget_bytes = budget};
    const rp_status status = rp_plan_query(the_costs.device, measured, &o, &want, NULL);
    assert_int_equal(rp_plan_query(the_costs.device, kept, &o, &got, NULL), status);
    assert_int_equal(want.total_bytes, got.total_bytes);
    assert_int_equal(want.levels, got.levels);
    if (status) break;
  }
  assert_string_equal(the_costs.last_line, "");
  /* With other costs the plans are searched for again. */
  rp_plan_info info = {.struct_size = sizeof info};
  costs_keep_chains(lens, 1, &costs);
  costs_use(kept, &costs);
  assert_int_equal(rp_plan_query(the_costs.device, kept, NULL, &info, NULL), RP_OK);
  assert_non_null(strstr(the_costs.last_line, "other costs"));
  rp_graph_destroy(model);
  rp_graph_destroy(measured);
  rp_graph_destroy(kept);
  costs_close();
}

/* ---- What is not used, and what is refused ----------------------------------------------------------------------- */

/* Where the words of a table are (cost_table.c). */
enum { AT_KIND = 8, AT_ENTRIES = 12, AT_LAUNCH = 16, AT_FACTOR = 24, AT_NAMES = 32, AT_LIMITS = 40 };
enum { AT_VERSION = 48, AT_NAME = 80, AT_DRIVER = 208, HEAD = 336, ENTRY = 32 };

static void costs_of_others_are_not_used(void **state) {
  (void)state;
  static const struct {
    size_t at;
    const char *line;
  } cases[] = {{AT_LIMITS, "another device"},
               {AT_NAME, "another device"},
               {AT_DRIVER, "another device"},
               {AT_VERSION, "another version"},
               {AT_KIND, ""}};
  static const uint64_t lens[] = {1024};
  costs_open();
  costs_bytes b;
  costs_keep_chains(lens, 1, &b);
  rp_graph *plain = costs_web(4096, 3);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rp_graph *g = costs_web(4096, 3);
    costs_bytes other = b;
    other.data[cases[i].at] ^= 1;
    costs_use(g, &other);
    the_costs.last_line[0] = 0;
    same_points(plain, g, 1);
    if (!strstr(the_costs.last_line, cases[i].line) || !*the_costs.last_line != !*cases[i].line)
      fail_msg("'%s'", the_costs.last_line);
    costs_use(g, &b);
    same_points(plain, g, 0);
    rp_graph_destroy(g);
  }
  rp_graph_destroy(plain);
  costs_close();
}

static void refused(rp_graph *g, const costs_bytes *b, size_t n) {
  rp_error err = {0};
  assert_int_equal(rp_costs_use(g, b->data, n, &err), RP_ERR_FORMAT);
  assert_true(strlen(err.reason) > 10);
}

static void put(unsigned char *at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> 8 * i);
}

/* A table of n entries, of which the last one's kernel or label begins where the names end. */
static void name_behind_all(rp_graph *g, const costs_bytes *head, uint32_t n, bool label, const char *names,
                            size_t n_names) {
  costs_bytes made = *head;
  memset(made.data + HEAD, 0, made.n - HEAD);
  put(made.data + AT_ENTRIES, n, 4);
  put(made.data + AT_NAMES, n_names, 8);
  for (uint32_t i = 0; i < n; i++) {
    put(made.data + HEAD + (size_t)i * ENTRY, i, 8);
    put(made.data + HEAD + (size_t)i * ENTRY + 28, n_names - 1, 4); /* no label */
  }
  if (!label) put(made.data + HEAD + (size_t)(n - 1) * ENTRY + 24, n_names, 4);
  put(made.data + HEAD + (size_t)(n - 1) * ENTRY + 28, n_names, 4);
  memcpy(made.data + HEAD + (size_t)n * ENTRY, names, n_names);
  refused(g, &made, HEAD + (size_t)n * ENTRY + n_names);
}

static void damage_is_refused(void **state) {
  (void)state;
  static const uint64_t lens[] = {1024, 4096};
  costs_open();
  costs_bytes b, other;
  costs_keep_chains(lens, 2, &b);
  assert_int_equal(b.data[AT_ENTRIES], 8);
  rp_graph *g = costs_web(4096, 3), *plain = costs_web(4096, 3);
  for (size_t n = 0; n < b.n; n++) refused(g, &b, n);
  other = b;
  other.n++;
  refused(g, &other, other.n);
#define CHANGED(at, value) (other = b, other.data[at] = (unsigned char)(value), refused(g, &other, other.n))
  CHANGED(0, 'X');
  CHANGED(AT_ENTRIES, 3);
  CHANGED(AT_ENTRIES + 3, 0x80);
  CHANGED(AT_LAUNCH + 7, 1);
  CHANGED(AT_FACTOR + 6, 1);
  CHANGED(AT_NAMES + 7, 0x80);
  CHANGED(HEAD + 16 + 7, 1);    /* time */
  CHANGED(HEAD + 24 + 3, 0x7f); /* the name begins behind all */
  CHANGED(HEAD + 28 + 3, 0x7f); /* and so does the label */
  CHANGED(b.n - 1, 'x');        /* the last name does not end */
  CHANGED(HEAD + 1, 0xff);      /* no longer before the next one */
#undef CHANGED
  other = b;
  memset(other.data + AT_FACTOR, 0, 8);
  refused(g, &other, other.n);
  other = b;
  memcpy(other.data + HEAD, other.data + HEAD + ENTRY, ENTRY); /* twice the same */
  refused(g, &other, other.n);
  name_behind_all(g, &b, 2, 0, "", 1);
  name_behind_all(g, &b, 1, 1, "k", 2);
  for (size_t at = AT_VERSION; at < HEAD; at += at == AT_VERSION ? 32 : 128) {
    other = b;
    memset(other.data + at, 'x', at == AT_VERSION ? 32 : 128);
    refused(g, &other, other.n);
  }
  same_points(plain, g, 1); /* none of the attempts above has left anything */
  rp_graph_destroy(plain);
  rp_graph_destroy(g);
  costs_close();
}

/* Many entries with one long name, which would take minutes if each compared it with that of the entry before; and
 * names that lie inside of it, which no table has that the library wrote. */
static void a_long_name_of_many_entries_takes_no_time(void **state) {
  (void)state;
  enum { ENTRIES = 1 << 16, NAMES = 32 << 20, MOST_SECONDS = 20 };
  static const struct {
    uint32_t kernel_step, label, label_step;
    rp_status status;
  } cases[] = {{0, NAMES - 1, 0, RP_OK},
               {0, 0, 0, RP_ERR_FORMAT},
               {0, NAMES - ENTRIES, 1, RP_ERR_FORMAT},
               {1, NAMES - 1, 0, RP_ERR_FORMAT}};
  static const uint64_t lens[] = {1024};
  const size_t n = HEAD + (size_t)ENTRIES * ENTRY + NAMES;
  costs_open();
  costs_bytes b;
  costs_keep_chains(lens, 1, &b);
  rp_graph *g = costs_chain(64);
  unsigned char *data = calloc(1, n);
  assert_non_null(data);
  memcpy(data, b.data, HEAD);
  put(data + AT_ENTRIES, ENTRIES, 4);
  put(data + AT_NAMES, NAMES, 8);
  memset(data + n - NAMES, 'a', NAMES - 1);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    for (uint32_t i = 0; i < ENTRIES; i++) {
      unsigned char *entry = data + HEAD + (size_t)i * ENTRY;
      const uint32_t back = ENTRIES - 1 - i; /* a shorter name of the same letters is before a longer one */
      put(entry, i, 8);
      put(entry + 24, back * cases[c].kernel_step, 4);
      put(entry + 28, cases[c].label + back * cases[c].label_step, 4);
    }
    const clock_t begin = clock();
    assert_int_equal(rp_costs_use(g, data, n, NULL), cases[c].status);
    assert_true(clock() - begin < (clock_t)MOST_SECONDS * CLOCKS_PER_SEC);
  }
  free(data);
  rp_graph_destroy(g);
  costs_close();
}

/* Costs that somebody has made up: they change no result. */
static void made_up_costs_do_no_harm(void **state) {
  (void)state;
  static const uint64_t lens[] = {1024, 4096};
  uint64_t seed = 1;
  costs_open();
  costs_bytes b;
  costs_keep_chains(lens, 2, &b);
  for (uint32_t i = 0; i < 300; i++) {
    costs_bytes other = b;
    for (uint32_t k = 0; k <= i % 3; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const size_t at = (size_t)(seed >> 33) % b.n;
      other.data[at < AT_LIMITS || at >= HEAD ? at : AT_LAUNCH] = (unsigned char)(seed >> 24);
    }
    rp_graph *g = costs_web(1024, 3);
    if (rp_costs_use(g, other.data, other.n, NULL) == RP_OK) {
      rp_plan_info info = {.struct_size = sizeof info};
      const rp_record_options tiny = {.struct_size = sizeof tiny, .memory_budget_bytes = 100000};
      assert_int_equal(rp_plan_query(the_costs.device, g, &tiny, &info, NULL), RP_OK);
      rp_recording *r = costs_record(g, RP_RECORD_CHECK_HAZARDS, 100000);
      costs_run(r, 1024);
      rp_recording_destroy(r);
    }
    rp_graph_destroy(g);
  }
  costs_close();
}

/* ---- Of a device ------------------------------------------------------------------------------------------------- */

static void devices_have_costs_for_all_graphs(void **state) {
  (void)state;
  static const uint64_t lens[] = {1024, 16384};
  costs_open();
  costs_bytes all, some, plans;
  costs_keep_chains(lens, 2, &all);
  costs_keep_chains(lens, 1, &some);
  rp_graph *of_all = costs_web(4096, 2), *of_some = costs_web(4096, 2), *second = costs_web(4096, 2),
           *plain = costs_web(4096, 2); /* the latest, for costs_run */
  costs_use(of_all, &all);
  costs_use(of_some, &some);
  same_points(of_all, of_some, 0);
  same_points(plain, of_all, 0);
  assert_int_equal(rp_costs_use_on(the_costs.device, some.data, some.n, NULL), RP_OK);
  same_points(plain, of_some, 1);
  same_points(of_all, of_some, 0); /* its own count */
  rp_recording *r = costs_record(plain, RP_RECORD_CHECK_HAZARDS, 0);
  assert_int_equal(rp_costs_use_on(the_costs.device, all.data, all.n, NULL), RP_OK);
  memset(all.data, 0xff, all.n); /* they were copied */
  same_points(plain, of_all, 1);
  same_points(second, of_all, 1);
  costs_run(r, 4096);        /* it was recorded by the earlier ones */
  keep_plans(plain, &plans); /* which has them for another process */
  assert_int_equal(rp_plans_use(of_some, plans.data, plans.n, 0, NULL), RP_OK);
  same_points(of_some, of_all, 1);
  rp_recording_destroy(r);
  rp_graph_destroy(of_all), rp_graph_destroy(of_some), rp_graph_destroy(plain), rp_graph_destroy(second);
  costs_close();
}

static void devices_refuse_costs_of_others(void **state) {
  (void)state;
  static const uint64_t lens[] = {1024};
  static const size_t at[] = {AT_LIMITS, AT_NAME, AT_DRIVER, AT_VERSION, AT_KIND};
  costs_open();
  costs_bytes b;
  costs_keep_chains(lens, 1, &b);
  rp_graph *g = costs_web(4096, 3), *measured = costs_web(4096, 3);
  rp_error err = {0};
  costs_use(measured, &b);
  for (int given = 0; given < 2; given++) {
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
      costs_bytes other = b;
      other.data[at[i]] ^= 1;
      assert_int_equal(rp_costs_use_on(the_costs.device, other.data, other.n, &err), RP_ERR_MISMATCH);
      assert_non_null(strstr(err.reason, "another"));
    }
    for (size_t n = 0; n < b.n; n++)
      assert_int_equal(rp_costs_use_on(the_costs.device, b.data, n, &err), RP_ERR_FORMAT);
    same_points(g, measured, given); /* as before */
    for (uint64_t nth = 1; !given && nth <= 2; nth++) {
      the_costs.fail_at = nth;
      const rp_status status = rp_costs_use_on(the_costs.device, b.data, b.n, NULL);
      the_costs.fail_at = 0;
      assert_true(status == (nth == 1 ? RP_ERR_MEMORY : RP_OK));
      same_points(g, measured, nth == 2);
    }
  }
  assert_int_equal(rp_costs_use_on(NULL, b.data, b.n, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_costs_use_on(the_costs.device, NULL, b.n, &err), RP_ERR_ARGUMENT);
  rp_graph_destroy(g), rp_graph_destroy(measured);
  costs_close();
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static int stop(void *user, const char *text, size_t n) {
  (void)user, (void)text, (void)n;
  return 1;
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  costs_bytes b = {.n = 0};
  rp_error err = {0};
  costs_open();
  rp_graph *g = costs_chain(64);
  rp_recording *plain = costs_record(g, 0, 0), *idle = costs_record(g, RP_RECORD_PROFILE, 0),
               *r = costs_record(g, RP_RECORD_PROFILE, 0);
  costs_run(plain, 64);
  assert_int_equal(rp_costs_keep(&plain, 1, costs_append, &b, &err), RP_ERR_STATE);
  assert_non_null(strstr(err.reason, "RP_RECORD_PROFILE"));
  assert_int_equal(rp_costs_keep(&idle, 1, costs_append, &b, &err), RP_ERR_STATE);
  costs_run(r, 64);
  assert_int_equal(rp_costs_keep((rp_recording *const[]){r, plain}, 2, costs_append, &b, &err), RP_ERR_STATE);
  assert_int_equal(rp_costs_keep(&r, 1, stop, NULL, &err), RP_ERR_CANCELLED);
  assert_int_equal(rp_costs_keep(&r, 0, costs_append, &b, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_costs_keep(NULL, 1, costs_append, &b, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_costs_keep(&r, 1, NULL, &b, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_costs_keep((rp_recording *const[]){r, NULL}, 2, costs_append, &b, &err), RP_ERR_ARGUMENT);
  assert_int_equal(b.n, 0);
  assert_int_equal(rp_costs_use(NULL, &b, sizeof b, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_costs_use(g, NULL, 8, &err), RP_ERR_ARGUMENT);
  rp_recording *other = NULL;
  rp_device *second;
  const rp_device_options d = {.struct_size = sizeof d, .cpu_threads = 1};
  const rp_record_options o = {.struct_size = sizeof o, .flags = RP_RECORD_PROFILE};
  assert_int_equal(rp_device_open_with(the_costs.context, &rp_backend_cpu, &d, &second, NULL), RP_OK);
  assert_int_equal(rp_record(second, g, &o, &other, NULL), RP_OK);
  assert_int_equal(rp_costs_keep((rp_recording *const[]){r, other}, 2, costs_append, &b, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "several devices"));
  rp_recording_destroy(other);
  rp_device_close(second);
  rp_recording_destroy(r);
  rp_recording_destroy(idle);
  rp_recording_destroy(plain);
  rp_graph_destroy(g);
  costs_close();
}

static void memory_runs_out(void **state) {
  (void)state;
  costs_open();
  rp_graph *g = costs_web(64, 1);
  rp_recording *r = costs_record(g, RP_RECORD_PROFILE, 0);
  costs_run(r, 64);
  costs_bytes b;
  rp_status status = RP_ERR_MEMORY;
  uint32_t failed = 0;
  for (uint64_t nth = 1; status; nth++, failed++) {
    const uint64_t before = the_costs.live;
    the_costs.fail_at = nth;
    b.n = 0;
    status = rp_costs_keep(&r, 1, costs_append, &b, NULL);
    assert_true(status == RP_OK || status == RP_ERR_MEMORY);
    assert_int_equal(the_costs.live, before);
  }
  assert_true(failed > 3);
  costs_use(g, &b);
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  costs_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(devices_have_costs_for_all_graphs),
                                     cmocka_unit_test(devices_refuse_costs_of_others),
                                     cmocka_unit_test(plans_are_kept_with_their_costs),
                                     cmocka_unit_test(costs_of_others_are_not_used),
                                     cmocka_unit_test(damage_is_refused),
                                     cmocka_unit_test(a_long_name_of_many_entries_takes_no_time),
                                     cmocka_unit_test(made_up_costs_do_no_harm),
                                     cmocka_unit_test(wrong_calls_are_refused),
                                     cmocka_unit_test(memory_runs_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
