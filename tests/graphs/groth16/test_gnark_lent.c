/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * W, A and B that a run reads where they lie in the caller's memory, on devices that can: the proof has the same bytes
 * as one from a copy, the memory stays as it was, and what changes there meanwhile gives no wrong proof.
 */
#include "gnark_subject.h"

#include <pthread.h>
#include <stdatomic.h>

/* The loans that runs have taken: the library's calls of rp_run_lend_input come here. */
static atomic_int lent;
rp_status __real_rp_run_lend_input(rp_run *run, rp_value input, const void *data, uint64_t size_bytes);
rp_status __wrap_rp_run_lend_input(rp_run *run, rp_value input, const void *data, uint64_t size_bytes);
rp_status __wrap_rp_run_lend_input(rp_run *run, rp_value input, const void *data, uint64_t size_bytes) {
  const rp_status status = __real_rp_run_lend_input(run, input, data, size_bytes);
  if (status == RP_OK) lent++;
  return status;
}

/* The vectors of a subject in memory of their own: aligned, or not by a field element; A and B as long as the domain,
 * or as the constraints. */
typedef struct vectors {
  uint8_t *memory[3];
  size_t bytes[3];
  rp_gnark_solution solution;
} vectors;

/* How many of W, A and B one proof takes from where they lie. */
static int expected_loans(const bench *b, const vectors *v, const gnark_fixture *f) {
  rp_device_info device = {.struct_size = sizeof device};
  rp_device_get_info(b->device, &device);
  if (device.kind != RP_DEVICE_CPU || rp_group_size(b->device) != 1 || (uintptr_t)v->solution.a % 8) return 0;
  return (f->n_wires >= 8) + 2 * (v->solution.n_constraints == f->domain);
}

static vectors make_vectors(const subject *s, size_t shift, bool padded) {
  const size_t n = padded ? s->fixture->domain : s->vectors.n_constraints;
  const void *from[3] = {s->vectors.wires, s->vectors.a, s->vectors.b};
  vectors v = {.solution = s->vectors};
  for (int i = 0; i < 3; i++) {
    v.bytes[i] = 32 * (i ? n : s->vectors.n_wires) + shift;
    v.memory[i] = calloc(1, v.bytes[i]);
    memcpy(v.memory[i] + shift, from[i], 32 * (i ? s->vectors.n_constraints : s->vectors.n_wires));
  }
  v.solution.wires = v.memory[0] + shift, v.solution.a = v.memory[1] + shift, v.solution.b = v.memory[2] + shift;
  v.solution.n_constraints = n;
  return v;
}

static void free_vectors(vectors *v) {
  for (int i = 0; i < 3; i++) free(v->memory[i]);
}

