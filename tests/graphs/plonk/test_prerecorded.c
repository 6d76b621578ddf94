/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prerecorded keys of PLONK and FFLONK: the same proofs, and no damaged or hostile file does harm. On the CPU, or the
 * device that REPRISE_TEST_DEVICES names.
 */
#include "graphs/groth16/common.h"
#include "recorded.h"

#include <reprise/fflonk.h>

#include <libgen.h>
#include <stdio.h>

/* A key, a prover and proofs of either system, by the functions of the public interface. */
typedef union proof {
  rp_plonk_proof plonk;
  rp_fflonk_proof fflonk;
} proof;

typedef struct system_calls {
  uint32_t protocol;
  const char *fixtures[3]; /* the first has no additions; the second, if there is one, is another circuit */
  rp_status (*open)(rp_context *, const char *, const rp_plonk_key_options *, void **, rp_error *);
  rp_status (*open_memory)(rp_context *, const void *, size_t, const rp_plonk_key_options *, void **, rp_error *);
  void (*close)(void *);
  void (*info)(const void *, rp_plonk_key_info *);
  rp_status (*matches)(const void *, const char *, rp_error *);
  rp_status (*check_points)(void *, rp_error *);
  rp_status (*create)(rp_device *, const void *, const rp_plonk_prover_options *, void **, rp_error *);
  void (*destroy)(void *);
  rp_status (*save)(const void *, const char *, rp_error *);
  rp_status (*prove)(void *, const blob *, proof *, rp_error *);
  /* With the blinding values 2, 3, 4 ... */
  rp_status (*prove_blinded)(void *, const uint8_t *, size_t, proof *, rp_error *);
  rp_status (*to_json)(const proof *, char *, size_t, size_t *, rp_error *);
} system_calls;

static void blinding_from_2(uint8_t blinding[16][32]) {
  memset(blinding, 0, 16 * 32);
  for (uint8_t i = 0; i < 16; i++) blinding[i][0] = (uint8_t)(2 + i);
}

#define SYSTEM(P)                                                                                                      \
  static rp_status P##_open(rp_context *c, const char *path, const rp_plonk_key_options *o, void **key, rp_error *e) { \
    rp_##P##_key *got;                                                                                                 \
    const rp_status status = rp_##P##_key_open(c, path, o, &got, e);                                                   \
    *key = got;                                                                                                        \
    return status;                                                                                                     \
  }                                                                                                                    \
  static rp_status P##_open_memory(rp_context *c, const void *data, size_t n, const rp_plonk_key_options *o,           \
                                   void **key, rp_error *e) {                                                          \
    rp_##P##_key *got;                                                                                                 \
    const rp_status status = rp_##P##_key_open_memory(c, data, n, o, &got, e);                                         \
    *key = got;                                                                                                        \
    return status;                                                                                                     \
  }                                                                                                                    \
  static void P##_close(void *key) { rp_##P##_key_close(key); }                                                        \
  static void P##_info(const void *key, rp_plonk_key_info *info) { rp_##P##_key_get_info(key, info); }                 \
  static rp_status P##_matches(const void *key, const char *path, rp_error *e) {                                       \
    return rp_##P##_key_matches(key, path, e);                                                                         \
  }                                                                                                                    \
  static rp_status P##_check_points(void *key, rp_error *e) { return rp_##P##_key_check_points(key, e); }              \
  static rp_status P##_create(rp_device *d, const void *key, const rp_plonk_prover_options *o, void **prover,          \
                              rp_error *e) {                                                                           \
    rp_##P##_prover *got;                                                                                              \
    const rp_status status = rp_##P##_prover_create(d, key, o, &got, e);                                               \
    *prover = got;                                                                                                     \
    return status;                                                                                                     \
  }                                                                                                                    \
  static void P##_destroy(void *prover) { rp_##P##_prover_destroy(prover); }                                           \
  static rp_status P##_save(const void *prover, const char *path, rp_error *e) {                                       \
    return rp_##P##_save(prover, path, e);                                                                             \
  }                                                                                                                    \
  static rp_status P##_prove(void *prover, const blob *wtns, proof *p, rp_error *e) {                                  \
    return rp_##P##_prove(prover, wtns->data, wtns->bytes, &p->P, NULL, NULL, e);                                      \
  }                                                                                                                    \
  static rp_status P##_prove_blinded(void *prover, const uint8_t *values, size_t n, proof *p, rp_error *e) {           \
    uint8_t blinding[16][32];                                                                                          \
    blinding_from_2(blinding);                                                                                         \
    return rp_##P##_prove_unsafe_blinding(prover, values, n, (const uint8_t(*)[32])blinding, &p->P, NULL, NULL, e);    \
  }                                                                                                                    \
  static rp_status P##_to_json(const proof *p, char *text, size_t room, size_t *n, rp_error *e) {                      \
    return rp_##P##_proof_to_json(&p->P, text, room, n, e);                                                            \
  }
