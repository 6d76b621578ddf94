/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Commitments and proofs of knowledge that come with a solution. With gnark's own the proof is gnark's, byte for byte,
 * and the run leaves out the products that they replace; others are refused, and give no proof.
 */
#include "gnark_subject.h"

#include <reprise/inspect.h>

enum { G1_MOST = 96, MOST_GIVEN = 2 };

/* The points of a fixture's own proof, in one form. */
typedef struct given {
  uint8_t commitments[MOST_GIVEN * G1_MOST], knowledge[G1_MOST];
  size_t commitments_bytes, knowledge_bytes;
} given;

static given read_given(const gnark_fixture *f, rp_gnark_form form) {
  blob file = blob_read(gnark_path(f, form == RP_GNARK_RAW ? "proof.raw" : "proof.bin"));
  const size_t g1 = (gnark_is_bls(f) ? 48u : 32u) * (form == RP_GNARK_RAW ? 2u : 1u), n = f->n_commitments;
  given out = {.commitments_bytes = n * g1, .knowledge_bytes = g1};
  assert_int_equal(file.bytes, 4 * g1 + 4 + (n + 1) * g1); /* A, B of twice the size, C, a count, D, the proof */
  memcpy(out.commitments, file.data + 4 * g1 + 4, n * g1);
  memcpy(out.knowledge, file.data + file.bytes - g1, g1);
  blob_free(&file);
  return out;
}

static rp_gnark_solution with_given(const subject *s, const given *g, bool knowledge) {
  rp_gnark_solution v = s->vectors;
  v.commitments = g->commitments, v.commitments_bytes = g->commitments_bytes;
  if (knowledge) v.knowledge = g->knowledge, v.knowledge_bytes = g->knowledge_bytes;
  return v;
}

static void open_committed(bench *b, int i, subject *s) { open_subject(b, &gnark_fixtures[i], "pk.bin", 0, s); }

static const int committed[] = {2, 3, 5};
enum { COMMITTED = 3 };

static void with_gnarks_commitments_it_is_gnarks_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < COMMITTED; i++) {
    subject s;
    rp_error err = {0};
    rp_gnark_proof proof;
    open_committed(b, committed[i], &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    for (int k = 0; k < 4; k++) {
      uint8_t signals[MOST_SIGNALS * 32];
      const given g = read_given(s.fixture, (rp_gnark_form)(k / 2));
      const rp_gnark_solution v = with_given(&s, &g, k % 2);
      EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &v, s.facts.r, s.facts.s, &proof, signals, NULL, &err),
             &err);
      is_gnarks_proof(s.fixture, &proof);
      check_signals(s.fixture, signals);
      /* A run that is given nothing computes all of them again. */
      EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &s.vectors, s.facts.r, s.facts.s, &proof, NULL, NULL, &err),
             &err);
      is_gnarks_proof(s.fixture, &proof);
    }
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

/* W, A and B of a file with given points, in a batch, a task and with streamed points. */
static void every_way_to_prove_takes_them(void **state) {
  bench *b = *state;
  for (int i = 0; i < COMMITTED; i++) {
    subject s;
    rp_error err = {0};
    rp_gnark_proof proof[2];
    char path[GNARK_PATH];
    rp_groth16_task *task;
    rp_plan_info plan = {.struct_size = sizeof plan};
    rp_groth16_prover_options options = {.struct_size = sizeof options, .memory_budget_bytes = 1};
    open_committed(b, committed[i], &s);
    snprintf(path, sizeof path, "%s", gnark_path(s.fixture, "solution.bin"));
    const given g = read_given(s.fixture, RP_GNARK_COMPRESSED);
    rp_gnark_solution v = with_given(&s, &g, 1);
    v.wires = v.a = v.b = NULL, v.n_wires = v.n_constraints = 0, v.path = path;
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &v, s.facts.r, s.facts.s, &proof[0], NULL, NULL, &err), &err);
    is_gnarks_proof(s.fixture, &proof[0]);
    rp_gnark_job jobs[2] = {{.struct_size = sizeof *jobs, .solution = &v, .proof = &proof[0]},
                            {.struct_size = sizeof *jobs, .solution = &s.vectors, .proof = &proof[1]}};
    EXPECT(RP_OK, rp_gnark_prove_batch(prover, jobs, 2, &err), &err);
    assert_memory_equal(proof[0].commitment, proof[1].commitment, sizeof proof[0].commitment);
    assert_memory_equal(proof[0].knowledge, proof[1].knowledge, sizeof proof[0].knowledge);
    const rp_groth16_request r = {.struct_size = sizeof r, .solution = &v};
    EXPECT(RP_OK, rp_groth16_submit(prover, &r, UINT64_MAX, &task, &err), &err);
    EXPECT(RP_OK, rp_groth16_wait(task, UINT64_MAX), &err);
    EXPECT(RP_OK, rp_gnark_result(task, &proof[1], NULL, NULL, &err), &err);
    assert_memory_equal(proof[0].commitment, proof[1].commitment, sizeof proof[0].commitment);
    rp_groth16_end(task);
    rp_groth16_prover_destroy(prover);
    if (rp_group_size(b->device) == 1) {
      EXPECT(RP_ERR_BUDGET, rp_groth16_plan(b->device, s.key, &options, &plan, &err), &err);
      options.memory_budget_bytes = plan.total_bytes;
      prover = prover_with_options(b, &s, &options);
      v = with_given(&s, &g, i % 2);
      EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &v, s.facts.r, s.facts.s, &proof[0], NULL, NULL, &err),
             &err);
      is_gnarks_proof(s.fixture, &proof[0]);
      rp_groth16_prover_destroy(prover);
    }
    close_subject(&s);
  }
}

