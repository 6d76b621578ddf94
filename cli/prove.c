/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise prove: one proof from a key and a witness, in rapidsnark's order of arguments.
 */
#include "cli.h"

#include "formats/fail.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct options {
  int check_points, no_verify;
} options;

enum { OPTION_CHECK = 0x100, OPTION_NO_VERIFY };
static const struct argp_option own[] = {
    {"check-points", OPTION_CHECK, 0, 0, "Check that every point of the key is on its curve and in its subgroup", 1},
    {"no-verify", OPTION_NO_VERIFY, 0, 0, "Release the proof without checking that it verifies", 1},
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  (void)arg, (void)state;
  switch (key) {
  case OPTION_CHECK: o->check_points = 1; return 0;
  case OPTION_NO_VERIFY: o->no_verify = 1; return 0;
  default: return ARGP_ERR_UNKNOWN;
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

static void tell(const cli_call *call, const cli_session *s, uint64_t prove_ns) {
  char all[32], load[32], record[32], prove[32];
  cli_tell(call, "wrote %s and %s in %s: key %s, recording %s, proof %s", g16_label(call->args[2]),
           g16_label(call->args[3]), cli_time_text(s->load_ns + s->check_ns + s->record_ns + prove_ns, all),
           cli_time_text(s->load_ns, load), cli_time_text(s->record_ns, record), cli_time_text(prove_ns, prove));
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  const rp_groth16_prover_options prover_options = {.no_verify = (uint32_t)o->no_verify};
  rp_error err = {0};
  cli_session session = {0};
  cli_proof_files files = {0};
  rp_groth16_proof proof;
  rp_groth16_key_info info = {.struct_size = sizeof info};
  rp_run_counters counters = {.struct_size = sizeof counters};
  uint8_t *signals = NULL;
  uint64_t prove_ns = 0;

  const cli_expected expected[] = {{call->args[0], CLI_WANT_KEY, cli_a_key},
                                   {call->args[1], CLI_WANT_WTNS, cli_a_witness},
                                   {call->args[2], CLI_WANT_OUTPUT, NULL},
                                   {call->args[3], CLI_WANT_OUTPUT, NULL}};
  const char *const paths[] = {call->args[0], call->args[1], call->args[2], call->args[3], call->json ? "-" : NULL};
  const cli_exit code = cli_check_outputs(call, paths, 2, 5);
  if (code != CLI_OK) return code;
  rp_status status = cli_expect_kinds(expected, 4, &err);
  if (status == RP_OK) status = cli_open_key(call, &session, call->args[0], &err);
  if (status == RP_OK) status = cli_check_witness(&session, call->args[0], call->args[1], &err);
  if (status == RP_OK) status = cli_proof_begin(&files, call->args[2], call->args[3], &err);
  if (status == RP_OK) status = cli_open_device(call, &session, &err);
  if (status == RP_OK && o->check_points) status = cli_check_points(&session, &err);
  if (status == RP_OK) status = cli_open_prover(call, &session, &prover_options, &err);
  if (status == RP_OK) {
    rp_groth16_key_get_info(session.key, &info);
    signals = malloc((size_t)info.n_public * 32 + 1);
    if (!signals) err.status = status = RP_ERR_MEMORY;
  }
  if (status == RP_OK) {
    cli_progress *progress = cli_progress_begin("proving");
    uint64_t begin = cli_now_ns();
    status = rp_groth16_prove_file(session.prover, call->args[1], &proof, signals, &counters, &err);
    prove_ns = cli_now_ns() - begin;
    cli_progress_end(progress);
  }
  if (status == RP_OK)
    status = cli_proof_commit(&files, &proof, signals, info.n_public, &err);
  else
    cli_proof_abort(&files);
  if (status == RP_OK && call->json) print_json(&session, prove_ns, &counters);
  if (status == RP_OK) tell(call, &session, prove_ns);
  if (status == RP_ERR_VERIFY) cli_name_files(&err, call->args[1], call->args[0]);

  free(signals);
  cli_close(&session);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

const cli_command cli_prove = {
    .name = "prove",
    .arguments = "ZKEY WITNESS PROOF PUBLIC",
    .summary = "Prove one witness; writes proof.json and public.json",
    .details =
        "ZKEY is a proving key of snarkjs, or a file that reprise record made. PROOF and PUBLIC appear together or "
        "not at all, and only after the proof has been verified.",
    .min_args = 4,
    .max_args = 4,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