SYSTEM(plonk)
SYSTEM(fflonk)
#define CALLS(P)                                                                                                  \
  .open = P##_open, .open_memory = P##_open_memory, .close = P##_close, .info = P##_info, .matches = P##_matches, \
  .check_points = P##_check_points, .create = P##_create, .destroy = P##_destroy, .save = P##_save,               \
  .prove = P##_prove, .prove_blinded = P##_prove_blinded, .to_json = P##_to_json
static const system_calls systems[2] = {
    {.protocol = G16_PROTOCOL_PLONK,
     .fixtures = {"../plonk/multiplier", "../plonk/no_public", "../plonk/poseidon_chain"},
     CALLS(plonk)},
    {.protocol = G16_PROTOCOL_FFLONK, .fixtures = {"../fflonk/multiplier", "../fflonk/no_public"}, CALLS(fflonk)}};

static void *open_file(bench *b, const system_calls *s, const char *path) {
  void *key;
  rp_error err = {0};
  EXPECT(RP_OK, s->open(b->context, path, NULL, &key, &err), &err);
  return key;
}

static void *prover_of_key(bench *b, const system_calls *s, const void *key) {
  void *prover;
  rp_error err = {0};
  EXPECT(RP_OK, s->create(b->device, key, NULL, &prover, &err), &err);
  return prover;
}

/* Records a .zkey to a file; returns its bytes. */
static blob record(bench *b, const system_calls *s, const char *zkey, const char *out) {
  rp_error err = {0};
  void *key = open_file(b, s, zkey), *prover = prover_of_key(b, s, key);
  EXPECT(RP_OK, s->save(prover, out, &err), &err);
  s->destroy(prover);
  s->close(key);
  return blob_read(out);
}

/* A synthetic key with additions. */
static blob record_made(bench *b, const system_calls *s, const char *out) {
  char folder[512];
  snprintf(folder, sizeof folder, "%s", scratch_path("x"));
  assert_int_equal(recorded_make(s->protocol, b->context, b->device, dirname(folder), out), 1);
  return blob_read(out);
}

static uint8_t *aligned_copy(const blob *file) {
  uint8_t *copy = aligned_alloc(64, (file->bytes + 63) & ~(size_t)63);
  memcpy(copy, file->data, file->bytes);
  return copy;
}

static rp_status open_copy(bench *b, const system_calls *s, const blob *file, int skip, rp_error *err) {
  const rp_plonk_key_options options = {.struct_size = sizeof options, .skip_checksum = (uint32_t)skip};
  void *key;
  uint8_t *copy = aligned_copy(file);
  *err = (rp_error){0};
  const rp_status status = s->open_memory(b->context, copy, file->bytes, &options, &key, err);
  assert_int_equal(status == RP_OK, key != NULL);
  s->close(key);
  free(copy);
  return status;
}

/* ---- Good files -------------------------------------------------------------------------------------------------- */

