/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Generators of Ethereum's Verkle trees: x is the hash of a counter, and is used if it is the encoding of a point
 * (go-ipa, ipa/config.go).
 */
#include <reprise/pedersen.h>

#include "job.h"
#include "files/sha256.h"

#include <string.h>

rp_status rp_pedersen_verkle_generators(uint32_t n, void *generators, rp_error *err) {
  static const char tag[] = "eth_verkle_oct_2021";
  const rp_field_host *f = rp_field_get(RP_FIELD_BLS12_381_FR);
  uint8_t text[sizeof tag - 1 + 8], digest[SHA256_BYTES], le[32], *out = generators;
  if (n && !generators) return support_fail(err, RP_ERR_ARGUMENT, "rp_pedersen_verkle_generators: generators is NULL.");
  memcpy(text, tag, sizeof tag - 1);
  for (uint64_t counter = 0, found = 0; found < n; counter++) {
    uint64_t x[4], point[8];
    for (int i = 0; i < 8; i++) text[sizeof tag - 1 + (size_t)i] = (uint8_t)(counter >> (56 - 8 * i));
    pedersen_sha256(text, sizeof text, digest);
    for (int i = 0; i < 32; i++) le[i] = digest[31 - i];
    f->from_bytes_reduce(x, le, sizeof le);
    f->to_canonical(le, x);
    for (int i = 0; i < 32; i++) digest[i] = le[31 - i];
    if (rp_point_decompress(RP_CURVE_BANDERWAGON, digest, 0, point) == RP_OK)
      memcpy(out + found++ * RP_PEDERSEN_BYTES, digest, RP_PEDERSEN_BYTES);
  }
  return RP_OK;
}
