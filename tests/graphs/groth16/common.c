/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common.h"

#include "devices/group.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

void check_status(rp_status expected, rp_status status, const rp_error *err, const char *file, int line) {
  if (status == expected) return;
  print_error("%s instead of %s: %s\n", rp_status_name(status), rp_status_name(expected), err ? err->reason : "");
  _fail(file, line);
}

void bench_open(bench *b) {
  rp_error err = {0};
  *b = (bench){0};
  setenv("REPRISE_POISON", "1", 0); /* no kernel may count on new memory being zero */
  EXPECT(RP_OK, rp_context_create(NULL, &b->context, &err), &err);
  rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  const char *wish = getenv("REPRISE_TEST_DEVICES");
  for (int kind = 0; wish && kind < RP_DEVICE_KIND_COUNT; kind++)
    if (!strcmp(wish, rp_device_kind_name((rp_device_kind)kind))) options.kind = (rp_device_kind)kind;
  if (getenv("REPRISE_TEST_GROUP"))
    b->device = group_open_in(b->context);
  else
    EXPECT(RP_OK, rp_device_open(b->context, &options, &b->device, &err), &err);
}

void bench_close(bench *b) {
  rp_device_close(b->device);
  rp_context_destroy(b->context);
}

int group_opens_bench(void **state) {
  static bench b;
  bench_open(&b);
  *state = &b;
  return 0;
}

int group_closes_bench(void **state) {
  bench_close(*state);
  return 0;
}

blob blob_read(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s cannot be opened", path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  blob b = {malloc((size_t)size + 1), (size_t)size};
  assert_non_null(b.data);
  assert_int_equal(fread(b.data, 1, b.bytes, file), b.bytes);
  b.data[size] = 0;
  fclose(file);
  return b;
}

void blob_write(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, bytes, file), bytes);
  assert_int_equal(fclose(file), 0);
}

void blob_free(blob *b) {
  free(b->data);
  *b = (blob){0};
}

const char *fixture_path(const char *name, const char *file) {
  static char path[512];
  snprintf(path, sizeof path, "%s/fixtures/%s/%s", TEST_DATA_DIR, name, file);
  return path;
}

const char *const fixture_names[FIXTURE_COUNT] = {"multiplier_bn254", "multiplier_bls12381", "poseidon_merkle"};

blob fixture_read(const char *name, const char *file) { return blob_read(fixture_path(name, file)); }

static char scratch[64];

const char *scratch_path(const char *name) {
  static char paths[8][160];
  static unsigned next;
  if (!scratch[0]) {
    strcpy(scratch, "/tmp/reprise_groth16_");
    size_t length = strlen(scratch);
    memset(scratch + length, 'X', 6); /* mkdtemp replaces these letters */
    if (!mkdtemp(scratch)) fail_msg("no scratch folder");
  }
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
  return path;
}

void scratch_remove(void) {
  if (!scratch[0]) return;
  DIR *dir = opendir(scratch);
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (entry->d_name[0] != '.') unlink(scratch_path(entry->d_name));
  if (dir) closedir(dir);
  rmdir(scratch);
  scratch[0] = 0;
}

void make_circuit(bench *b, const char *name, const char *curve, const g16_shape *shape, int uncontributed, made *out) {
  rp_error err = {0};
  char file[3][96];
  const char *suffix[3] = {"zkey", "wtns", "json"}, *path[3];
  for (int i = 0; i < 3; i++) {
    snprintf(file[i], sizeof file[i], "%s.%s", name, suffix[i]);
    path[i] = scratch_path(file[i]);
  }
  g16_setup setup = {.family = g16_family_by_name(curve),
                     .shape = shape,
                     .seed = 7,
                     .uncontributed = uncontributed,
                     .zkey_out = path[0],
                     .wtns_out = path[1],
                     .vkey_out = path[2]};
  EXPECT(RP_OK, g16_setup_run(b->context, b->device, &setup, &err), &err);
  *out = (made){blob_read(path[0]), blob_read(path[1]), blob_read(path[2])};
}

made fixture_files(const char *name) {
  return (made){fixture_read(name, "circuit.zkey"), fixture_read(name, "witness.wtns"),
                fixture_read(name, "verification_key.json")};
}

void made_free(made *m) {
  blob_free(&m->zkey);
  blob_free(&m->wtns);
  blob_free(&m->vkey);
}

const uint8_t *wtns_values(const blob *wtns, size_t *n) {
  enum { HEADER = 12 + 12 + 40 + 12 }; /* heads and header section of a file that snarkjs or the setup tool wrote */
  *n = (wtns->bytes - HEADER) / 32;
  return wtns->data + HEADER;
}

rp_groth16_proof comparable_proof(rp_groth16_prover *prover, const blob *wtns) {
  static const uint8_t r[32] = {7}, s[32] = {9};
  rp_groth16_proof proof;
  rp_error err = {0};
  size_t n;
  const uint8_t *values = wtns_values(wtns, &n);
  EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, &proof, NULL, NULL, &err), &err);
  return proof;
}

rp_groth16_prover *prover_with(bench *b, const blob *zkey, const rp_groth16_prover_options *options) {
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey->data, zkey->bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, options, &prover, &err), &err);
  rp_groth16_key_close(key); /* the prover keeps what it needs of the key */
  return prover;
}

rp_groth16_prover *prover_of(bench *b, const blob *zkey, uint32_t max_in_flight) {
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .max_in_flight = max_in_flight};
  return prover_with(b, zkey, &options);
}

uint64_t streamed_budget(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options) {
  enum { MOST = 512 };
  rp_plan_point points[MOST] = {{.struct_size = sizeof *points}};
  rp_error err = {0};
  uint32_t n;
  EXPECT(RP_OK, rp_groth16_plan_points(device, key, options, points, MOST, &n, &err), &err);
  assert_in_range(n, 1, MOST);
  uint64_t least = points[0].total_bytes;
  for (uint32_t i = 1; i < n; i++)
    if (points[i].total_bytes < least) least = points[i].total_bytes;
  return least - 1;
}

int proof_is(const rp_groth16_proof *proof, const blob *json) {
  char text[4096];
  size_t length = 0;
  return rp_groth16_proof_to_json(proof, text, sizeof text, &length, NULL) == RP_OK && length == json->bytes &&
         !memcmp(text, json->data, length);
}

void expect_verifies(bench *b, const blob *vkey_json, const rp_groth16_proof *proof, const uint8_t *signals, size_t n) {
  rp_error err = {0};
  rp_groth16_vkey *vkey;
  EXPECT(RP_OK, rp_groth16_vkey_from_json(b->context, (const char *)vkey_json->data, vkey_json->bytes, &vkey, &err),
         &err);
  assert_int_equal(rp_groth16_vkey_n_public(vkey), n);
  EXPECT(RP_OK, rp_groth16_verify(vkey, proof, signals, n, &err), &err);
  rp_groth16_vkey_destroy(vkey);
}
