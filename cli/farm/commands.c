/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The options of the commands, which are the same with and without libpq.
 */
#include "farm.h"

enum {
  OPTION_VERIFY = 0x100,
  OPTION_VKEY,
  OPTION_ID,
  OPTION_DEADLINE,
  OPTION_ATTEMPTS,
  OPTION_TIMEOUT,
  OPTION_NAME,
  OPTION_CACHE_DIR,
  OPTION_CACHE_BYTES,
  OPTION_RESIDENT,
  OPTION_BATCH,
  OPTION_LEASE,
  OPTION_PATIENCE,
  OPTION_END_AFTER,
  OPTION_UNTIL_EMPTY,
  OPTION_METRICS,
  OPTION_NO_WAIT
};

static const struct argp_option of_submit[] = {
    {"wait", 'w', 0, 0, "Wait for the proofs and write them to files", 1},
    {"verify", OPTION_VERIFY, 0, 0, "With --wait: verify every proof here before it is written", 1},
    {"vkey", OPTION_VKEY, "FILE", 0, "Verify with this verification key (JSON) instead of the one of KEY", 1},
    {"output-dir", 'o', "DIR", 0, "With --wait: folder for the results (default: the current one)", 1},
    {"id", OPTION_ID, "NAME", 0, "Idempotency: the same NAME and witness file never make a second job", 1},
    {"priority", 'p', "N", 0, "Larger is sooner, at most 1000 (default: 0)", 1},
    {"deadline", OPTION_DEADLINE, "SECONDS", 0, "No attempt begins later than this from now", 1},
    {"attempts", OPTION_ATTEMPTS, "N", 0, "Attempts before a job is dead (default: 5)", 1},
    {"timeout", OPTION_TIMEOUT, "SECONDS", 0, "Give up waiting, and trying to reach the database, after this time", 1},
    {0},
};

static const struct argp_option of_work[] = {
    {"name", OPTION_NAME, "NAME", 0, "Name of this worker (default: the host's name and the process)", 1},
    {"cache-dir", OPTION_CACHE_DIR, "DIR", 0, "Where fetched keys are kept (default: reprise-farm in the user's cache)",
     1},
    {"cache-bytes", OPTION_CACHE_BYTES, "BYTES", 0, "How much of them is kept (default: 64G)", 1},
    {"resident", OPTION_RESIDENT, "N", 0, "Keys ready to prove at once (default: 4)", 1},
    {"batch", OPTION_BATCH, "N", 0, "Jobs claimed at once, at most 1024 (default: 64)", 1},
    {"in-flight", 'n', "N", 0, "Proofs computed at once (default: 2)", 1},
    {"lease", OPTION_LEASE, "SECONDS", 0,
     "After this time without a sign of this worker, others take its jobs "
     "(default: 30)",
     1},
    {"patience", OPTION_PATIENCE, "SECONDS", 0,
     "How long jobs of other keys wait while there are jobs of resident ones "
     "(default: 10)",
     1},
    {"end-after", OPTION_END_AFTER, "N", 0, "End after this many results", 1},
    {"until-empty", OPTION_UNTIL_EMPTY, 0, 0, "End when no job is ready", 1},
    {0},
};

static const struct argp_option of_status[] = {
    {"metrics", OPTION_METRICS, 0, 0, "Print metrics in the text format of Prometheus", 1},
    {0},
};

