/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a prover of PLONK keeps from others: the proof and the public signals are wiped before the memory that held
 * them until the release is freed, released or not, and what depends on the witness is inverted in constant time. The
 * linker calls this program's functions in place of the library's.
 */
#include "common.h"

#include "graph.h"

#include <reprise/host.h>

enum { SIGNAL_BYTES = 2 * 32 }; /* of the fixture */

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* The memory for the signals of a proof in progress is recognised by its size; the proof in progress is where the
 * verifier reads it. */
static void *signals;
static const uint8_t *in_progress;
static unsigned signals_wiped, signals_left, proofs_wiped;

void *__real_rp_context_alloc(rp_context *context, size_t bytes);
void *__wrap_rp_context_alloc(rp_context *context, size_t bytes);
void *__wrap_rp_context_alloc(rp_context *context, size_t bytes) {
  void *memory = __real_rp_context_alloc(context, bytes);
  if (bytes == SIGNAL_BYTES + 1) signals = memory;
  return memory;
}

void __real_rp_context_free(void *memory);
void __wrap_rp_context_free(void *memory);
void __wrap_rp_context_free(void *memory) {
  if (memory && memory == signals) {
    unsigned any = 0;
    for (size_t i = 0; i < SIGNAL_BYTES; i++) any |= ((uint8_t *)memory)[i];
    *(any ? &signals_left : &signals_wiped) += 1;
    signals = NULL;
  }
  __real_rp_context_free(memory);
}

rp_status __real_rp_plonk_verify(const rp_plonk_vkey *vkey, const rp_plonk_proof *proof, const uint8_t *public_signals,
                                 size_t n_public, rp_error *err);
rp_status __wrap_rp_plonk_verify(const rp_plonk_vkey *vkey, const rp_plonk_proof *proof, const uint8_t *public_signals,
                                 size_t n_public, rp_error *err);
rp_status __wrap_rp_plonk_verify(const rp_plonk_vkey *vkey, const rp_plonk_proof *proof, const uint8_t *public_signals,
                                 size_t n_public, rp_error *err) {
  in_progress = (const uint8_t *)proof;
  return __real_rp_plonk_verify(vkey, proof, public_signals, n_public, err);
}

void __real_rp_wipe(void *memory, size_t bytes);
void __wrap_rp_wipe(void *memory, size_t bytes);
void __wrap_rp_wipe(void *memory, size_t bytes) {
  __real_rp_wipe(memory, bytes);
  const uint8_t *from = memory;
  if (!in_progress || from > in_progress || from + bytes < in_progress + sizeof(rp_plonk_proof)) return;
  proofs_wiped++;
  in_progress = NULL;
}

/* ---- Inversions -------------------------------------------------------------------------------------------------- */

static unsigned secret_inversions, in_variable_time;

rp_value __real_rp_batch_inverse(rp_graph *graph, rp_value x, const rp_batch_inverse_options *options);
rp_value __wrap_rp_batch_inverse(rp_graph *graph, rp_value x, const rp_batch_inverse_options *options);
rp_value __wrap_rp_batch_inverse(rp_graph *graph, rp_value x, const rp_batch_inverse_options *options) {
  /* Challenges and constants are public. Challenges are computed from secrets, too, but their inverses are few. */
  const bool is_secret = rp_value_len(graph, x) >= 8 && graph->values[x.id - 1].secret;
  secret_inversions += is_secret;
  in_variable_time += is_secret && (!options || !options->constant_time);
  return __real_rp_batch_inverse(graph, x, options);
}

/* ---- Proofs ------------------------------------------------------------------------------------------------------ */

static void nothing_is_left(void **state) {
  bench *b = *state;
  blob zkey = fixture_read(plonk_fixture[0], "circuit.zkey"), wtns = fixture_read(plonk_fixture[0], "witness.wtns");
  rp_plonk_key *key;
  rp_plonk_prover *prover;
  rp_error err = {0};
  secret_inversions = in_variable_time = 0;
  EXPECT(RP_OK, rp_plonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  rp_plonk_key_info info = {.struct_size = sizeof info};
  rp_plonk_key_get_info(key, &info);
  assert_int_equal(32 * info.n_public, SIGNAL_BYTES);
  EXPECT(RP_OK, rp_plonk_prover_create(b->device, key, NULL, &prover, &err), &err);
  assert_true(secret_inversions > 0);
  assert_int_equal(in_variable_time, 0);
  rp_plonk_key_close(key);
  for (unsigned refused = 0; refused < 2; refused++) {
    rp_plonk_proof proof;
    uint8_t got[SIGNAL_BYTES];
    signals_wiped = signals_left = proofs_wiped = 0;
    wtns.data[wtns.bytes - 32] ^= (uint8_t)refused; /* in range, but no solution */
    EXPECT(refused ? RP_ERR_VERIFY : RP_OK, rp_plonk_prove(prover, wtns.data, wtns.bytes, &proof, got, NULL, &err),
           &err);
    assert_int_equal(signals_left, 0);
    assert_int_equal(signals_wiped, 1);
    assert_int_equal(proofs_wiped, 1);
  }
  rp_plonk_prover_destroy(prover);
  blob_free(&zkey), blob_free(&wtns);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_left)};
  return cmocka_run_group_tests_name("plonk_wiped", tests, group_opens_bench, group_closes_bench);
}
