/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise farm submit. Every job has an idempotency key, given or random, so that a call whose answer was lost can be
 * repeated.
 */
#include "submit.h"

#include "gnark.h"
#include "keys.h"
#include "replay.h"
#include "schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static bool is_digest(const char *text, uint8_t sha256[32]) {
  static const char digits[] = "0123456789abcdef";
  if (strlen(text) != 64 || strspn(text, digits) != 64) return 0;
  for (int i = 0; i < 32; i++)
    sha256[i] = (uint8_t)((strchr(digits, text[2 * i]) - digits) << 4 | (strchr(digits, text[2 * i + 1]) - digits));
  return 1;
}

static rp_status make_id(farm_submission *s, rp_error *err) {
  const farm_options *o = s->call->options;
  uint64_t random[2];
  if (o->id && strlen(o->id) >= sizeof s->id) {
    snprintf(err->reason, sizeof err->reason, "--id has more than 199 bytes");
    return err->status = RP_ERR_ARGUMENT;
  }
  if (!o->id && getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return err->status = RP_ERR_UNAVAILABLE;
  if (o->id)
    snprintf(s->id, sizeof s->id, "%s", o->id);
  else
    snprintf(s->id, sizeof s->id, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
  return RP_OK;
}

static void print_jobs(const farm_submission *s) {
  json_t *all = json_array();
  for (unsigned i = 0; i < s->n; i++) {
    if (!s->call->json) printf("%" PRId64 "\n", s->jobs[i]);
    json_array_append_new(
        all, json_pack("{s:o, s:I}", "witness", cli_json_text(s->call->args[2 + i]), "job", (json_int_t)s->jobs[i]));
  }
  json_t *out = json_pack("{s:o, s:o, s:I}", "id", cli_json_text(s->id), "jobs", all, "dead", (json_int_t)s->n_dead);
  if (s->call->json) json_dumpf(out, stdout, JSON_INDENT(2));
  if (s->call->json) putchar('\n');
  json_decref(out);
}

/* Checks the options, and that no output would replace another one or an input. */
static cli_exit check(const cli_call *call) {
  const farm_options *o = call->options;
  uint8_t ignored[32];
  if (!o->wait && (o->verify || o->vkey || o->output_dir))
    return cli_refuse(call, CLI_USAGE, "--verify, --vkey and --output-dir need --wait");
  if (o->verify && !o->vkey && is_digest(call->args[1], ignored))
    return cli_refuse(call, CLI_USAGE, "--verify needs the key's file, or --vkey");
  cli_call files = *call; /* without the URL, the arguments are those of replay */
  files.args++;
  files.n_args--;
  return o->wait ? replay_check_paths(&files, o->output_dir ? o->output_dir : ".", o->vkey) : CLI_OK;
}

/* Of gnark's keys, only a recorded one has all that a worker needs. The key says whether it takes witnesses or
 * solutions; for a key that is named by its digest, both are accepted here. */
static rp_status check_key(farm_submission *s, bool has_digest, rp_error *err) {
  const bool gnark = !has_digest && cli_gnark_is_key(s->call->args[1]);
  const cli_expected expected = {s->call->args[1], CLI_WANT_ZKEY | (gnark ? 1u << RP_FILE_PRERECORDED : 0),
                                 "a key (.zkey, or one of gnark that was recorded)"};
  s->witness_kinds = has_digest ? CLI_WANT_WTNS | CLI_WANT_GNARK_SOLUTION
                     : gnark    ? CLI_WANT_GNARK_SOLUTION
                                : CLI_WANT_WTNS;
  return has_digest ? RP_OK : cli_expect_kinds(&expected, 1, err);
}

static rp_status submit(farm_submission *s, rp_error *err) {
  const farm_options *o = s->call->options;
  const bool has_digest = is_digest(s->call->args[1], s->sha256);
  rp_status status = check_key(s, has_digest, err);
  if (status == RP_OK) status = make_id(s, err);
  if (status == RP_OK && o->verify) status = farm_verifier_open(s->call, &s->verifier, err);
  if (status == RP_OK) status = farm_open(&s->db, err);
  /* Without a timeout, a wrong address is reported at once. */
  if (status != RP_OK && o->timeout) status = farm_try_again(s, status, err);
  while (status == RP_OK && !has_digest) {
    status = farm_send_key(&s->db, s->call->args[1], s->sha256, err);
    if (status == RP_OK) break;
    status = farm_try_again(s, status, err);
  }
  if (status == RP_OK) status = farm_submit_witnesses(s, err);
  return status == RP_OK && o->wait ? farm_wait_for_results(s, err) : status;
}

cli_exit farm_run_submit(const cli_call *call) {
  const farm_options *o = call->options;
  farm_submission s = {.call = call,
                       .db = {.url = call->args[0], .program = "reprise farm submit"},
                       .backoff = {.least_ns = 50000000, .most_ns = UINT64_C(5000000000)},
                       .n = call->n_args - 2};
  const uint64_t limit = o->timeout ? o->timeout : o->wait ? 0 : 60;
  cli_folder made = {0};
  rp_error err = {0};
  s.until_ns = limit ? farm_now_ns() + limit * UINT64_C(1000000000) : UINT64_MAX;
  s.jobs = calloc(s.n, sizeof *s.jobs);
  if (!s.jobs) return cli_refuse(call, CLI_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY));
  if (o->wait && cli_make_folder(o->output_dir ? o->output_dir : ".", &made, &err) != RP_OK) {
    free(s.jobs);
    return cli_fail(call, &err);
  }
  cli_exit code = check(call);
  if (code == CLI_OK && submit(&s, &err) != RP_OK) code = cli_fail(call, &err);
  if (code == CLI_OK) print_jobs(&s);
  if (code == CLI_OK && s.n_dead) code = CLI_REFUSED;
  cli_end_folder(&made, code == CLI_OK);
  farm_verifier_close(&s.verifier);
  farm_disconnect(&s.db);
  free(s.jobs);
  return code == CLI_OK ? cli_finish(call) : code;
}
