/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A program written for rapidsnark: it declares itself what it calls, links librapidsnark.so and nothing else of this
 * project, and runs several threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int groth16_public_size_for_zkey_buf(const void *, unsigned long long, unsigned long long *, char *,
                                     unsigned long long);
int groth16_public_size_for_zkey_file(const char *, unsigned long long *, char *, unsigned long long);
void groth16_proof_size(unsigned long long *);
int groth16_prover_create(void **, const void *, unsigned long long, char *, unsigned long long);
int groth16_prover_create_zkey_file(void **, const char *, char *, unsigned long long);
int groth16_prover_prove(void *, const void *, unsigned long long, char *, unsigned long long *, char *,
                         unsigned long long *, char *, unsigned long long);
void groth16_prover_destroy(void *);
int groth16_prover(const void *, unsigned long long, const void *, unsigned long long, char *, unsigned long long *,
                   char *, unsigned long long *, char *, unsigned long long);
int groth16_prover_zkey_file(const char *, const void *, unsigned long long, char *, unsigned long long *, char *,
                             unsigned long long *, char *, unsigned long long);
int groth16_verify(const char *, const char *, const char *, char *, unsigned long);

enum {
  OK = 0,
  ERROR = 1,
  SHORT_BUFFER = 2,
  WITNESS_LENGTH = 3,
  VALID = 0,
  INVALID = 1,
  VERIFIER_ERROR = 2,
  MESSAGE = 256
};

static char message[MESSAGE];

typedef struct text {
  char *data;
  size_t bytes;
} text;

static const char *path_of(const char *folder, const char *file) {
  static char path[4][512];
  static int next;
  char *p = path[next++ % 4];
  snprintf(p, sizeof path[0], "%s/fixtures/%s/%s", TEST_DATA_DIR, folder, file);
  return p;
}

