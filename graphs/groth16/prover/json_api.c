/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The public interface of json.h: texts are written to the caller's buffer.
 */
#include "groth16/formats/json.h"

#include "formats/fail.h"
#include "key.h"
#include "groth16/verify/verify.h"

#include <stdlib.h>

rp_status rp_groth16_proof_to_json(const rp_groth16_proof *proof, char *text, size_t capacity, size_t *bytes,
                                   rp_error *err) {
  support_text all = {0};
  if (bytes) *bytes = 0;
  if (!proof) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_proof_to_json: proof is NULL.");
  return support_text_give(g16_proof_write(proof, &all, err), &all, text, capacity, bytes, err);
}

rp_status rp_groth16_public_to_json(const uint8_t *public_signals, size_t n_public, char *text, size_t capacity,
                                    size_t *bytes, rp_error *err) {
  support_text all = {0};
  if (bytes) *bytes = 0;
  if (n_public != 0 && !public_signals)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_public_to_json: public_signals is NULL.");
  return support_text_give(g16_public_write(public_signals, n_public, &all, err), &all, text, capacity, bytes, err);
}

rp_status rp_groth16_vkey_to_json(const rp_groth16_vkey *vkey, char *text, size_t capacity, size_t *bytes,
                                  rp_error *err) {
  support_text all = {0};
  if (bytes) *bytes = 0;
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_vkey_to_json: vkey is NULL.");
  if (g16_vkey_points(vkey)->n_commitments != 0)
    return support_fail(err, RP_ERR_UNSUPPORTED, "A key with commitments has no form in JSON that snarkjs reads.");
  return support_text_give(g16_vkey_write(g16_vkey_points(vkey), g16_vkey_alpha_beta(vkey), &all, err), &all, text,
                           capacity, bytes, err);
}

rp_status rp_groth16_proof_from_json(const char *json, size_t bytes, rp_groth16_proof *proof, rp_error *err) {
  if (!json || !proof) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_proof_from_json: json or proof is NULL.");
  return g16_proof_read("The proof", json, bytes, proof, err);
}

rp_status rp_groth16_public_from_json(const char *json, size_t bytes, uint8_t *public_signals, size_t capacity,
                                      size_t *n, rp_error *err) {
  if (!json || !n || (capacity != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_public_from_json: json, n or public_signals is NULL.");
  return g16_public_read("The public signals", json, bytes, public_signals, capacity, n, err);
}

rp_status rp_groth16_vkey_from_json(rp_context *context, const char *json, size_t bytes, rp_groth16_vkey **vkey,
                                    rp_error *err) {
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_vkey_from_json: vkey is NULL.");
  *vkey = NULL;
  if (!context || !json)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_vkey_from_json: context or json is NULL.");
  g16_vkey points;
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = g16_vkey_read("The verification key", json, bytes, &points, err);
  return status == RP_OK ? g16_vkey_take("The verification key", &points, 0, vkey, err) : status;
}

rp_status rp_groth16_vkey_from_zkey(rp_context *context, const char *path, rp_groth16_vkey **vkey, rp_error *err) {
  support_file *file = NULL;
  g16_zkey zkey;
  g16_vkey points;
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_vkey_from_zkey: vkey is NULL.");
  *vkey = NULL;
  if (!context || !path)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_vkey_from_zkey: context or path is NULL.");
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = support_file_open(path, 0, &file, err);
  if (status == RP_OK) status = g16_zkey_open(file, &zkey, err);
  if (status == RP_OK) status = g16_vkey_from_zkey(&zkey, &points, err);
  if (status == RP_OK) status = g16_vkey_take(support_file_name(file), &points, 0, vkey, err);
  support_file_close(file);
  return status;
}

rp_status rp_groth16_vkey_from_key(const rp_groth16_key *key, rp_groth16_vkey **vkey, rp_error *err) {
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_vkey_from_key: vkey is NULL.");
  *vkey = NULL;
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_vkey_from_key: key is NULL.");
  if (!key->vk.ic)
    return support_fail(err, RP_ERR_ARGUMENT, "%s was opened without its verifying key, which it does not hold.",
                        support_label(g16_key_name(key)));
  return g16_vkey_new("The key", &key->vk, 1, vkey, err);
}
