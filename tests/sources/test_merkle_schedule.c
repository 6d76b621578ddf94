/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Merkle trees: the dispatches of each schedule as they were recorded, and what a replay costs the host.
 */
#include <reprise/merkle.h>
#include <stdio.h>
#include <time.h>

#include "device.h"
#include "json.h"
#include "one_submission.h"

enum { NODES_MOST = 64 };

typedef struct recorded {
  uint32_t n;
  uint64_t items[NODES_MOST]; /* groups times the group's size */
  uint32_t level[NODES_MOST];
  rp_merkle_info info;
} recorded;

static rp_merkle *make(rp_merkle_config config) {
  rp_merkle *tree;
  rp_error err = {0};
  config.struct_size = sizeof config;
  if (rp_merkle_create(device_current(), &config, &tree, &err) != RP_OK)
    fail_msg("on %s: %s", device_name(), err.reason);
  return tree;
}

/* The dispatches of a recording that hash, in order. */
static recorded dispatches_of(rp_merkle_config config) {
  rp_node_info nodes[NODES_MOST] = {{.struct_size = sizeof *nodes}};
  recorded r = {0};
  uint32_t count;
  rp_merkle *tree = make(config);
  r.info.struct_size = sizeof r.info;
  rp_merkle_get_info(tree, &r.info);
  assert_string_equal(rp_graph_name(rp_merkle_graph(tree)), "merkle");
  assert_int_equal(rp_recording_nodes(rp_merkle_recording(tree), nodes, NODES_MOST, &count, NULL), RP_OK);
  assert_true(count <= NODES_MOST);
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(nodes[i].op, "merkle_tree")) continue;
    r.items[r.n] = nodes[i].groups;
    r.level[r.n++] = nodes[i].level;
  }
  assert_int_equal(r.n, r.info.dispatches);
  rp_merkle_destroy(tree);
  return r;
}

static recorded dispatches(uint64_t leaves, rp_merkle_schedule schedule, uint32_t group, uint32_t published) {
  return dispatches_of(
      (rp_merkle_config){.leaves = leaves, .schedule = schedule, .group = group, .published_count = published});
}

