/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recorded keys of gnark: gnark's own proofs with its blinding values, and no damaged or hostile file does harm.
 */
#include "gnark_subject.h"
#include "tamper.h"

#include "groth16/formats/gnark.h"
#include "rpk_file.h"

#include <reprise/inspect.h>
#include <reprise/save.h>

#include <stdio.h>

static blob record(bench *b, const subject *s, const char *path) {
  rp_error err = {0};
  rp_groth16_prover *prover = prover_with_options(b, s, NULL);
  EXPECT(RP_OK, rp_groth16_save(prover, path, &err), &err);
  rp_groth16_prover_destroy(prover);
  return blob_read(path);
}

static blob record_fixture(bench *b, int i, const char *path) {
  subject s;
  open_subject(b, &gnark_fixtures[i], gnark_fixtures[i].large ? "pk.bin" : "pk.raw", 0, &s);
  blob file = record(b, &s, path);
  close_subject(&s);
  return file;
}

/* The file needs neither the verifying key nor the wires of commitments beside it. */
static void with_gnarks_blinding_it_is_gnarks_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    const gnark_fixture *f = &gnark_fixtures[i];
    subject s;
    rp_error err = {0};
    rp_gnark_proof proof;
    uint8_t signals[MOST_SIGNALS * 32];
    rp_groth16_key_info info = {.struct_size = sizeof info};
    open_subject(b, f, f->large ? "pk.bin" : "pk.dump", 1, &s);
    blob file = record(b, &s, scratch_path("key.rpk"));
    rp_groth16_key_close(s.key);
    EXPECT(RP_OK, rp_groth16_key_open(b->context, scratch_path("key.rpk"), NULL, &s.key, &err), &err);
    rp_groth16_key_get_info(s.key, &info);
    assert_int_equal(info.prerecorded, 1);
    assert_int_equal(info.gnark, 1);
    assert_int_equal(info.points_checked, 1);
    assert_int_equal(info.n_vars, f->n_wires);
    assert_int_equal(info.n_public, f->n_public);
    assert_int_equal(info.domain, f->domain);
    assert_int_equal(info.n_commitments, f->n_commitments);
    assert_int_equal(info.file_bytes, file.bytes);
    EXPECT(RP_OK, rp_groth16_key_check_points(s.key, NULL, &err), &err);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &s.vectors, s.facts.r, s.facts.s, &proof, signals, NULL, &err),
           &err);
    is_gnarks_proof(f, &proof);
    check_signals(f, signals);
    EXPECT(RP_OK, rp_groth16_save(prover, scratch_path("again.rpk"), &err), &err);
    blob again = blob_read(scratch_path("again.rpk"));
    assert_int_equal(again.bytes, file.bytes);
    assert_memory_equal(again.data, file.data, file.bytes);
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
    blob_free(&again), blob_free(&file);
  }
}

/* Files that were kept open: one of when the version of the format was new, and one of since msm_scalars has the
 * parameter in_subgroup, which is written again with the same bytes. With other bytes, the format or an operation needs
 * another version. */
static void kept_file(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  static const char *const paths[] = {TEST_DATA_DIR "/recorded/gnark_version_4.rpk",
                                      TEST_DATA_DIR "/recorded/gnark_version_4_in_subgroup.rpk"};
  for (int i = 0; i < 2; i++) {
    EXPECT(RP_OK, rp_groth16_key_open(b->context, paths[i], NULL, &key, &err), &err);
    rp_groth16_key_close(key);
  }
  blob kept = blob_read(paths[1]), now = record_fixture(b, 3, scratch_path("now.rpk"));
  assert_int_equal(kept.bytes, now.bytes);
  assert_memory_equal(kept.data, now.data, now.bytes);
  blob_free(&kept), blob_free(&now);
}

