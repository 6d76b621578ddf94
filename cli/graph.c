/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise graph: the prover of a key as Graphviz DOT, JSON, SVG or PNG.
 */
#include "gnark.h"

#include "text/error.h"
#include "files/output.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum format { FORMAT_NONE, FORMAT_DOT, FORMAT_JSON, FORMAT_SVG, FORMAT_PNG } format;
static const char *const format_name[] = {"", "dot", "json", "svg", "png"};

typedef struct options {
  const char *output;
  format format;
  bool recorded, tables;
  cli_gnark_options gnark;
} options;

enum { OPTION_RECORDED = 0x100, OPTION_TABLES };
static const struct argp_option own[] = {
    {"output", 'o', "FILE", 0, "Where to write (default: standard output)", 1},
    {"format", 'f', "FORMAT", 0, "dot, json, svg or png (default: by the file's ending, else dot)", 1},
    {"recorded", OPTION_RECORDED, 0, 0, "The dispatches as planned for the device, instead of the operations", 1},
    {"tables", OPTION_TABLES, 0, 0, "With the precomputed tables that replay uses", 1},
    CLI_GNARK_COMMITMENTS_OPTION,
    {0},
};

static format format_of(const char *name) {
  for (int f = FORMAT_DOT; f <= FORMAT_PNG; f++)
    if (strcmp(name, format_name[f]) == 0) return (format)f;
  return strcmp(name, "gv") == 0 ? FORMAT_DOT : FORMAT_NONE; /* the ending that Graphviz uses */
}

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  switch (key) {
  case 'o': o->output = arg; return 0;
  case 'f':
    o->format = format_of(arg);
    if (o->format == FORMAT_NONE) argp_error(state, "there is no format \"%s\"; choose dot, json, svg or png", arg);
    return 0;
  case OPTION_RECORDED: o->recorded = 1; return 0;
  case OPTION_TABLES: o->tables = 1; return 0;
  default: return cli_gnark_option(key, arg, &o->gnark);
  }
}

static int write_to_file(void *user, const char *text, size_t bytes) { return fwrite(text, 1, bytes, user) != bytes; }

static rp_status no_scratch(rp_error *err) {
  err->status = errno == ENOMEM ? RP_ERR_MEMORY : RP_ERR_FILE;
  snprintf(err->reason, sizeof err->reason, "a scratch file cannot be written: %s", strerror(errno));
  return err->status;
}

/* The reason why the program dot could not be started. */
static rp_status not_started(int why, rp_error *err) {
  static const char who[] = "SVG and PNG are drawn by the program dot of Graphviz";
  err->status = why == ENOMEM ? RP_ERR_MEMORY : RP_ERR_UNAVAILABLE;
  if (why == ENOENT)
    snprintf(err->reason, sizeof err->reason, "%s, which is not installed: apt-get install graphviz", who);
  else
    snprintf(err->reason, sizeof err->reason, "%s, which cannot be started: %s", who, strerror(why));
  return err->status;
}

/* Reports why dot drew nothing: how it ended, and the first line that it printed. */
static rp_status not_drawn(int state, FILE *said, rp_error *err) {
  char how[64], words[300] = "";
  if (WIFSIGNALED(state))
    snprintf(how, sizeof how, "was ended by signal %d", WTERMSIG(state));
  else
    snprintf(how, sizeof how, "ended with exit code %d", WEXITSTATUS(state));
  rewind(said);
  words[fread(words, 1, sizeof words - 1, said)] = 0;
  words[strcspn(words, "\n")] = 0;
  err->status = RP_ERR_UNAVAILABLE;
  snprintf(err->reason, sizeof err->reason, "the program dot of Graphviz %s%s%s", how, *words ? ": " : "", words);
  return err->status;
}

/* Runs Graphviz's dot on two files, without a shell; its messages are written to a third. */
static rp_status draw(FILE *dot, FILE *picture, FILE *said, format f, rp_error *err) {
  char kind[16];
  snprintf(kind, sizeof kind, "-T%s", format_name[f]);
  char *const argv[] = {(char[]){"dot"}, kind, NULL};
  extern char **environ;
  posix_spawn_file_actions_t actions;
  pid_t pid;
  int state = -1;
  rewind(dot);
  signal(SIGCHLD, SIG_DFL); /* some parent processes leave SIGCHLD ignored, which would lose the exit code */
  int failed = posix_spawn_file_actions_init(&actions);
  const bool made = !failed;
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, fileno(dot), STDIN_FILENO);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, fileno(said), STDERR_FILENO);
  if (!failed) failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  if (made) posix_spawn_file_actions_destroy(&actions);
  if (failed) return not_started(failed, err);
  while (waitpid(pid, &state, 0) == -1)
    if (errno != EINTR) return not_started(errno, err);
  return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? RP_OK : not_drawn(state, said, err);
}

