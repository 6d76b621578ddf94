/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Synthetic keys: circuits of many shapes, whose proofs are those of the reference and verify; and the keys hold what
 * they say.
 */
#include "common.h"
#include "reference_poly.h"

#include "plonk/setup/setup.h"

#include <stdio.h>

typedef struct synthetic {
  plonk_setup setup;
  char zkey[160], wtns[160], vkey[160];
} synthetic;

static void make(bench *b, uint32_t log_domain, uint32_t n_public, uint64_t seed, synthetic *s) {
  rp_error err = {0};
  snprintf(s->zkey, sizeof s->zkey, "%s", scratch_path("plonk.zkey"));
  snprintf(s->wtns, sizeof s->wtns, "%s", scratch_path("plonk.wtns"));
  snprintf(s->vkey, sizeof s->vkey, "%s", scratch_path("plonk.json"));
  s->setup = (plonk_setup){.log_domain = log_domain,
                           .n_public = n_public,
                           .seed = seed,
                           .zkey_out = s->zkey,
                           .wtns_out = s->wtns,
                           .vkey_out = s->vkey};
  EXPECT(RP_OK, plonk_setup_run(b->context, b->device, &s->setup, &err), &err);
}

/* Makes and verifies a proof with random blinding values. The reference must make the same proof. */
static void prove_both(bench *b, const synthetic *s) {
  rp_plonk_key *key;
  rp_plonk_prover *prover;
  rp_plonk_vkey *vkey;
  rp_plonk_proof proof;
  plonk_zkey zkey;
  reference r;
  support_file *files[2];
  uint8_t blinding[RP_PLONK_BLINDING][32];
  rp_error err = {0};
  blob wtns = blob_read(s->wtns), text = blob_read(s->vkey);
  uint8_t *signals = malloc(32 * s->setup.n_public + 1);
  size_t n;
  const uint8_t *values = wtns_values(&wtns, &n);
  const rp_plonk_key_options checked = {.struct_size = sizeof checked, .check_points = 1};
  for (int i = 0; i < RP_PLONK_BLINDING; i++)
    assert_int_equal(rp_random_canonical(RP_FIELD_BN254_FR, blinding[i]), RP_OK);
  EXPECT(RP_OK, rp_plonk_key_open(b->context, s->zkey, &checked, &key, &err), &err);
  EXPECT(RP_OK, rp_plonk_prover_create(b->device, key, NULL, &prover, &err), &err);
  EXPECT(RP_OK,
         rp_plonk_prove_unsafe_blinding(prover, values, n, (const uint8_t(*)[32])blinding, &proof, signals, NULL, &err),
         &err);
  EXPECT(RP_OK, support_file_open(s->zkey, 0, &files[0], &err), &err);
  EXPECT(RP_OK, support_file_open(s->wtns, 0, &files[1], &err), &err);
  EXPECT(RP_OK, plonk_zkey_open(files[0], &zkey, &err), &err);
  reference_prove(&zkey, files[1], blinding, &r);
  assert_memory_equal(&proof, &r.proof, sizeof proof);
  EXPECT(RP_OK, rp_plonk_vkey_from_json(b->context, (char *)text.data, text.bytes, &vkey, &err), &err);
  EXPECT(RP_OK, rp_plonk_verify(vkey, &proof, s->setup.n_public ? signals : NULL, s->setup.n_public, &err), &err);
  reference_free(&r);
  rp_plonk_vkey_destroy(vkey);
  rp_plonk_prover_destroy(prover);
  rp_plonk_key_close(key);
  for (int i = 0; i < 2; i++) support_file_close(files[i]);
  blob_free(&wtns), blob_free(&text);
  free(signals);
}

static void proofs_are_those_of_the_reference(void **state) {
  bench *b = *state;
  for (uint32_t log_domain = 3; log_domain <= 7; log_domain++)
    for (uint32_t i = 0; i < 3; i++) {
      const uint32_t rows = (1u << log_domain) - (1u << log_domain) / 16, publics[] = {i % 2, 3, rows - 2};
      synthetic s;
      make(b, log_domain, publics[i], 100 * log_domain + i, &s);
      prove_both(b, &s);
    }
}

/* Coefficients, values and commitment belong to the same polynomial. */
static void keys_hold_what_they_say(void **state) {
  bench *b = *state;
  synthetic s;
  plonk_zkey zkey;
  support_file *file;
  plonk_fr w;
  rp_error err = {0};
  make(b, 5, 2, 7, &s);
  EXPECT(RP_OK, support_file_open(s.zkey, 0, &file, &err), &err);
  EXPECT(RP_OK, plonk_zkey_open(file, &zkey, &err), &err);
  const uint64_t n = zkey.common.domain_size;
  assert_true(rp_field_get(RP_FIELD_BN254_FR)->root(&w, RP_ROOT_SNARKJS, zkey.vk.log_domain + 2));
  for (plonk_section id = PLONK_QM; id <= PLONK_LAGRANGE; id++)
    for (uint64_t at = 0; at < plonk_section_count(&zkey.common, id); at += 5 * n) {
      reference_poly p = reference_zero(n);
      plonk_fr *stored = reference_elements(4 * n);
      uint8_t point[64];
      EXPECT(RP_OK, plonk_scalars_read(&zkey.common, id, at, n, p.at, &err), &err);
      EXPECT(RP_OK, plonk_scalars_read(&zkey.common, id, at + n, 4 * n, stored, &err), &err);
      plonk_fr *values = reference_values(p, 4 * n, &w);
      assert_memory_equal(stored, values, 4 * n * sizeof *values);
      if (id < PLONK_LAGRANGE) {
        reference_commit(&zkey, p, point);
        assert_memory_equal(point, &zkey.vk.point[id - PLONK_QM + at / (5 * n)], sizeof point);
      }
      free(values), free(stored), free(p.at);
    }
  support_file_close(file);
}

static void impossible_shapes_are_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  plonk_setup setup = {
      .seed = 1, .zkey_out = scratch_path("a"), .wtns_out = scratch_path("b"), .vkey_out = scratch_path("c")};
  for (uint32_t log_domain = 0; log_domain < 40; log_domain += log_domain == 2 ? 23 : 1) {
    setup.log_domain = log_domain;
    EXPECT(RP_ERR_ARGUMENT, plonk_setup_run(b->context, b->device, &setup, &err), &err);
  }
  setup.log_domain = 3;
  setup.n_public = 7;
  EXPECT(RP_ERR_ARGUMENT, plonk_setup_run(b->context, b->device, &setup, &err), &err);
  assert_non_null(strstr(err.reason, "no room for 7 public signals"));
}

static int close_all(void **state) {
  scratch_remove();
  return group_closes_bench(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_are_those_of_the_reference),
      cmocka_unit_test(keys_hold_what_they_say),
      cmocka_unit_test(impossible_shapes_are_refused),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, close_all);
}