static text read_file(const char *folder, const char *file) {
  FILE *f = fopen(path_of(folder, file), "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  text t = {NULL, (size_t)ftell(f)};
  rewind(f);
  t.data = calloc(1, t.bytes + 1);
  assert_int_equal(fread(t.data, 1, t.bytes, f), t.bytes);
  fclose(f);
  return t;
}

static void prove_and_verify(const char *folder, int by_name) {
  text zkey = read_file(folder, "circuit.zkey"), wtns = read_file(folder, "witness.wtns"),
       vkey = read_file(folder, "verification_key.json");
  unsigned long long proof_size, public_size, other_size;
  groth16_proof_size(&proof_size);
  assert_int_equal(groth16_public_size_for_zkey_buf(zkey.data, zkey.bytes, &public_size, message, MESSAGE), OK);
  assert_int_equal(groth16_public_size_for_zkey_file(path_of(folder, "circuit.zkey"), &other_size, message, MESSAGE),
                   OK);
  assert_int_equal(public_size, other_size);
  char *proof = malloc(proof_size), *signals = malloc(public_size);
  if (by_name)
    assert_int_equal(groth16_prover_zkey_file(path_of(folder, "circuit.zkey"), wtns.data, wtns.bytes, proof,
                                              &proof_size, signals, &public_size, message, MESSAGE),
                     OK);
  else
    assert_int_equal(groth16_prover(zkey.data, zkey.bytes, wtns.data, wtns.bytes, proof, &proof_size, signals,
                                    &public_size, message, MESSAGE),
                     OK);
  assert_int_equal(strlen(proof), proof_size);
  assert_int_equal(strlen(signals), public_size);
  assert_int_equal(groth16_verify(proof, signals, vkey.data, message, MESSAGE), VALID);
  char *digit = strpbrk(signals, "123456789");
  *digit = *digit == '9' ? '8' : (char)(*digit + 1);
  assert_int_equal(groth16_verify(proof, signals, vkey.data, message, MESSAGE), INVALID);
  assert_int_equal(groth16_verify("{", signals, vkey.data, message, MESSAGE), VERIFIER_ERROR);
  assert_true(message[0] != 0);
  free(proof);
  free(signals);
  free(zkey.data);
  free(wtns.data);
  free(vkey.data);
}

static void proofs_verify(void **state) {
  (void)state;
  prove_and_verify("multiplier_bn254", 0);
  prove_and_verify("multiplier_bn254", 1);
  prove_and_verify("multiplier_bls12381", 1); /* rapidsnark does not support this curve */
}

static void sizes_follow_the_protocol(void **state) {
  (void)state;
  text zkey = read_file("multiplier_bn254", "circuit.zkey"), wtns = read_file("multiplier_bn254", "witness.wtns");
  void *prover;
  assert_int_equal(groth16_prover_create(&prover, zkey.data, zkey.bytes, message, MESSAGE), OK);
  memset(zkey.data, 0x55, zkey.bytes); /* the prover must not need the key any more */
  char proof[2000], signals[200];
  unsigned long long proof_size = 10, public_size = sizeof signals;
  assert_int_equal(
      groth16_prover_prove(prover, wtns.data, wtns.bytes, proof, &proof_size, signals, &public_size, message, MESSAGE),
      SHORT_BUFFER);
  assert_int_equal(proof_size, 810); /* the sizes that programs written for rapidsnark use */
  assert_int_equal(public_size, 86);
  for (int i = 0; i < 30; i++) { /* large enough for every proof, although their numbers differ in length */
    unsigned long long sizes[2] = {proof_size, public_size};
    char *exact[2] = {malloc(proof_size), malloc(public_size)};
    assert_int_equal(
        groth16_prover_prove(prover, wtns.data, wtns.bytes, exact[0], &sizes[0], exact[1], &sizes[1], message, MESSAGE),
        OK);
    assert_true(sizes[0] < proof_size && sizes[1] < public_size);
    free(exact[0]);
    free(exact[1]);
  }
  proof_size = sizeof proof;
  public_size = 2;
  assert_int_equal(
      groth16_prover_prove(prover, wtns.data, wtns.bytes, proof, &proof_size, signals, &public_size, message, MESSAGE),
      SHORT_BUFFER);
  proof_size = sizeof proof; /* the numbers of another proof may be longer, those of the signals are the same */
  assert_int_equal(
      groth16_prover_prove(prover, wtns.data, wtns.bytes, proof, &proof_size, signals, &public_size, message, MESSAGE),
      OK);
  assert_int_equal(strlen(signals), public_size);
  proof_size = sizeof proof; /* there is no room for the NUL */
  assert_int_equal(
      groth16_prover_prove(prover, wtns.data, wtns.bytes, proof, &proof_size, signals, &public_size, message, MESSAGE),
      SHORT_BUFFER);
  groth16_prover_destroy(prover);
  free(zkey.data);
  free(wtns.data);
}

/* The numbers of BLS12-381 are longer. */
static void sizes_follow_the_curve(void **state) {
  (void)state;
  text wtns = read_file("multiplier_bls12381", "witness.wtns");
  void *prover;
  assert_int_equal(
      groth16_prover_create_zkey_file(&prover, path_of("multiplier_bls12381", "circuit.zkey"), message, MESSAGE), OK);
  char proof[2000], signals[200];
  unsigned long long proof_size = 10, public_size = sizeof signals, most;
  groth16_proof_size(&most);
  assert_int_equal(
      groth16_prover_prove(prover, wtns.data, wtns.bytes, proof, &proof_size, signals, &public_size, message, MESSAGE),
      SHORT_BUFFER);
  assert_int_equal(proof_size, most);
  groth16_prover_destroy(prover);
  free(wtns.data);
}

static void failures_have_their_codes(void **state) {
  (void)state;
  text zkey = read_file("multiplier_bn254", "circuit.zkey"), other = read_file("poseidon_merkle", "witness.wtns");
  void *prover = NULL;
  char proof[2000], signals[200];
  unsigned long long proof_size = sizeof proof, public_size = sizeof signals;
  assert_int_equal(groth16_prover_create(&prover, zkey.data, zkey.bytes / 2, message, MESSAGE), ERROR);
  assert_true(message[0] != 0);
  assert_int_equal(groth16_prover_create(&prover, NULL, 0, message, MESSAGE), ERROR);
  assert_int_equal(groth16_prover_create(NULL, zkey.data, zkey.bytes, NULL, 0), ERROR);
  assert_int_equal(groth16_prover_create_zkey_file(&prover, "/nowhere.zkey", message, 8), ERROR);
  assert_int_equal(strlen(message), 7); /* the message is cut and ends with NUL */
  assert_int_equal(
      groth16_prover_create_zkey_file(&prover, path_of("multiplier_bn254", "circuit.zkey"), message, MESSAGE), OK);
  assert_int_equal(groth16_prover_prove(prover, other.data, other.bytes, proof, &proof_size, signals, &public_size,
                                        message, MESSAGE),
                   WITNESS_LENGTH);
  text curve = read_file("multiplier_bls12381", "witness.wtns"); /* as many values, over another curve */
  assert_int_equal(groth16_prover_prove(prover, curve.data, curve.bytes, proof, &proof_size, signals, &public_size,
                                        message, MESSAGE),
                   ERROR);
  assert_int_equal(
      groth16_prover_prove(prover, other.data, 30, proof, &proof_size, signals, &public_size, message, MESSAGE), ERROR);
  assert_int_equal(
      groth16_prover_prove(NULL, other.data, other.bytes, proof, &proof_size, signals, &public_size, message, MESSAGE),
      ERROR);
  assert_int_equal(
      groth16_prover_prove(prover, other.data, other.bytes, NULL, &proof_size, NULL, &public_size, message, MESSAGE),
      ERROR);
  assert_int_equal(groth16_prover_prove(prover, other.data, other.bytes, proof, NULL, signals, NULL, NULL, MESSAGE),
                   ERROR);
  assert_int_equal(groth16_verify(NULL, signals, proof, message, MESSAGE), VERIFIER_ERROR);
  assert_int_equal(groth16_verify(proof, NULL, NULL, NULL, 0), VERIFIER_ERROR);
  groth16_proof_size(NULL);
  assert_int_equal(groth16_public_size_for_zkey_buf(NULL, 9, &public_size, message, MESSAGE), ERROR);
  assert_int_equal(groth16_public_size_for_zkey_file("/nowhere", NULL, message, MESSAGE), ERROR);
  assert_int_equal(
      groth16_public_size_for_zkey_file(path_of("../plonk/multiplier", "circuit.zkey"), &public_size, message, MESSAGE),
      ERROR);
  assert_int_equal(groth16_prover_prove(prover, NULL, 0, proof, &proof_size, signals, &public_size, message, MESSAGE),
                   ERROR);
  groth16_prover_destroy(prover);
  groth16_prover_destroy(NULL);
  free(zkey.data);
  free(other.data);
  free(curve.data);
}

typedef struct client {
  void *prover;
  text wtns, vkey;
  int result;
} client;

static void *client_main(void *arg) {
  client *c = arg;
  char proof[2000], signals[200], why[MESSAGE];
  for (int i = 0; i < 3 && c->result == OK; i++) {
    unsigned long long proof_size = sizeof proof, public_size = sizeof signals;
    c->result = groth16_prover_prove(c->prover, c->wtns.data, c->wtns.bytes, proof, &proof_size, signals, &public_size,
                                     why, MESSAGE);
    if (c->result == OK) c->result = groth16_verify(proof, signals, c->vkey.data, why, MESSAGE);
  }
  return NULL;
}

static void threads_share_provers(void **state) {
  (void)state;
  enum { CLIENTS = 4 };
  client clients[CLIENTS];
  pthread_t threads[CLIENTS];
  void *prover;
  text wtns = read_file("multiplier_bn254", "witness.wtns"),
       vkey = read_file("multiplier_bn254", "verification_key.json");
  assert_int_equal(
      groth16_prover_create_zkey_file(&prover, path_of("multiplier_bn254", "circuit.zkey"), message, MESSAGE), OK);
  for (int i = 0; i < CLIENTS; i++) {
    clients[i] = (client){prover, wtns, vkey, OK};
    assert_int_equal(pthread_create(&threads[i], NULL, client_main, &clients[i]), 0);
  }
  for (int i = 0; i < CLIENTS; i++) {
    pthread_join(threads[i], NULL);
    assert_int_equal(clients[i].result, OK);
  }
  groth16_prover_destroy(prover);
  free(wtns.data);
  free(vkey.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_verify),          cmocka_unit_test(sizes_follow_the_protocol),
      cmocka_unit_test(sizes_follow_the_curve), cmocka_unit_test(failures_have_their_codes),
      cmocka_unit_test(threads_share_provers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
