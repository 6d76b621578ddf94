/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise replay: one or many witnesses through one recording, several in flight.
 */
#include "gnark.h"
#include "replay.h"

#include "text/error.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  const char *output_dir, *made_from;
  uint32_t in_flight, batch;
  bool check_points, no_verify, together;
  cli_gnark_options gnark;
} options;

enum { OPTION_NO_VERIFY = 0x100, OPTION_MADE_FROM, OPTION_CHECK, OPTION_BATCH, OPTION_TOGETHER };
static const struct argp_option own[] = {
    {"output-dir", 'o', "DIR", 0, "Folder for the results, made if it is missing (default: the current one)", 1},
    {"in-flight", 'n', "N", 0, "Proofs computed at once (default: 1 for one witness, else 2)", 1},
    {"batch", OPTION_BATCH, "B", 0, "Proofs made by each run, for small circuits of Groth16 on a GPU (default: 1)", 1},
    {"check-points", OPTION_CHECK, 0, 0, "Check that every point of the key is on its curve and in its subgroup", 1},
    {"made-from", OPTION_MADE_FROM, "ZKEY", 0, "Refuse a recorded file that is not exactly what this key makes", 1},
    {"together", OPTION_TOGETHER, 0, 0, "Several devices make each proof together, which takes less time", 1},
    {"no-verify", OPTION_NO_VERIFY, 0, 0, "Release proofs without checking that they verify", 1},
    CLI_GNARK_OPTIONS,
    CLI_GNARK_COMPRESSED_OPTION,
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  switch (key) {
  case 'o': o->output_dir = arg; return 0;
  case 'n': o->in_flight = (uint32_t)cli_parse_number(arg, 1, 64, "--in-flight", state); return 0;
  case OPTION_BATCH: o->batch = (uint32_t)cli_parse_number(arg, 1, 32, "--batch", state); return 0;
  case OPTION_NO_VERIFY: o->no_verify = 1; return 0;
  case OPTION_CHECK: o->check_points = 1; return 0;
  case OPTION_TOGETHER: o->together = 1; return 0;
  case OPTION_MADE_FROM: o->made_from = arg; return 0;
  default: return cli_gnark_option(key, arg, &o->gnark);
  }
}

static const char *folder_of(const options *o) { return o->output_dir ? o->output_dir : "."; }

enum { CHUNK = 64 }; /* witnesses with two outputs open each; devices idle only at the end of a chunk */

/* One witness in progress. */
typedef struct item {
  cli_proof_files files;
  cli_proof proof;
  uint8_t *signals;
} item;

/* Refuses a file that is recognised as something else, since this reason is better than its reader's. */
static rp_status check_kind(const char *path, bool gnark, rp_error *err) {
  const cli_expected expected = {path, gnark ? CLI_WANT_GNARK_SOLUTION : CLI_WANT_WTNS,
                                 gnark ? cli_a_solution : cli_a_witness};
  return cli_expect_kinds(&expected, 1, err);
}

static rp_status begin_item(const cli_call *call, const cli_session *session, const char *path, item *it,
                            rp_groth16_job *job) {
  const char *dir = folder_of(call->options);
  const bool gnark = cli_is_gnark(session);
  const int first = gnark ? REPLAY_GNARK_PROOF : REPLAY_PROOF;
  char *proof = replay_path(dir, path, first), *public = replay_path(dir, path, first + 1);
  *it = (item){.signals = malloc((size_t)cli_n_public(session) * 32 + 1)};
  *job = (rp_groth16_job){.struct_size = sizeof(rp_groth16_job),
                          .proof = &it->proof.groth16,
                          .public_signals = it->signals,
                          .wtns_path = path};
  rp_status status = proof && public && it->signals ? check_kind(path, gnark, &job->error) : RP_ERR_MEMORY;
  if (status == RP_OK) status = cli_proof_begin(&it->files, proof, public, &job->error);
  free(proof);
  free(public);
  return job->error.status = job->status = status;
}

/* The results of all witnesses. */
typedef struct results {
  unsigned n_proved;
  json_t *failed; /* for --json: one object each */
} results;