/* ---- What a run leaves out --------------------------------------------------------------------------------------- */

enum { PRODUCTS = 2, MOST_NODES = 8192 };

/* Of the dispatches for commitments that have a condition: those that the latest run left out, and all. */
static uint32_t left_out(rp_groth16_prover *prover, uint32_t *all) {
  rp_node_info *nodes = calloc(MOST_NODES, sizeof *nodes);
  uint32_t n, skipped = 0;
  rp_error err = {0};
  nodes[0].struct_size = sizeof *nodes;
  EXPECT(RP_OK, rp_recording_nodes(rp_groth16_prover_recording(prover), nodes, MOST_NODES, &n, &err), &err);
  assert_true(n <= MOST_NODES);
  *all = 0;
  for (uint32_t i = 0; i < n; i++)
    if (nodes[i].guarded) {
      assert_non_null(strstr(nodes[i].name, "commitments"));
      skipped += nodes[i].skipped, *all += 1;
    }
  free(nodes);
  return skipped;
}

static void what_is_given_is_not_computed(void **state) {
  bench *b = *state;
  subject s;
  rp_error err = {0};
  rp_gnark_proof proof;
  uint32_t all, out[3];
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .flags = RP_RECORD_PROFILE};
  rp_device_info device = {.struct_size = sizeof device};
  rp_device_get_info(b->device, &device);
  if (device.kind != RP_DEVICE_CPU || rp_group_size(b->device) != 1) skip();
  open_committed(b, 3, &s);
  const given g = read_given(s.fixture, RP_GNARK_RAW);
  const rp_gnark_solution v[3] = {s.vectors, with_given(&s, &g, 0), with_given(&s, &g, 1)};
  rp_groth16_prover *prover = prover_with_options(b, &s, &options);
  for (int i = 0; i < 3; i++) {
    EXPECT(RP_OK, rp_gnark_prove(prover, &v[i], &proof, NULL, NULL, &err), &err);
    out[i] = left_out(prover, &all);
  }
  assert_int_equal(out[0], 0);
  assert_true(out[1] >= PRODUCTS && out[1] < out[2]);
  assert_int_equal(out[2], all);
  assert_true(2 * out[1] < all); /* what prepares the wires serves both products */
  rp_groth16_prover_destroy(prover);
  close_subject(&s);
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void refused(rp_groth16_prover *prover, const rp_gnark_solution *v, rp_status expected, const char *says) {
  static const rp_gnark_proof nothing;
  static const uint8_t zeros[MOST_SIGNALS * 32];
  rp_error err = {0};
  rp_gnark_proof proof;
  uint8_t signals[MOST_SIGNALS * 32] = {0};
  memset(&proof, 0x5a, sizeof proof);
  EXPECT(expected, rp_gnark_prove(prover, v, &proof, signals, NULL, &err), &err);
  if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
  assert_memory_equal(&proof, &nothing, sizeof nothing);
  assert_memory_equal(signals, zeros, sizeof zeros);
}