static void same_proofs(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3 && systems[k].fixtures[i]; i++) {
      const system_calls *s = &systems[k];
      blob file = record(b, s, fixture_path(s->fixtures[i], "circuit.zkey"), scratch_path("key.rpk"));
      blob wtns = fixture_read(s->fixtures[i], "witness.wtns"),
           expected = fixture_read(s->fixtures[i], "proof_blinding_2_3_4.json");
      void *key = open_file(b, s, scratch_path("key.rpk")), *prover = prover_of_key(b, s, key);
      rp_plonk_key_info info = {.struct_size = sizeof info};
      rp_error err = {0};
      proof got;
      char text[8192];
      size_t n, bytes;
      const uint8_t *values = wtns_values(&wtns, &n);
      s->info(key, &info);
      assert_int_equal(info.prerecorded, 1);
      assert_int_equal(info.points_checked, 0);
      assert_int_equal(info.n_vars, n);
      assert_int_equal(info.file_bytes, file.bytes);
      s->close(key); /* the prover keeps what it needs */
      for (int replay = 0; replay < 2; replay++) {
        EXPECT(RP_OK, s->prove_blinded(prover, values, n, &got, &err), &err);
        EXPECT(RP_OK, s->to_json(&got, text, sizeof text, &bytes, &err), &err);
        assert_int_equal(bytes, expected.bytes);
        assert_memory_equal(text, expected.data, bytes);
      }
      EXPECT(RP_OK, s->save(prover, scratch_path("again.rpk"), &err), &err);
      blob again = blob_read(scratch_path("again.rpk"));
      assert_int_equal(again.bytes, file.bytes);
      assert_memory_equal(again.data, file.data, file.bytes);
      s->destroy(prover);
      blob_free(&again), blob_free(&file), blob_free(&wtns), blob_free(&expected);
    }
}

/* Files that were kept when the version of the format was new open, and are written again with the same bytes. With
 * other bytes, the format needs another version. */
static void kept_files(void **state) {
  static const char *const paths[2] = {TEST_DATA_DIR "/recorded/plonk_version_1.rpk",
                                       TEST_DATA_DIR "/recorded/fflonk_version_1.rpk"};
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k];
    rp_error err = {0};
    void *key = open_file(b, s, paths[k]);
    EXPECT(RP_OK, s->matches(key, fixture_path(s->fixtures[0], "circuit.zkey"), &err), &err);
    s->close(key);
    blob kept = blob_read(paths[k]),
         now = record(b, s, fixture_path(s->fixtures[0], "circuit.zkey"), scratch_path("now.rpk"));
    assert_int_equal(kept.bytes, now.bytes);
    assert_memory_equal(kept.data, now.data, now.bytes);
    blob_free(&kept), blob_free(&now);
  }
}

/* The file is replaced or removed: a key that has opened the old file continues to use it. */
static void replaced_while_in_use(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k];
    rp_error err = {0};
    proof got;
    blob file = record(b, s, fixture_path(s->fixtures[0], "circuit.zkey"), scratch_path("used.rpk")),
         wtns = fixture_read(s->fixtures[0], "witness.wtns");
    void *key = open_file(b, s, scratch_path("used.rpk"));
    blob other = record(b, s, fixture_path(s->fixtures[1], "circuit.zkey"), scratch_path("used.rpk"));
    for (int round = 0; round < 2; round++) {
      if (round) assert_int_equal(remove(scratch_path("used.rpk")), 0);
      void *prover = prover_of_key(b, s, key);
      EXPECT(RP_OK, s->prove(prover, &wtns, &got, &err), &err);
      s->destroy(prover);
    }
    s->close(key);
    blob_free(&file), blob_free(&other), blob_free(&wtns);
  }
}

/* Saving fails where no file can be written. */
static void files_are_whole_or_not_there(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k];
    rp_error err = {0};
    void *key = open_file(b, s, fixture_path(s->fixtures[0], "circuit.zkey")), *prover = prover_of_key(b, s, key);
    EXPECT(RP_ERR_FILE, s->save(prover, scratch_path("none/key.rpk"), &err), &err);
    EXPECT(RP_ERR_FILE, s->save(prover, "/dev/full", &err), &err);
    EXPECT(RP_ERR_ARGUMENT, s->save(prover, NULL, &err), &err);
    EXPECT(RP_ERR_ARGUMENT, s->save(NULL, scratch_path("key.rpk"), &err), &err);
    s->destroy(prover);
    s->close(key);
  }
}

