/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hashes of transcripts for benchmarks: many rows of four elements, and rounds of a transcript, in which each challenge
 * is made from the previous one and four elements.
 */
#include "bench.h"

#include <reprise/transcript.h>

enum { ROW = 4, INTEGER_BYTES = 32 };

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

rp_value bench_build_sha256_rows(bench_build *b) {
  const rp_value x = bench_canonical(b, b->field, ROW * b->n);
  return rp_sha256_rows(b->graph, rp_to_bytes(b->graph, x, RP_BIG_ENDIAN), ROW * INTEGER_BYTES);
}

rp_value bench_build_blake2b_rows(bench_build *b) {
  const rp_value x = bench_canonical(b, b->field, ROW * b->n);
  return rp_blake2b_rows(b->graph, rp_to_bytes(b->graph, x, RP_LITTLE_ENDIAN), ROW * INTEGER_BYTES, NULL);
}

static rp_hash poseidon2_of(rp_field field) {
  return field == RP_FIELD_BN254_FR   ? RP_HASH_POSEIDON2_BN254_T3
         : field == RP_FIELD_BABYBEAR ? RP_HASH_POSEIDON2_BABYBEAR
                                      : RP_HASH_POSEIDON2_KOALABEAR;
}

rp_value bench_build_poseidon2(bench_build *b) {
  return rp_hash_rows(b->graph, poseidon2_of(b->field), bench_elements(b, b->field, ROW * b->n), ROW);
}

rp_value bench_build_merkle_poseidon2(bench_build *b) {
  const rp_hash hash = poseidon2_of(b->field);
  return rp_merkle_tree(b->graph, hash, bench_elements(b, b->field, rp_hash_digest_len(hash) * b->n), NULL);
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

/* The integers of the previous challenge, if there is one, and those that the round absorbs. */
static rp_value message(const bench_build *b, rp_value challenge, rp_value more) {
  return challenge.id ? rp_concat(b->graph, (rp_value[]){rp_to_canonical(b->graph, challenge), more}, 2) : more;
}

/* Keccak-256, as snarkjs and Solidity verifiers use it. */
rp_value bench_build_challenge_keccak256(bench_build *b) {
  const rp_convert_options reduce = {.struct_size = sizeof reduce, .reduce = 1};
  const rp_value more = bench_canonical(b, b->field, ROW);
  rp_value c = RP_NO_VALUE;
  for (uint32_t i = 0; i < b->in_a_row; i++)
    c = rp_from_canonical(b->graph, rp_keccak256(b->graph, message(b, c, more)), b->field, &reduce);
  return c;
}

/* SHA-256, as gnark uses it. */
rp_value bench_build_challenge_sha256(bench_build *b) {
  const rp_value more = bench_canonical(b, b->field, ROW);
  rp_value c = RP_NO_VALUE;
  for (uint32_t i = 0; i < b->in_a_row; i++) {
    const rp_value digest = rp_sha256(b->graph, rp_to_bytes(b->graph, message(b, c, more), RP_BIG_ENDIAN));
    c = rp_challenge(b->graph, digest, 32, b->field, RP_BIG_ENDIAN);
  }
  return c;
}

/* BLAKE2b with digests of 64 bytes, as halo2 uses it. */
rp_value bench_build_challenge_blake2b(bench_build *b) {
  const rp_value more = bench_canonical(b, b->field, ROW);
  rp_value c = RP_NO_VALUE;
  for (uint32_t i = 0; i < b->in_a_row; i++) {
    const rp_value digest = rp_blake2b(b->graph, rp_to_bytes(b->graph, message(b, c, more), RP_LITTLE_ENDIAN), NULL);
    c = rp_challenge(b->graph, digest, 64, b->field, RP_LITTLE_ENDIAN);
  }
  return c;
}

/* Poseidon2: one element over BN254 Fr, four over small fields. */
rp_value bench_build_challenge_poseidon2(bench_build *b) {
  const uint32_t n = b->field == RP_FIELD_BN254_FR ? 1 : 4;
  const rp_value more = bench_elements(b, b->field, ROW);
  rp_value c = RP_NO_VALUE;
  for (uint32_t i = 0; i < b->in_a_row; i++) {
    const rp_value row = c.id ? rp_concat(b->graph, (rp_value[]){c, more}, 2) : more;
    c = rp_sponge(b->graph, poseidon2_of(b->field), row, rp_value_len(b->graph, row), n);
  }
  return c;
}

/* ---- Least costs ------------------------------------------------------------------------------------------------- */

/* Products of a permutation. BN254 Fr with three elements: 8 full and 56 partial rounds of fifth powers; small fields
 * with sixteen: 8 full and 13 or 20 partial rounds of seventh or third powers, and the diagonal. */
static double permutation_products(rp_field field) {
  const double full = 8, width = field == RP_FIELD_BN254_FR ? 3 : 16;
  const double partial = field == RP_FIELD_BN254_FR ? 56 : field == RP_FIELD_BABYBEAR ? 13 : 20;
  const double power = field == RP_FIELD_BN254_FR ? 3 : field == RP_FIELD_BABYBEAR ? 4 : 2;
  return power * (full * width + partial) + (field == RP_FIELD_BN254_FR ? 0 : partial * width);
}

/* A row of four elements takes two permutations with a rate of two, or one with a rate of eight. */
bench_cost bench_cost_poseidon2(const bench_build *b) {
  const double permutations = b->field == RP_FIELD_BN254_FR ? 2 : 1;
  const double digest = rp_hash_digest_len(poseidon2_of(b->field));
  return (bench_cost){.products = permutations * permutation_products(b->field) * (double)b->n,
                      .moved = (ROW + digest) * (double)b->n};
}

/* A node takes one permutation. */
bench_cost bench_cost_merkle_poseidon2(const bench_build *b) {
  const double digest = rp_hash_digest_len(poseidon2_of(b->field));
  return (bench_cost){.products = permutation_products(b->field) * (double)b->n, .moved = 2 * digest * (double)b->n};
}
