/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * make_seeds <folder of test data> <folder>: writes the seeds of the fuzz harnesses. <folder>/zkey, wtns, r1cs and json
 * get the small fixtures and every hostile file that is made from them; r1cs also gets the first constraints of a real
 * circuit; recorded gets recorded keys, good and tampered with, and so does recorded_plonk, packed (recorded.h); verify
 * gets keys with signals and proofs (verify_input.h); gnark, plonk and fflonk get files of those kinds; graph gets
 * small programs.
 */
#include "graphs/groth16/tamper.h"
#include "fuzz_programs.h"
#include "graphs/plonk/recorded.h"
#include "hostile.h"
#include "hostile_gnark.h"

#include <reprise/gnark.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *harness(hostile_kind kind) {
  switch (kind) {
  case HOSTILE_ZKEY:
  case HOSTILE_CHECKED:
  case HOSTILE_RELEASE: return "zkey";
  case HOSTILE_WTNS:
  case HOSTILE_PROVE: return "wtns";
  case HOSTILE_R1CS: return "r1cs";
  case HOSTILE_VKEY:
  case HOSTILE_PROOF:
  case HOSTILE_PUBLIC:
  case HOSTILE_OUTPUT: break;
  }
  return "json";
}

static int make_folder(const char *path) {
  if (mkdir(path, 0755) == 0 || errno == EEXIST) return 1;
  perror(path);
  return 0;
}

static int write_seed(const hostile_case *c, const char *data_folder, const char *folder) {
  char path[4096];
  hostile_buffer buffer;
  if (!hostile_bytes(c, data_folder, &buffer)) return 0;
  snprintf(path, sizeof path, "%s/%s/%s", folder, harness(c->kind), c->name);
  FILE *file = fopen(path, "wb");
  int good = file && fwrite(buffer.data, 1, buffer.size, file) == buffer.size;
  if (file && fclose(file) != 0) good = 0;
  free(buffer.data);
  return good;
}

static int write_all(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  int good = file && fwrite(data, 1, bytes, file) == bytes;
  if (file && fclose(file) != 0) good = 0;
  return good;
}

static int record(const char *zkey, const char *out) {
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_groth16_key *key = NULL;
  rp_groth16_prover *prover = NULL;
  rp_error err = {0};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  const int good = rp_context_create(NULL, &context, &err) == RP_OK &&
                   rp_device_open(context, &cpu, &device, &err) == RP_OK &&
                   rp_groth16_key_open(context, zkey, NULL, &key, &err) == RP_OK &&
                   rp_groth16_prover_create(device, key, NULL, &prover, &err) == RP_OK &&
                   rp_groth16_save(prover, out, &err) == RP_OK;
  if (!good) fprintf(stderr, "%s\n", err.reason);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  rp_device_close(device);
  rp_context_destroy(context);
  return good;
}

/* A recorded key of gnark with two commitments. */
static int write_recorded_gnark(const char *data_folder, const char *folder) {
  const uint32_t wires[2][3] = {{3, 4, 6}, {5, 8}};
  char path[4096], seed[4096];
  hostile_buffer vk, good = {0};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_groth16_vkey *vkey = NULL;
  rp_groth16_key *key = NULL;
  rp_groth16_prover *prover = NULL;
  rp_error err = {0};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  const rp_gnark_commitment commitments[2] = {{wires[0], 3, 7}, {wires[1], 2, 9}};
  rp_groth16_key_options options = {.struct_size = sizeof options, .commitments = commitments, .n_commitments = 2};
  snprintf(path, sizeof path, "%s/gnark/bn254/twocommit/vk.bin", data_folder);
  if (!hostile_slurp(path, &vk)) return 0;
  snprintf(path, sizeof path, "%s/gnark/bn254/twocommit/pk.raw", data_folder);
  snprintf(seed, sizeof seed, "%s/recorded.rpk", folder);
  int done = rp_context_create(NULL, &context, &err) == RP_OK &&
             rp_device_open(context, &cpu, &device, &err) == RP_OK &&
             rp_gnark_vkey_from_bytes(context, vk.data, vk.size, &vkey, &err) == RP_OK;
  options.vkey = vkey;
  done = done && rp_groth16_key_open(context, path, &options, &key, &err) == RP_OK &&
         rp_groth16_prover_create(device, key, NULL, &prover, &err) == RP_OK &&
         rp_groth16_save(prover, seed, &err) == RP_OK && hostile_slurp(seed, &good);
  if (!done) fprintf(stderr, "%s\n", err.reason);
  remove(seed);
  snprintf(seed, sizeof seed, "%s/recorded/gnark", folder);
  done = done && write_all(seed, good.data, good.size);
  free(good.data);
  free(vk.data);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  rp_groth16_vkey_destroy(vkey);
  rp_device_close(device);
  rp_context_destroy(context);
  return done;
}

