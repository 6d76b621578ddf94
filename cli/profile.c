/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise profile: where the time of a proof is spent. The latency is measured with a normal recording, the time of
 * each dispatch with a second, profiled one.
 */
#include "gnark.h"
#include "profile.h"

#include "files/output.h"

#include <stdlib.h>

typedef struct options {
  const char *trace;
  uint32_t runs;
  bool no_tables;
  cli_gnark_options gnark;
} options;

enum { OPTION_TRACE = 0x100, OPTION_NO_TABLES };
static const struct argp_option own[] = {
    {"runs", 'n', "N", 0, "Proofs to take the median of (default: 3)", 1},
    {"trace", OPTION_TRACE, "FILE", 0, "Write the measured run for Perfetto or chrome://tracing", 1},
    {"no-tables", OPTION_NO_TABLES, 0, 0, "As prove does it: without precomputed tables", 1},
    CLI_GNARK_OPTIONS,
    CLI_GNARK_POINTS_OPTION,
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  switch (key) {
  case 'n': o->runs = (uint32_t)cli_parse_number(arg, 1, 1000, "--runs", state); return 0;
  case OPTION_TRACE: o->trace = arg; return 0;
  case OPTION_NO_TABLES: o->no_tables = 1; return 0;
  default: return cli_gnark_option(key, arg, &o->gnark);
  }
}

/* What proofs are made from: the bytes of a witness, or for a key of gnark the file of a solution. */
typedef struct source {
  cli_bytes witness;
  const char *solution;
} source;

static rp_status prove(const cli_session *session, const source *from, rp_run_counters *counters, rp_error *err) {
  rp_gnark_proof proof;
  return from->solution ? rp_gnark_prove_file(session->prover, from->solution, &proof, NULL, counters, err)
                        : cli_prove_bytes(session, from->witness.data, from->witness.size, counters, err);
}

/* Where the trace of the measured run is written. */
typedef struct trace {
  support_output *output;
  rp_status status;
  rp_error err;
} trace;

static int write_trace(void *user, const char *text, size_t bytes) {
  trace *t = user;
  t->status = support_output_write(t->output, text, bytes, &t->err);
  return t->status != RP_OK;
}

static void inspect(void *user, const rp_run *run) {
  trace *t = user;
  rp_error err = {0};
  if (!t->output || t->status != RP_OK) return;
  rp_status status = rp_run_trace(run, write_trace, t, &err);
  if (t->status == RP_OK && status != RP_OK) t->status = status, t->err = err;
}

