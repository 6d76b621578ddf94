/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise vkey: the verification key of a proving key, as snarkjs writes it.
 */
#include "cli.h"

#include "files/digest.h"
#include "files/mapping.h"
#include "text/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Only the header of a zkey, and IC, are read, since the rest may be gigabytes. */
static rp_status read_zkey(const char *path, cli_session *session, cli_verifier *v, rp_error *err) {
  switch (cli_protocol_of(path)) {
  case CLI_PLONK: return rp_plonk_vkey_from_zkey(session->context, path, &v->plonk, err);
  case CLI_FFLONK: return rp_fflonk_vkey_from_zkey(session->context, path, &v->fflonk, err);
  default: return rp_groth16_vkey_from_zkey(session->context, path, &v->groth16, err);
  }
}

/* The key is read from the file whose digest was taken, even if another file has taken its name in the meantime. */
static rp_status read_pinned(const cli_call *call, cli_session *session, cli_verifier *v, rp_error *err) {
  support_file *file = NULL;
  rp_status status = support_file_open(call->args[0], 0, &file, err);
  if (status == RP_OK) status = support_file_pinned(file, call->sha256, err);
  if (status == RP_OK) {
    char same[32];
    snprintf(same, sizeof same, "/dev/fd/%d", support_file_descriptor(file));
    status = read_zkey(same, session, v, err);
  }
  support_file_close(file);
  return status;
}

static rp_status of_zkey(const cli_call *call, cli_session *session, cli_verifier *v, rp_error *err) {
  const rp_status status = cli_open_context(session, err);
  if (status != RP_OK) return status;
  return call->pinned ? read_pinned(call, session, v, err) : read_zkey(call->args[0], session, v, err);
}

static rp_status of_recorded(const cli_call *call, cli_session *session, cli_verifier *v, rp_error *err) {
  rp_status status = cli_open_any_key(call, session, call->args[0], err);
  if (status != RP_OK) return status;
  if (session->plonk_key) return rp_plonk_vkey_from_key(session->plonk_key, &v->plonk, err);
  if (session->fflonk_key) return rp_fflonk_vkey_from_key(session->fflonk_key, &v->fflonk, err);
  if (cli_is_gnark(session))
    return support_fail(err, RP_ERR_FORMAT,
                        "%s is a recorded key of gnark, whose verifying key gnark itself writes (vk.WriteTo)",
                        support_label(call->args[0]));
  return rp_groth16_vkey_from_key(session->key, &v->groth16, err);
}

static rp_status write_text(const cli_verifier *v, char *text, size_t room, size_t *bytes, rp_error *err) {
  return v->plonk    ? rp_plonk_vkey_to_json(v->plonk, text, room, bytes, err)
         : v->fflonk ? rp_fflonk_vkey_to_json(v->fflonk, text, room, bytes, err)
                     : rp_groth16_vkey_to_json(v->groth16, text, room, bytes, err);
}

/* The text is to be freed. */
static rp_status text_of(const cli_verifier *v, char **text, size_t *bytes, rp_error *err) {
  const rp_status status = write_text(v, NULL, 0, bytes, err);
  if (status != RP_ERR_BUFFER_TOO_SMALL) return status;
  *text = malloc(*bytes + 1);
  return *text ? write_text(v, *text, *bytes + 1, bytes, err)
               : support_fail(err, RP_ERR_MEMORY, "Out of memory for a JSON text.");
}

static cli_exit run(const cli_call *call) {
  const cli_output *o = call->options;
  cli_session session = {0};
  cli_verifier v = {0};
  char *text = NULL;
  size_t bytes = 0;
  rp_error err = {0};
  const char *const paths[] = {call->args[0], o->path};
  const cli_expected expected[] = {{call->args[0], CLI_WANT_KEY, cli_a_key}, {o->path, CLI_WANT_OUTPUT, NULL}};
  const cli_exit code = cli_check_outputs(call, paths, 1, 2);
  if (code != CLI_OK) return code;
  rp_status status = cli_expect_kinds(expected, 2, &err);
  const bool is_zkey = cli_kind_of(call->args[0]) == RP_FILE_ZKEY;
  if (status == RP_OK) status = (is_zkey ? of_zkey : of_recorded)(call, &session, &v, &err);
  if (status == RP_OK) status = text_of(&v, &text, &bytes, &err);
  if (status == RP_OK) status = cli_write_text(o->path, text, bytes, &err);
  rp_groth16_vkey_info info = {.struct_size = sizeof info};
  rp_groth16_vkey_get_info(v.groth16, &info);
  if (status == RP_OK && !o->path && isatty(STDOUT_FILENO)) putchar('\n'); /* the text itself has none */
  if (status == RP_OK && info.forgeable) fprintf(stderr, "reprise vkey: warning: %s\n", cli_forgeable);
  free(text);
  cli_verifier_close(&v);
  cli_close(&session);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

const cli_command cli_vkey = {
    .name = "vkey",
    .arguments = "KEY",
    .summary = "Write the verification key of a key, as JSON",
    .details = "KEY is a zkey, of Groth16, PLONK or FFLONK, or a recorded file. What is written is what snarkjs zkey "
               "export verificationkey writes.",
    .min_args = 1,
    .max_args = 1,
    .takes = CLI_TAKES_KEY,
    .own = cli_output_options,
    .options_bytes = sizeof(cli_output),
    .option = cli_output_option,
    .run = run,
};