static int write_recorded(const char *data_folder, const char *folder) {
  static const char *const fixtures[] = {"multiplier_bn254", "multiplier_bls12381"};
  char path[4096], seed[4096];
  for (int f = 0; f < 2; f++) {
    hostile_buffer good;
    snprintf(path, sizeof path, "%s/fixtures/%s/circuit.zkey", data_folder, fixtures[f]);
    snprintf(seed, sizeof seed, "%s/recorded.rpk", folder);
    if (!record(path, seed) || !hostile_slurp(seed, &good)) return 0;
    remove(seed);
    for (size_t i = 0; i <= tamper_count; i++) { /* the last round writes the good file */
      uint8_t *file = malloc(good.size);
      if (!file) return 0;
      memcpy(file, good.data, good.size);
      snprintf(seed, sizeof seed, "%s/recorded/%s_%s", folder, f ? "bls" : "bn",
               i < tamper_count ? tamper_cases[i].name : "good");
      const int mine = i == tamper_count || tamper_apply(&tamper_cases[i], file, good.size);
      const int written = !mine || write_all(seed, file, good.size);
      free(file);
      if (!written) return 0;
    }
    free(good.data);
  }
  return 1;
}

/* The file, changed by case i (recorded_count: not at all) and packed. */
static int write_changed(const hostile_buffer *good, const char *name, size_t i, const char *folder) {
  char seed[4096];
  size_t bytes = good->size;
  uint8_t *file = malloc(bytes);
  if (!file) return 0;
  memcpy(file, good->data, bytes);
  snprintf(seed, sizeof seed, "%s/recorded_plonk/%s_%s", folder, name,
           i < recorded_count ? recorded_cases[i].name : "good");
  /* Packing follows the section table, which some cases spoil: their files are packed first. */
  const int written =
      i < recorded_count && (recorded_cases[i].op == RECORDED_TABLE || recorded_cases[i].op == RECORDED_HEADER ||
                             recorded_cases[i].op == RECORDED_HEADER_ADD);
  size_t packed = written ? recorded_pack(file) : 0;
  size_t left = written ? packed : bytes;
  const int mine = i == recorded_count || recorded_apply(&recorded_cases[i], file, &left);
  if (!written) packed = recorded_pack(file);
  const int done = !mine || write_all(seed, file, packed);
  free(file);
  return done;
}

static int write_recorded_plonk(const char *folder) {
  static const uint32_t protocols[] = {G16_PROTOCOL_PLONK, G16_PROTOCOL_FFLONK};
  static const char *const made[] = {"file.rpk", "made.zkey", "made.wtns", "made.json"};
  char path[4096];
  rp_context *context = NULL;
  rp_device *device = NULL;
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  int good = rp_context_create(NULL, &context, NULL) == RP_OK && rp_device_open(context, &cpu, &device, NULL) == RP_OK;
  for (int p = 0; p < 2 && good; p++) {
    hostile_buffer file;
    snprintf(path, sizeof path, "%s/file.rpk", folder);
    good = recorded_make(protocols[p], context, device, folder, path) && hostile_slurp(path, &file);
    for (size_t i = 0; i <= recorded_count && good; i++) good = write_changed(&file, p ? "fflonk" : "plonk", i, folder);
    if (good) free(file.data);
  }
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, made[i]);
    remove(path);
  }
  rp_device_close(device);
  rp_context_destroy(context);
  return good;
}

