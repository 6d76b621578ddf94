/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Budgets of the prover, of its graph and of its streams: every budget that holds a plan is accepted, and a refusal
 * names the smallest such budget. budget_walk.h lists what is tested. With REPRISE_TEST_QUICK, there are fewer budgets,
 * and one of three plans proves.
 */
#include "common.h"

#include "budget_walk.h"
#include "groth16/prover/graph.h"
#include "groth16/prover/key.h"

#include <reprise/msm.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct asked {
  rp_device *device;
  rp_groth16_key *key;
  const rp_graph *graph;
  rp_curve curve;
  uint64_t points;
  uint32_t in_flight, tables;
} asked;

static asked open_key(bench *b, const char *name, blob *zkey) {
  asked a = {.device = b->device, .in_flight = 1};
  rp_error err = {0};
  *zkey = fixture_read(name, "circuit.zkey");
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey->data, zkey->bytes, NULL, &a.key, &err), &err);
  return a;
}

static rp_groth16_prover_options options_of(const asked *a, uint64_t budget) {
  return (rp_groth16_prover_options){.struct_size = sizeof(rp_groth16_prover_options),
                                     .max_in_flight = a->in_flight,
                                     .tables = a->tables,
                                     .memory_budget_bytes = budget};
}

/* ---- Planning the prover, its graph and its streams -------------------------------------------------------------- */

static rp_status ask_prover(void *user, uint64_t budget, uint64_t *total, rp_error *err) {
  const asked *a = user;
  const rp_groth16_prover_options options = options_of(a, budget);
  rp_plan_info info = {.struct_size = sizeof info};
  const rp_status status = rp_groth16_plan(a->device, a->key, &options, &info, err);
  *total = info.total_bytes;
  return status;
}

static rp_status ask_graph(void *user, uint64_t budget, uint64_t *total, rp_error *err) {
  const asked *a = user;
  const rp_record_options options = {
      .struct_size = sizeof options, .max_in_flight = a->in_flight, .memory_budget_bytes = budget};
  rp_plan_info info = {.struct_size = sizeof info};
  const rp_status status = rp_plan_query(a->device, a->graph, &options, &info, err);
  *total = info.total_bytes;
  return status;
}

static rp_status ask_stream(void *user, uint64_t budget, uint64_t *total, rp_error *err) {
  const asked *a = user;
  const rp_msm_stream_options options = {
      .struct_size = sizeof options, .in_flight = a->in_flight, .memory_budget_bytes = budget};
  rp_msm_stream_info info = {.struct_size = sizeof info};
  const rp_status status = rp_msm_stream_plan(a->device, a->curve, a->points, &options, &info, err);
  *total = info.device_bytes;
  return status;
}

static void walk(budget_query query, asked *a, budget_borders *borders) {
  uint64_t most;
  rp_error err = {0};
  EXPECT(RP_OK, query(a, 0, &most, &err), &err);
  const int quick = getenv("REPRISE_TEST_QUICK") != NULL; /* where a checked build would take minutes */
  budget_walk(query, a, most, quick ? 2 : 9, quick ? 12 : 60, borders);
}

static void graphs(void **state) {
  budget_borders borders;
  for (int i = 0; i < FIXTURE_COUNT; i++)
    for (int whole = 0; whole < 2; whole++) {
      blob zkey;
      asked a = open_key(*state, fixture_names[i], &zkey);
      g16_graph graph;
      rp_error err = {0};
      EXPECT(RP_OK,
             whole ? g16_graph_build(a.key, rp_device_context(a.device), 0, &G16_UNCUT, &graph, &err)
                   : g16_graph_build_quotient(a.key, rp_device_context(a.device), &graph, &err),
             &err);
      a.graph = graph.graph;
      walk(ask_graph, &a, &borders);
      rp_graph_destroy(graph.graph);
      rp_groth16_key_close(a.key);
      blob_free(&zkey);
    }
}

