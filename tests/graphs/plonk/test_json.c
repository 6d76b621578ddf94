/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What is read, from any kind of file, is written byte for byte as snarkjs wrote it.
 */
#include "common.h"
#include "json_points.h"

#include "plonk/formats/json.h"

#include <stdio.h>

static void assert_text(const blob *expected, const char *text, size_t bytes) {
  assert_int_equal(bytes, expected->bytes);
  assert_memory_equal(text, expected->data, bytes);
}

static void texts_come_out_as_snarkjs_writes_them(void **state) {
  const bench *b = *state;
  static const char *const proofs[] = {"proof.json", "proof_blinding_2_3_4.json"};
  for (int i = 0; i < 2 * PLONK_FIXTURES; i++) {
    const char *name = plonk_fixture[i / 2];
    blob proof = fixture_read(name, proofs[i % 2]), vkey = fixture_read(name, "verification_key.json"),
         signals = fixture_read(name, "public.json");
    char text[4096];
    size_t bytes;
    rp_error err = {0};
    proved p;
    proved_open(b->context, name, proofs[i % 2], &p);
    EXPECT(RP_OK, rp_plonk_proof_to_json(&p.proof, text, sizeof text, &bytes, &err), &err);
    assert_text(&proof, text, bytes);
    EXPECT(RP_OK, rp_plonk_vkey_to_json(p.vkey, text, sizeof text, &bytes, &err), &err);
    assert_text(&vkey, text, bytes);
    EXPECT(RP_OK, rp_plonk_public_to_json(p.signals, p.n, text, sizeof text, &bytes, &err), &err);
    assert_text(&signals, text, bytes);
    assert_int_equal(rp_plonk_proof_to_json(&p.proof, text, proof.bytes, &bytes, NULL), RP_ERR_BUFFER_TOO_SMALL);
    assert_int_equal(bytes, proof.bytes);
    proved_close(&p);
    blob_free(&proof), blob_free(&vkey), blob_free(&signals);
  }
}

static void zkey_gives_its_verification_key(void **state) {
  const bench *b = *state;
  for (int i = 0; i < PLONK_FIXTURES; i++) {
    blob expected = fixture_read(plonk_fixture[i], "verification_key.json");
    rp_plonk_vkey *vkey;
    char text[4096];
    size_t bytes;
    rp_error err = {0};
    EXPECT(RP_OK, rp_plonk_vkey_from_zkey(b->context, fixture_path(plonk_fixture[i], "circuit.zkey"), &vkey, &err),
           &err);
    EXPECT(RP_OK, rp_plonk_vkey_to_json(vkey, text, sizeof text, &bytes, &err), &err);
    assert_text(&expected, text, bytes);
    rp_plonk_vkey_destroy(vkey);
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
  static const char *const members[2][22] = {
      {"protocol", "curve", "nPublic", "power", "k1", "k2", "Qm", "Ql", "Qr", "Qo", "Qc", "S1", "S2", "S3", "X_2"},
      {"A", "B", "C", "Z", "T1", "T2", "T3", "Wxi", "Wxiw", "eval_a", "eval_b", "eval_c", "eval_s1", "eval_s2",
       "eval_zw"}};
  for (int proof = 0; proof < 2; proof++) {
    blob text = fixture_read(plonk_fixture[0], proof ? "proof.json" : "verification_key.json");
    for (int i = 0; members[proof][i]; i++)
      for (int twice = 0; twice < 2; twice++) {
        char from[32], to[80];
        rp_plonk_proof out;
        plonk_vkey vkey;
        rp_error err = {0};
        size_t bytes;
        snprintf(from, sizeof from, "\"%s\": ", members[proof][i]);
        snprintf(to, sizeof to, twice ? "\"%s\": 1, \"%s\": " : "\"not_%s\": ", members[proof][i], members[proof][i]);
        char *damaged = replaced(&text, from, to, &bytes);
        const rp_status status = proof ? plonk_proof_read("text", damaged, bytes, &out, &err)
                                       : plonk_vkey_read("text", damaged, bytes, &vkey, &err);
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
  blob vkey = fixture_read(plonk_fixture[0], "verification_key.json"),
       proof = fixture_read(plonk_fixture[0], "proof.json");
  plonk_vkey key;
  rp_plonk_proof out;
  rp_error err = {0};
  size_t bytes;
  char *text = replaced(&vkey, "\"w\"", "\"x\"", &bytes);
  EXPECT(RP_OK, plonk_vkey_read("text", text, bytes, &key, &err), &err);
  free(text);
  text = replaced(&proof, "\"curve\"", "\"x\"", &bytes);
  EXPECT(RP_OK, plonk_proof_read("text", text, bytes, &out, &err), &err);
  free(text);
  blob_free(&vkey), blob_free(&proof);
}

/* Another coordinate takes each point of a key in turn off its curve. Points at infinity have none. */
static void points_of_keys_are_checked(void **state) {
  bench *b = *state;
  static const char *const members[] = {"Qm", "Ql", "Qr", "Qo", "Qc", "S1", "S2", "S3", "X_2"};
  blob text = fixture_read(plonk_fixture[0], "verification_key.json");
  rp_plonk_vkey *vkey = NULL;
  rp_error err = {0};
  unsigned tried = 0;
  EXPECT(RP_OK, rp_plonk_vkey_from_json(b->context, (const char *)text.data, text.bytes, &vkey, &err), &err);
  rp_plonk_vkey_destroy(vkey);
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    char *json = json_with_wrong_point(&text, members[i]);
    if (!json) continue;
    EXPECT(RP_ERR_INPUT, rp_plonk_vkey_from_json(b->context, json, text.bytes, &vkey, &err), &err);
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
      cmocka_unit_test(members_stand_once),
      cmocka_unit_test(what_may_be_missing),
      cmocka_unit_test(points_of_keys_are_checked),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
