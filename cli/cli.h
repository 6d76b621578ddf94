/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The command `reprise`: what its subcommands share. A subcommand is one file, which defines one cli_command; main.c
 * lists them. Results are written to standard output, everything else to standard error; a failure is one sentence
 * there.
 */
#ifndef REPRISE_CLI_H
#define REPRISE_CLI_H

#include <reprise/graphs.h>
#include <reprise/fflonk.h>
#include <reprise/plonk.h>
#include <reprise/gnark.h>
#include <reprise/pool.h>
#include <reprise/files.h>

#include <stdbool.h>
#include <argp.h>
#include <jansson.h>
#include <stdio.h>

/* X(enumerator, code, meaning): exit codes, printed by `reprise --help`, with the same words as in docs/reprise.1 */
#define CLI_EXIT_LIST(X)                                                                                   \
  X(CLI_OK, 0, "done; for verify: the proof is good")                                                      \
  X(CLI_REFUSED, 1, "the proof does not verify, a constraint is violated, or a job is dead")               \
  X(CLI_USAGE, 2, "the command line is wrong, or names one file for two uses")                             \
  X(CLI_INPUT, 3, "an input is damaged, or inputs do not belong together")                                 \
  X(CLI_FILE, 4, "a file cannot be read or written")                                                       \
  X(CLI_MEMORY, 5, "not enough memory, or over the budget")                                                \
  X(CLI_DEVICE, 6, "the device is missing, too old or lost, or the database, Graphviz or randomness fail") \
  X(CLI_INTERNAL, 7, "an internal check failed")

typedef enum cli_exit {
#define CLI_EXIT_ENUM(name, code, text) name = code,
  CLI_EXIT_LIST(CLI_EXIT_ENUM)
#undef CLI_EXIT_ENUM
} cli_exit;

/* ---- Commands and their arguments (args.c) ----------------------------------------------------------------------- */

enum {
  CLI_TAKES_DEVICE = 1u, /* --device, --threads, --memory */
  CLI_TAKES_JSON = 2u,   /* --json */
  CLI_TAKES_KEY = 4u,    /* --sha256, for its first argument */
  CLI_TAKES_DEVICES = 8u /* --device may list several */
};

enum { CLI_MOST_DEVICES = 64, CLI_ALL_OF_KIND = UINT8_MAX + 1 };

typedef struct cli_call {
  const struct cli_command *command;
  char **args; /* positional arguments */
  unsigned n_args;
  void *options;            /* of the command's own type, zeroed before parsing */
  rp_device_options device; /* the first one */
  rp_device_options devices[CLI_MOST_DEVICES];
  unsigned n_devices;    /* 0: only `device`. An index of CLI_ALL_OF_KIND stands for all devices of that kind */
  uint64_t memory_bytes; /* 0: the device's default */
  bool json;
  bool pinned; /* 1: the key must have this digest */
  uint8_t sha256[32];
} cli_call;

typedef struct cli_command {
  const char *name;      /* one word, or two: "farm init" */
  const char *arguments; /* "ZKEY WITNESS PROOF PUBLIC" */
  const char *summary;   /* one line */
  const char *details;   /* paragraphs for --help; may be NULL */
  unsigned min_args, max_args;
  unsigned takes;
  const struct argp_option *own; /* its options, ending with an empty one; may be NULL */
  size_t options_bytes;
  /* Handles one of its own options; returns 0, or ARGP_ERR_UNKNOWN. May call argp_error. */
  error_t (*option)(int key, const char *arg, cli_call *call, struct argp_state *state);
  cli_exit (*run)(const cli_call *call);
} cli_command;

/* For commands whose only option is -o FILE; `options` of the call is a cli_output. */
typedef struct cli_output {
  const char *path; /* NULL: standard output */
} cli_output;
extern const struct argp_option cli_output_options[];
error_t cli_output_option(int key, const char *arg, cli_call *call, struct argp_state *state);

extern const cli_command cli_prove, cli_verify, cli_record, cli_replay, cli_vkey, cli_calldata, cli_graph, cli_profile,
    cli_info, cli_devices, cli_bench, cli_setup, cli_view, cli_serve, cli_farm_init, cli_farm_submit, cli_farm_work,
    cli_farm_status, cli_farm_drain;

/* Parses the arguments after the subcommand's name and runs it. */
cli_exit cli_dispatch(const cli_command *command, int argc, char **argv);

/* Parses an integer in [min, max]; sizes may have a suffix K, M, G, T (powers of 1024). Otherwise ends the program with
 * a usage error that names `what`. */
uint64_t cli_parse_number(const char *text, uint64_t min, uint64_t max, const char *what, struct argp_state *state);
uint64_t cli_parse_bytes(const char *text, const char *what, struct argp_state *state);

