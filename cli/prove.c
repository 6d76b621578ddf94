/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise prove: one proof from a key and a witness, in rapidsnark's order of arguments.
 */
#include "gnark.h"

#include "text/error.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct options {
  bool check_points, no_verify;
  cli_gnark_options gnark;
} options;

enum { OPTION_CHECK = 0x100, OPTION_NO_VERIFY };
static const struct argp_option own[] = {
    {"check-points", OPTION_CHECK, 0, 0, "Check that every point of the key is on its curve and in its subgroup", 1},
    {"no-verify", OPTION_NO_VERIFY, 0, 0, "Release the proof without checking that it verifies", 1},
    CLI_GNARK_OPTIONS,
    CLI_GNARK_POINTS_OPTION,
    CLI_GNARK_COMPRESSED_OPTION,
    CLI_GNARK_GIVEN_OPTIONS,
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  (void)state;
  switch (key) {
  case OPTION_CHECK: o->check_points = 1; return 0;
  case OPTION_NO_VERIFY: o->no_verify = 1; return 0;
  default: return cli_gnark_option(key, arg, &o->gnark);
  }
}

static void print_json(const cli_session *session, uint64_t prove_ns, const rp_run_counters *counters) {
  rp_device_info device = {.struct_size = sizeof device};
  rp_device_get_info(session->device, &device);
  json_t *out = json_pack(
      "{s:s, s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:i, s:I, s:I}", "device", rp_device_kind_name(device.kind), "load_ms",
      (double)session->load_ns / 1e6, "record_ms", (double)session->record_ns / 1e6, "prove_ms", (double)prove_ns / 1e6,
      "run_ms", (double)counters->latency_ns / 1e6, "submissions", (int)counters->submissions, "waits",
      (int)counters->waits, "uploads", (int)counters->uploads, "downloads", (int)counters->downloads, "bytes_up",
      (json_int_t)counters->bytes_up, "bytes_down", (json_int_t)counters->bytes_down);
  json_dumpf(out, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(out);
}

static void print_summary(const cli_call *call, const cli_session *s, uint64_t prove_ns) {
  char all[32], load[32], record[32], prove[32];
  cli_tell(call, "wrote %s and %s in %s: key %s, recording %s, proof %s", support_label(call->args[2]),
           support_label(call->args[3]), cli_time_text(s->load_ns + s->check_ns + s->record_ns + prove_ns, all),
           cli_time_text(s->load_ns, load), cli_time_text(s->record_ns, record), cli_time_text(prove_ns, prove));
}

/* Makes a proof of any kind, and its files. */
static rp_status prove(const cli_call *call, cli_session *session, bool gnark, cli_proof_files *files,
                       rp_run_counters *counters, uint64_t *prove_ns, rp_error *err) {
  const options *o = call->options;
  const uint64_t n_public = cli_n_public(session);
  rp_gnark_proof of_gnark;
  cli_proof proof;
  uint8_t *signals = malloc((size_t)n_public * 32 + 1);
  if (!signals) return err->status = RP_ERR_MEMORY;
  cli_progress *progress = cli_progress_begin("proving");
  const uint64_t begin = cli_now_ns();
  rp_status status = gnark ? cli_gnark_prove_file(session, call->args[1], &o->gnark, &of_gnark, signals, counters, err)
                           : cli_prove_file(session, call->args[1], &proof, signals, counters, err);
  *prove_ns = cli_now_ns() - begin;
  cli_progress_end(progress);
  if (status == RP_OK)
    status = gnark ? cli_gnark_commit(files, &of_gnark, o->gnark.compressed, signals, n_public, err)
                   : cli_proof_commit(files, cli_protocol_of_session(session), &proof, signals, n_public, err);
  free(signals);
  return status;
}

static rp_status open_key(const cli_call *call, cli_session *session, bool gnark, rp_error *err) {
  const options *o = call->options;
  cli_gnark_options with = o->gnark;
  with.points_in_place = !o->check_points;
  const rp_status status = cli_gnark_open_key(call, session, call->args[0], &with, err);
  return status == RP_OK && !gnark ? cli_check_witness(session, call->args[0], call->args[1], err) : status;
}

/* Refuses options that do not apply to this kind of key. */
static cli_exit check_options(const cli_call *call) {
  const options *o = call->options;
  if (o->no_verify && cli_protocol_of(call->args[0]) != CLI_GROTH16)
    return cli_refuse(call, CLI_USAGE, "--no-verify is for Groth16: proofs of PLONK and FFLONK are always verified");
  if (o->check_points && o->gnark.points_in_file)
    return cli_refuse(call, CLI_USAGE, "--check-points needs the points in memory: leave out --points-in-file");
  return cli_gnark_check_options(call, call->args[0], &o->gnark, !o->no_verify);
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  const rp_groth16_prover_options prover_options = {.no_verify = (uint32_t)o->no_verify};
  const bool gnark = cli_gnark_is_key(call->args[0]);
  rp_error err = {0};
  cli_session session = {0};
  cli_proof_files files = {0};
  rp_run_counters counters = {.struct_size = sizeof counters};
  uint64_t prove_ns = 0;

  const cli_expected expected[] = {
      {call->args[0], CLI_WANT_KEY | CLI_WANT_GNARK_KEY, cli_any_key},
      {call->args[1], gnark ? CLI_WANT_GNARK_SOLUTION : CLI_WANT_WTNS, gnark ? cli_a_solution : cli_a_witness},
      {call->args[2], CLI_WANT_OUTPUT, NULL},
      {call->args[3], CLI_WANT_OUTPUT, NULL},
      {o->gnark.vkey, CLI_WANT_VKEY, cli_gnark_vkey}};
  const char *const paths[] = {call->args[0],        call->args[1],      o->gnark.vkey,
                               o->gnark.commitments, o->gnark.committed, o->gnark.knowledge,
                               call->args[2],        call->args[3],      call->json ? "-" : NULL};
  cli_exit code = cli_check_outputs(call, paths, 6, 9);
  rp_status status = code == CLI_OK ? cli_expect_kinds(expected, 5, &err) : RP_OK;
  if (code == CLI_OK && status == RP_OK) code = check_options(call);
  if (code != CLI_OK) return code;
  if (status == RP_OK) status = open_key(call, &session, gnark, &err);
  if (status == RP_OK) status = cli_proof_begin(&files, call->args[2], call->args[3], &err);
  if (status == RP_OK) status = cli_open_device(call, &session, &err);
  if (status == RP_OK && o->check_points) status = cli_check_points(&session, &err);
  if (status == RP_OK) status = cli_open_any_prover(call, &session, &prover_options, &err);
  if (status == RP_OK) status = prove(call, &session, gnark, &files, &counters, &prove_ns, &err);
  if (status != RP_OK) cli_proof_abort(&files);
  if (status == RP_OK && call->json) print_json(&session, prove_ns, &counters);
  if (status == RP_OK) print_summary(call, &session, prove_ns);
  if (status == RP_ERR_VERIFY) cli_name_files(&err, call->args[1], call->args[0]);

  cli_close(&session);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

const cli_command cli_prove = {
    .name = "prove",
    .arguments = "ZKEY WITNESS PROOF PUBLIC",
    .summary = "Prove one witness; writes proof.json and public.json",
    .details =
        "ZKEY is a proving key of snarkjs, of Groth16, PLONK or FFLONK, or a file that reprise record made. PROOF and "
        "PUBLIC "
        "appear together or "
        "not at all, and only after the proof has been verified. With a proving key of gnark WITNESS is a solution, "
        "PROOF and PUBLIC are gnark's, and --vkey gives the verifying key, unless the key was recorded. --device may "
        "list several devices, which make a proof together: cuda:0,cuda:1, or cuda:* for all of a kind. The points "
        "of a zkey are used where they lie in the file, which may be replaced meanwhile, but not changed.",
    .min_args = 4,
    .max_args = 4,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE | CLI_TAKES_DEVICES | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
