/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise vkey: the verification key of a proving key, as snarkjs writes it.
 */
#include "cli.h"

#include "fflonk/formats/json.h"
#include "fflonk/formats/zkey.h"
#include "fflonk/prover/graph.h"
#include "files/digest.h"
#include "formats/fail.h"
#include "files/mapping.h"
#include "groth16/verify/verify.h"
#include "plonk/common/prerecorded.h"
#include "plonk/formats/json.h"
#include "plonk/formats/zkey.h"
#include "plonk/prover/graph.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct options {
  const char *output;
} options;

static const struct argp_option own[] = {
    {"output", 'o', "FILE", 0, "Where to write (default: standard output)", 1},
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  (void)state;
  if (key != 'o') return ARGP_ERR_UNKNOWN;
  ((options *)call->options)->output = arg;
  return 0;
}

/* Only the header and IC of a zkey are read, since the rest may be gigabytes. */
static rp_status from_zkey(const g16_file *file, rp_groth16_vkey **vkey, rp_error *err) {
  g16_zkey zkey;
  g16_vkey points;
  rp_status status = g16_zkey_open(file, &zkey, err);
  if (status == RP_OK) status = g16_vkey_from_zkey(&zkey, &points, err);
  return status == RP_OK ? g16_vkey_take(g16_file_name(file), &points, 0, vkey, err) : status;
}

static rp_status plonk_text(const g16_file *file, g16_text *text, rp_error *err) {
  plonk_zkey zkey;
  rp_status status = plonk_zkey_open(file, &zkey, err);
  return status == RP_OK ? plonk_vkey_write(&zkey.vk, text, err) : status;
}

static rp_status fflonk_text(const g16_file *file, g16_text *text, rp_error *err) {
  fflonk_zkey zkey;
  rp_status status = fflonk_zkey_open(file, &zkey, err);
  return status == RP_OK ? fflonk_vkey_write(&zkey.vk, text, err) : status;
}

/* Of a recorded key of either. */
static rp_status recorded_text(const cli_call *call, cli_session *session, g16_text *text, rp_error *err) {
  const rp_status status = cli_open_any_key(call, session, call->args[0], err);
  if (status != RP_OK) return status;
  return session->plonk_key ? plonk_vkey_write(&session->plonk_key->vk, text, err)
                            : fflonk_vkey_write(&session->fflonk_key->vk, text, err);
}

static rp_status groth16_text(const rp_groth16_vkey *vkey, g16_text *text, int *forgeable, rp_error *err) {
  *forgeable = g16_vkey_is_forgeable(g16_vkey_points(vkey));
  return g16_vkey_write(g16_vkey_points(vkey), g16_vkey_alpha_beta(vkey), text, err);
}

static rp_status vkey_text(const cli_call *call, cli_session *session, g16_text *text, int *forgeable, rp_error *err) {
  g16_file *file = NULL;
  rp_groth16_vkey *vkey = NULL;
  char magic[4] = "";
  rp_status status = g16_file_open(call->args[0], 0, &file, err);
  if (status == RP_OK && g16_file_size(file) >= sizeof magic) status = g16_file_read(file, 0, sizeof magic, magic, err);
  const int is_zkey = memcmp(magic, "zkey", sizeof magic) == 0;
  if (status == RP_OK && is_zkey && call->pinned) status = g16_file_pinned(file, call->sha256, err);
  const uint32_t protocol = status != RP_OK ? 0 : is_zkey ? g16_zkey_protocol(file) : plonk_prerecorded_protocol(file);
  const int is_groth16 = protocol != G16_PROTOCOL_PLONK && protocol != G16_PROTOCOL_FFLONK;
  if (!is_zkey && !is_groth16)
    status = recorded_text(call, session, text, err);
  else if (protocol == G16_PROTOCOL_PLONK)
    status = plonk_text(file, text, err);
  else if (protocol == G16_PROTOCOL_FFLONK)
    status = fflonk_text(file, text, err);
  else if (status == RP_OK && is_zkey)
    status = from_zkey(file, &vkey, err);
  g16_file_close(file);
  if (status == RP_OK && !is_zkey && is_groth16) {
    status = cli_open_key(call, session, call->args[0], err);
    if (status == RP_OK && cli_is_gnark(session))
      status = graphs_fail(err, RP_ERR_FORMAT,
                           "%s is a recorded key of gnark, whose verifying key gnark itself writes (vk.WriteTo)",
                           support_label(call->args[0]));
    if (status == RP_OK) status = rp_groth16_vkey_from_key(session->key, &vkey, err);
  }
  if (status == RP_OK && is_groth16) status = groth16_text(vkey, text, forgeable, err);
  rp_groth16_vkey_destroy(vkey);
  return status;
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  cli_session session = {0};
  g16_text text = {0};
  int forgeable = 0;
  rp_error err = {0};
  const char *const paths[] = {call->args[0], o->output};
  const cli_expected expected[] = {{call->args[0], CLI_WANT_KEY, cli_a_key}, {o->output, CLI_WANT_OUTPUT, NULL}};
  const cli_exit code = cli_check_outputs(call, paths, 1, 2);
  if (code != CLI_OK) return code;
  rp_status status = cli_expect_kinds(expected, 2, &err);
  if (status == RP_OK) status = vkey_text(call, &session, &text, &forgeable, &err);
  if (status == RP_OK) status = cli_write_text(o->output, text.data, text.length, &err);
  if (status == RP_OK && !o->output && isatty(STDOUT_FILENO)) putchar('\n'); /* the text itself has none */
  if (status == RP_OK && forgeable) fprintf(stderr, "reprise vkey: warning: %s\n", cli_forgeable);
  free(text.data);
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
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
