/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The example's prover and verifier (examples/fri.h): a proof is one submission on every device and has the same bytes
 * on all of them; the verifier refuses altered proofs and those of provers that cheat.
 *
 * op-test lavapipe:slow
 */
#include "data.h"
#include "device.h"

#include "fri.h"
#include "one_submission.h"

#include <stdio.h>

enum { LOG_DEGREE = 6, QUERIES = 8 };

static fri_params small(const fri_params *p) {
  fri_params s = *p;
  s.log_degree = LOG_DEGREE;
  s.queries = QUERIES;
  return s;
}

static const fri_params *const both[] = {&fri_goldilocks, &fri_babybear};

/* The proof of a fixed function; free with free(). */
static uint8_t *prove(rp_device *device, const fri_params *p, fri_conduct conduct) {
  const uint64_t n = (uint64_t)1 << conduct.log_values;
  void *elements = data_field(p->field, DATA_RANDOM, 9, n), *values = data_canonical(p->field, elements, n);
  uint8_t *proof = malloc(fri_layout_of(p).bytes);
  rp_run_counters c = {.struct_size = sizeof c};
  rp_error err = {0};
  fri_prover prover;
  if (fri_prover_open(device, p, &conduct, &prover, &err)) fail_msg("%s", err.reason);
  if (fri_prove(&prover, values, proof, &c, &err)) fail_msg("%s", err.reason);
  assert_one_submission(device, c.submissions);
  assert_int_equal(c.waits, 1);
  fri_prover_close(&prover);
  free(elements), free(values);
  return proof;
}

static void accepted(void **state) {
  const rp_device_options plain = {.struct_size = sizeof plain, .kind = RP_DEVICE_CPU, .cpu_isa = "c"};
  rp_device *reference;
  char reason[128];
  (void)state;
  assert_int_equal(rp_device_open(device_context(), &plain, &reference, NULL), RP_OK);
  for (int i = 0; i < 2; i++)
    for (uint32_t extra = 0; extra < 3; extra++) {
      fri_params p = small(both[i]);
      p.log_degree -= extra;
      p.log_final = extra;
      p.log_blowup += extra;
      const size_t bytes = fri_layout_of(&p).bytes;
      uint8_t *proof = prove(device_current(), &p, (fri_conduct){.log_values = p.log_degree});
      uint8_t *want = prove(reference, &p, (fri_conduct){.log_values = p.log_degree});
      if (!fri_verify(&p, proof, bytes, reason)) fail_msg("%s", reason);
      assert_string_equal(reason, "");
      assert_memory_equal(proof, want, bytes);
      free(proof), free(want);
    }
  rp_device_close(reference);
}

static void refuses(const fri_params *p, const uint8_t *proof, size_t bytes, const char *why) {
  char reason[128] = "";
  if (fri_verify(p, proof, bytes, reason)) fail_msg("accepted, although it should say '%s'", why);
  if (!strstr(reason, why)) fail_msg("'%s' does not say '%s'", reason, why);
}

/* Alters one bit of each root, of the last polynomial, and of a leaf and a path of every layer and query. A change of
 * what the transcript absorbs changes the positions of the queries, so that the check of some query fails; a change of
 * a leaf or a path is reported with its layer and query. */
static void altered(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const fri_params p = small(both[i]);
    const fri_layout at = fri_layout_of(&p);
    const size_t size = rp_type_field(p.field)->size_bytes;
    uint8_t *proof = prove(device_current(), &p, (fri_conduct){.log_values = p.log_degree});
    const char *lost = "leaf and path do not lead to the root";
    char why[128];
    for (uint32_t j = 0; j < fri_layers(&p); j++) {
      const size_t path = (fri_log_size(&p, j) - 1) * (size_t)FRI_DIGEST;
      proof[at.roots + j * FRI_DIGEST] ^= 1;
      refuses(&p, proof, at.bytes, "query");
      proof[at.roots + j * FRI_DIGEST] ^= 1;
      for (uint32_t q = 0; q < p.queries; q++) {
        for (uint32_t c = 0; c < 2 * fri_columns(&p, j); c++) {
          proof[at.rows[j] + (c * p.queries + q) * size] ^= 1;
          snprintf(why, sizeof why, "layer %u, query %u: ", j, q);
          refuses(&p, proof, at.bytes, why);
          proof[at.rows[j] + (c * p.queries + q) * size] ^= 1;
        }
        for (size_t k = 0; k < path; k += FRI_DIGEST) {
          proof[at.paths[j] + q * path + k] ^= 1;
          snprintf(why, sizeof why, "layer %u, query %u: %s", j, q, lost);
          refuses(&p, proof, at.bytes, why);
          proof[at.paths[j] + q * path + k] ^= 1;
        }
      }
    }
    proof[at.last] ^= 1;
    refuses(&p, proof, at.bytes, "query");
    proof[at.last] ^= 1;
    free(proof);
  }
}

