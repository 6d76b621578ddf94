/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise replay: one or many witnesses through one recording, several in flight.
 */
#include "cli.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  const char *output_dir, *made_from;
  uint32_t in_flight;
  int check_points, no_verify;
} options;

enum { OPTION_NO_VERIFY = 0x100, OPTION_MADE_FROM, OPTION_CHECK };
static const struct argp_option own[] = {
    {"output-dir", 'o', "DIR", 0, "Folder for the results (default: the current one)", 1},
    {"in-flight", 'n', "N", 0, "Proofs computed at once (default: 1 for one witness, else 2)", 1},
    {"check-points", OPTION_CHECK, 0, 0, "Check that every point of the key is on its curve and in its subgroup", 1},
    {"made-from", OPTION_MADE_FROM, "ZKEY", 0, "Refuse a recorded file that is not exactly what this key makes", 1},
    {"no-verify", OPTION_NO_VERIFY, 0, 0, "Release proofs without checking that they verify", 1},
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  switch (key) {
  case 'o': o->output_dir = arg; return 0;
  case 'n': o->in_flight = (uint32_t)cli_parse_number(arg, 1, 64, "--in-flight", state); return 0;
  case OPTION_NO_VERIFY: o->no_verify = 1; return 0;
  case OPTION_CHECK: o->check_points = 1; return 0;
  case OPTION_MADE_FROM: o->made_from = arg; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

enum { CHUNK = 32 }; /* outputs open at once */

/* One witness on its way. */
typedef struct item {
  cli_proof_files files;
  rp_groth16_proof proof;
  uint8_t *signals;
} item;

/* What stands before ".wtns" in the last part of a path. */
static int stem_length(const char *path, const char **stem) {
  const char *slash = strrchr(path, '/');
  *stem = slash ? slash + 1 : path;
  size_t n = strlen(*stem);
  if (n > 5 && strcmp(*stem + n - 5, ".wtns") == 0) n -= 5;
  return (int)n;
}

static rp_status begin_item(const options *o, const char *path, uint64_t n_public, item *it, rp_groth16_job *job) {
  char names[2][8192 + 64]; /* too long a path is refused by the system, not cut */
  const char *stem, *dir = o->output_dir ? o->output_dir : ".";
  int n = stem_length(path, &stem);
  snprintf(names[0], sizeof names[0], "%s/%.*s.proof.json", dir, n, stem);
  snprintf(names[1], sizeof names[1], "%s/%.*s.public.json", dir, n, stem);
  *it = (item){0};
  *job = (rp_groth16_job){.proof = &it->proof, .wtns_path = path};
  it->signals = malloc((size_t)n_public * 32 + 1);
  if (!it->signals) return job->error.status = job->status = RP_ERR_MEMORY;
  job->public_signals = it->signals;
  return job->status = cli_proof_begin(&it->files, names[0], names[1], &job->error);
}

/* What came of all of them. */
typedef struct results {
  unsigned n_proved;
  json_t *failed; /* for a program that reads: an object each */
} results;

/* Writes what was proved, reports what was not, and clears the item. */
static cli_exit end_item(const cli_call *call, const char *path, uint64_t n_public, item *it, rp_groth16_job *job,
                         results *all) {
  if (job->status == RP_OK)
    job->status = cli_proof_commit(&it->files, &it->proof, it->signals, n_public, &job->error);
  else
    cli_proof_abort(&it->files);
  free(it->signals);
  if (job->status == RP_OK) {
    all->n_proved++;
    return CLI_OK;
  }
  const char *reason = job->error.reason[0] ? job->error.reason : rp_status_text(job->status);
  json_array_append_new(all->failed, json_pack("{s:o, s:s, s:o}", "witness", cli_json_text(path), "status",
                                               rp_status_name(job->status), "reason", cli_json_text(reason)));
  if (strncmp(reason, path, strlen(path)) == 0) return cli_refuse(call, cli_exit_of(job->status), "%s", reason);
  return cli_refuse(call, cli_exit_of(job->status), "%.300s: %s", path, reason);
}

static cli_exit prove_all(const cli_call *call, cli_session *session, results *all) {
  rp_groth16_key_info info;
  rp_groth16_key_get_info(session->key, &info);
  cli_exit first = CLI_OK;
  item *items = calloc(CHUNK, sizeof *items);
  rp_groth16_job *jobs = calloc(CHUNK, sizeof *jobs), *ready = calloc(CHUNK, sizeof *ready);
  const int have_room = items && jobs && ready;
  if (!have_room) first = cli_refuse(call, CLI_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY));
  for (unsigned at = 1; have_room && at < call->n_args; at += CHUNK) {
    unsigned n = call->n_args - at < CHUNK ? call->n_args - at : CHUNK, n_ready = 0, place[CHUNK];
    for (unsigned i = 0; i < n; i++)
      if (begin_item(call->options, call->args[at + i], info.n_public, &items[i], &jobs[i]) == RP_OK) {
        place[n_ready] = i;
        ready[n_ready++] = jobs[i];
      }
    rp_error err = {0};
    const rp_status status = n_ready ? rp_groth16_prove_batch(session->prover, ready, n_ready, &err) : RP_OK;
    for (unsigned i = 0; i < n_ready; i++) jobs[place[i]] = ready[i];
    for (unsigned i = 0; i < n; i++) {
      cli_exit code = end_item(call, call->args[at + i], info.n_public, &items[i], &jobs[i], all);
      if (first == CLI_OK) first = code;
    }
    if (status != RP_OK && first == CLI_OK)
      first = cli_fail(call, &err); /* each job holds its own status: not reached */
  }
  free(items);
  free(jobs);
  free(ready);
  return first;
}

/* Two witnesses of one name would write the same files. */
static cli_exit check_names(const cli_call *call) {
  for (unsigned i = 1; i < call->n_args; i++)
    for (unsigned j = 1; j < i; j++) {
      const char *a, *b;
      int n = stem_length(call->args[i], &a), m = stem_length(call->args[j], &b);
      if (n == m && strncmp(a, b, (size_t)n) == 0)
        return cli_refuse(call, CLI_USAGE, "two witnesses would both be written to %.*s.proof.json", n, a);
    }
  return CLI_OK;
}

/* Files and verification are in the time: it is what a caller waits for. */
static void print_rate(const cli_call *call, uint32_t in_flight, const results *all, uint64_t ns) {
  json_t *out =
      json_pack("{s:i, s:i, s:i, s:f, s:f, s:O*}", "witnesses", (int)(call->n_args - 1), "proofs", (int)all->n_proved,
                "in_flight", (int)in_flight, "elapsed_ms", (double)ns / 1e6, "proofs_per_second",
                ns ? (double)all->n_proved * 1e9 / (double)ns : 0.0, "failed", all->failed);
  json_dumpf(out, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(out);
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  cli_exit code = check_names(call);
  if (code != CLI_OK) return code;
  const rp_groth16_prover_options prover_options = {
      .max_in_flight = o->in_flight       ? o->in_flight
                       : call->n_args > 2 ? 2
                                          : 1,
      .no_verify = (uint32_t)o->no_verify,
      .tables = 1,
  };
  cli_session session = {0};
  rp_error err = {0};
  rp_status status = cli_open_key(call, &session, call->args[0], &err);
  if (status == RP_OK && o->made_from) status = rp_groth16_key_matches(session.key, o->made_from, &err);
  if (status == RP_OK) status = cli_open_device(call, &session, &err);
  if (status == RP_OK && o->check_points) status = cli_check_points(&session, &err);
  if (status == RP_OK) status = cli_open_prover(call, &session, &prover_options, &err);
  if (status == RP_OK) {
    cli_progress *progress = cli_progress_begin("proving");
    results all = {.failed = json_array()};
    uint64_t begin = cli_now_ns();
    code = prove_all(call, &session, &all);
    cli_progress_end(progress);
    if (call->json) print_rate(call, prover_options.max_in_flight, &all, cli_now_ns() - begin);
    json_decref(all.failed);
  } else {
    code = cli_fail(call, &err);
  }
  cli_close(&session);
  return code == CLI_OK ? cli_finish(call) : code;
}

const cli_command cli_replay = {
    .name = "replay",
    .arguments = "RECORDED WITNESS...",
    .summary = "Prove one or many witnesses with a recorded key",
    .details =
        "The proof of DIR/NAME.wtns is written to NAME.proof.json and its public signals to NAME.public.json, in the "
        "current folder or the one of --output-dir. A witness that fails is reported and the others go on; the exit "
        "code is that of the first failure. RECORDED may be a zkey too. JSON tells how many were proved a second, and "
        "which failed and why.",
    .min_args = 2,
    .max_args = 1u << 20,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
