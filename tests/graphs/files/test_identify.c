/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recognising files (files.h): every kind, by path and in memory, whole and damaged.
 */
#include "scratch.h"

#include <reprise/files.h>
#include <reprise/reprise.h>

typedef struct known {
  const char *path;
  rp_file_kind kind;
  rp_protocol protocol, described; /* as identified, as described */
  int gnark;
} known;

#define GROTH16 RP_PROTOCOL_GROTH16
#define PLONK RP_PROTOCOL_PLONK
#define FFLONK RP_PROTOCOL_FFLONK
static const known files[] = {
    {"fixtures/multiplier_bn254/circuit.zkey", RP_FILE_ZKEY, GROTH16, GROTH16, 0},
    {"plonk/multiplier/circuit.zkey", RP_FILE_ZKEY, PLONK, PLONK, 0},
    {"fflonk/multiplier/circuit.zkey", RP_FILE_ZKEY, FFLONK, FFLONK, 0},
    {"recorded/groth16_version_2.rpk", RP_FILE_PRERECORDED, GROTH16, GROTH16, 0},
    {"recorded/groth16_version_4.rpk", RP_FILE_PRERECORDED, GROTH16, GROTH16, 0},
    {"recorded/gnark_version_4.rpk", RP_FILE_PRERECORDED, GROTH16, GROTH16, 1},
    {"recorded/plonk_version_1.rpk", RP_FILE_PRERECORDED, PLONK, PLONK, 0},
    {"recorded/fflonk_version_1.rpk", RP_FILE_PRERECORDED, FFLONK, FFLONK, 0},
    {"fixtures/multiplier_bn254/witness.wtns", RP_FILE_WTNS, 0, 0, 0},
    {"fixtures/multiplier_bn254/circuit.r1cs", RP_FILE_R1CS, 0, 0, 0},
    {"fixtures/multiplier_bn254/verification_key.json", RP_FILE_VKEY, 0, GROTH16, 0},
    {"plonk/multiplier/verification_key.json", RP_FILE_VKEY, 0, PLONK, 0},
    {"fflonk/multiplier/verification_key.json", RP_FILE_VKEY, 0, FFLONK, 0},
    {"fixtures/multiplier_bn254/proof.json", RP_FILE_PROOF, 0, GROTH16, 0},
    {"plonk/multiplier/proof.json", RP_FILE_PROOF, 0, PLONK, 0},
    {"fflonk/multiplier/proof.json", RP_FILE_PROOF, 0, FFLONK, 0},
    {"fixtures/multiplier_bn254/public.json", RP_FILE_PUBLIC, 0, 0, 0},
    {"gnark/bn254/cubic/pk.raw", RP_FILE_GNARK_KEY, GROTH16, GROTH16, 1},
    {"gnark/bls12-381/cubic/pk.dump", RP_FILE_GNARK_KEY, GROTH16, GROTH16, 1},
    {"gnark/bn254/range/vk.bin", RP_FILE_VKEY, 0, 0, 1},
    {"gnark/bn254/cubic/proof.raw", RP_FILE_PROOF, 0, 0, 1},
    {"gnark/bn254/cubic/witness.pub", RP_FILE_PUBLIC, 0, 0, 1},
    {"gnark/bn254/cubic/solution.mont", RP_FILE_GNARK_SOLUTION, 0, 0, 1},
    {"saved/version_1.rpg", RP_FILE_GRAPH, 0, 0, 0},
    {"fixtures/multiplier_bn254/circuit.circom", RP_FILE_UNKNOWN, 0, 0, 0},
    {"fixtures/multiplier_bn254/input.json", RP_FILE_UNKNOWN, 0, 0, 0},
};
enum { FILES = sizeof files / sizeof *files };

static const char *path_of(const char *name, char *path) {
  snprintf(path, 512, "%s/%s", TEST_DATA_DIR, name);
  return path;
}

/* Reads a file into memory of exactly its size, so that a sanitizer sees a read past its end. */
static uint8_t *read_whole(const char *path, size_t *bytes) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  *bytes = (size_t)ftell(f);
  rewind(f);
  uint8_t *data = malloc(*bytes);
  assert_non_null(data);
  assert_int_equal(fread(data, 1, *bytes, f), *bytes);
  fclose(f);
  return data;
}

static void same(const known *k, const rp_file_info *info, size_t bytes, int described) {
  if (info->kind != k->kind || info->protocol != (described ? k->described : k->protocol))
    fail_msg("%s: kind %d, protocol %d", k->path, (int)info->kind, (int)info->protocol);
  assert_int_equal(info->gnark, k->gnark);
  assert_int_equal(info->size_bytes, bytes);
}

static void every_kind_is_recognised(void **state) {
  (void)state;
  for (int i = 0; i < FILES; i++) {
    char path[512];
    size_t bytes = 0;
    rp_file_info info = {.struct_size = sizeof info};
    uint8_t *data = read_whole(path_of(files[i].path, path), &bytes);
    assert_int_equal(rp_file_identify(path, &info, NULL), RP_OK);
    same(&files[i], &info, bytes, 0);
    assert_int_equal(info.has_curve + info.n_vars + info.n_public + info.domain, 0);
    assert_int_equal(rp_file_identify_memory(data, bytes, &info, NULL), RP_OK);
    same(&files[i], &info, bytes, 0);
    assert_int_equal(rp_file_describe(path, &info, NULL), RP_OK);
    same(&files[i], &info, bytes, 1);
    assert_int_equal(rp_file_describe_memory(data, bytes, &info, NULL), RP_OK);
    same(&files[i], &info, bytes, 1);
    free(data);
  }
}