static int compare_u64(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Proves once to warm up and `runs` times for the median. */
static rp_status measure(cli_session *session, const source *from, uint32_t runs, profile *p, rp_error *err) {
  uint64_t *latency = calloc(runs, sizeof *latency);
  rp_status status = latency ? RP_OK : (err->status = RP_ERR_MEMORY);
  for (uint32_t i = 0; status == RP_OK && i <= runs; i++) {
    status = prove(session, from, &p->counters, err);
    if (i > 0) latency[i - 1] = p->counters.latency_ns;
  }
  if (status == RP_OK) {
    qsort(latency, runs, sizeof *latency, compare_u64);
    p->runs = runs;
    p->latency_ns = latency[runs / 2];
  }
  free(latency);
  return status;
}

/* The times of the recording of one device, or of one piece of a group. */
static rp_status read_node_times(const rp_recording *recording, profile *p, rp_error *err) {
  uint32_t n = 0;
  rp_status status = rp_recording_nodes(recording, NULL, 0, &n, err);
  if (status != RP_OK && status != RP_ERR_BUFFER_TOO_SMALL) return status;
  rp_node_info *nodes = calloc((size_t)n + 1, sizeof *nodes);
  if (!nodes) return err->status = RP_ERR_MEMORY;
  nodes->struct_size = sizeof *nodes;
  status = rp_recording_nodes(recording, nodes, n, &n, err);
  if (status == RP_OK) status = profile_fill(p, recording, nodes, n, err);
  free(nodes);
  return status;
}

static rp_status prove_and_read_times(cli_session *session, const source *from, profile *p, rp_error *err) {
  rp_run_counters counters = {.struct_size = sizeof counters};
  rp_recording *recording = cli_recording_of(session), *piece;
  rp_status status = prove(session, from, &counters, err);
  if (rp_group_size(session->device) == 1) return status == RP_OK ? read_node_times(recording, p, err) : status;
  for (uint32_t i = 0; status == RP_OK && (piece = rp_recording_piece(recording, i, NULL)); i++)
    status = read_node_times(piece, p, err);
  return status;
}

/* Checks what the command line says, before anything is opened. *status: whether the files are of the kinds that are
 * expected. */
static cli_exit check(const cli_call *call, bool gnark, rp_status *status, rp_error *err) {
  const options *o = call->options;
  const char *const paths[] = {call->args[0],        call->args[1], o->gnark.vkey,
                               o->gnark.commitments, o->trace,      "-"}; /* the tables go to standard output */
  const cli_expected expected[] = {
      {call->args[0], CLI_WANT_KEY | CLI_WANT_GNARK_KEY, cli_any_key},
      {call->args[1], gnark ? CLI_WANT_GNARK_SOLUTION : CLI_WANT_WTNS, gnark ? cli_a_solution : cli_a_witness},
      {o->trace, CLI_WANT_OUTPUT, NULL},
      {o->gnark.vkey, CLI_WANT_VKEY, cli_gnark_vkey}};
  cli_exit code = cli_check_outputs(call, paths, 4, 6);
  *status = code == CLI_OK ? cli_expect_kinds(expected, 4, err) : RP_OK;
  if (code == CLI_OK && *status == RP_OK) code = cli_gnark_check_options(call, call->args[0], &o->gnark, 0);
  if (code == CLI_OK && o->trace && call->n_devices)
    code = cli_refuse(call, CLI_USAGE, "--trace is of one device, and --device lists several");
  return code;
}

/* Key, witness, device and prover, and the file of the trace. */
static rp_status open_all(const cli_call *call, cli_session *session, const rp_groth16_prover_options *with,
                          source *from, trace *t, rp_error *err) {
  const options *o = call->options;
  rp_status status = cli_gnark_open_key(call, session, call->args[0], &o->gnark, err);
  if (status == RP_OK && !from->solution) status = cli_check_witness(session, call->args[0], call->args[1], err);
  if (status == RP_OK && !from->solution) status = cli_read(call->args[1], SIZE_MAX, &from->witness, err);
  if (status == RP_OK && o->trace) status = support_output_begin(o->trace, &t->output, err);
  if (status == RP_OK) status = cli_open_device(call, session, err);
  return status == RP_OK ? cli_open_any_prover(call, session, with, err) : status;
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  cli_session session = {0};
  const bool gnark = cli_gnark_is_key(call->args[0]);
  source from = {.solution = gnark ? call->args[1] : NULL};
  profile p = {.counters.struct_size = sizeof p.counters, .plan.struct_size = sizeof p.plan};
  trace t = {0};
  rp_error err = {0};
  /* The proofs are discarded, so a key of gnark may be measured without its verifying key. */
  rp_groth16_prover_options with = {.tables = !o->no_tables,
                                    .no_verify =
                                        gnark && cli_kind_of(call->args[0]) != RP_FILE_PRERECORDED && !o->gnark.vkey};
  rp_status status;
  const cli_exit code = check(call, gnark, &status, &err);
  if (code != CLI_OK) return code;
  if (status == RP_OK) status = open_all(call, &session, &with, &from, &t, &err);
  cli_progress *progress = cli_progress_begin("profiling");
  if (status == RP_OK) status = measure(&session, &from, o->runs ? o->runs : 3, &p, &err);
  if (status == RP_OK) {
    rp_recording_get_plan(cli_recording_of(&session), &p.plan);
    p.load_ns = session.load_ns;
    p.record_ns = session.record_ns;
    cli_close_prover(&session);
    with.flags = RP_RECORD_PROFILE;
    with.inspect = inspect;
    with.inspect_user = &t;
  }
  cli_progress_end(progress);
  if (status == RP_OK) status = cli_open_any_prover(call, &session, &with, &err);
  if (status == RP_OK) status = prove_and_read_times(&session, &from, &p, &err);
  if (status == RP_OK && t.status != RP_OK) status = t.status, err = t.err;
  if (status == RP_OK && t.output)
    status = support_output_commit(&t.output, 1, &err);
  else
    support_output_abort(t.output);
  if (status == RP_OK) profile_print(&p, call->json);
  profile_free(&p);
  cli_release(&from.witness);
  cli_close(&session);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

const cli_command cli_profile = {
    .name = "profile",
    .arguments = "KEY WITNESS",
    .summary = "Show where the time of a proof goes, and count what it cost",
    .details = "KEY is a zkey, of Groth16, PLONK or FFLONK, a proving key of gnark, or a recorded file. Times of "
               "dispatches are from a run that "
               "measures each of them, and of "
               "dispatches that overlap they add up to more than the latency, which is that of an undisturbed run. "
               "--device may list several devices, whose dispatches are added up; --trace is of one device.",
    .min_args = 2,
    .max_args = 2,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE | CLI_TAKES_DEVICES | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
