/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What is read, from any kind of file, is written byte for byte as snarkjs wrote it, and the calldata is what snarkjs
 * printed.
 */
#include "common.h"
#include "../plonk/json_points.h"

#include "fflonk/formats/json.h"

#include <stdio.h>

static void assert_text(const blob *expected, const char *text, size_t bytes) {
  assert_int_equal(bytes, expected->bytes);
  assert_memory_equal(text, expected->data, bytes);
}

static void texts_come_out_as_snarkjs_writes_them(void **state) {
  const bench *b = *state;
  for (int i = 0; i < 2 * FFLONK_FIXTURES; i++) {
    const char *name = fflonk_fixture[i / 2];
    blob proof = fixture_read(name, fflonk_proofs[i % 2]), vkey = fixture_read(name, "verification_key.json");
    char text[4096];
    size_t bytes;
    rp_error err = {0};
    proved p;
    proved_open(b->context, name, fflonk_proofs[i % 2], &p);
    EXPECT(RP_OK, rp_fflonk_proof_to_json(&p.proof, text, sizeof text, &bytes, &err), &err);
    assert_text(&proof, text, bytes);
    EXPECT(RP_OK, rp_fflonk_vkey_to_json(p.vkey, text, sizeof text, &bytes, &err), &err);
    assert_text(&vkey, text, bytes);
    assert_int_equal(rp_fflonk_proof_to_json(&p.proof, text, proof.bytes, &bytes, NULL), RP_ERR_BUFFER_TOO_SMALL);
    assert_int_equal(bytes, proof.bytes);
    assert_int_equal(rp_fflonk_vkey_to_json(NULL, text, sizeof text, NULL, NULL), RP_ERR_ARGUMENT);
    p.proof.g1 = RP_CURVE_BLS12_381_G1;
    assert_int_equal(rp_fflonk_proof_to_json(&p.proof, text, sizeof text, NULL, NULL), RP_ERR_ARGUMENT);
    proved_close(&p);
    blob_free(&proof), blob_free(&vkey);
  }
}

static void zkey_gives_its_verification_key(void **state) {
  const bench *b = *state;
  for (int i = 0; i < FFLONK_FIXTURES; i++) {
    blob expected = fixture_read(fflonk_fixture[i], "verification_key.json");
    rp_fflonk_vkey *vkey;
    char text[4096];
    size_t bytes;
    rp_error err = {0};
    EXPECT(RP_OK, rp_fflonk_vkey_from_zkey(b->context, fixture_path(fflonk_fixture[i], "circuit.zkey"), &vkey, &err),
           &err);
    EXPECT(RP_OK, rp_fflonk_vkey_to_json(vkey, text, sizeof text, &bytes, &err), &err);
    assert_text(&expected, text, bytes);
    rp_fflonk_vkey_destroy(vkey);
    blob_free(&expected);
  }
}

static void refused(const proved *p, rp_status expected, const char *reason) {
  char text[4096];
  rp_error err = {0};
  EXPECT(expected, rp_fflonk_calldata(&p->proof, p->signals, p->n, text, sizeof text, NULL, &err), &err);
  assert_non_null(strstr(err.reason, reason));
}

static void calldata_is_that_of_snarkjs(void **state) {
  const bench *b = *state;
  for (int i = 0; i < FFLONK_FIXTURES; i++) {
    blob expected = fixture_read(fflonk_fixture[i], "calldata.txt"); /* with a line break */
    char text[4096];
    size_t bytes;
    rp_error err = {0};
    proved p;
    proved_open(b->context, fflonk_fixture[i], "proof.json", &p);
    EXPECT(RP_OK, rp_fflonk_calldata(&p.proof, p.signals, p.n, text, sizeof text, &bytes, &err), &err);
    assert_int_equal(bytes + 1, expected.bytes);
    assert_memory_equal(text, expected.data, bytes);
    const rp_fflonk_proof good = p.proof;
    for (int k = 0; k < FFLONK_PROOF_POINTS; k++) {
      uint8_t *point = (uint8_t *)&p.proof + fflonk_proof_point[k].offset;
      point[0] ^= 1;
      refused(&p, RP_ERR_INPUT, "is not on the curve");
      memset(point, 0, 64);
      refused(&p, RP_ERR_INPUT, "is the point at infinity");
      p.proof = good;
    }
    for (int k = 0; k < FFLONK_PROOF_SCALARS; k++) {
      memset((uint8_t *)&p.proof + fflonk_proof_scalar[k].offset, 0xff, 32);
      refused(&p, RP_ERR_INPUT, "is not below the prime r");
      p.proof = good;
    }
    p.proof.g1 = RP_CURVE_BLS12_381_G1;
    refused(&p, RP_ERR_MISMATCH, "is not over bn128");
    p.proof = good;
    memset(p.signals, 0xff, 32);
    if (p.n) refused(&p, RP_ERR_INPUT, "Public signal 0 is not below the group order");
    proved_close(&p);
    blob_free(&expected);
  }
}