/* With the witness and the factors of the constraints as inputs, and the commitments as an output. */
static void it_is_a_saved_graph(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_graph *graph;
  const rp_load_options options = {.struct_size = sizeof options, .flags = RP_LOAD_MAP};
  blob file = record_fixture(b, 3, scratch_path("graph.rpk"));
  EXPECT(RP_OK, rp_graph_load(b->context, scratch_path("graph.rpk"), &options, &graph, &err), &err);
  assert_int_equal(rp_graph_n_outputs(graph), 4);
  for (uint32_t i = 0; i < 4; i++) {
    static const char *const names[4] = {"commitments", "pi_a", "pi_b", "pi_c"};
    rp_port_info port = {.struct_size = sizeof port};
    EXPECT(RP_OK, rp_graph_get_output(graph, i, &port, &err), &err);
    assert_string_equal(port.name, names[i]);
  }
  rp_graph_destroy(graph);
  blob_free(&file);
}

static void a_verifying_key_belongs_into_the_file(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  const rp_groth16_prover_options unverified = {.struct_size = sizeof unverified, .no_verify = 1};
  EXPECT(RP_OK, rp_groth16_key_open(b->context, gnark_path(&gnark_fixtures[0], "pk.raw"), NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &unverified, &prover, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_save(prover, scratch_path("none.rpk"), &err), &err);
  assert_non_null(strstr(err.reason, "without its verifying key"));
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
}

static rp_status open_copy(bench *b, const blob *file, int skip, rp_error *err) {
  const rp_groth16_key_options options = {.struct_size = sizeof options, .skip_checksum = (uint32_t)skip};
  rp_groth16_key *key;
  void *aligned = aligned_alloc(64, (file->bytes + 63) & ~(size_t)63);
  memcpy(aligned, file->data, file->bytes);
  *err = (rp_error){0};
  const rp_status status = rp_groth16_key_open_memory(b->context, aligned, file->bytes, &options, &key, err);
  rp_groth16_key_close(key);
  free(aligned);
  return status;
}

static void expect_damage(bench *b, const blob *file, uint8_t *byte, uint8_t change) {
  rp_error err = {0};
  *byte ^= change;
  if (open_copy(b, file, 0, &err) != RP_ERR_FORMAT) fail_msg("byte %d", (int)(byte - file->data));
  *byte ^= change;
}

static void every_damage_is_seen(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob file = record_fixture(b, 3, scratch_path("damage.rpk"));
  const rpk_file f = rpk_open(file.data, file.bytes);
  enum { HEAD = 1024 };
  for (size_t i = 8; i < file.bytes; i += i < HEAD ? 1 : 61) expect_damage(b, &file, file.data + i, 0x10);
  for (size_t i = 0; i < f.key_bytes; i += 5) expect_damage(b, &file, f.key + i, 0x10);
  for (uint32_t id = 0; id < rpk_arrays(&f); id++) /* both ends of every array */
    for (int end = 0; end < 2 && f.table[id].size_bytes; end++)
      expect_damage(b, &file, rpk_array(&f, id) + (end ? f.table[id].size_bytes - 1 : 0), 1);
  for (size_t bytes = 1; bytes < file.bytes; bytes += bytes < HEAD ? 37 : 1021) {
    blob cut = {file.data, bytes};
    EXPECT(RP_ERR_FORMAT, open_copy(b, &cut, 0, &err), &err);
    EXPECT(RP_ERR_FORMAT, open_copy(b, &cut, 1, &err), &err);
  }
  EXPECT(RP_OK, open_copy(b, &file, 1, &err), &err);
  blob_free(&file);
}

/* Makes wrong statement `which` in the file of the circuit with two commitments. Returns what the reason must say, or
 * NULL if there is no such statement. */
static const char *harm(int which, const rpk_file *f) {
  static const char domain[] = "root of unity is none", shift[] = "shift of its coset", place[] = "does not lie",
                    wire[] = "takes a wire that it must not", hashes[] = "a commitment hashes",
                    point[] = "of its commitments", numbers[] = "make no sense", header[] = "in its header that this";
  g16_file_header *h = f->header;
  g16_file_array *t = f->table;
  g16_commitment_key *keys = (g16_commitment_key *)rpk_array(f, G16_FILE_COMMITMENT_KEYS);
  uint64_t *committed = (uint64_t *)rpk_array(f, G16_FILE_COMMITTED);
  uint32_t *challenge = (uint32_t *)rpk_array(f, G16_FILE_CHALLENGES),
           *first = (uint32_t *)rpk_array(f, G16_FILE_COMMITMENTS),
           *second = (uint32_t *)rpk_array(f, G16_FILE_COMMITMENTS + 3);
  uint8_t *basis = rpk_array(f, G16_FILE_COMMITMENTS + 1), *sigma = rpk_array(f, G16_FILE_COMMITMENTS + 5);
  const uint8_t *order = rp_field_get(RP_FIELD_BN254_FR)->modulus_le;
  switch (which) {
  case 0: h->root = 0; return domain;
  case 1: h->root = 17; return domain;
  case 2: h->root = RP_ROOT_PLONKY3; return domain;
  case 3: memcpy(h->shift, order, 32); return shift;
  case 4: memset(h->shift, 0, 32); return shift;
  case 5: memset(h->shift, 0, 32), h->shift[0] = 1; return "is the domain itself";
  case 6: h->n_commitments = 17; return "number of commitments";
  case 7: h->n_commitments = 1; return place;
  case 8: h->n_committed = UINT64_MAX / 8 + 2; return numbers;
  case 9: h->n_committed += 1; return place;
  case 10: h->nnz[0] = 1; return numbers;
  case 11: h->nnz[1] = UINT64_MAX; return numbers;
  case 12: h->reserved[7] = 1; return header;
  case 13: h->n_public = h->n_vars; return numbers;
  case 14: t[G16_FILE_COMMITMENTS].size_bytes -= 1; return place;
  case 15: t[G16_FILE_COMMITMENTS].size_bytes = 0; return place;
  case 16: t[G16_FILE_COMMITMENTS + 1].size_bytes += 64; return place;
  case 17: t[G16_FILE_COMMITMENTS + 5].size_bytes = UINT64_MAX; return place;
  case 18: challenge[0] = (uint32_t)h->n_vars; return wire;
  case 19: challenge[0] = (uint32_t)h->n_public; return wire;
  case 20: first[0] = UINT32_MAX; return wire;
  case 21: first[0] = 0; return wire;
  case 22: first[0] = second[0]; return wire;
  case 23: challenge[1] = challenge[0]; return wire;
  case 24: rpk_array(f, G16_FILE_VECTOR_C)[first[0] * 64] = 1; return wire;
  case 25: ((uint32_t *)rpk_array(f, G16_FILE_SUPPORT_C))[0] |= 1u << challenge[0]; return wire;
  case 26: keys[0].first = UINT64_MAX; return "hashes values that are not there";
  case 27: keys[1].n = UINT64_MAX; return "hashes values that are not there";
  case 28: committed[0] = 0; return hashes;
  case 29: committed[h->n_committed - 1] = h->n_public + 2; return hashes;
  case 30: memset(&keys[0].g, 0xff, 32); return point;
  case 31: ((uint8_t *)&keys[1].g_sigma_neg)[0] ^= 1; return point;
  case 32: memset(&keys[0].g_sigma_neg, 0, 128); return "is at infinity";
  case 33: memcpy(&keys[1].g, &keys[1].g_sigma_neg, 128); return "different points G";
  case 34: basis[0] ^= 1; return point;
  case 35: memset(sigma + 32, 0xff, 32); return point;
  case 36: h->gnark = 0; return "number of commitments";
  case 37: h->version = 5; return "is stale: version 5";
  case 38: h->gnark = 2; return header;
  case 39: t[G16_FILE_COMMITMENTS].content = 0; return place;
  case 40: h->domain += 1; return numbers;
  case 41: h->domain = UINT64_C(1) << 29; return numbers; /* the field has roots of unity of 2^28 */
  case 42: h->n_vars = INT32_MAX - 1; return numbers;
  case 43: basis[t[G16_FILE_COMMITMENTS + 1].size_bytes - 64] ^= 1; return point; /* the last one */
  default: return NULL;
  }
}

static void hostile_files_are_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob good = record_fixture(b, 3, scratch_path("hostile.rpk"));
  int i = 0;
  for (;; i++) {
    blob file = {aligned_alloc(64, (good.bytes + 63) & ~(size_t)63), good.bytes};
    memcpy(file.data, good.data, good.bytes);
    const rpk_file f = rpk_open(file.data, file.bytes);
    const char *says = harm(i, &f);
    if (says) {
      rpk_seal(file.data, file.bytes);
      for (int skip = 0; skip < 2; skip++) {
        const rp_status status = open_copy(b, &file, skip, &err);
        if (status != RP_ERR_FORMAT || !strstr(err.reason, says))
          fail_msg("harm %d: %s, \"%s\" does not say \"%s\"", i, rp_status_name(status), err.reason, says);
      }
    }
    blob_free(&file);
    if (!says) break;
  }
  assert_true(i > 43);
  rpk_seal(good.data, good.bytes);
  EXPECT(RP_OK, open_copy(b, &good, 0, &err), &err);
  blob_free(&good);
}

