/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The largest domain of a scalar field, 2^28 on BN254 and 2^32 on BLS12-381, has no root of unity of twice its order.
 * How snarkjs shifts there is tested at sizes for which keys can be made; a prover of the real size is only planned,
 * which takes several passes over 2^28 rows, and is left out with REPRISE_TEST_QUICK.
 */
#include "common.h"

#include "groth16/prover/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* In snarkjs, Fr.shift of ffjavascript is 25 on both curves, because 5 is the least number that is not a square. */
static void shift_is_that_of_snarkjs(void **state) {
  (void)state;
  static const char *const curves[] = {"bn128", "bls12381"};
  for (int i = 0; i < 2; i++) {
    const g16_family *family = g16_family_by_name(curves[i]);
    uint64_t shift[4];
    uint8_t canonical[32];
    static const uint8_t expected[32] = {25};
    g16_largest_shift(family, shift);
    rp_field_get(family->fr)->to_canonical(canonical, shift);
    assert_memory_equal(canonical, expected, 32);
  }
}

static void key_of_the_largest_shift_is_proved(void **state) {
  bench *b = *state;
  static const char *const curves[] = {"bn128", "bls12381"};
  for (int i = 0; i < 2; i++) {
    rp_error err = {0};
    g16_shape shape;
    g16_shape_preset(G16_PRESET_FULL, 6, &shape);
    const g16_setup setup = {.family = g16_family_by_name(curves[i]),
                             .shape = &shape,
                             .seed = 11,
                             .largest_shift = 1,
                             .zkey_out = scratch_path("largest.zkey"),
                             .wtns_out = scratch_path("largest.wtns"),
                             .vkey_out = scratch_path("largest.json")};
    EXPECT(RP_OK, g16_setup_run(b->context, b->device, &setup, &err), &err);
    blob wtns = blob_read(scratch_path("largest.wtns")), vkey = blob_read(scratch_path("largest.json"));
    for (int largest = 0; largest < 2; largest++) { /* with the usual coset the proof would be wrong */
      rp_groth16_key *key;
      rp_groth16_prover *prover;
      rp_groth16_proof proof;
      uint8_t signals[32];
      EXPECT(RP_OK, rp_groth16_key_open(b->context, scratch_path("largest.zkey"), NULL, &key, &err), &err);
      key->largest_shift = (uint32_t)largest;
      EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
      EXPECT(largest ? RP_OK : RP_ERR_VERIFY,
             rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof, signals, NULL, &err), &err);
      if (largest) expect_verifies(b, &vkey, &proof, signals, 1);
      rp_groth16_prover_destroy(prover);
      rp_groth16_key_close(key);
    }
    blob_free(&wtns);
    blob_free(&vkey);
  }
}

/* A key of 2^28 rows whose arrays are only reserved addresses, whose pages hold zeros: the rows are all empty. */
static void largest_domain_is_planned(void **state) {
  bench *b = *state;
  if (getenv("REPRISE_TEST_QUICK")) skip();
  enum { LOG = 28, WIRES = 1000 };
  const uint64_t domain = (uint64_t)1 << LOG, bytes = (domain + 2) * 64;
  rp_error err = {0};
  void *nothing = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(nothing != MAP_FAILED);
  rp_groth16_key *key = g16_key_new();
  assert_non_null(key);
  key->family = g16_family_by_name("bn128");
  key->info = (rp_groth16_key_info){
      .g1 = key->family->g1, .g2 = key->family->g2, .n_vars = WIRES, .n_public = 1, .domain = domain};
  g16_key_set_domain(key, LOG);
  assert_int_equal(key->largest_shift, 1);
  key->a = key->b = (g16_csr){.rows = domain, .row_ptr = nothing};
  for (int v = 0; v < G16_VECTORS; v++) key->vector[v] = nothing;
  for (int s = 0; s < G16_SUPPORTS; s++) {
    key->support[s] = nothing;
    key->supported[s] = WIRES + G16_BLINDING;
  }
  rp_groth16_prover_options options = {.struct_size = sizeof options, .memory_budget_bytes = (uint64_t)1 << 30};
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_device_info device = {.struct_size = sizeof device};
  rp_device_get_info(b->device, &device);
  const uint64_t most = device.limits.max_allocation_bytes, vector = domain * 32;
  if (most > 0 && most < vector) {
    EXPECT(RP_ERR_UNSUPPORTED, rp_groth16_plan(b->device, key, &options, &plan, &err), &err);
    assert_non_null(strstr(err.reason, "in one allocation"));
  } else {
    EXPECT(RP_ERR_BUDGET, rp_groth16_plan(b->device, key, &options, &plan, &err), &err);
    /* The refusal says how much memory is missing, and does not complain about a root. */
    unsigned long long need = 0, budget = 0;
    const char *figures = strstr(err.reason, "needs ");
    assert_non_null(figures);
    assert_int_equal(sscanf(figures, "needs %llu bytes", &need), 1);
    figures = strstr(err.reason, "the budget is ");
    assert_non_null(figures);
    assert_int_equal(sscanf(figures, "the budget is %llu bytes", &budget), 1);
    assert_int_equal(budget, options.memory_budget_bytes);
    assert_true(need > 2 * vector);
  }
  key->a = key->b = (g16_csr){0};
  rp_groth16_key_close(key);
  munmap(nothing, bytes);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(shift_is_that_of_snarkjs, state),
      cmocka_unit_test_prestate(key_of_the_largest_shift_is_proved, state),
      cmocka_unit_test_prestate(largest_domain_is_planned, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