static void expect_difference(const system_calls *s, const void *key, const char *zkey, const char *says) {
  rp_error err = {0};
  EXPECT(RP_ERR_MISMATCH, s->matches(key, zkey, &err), &err);
  if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
}

static void tells_whether_it_is_stale(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k];
    char zkey[512], path[512];
    rp_error err = {0};
    blob file = record_made(b, s, scratch_path("made.rpk"));
    snprintf(zkey, sizeof zkey, "%s", scratch_path("made.zkey"));
    snprintf(path, sizeof path, "%s", scratch_path("changed.rpk"));
    void *key = open_file(b, s, scratch_path("made.rpk"));
    EXPECT(RP_OK, s->matches(key, zkey, &err), &err);
    EXPECT(RP_ERR_FORMAT, s->matches(key, scratch_path("made.rpk"), &err), &err);
    EXPECT(RP_ERR_FILE, s->matches(key, scratch_path("none.zkey"), &err), &err);
    EXPECT(RP_ERR_ARGUMENT, s->matches(key, NULL, &err), &err);
    EXPECT(RP_ERR_ARGUMENT, s->matches(NULL, zkey, &err), &err);
    expect_difference(s, key, fixture_path(s->fixtures[0], "circuit.zkey"), "its circuit differs");
    s->close(key);
    /* For each array, a change with which the file still opens. */
    static const struct {
      recorded_case change;
      const char *says;
    } changes[] = {
        {{.op = RECORDED_WORD, .section = PLONK_FILE_MAP, .at = 2 * RECORDED_DOMAIN + 4, .value = 1}, "wires differ"},
        {{.op = RECORDED_FLIP, .section = PLONK_FILE_TAU, .at = 64}, "powers of tau differ"},
        {{.op = RECORDED_FLIP, .section = PLONK_FILE_COEF}, "polynomials differ"},
        {{.op = RECORDED_FLIP, .section = PLONK_FILE_COEF + 7, .at = 32}, "polynomials differ"},
        {{.op = RECORDED_FLIP, .section = PLONK_FILE_STAGES + 2}, "additions differ"},
        {{.op = RECORDED_WORD_ADD, .section = PLONK_FILE_STAGES + 1, .value = UINT64_MAX}, "additions differ"},
        {{.op = RECORDED_COPY, .section = PLONK_FILE_VK, .at = 32, .value = 1}, "verification part differs"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
      blob copy = {malloc(file.bytes), file.bytes};
      memcpy(copy.data, file.data, file.bytes);
      assert_int_equal(recorded_apply(&changes[i].change, copy.data, &copy.bytes), 1);
      if (memcmp(copy.data, file.data, file.bytes) == 0) fail_msg("change %zu changes nothing", i);
      blob_write(path, copy.data, copy.bytes);
      key = open_file(b, s, path);
      expect_difference(s, key, zkey, changes[i].says);
      s->close(key);
      blob_free(&copy);
    }
    blob_free(&file);
  }
}