/* A curve with a cofactor has points outside the subgroup: nearly every x that has a point has one. */
static void bases_outside_the_subgroup_are_refused(void **state) {
  enum { G1 = 96 };
  bench *b = *state;
  rp_error err = {0};
  const g16_family *family = g16_family_by_g1(RP_CURVE_BLS12_381_G1);
  blob file = record_fixture(b, 5, scratch_path("subgroup.rpk"));
  const rpk_file f = rpk_open(file.data, file.bytes);
  int seen = 0;
  for (uint32_t which = 1; which < 3; which++)
    for (uint8_t x = 1; x < 20; x++) {
      const uint32_t id = G16_FILE_COMMITMENTS + which; /* the basis, and its multiples by sigma */
      uint8_t *point = rpk_array(&f, id) + f.table[id].size_bytes - G1, before[G1], in[G1 / 2] = {0x80};
      g16_g1 outside;
      in[G1 / 2 - 1] = x;
      if (g16_gnark_decode(family, 0, G16_GNARK_COMPRESSED, in, &outside)) continue;
      memcpy(before, point, G1), memcpy(point, &outside, G1);
      rpk_seal(file.data, file.bytes);
      EXPECT(RP_ERR_FORMAT, open_copy(b, &file, 0, &err), &err);
      if (!strstr(err.reason, "a point of its commitments is not in the subgroup")) fail_msg("%s", err.reason);
      memcpy(point, before, G1);
      seen++;
    }
  assert_true(seen > 8);
  blob_free(&file);
}

