/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The public interface of the formats: keys and proofs from files and texts, and texts to the caller's buffer.
 */
#include "formats/fail.h"
#include "fflonk/formats/json.h"
#include "fflonk/formats/zkey.h"
#include "verify.h"

rp_status rp_fflonk_vkey_from_json(rp_context *context, const char *json, size_t bytes, rp_fflonk_vkey **vkey,
                                   rp_error *err) {
  static const char name[] = "The verification key";
  fflonk_vkey key;
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_vkey_from_json: vkey is NULL.");
  *vkey = NULL;
  if (!context || !json)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_vkey_from_json: context or json is NULL.");
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = fflonk_vkey_read(name, json, bytes, &key, err);
  return status == RP_OK ? fflonk_vkey_new(name, &key, 0, vkey, err) : status;
}

rp_status rp_fflonk_vkey_from_zkey(rp_context *context, const char *path, rp_fflonk_vkey **vkey, rp_error *err) {
  support_file *file = NULL;
  fflonk_zkey zkey;
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_vkey_from_zkey: vkey is NULL.");
  *vkey = NULL;
  if (!context || !path)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_vkey_from_zkey: context or path is NULL.");
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = support_file_open(path, 0, &file, err);
  if (status == RP_OK) status = fflonk_zkey_open(file, &zkey, err);
  if (status == RP_OK) status = fflonk_vkey_new(path, &zkey.vk, 1, vkey, err);
  support_file_close(file);
  return status;
}

rp_status rp_fflonk_vkey_to_json(const rp_fflonk_vkey *vkey, char *text, size_t capacity, size_t *bytes,
                                 rp_error *err) {
  support_text all = {0};
  if (bytes) *bytes = 0;
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_vkey_to_json: vkey is NULL.");
  return support_text_give(fflonk_vkey_write(fflonk_vkey_of(vkey), &all, err), &all, text, capacity, bytes, err);
}

rp_status rp_fflonk_proof_to_json(const rp_fflonk_proof *proof, char *text, size_t capacity, size_t *bytes,
                                  rp_error *err) {
  support_text all = {0};
  if (bytes) *bytes = 0;
  if (!proof) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_proof_to_json: proof is NULL.");
  return support_text_give(fflonk_proof_write(proof, &all, err), &all, text, capacity, bytes, err);
}

rp_status rp_fflonk_proof_from_json(const char *json, size_t bytes, rp_fflonk_proof *proof, rp_error *err) {
  if (!json || !proof) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_proof_from_json: json or proof is NULL.");
  return fflonk_proof_read("The proof", json, bytes, proof, err);
}