static void points_that_are_none_are_refused(void **state) {
  bench *b = *state;
  for (int i = 0; i < COMMITTED; i++) {
    subject s;
    open_committed(b, committed[i], &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    const given raw = read_given(s.fixture, RP_GNARK_RAW), compressed = read_given(s.fixture, RP_GNARK_COMPRESSED);
    const size_t g1 = raw.knowledge_bytes;
    given g = raw;
    for (size_t bytes = 0; bytes <= raw.commitments_bytes + 1; bytes++) {
      rp_gnark_solution v = with_given(&s, &raw, 1);
      v.commitments_bytes = bytes;
      if (bytes != raw.commitments_bytes) refused(prover, &v, RP_ERR_INPUT, "Commitments of the solution: ");
    }
    rp_gnark_solution v = with_given(&s, &raw, 1);
    v.knowledge_bytes--;
    refused(prover, &v, RP_ERR_INPUT, "The proof of knowledge of the solution: ");
    g.commitments[g1 - 1] ^= 1; /* y */
    v = with_given(&s, &g, 0);
    refused(prover, &v, RP_ERR_INPUT, "Commitment 0 of the solution: it is not on the curve");
    g = raw, g.knowledge[g1 - 1] ^= 1;
    v = with_given(&s, &g, 1);
    refused(prover, &v, RP_ERR_INPUT, "The proof of knowledge of the solution: it is not on the curve");
    g = raw, memset(g.commitments + g1 / 2, 0xff, g1 / 2);
    v = with_given(&s, &g, 1);
    refused(prover, &v, RP_ERR_INPUT, "Commitment 0 of the solution: a coordinate");
    g = compressed, memset(g.commitments, 0xe0, 1);
    v = with_given(&s, &g, 1);
    if (gnark_is_bls(s.fixture)) refused(prover, &v, RP_ERR_INPUT, "marks no form");
    g = compressed, memcpy(g.commitments + g.commitments_bytes - g1 / 2, raw.commitments, g1 / 2);
    v = with_given(&s, &g, 1);
    refused(prover, &v, RP_ERR_INPUT, "of the solution: ");
    memset(&g, 0, sizeof g), g.commitments_bytes = raw.commitments_bytes; /* infinity */
    if (gnark_is_bls(s.fixture)) g.commitments[0] = 0x40;
    v = with_given(&s, &g, 0);
    refused(prover, &v, RP_ERR_MISMATCH, "its challenge, wire ");
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

/* A curve with a cofactor has points outside the subgroup: nearly every x that has a point has one. */
static void points_outside_the_subgroup_are_refused(void **state) {
  bench *b = *state;
  subject s;
  open_committed(b, 5, &s);
  rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
  given g = read_given(s.fixture, RP_GNARK_COMPRESSED);
  int seen = 0;
  for (uint8_t x = 1; x < 20; x++) {
    rp_error err = {0};
    rp_gnark_proof proof;
    memset(g.commitments, 0, g.commitments_bytes);
    g.commitments[0] = 0x80, g.commitments[g.commitments_bytes - 1] = x;
    const rp_gnark_solution v = with_given(&s, &g, 0);
    EXPECT(RP_ERR_INPUT, rp_gnark_prove(prover, &v, &proof, NULL, NULL, &err), &err);
    seen += strstr(err.reason, "Commitment 0 of the solution: it is not in the subgroup") != NULL;
  }
  assert_true(seen > 4);
  rp_groth16_prover_destroy(prover);
  close_subject(&s);
}

/* Nor does a key with such a point in a basis of its commitments open, whether or not its points are to be checked. */
static void bases_outside_the_subgroup_are_refused(void **state) {
  enum { G1 = 48 };
  bench *b = *state;
  subject s;
  open_committed(b, 5, &s);
  blob file = blob_read(gnark_path(s.fixture, "pk.bin"));
  const size_t n = s.facts.commitment[0].n_wires, ends[2] = {file.bytes - n * G1 - 4, file.bytes}; /* a count between */
  int seen[2] = {0};
  for (int which = 0; which < 2; which++)
    for (uint8_t x = 1; x < 20; x++) {
      rp_error err = {0};
      rp_groth16_key *key;
      uint8_t *point = file.data + ends[which] - G1, before[G1]; /* the last one */
      rp_groth16_key_options options = options_of(&s);
      options.check_points = 0;
      memcpy(before, point, G1);
      memset(point, 0, G1), point[0] = 0x80, point[G1 - 1] = x;
      EXPECT(RP_ERR_FORMAT, rp_groth16_key_open_memory(b->context, file.data, file.bytes, &options, &key, &err), &err);
      seen[which] += strstr(err.reason, "it is not in the subgroup") != NULL;
      memcpy(point, before, G1);
    }
  assert_true(seen[0] > 4 && seen[1] > 4);
  blob_free(&file);
  close_subject(&s);
}

/* Points of the subgroup that are not those of the wires. */
static void points_of_other_wires_are_refused(void **state) {
  bench *b = *state;
  for (int i = 0; i < COMMITTED; i++) {
    subject s;
    open_committed(b, committed[i], &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    const given own = read_given(s.fixture, RP_GNARK_RAW);
    const size_t g1 = own.knowledge_bytes;
    given g = own;
    memcpy(g.commitments + own.commitments_bytes - g1, own.knowledge, g1);
    rp_gnark_solution v = with_given(&s, &g, 0);
    refused(prover, &v, RP_ERR_MISMATCH, s.fixture->n_commitments == 2 ? "Commitment 1 " : "Commitment 0 ");
    if (s.fixture->n_commitments == 2) {
      memcpy(g.commitments, own.commitments + g1, g1), memcpy(g.commitments + g1, own.commitments, g1);
      v = with_given(&s, &g, 1);
      refused(prover, &v, RP_ERR_MISMATCH, "Commitment 0 ");
    }
    g = own, memcpy(g.knowledge, own.commitments, g1);
    v = with_given(&s, &g, 1);
    refused(prover, &v, RP_ERR_VERIFY, "the commitments or the proof of knowledge that came with the solution");
    /* The challenges fit, and a wire that is committed to is another one. */
    uint8_t *wire = (uint8_t *)s.vectors.wires + (size_t)32 * s.facts.wires[0][0];
    wire[0] ^= 1;
    for (int k = 0; k < 2; k++) {
      v = with_given(&s, &own, k);
      refused(prover, &v, RP_ERR_VERIFY, "that came with the solution are not those of its wires");
    }
    wire[0] ^= 1;
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

static void points_where_none_belong_are_refused(void **state) {
  bench *b = *state;
  subject s, none;
  const rp_groth16_prover_options unverified = {.struct_size = sizeof unverified, .no_verify = 1};
  open_committed(b, 2, &s);
  open_committed(b, 0, &none);
  const given g = read_given(s.fixture, RP_GNARK_RAW);
  rp_groth16_prover *provers[3] = {prover_with_options(b, &s, NULL), prover_with_options(b, &none, NULL),
                                   prover_with_options(b, &s, &unverified)};
  rp_gnark_solution v = with_given(&s, &g, 1);
  v.commitments = NULL;
  refused(provers[0], &v, RP_ERR_ARGUMENT, "without the commitments");
  v = with_given(&none, &g, 0);
  refused(provers[1], &v, RP_ERR_MISMATCH, "has none");
  v = with_given(&s, &g, 1);
  refused(provers[2], &v, RP_ERR_ARGUMENT, "no_verify");
  /* A caller of an earlier version, whose struct ends before these members, may have anything behind it. */
  v.struct_size = offsetof(rp_gnark_solution, commitments);
  rp_error err = {0};
  rp_gnark_proof proof;
  EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(provers[2], &v, s.facts.r, s.facts.s, &proof, NULL, NULL, &err), &err);
  is_gnarks_proof(s.fixture, &proof);
  for (int i = 0; i < 3; i++) rp_groth16_prover_destroy(provers[i]);
  close_subject(&s), close_subject(&none);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_gnarks_commitments_it_is_gnarks_proof),
      cmocka_unit_test(every_way_to_prove_takes_them),
      cmocka_unit_test(what_is_given_is_not_computed),
      cmocka_unit_test(points_that_are_none_are_refused),
      cmocka_unit_test(points_outside_the_subgroup_are_refused),
      cmocka_unit_test(bases_outside_the_subgroup_are_refused),
      cmocka_unit_test(points_of_other_wires_are_refused),
      cmocka_unit_test(points_where_none_belong_are_refused),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