/* Provers whose transcript is correct, but who do not fold, or whose function has too many coefficients. */
static void dishonest(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const fri_params p = small(both[i]);
    const uint32_t layers = fri_layers(&p);
    char why[128];
    for (uint32_t j = 1; j <= layers; j++) {
      uint8_t *proof = prove(device_current(), &p, (fri_conduct){p.log_degree, j});
      snprintf(why, sizeof why, "layer %u, query 0: %s", j,
               j == layers ? "not the value of the last polynomial" : "not the layer before, folded");
      refuses(&p, proof, fri_layout_of(&p).bytes, why);
      free(proof);
    }
    for (uint32_t more = 1; more <= p.log_blowup; more++) {
      uint8_t *proof = prove(device_current(), &p, (fri_conduct){p.log_degree + more, 0});
      refuses(&p, proof, fri_layout_of(&p).bytes, "not the value of the last polynomial");
      free(proof);
    }
  }
}

/* The verifier refuses lengths and parameters that are not those of the proof, and elements that are not reduced. */
static void malformed(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const fri_params p = small(both[i]);
    const fri_layout at = fri_layout_of(&p);
    const size_t size = rp_type_field(p.field)->size_bytes;
    uint8_t *proof = prove(device_current(), &p, (fri_conduct){.log_values = p.log_degree});
    fri_params other = p;
    refuses(&p, proof, at.bytes - 1, "length");
    other.queries--;
    refuses(&other, proof, at.bytes, "length");
    other = p;
    other.nonresidue++; /* hashed with the parameters */
    refuses(&other, proof, at.bytes, "query");
    other = p;
    other.log_degree = other.log_final;
    refuses(&other, proof, at.bytes, "parameters");
    for (size_t k = 0; k < at.bytes; k += at.bytes / 7 / size * size) {
      uint8_t kept[FRI_ELEMENT];
      char why[64];
      memcpy(kept, proof + k, size);
      memcpy(proof + k, rp_field_get(p.field)->modulus_le, size);
      snprintf(why, sizeof why, "byte %zu: an element is not below the modulus", k);
      refuses(&p, proof, at.bytes, why);
      memcpy(proof + k, kept, size);
    }
    free(proof);
  }
}

/* Values that are not canonical are a fault of the run. Parameters that make no sense give no graph. */
static void no_proof(void **state) {
  (void)state;
  fri_params p = small(&fri_babybear);
  const fri_conduct honest = {.log_values = LOG_DEGREE};
  uint32_t values[1 << LOG_DEGREE] = {0};
  uint8_t *proof = malloc(fri_layout_of(&p).bytes);
  rp_run_counters c = {.struct_size = sizeof c};
  rp_error err = {0};
  fri_prover prover;
  values[5] = UINT32_MAX;
  assert_int_equal(fri_prover_open(device_current(), &p, &honest, &prover, &err), RP_OK);
  assert_int_equal(fri_prove(&prover, values, proof, &c, &err), RP_ERR_INPUT);
  assert_non_null(strstr(err.reason, "values"));
  fri_prover_close(&prover);
  p.log_blowup = 0;
  assert_int_equal(fri_prover_open(device_current(), &p, &honest, &prover, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "the parameters do not make sense"));
  assert_null(prover.graph);
  free(proof);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accepted), cmocka_unit_test(altered), cmocka_unit_test(dishonest),
                                     cmocka_unit_test(malformed), cmocka_unit_test(no_proof)};
  return device_run_tests("fri", tests, sizeof tests / sizeof tests[0]);
}
