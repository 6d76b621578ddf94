/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark_subject.h"

#include "formats/decimal.h"

#include <jansson.h>

/* Reduces the value, because gnark draws more bits than the order has. */
static void read_blinding(const json_t *root, const char *name, rp_field field, uint8_t le[32]) {
  const char *text = json_string_value(json_object_get(root, name));
  const rp_field_host *fr = rp_field_get(field);
  uint64_t value[6], element[4];
  assert_true(g16_from_decimal(text, strlen(text), (uint8_t *)value, 48));
  fr->from_bytes_reduce(element, (const uint8_t *)value, 48);
  fr->to_canonical(value, element);
  memcpy(le, value, 32);
}

static void read_facts(const gnark_fixture *f, facts *out) {
  const rp_field field = gnark_is_bls(f) ? RP_FIELD_BLS12_381_FR : RP_FIELD_BN254_FR;
  json_t *root = json_load_file(gnark_path(f, "facts.json"), 0, NULL), *info;
  assert_non_null(root);
  read_blinding(root, "r", field, out->r);
  read_blinding(root, "s", field, out->s);
  info = json_object_get(root, "commitment_info");
  out->n = (uint32_t)json_array_size(info);
  for (uint32_t i = 0; i < out->n; i++) {
    json_t *one = json_array_get(info, i), *wires = json_object_get(one, "PrivateCommitted");
    const size_t n = json_array_size(wires);
    assert_true(n <= MOST_WIRES);
    for (size_t k = 0; k < n; k++) out->wires[i][k] = (uint32_t)json_integer_value(json_array_get(wires, k));
    out->commitment[i] =
        (rp_gnark_commitment){.wires = out->wires[i],
                              .n_wires = n,
                              .challenge = (uint32_t)json_integer_value(json_object_get(one, "CommitmentIndex"))};
  }
  json_decref(root);
}

rp_groth16_vkey *read_vkey(bench *b, const gnark_fixture *f) {
  rp_groth16_vkey *vkey;
  rp_error err = {0};
  blob bytes = blob_read(gnark_path(f, "vk.bin"));
  EXPECT(RP_OK, rp_gnark_vkey_from_bytes(b->context, bytes.data, bytes.bytes, &vkey, &err), &err);
  blob_free(&bytes);
  return vkey;
}

static uint64_t u64_at(const uint8_t *p) {
  uint64_t value;
  memcpy(&value, p, sizeof value);
  return value;
}

rp_groth16_key_options options_of(const subject *s) {
  return (rp_groth16_key_options){.struct_size = sizeof(rp_groth16_key_options),
                                  .vkey = s->vkey,
                                  .commitments = s->facts.commitment,
                                  .n_commitments = s->facts.n};
}

void open_subject(bench *b, const gnark_fixture *f, const char *pk, int check, subject *s) {
  rp_error err = {0};
  *s = (subject){.fixture = f};
  read_facts(f, &s->facts);
  s->vkey = read_vkey(b, f);
  rp_groth16_key_options options = options_of(s);
  options.check_points = (uint32_t)check;
  EXPECT(RP_OK, rp_groth16_key_open(b->context, gnark_path(f, pk), &options, &s->key, &err), &err);
  s->solution = blob_read(gnark_path(f, "solution.mont"));
  const uint8_t *at = s->solution.data;
  const uint64_t n_wires = u64_at(at), n = u64_at(at + 8 + 32 * n_wires);
  s->vectors = (rp_gnark_solution){.struct_size = sizeof s->vectors,
                                   .wires = at + 8,
                                   .n_wires = n_wires,
                                   .a = at + 16 + 32 * n_wires,
                                   .b = at + 24 + 32 * (n_wires + n),
                                   .n_constraints = n};
}

void close_subject(subject *s) {
  rp_groth16_key_close(s->key);
  rp_groth16_vkey_destroy(s->vkey);
  blob_free(&s->solution);
}

rp_groth16_prover *prover_with_options(bench *b, const subject *s, const rp_groth16_prover_options *options) {
  rp_groth16_prover *prover;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, s->key, options, &prover, &err), &err);
  return prover;
}

void is_gnarks_proof(const gnark_fixture *f, const rp_gnark_proof *proof) {
  for (int form = 0; form < 2; form++) {
    blob expected = blob_read(gnark_path(f, form == RP_GNARK_RAW ? "proof.raw" : "proof.bin"));
    uint8_t text[MOST_BYTES];
    size_t bytes;
    rp_error err = {0};
    EXPECT(RP_OK, rp_gnark_proof_to_bytes(proof, (rp_gnark_form)form, text, sizeof text, &bytes, &err), &err);
    assert_int_equal(bytes, expected.bytes);
    assert_memory_equal(text, expected.data, bytes);
    blob_free(&expected);
  }
}

void check_signals(const gnark_fixture *f, const uint8_t *signals) {
  blob file = blob_read(gnark_path(f, "witness.pub"));
  uint8_t expected[MOST_SIGNALS * 32];
  size_t n;
  rp_error err = {0};
  EXPECT(RP_OK, rp_gnark_public_from_bytes(file.data, file.bytes, expected, MOST_SIGNALS, &n, &err), &err);
  assert_memory_equal(signals, expected, n * 32);
  blob_free(&file);
}
