/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What commands need for a key of gnark in addition to the key, and the two files that prove writes.
 */
#include "gnark.h"

#include "text/error.h"
#include "files/output.h"

#include <stdlib.h>

enum { MOST_PROOF_BYTES = 8192 };

static rp_status refuse(const char *path, const char *why, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT, "%s: %s", support_label(path), why);
}

/* Reads the index of a wire. */
static bool take_index(json_t *value, uint32_t *index) {
  const json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;
  *index = (uint32_t)n;
  return n >= 0 && n < UINT32_MAX;
}

static rp_status take_commitment(const char *path, json_t *entry, rp_gnark_commitment *c, rp_error *err) {
  json_t *wires = json_object_get(entry, "PrivateCommitted");
  const size_t n = json_array_size(wires);
  if (!json_is_array(wires) || !take_index(json_object_get(entry, "CommitmentIndex"), &c->challenge))
    return refuse(path, "each entry has an array PrivateCommitted and a number CommitmentIndex", err);
  uint32_t *indices = malloc((n + 1) * sizeof *indices);
  if (!indices) return support_fail(err, RP_ERR_MEMORY, "Out of memory for the wires of a commitment");
  c->wires = indices;
  c->n_wires = n;
  for (size_t i = 0; i < n; i++)
    if (!take_index(json_array_get(wires, i), &indices[i])) return refuse(path, "a wire is not a number", err);
  return RP_OK;
}

static rp_status read_commitments(const char *path, cli_gnark_extras *extras, rp_error *err) {
  cli_bytes bytes = {0};
  rp_status status = cli_read(path, CLI_JSON_LIMIT_BYTES, &bytes, err);
  if (status != RP_OK) return status;
  json_t *root = json_loadb((const char *)bytes.data, bytes.size, 0, NULL);
  cli_release(&bytes);
  const size_t n = json_array_size(root);
  if (!json_is_array(root) || n > RP_GNARK_MAX_COMMITMENTS)
    status = refuse(path, "an array of gnark's commitments is expected, at most 16", err);
  else if (!(extras->commitments = calloc(n + 1, sizeof *extras->commitments)))
    status = support_fail(err, RP_ERR_MEMORY, "Out of memory for commitments");
  for (size_t i = 0; i < n && status == RP_OK; i++) {
    extras->n_commitments++;
    status = take_commitment(path, json_array_get(root, i), &extras->commitments[i], err);
  }
  json_decref(root);
  return status;
}

static rp_status open_extras(cli_session *session, const cli_gnark_options *options, cli_gnark_extras *extras,
                             rp_error *err) {
  rp_status status = cli_open_context(session, err);
  if (status == RP_OK && options->vkey) {
    cli_bytes bytes = {0};
    status = cli_read(options->vkey, CLI_JSON_LIMIT_BYTES, &bytes, err);
    if (status == RP_OK)
      status = cli_in_file(options->vkey,
                           rp_gnark_vkey_from_bytes(session->context, bytes.data, bytes.size, &extras->vkey, err), err);
    cli_release(&bytes);
  }
  if (status == RP_OK && options->commitments) status = read_commitments(options->commitments, extras, err);
  return status;
}

static void close_extras(cli_gnark_extras *extras) {
  rp_groth16_vkey_destroy(extras->vkey);
  for (uint32_t i = 0; i < extras->n_commitments; i++) free((void *)extras->commitments[i].wires);
  free(extras->commitments);
  *extras = (cli_gnark_extras){0};
}

/* ---- Options and keys -------------------------------------------------------------------------------------------- */

const char cli_any_key[] = "a key (.zkey, recorded or gnark's)", cli_a_solution[] = "a solution of gnark",
           cli_gnark_vkey[] = "a verifying key of gnark";

bool cli_gnark_is_key(const char *path) {
  rp_file_info info = {.struct_size = sizeof info};
  return rp_file_identify(path, &info, NULL) == RP_OK && info.gnark &&
         (info.kind == RP_FILE_GNARK_KEY || info.kind == RP_FILE_PRERECORDED);
}

