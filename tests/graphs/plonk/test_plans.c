/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory of the prover: whatever plan a budget gives, the proof is the same; every budget that holds a plan is
 * accepted, and a refusal names the smallest.
 */
#include "common.h"

#include "budget_walk.h"
#include "plonk/prover/graph.h"

#include <stdlib.h>

enum { AROUND = 2, STEPS = 12 };

typedef struct asked {
  rp_device *device;
  rp_plonk_key *key;
  uint32_t in_flight, tables;
} asked;

static rp_plonk_prover_options options_of(const asked *a, uint64_t budget) {
  return (rp_plonk_prover_options){.struct_size = sizeof(rp_plonk_prover_options),
                                   .max_in_flight = a->in_flight,
                                   .tables = a->tables,
                                   .memory_budget_bytes = budget};
}

static rp_status ask(void *user, uint64_t budget, uint64_t *total, rp_error *err) {
  const asked *a = user;
  const rp_plonk_prover_options options = options_of(a, budget);
  rp_plan_info info = {.struct_size = sizeof info};
  const rp_status status = rp_plonk_plan(a->device, a->key, &options, &info, err);
  *total = info.total_bytes;
  return status;
}

static void expect_proof(const asked *a, uint64_t budget, const blob *wtns, const blob *expected) {
  const rp_plonk_prover_options options = options_of(a, budget);
  uint8_t blinding[RP_PLONK_BLINDING][32] = {{0}};
  rp_plonk_prover *prover;
  rp_plonk_proof proof;
  char text[4096];
  size_t n, bytes;
  rp_error err = {0};
  const uint8_t *values = wtns_values(wtns, &n);
  for (uint8_t i = 0; i < RP_PLONK_BLINDING; i++) blinding[i][0] = (uint8_t)(2 + i);
  EXPECT(RP_OK, rp_plonk_prover_create(a->device, a->key, &options, &prover, &err), &err);
  EXPECT(RP_OK,
         rp_plonk_prove_unsafe_blinding(prover, values, n, (const uint8_t(*)[32])blinding, &proof, NULL, NULL, &err),
         &err);
  EXPECT(RP_OK, rp_plonk_proof_to_json(&proof, text, sizeof text, &bytes, &err), &err);
  assert_int_equal(bytes, expected->bytes);
  assert_memory_equal(text, expected->data, bytes);
  rp_plonk_prover_destroy(prover);
}

static void any_plan_makes_the_same_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < PLONK_FIXTURES; i++) {
    blob zkey = fixture_read(plonk_fixture[i], "circuit.zkey"), wtns = fixture_read(plonk_fixture[i], "witness.wtns"),
         expected = fixture_read(plonk_fixture[i], "proof_blinding_2_3_4.json");
    asked a = {.device = b->device, .in_flight = 1, .tables = 1};
    uint64_t total, least = 0;
    rp_error err = {0};
    EXPECT(RP_OK, rp_plonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &a.key, &err), &err);
    EXPECT(RP_OK, ask(&a, 0, &total, &err), &err);
    for (uint64_t budget = total; least != budget; budget = total) {
      expect_proof(&a, budget, &wtns, &expected);
      least = budget;
      if (ask(&a, budget - 1, &total, &err) != RP_OK) total = budget;
    }
    const rp_plonk_prover_options too_little = options_of(&a, least - 1);
    rp_plonk_prover *prover;
    EXPECT(RP_ERR_BUDGET, rp_plonk_prover_create(a.device, a.key, &too_little, &prover, &err), &err);
    assert_null(prover);
    rp_plonk_key_close(a.key);
    blob_free(&zkey), blob_free(&wtns), blob_free(&expected);
  }
}

static void budgets_are_kept(void **state) {
  bench *b = *state;
  blob zkey = fixture_read(plonk_fixture[0], "circuit.zkey");
  rp_error err = {0};
  for (uint32_t in_flight = 1; in_flight <= 3; in_flight += 2) {
    asked a = {.device = b->device, .in_flight = in_flight, .tables = 1};
    budget_borders borders;
    uint64_t most;
    EXPECT(RP_OK, rp_plonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &a.key, &err), &err);
    EXPECT(RP_OK, ask(&a, 0, &most, &err), &err);
    const int quick = getenv("REPRISE_TEST_QUICK") != NULL; /* where a checked build would take minutes */
    budget_walk(ask, &a, most, quick ? 1 : AROUND, quick ? 4 : STEPS, &borders);
    assert_true(borders.n > 1);
    rp_plonk_key_close(a.key);
  }
  blob_free(&zkey);
}

/* Each kind of graph is tried, whichever the device would choose. */
static void every_kind_of_graph_makes_the_same_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < PLONK_FIXTURES; i += 2) {
    blob zkey = fixture_read(plonk_fixture[i], "circuit.zkey"), wtns = fixture_read(plonk_fixture[i], "witness.wtns");
    rp_plonk_key *key;
    uint8_t points[3][PLONK_PROOF_POINTS * 64];
    size_t n;
    rp_error err = {0};
    const uint8_t *values = wtns_values(&wtns, &n);
    EXPECT(RP_OK, rp_plonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
    uint8_t *input = calloc(n + RP_PLONK_BLINDING, 32);
    memcpy(input + 32, values + 32, 32 * (n - 1));
    for (uint8_t k = 0; k < RP_PLONK_BLINDING; k++) input[32 * (n + k)] = (uint8_t)(k + 1);
    for (int kind = PLONK_GRAPH_TABLES; kind <= PLONK_GRAPH_LEAN; kind++) {
      plonk_graph graph;
      rp_recording *recording;
      EXPECT(RP_OK, plonk_graph_build(&key->common, b->device, (plonk_graph_kind)kind, &graph, &err), &err);
      EXPECT(RP_OK, rp_record(b->device, graph.graph, NULL, &recording, &err), &err);
      EXPECT(RP_OK,
             rp_replay(recording, &(rp_replay_input){.name = "witness", .data = input, .size_bytes = 32 * (n + 11)}, 1,
                       &(rp_replay_output){.name = "points", .data = points[kind], .size_bytes = sizeof points[kind]},
                       1, &err),
             &err);
      assert_memory_equal(points[kind], points[0], sizeof points[0]);
      rp_recording_destroy(recording);
      rp_graph_destroy(graph.graph);
    }
    free(input);
    rp_plonk_key_close(key);
    blob_free(&zkey), blob_free(&wtns);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_plan_makes_the_same_proof),
      cmocka_unit_test(every_kind_of_graph_makes_the_same_proof),
      cmocka_unit_test(budgets_are_kept),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
