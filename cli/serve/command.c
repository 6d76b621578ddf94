/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The options of reprise serve, which are the same with and without libmicrohttpd.
 */
#include "options.h"

enum {
  OPTION_TOKEN_FILE = 0x100,
  OPTION_PROGRAMS,
  OPTION_QUEUE,
  OPTION_RESIDENT,
  OPTION_CONNECTIONS,
  OPTION_PATIENCE,
  OPTION_TIMEOUT,
  OPTION_GRACE,
  OPTION_BODY_BYTES,
  OPTION_WITNESS_BYTES
};

static const struct argp_option own[] = {
    {"listen", 'l', "ADDRESS:PORT", 0, "Where to listen; port 0: any that is free (default: 127.0.0.1:8080)", 1},
    {"token-file", OPTION_TOKEN_FILE, "FILE", 0,
     "Ask for the bearer token in this file (default: that of REPRISE_SERVE_TOKEN, or none)", 1},
    {"queue", OPTION_QUEUE, "N", 0, "Jobs that may wait (default: 256)", 1},
    {"resident", OPTION_RESIDENT, "N", 0, "Keys ready to prove at once, if there is memory (default: 16)", 1},
    {"in-flight", 'n', "N", 0, "Proofs computed at once on each device (default: 2)", 1},
    {"patience", OPTION_PATIENCE, "SECONDS", 0,
     "How long jobs of other keys wait while there are jobs of resident ones (default: 10)", 1},
    {"body-bytes", OPTION_BODY_BYTES, "BYTES", 0, "Largest body of a request (default: 1G)", 1},
    {"witness-bytes", OPTION_WITNESS_BYTES, "BYTES", 0, "All bodies in memory together (default: 4G)", 1},
    {"connections", OPTION_CONNECTIONS, "N", 0, "Connections at once (default: 1000)", 1},
    {"timeout", OPTION_TIMEOUT, "SECONDS", 0, "For a client to send a request, and to take the answer (default: 30)",
     1},
    {"grace", OPTION_GRACE, "SECONDS", 0, "How long jobs that wait are still begun after SIGTERM (default: 30)", 1},
    {"programs", OPTION_PROGRAMS, "DIR", 0, "Programs of circom, named as the keys, that compute witnesses from inputs",
     1},
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  serve_options *o = call->options;
  switch (key) {
  case 'l': o->listen = arg; return 0;
  case 'n': o->in_flight = (uint32_t)cli_parse_number(arg, 1, 64, "--in-flight", state); return 0;
  case OPTION_TOKEN_FILE: o->token_file = arg; return 0;
  case OPTION_PROGRAMS: o->programs = arg; return 0;
  case OPTION_QUEUE: o->queue = (uint32_t)cli_parse_number(arg, 1, 1u << 20, "--queue", state); return 0;
  case OPTION_RESIDENT: o->resident = (uint32_t)cli_parse_number(arg, 1, 64, "--resident", state); return 0;
  case OPTION_CONNECTIONS:
    o->connections = (uint32_t)cli_parse_number(arg, 1, 1u << 20, "--connections", state);
    return 0;
  case OPTION_PATIENCE:
    o->patience = (uint32_t)cli_parse_number(arg, 0, 86400, "--patience", state);
    o->has_patience = 1;
    return 0;
  case OPTION_TIMEOUT: o->timeout = (uint32_t)cli_parse_number(arg, 1, 86400, "--timeout", state); return 0;
  case OPTION_GRACE:
    o->grace = (uint32_t)cli_parse_number(arg, 0, 86400, "--grace", state);
    o->has_grace = 1;
    return 0;
  case OPTION_BODY_BYTES: o->body_bytes = cli_parse_bytes(arg, "--body-bytes", state); return 0;
  case OPTION_WITNESS_BYTES: o->witness_bytes = cli_parse_bytes(arg, "--witness-bytes", state); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static cli_exit run(const cli_call *call) {
  serve_options *o = call->options; /* of this call only */
  if (!o->listen) o->listen = "127.0.0.1:8080";
  if (!o->queue) o->queue = 256;
  if (!o->resident) o->resident = 16;
  if (!o->in_flight) o->in_flight = 2;
  if (!o->connections) o->connections = 1000;
  if (!o->has_patience) o->patience = 10;
  if (!o->timeout) o->timeout = 30;
  if (!o->has_grace) o->grace = 30;
  if (!o->body_bytes) o->body_bytes = UINT64_C(1) << 30;
  if (!o->witness_bytes) o->witness_bytes = UINT64_C(4) << 30;
  return serve_run(call);
}

const cli_command cli_serve = {
    .name = "serve",
    .arguments = "DIR",
    .summary = "Prove for others over HTTP, with the keys in a folder",
    .details = "Every key in DIR (NAME.zkey of Groth16, PLONK or FFLONK, or a recorded NAME.rpk) can be named in "
               "POST /prove?key=NAME, whose body is a witness. It is opened when it is first needed and stays resident "
               "while there is memory. Prints the address when it is ready. --device may list several devices, as for "
               "replay. On SIGTERM and SIGINT it refuses new jobs, finishes the others and ends with exit code 0; a "
               "second signal leaves those that wait. Witnesses are only in memory, and wiped. docs/serve.md says what "
               "can be asked.",
    .min_args = 1,
    .max_args = 1,
    .takes = CLI_TAKES_DEVICE | CLI_TAKES_DEVICES | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(serve_options),
    .option = option,
    .run = run,
};
