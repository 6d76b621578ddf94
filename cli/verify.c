/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise verify: exit code 0 only for a valid proof; arguments in snarkjs's order.
 */
#include "gnark.h"

#include "text/error.h"

#include <reprise/fflonk.h>
#include <reprise/plonk.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct inputs {
  cli_bytes vkey, public_signals, proof;
} inputs;

/* Reads at most as many public signals as the key has; *n becomes their number in the file. */
static rp_status read_signals(const char *path, uint64_t n_public, cli_bytes *json, uint8_t **signals, size_t *n,
                              rp_error *err) {
  rp_status status = cli_read(path, CLI_JSON_PUBLIC_BYTES(n_public), json, err);
  if (status != RP_OK) return status;
  *signals = malloc((size_t)n_public * 32 + 1);
  if (!*signals) {
    *err = (rp_error){.status = RP_ERR_MEMORY};
    return RP_ERR_MEMORY;
  }
  return rp_groth16_public_from_json((const char *)json->data, json->size, *signals, (size_t)n_public, n, err);
}

const char cli_forgeable[] = "gamma and delta of this key are the same point, so that anybody can make a proof that it "
                             "accepts: it is the key of "
                             "a setup without a contribution to its second phase, and good for tests only";

/* Verifies; a mismatch is reported with the names of both files. */
static rp_status decide(const cli_call *call, const rp_groth16_vkey *vkey, const rp_groth16_proof *proof,
                        const uint8_t *signals, size_t n, rp_error *err) {
  rp_groth16_vkey_info info = {.struct_size = sizeof info};
  rp_groth16_vkey_get_info(vkey, &info);
  const bool other_curve = proof->g1 != info.g1;
  const rp_status status = rp_groth16_verify(vkey, proof, signals, n, err);
  if (status == RP_ERR_MISMATCH)
    cli_name_files(err, call->args[other_curve ? 2 : 1], call->args[0]);
  else if (status == RP_ERR_VERIFY)
    cli_name_files(err, call->args[2], call->args[0]);
  return status;
}

/* A key of PLONK or FFLONK, and a proof of the same protocol. */
typedef struct polynomial_files {
  bool is_fflonk;
  rp_plonk_vkey *plonk;
  rp_fflonk_vkey *fflonk;
  rp_plonk_proof plonk_proof;
  rp_fflonk_proof fflonk_proof;
} polynomial_files;

static rp_status read_polynomial_key(polynomial_files *f, rp_context *context, const cli_bytes *text, rp_error *err) {
  const char *json = (const char *)text->data;
  return f->is_fflonk ? rp_fflonk_vkey_from_json(context, json, text->size, &f->fflonk, err)
                      : rp_plonk_vkey_from_json(context, json, text->size, &f->plonk, err);
}

static rp_status read_polynomial_proof(polynomial_files *f, const cli_bytes *text, rp_error *err) {
  const char *json = (const char *)text->data;
  return f->is_fflonk ? rp_fflonk_proof_from_json(json, text->size, &f->fflonk_proof, err)
                      : rp_plonk_proof_from_json(json, text->size, &f->plonk_proof, err);
}

/* Verifies with such a key, whose text has been read. */
static rp_status verify_polynomials(const cli_call *call, cli_session *session, inputs *in, bool is_fflonk,
                                    rp_error *err) {
  const char *key_path = call->args[0], *public_path = call->args[1], *proof_path = call->args[2];
  polynomial_files f = {.is_fflonk = is_fflonk};
  uint8_t *signals = NULL;
  size_t n = 0;
  rp_status status = cli_in_file(key_path, read_polynomial_key(&f, session->context, &in->vkey, err), err);
  const uint64_t n_public = is_fflonk ? rp_fflonk_vkey_n_public(f.fflonk) : rp_plonk_vkey_n_public(f.plonk);
  if (status == RP_OK)
    status = cli_in_file(public_path, read_signals(public_path, n_public, &in->public_signals, &signals, &n, err), err);
  if (status == RP_OK) status = cli_read(proof_path, CLI_JSON_PROOF_BYTES, &in->proof, err);
  if (status == RP_OK) status = cli_in_file(proof_path, read_polynomial_proof(&f, &in->proof, err), err);
  if (status == RP_OK) {
    status = is_fflonk ? rp_fflonk_verify(f.fflonk, &f.fflonk_proof, signals, n, err)
                       : rp_plonk_verify(f.plonk, &f.plonk_proof, signals, n, err);
    if (status == RP_ERR_MISMATCH || status == RP_ERR_VERIFY)
      cli_name_files(err, call->args[status == RP_ERR_MISMATCH ? 1 : 2], key_path);
  }
  free(signals);
  rp_plonk_vkey_destroy(f.plonk);
  rp_fflonk_vkey_destroy(f.fflonk);
  return status;
}

