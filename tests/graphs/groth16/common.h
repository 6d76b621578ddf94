/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the tests of the Groth16 prover share: a context with a device (the CPU, the one that REPRISE_TEST_DEVICES
 * names, such as "cuda", or the group of those in REPRISE_TEST_GROUP), files, keys made by the setup tool.
 */
#ifndef REPRISE_TESTS_GROTH16_COMMON_H
#define REPRISE_TESTS_GROTH16_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "groth16/setup/setup.h"

#include <reprise/graphs.h>
#include <reprise/group.h>

#include <stdlib.h>
#include <string.h>

typedef struct bench {
  rp_context *context;
  rp_device *device;
} bench;

void bench_open(bench *b);
void bench_close(bench *b);
/* For cmocka_run_group_tests: a bench is the state of the tests. */
int group_opens_bench(void **state);
int group_closes_bench(void **state);

/* Fails the test with the reason unless the status is the expected one. */
void check_status(rp_status expected, rp_status status, const rp_error *err, const char *file, int line);
#define EXPECT(expected, call, err) check_status(expected, call, err, __FILE__, __LINE__)

typedef struct blob {
  uint8_t *data;
  size_t bytes;
} blob;

blob blob_read(const char *path);
void blob_write(const char *path, const void *data, size_t bytes);
void blob_free(blob *b);
/* tests/data/fixtures/<name>/<file> */
blob fixture_read(const char *name, const char *file);
const char *fixture_path(const char *name, const char *file);
/* The fixtures with a proof that was made with r = 2 and s = 3: proof_r2_s3.json. */
enum { FIXTURE_COUNT = 3 };
extern const char *const fixture_names[FIXTURE_COUNT];

/* A path in the temporary folder of this process, which the first call makes. It is valid until the eighth call from
 * now. */
const char *scratch_path(const char *name);
void scratch_remove(void);

/* A zkey, a witness and a verification key, as files in the temporary folder: <name>.zkey, .wtns, .json. */
typedef struct made {
  blob zkey, wtns, vkey;
} made;
void make_circuit(bench *b, const char *name, const char *curve, const g16_shape *shape, int uncontributed, made *out);
void made_free(made *m);
/* The three files of a fixture, for made_free. */
made fixture_files(const char *name);

/* The values of a witness file. */
const uint8_t *wtns_values(const blob *wtns, size_t *n);
rp_groth16_prover *prover_with(bench *b, const blob *zkey, const rp_groth16_prover_options *options);
rp_groth16_prover *prover_of(bench *b, const blob *zkey, uint32_t max_in_flight);
/* The largest budget for which the key's points are streamed: one byte less than the smallest plan that holds them. A
 * plan's memory level does not tell the two apart. */
uint64_t streamed_budget(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options);
/* Returns 1 if the proof written as JSON is that text. May be called in any thread. */
int proof_is(const rp_groth16_proof *proof, const blob *json);
/* A proof with blinding values that are always the same, so that provers can be compared. */
rp_groth16_proof comparable_proof(rp_groth16_prover *prover, const blob *wtns);
void expect_verifies(bench *b, const blob *vkey_json, const rp_groth16_proof *proof, const uint8_t *signals, size_t n);

#endif