/* The first constraints of the large fixture, without its labels: they have rows as circom makes them. */
static int write_circuit(const char *data_folder, const char *folder) {
  enum { HEADER_BYTES = 64, SECTION = 12, FILE_HEAD = 12, CONSTRAINTS = 24, TERM = 36, HEADER_COUNT = 60 };
  char path[4096];
  hostile_buffer whole;
  uint8_t head[FILE_HEAD + SECTION + HEADER_BYTES + SECTION], counts[4];
  snprintf(path, sizeof path, "%s/fixtures/poseidon_merkle/circuit.r1cs", data_folder);
  if (!hostile_slurp(path, &whole)) return 0;
  /* The sections are taken in the order of the file, because snarkjs's tools promise none. */
  const uint8_t *header = NULL, *rows = NULL;
  for (size_t at = FILE_HEAD; at + SECTION <= whole.size;) {
    uint32_t id;
    uint64_t bytes;
    memcpy(&id, whole.data + at, 4);
    memcpy(&bytes, whole.data + at + 4, 8);
    at += SECTION;
    if (id == 1) header = whole.data + at;
    if (id == 2) rows = whole.data + at;
    at += bytes;
  }
  int good = header && rows;
  const uint8_t *end = rows;
  for (int lc = 0; lc < 3 * CONSTRAINTS && good; lc++) {
    memcpy(counts, end, 4);
    end += 4 + (size_t)TERM * (counts[0] | (uint32_t)counts[1] << 8);
  }
  if (good) {
    const uint64_t lengths[2] = {HEADER_BYTES, (uint64_t)(end - rows)};
    const uint32_t ids[2] = {1, 2}, constraints = CONSTRAINTS;
    memcpy(head, whole.data, FILE_HEAD);
    memcpy(head + 8, &(uint32_t){2}, 4);
    memcpy(head + FILE_HEAD, &ids[0], 4);
    memcpy(head + FILE_HEAD + 4, &lengths[0], 8);
    memcpy(head + FILE_HEAD + SECTION, header, HEADER_BYTES);
    memcpy(head + FILE_HEAD + SECTION + HEADER_COUNT, &constraints, 4);
    memcpy(head + FILE_HEAD + SECTION + HEADER_BYTES, &ids[1], 4);
    memcpy(head + FILE_HEAD + SECTION + HEADER_BYTES + 4, &lengths[1], 8);
    snprintf(path, sizeof path, "%s/r1cs/poseidon", folder);
    FILE *file = fopen(path, "wb");
    good = file && fwrite(head, 1, sizeof head, file) == sizeof head &&
           fwrite(rows, 1, (size_t)lengths[1], file) == lengths[1];
    if (file && fclose(file) != 0) good = 0;
  }
  free(whole.data);
  return good;
}

/* Inputs of a key, signals, and one or two proofs. */
static int write_verify(const char *data_folder, const char *folder) {
  static const char *const fixtures[] = {"multiplier_bn254", "multiplier_bls12381", "poseidon_merkle"};
  static const char *const texts[] = {"verification_key", "public", "proof", "proof_r2_s3"};
  char path[4096];
  int good = 1;
  for (int i = 0; i < 6 && good; i++) {
    snprintf(path, sizeof path, "%s/verify/%s_%d", folder, fixtures[i / 2], 1 + i % 2);
    FILE *file = fopen(path, "wb");
    good = file != NULL;
    for (int t = 0; t < 3 + i % 2 && good; t++) {
      hostile_buffer text;
      snprintf(path, sizeof path, "%s/fixtures/%s/%s.json", data_folder, fixtures[i / 2], texts[t]);
      good = hostile_slurp(path, &text);
      if (!good) break;
      good = (t == 0 || fputc(0, file) == 0) && fwrite(text.data, 1, text.size, file) == text.size;
      free(text.data);
    }
    if (file && fclose(file) != 0) good = 0;
  }
  return good;
}

/* Files of gnark: the small ones of the fixtures, and all hostile ones. */
static int write_gnark(const char *data_folder, const char *folder) {
  static const char *const files[] = {"pk.raw",        "pk.bin",       "pk.dump",    "vk.raw",
                                      "vk.bin",        "proof.raw",    "proof.bin",  "solution.bin",
                                      "solution.mont", "witness.full", "witness.pub"};
  static const char *const circuits[] = {"bn254/cubic", "bn254/twocommit", "bls12-381/cubic"};
  enum { FILES = sizeof files / sizeof *files };
  char path[4096];
  hostile_buffer buffer;
  int good = 1;
  for (size_t i = 0; i < 3 * FILES && good; i++) {
    snprintf(path, sizeof path, "%s/gnark/%s/%s", data_folder, circuits[i / FILES], files[i % FILES]);
    if (!hostile_slurp(path, &buffer)) return 0;
    snprintf(path, sizeof path, "%s/gnark/good_%zu", folder, i);
    good = write_all(path, buffer.data, buffer.size);
    free(buffer.data);
  }
  for (size_t i = 0; i < hostile_gnark_count && good; i++) {
    if (!hostile_gnark_bytes(&hostile_gnark_cases[i], data_folder, &buffer)) return 0;
    snprintf(path, sizeof path, "%s/gnark/%s", folder, hostile_gnark_cases[i].name);
    good = write_all(path, buffer.data, buffer.size);
    free(buffer.data);
  }
  return good;
}