/* ---- Reporting (report.c) ---------------------------------------------------------------------------------------- */

cli_exit cli_exit_of(rp_status status);
/* Prints "reprise NAME: reason" and returns the exit code of err->status. */
cli_exit cli_fail(const cli_call *call, const rp_error *err);
__attribute__((format(printf, 3, 4))) cli_exit cli_refuse(const cli_call *call, cli_exit code, const char *format, ...);
/* Makes n bytes of text safe for a terminal: control characters, characters that change the direction of text, and
 * bytes that are not UTF-8 become \xNN. Writes at most `room` bytes to `out`, with a NUL; longer text is cut. Returns
 * the length. */
size_t cli_printable(const char *text, size_t n, char *out, size_t room);
/* A stream that makes everything written to it safe in this way and passes it on to `to`. NULL when out of memory. */
FILE *cli_printable_stream(FILE *to);
/* Prefixes the reason with the names of two files that do not belong together. */
void cli_name_files(rp_error *err, const char *one, const char *other);
/* Whether the reason begins with the name of the file. */
bool cli_is_named(const char *reason, const char *path);
/* Prints a message of success, as cli_fail does, but only on a terminal, so that scripts see nothing. */
__attribute__((format(printf, 2, 3))) void cli_tell(const cli_call *call, const char *format, ...);
/* Flushes standard output; a full disk or a closed pipe is a failure like any other. */
cli_exit cli_finish(const cli_call *call);
/* "1.5 MiB", "12.3 ms"; `text` has room for 32 bytes. Return `text`. */
char *cli_bytes_text(uint64_t bytes, char *text);
char *cli_time_text(uint64_t ns, char *text);
/* Prefixes the reason with the name of the file, unless it has that prefix. Returns the status. */
rp_status cli_in_file(const char *path, rp_status status, rp_error *err);
extern const char cli_forgeable[]; /* the message about a key whose gamma equals its delta */

/* A JSON string, which must be UTF-8: in other text, every byte above 127 becomes "?". NULL when out of memory. */
json_t *cli_json_text(const char *text);
uint64_t cli_now_ns(void);

/* After one second, shows on a terminal what is being done and for how long. Only one may exist at a time. With a total
 * that is not 0, it appears sooner and shows the part that is done, which cli_progress_set sets and cli_progress_step
 * increases by one. NULL is accepted. */
typedef struct cli_progress cli_progress;
cli_progress *cli_progress_begin(const char *what);
cli_progress *cli_progress_begin_of(const char *what, uint64_t total);
void cli_progress_set(cli_progress *progress, uint64_t done);
void cli_progress_step(cli_progress *progress);
void cli_progress_end(cli_progress *progress); /* NULL allowed */
/* Writes a line to standard error; a line of progress is cleared first and shown again below. Must be called by the
 * thread that began the progress. */
void cli_print_line(const char *line, size_t length);
/* For a signal handler: writes to `text` (room for 4 bytes) the sequence that clears the line of progress, if there is
 * one, and returns its length. */
size_t cli_progress_cleared(char *text);

/* ---- A device (spread.c) and a key (session.c) ------------------------------------------------------------------- */

typedef struct cli_session {
  rp_context *context;
  rp_device *device;
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_plonk_key *plonk_key; /* not NULL: used with its prover, instead of the two above */
  rp_plonk_prover *plonk_prover;
  rp_fflonk_key *fflonk_key; /* likewise */
  rp_fflonk_prover *fflonk_prover;
  rp_pool *pool; /* not NULL: used with its key instead of a prover, over several devices */
  rp_pool_key *pool_key;
  uint64_t load_ns, check_ns, record_ns;
  bool said_left_out; /* cli_say_left_out has been called */
} cli_session;

/* Each returns a status and sets *err. A session must be closed whatever happened; a zeroed one counts as closed. */
rp_status cli_open_context(cli_session *session, rp_error *err);
/* Opens the context and the device. If the call lists devices, they are opened as a group, which is then the session's
 * device. */
rp_status cli_open_device(const cli_call *call, cli_session *session, rp_error *err);
/* Says on standard error, once per session, which devices of a group the recording does not use. NULL says nothing. */
void cli_say_left_out(const cli_call *call, cli_session *session, const rp_recording *recording);
/* Opens all devices of the call and a pool of them; the session's device is the first one. */
rp_status cli_open_pool(const cli_call *call, cli_session *session, uint32_t max_in_flight, rp_error *err);
/* Opens a key, with the digest that the call requires; `call` may be NULL: no digest. */
rp_status cli_open_key(const cli_call *call, cli_session *session, const char *path, rp_error *err);
/* The same with options, in which the digest is set here. */
rp_status cli_open_key_with(const cli_call *call, cli_session *session, const char *path,
                            const rp_groth16_key_options *options, rp_error *err);