/* The text with the first `from` replaced by `to`, to be freed with free(). */
static char *replaced(const blob *text, const char *from, const char *to, size_t *bytes) {
  const char *at = memmem(text->data, text->bytes, from, strlen(from));
  assert_non_null(at);
  const size_t before = (size_t)(at - (const char *)text->data), tail = text->bytes - before - strlen(from);
  char *out = malloc(text->bytes + strlen(to) + 1);
  memcpy(out, text->data, before);
  memcpy(out + before, to, strlen(to));
  memcpy(out + before + strlen(to), at + strlen(from), tail);
  *bytes = before + strlen(to) + tail;
  return out;
}

/* A member that is missing is reported, and one that occurs twice is refused. */
static void members_stand_once(void **state) {
  (void)state;
  static const char *const members[2][24] = {
      {"protocol", "curve", "nPublic", "power", "k1", "k2", "w", "w3", "w4", "w8", "wr", "X_2", "C0"},
      {"polynomials", "evaluations", "C1", "C2", "W1", "W2", "ql", "qr", "qm",  "qo",  "qc",
       "s1",          "s2",          "s3", "a",  "b",  "c",  "z",  "zw", "t1w", "t2w", "inv"}};
  for (int proof = 0; proof < 2; proof++) {
    blob text = fixture_read(fflonk_fixture[0], proof ? "proof.json" : "verification_key.json");
    for (int i = 0; members[proof][i]; i++)
      for (int twice = 0; twice < 2; twice++) {
        char from[32], to[80];
        rp_fflonk_proof out;
        fflonk_vkey vkey;
        rp_error err = {0};
        size_t bytes;
        snprintf(from, sizeof from, "\"%s\": ", members[proof][i]);
        snprintf(to, sizeof to, twice ? "\"%s\": 1, \"%s\": " : "\"not_%s\": ", members[proof][i], members[proof][i]);
        char *damaged = replaced(&text, from, to, &bytes);
        const rp_status status = proof ? fflonk_proof_read("text", damaged, bytes, &out, &err)
                                       : fflonk_vkey_read("text", damaged, bytes, &vkey, &err);
        assert_int_equal(status, RP_ERR_FORMAT);
        assert_non_null(strstr(err.reason, members[proof][i]));
        assert_non_null(strstr(err.reason, twice ? "stands twice" : "missing"));
        free(damaged);
      }
    blob_free(&text);
  }
}

static void what_may_be_missing(void **state) {
  (void)state;
  static const char *const members[] = {"\"protocol\"", "\"curve\""};
  for (int i = 0; i < 2; i++) {
    blob proof = fixture_read(fflonk_fixture[0], "proof.json");
    rp_fflonk_proof out;
    rp_error err = {0};
    size_t bytes;
    char *text = replaced(&proof, members[i], "\"x\"", &bytes);
    EXPECT(RP_OK, fflonk_proof_read("text", text, bytes, &out, &err), &err);
    free(text);
    blob_free(&proof);
  }
}

/* Another coordinate takes each point of a key in turn off its curve. Points at infinity have none. */
static void points_of_keys_are_checked(void **state) {
  bench *b = *state;
  static const char *const members[] = {"C0", "X_2"};
  blob text = fixture_read(fflonk_fixture[0], "verification_key.json");
  rp_fflonk_vkey *vkey = NULL;
  rp_error err = {0};
  unsigned tried = 0;
  EXPECT(RP_OK, rp_fflonk_vkey_from_json(b->context, (const char *)text.data, text.bytes, &vkey, &err), &err);
  rp_fflonk_vkey_destroy(vkey);
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    char *json = json_with_wrong_point(&text, members[i]);
    if (!json) continue;
    EXPECT(RP_ERR_INPUT, rp_fflonk_vkey_from_json(b->context, json, text.bytes, &vkey, &err), &err);
    assert_non_null(strstr(err.reason, members[i]));
    assert_non_null(strstr(err.reason, "not on the curve"));
    tried++;
    free(json);
  }
  assert_true(tried >= 2);
  blob_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_come_out_as_snarkjs_writes_them),
      cmocka_unit_test(zkey_gives_its_verification_key),
      cmocka_unit_test(calldata_is_that_of_snarkjs),
      cmocka_unit_test(members_stand_once),
      cmocka_unit_test(what_may_be_missing),
      cmocka_unit_test(points_of_keys_are_checked),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