/* Copies a temporary file to the requested path, which appears complete or not at all. */
static rp_status deliver(FILE *from, const char *path, rp_error *err) {
  char block[1 << 16];
  support_output *output = NULL;
  rp_status status = support_output_begin(path, &output, err);
  rewind(from);
  for (size_t n; status == RP_OK && (n = fread(block, 1, sizeof block, from)) != 0;)
    status = support_output_write(output, block, n, err);
  if (status == RP_OK && ferror(from)) status = no_scratch(err);
  if (status == RP_OK) return support_output_commit(&output, 1, err);
  support_output_abort(output);
  return status;
}

static rp_status export(const cli_session *session, const options *o, format f, rp_error *err) {
  const bool drawn = f == FORMAT_SVG || f == FORMAT_PNG;
  FILE *text = tmpfile(), *picture = drawn ? tmpfile() : NULL, *said = drawn ? tmpfile() : NULL;
  rp_status status = text && ((picture && said) || !drawn) ? RP_OK : no_scratch(err);
  const rp_export_format as = f == FORMAT_JSON ? RP_EXPORT_JSON : RP_EXPORT_DOT;
  if (status == RP_OK && o->recorded)
    status = rp_recording_export(cli_recording_of(session), as, write_to_file, text, err);
  else if (status == RP_OK)
    status = rp_graph_export(cli_graph_of(session), as, write_to_file, text, err);
  if (text && (ferror(text) || (status == RP_OK && fflush(text) != 0))) status = no_scratch(err);
  if (status == RP_OK && drawn) {
    cli_progress *progress = cli_progress_begin("drawing");
    status = draw(text, picture, said, f, err);
    cli_progress_end(progress);
  }
  if (status == RP_OK) status = deliver(drawn ? picture : text, o->output ? o->output : "-", err);
  if (text) (void)fclose(text);       /* read to its end: a failure loses nothing */
  if (picture) (void)fclose(picture); /* likewise */
  if (said) (void)fclose(said);       /* likewise */
  return status;
}

/* Chooses the format by --format, else by the extension of the file name; DOT if there is none. */
static cli_exit choose_format(const cli_call *call, format *f) {
  const options *o = call->options;
  const char *slash = o->output ? strrchr(o->output, '/') : NULL, *name = slash ? slash + 1 : o->output;
  const char *ending = name ? strrchr(name, '.') : NULL;
  *f = o->format ? o->format : ending ? format_of(ending + 1) : FORMAT_DOT;
  if (*f != FORMAT_NONE) return CLI_OK;
  return cli_refuse(call, CLI_USAGE,
                    "%s: there is no format for the ending %.100s; let the name end in .dot, .gv, .json, .svg or "
                    ".png, or say --format",
                    support_label(o->output), ending);
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  format f;
  /* Nothing is proved, so a key of gnark needs no verifying key. */
  const bool unverified = cli_gnark_is_key(call->args[0]) && cli_kind_of(call->args[0]) != RP_FILE_PRERECORDED;
  const rp_groth16_prover_options prover_options = {.tables = (uint32_t)o->tables, .no_verify = (uint32_t)unverified};
  cli_session session = {0};
  rp_error err = {0};
  const char *const paths[] = {call->args[0], o->gnark.commitments, o->output};
  const cli_expected expected[] = {{call->args[0], CLI_WANT_KEY | CLI_WANT_GNARK_KEY, cli_any_key},
                                   {o->output, CLI_WANT_OUTPUT, NULL}};
  cli_exit code = choose_format(call, &f);
  if (code == CLI_OK) code = cli_check_outputs(call, paths, 2, 3);
  if (code == CLI_OK) code = cli_gnark_check_options(call, call->args[0], &o->gnark, 0);
  if (code != CLI_OK) return code;
  rp_status status = cli_expect_kinds(expected, 2, &err);
  if (status == RP_OK) status = cli_gnark_open_key(call, &session, call->args[0], &o->gnark, &err);
  if (status == RP_OK) status = cli_open_device(call, &session, &err);
  if (status == RP_OK) status = cli_open_any_prover(call, &session, &prover_options, &err);
  if (status == RP_OK) status = export(&session, o, f, &err);
  cli_close(&session);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

const cli_command cli_graph = {
    .name = "graph",
    .arguments = "KEY",
    .summary = "Draw the prover of a key: DOT, JSON, SVG or PNG",
    .details = "KEY is a zkey, of Groth16, PLONK or FFLONK, a proving key of gnark, or a recorded file. SVG and PNG "
               "are drawn by the program dot of Graphviz.",
    .min_args = 1,
    .max_args = 1,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
