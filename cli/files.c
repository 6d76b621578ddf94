/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reading and writing whole files, and the two files of a proof.
 */
#include "gnark.h"

#include "files/mapping.h"
#include "files/output.h"

#include <stdlib.h>
#include <string.h>

rp_status cli_read(const char *path, uint64_t limit_bytes, cli_bytes *bytes, rp_error *err) {
  support_file *file = NULL;
  *bytes = (cli_bytes){0};
  rp_status status = support_file_open(path, 0, &file, err);
  if (status == RP_OK) status = support_file_slurp(file, limit_bytes, &bytes->data, err);
  if (status == RP_OK) bytes->size = (size_t)support_file_size(file);
  support_file_close(file);
  return status;
}

void cli_release(cli_bytes *bytes) {
  rp_secret_free(bytes->data, bytes->size);
  *bytes = (cli_bytes){0};
}

rp_status cli_write_text(const char *path, const char *text, size_t bytes, rp_error *err) {
  if (path) return support_output_file(path, text, bytes, err);
  fwrite(text, 1, bytes, stdout);
  return RP_OK;
}

rp_status cli_proof_begin(cli_proof_files *files, const char *proof_path, const char *public_path, rp_error *err) {
  *files = (cli_proof_files){0};
  rp_status status = support_output_begin(proof_path, &files->output[0], err);
  if (status == RP_OK) status = support_output_begin(public_path, &files->output[1], err);
  if (status != RP_OK) cli_proof_abort(files);
  return status;
}

void cli_proof_abort(cli_proof_files *files) {
  for (unsigned i = 0; i < 2; i++) support_output_abort(files->output[i]);
  *files = (cli_proof_files){0};
}

/* The longest proof, of PLONK, has 24 numbers of at most 78 digits; one of Groth16 has 8 coordinates of at most 116,
 * and one of gnark 2020 bytes of 2 digits. */
enum { PROOF_ROOM = 9216 };

static rp_status write_proof(cli_protocol protocol, bool gnark, const cli_proof *proof, char *text, size_t *n,
                             rp_error *err) {
  if (gnark) return cli_gnark_proof_to_json(&proof->gnark, text, PROOF_ROOM, n, err);
  switch (protocol) {
  case CLI_PLONK: return rp_plonk_proof_to_json(&proof->plonk, text, PROOF_ROOM, n, err);
  case CLI_FFLONK: return rp_fflonk_proof_to_json(&proof->fflonk, text, PROOF_ROOM, n, err);
  default: return rp_groth16_proof_to_json(&proof->groth16, text, PROOF_ROOM, n, err);
  }
}

rp_status cli_proof_texts(cli_protocol protocol, bool gnark, const cli_proof *proof, const uint8_t *signals,
                          uint64_t n_public, char **proof_text, char **public_text, rp_error *err) {
  const size_t room = (size_t)n_public * 84 + 16; /* at most 78 digits, quotes, comma, line and indent each */
  size_t n = 0;
  *proof_text = malloc(PROOF_ROOM);
  *public_text = malloc(room);
  rp_status status = *proof_text && *public_text ? RP_OK : RP_ERR_MEMORY;
  if (status != RP_OK) *err = (rp_error){.status = status};
  if (status == RP_OK) status = write_proof(protocol, gnark, proof, *proof_text, &n, err);
  if (status == RP_OK) status = rp_groth16_public_to_json(signals, (size_t)n_public, *public_text, room, &n, err);
  if (status == RP_OK) return RP_OK;
  free(*proof_text);
  free(*public_text);
  *proof_text = *public_text = NULL;
  return status;
}

rp_status cli_proof_commit(cli_proof_files *files, cli_protocol protocol, const cli_proof *proof,
                           const uint8_t *public_signals, uint64_t n_public, rp_error *err) {
  char *text[2] = {NULL, NULL};
  rp_status status = cli_proof_texts(protocol, 0, proof, public_signals, n_public, &text[0], &text[1], err);
  for (unsigned i = 0; i < 2 && status == RP_OK; i++)
    status = support_output_write(files->output[i], text[i], strlen(text[i]), err);
  if (status == RP_OK) {
    status = support_output_publish(files->output, 2, err);
    *files = (cli_proof_files){0};
  } else {
    cli_proof_abort(files);
  }
  for (unsigned i = 0; i < 2; i++) free(text[i]);
  return status;
}