static const struct argp_option of_drain[] = {
    {"no-wait", OPTION_NO_WAIT, 0, 0, "Do not wait until the workers have ended", 1},
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  farm_options *o = call->options;
  switch (key) {
  case 'w': o->wait = 1; return 0;
  case 'o': o->output_dir = arg; return 0;
  case 'p': o->priority = (int)cli_parse_number(arg, 0, 1000, "--priority", state); return 0;
  case 'n': o->in_flight = (uint32_t)cli_parse_number(arg, 1, 64, "--in-flight", state); return 0;
  case OPTION_VERIFY: o->verify = 1; return 0;
  case OPTION_VKEY: o->vkey = arg; return 0;
  case OPTION_ID: o->id = arg; return 0;
  case OPTION_DEADLINE: o->deadline = (uint32_t)cli_parse_number(arg, 1, 1u << 30, "--deadline", state); return 0;
  case OPTION_ATTEMPTS: o->attempts = (uint32_t)cli_parse_number(arg, 1, 1u << 20, "--attempts", state); return 0;
  case OPTION_TIMEOUT: o->timeout = (uint32_t)cli_parse_number(arg, 1, 1u << 30, "--timeout", state); return 0;
  case OPTION_NAME: o->name = arg; return 0;
  case OPTION_CACHE_DIR: o->cache_dir = arg; return 0;
  case OPTION_CACHE_BYTES: o->cache_bytes = cli_parse_bytes(arg, "--cache-bytes", state); return 0;
  case OPTION_RESIDENT: o->resident = (uint32_t)cli_parse_number(arg, 1, 64, "--resident", state); return 0;
  case OPTION_BATCH: o->batch = (uint32_t)cli_parse_number(arg, 1, 1024, "--batch", state); return 0;
  case OPTION_LEASE: o->lease = (uint32_t)cli_parse_number(arg, 1, 86400, "--lease", state); return 0;
  case OPTION_PATIENCE: o->patience = (uint32_t)cli_parse_number(arg, 0, 86400, "--patience", state); return 0;
  case OPTION_END_AFTER: o->end_after = (uint32_t)cli_parse_number(arg, 1, 1u << 30, "--end-after", state); return 0;
  case OPTION_UNTIL_EMPTY: o->until_empty = 1; return 0;
  case OPTION_METRICS: o->metrics = 1; return 0;
  case OPTION_NO_WAIT: o->no_wait = 1; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

#define SHARED .options_bytes = sizeof(farm_options), .option = option

const cli_command cli_farm_init = {
    .name = "farm init",
    .arguments = "URL",
    .summary = "Create a queue of proofs in PostgreSQL, or migrate it",
    .details = "URL is postgresql://USER@HOST/DATABASE or a connection string of libpq; passwords belong in "
               "~/.pgpass. Creates the schema reprise and the roles reprise_submitter, reprise_worker and "
               "reprise_reader. A farm that a newer reprise made is refused.",
    .min_args = 1,
    .max_args = 1,
    SHARED,
    .run = farm_run_init,
};

const cli_command cli_farm_submit = {
    .name = "farm submit",
    .arguments = "URL KEY WITNESS...",
    .summary = "Put witnesses into the queue, and wait for their proofs",
    .details =
        "KEY is a zkey of Groth16, PLONK or FFLONK, which is sent if the farm does not have it, or the SHA-256 of one "
        "that it has. Prints the number of each job; with --wait writes NAME.proof.json and NAME.public.json "
        "for NAME.wtns.",
    .min_args = 3,
    .max_args = 1u << 20,
    .takes = CLI_TAKES_JSON,
    .own = of_submit,
    SHARED,
    .run = farm_run_submit,
};

const cli_command cli_farm_work = {
    .name = "farm work",
    .arguments = "URL",
    .summary = "Prove what is in the queue, until told to end",
    .details = "On SIGTERM and SIGINT the worker finishes what it is proving, gives back the rest and ends with exit "
               "code 0. Each proof is verified before it is stored.",
    .min_args = 1,
    .max_args = 1,
    .takes = CLI_TAKES_DEVICE | CLI_TAKES_JSON,
    .own = of_work,
    SHARED,
    .run = farm_run_work,
};

const cli_command cli_farm_status = {
    .name = "farm status",
    .arguments = "URL",
    .summary = "Show the queue, its workers and what failed",
    .min_args = 1,
    .max_args = 1,
    .takes = CLI_TAKES_JSON,
    .own = of_status,
    SHARED,
    .run = farm_run_status,
};

const cli_command cli_farm_drain = {
    .name = "farm drain",
    .arguments = "URL [WORKER]",
    .summary = "Let workers finish what they hold and end",
    .details = "Without WORKER, all of them. Jobs stay in the queue; workers that begin later take them.",
    .min_args = 1,
    .max_args = 2,
    .own = of_drain,
    SHARED,
    .run = farm_run_drain,
};
