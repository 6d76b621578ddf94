/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Synthetic keys: circuits of many shapes, whose proofs verify, and are those of the reference where it takes the key;
 * and the keys hold what they say.
 */
#include "reference.h"

#include "fflonk/formats/zkey.h"
#include "fflonk/setup/setup.h"

#include <stdio.h>

typedef struct synthetic {
  plonk_setup setup;
  char zkey[160], wtns[160], vkey[160];
} synthetic;

static void make(bench *b, uint32_t log_domain, uint32_t n_public, uint64_t seed, synthetic *s) {
  rp_error err = {0};
  snprintf(s->zkey, sizeof s->zkey, "%s", scratch_path("fflonk.zkey"));
  snprintf(s->wtns, sizeof s->wtns, "%s", scratch_path("fflonk.wtns"));
  snprintf(s->vkey, sizeof s->vkey, "%s", scratch_path("fflonk.json"));
  s->setup = (plonk_setup){.log_domain = log_domain,
                           .n_public = n_public,
                           .seed = seed,
                           .zkey_out = s->zkey,
                           .wtns_out = s->wtns,
                           .vkey_out = s->vkey};
  EXPECT(RP_OK, fflonk_setup_run(b->context, b->device, &s->setup, &err), &err);
}

/* Makes and verifies a proof with random blinding. In a domain of eight rows, the reference must make the same one. */
static void prove(bench *b, const synthetic *s) {
  rp_fflonk_key *key;
  rp_fflonk_prover *prover;
  rp_fflonk_vkey *vkey;
  rp_fflonk_proof proof, expected;
  uint8_t blinding[RP_FFLONK_BLINDING][32];
  rp_error err = {0};
  blob wtns = blob_read(s->wtns), text = blob_read(s->vkey);
  uint8_t *signals = malloc(32 * s->setup.n_public + 1);
  size_t n;
  const uint8_t *values = wtns_values(&wtns, &n);
  const rp_fflonk_key_options checked = {.struct_size = sizeof checked, .check_points = 1};
  for (int i = 0; i < RP_FFLONK_BLINDING; i++)
    assert_int_equal(rp_random_canonical(RP_FIELD_BN254_FR, blinding[i]), RP_OK);
  EXPECT(RP_OK, rp_fflonk_key_open(b->context, s->zkey, &checked, &key, &err), &err);
  EXPECT(RP_OK, rp_fflonk_prover_create(b->device, key, NULL, &prover, &err), &err);
  EXPECT(
      RP_OK,
      rp_fflonk_prove_unsafe_blinding(prover, values, n, (const uint8_t(*)[32])blinding, &proof, signals, NULL, &err),
      &err);
  if (s->setup.log_domain == 3) {
    reference_prove(s->zkey, s->wtns, (const uint8_t(*)[32])blinding, &expected);
    assert_memory_equal(&proof, &expected, sizeof proof);
  }
  EXPECT(RP_OK, rp_fflonk_vkey_from_json(b->context, (char *)text.data, text.bytes, &vkey, &err), &err);
  EXPECT(RP_OK, rp_fflonk_verify(vkey, &proof, s->setup.n_public ? signals : NULL, s->setup.n_public, &err), &err);
  rp_fflonk_vkey_destroy(vkey);
  rp_fflonk_prover_destroy(prover);
  rp_fflonk_key_close(key);
  blob_free(&wtns), blob_free(&text);
  free(signals);
}

static void proofs_verify(void **state) {
  bench *b = *state;
  for (uint32_t log_domain = 3; log_domain <= 7; log_domain++)
    for (uint32_t i = 0; i < 3; i++) {
      const uint32_t n = 1u << log_domain, unused = n / 16 > 2 ? n / 16 : 2, publics[] = {i % 2, 3, n - unused - 2};
      synthetic s;
      make(b, log_domain, publics[i], 100 * log_domain + i, &s);
      prove(b, &s);
    }
}

/* C0 has the coefficients of the polynomials in turn, and L_1, L_2 have the right values. */
static void keys_hold_what_they_say(void **state) {
  enum { N = 32 };
  static const fflonk_section in_c0[8] = {FFLONK_SECTION_QL, FFLONK_SECTION_QR, FFLONK_SECTION_QO, FFLONK_SECTION_QM,
                                          FFLONK_SECTION_QC, FFLONK_SIGMA_1,    FFLONK_SIGMA_2,    FFLONK_SIGMA_3};
  bench *b = *state;
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  synthetic s;
  fflonk_zkey zkey;
  support_file *file;
  plonk_fr c0[8 * N], p[5 * N], one;
  rp_error err = {0};
  make(b, 5, 2, 7, &s);
  EXPECT(RP_OK, support_file_open(s.zkey, 0, &file, &err), &err);
  EXPECT(RP_OK, fflonk_zkey_open(file, &zkey, &err), &err);
  EXPECT(RP_OK, plonk_scalars_read(&zkey.common, FFLONK_SECTION_C0, 0, 8 * N, c0, &err), &err);
  for (int i = 0; i < 8; i++) {
    EXPECT(RP_OK, plonk_scalars_read(&zkey.common, in_c0[i], 0, N, p, &err), &err);
    for (int k = 0; k < N; k++) assert_memory_equal(&c0[8 * k + i], &p[k], sizeof *p);
  }
  fr->one(&one);
  for (int i = 0; i < 2; i++) {
    EXPECT(RP_OK, plonk_scalars_read(&zkey.common, FFLONK_LAGRANGE, (uint64_t)(5 * N * i), 5 * N, p, &err), &err);
    for (int k = 0; k < N; k++) /* on the domain: every fourth value */
      assert_true(k == i ? fr->equal(&p[N + 4 * k], &one) : fr->is_zero(&p[N + 4 * k]));
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
    EXPECT(RP_ERR_ARGUMENT, fflonk_setup_run(b->context, b->device, &setup, &err), &err);
  }
  setup.log_domain = 3;
  setup.n_public = 5;
  EXPECT(RP_ERR_ARGUMENT, fflonk_setup_run(b->context, b->device, &setup, &err), &err);
  assert_non_null(strstr(err.reason, "no room for 5 public signals"));
}

static int close_all(void **state) {
  scratch_remove();
  return group_closes_bench(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_verify),
      cmocka_unit_test(keys_hold_what_they_say),
      cmocka_unit_test(impossible_shapes_are_refused),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, close_all);
}