/* What takes the blinding out is refused as in files of other keys. */
static void blinding_stays(void **state) {
  bench *b = *state;
  blob good = record_fixture(b, 0, scratch_path("tampered.rpk"));
  unsigned tried = 0;
  for (size_t i = 0; i < tamper_count; i++) {
    const tamper_case *c = &tamper_cases[i];
    rp_error err = {0};
    if (c->seen != TAMPER_ALWAYS || strncmp(c->name, "matrix", 6) == 0) continue;
    blob file = {aligned_alloc(64, (good.bytes + 63) & ~(size_t)63), good.bytes};
    memcpy(file.data, good.data, good.bytes);
    if (tamper_apply(c, file.data, file.bytes)) {
      const rp_status status = open_copy(b, &file, 1, &err);
      if (status == RP_OK) fail_msg("%s opens", c->name);
      tried++;
    }
    blob_free(&file);
  }
  assert_true(tried > 20);
  blob_free(&good);
}

static int remove_scratch(void **state) {
  scratch_remove();
  return group_closes_bench(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_gnarks_blinding_it_is_gnarks_proof),
      cmocka_unit_test(kept_file),
      cmocka_unit_test(it_is_a_saved_graph),
      cmocka_unit_test(a_verifying_key_belongs_into_the_file),
      cmocka_unit_test(every_damage_is_seen),
      cmocka_unit_test(hostile_files_are_refused),
      cmocka_unit_test(bases_outside_the_subgroup_are_refused),
      cmocka_unit_test(blinding_stays),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, remove_scratch);
}