/* Programs for fuzz_graph. */
static int write_programs(const char *folder) {
  /* A sum over an array that is larger than the device's largest allocation: its lowering fails between two memory
   * levels. */
  static const uint8_t too_long[] = {0, 14, 220, 87, 68, 33, 252, 28, 5, 1};
  enum { N = sizeof fuzz_programs / sizeof fuzz_programs[0] };
  char path[4096];
  for (size_t i = 0; i <= N; i++) {
    const uint8_t *program = i < N ? fuzz_programs[i] : too_long;
    const size_t bytes = i < N ? sizeof fuzz_programs[i] : sizeof too_long;
    snprintf(path, sizeof path, "%s/graph/program_%zu", folder, i);
    FILE *file = fopen(path, "wb");
    int good = file && fwrite(program, 1, bytes, file) == bytes;
    if (file && fclose(file) != 0) good = 0;
    if (!good) return 0;
  }
  return 1;
}

/* Every hostile file of a table that is made from the small key, and the files as they are. */
static int write_table(const char *data_folder, const char *folder, const char *name, const hostile_case *table,
                       size_t n) {
  char fixture[64], path[4096];
  snprintf(fixture, sizeof fixture, "../%s/multiplier", name);
  const hostile_case good[] = {{.name = "zkey", .kind = HOSTILE_ZKEY, .fixture = fixture},
                               {.name = "vkey", .kind = HOSTILE_VKEY, .fixture = fixture},
                               {.name = "proof", .kind = HOSTILE_PROOF, .fixture = fixture}};
  enum { GOOD = sizeof good / sizeof good[0] };
  for (size_t i = 0; i < GOOD + n; i++) {
    const hostile_case *c = i < GOOD ? &good[i] : &table[i - GOOD];
    hostile_buffer buffer;
    if (c->node != HOSTILE_FILE || strcmp(c->fixture, fixture) != 0 || c->damage == damage_deep) continue;
    if (!hostile_bytes(c, data_folder, &buffer)) return 0;
    snprintf(path, sizeof path, "%s/%s/%s", folder, name, c->name);
    const int written = write_all(path, buffer.data, buffer.size);
    free(buffer.data);
    if (!written) return 0;
  }
  return 1;
}

static int write_saved(const char *data_folder, const char *folder) {
  char path[4096];
  hostile_buffer buffer;
  snprintf(path, sizeof path, "%s/saved/version_1.rpg", data_folder);
  if (!hostile_slurp(path, &buffer)) return 0;
  snprintf(path, sizeof path, "%s/saved/version_1", folder);
  const int good = write_all(path, buffer.data, buffer.size);
  free(buffer.data);
  return good;
}

int main(int argc, char **argv) {
  static const char *const folders[] = {"",        "/zkey",     "/wtns",          "/r1cs",  "/json",
                                        "/graph",  "/recorded", "/verify",        "/gnark", "/plonk",
                                        "/fflonk", "/saved",    "/recorded_plonk"};
  static const hostile_kind good[] = {HOSTILE_ZKEY, HOSTILE_WTNS,  HOSTILE_R1CS,
                                      HOSTILE_VKEY, HOSTILE_PROOF, HOSTILE_PUBLIC};
  static const char *const names[2][6] = {{"zkey", "wtns", "r1cs", "vkey", "proof", "public"},
                                          {"bls_zkey", "bls_wtns", "bls_r1cs", "bls_vkey", "bls_proof", "bls_public"}};
  char path[4096];
  if (argc != 3) {
    fprintf(stderr, "usage: make_seeds <folder of test data> <folder>\n");
    return 2;
  }
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    snprintf(path, sizeof path, "%s%s", argv[2], folders[i]);
    if (!make_folder(path)) return 1;
  }
  if (!write_programs(argv[2]) || !write_recorded(argv[1], argv[2]) || !write_recorded_gnark(argv[1], argv[2]) ||
      !write_recorded_plonk(argv[2]) || !write_circuit(argv[1], argv[2]) || !write_verify(argv[1], argv[2]) ||
      !write_gnark(argv[1], argv[2]) ||
      !write_table(argv[1], argv[2], "plonk", hostile_plonk_cases, hostile_plonk_count) ||
      !write_table(argv[1], argv[2], "fflonk", hostile_fflonk_cases, hostile_fflonk_count) ||
      !write_saved(argv[1], argv[2]))
    return 1;
  for (int i = 0; i < 12; i++) {
    const hostile_case c = {.name = names[i / 6][i % 6],
                            .kind = good[i % 6],
                            .fixture = i < 6 ? "multiplier_bn254" : "multiplier_bls12381"};
    if (!write_seed(&c, argv[1], argv[2])) return 1;
  }
  for (size_t i = 0; i < hostile_count; i++) {
    const hostile_case *c = &hostile_cases[i];
    if (c->node != HOSTILE_FILE || strcmp(hostile_fixture(c), "poseidon_merkle") == 0 || c->damage == damage_deep)
      continue;
    if (!write_seed(c, argv[1], argv[2])) return 1;
  }
  return 0;
}
