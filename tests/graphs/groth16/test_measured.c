/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prover measures costs by its proofs, and provers that are made afterwards are planned by them (rp_costs_use_on):
 * predicted times change, proofs do not.
 */
#include "common.h"

#include <reprise/plans.h>

typedef struct bytes {
  uint8_t data[1 << 18];
  size_t n;
} bytes;

static int append(void *user, const char *text, size_t n) {
  bytes *b = user;
  assert_true(b->n + n <= sizeof b->data);
  memcpy(b->data + b->n, text, n);
  b->n += n;
  return 0;
}

static uint64_t predicted(bench *b, const blob *zkey, rp_plan_info *info) {
  const rp_groth16_prover_options options = {.struct_size = sizeof options};
  rp_plan_point points[64] = {{.struct_size = sizeof *points}};
  rp_groth16_key *key;
  uint32_t n = 0;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey->data, zkey->bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_plan_points(b->device, key, &options, points, 64, &n, &err), &err);
  *info = (rp_plan_info){.struct_size = sizeof *info};
  EXPECT(RP_OK, rp_groth16_plan(b->device, key, &options, info, &err), &err);
  rp_groth16_key_close(key);
  return points[0].predicted_ns;
}

static void provers_are_planned_by_what_was_measured(void **state) {
  bench *b = *state;
  static bytes costs;
  made m = fixture_files(fixture_names[0]);
  const rp_groth16_prover_options profiled = {.struct_size = sizeof profiled, .flags = RP_RECORD_PROFILE};
  rp_error err = {0};
  rp_plan_info before, after;
  costs.n = 0;
  if (rp_group_size(b->device) > 1) {
    EXPECT(RP_ERR_UNSUPPORTED, rp_costs_use_on(b->device, "x", 1, &err), &err);
    skip();
  }
  const uint64_t by_model = predicted(b, &m.zkey, &before);
  rp_groth16_prover *first = prover_with(b, &m.zkey, &profiled);
  const rp_groth16_proof proof = comparable_proof(first, &m.wtns);
  rp_recording *recording = rp_groth16_prover_recording(first);
  EXPECT(RP_OK, rp_costs_keep(&recording, 1, append, &costs, &err), &err);
  rp_groth16_prover_destroy(first);
  EXPECT(RP_OK, rp_costs_use_on(b->device, costs.data, costs.n, &err), &err);
  assert_int_not_equal(predicted(b, &m.zkey, &after), by_model);
  assert_int_equal(after.total_bytes, before.total_bytes); /* the usual plan fits */
  rp_groth16_prover *second = prover_of(b, &m.zkey, 1);
  const rp_groth16_proof again = comparable_proof(second, &m.wtns);
  assert_memory_equal(&again, &proof, sizeof proof);
  rp_groth16_prover_destroy(second);
  made_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(provers_are_planned_by_what_was_measured)};
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
