/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What untrusted inputs of FFLONK cost: the tests of graphs/plonk/bounds_body.h with its functions, and long texts.
 */
#include "common.h"

#include "fflonk/formats/json.h"
#include "fflonk/formats/zkey.h"
#include "fflonk/verify/verify.h"

enum { KEPT_VARIABLES = 6 };
#include "graphs/plonk/bounds_body.h"

/* A cube root of the root of unity of a domain: since 3 is odd, one of them is a power of the root itself. */
static plonk_fr cube_root(uint32_t log_n) {
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  plonk_fr w, power;
  uint64_t inverse = 1; /* of 3 modulo 2^log_n */
  while (3 * inverse % ((uint64_t)1 << log_n) != 1) inverse += 2;
  assert_true(fr->root(&w, RP_ROOT_SNARKJS, log_n));
  fr->one(&power);
  for (uint64_t i = 0; i < inverse; i++) fr->mul(&power, &power, &w);
  return power;
}

static void complete_key(fflonk_vkey *key) { key->wr = cube_root(LOG_DOMAIN); }

/* Texts larger than a proof or a key can be are refused before they are parsed. */
static void long_texts_are_refused(void **state) {
  const bench *b = *state;
  enum { LONG = (64 << 10) + 1 };
  char *text = malloc(LONG);
  memset(text, ' ', LONG);
  call c = {.context = b->context, .text = text, .bytes = LONG};
  for (int i = 0; i < 2; i++) {
    c.run = i ? read_key : read_proof;
    spend(&c);
    assert_int_equal(c.status, RP_ERR_FORMAT);
    assert_true(c.cost.peak == 0);
  }
  free(text);
}

/* One variable more than the reader takes. */
static void more_variables_are_refused(void **state) {
  const bench *b = *state;
  blob zkey = fixture_read(fflonk_fixture[0], "circuit.zkey");
  rp_fflonk_key *key;
  rp_fflonk_key_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  EXPECT(RP_OK, rp_fflonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  rp_fflonk_key_get_info(key, &info);
  rp_fflonk_key_close(key);
  add_variables(&zkey, UINT32_MAX - (uint32_t)(info.n_vars + info.n_additions) - KEPT_VARIABLES + 1);
  EXPECT(RP_ERR_UNSUPPORTED, rp_fflonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  assert_non_null(strstr(err.reason, "variables are too many"));
  blob_free(&zkey);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(verifying_costs_a_little_for_each_signal),
      cmocka_unit_test(verdicts_take_little_memory),
      cmocka_unit_test(long_texts_are_refused),
      cmocka_unit_test(keys_take_no_more_than_their_file),
      cmocka_unit_test(witnesses_of_any_length_are_refused),
      cmocka_unit_test(more_variables_are_refused),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
