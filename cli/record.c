/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise record: prepares a key once and writes it to a file that is opened by mapping it.
 */
#include "gnark.h"

#include "text/error.h"

#include <jansson.h>

typedef struct options {
  bool no_check_points;
  cli_gnark_options gnark;
} options;

enum { OPTION_NO_CHECK = 0x100 };
static const struct argp_option own[] = {
    {"no-check-points", OPTION_NO_CHECK, 0, 0,
     "Leave out the check that every point of the key is on its curve and in its subgroup; OUT says so", 1},
    CLI_GNARK_OPTIONS,
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  (void)state;
  switch (key) {
  case OPTION_NO_CHECK: o->no_check_points = 1; return 0;
  default: return cli_gnark_option(key, arg, &o->gnark);
  }
}

static void print_summary(const cli_call *call, const cli_session *s, uint64_t save_ns) {
  char all[32], load[32], check[32], record[32], save[32];
  cli_tell(call, "wrote %s in %s: key %s, check of its points %s, recording %s, writing %s",
           support_label(call->args[1]), cli_time_text(s->load_ns + s->check_ns + s->record_ns + save_ns, all),
           cli_time_text(s->load_ns, load), s->check_ns ? cli_time_text(s->check_ns, check) : "left out",
           cli_time_text(s->record_ns, record), cli_time_text(save_ns, save));
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  const rp_groth16_prover_options prover_options = {0}; /* the file contains no tables */
  cli_session session = {0};
  rp_error err = {0};
  uint64_t save_ns = 0;
  const cli_expected expected[] = {{call->args[0], CLI_WANT_KEY | CLI_WANT_GNARK_KEY, cli_any_key},
                                   {call->args[1], CLI_WANT_OUTPUT_KEY, NULL},
                                   {o->gnark.vkey, CLI_WANT_VKEY, cli_gnark_vkey}};
  const char *const paths[] = {call->args[0], o->gnark.vkey, o->gnark.commitments, call->args[1]};
  cli_exit code = cli_check_outputs(call, paths, 3, 4);
  rp_status status = code == CLI_OK ? cli_expect_kinds(expected, 3, &err) : RP_OK;
  if (code == CLI_OK && status == RP_OK) code = cli_gnark_check_options(call, call->args[0], &o->gnark, 1);
  if (code != CLI_OK) return code;
  if (status == RP_OK) status = cli_gnark_open_key(call, &session, call->args[0], &o->gnark, &err);
  if (status == RP_OK) status = cli_open_device(call, &session, &err);
  if (status == RP_OK && !o->no_check_points) status = cli_check_points(&session, &err);
  if (status == RP_OK) status = cli_open_any_prover(call, &session, &prover_options, &err);
  if (status == RP_OK) {
    cli_progress *progress = cli_progress_begin("writing");
    uint64_t begin = cli_now_ns();
    status = cli_save(&session, call->args[1], &err);
    save_ns = cli_now_ns() - begin;
    cli_progress_end(progress);
  }
  if (status == RP_OK && call->json) {
    rp_plan_info plan = {.struct_size = sizeof plan};
    rp_recording_get_plan(cli_recording_of(&session), &plan);
    json_t *out = json_pack("{s:f, s:f, s:f, s:f, s:I, s:i}", "load_ms", (double)session.load_ns / 1e6, "check_ms",
                            (double)session.check_ns / 1e6, "record_ms", (double)session.record_ns / 1e6, "save_ms",
                            (double)save_ns / 1e6, "device_bytes", (json_int_t)plan.total_bytes, "dispatches",
                            (int)plan.dispatches);
    json_dumpf(out, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(out);
  }
  if (status == RP_OK) print_summary(call, &session, save_ns);
  cli_close(&session);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

const cli_command cli_record = {
    .name = "record",
    .arguments = "ZKEY OUT",
    .summary = "Prepare a key once, for replay",
    .details =
        "ZKEY is of Groth16, PLONK or FFLONK, or a proving key of gnark, with its verifying key by --vkey. Every point "
        "of it that proofs use is checked, unless --no-check-points "
        "is given, and OUT says whether it was. OUT opens by "
        "mapping, without parsing or recomputing, and is refused when it is damaged or was made by another version. It "
        "holds no secret, and nothing that depends on --device, which checks the points (the first one of a list) and "
        "must have room for the key. By custom its name ends in .rpk.",
    .min_args = 2,
    .max_args = 2,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE | CLI_TAKES_DEVICES | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
