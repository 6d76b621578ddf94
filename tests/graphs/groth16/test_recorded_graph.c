/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A recorded key is a saved graph: any program can load it and compute with it. A prover does not compute with the
 * nodes of a file, so that the author of a file learns nothing.
 */
#include "common.h"
#include "rpk_file.h"

#include "../saved/seal.h"

#include <reprise/save.h>

#include <stdatomic.h>
#include <stdio.h>

static blob record(bench *b, const char *name, const char *out) {
  rp_error err = {0};
  blob zkey = fixture_read(name, "circuit.zkey");
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  const char *path = scratch_path(out);
  EXPECT(RP_OK, rp_groth16_save(prover, path, &err), &err);
  rp_groth16_prover_destroy(prover);
  blob_free(&zkey);
  return blob_read(path);
}

/* What a graph that was loaded computes from the witness of a fixture, with r = 2 and s = 3. */
static void compute(bench *b, rp_graph *graph, const char *fixture, const g16_family *family, rp_groth16_proof *proof) {
  rp_error err = {0};
  blob wtns = fixture_read(fixture, "witness.wtns");
  size_t n;
  const uint8_t *values = wtns_values(&wtns, &n);
  uint8_t *witness = calloc(n + G16_BLINDING, 32);
  const rp_replay_input in = {.name = "witness", .data = witness, .size_bytes = (n + G16_BLINDING) * 32};
  const uint64_t g1 = g16_g1_bytes(family), g2 = g16_g2_bytes(family);
  const rp_replay_output out[3] = {{.name = "pi_a", .data = proof->a, .size_bytes = g1},
                                   {.name = "pi_b", .data = proof->b, .size_bytes = g2},
                                   {.name = "pi_c", .data = proof->c, .size_bytes = g1}};
  rp_recording *recording;
  assert_non_null(witness);
  *proof = (rp_groth16_proof){.g1 = family->g1, .g2 = family->g2};
  memcpy(witness, values, n * 32);
  witness[n * 32] = 3;
  witness[(n + 1) * 32] = 2;
  EXPECT(RP_OK, rp_record(b->device, graph, NULL, &recording, &err), &err);
  EXPECT(RP_OK, rp_replay(recording, &in, 1, out, 3, &err), &err);
  rp_recording_destroy(recording);
  free(witness);
  blob_free(&wtns);
}

static void it_computes_a_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++)
    for (uint32_t flags = 0; flags <= RP_LOAD_MAP; flags++) {
      rp_error err = {0};
      blob file = record(b, fixture_names[i], "graph.rpk"),
           expected = fixture_read(fixture_names[i], "proof_r2_s3.json");
      const g16_family *family = g16_family_by_g1((rp_curve)rpk_open(file.data, file.bytes).header->curve);
      const rp_load_options options = {.struct_size = sizeof options, .flags = flags};
      rp_groth16_proof proof;
      rp_graph *graph;
      EXPECT(RP_OK, rp_graph_load(b->context, scratch_path("graph.rpk"), &options, &graph, &err), &err);
      compute(b, graph, fixture_names[i], family, &proof);
      assert_true(proof_is(&proof, &expected));
      rp_graph_destroy(graph);
      blob_free(&file);
      blob_free(&expected);
    }
}

