/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The places of a key's sections do not matter: any order, any alignment, beyond 4 GiB. The proof for r = 2 and s = 3
 * is that of snarkjs's formulas, byte for byte, on both curves.
 */
#include "common.h"
#include "rearranged.h"

#include <errno.h>
#include <stdio.h>

/* Takes ownership of the key. */
static void expect_proof(bench *b, const char *fixture, rp_groth16_key *key) {
  rp_error err = {0};
  blob wtns = fixture_read(fixture, "witness.wtns"), expected = fixture_read(fixture, "proof_r2_s3.json");
  size_t n;
  const uint8_t *values = wtns_values(&wtns, &n);
  rp_groth16_prover *prover;
  rp_groth16_proof proof;
  uint8_t r[32] = {2}, s[32] = {3};
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  rp_groth16_key_close(key);
  EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, &proof, NULL, NULL, &err), &err);
  assert_true(proof_is(&proof, &expected));
  rp_groth16_prover_destroy(prover);
  blob_free(&wtns);
  blob_free(&expected);
}

static void open_and_prove(bench *b, const char *fixture, const char *path, const blob *zkey) {
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_key_options options = {.struct_size = sizeof options, .check_points = 1};
  if (path)
    EXPECT(RP_OK, rp_groth16_key_open(b->context, path, &options, &key, &err), &err);
  else
    EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey->data, zkey->bytes, &options, &key, &err), &err);
  expect_proof(b, fixture, key);
}

/* From a file and from memory, with sections at odd addresses. */
static void any_order_and_alignment(void **state) {
  for (int f = 0; f < FIXTURE_COUNT; f++) {
    blob zkey = fixture_read(fixture_names[f], "circuit.zkey");
    for (unsigned rotation = 0; rotation < REARRANGED_SECTIONS; rotation += f == 2 ? 4 : 1) {
      blob odd;
      odd.data = rearranged(zkey.data, zkey.bytes, rotation, &odd.bytes);
      assert_non_null(odd.data);
      blob_write(scratch_path("odd.zkey"), odd.data, odd.bytes);
      open_and_prove(*state, fixture_names[f], scratch_path("odd.zkey"), NULL);
      open_and_prove(*state, fixture_names[f], NULL, &odd);
      free(odd.data);
    }
    blob_free(&zkey);
  }
}

/* Beyond 4 GiB lie all sections, those from the coefficients on, those from B2 on, or only the last. */
static void beyond_four_gib(void **state) {
  static const unsigned first[] = {0, 3, 6, 9};
  for (int f = 0; f < FIXTURE_COUNT; f++) {
    blob zkey = fixture_read(fixture_names[f], "circuit.zkey");
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
      const char *path = scratch_path("far.zkey");
      rearranged_far written = rearranged_write_far(path, zkey.data, zkey.bytes, first[i]);
      if (written != FAR_WRITTEN) {
        print_message("No file of 4 GiB: %s\n", written == FAR_REFUSED ? strerror(errno) : "it would not be sparse");
        blob_free(&zkey);
        skip();
      }
      open_and_prove(*state, fixture_names[f], path, NULL);
    }
    blob_free(&zkey);
  }
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(any_order_and_alignment, state),
      cmocka_unit_test_prestate(beyond_four_gib, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
