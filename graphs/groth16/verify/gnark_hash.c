/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark.h"

#include "formats/fail.h"
#include "groth16/formats/gnark.h"
#include "files/sha256.h"

#include <stdlib.h>

enum { UNIFORM = 48, BLOCKS = 2, VALUE_BYTES = 32, MOST_POINT_BYTES = 96 };

static void end(pedersen_sha256_state *state, const char *tag, uint8_t digest[SHA256_BYTES]) {
  const uint8_t length = (uint8_t)strlen(tag);
  pedersen_sha256_add(state, (const uint8_t *)tag, length);
  pedersen_sha256_add(state, &length, 1);
  pedersen_sha256_end(state, digest);
}

/* Hashes to Fr: expand_message_xmd (RFC 9380, section 5.3.1) with SHA-256 to 48 bytes, reduced modulo r. `tag`
 * separates domains, at most 255 bytes. */
static void hash_to_field(const g16_family *family, const uint8_t *message, size_t bytes, const char *tag,
                          uint8_t value_le[32]) {
  static const uint8_t zeros[SHA256_BLOCK], length[3] = {0, UNIFORM, 0};
  const rp_field_host *fr = rp_field_get(family->fr);
  uint8_t first[SHA256_BYTES], block[BLOCKS * SHA256_BYTES], le[UNIFORM];
  uint64_t value[4];
  pedersen_sha256_state state;
  pedersen_sha256_begin(&state);
  pedersen_sha256_add(&state, zeros, sizeof zeros);
  pedersen_sha256_add(&state, message, bytes);
  pedersen_sha256_add(&state, length, sizeof length);
  end(&state, tag, first);
  for (size_t i = 1; i <= BLOCKS; i++) {
    const uint8_t number = (uint8_t)i;
    uint8_t *to = block + (i - 1) * SHA256_BYTES, mixed[SHA256_BYTES];
    for (size_t k = 0; k < sizeof mixed; k++) mixed[k] = i == 1 ? first[k] : first[k] ^ (to - SHA256_BYTES)[k];
    pedersen_sha256_begin(&state);
    pedersen_sha256_add(&state, mixed, sizeof mixed);
    pedersen_sha256_add(&state, &number, 1);
    end(&state, tag, to);
  }
  g16_gnark_reverse(block, UNIFORM, le);
  fr->from_bytes_reduce(value, le, UNIFORM);
  fr->to_canonical(value, value);
  memcpy(value_le, value, sizeof value);
}

rp_status g16_gnark_challenges(const g16_vkey *key, const rp_gnark_proof *proof, const uint8_t *public_signals,
                               uint8_t *challenges, rp_error *err) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < key->n_commitments; i++)
    if (key->commitment[i].n > most) most = key->commitment[i].n;
  uint8_t *message = malloc(MOST_POINT_BYTES + most * VALUE_BYTES);
  if (!message) return support_fail(err, RP_ERR_MEMORY, "Out of memory for the challenge of a commitment.");
  for (uint32_t i = 0; i < key->n_commitments; i++) {
    const g16_commitment_key *c = &key->commitment[i];
    size_t bytes = g16_gnark_point_bytes(key->family, 0, G16_GNARK_RAW);
    g16_g1 point;
    memcpy(&point, proof->commitment[i], g16_g1_bytes(key->family));
    g16_gnark_encode(key->family, 0, G16_GNARK_RAW, &point, message);
    for (uint64_t k = 0; k < c->n; k++, bytes += VALUE_BYTES) {
      const uint64_t index = key->committed[c->first + k] - 1; /* the reader has checked that it is known here */
      const uint8_t *value = index < key->n_public ? public_signals + index * VALUE_BYTES
                                                   : challenges + (index - key->n_public) * VALUE_BYTES;
      g16_gnark_reverse(value, VALUE_BYTES, message + bytes);
    }
    hash_to_field(key->family, message, bytes, "bsb22-commitment", challenges + (size_t)i * VALUE_BYTES);
  }
  free(message);
  return RP_OK;
}

void g16_gnark_fold_factor(const g16_family *family, const uint8_t *challenges, uint32_t n, uint8_t factor_le[32]) {
  uint8_t message[RP_GNARK_MAX_COMMITMENTS * VALUE_BYTES];
  for (uint32_t i = 0; i < n; i++)
    g16_gnark_reverse(challenges + (size_t)i * VALUE_BYTES, VALUE_BYTES, message + (size_t)i * VALUE_BYTES);
  hash_to_field(family, message, (size_t)n * VALUE_BYTES, "G16-BSB22", factor_le);
}