/* Checks every point of the key on the session's device. */
rp_status cli_check_points(cli_session *session, rp_error *err);
/* Takes the memory budget from the call. */
rp_status cli_open_prover(const cli_call *call, cli_session *session, const rp_groth16_prover_options *options,
                          rp_error *err);
void cli_close_prover(cli_session *session);
void cli_close(cli_session *session);

/* ---- Keys of any protocol (protocol.c) --------------------------------------------------------------------------- */

/* The protocol of a .zkey or recorded key. Other files may be keys of Groth16, and will be refused if they are not. */
typedef enum cli_protocol { CLI_GROTH16, CLI_PLONK, CLI_FFLONK } cli_protocol;
cli_protocol cli_protocol_of(const char *path);
/* The protocol that a JSON text names; CLI_GROTH16 if it names none. */
cli_protocol cli_protocol_of_json(const char *json, size_t bytes);
extern const char *const cli_protocol_name[];                     /* "groth16" ... */
cli_protocol cli_protocol_of_session(const cli_session *session); /* of its key */
/* Opens a key, and its prover. Of the common options, those that apply to the protocol are used. */
rp_status cli_open_any_key(const cli_call *call, cli_session *session, const char *path, rp_error *err);
rp_status cli_open_any_prover(const cli_call *call, cli_session *session, const rp_groth16_prover_options *options,
                              rp_error *err);
/* Writes the prover's key to a recorded file. */
rp_status cli_save(const cli_session *session, const char *path, rp_error *err);
/* RP_ERR_MISMATCH unless the session's key is what this zkey makes. */
rp_status cli_key_matches(const cli_session *session, const char *zkey_path, rp_error *err);
const rp_graph *cli_graph_of(const cli_session *session);
rp_recording *cli_recording_of(const cli_session *session);
rp_curve cli_curve(const cli_session *session); /* G1 */
const char *cli_curve_name(rp_curve g1);        /* as snarkjs writes it: "bn128", "bls12381" */
uint64_t cli_domain(const cli_session *session);
bool cli_is_gnark(const cli_session *session); /* 1: its key is one of gnark */
/* The numbers of values in a witness and of public signals. */
uint64_t cli_n_vars(const cli_session *session);
uint64_t cli_n_public(const cli_session *session);
/* Detects files that are not witnesses, or are witnesses of another circuit, before the key is recorded.
 * RP_ERR_MISMATCH names both files. */
rp_status cli_check_witness(const cli_session *session, const char *key_path, const char *path, rp_error *err);
/* A proof of any protocol. */
typedef union cli_proof {
  rp_groth16_proof groth16;
  rp_plonk_proof plonk;
  rp_fflonk_proof fflonk;
  rp_gnark_proof gnark; /* of a key of gnark: Groth16's, and more */
} cli_proof;
rp_status cli_prove_bytes(const cli_session *session, const void *wtns, size_t wtns_bytes, rp_run_counters *counters,
                          rp_error *err);
rp_status cli_prove_file(const cli_session *session, const char *path, cli_proof *proof, uint8_t *public_signals,
                         rp_run_counters *counters, rp_error *err);
/* The proof of every job must point into a cli_proof; with a key of gnark, wtns_path names a solution, and
 * wtns has the bytes of its file. */
rp_status cli_prove_batch(const cli_session *session, rp_groth16_job *jobs, size_t n_jobs, rp_error *err);
rp_status cli_plan(const cli_session *session, const rp_groth16_prover_options *options, rp_plan_info *info,
                   rp_error *err);

/* ---- Verification keys of any protocol (verifier.c) -------------------------------------------------------------- */

/* At most one of them is not NULL; a zeroed verifier counts as closed. */
typedef struct cli_verifier {
  rp_groth16_vkey *groth16;
  rp_plonk_vkey *plonk;
  rp_fflonk_vkey *fflonk;
} cli_verifier;
rp_status cli_verifier_of_json(rp_context *context, const char *json, size_t bytes, cli_verifier *verifier,
                               rp_error *err);
/* Makes the verifier of the key in a file; the context need not outlive the call. */
rp_status cli_verifier_of_key(rp_context *context, const char *path, cli_verifier *verifier, rp_error *err);
/* Verifies a proof and its public signals, both as JSON that need not be trusted; statuses are those of
 * rp_groth16_verify and of the readers. Any number of threads may use one verifier. */
rp_status cli_verifier_check(const cli_verifier *verifier, const char *proof, size_t proof_bytes, const char *signals,
                             size_t signals_bytes, rp_error *err);
void cli_verifier_close(cli_verifier *verifier);

/* ---- Kinds of files (kinds.c) ------------------------------------------------------------------------------------ */

rp_file_kind cli_kind_of(const char *path); /* RP_FILE_UNKNOWN also if it cannot be read */

