/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise calldata: a proof and its public signals as arguments of the Solidity verifier that snarkjs exports.
 */
#include "gnark.h"

#include "text/error.h"

#include <reprise/fflonk.h>

#include <stdlib.h>
#include <string.h>

/* The limit is above what fits into a transaction. */
enum { MOST_SIGNALS = 1 << 14, VALUE_BYTES = 32, WORD_CHARACTERS = 69, PROOF_CHARACTERS = 4096 };

typedef struct inputs {
  cli_bytes proof, public_signals;
  uint8_t *signals; /* n of 32 bytes */
  size_t n;
} inputs;

/* Files of gnark have no "protocol", and are recognised only if they are not JSON. */
static rp_status not_of_gnark(const char *path, const cli_bytes *bytes, rp_status status, rp_error *err) {
  if (status == RP_ERR_FORMAT && cli_gnark_kind_of(bytes) != RP_FILE_UNKNOWN)
    return support_fail(err, status, "%s: is a file of gnark; calldata is made of proofs in snarkjs's JSON",
                        support_label(path));
  return cli_in_file(path, status, err);
}

static rp_status read_signals(const char *path, inputs *in, rp_error *err) {
  rp_status status = cli_read(path, CLI_JSON_PUBLIC_BYTES(MOST_SIGNALS), &in->public_signals, err);
  if (status != RP_OK) return status;
  const char *json = (const char *)in->public_signals.data;
  const size_t size = in->public_signals.size;
  status = not_of_gnark(path, &in->public_signals, rp_groth16_public_from_json(json, size, NULL, 0, &in->n, err), err);
  if (status != RP_OK) return status;
  in->signals = malloc(in->n * VALUE_BYTES + 1);
  if (!in->signals) {
    *err = (rp_error){.status = RP_ERR_MEMORY};
    return RP_ERR_MEMORY;
  }
  return rp_groth16_public_from_json(json, size, in->signals, in->n, &in->n, err);
}

typedef struct any_proof {
  cli_protocol protocol;
  rp_groth16_proof groth16;
  rp_plonk_proof plonk;
  rp_fflonk_proof fflonk;
} any_proof;

static rp_status read_proof(const char *path, inputs *in, any_proof *proof, rp_error *err) {
  rp_status status = cli_read(path, CLI_JSON_PROOF_BYTES, &in->proof, err);
  if (status != RP_OK) return status;
  const char *json = (const char *)in->proof.data;
  const size_t size = in->proof.size;
  proof->protocol = cli_protocol_of_json(json, size);
  switch (proof->protocol) {
  case CLI_PLONK: status = rp_plonk_proof_from_json(json, size, &proof->plonk, err); break;
  case CLI_FFLONK: status = rp_fflonk_proof_from_json(json, size, &proof->fflonk, err); break;
  case CLI_GROTH16: status = rp_groth16_proof_from_json(json, size, &proof->groth16, err); break;
  }
  return not_of_gnark(path, &in->proof, status, err);
}

static rp_status put_text(const any_proof *proof, const inputs *in, char *text, size_t room, size_t *bytes,
                          rp_error *err) {
  switch (proof->protocol) {
  case CLI_PLONK: return rp_plonk_calldata(&proof->plonk, in->signals, in->n, text, room, bytes, err);
  case CLI_FFLONK: return rp_fflonk_calldata(&proof->fflonk, in->signals, in->n, text, room, bytes, err);
  case CLI_GROTH16: break;
  }
  return rp_groth16_calldata(&proof->groth16, in->signals, in->n, text, room, bytes, err);
}

/* Makes the text, with a line break at the end, to be freed with free(). */
static rp_status make_text(const cli_call *call, inputs *in, char **text, size_t *bytes, rp_error *err) {
  any_proof proof;
  rp_status status = read_proof(call->args[0], in, &proof, err);
  if (status == RP_OK) status = read_signals(call->args[1], in, err);
  if (status != RP_OK) return status;
  const size_t room = PROOF_CHARACTERS + in->n * WORD_CHARACTERS;
  *text = malloc(room);
  if (!*text) {
    *err = (rp_error){.status = RP_ERR_MEMORY};
    return RP_ERR_MEMORY;
  }
  status = put_text(&proof, in, *text, room, bytes, err);
  if (status != RP_OK) {
    cli_name_files(err, call->args[0], call->args[1]);
    return status;
  }
  (*text)[(*bytes)++] = '\n';
  return RP_OK;
}

static cli_exit run(const cli_call *call) {
  const cli_output *o = call->options;
  const char *const paths[] = {call->args[0], call->args[1], o->path};
  const cli_expected expected[] = {{call->args[0], CLI_WANT_PROOF, "a proof (JSON)"},
                                   {call->args[1], CLI_WANT_PUBLIC, "a list of public signals (JSON)"},
                                   {o->path, CLI_WANT_OUTPUT, NULL}};
  inputs in;
  memset(&in, 0, sizeof in);
  char *text = NULL;
  size_t bytes = 0;
  rp_error err = {0};
  const cli_exit code = cli_check_outputs(call, paths, 2, 3);
  if (code != CLI_OK) return code;
  rp_status status = cli_expect_kinds(expected, 3, &err);
  if (status == RP_OK) status = make_text(call, &in, &text, &bytes, &err);
  if (status == RP_OK) status = cli_write_text(o->path, text, bytes, &err);
  free(text);
  free(in.signals);
  cli_release(&in.proof);
  cli_release(&in.public_signals);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

const cli_command cli_calldata = {
    .name = "calldata",
    .arguments = "PROOF PUBLIC",
    .summary = "Write a proof as arguments of a Solidity verifier",
    .details = "The two are JSON files as snarkjs writes them, of Groth16, PLONK or FFLONK over bn128. What is "
               "written is what snarkjs zkey export soliditycalldata prints. The proof is not verified, but public "
               "signals that are "
               "not below the group order, and points off their curve, outside their subgroup or at infinity, are "
               "refused.",
    .min_args = 2,
    .max_args = 2,
    .own = cli_output_options,
    .options_bytes = sizeof(cli_output),
    .option = cli_output_option,
    .run = run,
};
