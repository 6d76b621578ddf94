/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs of gnark as JSON, for services: the bytes of proof.WriteRawTo in hexadecimal digits.
 */
#include "gnark.h"

#include "text/error.h"
#include "text/json_text.h"

#include <string.h>

enum { MOST_RAW_BYTES = 4096 };

static const char member_name[] = "gnark_proof";

rp_status cli_gnark_proof_to_json(const rp_gnark_proof *proof, char *text, size_t room, size_t *n, rp_error *err) {
  static const char digits[] = "0123456789abcdef";
  uint8_t raw[MOST_RAW_BYTES];
  size_t bytes = 0;
  const rp_status status = rp_gnark_proof_to_bytes(proof, RP_GNARK_RAW, raw, sizeof raw, &bytes, err);
  if (status != RP_OK) return status;
  const int head = snprintf(text, room, "{\"protocol\": \"groth16\", \"curve\": \"%s\", \"%s\": \"",
                            cli_curve_name(proof->groth16.g1), member_name);
  if (head < 0 || (size_t)head + 2 * bytes + sizeof "\"}\n" > room)
    return support_fail(err, RP_ERR_INTERNAL, "No room for a proof");
  char *at = text + head;
  for (size_t i = 0; i < bytes; i++) {
    *at++ = digits[raw[i] >> 4];
    *at++ = digits[raw[i] & 15];
  }
  memcpy(at, "\"}\n", sizeof "\"}\n");
  *n = (size_t)(at - text) + sizeof "\"}\n" - 1;
  return RP_OK;
}

/* The one member with the proof; false if there is none. */
static bool find(const char *json, size_t bytes, support_json *value, rp_error *err) {
  support_json root;
  return support_json_open_text("The proof", json, bytes, CLI_JSON_PROOF_BYTES, &root, err) == RP_OK &&
         support_json_kind(root) == '{' && support_json_member(root, member_name, value) == 1 &&
         support_json_kind(*value) == '"';
}

bool cli_gnark_is_json(const char *json, size_t bytes) {
  support_json value;
  rp_error ignored = {0};
  return find(json, bytes, &value, &ignored);
}

static int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

rp_status cli_gnark_proof_from_json(const char *json, size_t bytes, rp_gnark_proof *proof, rp_error *err) {
  support_json value;
  uint8_t raw[MOST_RAW_BYTES];
  size_t n = 0;
  *proof = (rp_gnark_proof){0};
  if (!find(json, bytes, &value, err))
    return support_fail(err, RP_ERR_FORMAT, "The proof is no JSON object with one string \"%s\"", member_name);
  const char *text = support_json_characters(value, &n);
  bool good = n % 2 == 0 && n / 2 <= sizeof raw;
  for (size_t i = 0; good && i < n / 2; i++) {
    const int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
    good = high >= 0 && low >= 0;
    if (good) raw[i] = (uint8_t)(high << 4 | low);
  }
  if (!good)
    return support_fail(err, RP_ERR_FORMAT, "\"%s\" is not an even number of at most %d hexadecimal digits",
                        member_name, 2 * MOST_RAW_BYTES);
  return rp_gnark_proof_from_bytes(raw, n / 2, proof, err);
}
