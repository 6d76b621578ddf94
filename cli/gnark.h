/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What commands do with files of gnark, which they distinguish from those of snarkjs automatically.
 */
#ifndef REPRISE_CLI_GNARK_H
#define REPRISE_CLI_GNARK_H

#include "cli.h"

#include <reprise/gnark.h>

/* The kind of a file of gnark; RP_FILE_UNKNOWN for any other. */
rp_file_kind cli_gnark_kind_of(const cli_bytes *bytes);
/* Does what reprise verify does, once the key has been read. *forgeable as for snarkjs's keys. */
rp_status cli_gnark_verify(const cli_call *call, cli_session *session, const cli_bytes *vkey, bool *forgeable,
                           rp_error *err);
/* Describes a file of gnark for reprise info. */
void cli_gnark_describe(const rp_file_info *file, json_t *out);

/* Whether the file is a proving key of gnark, or one that was recorded. */
bool cli_gnark_is_key(const char *path);

/* Options of prove, record, replay, profile, graph and info that are for gnark's keys. */
typedef struct cli_gnark_options {
  const char *vkey, *commitments;    /* files */
  const char *committed, *knowledge; /* likewise, of prove: points that come with a solution */
  bool compressed, points_in_file;
  bool points_in_place; /* no option: of commands that use the key once */
} cli_gnark_options;

/* What a proof needs besides a witness and public signals; nothing if zero. */
typedef struct cli_gnark_extras {
  rp_groth16_vkey *vkey;
  rp_gnark_commitment *commitments;
  uint32_t n_commitments;
} cli_gnark_extras;
/* Refuses options that do not apply to this key. With `verified`, a key of gnark that is not recorded needs --vkey. */
cli_exit cli_gnark_check_options(const cli_call *call, const char *key, const cli_gnark_options *options,
                                 bool verified);
/* Opens any key; one of gnark with what the options name. */
rp_status cli_gnark_open_key(const cli_call *call, cli_session *session, const char *path,
                             const cli_gnark_options *options, rp_error *err);
/* Handles --vkey, --commitments, --compressed, --points-in-file, --committed and --knowledge, which the following
 * declare. */
enum {
  CLI_GNARK_VKEY = 0x200,
  CLI_GNARK_COMMITMENTS,
  CLI_GNARK_COMPRESSED,
  CLI_GNARK_POINTS,
  CLI_GNARK_COMMITTED,
  CLI_GNARK_KNOWLEDGE
};
error_t cli_gnark_option(int key, const char *arg, cli_gnark_options *options);
#define CLI_GNARK_COMMITMENTS_OPTION                                                \
  {                                                                                 \
    "commitments", CLI_GNARK_COMMITMENTS, "FILE", 0,                                \
        "Keys of gnark: what the constraint system says of commitments, as JSON", 1 \
  }
#define CLI_GNARK_OPTIONS                                                                                  \
  {"vkey", CLI_GNARK_VKEY, "FILE", 0, "Keys of gnark: the verifying key, which the key does not hold", 1}, \
      CLI_GNARK_COMMITMENTS_OPTION
#define CLI_GNARK_COMPRESSED_OPTION \
  { "compressed", CLI_GNARK_COMPRESSED, 0, 0, "Keys of gnark: write proofs compressed, not raw", 1 }
#define CLI_GNARK_POINTS_OPTION \
  { "points-in-file", CLI_GNARK_POINTS, 0, 0, "Read the points of the key while it is recorded for the device", 1 }
#define CLI_GNARK_GIVEN_OPTIONS                                                                      \
  {"committed",                                                                                      \
   CLI_GNARK_COMMITTED,                                                                              \
   "FILE",                                                                                           \
   0,                                                                                                \
   "Keys of gnark: the points of the commitments, as the solver made them",                          \
   1},                                                                                               \
  {                                                                                                  \
    "knowledge", CLI_GNARK_KNOWLEDGE, "FILE", 0, "Keys of gnark: the proof of knowledge for them", 1 \
  }
extern const char cli_any_key[], cli_a_solution[], cli_gnark_vkey[]; /* for cli_expected.what */
/* Makes a proof from the solution in a file, with the points that the options name. */
rp_status cli_gnark_prove_file(const cli_session *session, const char *path, const cli_gnark_options *options,
                               rp_gnark_proof *proof, uint8_t *public_signals, rp_run_counters *counters,
                               rp_error *err);
/* cli_proof_commit for proofs of gnark. */
rp_status cli_gnark_commit(cli_proof_files *files, const rp_gnark_proof *proof, bool compressed,
                           const uint8_t *public_signals, uint64_t n_public, rp_error *err);
/* A proof as JSON, {"protocol": "groth16", "curve": "bn128", "gnark_proof": "..."}: a text with a NUL of *n characters,
 * which needs room for 9 KiB at most. */
rp_status cli_gnark_proof_to_json(const rp_gnark_proof *proof, char *text, size_t room, size_t *n, rp_error *err);
/* 1 for a JSON object with such a member. The text need not be trusted, here and below. */
bool cli_gnark_is_json(const char *json, size_t bytes);
rp_status cli_gnark_proof_from_json(const char *json, size_t bytes, rp_gnark_proof *proof, rp_error *err);

#endif
