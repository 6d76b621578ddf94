/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The submitter's own check of a proof that the database returned.
 */
#include "submit.h"

#include "gnark.h"

#include <string.h>

static rp_status read_vkey(const char *path, farm_verifier *v, rp_error *err) {
  cli_bytes text;
  rp_status status = cli_read(path, CLI_JSON_LIMIT_BYTES, &text, err);
  if (status == RP_OK)
    status = cli_gnark_kind_of(&text) == RP_FILE_VKEY
                 ? rp_gnark_vkey_from_bytes(v->context, text.data, text.size, &v->key.groth16, err)
                 : cli_verifier_of_json(v->context, (const char *)text.data, text.size, &v->key, err);
  cli_release(&text);
  return cli_in_file(path, status, err);
}

rp_status farm_verifier_open(const cli_call *call, farm_verifier *v, rp_error *err) {
  const farm_options *o = call->options;
  const rp_status status = rp_context_create(NULL, &v->context, err);
  if (status != RP_OK) return status;
  return o->vkey ? read_vkey(o->vkey, v, err) : cli_verifier_of_key(v->context, call->args[1], &v->key, err);
}

rp_status farm_verifier_check(const farm_verifier *v, const char *proof, const char *signals, rp_error *err) {
  return cli_verifier_check(&v->key, proof, strlen(proof), signals, strlen(signals), err);
}

void farm_verifier_close(farm_verifier *v) {
  cli_verifier_close(&v->key);
  rp_context_destroy(v->context);
  *v = (farm_verifier){0};
}
