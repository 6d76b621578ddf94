/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What commands do with files of gnark, which they distinguish from those of snarkjs automatically.
 */
#ifndef REPRISE_CLI_GNARK_H
#define REPRISE_CLI_GNARK_H

#include "cli.h"

#include "groth16/formats/gnark.h"

#include <reprise/gnark.h>

g16_gnark_kind cli_gnark_kind_of(const cli_bytes *bytes);
/* reprise verify; its key has been read. *forgeable as for snarkjs's keys. */
rp_status cli_gnark_verify(const cli_call *call, cli_session *session, const cli_bytes *vkey, int *forgeable,
                           rp_error *err);
/* reprise info for a file of gnark of this kind. */
rp_status cli_gnark_describe(const g16_file *file, g16_gnark_kind kind, json_t *out, rp_error *err);

/* Options of reprise prove that are for gnark's keys. */
typedef struct cli_gnark_options {
  const char *vkey, *commitments; /* files */
  int compressed;
} cli_gnark_options;

/* What a proof needs besides a witness and public signals; nothing if zero. */
typedef struct cli_gnark_extras {
  rp_groth16_vkey *vkey;
  rp_gnark_commitment *commitments;
  uint32_t n_commitments;
} cli_gnark_extras;
rp_status cli_gnark_open_extras(cli_session *session, const cli_gnark_options *options, cli_gnark_extras *extras,
                                rp_error *err);
void cli_gnark_close_extras(cli_gnark_extras *extras);
/* cli_proof_commit for proofs of gnark. */
rp_status cli_gnark_commit(cli_proof_files *files, const rp_gnark_proof *proof, int compressed,
                           const uint8_t *public_signals, uint64_t n_public, rp_error *err);

#endif
