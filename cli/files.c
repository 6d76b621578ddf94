/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reading and writing whole files, and the two files of a proof.
 */
#include "cli.h"

#include "formats/mapping.h"
#include "formats/output.h"

#include <stdlib.h>
#include <string.h>

rp_status cli_read(const char *path, uint64_t limit_bytes, cli_bytes *bytes, rp_error *err) {
  g16_file *file = NULL;
  *bytes = (cli_bytes){0};
  rp_status status = g16_file_open(path, 0, &file, err);
  if (status == RP_OK) status = g16_file_slurp(file, limit_bytes, &bytes->data, err);
  if (status == RP_OK) bytes->size = (size_t)g16_file_size(file);
  g16_file_close(file);
  return status;
}

void cli_release(cli_bytes *bytes) {
  rp_secret_free(bytes->data, bytes->size);
  *bytes = (cli_bytes){0};
}

rp_status cli_write_text(const char *path, const char *text, size_t bytes, rp_error *err) {
  if (path) return g16_output_file(path, text, bytes, err);
  fwrite(text, 1, bytes, stdout);
  return RP_OK;
}

rp_status cli_proof_begin(cli_proof_files *files, const char *proof_path, const char *public_path, rp_error *err) {
  *files = (cli_proof_files){0};
  rp_status status = g16_output_begin(proof_path, &files->output[0], err);
  if (status == RP_OK) status = g16_output_begin(public_path, &files->output[1], err);
  if (status != RP_OK) cli_proof_abort(files);
  return status;
}

void cli_proof_abort(cli_proof_files *files) {
  for (unsigned i = 0; i < 2; i++) g16_output_abort(files->output[i]);
  *files = (cli_proof_files){0};
}

static rp_status proof_text(const rp_groth16_proof *proof, cli_bytes *text, rp_error *err) {
  char scratch[4096]; /* 8 coordinates of at most 116 digits */
  size_t n = 0;
  rp_status status = rp_groth16_proof_to_json(proof, scratch, sizeof scratch, &n, err);
  if (status != RP_OK) return status;
  text->data = malloc(n + 1);
  if (!text->data) return RP_ERR_MEMORY;
  memcpy(text->data, scratch, n + 1);
  text->size = n;
  return RP_OK;
}

static rp_status public_text(const uint8_t *signals, uint64_t n_public, cli_bytes *text, rp_error *err) {
  size_t capacity = (size_t)n_public * 84 + 16; /* at most 78 digits, quotes, comma, line and indent each */
  text->data = malloc(capacity);
  if (!text->data) return RP_ERR_MEMORY;
  return rp_groth16_public_to_json(signals, (size_t)n_public, (char *)text->data, capacity, &text->size, err);
}

static rp_status commit(cli_proof_files *files, cli_bytes text[2], rp_status status, rp_error *err) {
  if (status == RP_ERR_MEMORY && err) *err = (rp_error){.status = status};
  for (unsigned i = 0; i < 2 && status == RP_OK; i++)
    status = g16_output_write(files->output[i], text[i].data, text[i].size, err);
  if (status == RP_OK) {
    status = g16_output_publish(files->output, 2, err);
    *files = (cli_proof_files){0};
  } else {
    cli_proof_abort(files);
  }
  for (unsigned i = 0; i < 2; i++) free(text[i].data);
  return status;
}

/* The proofs of PLONK and FFLONK have at most 24 numbers of at most 78 digits. */
static rp_status short_proof_text(cli_protocol protocol, const cli_proof *proof, cli_bytes *text, rp_error *err) {
  enum { ROOM = 4096 };
  char *data = malloc(ROOM);
  *text = (cli_bytes){.data = (uint8_t *)data};
  if (!data) return err->status = RP_ERR_MEMORY;
  return protocol == CLI_PLONK ? rp_plonk_proof_to_json(&proof->plonk, data, ROOM, &text->size, err)
                               : rp_fflonk_proof_to_json(&proof->fflonk, data, ROOM, &text->size, err);
}

rp_status cli_proof_commit(cli_proof_files *files, cli_protocol protocol, const cli_proof *proof,
                           const uint8_t *public_signals, uint64_t n_public, rp_error *err) {
  cli_bytes text[2] = {{0}};
  rp_status status = protocol == CLI_GROTH16 ? proof_text(&proof->groth16, &text[0], err)
                                             : short_proof_text(protocol, proof, &text[0], err);
  if (status == RP_OK) status = public_text(public_signals, n_public, &text[1], err);
  return commit(files, text, status, err);
}