static void streams(void **state) {
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BN254_G2, RP_CURVE_BLS12_381_G1};
  static const uint64_t lengths[] = {1, 63, 64, 65, 3000};
  bench *b = *state;
  budget_borders borders;
  for (size_t c = 0; c < sizeof curves / sizeof *curves; c++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      asked a = {.device = b->device, .curve = curves[c], .points = lengths[i], .in_flight = 1 + (uint32_t)i % 3};
      walk(ask_stream, &a, &borders);
      assert_true(borders.n >= (lengths[i] > 1000 ? 3 : 1));
    }
}

/* ---- Provers ----------------------------------------------------------------------------------------------------- */

static void proves(const asked *a, uint64_t budget, const blob *wtns, const blob *expected) {
  const uint8_t r[32] = {2}, s[32] = {3};
  const rp_groth16_prover_options options = options_of(a, budget);
  rp_groth16_prover *prover;
  rp_groth16_proof proof;
  rp_error err = {0};
  size_t n;
  const uint8_t *values = wtns_values(wtns, &n);
  EXPECT(RP_OK, rp_groth16_prover_create(a->device, a->key, &options, &prover, &err), &err);
  EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, &proof, NULL, NULL, &err), &err);
  assert_true(proof_is(&proof, expected));
  rp_groth16_prover_destroy(prover);
}

/* A software GPU takes minutes to compile what the larger provers need. */
static int is_slow(const bench *b) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(b->device, &info);
  return info.software != 0;
}

/* What is planned can be made: at every border a prover is created and proves, and below the smallest one it is refused
 * with the sentence of the plan. */
static void provers(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++) {
    blob zkey, wtns = fixture_read(fixture_names[i], "witness.wtns"),
               expected = fixture_read(fixture_names[i], "proof_r2_s3.json");
    asked a = open_key(b, fixture_names[i], &zkey);
    budget_borders borders;
    rp_groth16_prover *prover;
    rp_plan_info info = {.struct_size = sizeof info};
    rp_error planned = {0}, created = {0};
    a.in_flight = 1 + (uint32_t)i % 2;
    a.tables = (uint32_t)i % 2;
    walk(ask_prover, &a, &borders);
    const uint64_t least = borders.total[borders.n - 1];
    const uint32_t step = getenv("REPRISE_TEST_QUICK") ? 3 : 1;
    for (uint32_t k = (borders.n - 1) % step; k < borders.n; k += step) /* the last one always */
      if (!is_slow(b) || (i == 0 && k + 1 == borders.n)) proves(&a, borders.total[k], &wtns, &expected);
    rp_groth16_prover_options options = options_of(&a, least);
    EXPECT(RP_OK, rp_groth16_plan(b->device, a.key, &options, &info, &planned), &planned);
    assert_int_equal(info.memory_level, RP_MEMORY_STREAMED);
    options.memory_budget_bytes = least - 1;
    EXPECT(RP_ERR_BUDGET, rp_groth16_plan(b->device, a.key, &options, &info, &planned), &planned);
    EXPECT(RP_ERR_BUDGET, rp_groth16_prover_create(b->device, a.key, &options, &prover, &created), &created);
    assert_string_equal(planned.reason, created.reason);
    assert_int_equal(info.total_bytes, least);
    rp_groth16_key_close(a.key);
    blob_free(&zkey), blob_free(&wtns), blob_free(&expected);
  }
}

/* The linker calls this in place of rp_record: the call that counts steal_after down to 0 finds its memory gone. 0: no
 * call does. */
static int steal_after;
rp_status __real_rp_record(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                           rp_recording **recording, rp_error *err);
rp_status __wrap_rp_record(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                           rp_recording **recording, rp_error *err);
rp_status __wrap_rp_record(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                           rp_recording **recording, rp_error *err) {
  const rp_status status = __real_rp_record(device, graph, options, recording, err);
  if (status != RP_OK || steal_after == 0 || --steal_after != 0) return status;
  rp_recording_destroy(*recording);
  *recording = NULL;
  return err->status = RP_ERR_BUDGET;
}