static rp_file_info describe(const char *name) {
  char path[512];
  rp_error err = {0};
  rp_file_info info = {.struct_size = sizeof info};
  if (rp_file_describe(path_of(name, path), &info, &err) != RP_OK) fail_msg("%s", err.reason);
  return info;
}

static void headers_have_the_figures_of_their_circuits(void **state) {
  (void)state;
  rp_file_info i = describe("fixtures/multiplier_bls12381/witness.wtns");
  assert_true(i.has_curve && i.g1 == RP_CURVE_BLS12_381_G1 && i.n_vars == 6);
  i = describe("fixtures/multiplier_bn254/circuit.r1cs");
  assert_true(i.has_curve && i.g1 == RP_CURVE_BN254_G1 && i.n_vars == 6 && i.n_public == 1 && i.n_outputs == 1);
  assert_true(i.n_private == 2 && i.n_constraints == 3 && i.domain == 8);
  i = describe("fixtures/poseidon_merkle/circuit.zkey");
  assert_true(i.n_vars == 5343 && i.n_public == 2 && i.domain == 8192 && i.n_constraints == 0);
  i = describe("plonk/multiplier/circuit.zkey");
  assert_true(i.g1 == RP_CURVE_BN254_G1 && i.n_vars == 6 && i.n_public == 2 && i.domain == 8);
  assert_true(i.n_constraints == 4 && i.n_additions == 0);
  i = describe("gnark/bn254/twocommit/pk.dump");
  assert_string_equal(i.form, "dump");
  assert_true(i.n_commitments == 2 && i.domain && i.n_vars && i.n_public == 2);
  assert_true(i.n_points[0] && i.n_points[1] && i.n_points[2] == i.domain - 1 && i.n_points[3]);
  i = describe("gnark/bls12-381/cubic/pk.bin");
  assert_string_equal(i.form, "compressed");
  assert_true(i.g1 == RP_CURVE_BLS12_381_G1 && i.domain == 4 && i.n_points[0] == 3 && i.n_points[1] == 2);
  i = describe("gnark/bn254/range/vk.bin");
  assert_true(i.has_curve && i.n_public == 1 && i.n_commitments == 1);
  i = describe("gnark/bn254/twocommit/proof.bin");
  assert_true(i.has_curve && i.n_commitments == 2);
  i = describe("gnark/bn254/cubic/witness.full");
  assert_true(!i.has_curve && i.n_public == 1 && i.n_private == 1);
  i = describe("gnark/bn254/cubic/solution.bin");
  assert_string_equal(i.form, "canonical");
  assert_true(i.n_vars == 5 && i.n_constraints == 3);
}

/* Whatever a file says, its kind is told, and it is either described or refused with a reason. */
static void beginnings_of_files_are_harmless(void **state) {
  (void)state;
  for (int i = 0; i < FILES; i++) {
    char path[512];
    size_t bytes = 0;
    uint8_t *data = read_whole(path_of(files[i].path, path), &bytes);
    for (size_t n = 1; n < bytes; n += n < 300 ? 1 : 1 + n / 8) {
      rp_file_info info = {.struct_size = sizeof info};
      rp_error err = {0};
      uint8_t *part = malloc(n);
      assert_non_null(part);
      memcpy(part, data, n);
      assert_int_equal(rp_file_identify_memory(part, n, &info, NULL), RP_OK);
      const rp_file_kind kind = info.kind;
      const rp_status status = rp_file_describe_memory(part, n, &info, &err);
      assert_int_equal(info.kind, kind);
      assert_int_equal(info.size_bytes, n);
      if (status != RP_OK) assert_non_null(strstr(err.reason, "The data"));
      if (kind == RP_FILE_ZKEY || kind == RP_FILE_WTNS || kind == RP_FILE_R1CS) assert_int_equal(status, RP_ERR_FORMAT);
      free(part);
    }
    free(data);
  }
}

static void what_is_no_file_is_refused(void **state) {
  char path[512];
  rp_error err = {0};
  rp_file_info info = {.struct_size = sizeof info}, unset = {0};
  (void)state;
  path_of("fixtures", path);
  assert_int_equal(rp_file_identify(path, &info, &err), RP_ERR_FILE);
  path_of("no such file", path);
  assert_int_equal(rp_file_describe(path, &info, &err), RP_ERR_FILE);
  assert_non_null(strstr(err.reason, "no such file"));
  assert_int_equal(rp_file_identify_memory("", 0, &info, &err), RP_ERR_FORMAT);
  path_of(files[0].path, path);
  assert_int_equal(rp_file_identify(NULL, &info, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_file_identify(path, NULL, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_file_describe(path, &unset, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "struct_size"));
  assert_int_equal(rp_file_describe_memory(NULL, 4, &info, &err), RP_ERR_ARGUMENT);
}

/* A shorter struct, of a program that knows fewer members, gets what fits. */
static void a_shorter_struct_is_enough(void **state) {
  struct {
    rp_file_info info;
    char beyond;
  } s = {{.struct_size = offsetof(rp_file_info, gnark), .gnark = 77}, 5};
  char path[512];
  (void)state;
  path_of("recorded/gnark_version_4.rpk", path);
  assert_int_equal(rp_file_describe(path, &s.info, NULL), RP_OK);
  assert_true(s.info.kind == RP_FILE_PRERECORDED && s.info.gnark == 77 && s.beyond == 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_recognised),         cmocka_unit_test(headers_have_the_figures_of_their_circuits),
      cmocka_unit_test(beginnings_of_files_are_harmless), cmocka_unit_test(what_is_no_file_is_refused),
      cmocka_unit_test(a_shorter_struct_is_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