enum {
  CLI_WANT_KEY = 1u << RP_FILE_ZKEY | 1u << RP_FILE_PRERECORDED,
  CLI_WANT_ZKEY = 1u << RP_FILE_ZKEY,
  CLI_WANT_WTNS = 1u << RP_FILE_WTNS,
  CLI_WANT_R1CS = 1u << RP_FILE_R1CS,
  CLI_WANT_VKEY = 1u << RP_FILE_VKEY,
  CLI_WANT_PROOF = 1u << RP_FILE_PROOF,
  CLI_WANT_PUBLIC = 1u << RP_FILE_PUBLIC,
  CLI_WANT_GNARK_KEY = 1u << RP_FILE_GNARK_KEY,
  CLI_WANT_GNARK_SOLUTION = 1u << RP_FILE_GNARK_SOLUTION,
  CLI_WANT_ANY = 0xffff,
  CLI_WANT_OUTPUT = 0,             /* written; may replace results only */
  CLI_WANT_OUTPUT_KEY = 0x40000000 /* written; a recorded key may replace another one */
};
typedef struct cli_expected {
  const char *path; /* NULL: not given */
  unsigned kinds;   /* of CLI_WANT_ */
  const char *what; /* "a key (.zkey or recorded)" */
} cli_expected;
/* RP_ERR_FILE if an input does not exist, RP_ERR_FORMAT if it is of another kind than expected; the reason suggests
 * that arguments are swapped if another argument is of the expected kind. RP_ERR_FORMAT, too, if an output exists and
 * is a file that commands read, since it may be impossible to make again. A file that cannot be read, or whose kind is
 * unknown, is accepted here: its reader gives a better reason. */
rp_status cli_expect_kinds(const cli_expected *expected, unsigned n, rp_error *err);
extern const char cli_a_key[], cli_a_witness[];

/* ---- Files (files.c) --------------------------------------------------------------------------------------------- */

typedef struct cli_bytes {
  uint8_t *data;
  size_t size;
} cli_bytes;

/* The largest texts that the library reads (graphs.h), or that make sense: a public signal takes 82 bytes as snarkjs
 * writes it. */
enum { CLI_JSON_LIMIT_BYTES = 64 << 20, CLI_JSON_PROOF_BYTES = 64 << 10 };
#define CLI_JSON_PUBLIC_BYTES(n_public) (((uint64_t)4 << 10) + (uint64_t)256 * (n_public))

/* Reads a whole regular file of at most limit_bytes into memory for secrets. cli_release wipes it. */
rp_status cli_read(const char *path, uint64_t limit_bytes, cli_bytes *bytes, rp_error *err);
void cli_release(cli_bytes *bytes);

/* Writes a text to a file, or to standard output if `path` is NULL: cli_finish then reports a failure. */
rp_status cli_write_text(const char *path, const char *text, size_t bytes, rp_error *err);

/* CLI_USAGE, with a message, if one of the outputs, paths[n_inputs ...], would replace an input or another output,
 * however the paths are written: different spellings, links, "-" and /dev/stdout. Devices that are not terminals may be
 * used for several outputs. Takes O(n log n) steps. NULL paths are ignored. */
cli_exit cli_check_outputs(const cli_call *call, const char *const *paths, unsigned n_inputs, unsigned n_paths);

/* The folders that were created for results; none if zero. */
typedef struct cli_folder {
  char *path;
  size_t *made; /* where their names end in `path`, in the order of creation */
  size_t n_made;
} cli_folder;
/* Creates a folder for results, with its parents; it may exist. After a failure none of them is left. */
rp_status cli_make_folder(const char *path, cli_folder *folder, rp_error *err);
/* If `keep` is 0, removes the folders that cli_make_folder created, unless something has been put there. */
void cli_end_folder(cli_folder *folder, bool keep);

/* A proof and its public signals as JSON, to be freed; NULL after a failure. With `gnark`, one of a key of gnark
 * (gnark.h). */
rp_status cli_proof_texts(cli_protocol protocol, bool gnark, const cli_proof *proof, const uint8_t *public_signals,
                          uint64_t n_public, char **proof_text, char **public_text, rp_error *err);

/* proof.json and public.json, which appear together or not at all. Begin early, so that an output that cannot be
 * written is noticed before the work is done. */
typedef struct cli_proof_files {
  struct support_output *output[2];
} cli_proof_files;
rp_status cli_proof_begin(cli_proof_files *files, const char *proof_path, const char *public_path, rp_error *err);
rp_status cli_proof_commit(cli_proof_files *files, cli_protocol protocol, const cli_proof *proof,
                           const uint8_t *public_signals, uint64_t n_public, rp_error *err);
void cli_proof_abort(cli_proof_files *files);

#endif
