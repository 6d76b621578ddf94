/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Groth16 in several threads at once: one key, one device and one verification key for all of them, a prover for each
 * thread and one that they share. The test is made to run under ThreadSanitizer. Batches beside single proofs are in
 * test_prove.c.
 */
#include "common.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };

static blob zkey, wtns, vkey_json;

typedef struct part {
  bench *b;
  rp_groth16_key *key;
  rp_groth16_vkey *vkey;
  rp_groth16_prover *shared;
  char path[160]; /* path of a file of its own */
  rp_status status;
  rp_error err;
} part;

static rp_status prove_and_verify(part *p, rp_groth16_prover *prover) {
  rp_groth16_proof proof;
  uint8_t signals[32];
  rp_status status = rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof, signals, NULL, &p->err);
  if (status == RP_OK) status = rp_groth16_verify(p->vkey, &proof, signals, 1, &p->err);
  signals[0] ^= 1;
  if (status == RP_OK && rp_groth16_verify(p->vkey, &proof, signals, 1, NULL) == RP_OK) status = RP_ERR_INTERNAL;
  return status;
}

/* Plans, creates a prover, proves, saves, and proves again with the saved key; uses the shared prover in between. */
static void *client_main(void *arg) {
  part *p = arg;
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_groth16_key_info info = {.struct_size = sizeof info};
  rp_groth16_prover *prover = NULL, *second = NULL;
  rp_groth16_key *saved = NULL;
  rp_groth16_key_get_info(p->key, &info);
  rp_status status = rp_groth16_plan(p->b->device, p->key, NULL, &plan, &p->err);
  if (status == RP_OK) status = rp_groth16_prover_create(p->b->device, p->key, NULL, &prover, &p->err);
  if (status == RP_OK) status = prove_and_verify(p, prover);
  if (status == RP_OK) status = prove_and_verify(p, p->shared);
  if (status == RP_OK) status = rp_groth16_save(prover, p->path, &p->err);
  if (status == RP_OK) status = rp_groth16_key_open(p->b->context, p->path, NULL, &saved, &p->err);
  if (status == RP_OK) status = rp_groth16_prover_create(p->b->device, saved, NULL, &second, &p->err);
  rp_groth16_key_close(saved);
  if (status == RP_OK) status = prove_and_verify(p, second);
  rp_groth16_prover_destroy(second);
  rp_groth16_prover_destroy(prover);
  p->status = status;
  return NULL;
}

static void a_key_in_several_threads(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_vkey *vkey;
  rp_groth16_prover *shared = prover_of(b, &zkey, 2);
  pthread_t threads[THREADS];
  part parts[THREADS];
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_vkey_from_json(b->context, (char *)vkey_json.data, vkey_json.bytes, &vkey, &err), &err);
  for (int i = 0; i < THREADS; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d.rpk", i);
    parts[i] = (part){.b = b, .key = key, .vkey = vkey, .shared = shared};
    snprintf(parts[i].path, sizeof parts[i].path, "%s", scratch_path(name));
  }
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, client_main, &parts[i]), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) EXPECT(RP_OK, parts[i].status, &parts[i].err);
  rp_groth16_prover_destroy(shared);
  rp_groth16_vkey_destroy(vkey);
  rp_groth16_key_close(key);
}

int main(void) {
  bench b;
  bench_open(&b);
  made files = fixture_files("multiplier_bn254");
  zkey = files.zkey, wtns = files.wtns, vkey_json = files.vkey;
  const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(a_key_in_several_threads, &b)};
  int failed = cmocka_run_group_tests_name("groth16_threads", tests, NULL, NULL);
  made_free(&files);
  scratch_remove();
  bench_close(&b);
  return failed;
}