/* Writes the proof or reports the failure, and clears the item. */
static cli_exit end_item(const cli_call *call, const cli_session *session, const char *path, item *it,
                         rp_groth16_job *job, results *all) {
  const options *o = call->options;
  const uint64_t n_public = cli_n_public(session);
  if (job->status == RP_OK)
    job->status = cli_is_gnark(session) ? cli_gnark_commit(&it->files, &it->proof.gnark, o->gnark.compressed,
                                                           it->signals, n_public, &job->error)
                                        : cli_proof_commit(&it->files, cli_protocol_of_session(session), &it->proof,
                                                           it->signals, n_public, &job->error);
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
  if (cli_is_named(reason, path)) return cli_refuse(call, cli_exit_of(job->status), "%s", reason);
  return cli_refuse(call, cli_exit_of(job->status), "%s: %s", support_label(path), reason);
}

static cli_exit prove_all(const cli_call *call, cli_session *session, cli_progress *progress, results *all) {
  cli_exit first = CLI_OK;
  item *items = calloc(CHUNK, sizeof *items);
  rp_groth16_job *jobs = calloc(CHUNK, sizeof *jobs), *ready = calloc(CHUNK, sizeof *ready);
  const bool have_room = items && jobs && ready;
  if (!have_room) first = cli_refuse(call, CLI_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY));
  for (unsigned at = 1; have_room && at < call->n_args; at += CHUNK) {
    unsigned n = call->n_args - at < CHUNK ? call->n_args - at : CHUNK, n_ready = 0, place[CHUNK];
    for (unsigned i = 0; i < n; i++)
      if (begin_item(call, session, call->args[at + i], &items[i], &jobs[i]) == RP_OK) {
        place[n_ready] = i;
        ready[n_ready++] = jobs[i];
      }
    rp_error err = {0};
    const rp_status status = n_ready ? cli_prove_batch(session, ready, n_ready, &err) : RP_OK;
    for (unsigned i = 0; i < n_ready; i++) jobs[place[i]] = ready[i];
    for (unsigned i = 0; i < n; i++) {
      cli_exit code = end_item(call, session, call->args[at + i], &items[i], &jobs[i], all);
      if (first == CLI_OK) first = code;
    }
    cli_progress_set(progress, at - 1 + n);
    /* Not reached, because each job has its own status. */
    if (status != RP_OK && first == CLI_OK) first = cli_fail(call, &err);
  }
  free(items);
  free(jobs);
  free(ready);
  return first;
}