static void proofs_are_the_same_with_and_without_a_copy(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s;
    open_subject(b, &gnark_fixtures[i], "pk.bin", 0, &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    for (int k = 0; k < 6; k++) {
      rp_error err = {0};
      rp_gnark_proof proof;
      uint8_t signals[MOST_SIGNALS * 32];
      static const size_t shifts[3] = {0, 8, 3};
      vectors v = make_vectors(&s, shifts[k % 3], k / 3), copy = make_vectors(&s, shifts[k % 3], k / 3);
      lent = 0;
      EXPECT(RP_OK,
             rp_gnark_prove_unsafe_blinding(prover, &v.solution, s.facts.r, s.facts.s, &proof, signals, NULL, &err),
             &err);
      assert_int_equal(lent, expected_loans(b, &v, s.fixture));
      is_gnarks_proof(s.fixture, &proof);
      check_signals(s.fixture, signals);
      for (int m = 0; m < 3; m++) assert_memory_equal(v.memory[m], copy.memory[m], v.bytes[m]);
      free_vectors(&v), free_vectors(&copy);
    }
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

/* A value that is out of range is named, and one that is wrong gives no proof, wherever it lies. */
static void wrong_values_give_no_proof(void **state) {
  bench *b = *state;
  static const rp_gnark_proof nothing;
  static const char *const names[3] = {"W", "A", "B"};
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s;
    open_subject(b, &gnark_fixtures[i], "pk.bin", 0, &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    for (int m = 0; m < 3; m++)
      for (int where = 0; where < 3; where++)
        for (int bad = 0; bad < 2; bad++) {
          rp_error err = {0};
          rp_gnark_proof proof;
          char says[64];
          uint8_t signals[MOST_SIGNALS * 32] = {0};
          vectors v = make_vectors(&s, 0, 1);
          /* Of W, not the constant 1 nor public signals, which a solution may have any of. */
          const size_t n = m ? v.solution.n_constraints : v.solution.n_wires, least = m ? 0 : s.fixture->n_public + 1,
                       last = m ? s.vectors.n_constraints : n,
                       at = where == 0   ? least
                            : where == 1 ? (least + last) / 2
                                         : last - 1;
          if (bad)
            memset(v.memory[m] + 32 * at, 0xff, 32);
          else
            v.memory[m][32 * at] ^= 1;
          memset(&proof, 0x5a, sizeof proof);
          const rp_status status = rp_gnark_prove(prover, &v.solution, &proof, signals, NULL, &err);
          if (bad) {
            EXPECT(RP_ERR_INPUT, status, &err);
            snprintf(says, sizeof says, "Element %zu of %s is not below", at, names[m]);
            if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
          } else {
            assert_true(status == RP_ERR_VERIFY || status == RP_OK); /* some wires have points at infinity only */
            if (status == RP_OK)
              EXPECT(RP_OK, rp_gnark_verify(s.vkey, &proof, signals, s.fixture->n_public, &err), &err);
          }
          if (status != RP_OK) assert_memory_equal(&proof, &nothing, sizeof nothing);
          free_vectors(&v);
        }
    vectors v = make_vectors(&s, 0, 1);
    v.memory[0][0] ^= 1;
    rp_error err = {0};
    rp_gnark_proof proof;
    EXPECT(RP_ERR_INPUT, rp_gnark_prove(prover, &v.solution, &proof, NULL, NULL, &err), &err);
    assert_non_null(strstr(err.reason, "first element of W"));
    free_vectors(&v);
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

/* ---- Memory that changes during the call ------------------------------------------------------------------------- */

typedef struct meddler {
  vectors *v;
  atomic_int stop;
} meddler;

/* Overwrites elements of all three with anything, and puts them back. The race with the run is what is tested, so that
 * this test has not the label of those for ThreadSanitizer. */
static void *meddle(void *arg) {
  meddler *m = arg;
  uint64_t x = 88172645463325252u;
  while (!atomic_load(&m->stop)) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    const int which = (int)(x % 3);
    volatile uint8_t *at = m->v->memory[which] + 32 * (x >> 8) % (m->v->bytes[which] & ~(size_t)31);
    uint8_t saved[32];
    for (int i = 0; i < 32; i++) saved[i] = at[i];
    for (int i = 0; i < 32; i++) at[i] = (uint8_t)(x >> i);
    for (int i = 0; i < 32; i++) at[i] = 0xff;
    for (int i = 0; i < 32; i++) at[i] = saved[i];
  }
  return NULL;
}

static void a_proof_of_changing_memory_verifies_or_is_not_released(void **state) {
  bench *b = *state;
  enum { ROUNDS = 60 };
  static const rp_gnark_proof nothing;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s;
    open_subject(b, &gnark_fixtures[i], "pk.bin", 0, &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    vectors v = make_vectors(&s, 0, 1);
    meddler m = {.v = &v};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, meddle, &m), 0);
    for (int k = 0; k < (s.fixture->large ? ROUNDS / 6 : ROUNDS); k++) {
      rp_error err = {0};
      rp_gnark_proof proof;
      uint8_t signals[MOST_SIGNALS * 32];
      memset(&proof, 0x5a, sizeof proof);
      const rp_status status = rp_gnark_prove(prover, &v.solution, &proof, signals, NULL, &err);
      if (status == RP_OK)
        EXPECT(RP_OK, rp_gnark_verify(s.vkey, &proof, signals, s.fixture->n_public, &err), &err);
      else if (status == RP_ERR_VERIFY || status == RP_ERR_INPUT || status == RP_ERR_MISMATCH)
        assert_memory_equal(&proof, &nothing, sizeof nothing);
      else
        fail_msg("%s", err.reason);
    }
    atomic_store(&m.stop, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    rp_error err = {0};
    rp_gnark_proof proof;
    EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &v.solution, s.facts.r, s.facts.s, &proof, NULL, NULL, &err),
           &err);
    is_gnarks_proof(s.fixture, &proof);
    free_vectors(&v);
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

static void what_is_not_verified_is_copied(void **state) {
  bench *b = *state;
  subject s;
  rp_error err = {0};
  rp_gnark_proof proof;
  const rp_groth16_prover_options unverified = {.struct_size = sizeof unverified, .no_verify = 1};
  open_subject(b, &gnark_fixtures[3], "pk.bin", 0, &s);
  rp_groth16_prover *prover = prover_with_options(b, &s, &unverified);
  vectors v = make_vectors(&s, 0, 1);
  lent = 0;
  EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &v.solution, s.facts.r, s.facts.s, &proof, NULL, NULL, &err),
         &err);
  is_gnarks_proof(s.fixture, &proof);
  assert_int_equal(lent, 0);
  free_vectors(&v);
  rp_groth16_prover_destroy(prover);
  close_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_are_the_same_with_and_without_a_copy),
      cmocka_unit_test(wrong_values_give_no_proof),
      cmocka_unit_test(a_proof_of_changing_memory_verifies_or_is_not_released),
      cmocka_unit_test(what_is_not_verified_is_copied),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