/* The same for rp_plan_query, where only calls that find a plan count. */
static int steal_after_plans;
rp_status __real_rp_plan_query(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                               rp_plan_info *info, rp_error *err);
rp_status __wrap_rp_plan_query(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                               rp_plan_info *info, rp_error *err);
rp_status __wrap_rp_plan_query(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                               rp_plan_info *info, rp_error *err) {
  const rp_status status = __real_rp_plan_query(device, graph, options, info, err);
  if (status != RP_OK || steal_after_plans == 0 || --steal_after_plans != 0) return status;
  *err = (rp_error){.status = RP_ERR_BUDGET, .reason = "the quotient needs 1 byte"};
  return RP_ERR_BUDGET;
}

/* The memory is taken while the quotient is planned (part 0), or before it or one of the two streams is recorded. The
 * refusal names the smallest plan, not that of the whole graph, which had been refused before, and not that of a part.
 */
static void memory_that_goes_meanwhile(void **state) {
  bench *b = *state;
  blob zkey;
  asked a = open_key(b, "poseidon_merkle", &zkey);
  uint64_t least = 0;
  char figure[32];
  rp_error err = {0};
  EXPECT(RP_ERR_BUDGET, ask_prover(&a, 1, &least, &err), &err);
  snprintf(figure, sizeof figure, "needs %llu bytes", (unsigned long long)least);
  for (int part = 0; part <= 3; part++) {
    const rp_groth16_prover_options options = options_of(&a, least + least / 8);
    rp_groth16_prover *prover;
    steal_after = part;
    steal_after_plans = part == 0;
    EXPECT(RP_ERR_BUDGET, rp_groth16_prover_create(b->device, a.key, &options, &prover, &err), &err);
    assert_int_equal(steal_after + steal_after_plans, 0);
    if (!strstr(err.reason, figure)) fail_msg("\"%s\" does not say \"%s\"", err.reason, figure);
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, a.key, &options, &prover, &err), &err);
    rp_groth16_prover_destroy(prover);
  }
  rp_groth16_key_close(a.key);
  blob_free(&zkey);
}

/* The device's own budget has the same effect as one in the options. */
static void a_device_with_little(void **state) {
  bench *b = *state;
  const char *name = fixture_names[is_slow(b) ? 0 : 2];
  blob zkey, wtns = fixture_read(name, "witness.wtns"), expected = fixture_read(name, "proof_r2_s3.json");
  asked a = open_key(b, name, &zkey);
  rp_device_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  rp_device_get_info(b->device, &info);
  uint64_t least = 0;
  EXPECT(RP_ERR_BUDGET, ask_prover(&a, 1, &least, &err), &err);
  for (int enough = 0; enough < 2; enough++) {
    rp_device_options options = {.struct_size = sizeof options,
                                 .kind = info.kind,
                                 .index = info.index,
                                 .cpu_threads = info.kind == RP_DEVICE_CPU ? info.limits.workers : 0,
                                 .memory_budget_bytes = enough ? least : least - 1};
    rp_groth16_prover *prover;
    EXPECT(RP_OK, rp_device_open(b->context, &options, &a.device, &err), &err);
    if (enough)
      proves(&a, 0, &wtns, &expected);
    else
      EXPECT(RP_ERR_BUDGET, rp_groth16_prover_create(a.device, a.key, NULL, &prover, &err), &err);
    rp_device_close(a.device);
  }
  rp_groth16_key_close(a.key);
  blob_free(&zkey), blob_free(&wtns), blob_free(&expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(graphs), cmocka_unit_test(streams), cmocka_unit_test(provers),
                                     cmocka_unit_test(memory_that_goes_meanwhile),
                                     cmocka_unit_test(a_device_with_little)};
  return cmocka_run_group_tests_name("groth16_budgets", tests, group_opens_bench, group_closes_bench);
}