static void *count_alloc(void *user, size_t bytes, size_t align) {
  atomic_fetch_add((_Atomic int64_t *)user, (int64_t)bytes);
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void count_free(void *user, void *memory, size_t bytes) {
  atomic_fetch_sub((_Atomic int64_t *)user, (int64_t)bytes);
  free(memory);
}

/* The graph that is saved is released. */
static void saving_leaves_no_memory(void **state) {
  (void)state;
  static _Atomic int64_t live_bytes;
  const rp_context_options counted = {.struct_size = sizeof counted,
                                      .allocator = {&live_bytes, count_alloc, count_free}};
  rp_error err = {0};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  bench b = {0};
  EXPECT(RP_OK, rp_context_create(&counted, &b.context, &err), &err);
  EXPECT(RP_OK, rp_device_open(b.context, &cpu, &b.device, &err), &err);
  blob zkey = fixture_read("multiplier_bn254", "circuit.zkey");
  rp_groth16_prover *prover = prover_of(&b, &zkey, 1);
  const int64_t before = atomic_load(&live_bytes);
  EXPECT(RP_OK, rp_groth16_save(prover, scratch_path("left.rpk"), &err), &err);
  assert_int_equal(atomic_load(&live_bytes), before);
  rp_groth16_prover_destroy(prover);
  blob_free(&zkey);
  bench_close(&b);
}

/* The graph does not depend on how the prover that saves it proves. */
static void every_prover_saves_the_same(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob zkey = fixture_read("multiplier_bn254", "circuit.zkey"), expected = record(b, "multiplier_bn254", "one.rpk");
  const rp_groth16_prover_options ways[] = {{.struct_size = sizeof ways[0], .batch = 3},
                                            {.struct_size = sizeof ways[0], .tables = 1},
                                            {.struct_size = sizeof ways[0], .max_in_flight = 2, .no_verify = 1}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    rp_groth16_key *key;
    rp_groth16_prover *prover;
    EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &ways[i], &prover, &err), &err);
    EXPECT(RP_OK, rp_groth16_save(prover, scratch_path("other.rpk"), &err), &err);
    blob other = blob_read(scratch_path("other.rpk"));
    assert_int_equal(other.bytes, expected.bytes);
    assert_memory_equal(other.data, expected.data, other.bytes);
    rp_groth16_prover_destroy(prover);
    rp_groth16_key_close(key);
    blob_free(&other);
  }
  blob_free(&zkey);
  blob_free(&expected);
}

/* With one output taken for another, the graph of the file computes something else, and a prover does not. */
static void its_nodes_are_not_for_provers(void **state) {
  bench *b = *state;
  static const char fixture[] = "multiplier_bn254";
  rp_error err = {0};
  blob file = record(b, fixture, "nodes.rpk"), wtns = fixture_read(fixture, "witness.wtns"),
       expected = fixture_read(fixture, "proof_r2_s3.json");
  size_t bytes, n;
  const uint8_t r[32] = {2}, s[32] = {3}, *values = wtns_values(&wtns, &n);
  uint8_t *outputs = saved_section_of(file.data, file.bytes, SAVED_OUTPUTS, &bytes);
  assert_true(outputs && bytes == 4 + 3 * 12);
  uint8_t value[4]; /* pi_a becomes what pi_c is, and the reverse */
  memcpy(value, outputs + 8, 4);
  memcpy(outputs + 8, outputs + 32, 4);
  memcpy(outputs + 32, value, 4);
  rpk_seal(file.data, file.bytes);
  const char *path = scratch_path("nodes.rpk");
  blob_write(path, file.data, file.bytes);

  rp_graph *graph;
  rp_groth16_proof proof;
  EXPECT(RP_OK, rp_graph_load(b->context, path, NULL, &graph, &err), &err);
  compute(b, graph, fixture, g16_family_by_g1(RP_CURVE_BN254_G1), &proof);
  assert_false(proof_is(&proof, &expected));
  rp_graph_destroy(graph);

  rp_groth16_key *key;
  rp_groth16_prover *prover;
  EXPECT(RP_OK, rp_groth16_key_open(b->context, path, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, &proof, NULL, NULL, &err), &err);
  assert_true(proof_is(&proof, &expected));
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  blob_free(&file);
  blob_free(&wtns);
  blob_free(&expected);
}

/* A saved graph without a key is no recorded key. */
static void other_graphs_are_no_keys(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  EXPECT(RP_ERR_FORMAT, rp_groth16_key_open(b->context, TEST_DATA_DIR "/saved/version_1.rpg", NULL, &key, &err), &err);
  assert_non_null(strstr(err.reason, "a saved graph without a proving key"));
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(it_computes_a_proof, state),
      cmocka_unit_test(saving_leaves_no_memory),
      cmocka_unit_test_prestate(every_prover_saves_the_same, state),
      cmocka_unit_test_prestate(its_nodes_are_not_for_provers, state),
      cmocka_unit_test_prestate(other_graphs_are_no_keys, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