/* The file says whether points were checked, and a check of the opened file is as good. */
static void points_that_were_checked(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k];
    const rp_plonk_key_options checked = {.struct_size = sizeof checked, .check_points = 1};
    rp_error err = {0};
    rp_plonk_key_info info = {.struct_size = sizeof info};
    void *key = open_file(b, s, fixture_path(s->fixtures[0], "circuit.zkey")), *prover = prover_of_key(b, s, key);
    EXPECT(RP_OK, s->check_points(key, &err), &err);
    EXPECT(RP_OK, s->save(prover, scratch_path("checked.rpk"), &err), &err);
    s->destroy(prover);
    s->close(key);
    key = open_file(b, s, scratch_path("checked.rpk"));
    s->info(key, &info);
    assert_int_equal(info.points_checked, 1);
    s->close(key);
    blob file = record(b, s, fixture_path(s->fixtures[0], "circuit.zkey"), scratch_path("unchecked.rpk"));
    EXPECT(RP_OK, s->open(b->context, scratch_path("unchecked.rpk"), &checked, &key, &err), &err);
    s->info(key, &info);
    assert_int_equal(info.points_checked, 1);
    s->close(key);
    /* A point off the curve: seen where points are checked. */
    const recorded_case off = {.op = RECORDED_FLIP, .section = PLONK_FILE_TAU, .at = 2 * 64};
    assert_int_equal(recorded_apply(&off, file.data, &file.bytes), 1);
    blob_write(scratch_path("off.rpk"), file.data, file.bytes);
    EXPECT(RP_ERR_FORMAT, s->open(b->context, scratch_path("off.rpk"), &checked, &key, &err), &err);
    assert_non_null(strstr(err.reason, "point 2 is not on the curve"));
    key = open_file(b, s, scratch_path("off.rpk"));
    EXPECT(RP_ERR_FORMAT, s->check_points(key, &err), &err);
    s->close(key);
    blob_free(&file);
  }
}

/* ---- Bad files --------------------------------------------------------------------------------------------------- */

static void every_damage_is_seen(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k];
    rp_error err = {0};
    blob file = record_made(b, s, scratch_path("damage.rpk"));
    plonk_file_header header;
    memcpy(&header, file.data, sizeof header);
    const size_t head = sizeof header + header.n_sections * sizeof(graphs_section);
    /* Every byte of header and table, and some of the rest. */
    for (size_t i = 8; i < file.bytes; i += i < head ? 1 : 61) {
      file.data[i] ^= 0x10;
      EXPECT(RP_ERR_FORMAT, open_copy(b, s, &file, 0, &err), &err);
      file.data[i] ^= 0x10;
    }
    for (uint32_t id = 0; id < header.n_sections; id++) { /* both ends of every array */
      graphs_section section;
      memcpy(&section, file.data + sizeof header + id * sizeof section, sizeof section);
      for (int end = 0; end < 2; end++) {
        uint8_t *byte = file.data + section.offset + (end ? section.size_bytes - 1 : 0);
        *byte ^= 1;
        EXPECT(RP_ERR_FORMAT, open_copy(b, s, &file, 0, &err), &err);
        *byte ^= 1;
      }
    }
    for (size_t bytes = 1; bytes < file.bytes; bytes += bytes < head ? 37 : 1021) {
      blob cut = {file.data, bytes};
      EXPECT(RP_ERR_FORMAT, open_copy(b, s, &cut, 0, &err), &err);
      EXPECT(RP_ERR_FORMAT, open_copy(b, s, &cut, 1, &err), &err);
    }
    EXPECT(RP_OK, open_copy(b, s, &file, 0, &err), &err);
    EXPECT(RP_OK, open_copy(b, s, &file, 1, &err), &err);
    blob_free(&file);
  }
}

static void hostile_files_are_refused(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k];
    blob good = record_made(b, s, scratch_path("hostile.rpk"));
    unsigned tried = 0;
    for (size_t i = 0; i < recorded_count; i++) {
      const recorded_case *c = &recorded_cases[i];
      blob file = {malloc(good.bytes), good.bytes};
      memcpy(file.data, good.data, good.bytes);
      if (recorded_apply(c, file.data, &file.bytes)) {
        rp_error err = {0};
        if (open_copy(b, s, &file, 0, &err) != RP_ERR_FORMAT || !strstr(err.reason, c->says))
          fail_msg("%s: \"%s\" does not say \"%s\"", c->name, err.reason, c->says);
        const rp_status skipped = open_copy(b, s, &file, 1, &err);
        if (skipped != (c->checksums ? RP_OK : RP_ERR_FORMAT))
          fail_msg("%s: %s without the checksums", c->name, rp_status_name(skipped));
        tried++;
      }
      blob_free(&file);
    }
    assert_true(tried > 60);
    rp_error err = {0};
    recorded_seal(good.data, good.bytes);
    EXPECT(RP_OK, open_copy(b, s, &good, 0, &err), &err);
    blob_free(&good);
  }
}

