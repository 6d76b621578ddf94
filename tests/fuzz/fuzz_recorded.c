/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recorded files as an attacker makes them: every input gets right checksums before it is opened, with all checks and
 * without any. A file that opens must be within its bounds and must hide a witness: this harness checks the places of
 * the blinding a second time, in a plain way.
 */
#include "fuzz.h"

#include "graphs/groth16/rpk_file.h"
#include "groth16/prover/key.h"

#include <reprise/graphs.h>

static rp_context *context;

static void check_matrix(const rp_groth16_key *key, const g16_csr *csr) {
  if (key->info.gnark) { /* no matrices */
    FUZZ_NEED(csr->rows == 0 && csr->nnz == 0);
    return;
  }
  FUZZ_NEED(csr->rows == key->info.domain && csr->row_ptr[0] == 0 && csr->row_ptr[csr->rows] == csr->nnz);
  for (uint64_t row = 0; row < csr->rows; row++) FUZZ_NEED(csr->row_ptr[row] <= csr->row_ptr[row + 1]);
  for (uint64_t i = 0; i < csr->nnz; i++) FUZZ_NEED(csr->col[i] < key->info.n_vars);
}

static int has_bit(const rp_groth16_key *key, g16_support s, uint64_t i) {
  return (int)(key->support[s][i / 32] >> i % 32 & 1);
}

static void check_hiding(const rp_groth16_key *key) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1), *g2 = rp_curve_get(key->family->g2);
  const uint64_t s = key->info.n_vars, r = s + 1;
  const uint8_t *delta_1 = key->vector[G16_VEC_A] + r * g1->affine_bytes,
                *delta_2 = key->vector[G16_VEC_B2] + s * g2->affine_bytes;
  FUZZ_NEED(!g1->is_identity(delta_1) && g1->in_subgroup(delta_1));
  FUZZ_NEED(!g2->is_identity(delta_2) && g2->in_subgroup(delta_2) && g2->equal(delta_2, &key->vk.delta_2));
  FUZZ_NEED(g1->is_identity(key->vector[G16_VEC_A] + s * g1->affine_bytes));
  FUZZ_NEED(g1->is_identity(key->vector[G16_VEC_B1] + s * g1->affine_bytes));
  FUZZ_NEED(g1->is_identity(key->vector[G16_VEC_B1] + r * g1->affine_bytes));
  FUZZ_NEED(g2->is_identity(key->vector[G16_VEC_B2] + r * g2->affine_bytes));
  FUZZ_NEED(g1->is_identity(key->vector[G16_VEC_C] + s * g1->affine_bytes));
  FUZZ_NEED(g1->is_identity(key->vector[G16_VEC_C] + r * g1->affine_bytes));
  FUZZ_NEED(has_bit(key, G16_SUP_A, r) && has_bit(key, G16_SUP_B, s));
  for (int i = 0; i < G16_SUPPORTS; i++) {
    uint64_t bits = 0;
    for (uint64_t w = 0; w < g16_support_words(key); w++) bits += (uint64_t)__builtin_popcount(key->support[i][w]);
    FUZZ_NEED(bits == key->supported[i] && bits <= g16_key_scalars(key));
  }
}

/* Commitments take private wires, each wire once at most. */
static void check_commitments(const rp_groth16_key *key) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  uint8_t *taken = calloc(key->info.n_vars, 1);
  FUZZ_NEED(taken != NULL);
  for (uint32_t i = 0; i < key->info.n_commitments; i++) {
    const g16_key_commitment *c = &key->commitment[i];
    for (uint64_t k = 0; k <= c->n; k++) {
      const uint32_t wire = k == c->n ? c->challenge : c->wires[k];
      FUZZ_NEED(wire > key->info.n_public && wire < key->info.n_vars && !taken[wire]);
      taken[wire] = 1;
      if (k == c->n) continue;
      FUZZ_NEED(g1->in_subgroup(c->basis + k * g1->affine_bytes));
      FUZZ_NEED(g1->in_subgroup(c->basis_sigma + k * g1->affine_bytes));
    }
    for (uint64_t k = 0; k < key->vk.commitment[i].n; k++)
      FUZZ_NEED(key->vk.committed[key->vk.commitment[i].first + k] - 1 < key->info.n_public + i);
  }
  free(taken);
}

static void open_with(const uint8_t *data, size_t size, const rp_groth16_key_options *options) {
  rp_groth16_key *key;
  rp_error error = {0};
  if (!fuzz_is_ok(rp_groth16_key_open_memory(context, data, size, options, &key, &error), &error)) return;
  check_matrix(key, &key->a);
  check_matrix(key, &key->b);
  check_hiding(key);
  check_commitments(key);
  rp_groth16_key_close(key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!context) FUZZ_NEED(rp_context_create(NULL, &context, NULL) == RP_OK);
  if (size < SAVED_HEADER_BYTES) return 0;
  uint8_t *file = aligned_alloc(64, (size + 63) & ~(size_t)63);
  if (!file) return 0;
  memcpy(file, data, size);
  memcpy(file, SAVED_MAGIC, sizeof SAVED_MAGIC - 1);
  rpk_seal(file, size);
  open_with(file, size, &(rp_groth16_key_options){.struct_size = sizeof(rp_groth16_key_options), .skip_checksum = 1});
  open_with(file, size, &(rp_groth16_key_options){.struct_size = sizeof(rp_groth16_key_options), .check_points = 1});
  free(file);
  return 0;
}