/* The time includes files and verification: it is what a caller waits for. */
static void print_rate(const cli_call *call, uint32_t in_flight, const results *all, uint64_t ns) {
  json_t *out =
      json_pack("{s:i, s:i, s:i, s:f, s:f, s:O*}", "witnesses", (int)(call->n_args - 1), "proofs", (int)all->n_proved,
                "in_flight", (int)in_flight, "elapsed_ms", (double)ns / 1e6, "proofs_per_second",
                ns ? (double)all->n_proved * 1e9 / (double)ns : 0.0, "failed", all->failed);
  json_dumpf(out, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(out);
}

static void print_summary(const cli_call *call, const results *all, uint64_t ns) {
  const unsigned n = call->n_args - 1;
  char took[32], failed[40] = "";
  if (all->n_proved < n) snprintf(failed, sizeof failed, ", %u failed", n - all->n_proved);
  cli_tell(call, "proved %u of %u in %s, %.1f per second%s; results in %s", all->n_proved, n, cli_time_text(ns, took),
           ns ? (double)all->n_proved * 1e9 / (double)ns : 0.0, failed, support_label(folder_of(call->options)));
}

/* Counts a finished run; called by the thread that waited for it. */
static void count(void *user, const rp_run *run) {
  (void)run;
  cli_progress_step(*(cli_progress **)user);
}

static rp_status open_all(const cli_call *call, cli_session *session, const rp_groth16_prover_options *with,
                          rp_error *err) {
  const options *o = call->options;
  const cli_expected expected[] = {{call->args[0], CLI_WANT_KEY | CLI_WANT_GNARK_KEY, cli_any_key},
                                   {call->args[1], CLI_WANT_ANY, NULL}, /* each is checked separately */
                                   {o->made_from, CLI_WANT_ZKEY, "a .zkey"},
                                   {o->gnark.vkey, CLI_WANT_VKEY, cli_gnark_vkey}};
  rp_status status = cli_expect_kinds(expected, 4, err);
  if (status == RP_OK) status = cli_gnark_open_key(call, session, call->args[0], &o->gnark, err);
  if (status == RP_OK && o->made_from) status = cli_key_matches(session, o->made_from, err);
  if (status == RP_OK)
    status = call->n_devices && !o->together ? cli_open_pool(call, session, with->max_in_flight, err)
                                             : cli_open_device(call, session, err);
  if (status == RP_OK && o->check_points) status = cli_check_points(session, err);
  return status == RP_OK ? cli_open_any_prover(call, session, with, err) : status;
}

static cli_exit prove_and_tell(const cli_call *call, cli_session *session, cli_progress **progress,
                               uint32_t in_flight) {
  results all = {.failed = json_array()};
  const uint64_t begin = cli_now_ns();
  *progress = cli_progress_begin_of("proving", call->n_args - 1);
  const cli_exit code = prove_all(call, session, *progress, &all);
  cli_progress_end(*progress);
  const uint64_t ns = cli_now_ns() - begin;
  if (call->json) print_rate(call, in_flight, &all, ns);
  print_summary(call, &all, ns);
  json_decref(all.failed);
  return code;
}

/* Refuses options that do not apply to this kind of key. */
static cli_exit check_options(const cli_call *call, bool gnark) {
  const options *o = call->options;
  const char *const others[] = {o->made_from, o->gnark.vkey, o->gnark.commitments};
  for (int i = 0; i < 3; i++) {
    const cli_exit code = i == 0 || others[i] ? replay_check_paths(call, folder_of(o), others[i]) : CLI_OK;
    if (code != CLI_OK) return code;
  }
  if (o->no_verify && cli_protocol_of(call->args[0]) != CLI_GROTH16)
    return cli_refuse(call, CLI_USAGE, "--no-verify is for Groth16: proofs of PLONK and FFLONK are always verified");
  if (o->together && !call->n_devices)
    return cli_refuse(call, CLI_USAGE, "--together needs a --device that lists several, as in cuda:0,cuda:1");
  if (o->batch > 1 && (gnark || call->n_devices || cli_protocol_of(call->args[0]) != CLI_GROTH16))
    return cli_refuse(call, CLI_USAGE, "--batch is for snarkjs's keys of Groth16 on one device");
  if (gnark && o->made_from)
    return cli_refuse(call, CLI_USAGE,
                      "--made-from compares with a .zkey, and a key of gnark is not made from one: use --sha256");
  return cli_gnark_check_options(call, call->args[0], &o->gnark, !o->no_verify);
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  cli_progress *progress = NULL;
  const rp_groth16_prover_options prover_options = {
      .max_in_flight = o->in_flight       ? o->in_flight
                       : call->n_args > 2 ? 2
                                          : 1,
      .no_verify = (uint32_t)o->no_verify,
      .tables = 1,
      .batch = o->batch,
      .inspect = count,
      .inspect_user = &progress,
  };
  cli_session session = {0};
  rp_error err = {0};
  cli_folder made;
  if (cli_make_folder(folder_of(o), &made, &err) != RP_OK) return cli_fail(call, &err);
  cli_exit code = check_options(call, cli_gnark_is_key(call->args[0]));
  if (code == CLI_OK && open_all(call, &session, &prover_options, &err) != RP_OK) code = cli_fail(call, &err);
  if (code == CLI_OK) code = prove_and_tell(call, &session, &progress, prover_options.max_in_flight);
  cli_close(&session);
  cli_end_folder(&made, code == CLI_OK);
  return code == CLI_OK ? cli_finish(call) : code;
}

const cli_command cli_replay = {
    .name = "replay",
    .arguments = "RECORDED WITNESS...",
    .summary = "Prove one or many witnesses with a recorded key",
    .details =
        "The proof of DIR/NAME.wtns is written to NAME.proof.json and its public signals to NAME.public.json, in the "
        "current folder or the one of --output-dir, which is made if it is missing. A witness that fails is reported "
        "and the others go on; the exit "
        "code is that of the first failure. --device may list several devices, which share the witnesses: "
        "cuda:0,cuda:1, or cuda:* for all of a kind, or cpu/4,cpu/4 for a CPU in parts of 4 threads each; with "
        "--together, they make each proof together. "
        "RECORDED may be a zkey too, of Groth16, PLONK or FFLONK, or a proving key of gnark; with a key of gnark each "
        "WITNESS is a solution, and NAME.bin gives NAME.proof.bin and NAME.public.wit. JSON tells how "
        "many were "
        "proved per second, "
        "and "
        "which failed and why.",
    .min_args = 2,
    .max_args = 1u << 20,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE | CLI_TAKES_DEVICES | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