error_t cli_gnark_option(int key, const char *arg, cli_gnark_options *options) {
  switch (key) {
  case CLI_GNARK_VKEY: options->vkey = arg; return 0;
  case CLI_GNARK_COMMITMENTS: options->commitments = arg; return 0;
  case CLI_GNARK_COMPRESSED: options->compressed = 1; return 0;
  case CLI_GNARK_POINTS: options->points_in_file = 1; return 0;
  case CLI_GNARK_COMMITTED: options->committed = arg; return 0;
  case CLI_GNARK_KNOWLEDGE: options->knowledge = arg; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

cli_exit cli_gnark_check_options(const cli_call *call, const char *key, const cli_gnark_options *options,
                                 bool verified) {
  const bool recorded = cli_kind_of(key) == RP_FILE_PRERECORDED;
  const bool zkey = cli_kind_of(key) == RP_FILE_ZKEY && cli_protocol_of(key) == CLI_GROTH16;
  if (options->points_in_file && !zkey && (recorded || !cli_gnark_is_key(key)))
    return cli_refuse(call, CLI_USAGE, "--points-in-file is for zkeys of Groth16 and proving keys of gnark");
  if (options->committed || options->knowledge) {
    if (!cli_gnark_is_key(key)) return cli_refuse(call, CLI_USAGE, "--committed and --knowledge are for keys of gnark");
    if (!options->committed) return cli_refuse(call, CLI_USAGE, "--knowledge is for the points that --committed gives");
    if (!verified)
      return cli_refuse(call, CLI_USAGE, "with --committed the proof is always verified: leave out --no-verify");
  }
  if (!cli_gnark_is_key(key))
    return options->vkey || options->commitments || options->compressed
               ? cli_refuse(call, CLI_USAGE, "--vkey, --commitments and --compressed are for keys of gnark")
               : CLI_OK;
  if (recorded && (options->vkey || options->commitments))
    return cli_refuse(call, CLI_USAGE, "a recorded key holds its verifying key and what it needs of commitments");
  if (verified && !recorded && !options->vkey)
    return cli_refuse(call, CLI_USAGE, "a key of gnark does not hold what verifies its proofs: give --vkey%s",
                      call->command == &cli_prove || call->command == &cli_replay ? ", or --no-verify" : "");
  return CLI_OK;
}

rp_status cli_gnark_open_key(const cli_call *call, cli_session *session, const char *path,
                             const cli_gnark_options *options, rp_error *err) {
  cli_gnark_extras extras = {0};
  const bool in_place = options->points_in_place && !options->points_in_file && cli_protocol_of(path) == CLI_GROTH16;
  if (!cli_gnark_is_key(path) && !options->points_in_file && !in_place)
    return cli_open_any_key(call, session, path, err);
  rp_status status = open_extras(session, options, &extras, err);
  const rp_groth16_key_options with = {.vkey = extras.vkey,
                                       .commitments = extras.commitments,
                                       .n_commitments = extras.n_commitments,
                                       .points_in_file = options->points_in_file,
                                       .points_in_place = in_place};
  if (status == RP_OK) status = cli_open_key_with(call, session, path, &with, err);
  close_extras(&extras);
  return status;
}

/* ---- Proofs ------------------------------------------------------------------------------------------------------ */

rp_status cli_gnark_prove_file(const cli_session *session, const char *path, const cli_gnark_options *options,
                               rp_gnark_proof *proof, uint8_t *public_signals, rp_run_counters *counters,
                               rp_error *err) {
  cli_bytes committed = {0}, knowledge = {0};
  rp_status status = RP_OK;
  if (options->committed) status = cli_read(options->committed, MOST_PROOF_BYTES, &committed, err);
  if (status == RP_OK && options->knowledge) status = cli_read(options->knowledge, MOST_PROOF_BYTES, &knowledge, err);
  const rp_gnark_solution solution = {.struct_size = sizeof solution,
                                      .path = path,
                                      .commitments = committed.data,
                                      .commitments_bytes = committed.size,
                                      .knowledge = knowledge.data,
                                      .knowledge_bytes = knowledge.size};
  if (status == RP_OK) status = rp_gnark_prove(session->prover, &solution, proof, public_signals, counters, err);
  cli_release(&committed);
  cli_release(&knowledge);
  return status;
}

rp_status cli_gnark_commit(cli_proof_files *files, const rp_gnark_proof *proof, bool compressed,
                           const uint8_t *public_signals, uint64_t n_public, rp_error *err) {
  uint8_t text[MOST_PROOF_BYTES], *witness = NULL;
  size_t bytes[2] = {0, 0};
  rp_status status = rp_gnark_proof_to_bytes(proof, compressed ? RP_GNARK_COMPRESSED : RP_GNARK_RAW, text, sizeof text,
                                             &bytes[0], err);
  const size_t room = (size_t)n_public * 32 + 12;
  if (status == RP_OK && !(witness = malloc(room)))
    status = support_fail(err, RP_ERR_MEMORY, "Out of memory for public signals");
  if (status == RP_OK)
    status = rp_gnark_public_to_bytes(public_signals, (size_t)n_public, witness, room, &bytes[1], err);
  if (status == RP_OK) status = support_output_write(files->output[0], text, bytes[0], err);
  if (status == RP_OK) status = support_output_write(files->output[1], witness, bytes[1], err);
  if (status == RP_OK) {
    status = support_output_publish(files->output, 2, err);
    *files = (cli_proof_files){0};
  } else {
    cli_proof_abort(files);
  }
  free(witness);
  return status;
}