static uint32_t log2_of(uint64_t n) {
  uint32_t bits = 0;
  while (n >>= 1) bits++;
  return bits;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void levels_take_one_dispatch_each(void **state) {
  (void)state;
  for (uint64_t n = 2; n <= 512; n *= 4) {
    for (uint32_t b = 1; b <= n / 2 && b <= 64; b *= 4) {
      const recorded r = dispatches(n, RP_MERKLE_LEVELS, b, 0);
      assert_int_equal(r.n, log2_of(n));
      for (uint32_t d = 0; d < r.n; d++) {
        const uint64_t items = n >> (d + 1);
        assert_int_equal(r.items[d], items / smaller(b, items));
        assert_true(d == 0 || r.level[d] == r.level[d - 1] + 1); /* each is in the level after the one before */
      }
    }
  }
}

/* The worked trace for N = 256, B = 16: 128 nodes; 64 in four groups up to four nodes; 2 and the root. */
static void blocks_worked_trace(void **state) {
  (void)state;
  const recorded r = dispatches(256, RP_MERKLE_BLOCKS, 16, 0);
  assert_int_equal(r.n, 3);
  assert_int_equal(r.items[0], 128 / 16);
  assert_int_equal(r.items[1], 64 / 16);
  assert_int_equal(r.items[2], 2 / 2);
}

static void check_count(const json *e, int large) {
  const uint64_t n = json_u64(json_get(e, "N")), b = json_u64(json_get(e, "B"));
  const uint64_t formula = json_u64(json_get(e, large ? "approach2_formula" : "formula_dispatches"));
  const uint64_t minimum = json_u64(json_get(e, large ? "approach2_minimum" : "minimum_dispatches"));
  if (b > RP_MERKLE_GROUP_MAX) return;
  assert_int_equal(rp_merkle_published_dispatches(n, (uint32_t)b), formula);
  for (uint32_t published = 0; published < 2; published++) {
    const rp_merkle_config c = {.struct_size = sizeof c,
                                .leaves = n,
                                .schedule = RP_MERKLE_BLOCKS,
                                .group = (uint32_t)b,
                                .published_count = published};
    rp_plan_info plan = {.struct_size = sizeof plan};
    const rp_status status = rp_merkle_plan(device_current(), &c, &plan, NULL);
    if (published && !large && !strcmp(json_get(e, "complete_with_formula")->text, "false")) {
      assert_int_equal(status, RP_ERR_SHAPE);
    } else {
      assert_int_equal(status, RP_OK);
      assert_int_equal(plan.dispatches, 1 + /* the copy of the root */ (published ? formula : minimum));
    }
  }
}

/* Worked values: N=16, B=2 takes 3 dispatches; N=256, B=16 takes 3; N=2^24, B=2^8 takes 15, where levels take 24. */
static void blocks_counts(void **state) {
  const json *counts = json_get(json_load("rescue_prime_goldilocks.json"), "approach_dispatch_counts");
  (void)state;
  for (const json *e = json_get(counts, "table")->item; e; e = e->next) check_count(e, 0);
  for (const json *e = json_get(counts, "large")->item; e; e = e->next) check_count(e, 1);
  assert_int_equal(rp_merkle_published_dispatches(16, 2), 3);
  assert_int_equal(rp_merkle_published_dispatches(256, 16), 3);
  assert_int_equal(rp_merkle_published_dispatches(1u << 24, 1u << 8), 15);
  assert_int_equal(rp_merkle_published_dispatches(16, 8), 0);
  assert_int_equal(rp_merkle_published_dispatches(24, 2), 0);
  const recorded r = dispatches(1024, RP_MERKLE_BLOCKS, 4, 1);
  assert_int_equal(r.n, r.info.published_dispatches);
  assert_int_equal(r.n, rp_merkle_published_dispatches(1024, 4));
}

/* Groups read what other groups wrote in the dispatch before. With hazards checked and a random order of tasks, each
 * run must give the same root. */
static void barriers(void **state) {
  static uint64_t leaves[1024][4], roots[2][4];
  (void)state;
  for (uint64_t i = 0; i < 1024; i++) leaves[i][0] = i + 1;
  for (rp_merkle_schedule s = RP_MERKLE_LEVELS; s <= RP_MERKLE_SUBTREES; s++) {
    rp_merkle *tree = make((rp_merkle_config){.leaves = 1024,
                                              .schedule = s,
                                              .group = s == RP_MERKLE_SUBTREES ? 0 : 64,
                                              .flags = RP_RECORD_CHECK_HAZARDS | RP_RECORD_RANDOM_ORDER});
    for (int run = 0; run < 5; run++) {
      assert_int_equal(rp_merkle_build(tree, leaves, roots[run > 0 || s > RP_MERKLE_LEVELS], NULL, NULL), RP_OK);
      if (run || s > RP_MERKLE_LEVELS) assert_memory_equal(roots[0], roots[1], sizeof roots[0]);
    }
    rp_merkle_destroy(tree);
  }
}

static recorded by_table(uint64_t subtrees, uint32_t fill) {
  const rp_merkle_table table = {.subtrees = subtrees, .fill = fill};
  return dispatches_of((rp_merkle_config){.leaves = 1024, .table = &table});
}

/* The schedule is chosen by the device's table, and another table gives other dispatches. */
static void schedule_by_table(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_merkle *tree;
  rp_error err = {0};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const rp_merkle_table own = rp_merkle_table_of(info.kind), empty = {.subtrees = 2};
  assert_true(own.subtrees >= 1 && own.fill >= 1);
  const recorded chosen = dispatches(1024, RP_MERKLE_AUTO, 0, 0), subtrees = dispatches(1024, RP_MERKLE_SUBTREES, 0, 0),
                 levels = dispatches(1024, RP_MERKLE_LEVELS, 0, 0), at = by_table(1024, own.fill),
                 below = by_table(1025, own.fill), little = by_table(2, 1), much = by_table(2, 1 << 20);
  assert_memory_equal(&chosen, own.subtrees <= 1024 ? &subtrees : &levels, sizeof chosen);
  assert_memory_equal(&at, &subtrees, sizeof at);
  assert_memory_equal(&below, &levels, sizeof below);
  assert_memory_not_equal(&little, &much, sizeof little);
  const rp_merkle_config c = {.struct_size = sizeof c, .leaves = 16, .table = &empty};
  assert_int_equal(rp_merkle_create(device_current(), &c, &tree, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "fill"));
}

static uint64_t own_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* time of this thread only, whatever else the machine does */
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* What one replay of a tree costs: the counters of a run, and the shortest time that a submission takes this thread. */
static rp_run_counters replay(uint64_t n, rp_merkle_schedule schedule, uint64_t *submit_ns) {
  enum { RUNS = 31 };
  const rp_merkle_table table = {.subtrees = 2, .fill = 1024}; /* few dispatches, however many workers there are */
  const rp_merkle_options options = {.struct_size = sizeof options, .schedule = schedule, .table = &table};
  rp_run_counters c = {.struct_size = sizeof c}, first = {.struct_size = sizeof first};
  rp_graph *g;
  rp_recording *recording;
  uint64_t *data = calloc(n, 32);
  assert_int_equal(rp_graph_create(device_context(), "tree", &g, NULL), RP_OK);
  const rp_value leaves = rp_graph_input(g, "leaves", rp_type_field(RP_FIELD_GOLDILOCKS), 4 * n, 0);
  rp_graph_output(g, "nodes", rp_merkle_tree(g, RP_HASH_RESCUE_RP64_256, leaves, &options), 0);
  assert_int_equal(rp_record(device_current(), g, NULL, &recording, NULL), RP_OK);
  *submit_ns = UINT64_MAX;
  for (uint64_t i = 0; i < RUNS; i++) {
    rp_run *run;
    data[0] = i; /* new leaves each time */
    assert_int_equal(rp_run_begin(recording, 0, &run, NULL), RP_OK);
    assert_int_equal(rp_run_set_input(run, leaves, data, 32 * n), RP_OK);
    const uint64_t begin = own_ns();
    assert_int_equal(rp_run_submit(run), RP_OK);
    const uint64_t ns = own_ns() - begin;
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    rp_run_get_counters(run, &c);
    rp_run_end(run);
    if (ns < *submit_ns) *submit_ns = ns;
    if (!i) first = c;
    assert_int_equal(c.submissions, first.submissions);
    assert_int_equal(c.uploads, first.uploads);
    assert_int_equal(c.downloads, first.downloads);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  free(data);
  return c;
}

/* The same tree in few dispatches and in ten: both take one submission, one wait and the same number of copies, and the
 * times of the submissions differ by no more than noise explains. */
static void host_work_does_not_grow(void **state) {
  uint64_t few_ns, many_ns;
  (void)state;
  const rp_run_counters few = replay(1024, RP_MERKLE_SUBTREES, &few_ns),
                        many = replay(1024, RP_MERKLE_LEVELS, &many_ns);
  assert_true(many.dispatches >= few.dispatches + 6);
  assert_one_submission(device_current(), few.submissions);
  assert_one_submission(device_current(), many.submissions);
  assert_int_equal(few.waits, 1);
  assert_int_equal(many.waits, 1);
  assert_int_equal(few.uploads, many.uploads);
  assert_int_equal(few.downloads, many.downloads);
  print_message("%s: a submission takes %llu ns with %llu dispatches, %llu ns with %llu\n", device_name(),
                (unsigned long long)few_ns, (unsigned long long)few.dispatches, (unsigned long long)many_ns,
                (unsigned long long)many.dispatches);
  /* Allows 3 us for each further dispatch, and a factor of two for noise. */
  assert_true(many_ns < 2 * few_ns + 3000 * (many.dispatches - few.dispatches));
}

/* 2^24 leaves take 512 MiB, and so do the nodes. Both are in memory of the caller, so that the plan needs at most 1
 * MiB. */
static void two_to_the_24_leaves_fit(void **state) {
  const uint64_t small = 1 << 20;
  const rp_merkle_config c = {.struct_size = sizeof c, .leaves = 1 << 24, .leaves_on_device = 1};
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_error err = {0};
  (void)state;
  if (rp_merkle_plan(device_current(), &c, &plan, &err) != RP_OK) fail_msg("%s", err.reason);
  assert_true(plan.total_bytes <= small);
  assert_true(plan.staging_bytes < small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_take_one_dispatch_each),
      cmocka_unit_test(blocks_worked_trace),
      cmocka_unit_test(blocks_counts),
      cmocka_unit_test(barriers),
      cmocka_unit_test(schedule_by_table),
      cmocka_unit_test(host_work_does_not_grow),
      cmocka_unit_test(two_to_the_24_leaves_fit),
  };
  const int failures = device_run_tests("merkle_schedule", tests, sizeof tests / sizeof *tests);
  json_unload();
  return failures;
}