static rp_status verify(const cli_call *call, cli_session *session, inputs *in, bool *forgeable, rp_error *err) {
  const char *key_path = call->args[0], *public_path = call->args[1], *proof_path = call->args[2];
  const cli_expected expected[] = {{key_path, CLI_WANT_VKEY, "a verification key (JSON, or gnark's)"},
                                   {public_path, CLI_WANT_PUBLIC, "a list of public signals (JSON, or gnark's)"},
                                   {proof_path, CLI_WANT_PROOF, "a proof (JSON, or gnark's)"}};
  rp_groth16_vkey *vkey = NULL;
  rp_groth16_proof proof;
  uint8_t *signals = NULL;
  size_t n = 0;
  rp_status status = cli_expect_kinds(expected, 3, err);
  if (status == RP_OK) status = cli_open_context(session, err);
  if (status == RP_OK) status = cli_read(key_path, CLI_JSON_LIMIT_BYTES, &in->vkey, err);
  *forgeable = 0;
  if (status == RP_OK && cli_gnark_kind_of(&in->vkey) == RP_FILE_VKEY)
    return cli_gnark_verify(call, session, &in->vkey, forgeable, err);
  const cli_protocol protocol =
      status == RP_OK ? cli_protocol_of_json((const char *)in->vkey.data, in->vkey.size) : CLI_GROTH16;
  if (protocol != CLI_GROTH16) return verify_polynomials(call, session, in, protocol == CLI_FFLONK, err);
  if (status == RP_OK)
    status = cli_in_file(
        key_path, rp_groth16_vkey_from_json(session->context, (const char *)in->vkey.data, in->vkey.size, &vkey, err),
        err);
  if (status == RP_OK)
    status = cli_in_file(
        public_path, read_signals(public_path, rp_groth16_vkey_n_public(vkey), &in->public_signals, &signals, &n, err),
        err);
  if (status == RP_OK) status = cli_read(proof_path, CLI_JSON_PROOF_BYTES, &in->proof, err);
  if (status == RP_OK)
    status = cli_in_file(proof_path,
                         rp_groth16_proof_from_json((const char *)in->proof.data, in->proof.size, &proof, err), err);
  if (status == RP_OK) status = decide(call, vkey, &proof, signals, n, err);
  rp_groth16_vkey_info info = {.struct_size = sizeof info};
  rp_groth16_vkey_get_info(vkey, &info);
  *forgeable = info.forgeable != 0;
  free(signals);
  rp_groth16_vkey_destroy(vkey);
  return status;
}

static void print_json(rp_status status, bool forgeable, const rp_error *err) {
  json_t *out = json_pack("{s:b}", "valid", status == RP_OK);
  if (status != RP_OK) json_object_set_new(out, "reason", cli_json_text(err->reason));
  if (forgeable) json_object_set_new(out, "warning", json_string(cli_forgeable));
  json_dumpf(out, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(out);
}

static cli_exit run(const cli_call *call) {
  cli_session session = {0};
  inputs in;
  memset(&in, 0, sizeof in);
  rp_error err = {0};
  cli_progress *progress = cli_progress_begin("verifying");
  bool forgeable = 0;
  rp_status status = verify(call, &session, &in, &forgeable, &err);
  cli_progress_end(progress);
  cli_release(&in.vkey);
  cli_release(&in.public_signals);
  cli_release(&in.proof);
  cli_close(&session);
  if (call->json)
    print_json(status, forgeable, &err);
  else if (status == RP_OK && isatty(STDOUT_FILENO))
    puts("the proof is good");
  if (status == RP_OK && forgeable && !call->json) fprintf(stderr, "reprise verify: warning: %s\n", cli_forgeable);
  cli_exit finished = cli_finish(call);
  return status == RP_OK ? finished : cli_fail(call, &err);
}

const cli_command cli_verify = {
    .name = "verify",
    .arguments = "VERIFICATION_KEY PUBLIC PROOF",
    .summary = "Verify a proof; exit code 0 only for a good one",
    .details =
        "The three are JSON files as snarkjs writes them, of Groth16, PLONK or FFLONK, or files of gnark: the key says "
        "which. "
        "Refused besides a wrong equation: public signals that are "
        "not below the group order, and points off their curve or outside their subgroup. A key whose gamma equals its "
        "delta is warned of: anybody can make a proof that it accepts.",
    .min_args = 3,
    .max_args = 3,
    .takes = CLI_TAKES_JSON,
    .run = run,
};