/* Files of other kinds, memory that is not aligned. */
static void other_files_are_refused(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k], *other = &systems[1 - k];
    rp_error err = {0};
    void *key;
    blob file = record(b, other, fixture_path(other->fixtures[0], "circuit.zkey"), scratch_path("other.rpk"));
    EXPECT(RP_ERR_FORMAT, s->open(b->context, scratch_path("other.rpk"), NULL, &key, &err), &err);
    assert_non_null(strstr(err.reason, "another protocol"));
    assert_null(key);
    rp_groth16_key *groth16;
    EXPECT(RP_ERR_FORMAT, rp_groth16_key_open(b->context, scratch_path("other.rpk"), NULL, &groth16, &err), &err);
    uint8_t *memory = malloc(file.bytes + 4);
    memcpy(memory + 4, file.data, file.bytes);
    EXPECT(RP_ERR_ARGUMENT, other->open_memory(b->context, memory + 4, file.bytes, NULL, &key, &err), &err);
    assert_non_null(strstr(err.reason, "8-byte aligned"));
    free(memory);
    static const uint8_t digest[32];
    const rp_plonk_key_options pinned = {.struct_size = sizeof pinned, .sha256 = digest};
    EXPECT(RP_ERR_MISMATCH, other->open(b->context, scratch_path("other.rpk"), &pinned, &key, &err), &err);
    blob_free(&file);
  }
}

/* Wrong elements that opening does not see: no crash, and no proof. */
static void wrong_elements_make_no_proof(void **state) {
  bench *b = *state;
  for (int k = 0; k < 2; k++) {
    const system_calls *s = &systems[k];
    blob good = record_made(b, s, scratch_path("elements.rpk")), wtns = blob_read(scratch_path("made.wtns"));
    for (uint32_t id = PLONK_FILE_MAP; id <= PLONK_FILE_STAGES + 2; id++) {
      if (id == PLONK_FILE_STAGES) continue; /* where rows end, which is checked */
      blob file = {aligned_copy(&good), good.bytes};
      const int words = id == PLONK_FILE_MAP || id == PLONK_FILE_STAGES + 1;
      const recorded_case flip = {.op = RECORDED_FLIP, .section = id, .at = id == PLONK_FILE_TAU ? 64 : 0},
                          word = {.op = RECORDED_WORD, .section = id, .at = words && id == PLONK_FILE_MAP ? 5 : 0};
      void *key;
      proof got;
      rp_error err = {0};
      assert_int_equal(recorded_apply(words ? &word : &flip, file.data, &file.bytes), 1);
      EXPECT(RP_OK, s->open_memory(b->context, file.data, file.bytes, NULL, &key, &err), &err);
      void *prover = prover_of_key(b, s, key);
      if (s->prove(prover, &wtns, &got, &err) == RP_OK) fail_msg("section %u does not matter", id);
      s->destroy(prover);
      s->close(key);
      blob_free(&file);
    }
    blob_free(&good), blob_free(&wtns);
  }
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(same_proofs, state),
      cmocka_unit_test_prestate(kept_files, state),
      cmocka_unit_test_prestate(replaced_while_in_use, state),
      cmocka_unit_test_prestate(files_are_whole_or_not_there, state),
      cmocka_unit_test_prestate(tells_whether_it_is_stale, state),
      cmocka_unit_test_prestate(points_that_were_checked, state),
      cmocka_unit_test_prestate(every_damage_is_seen, state),
      cmocka_unit_test_prestate(hostile_files_are_refused, state),
      cmocka_unit_test_prestate(other_files_are_refused, state),
      cmocka_unit_test_prestate(wrong_elements_make_no_proof, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
