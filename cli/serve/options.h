/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The command line of reprise serve. Without libmicrohttpd, without.c runs it.
 */
#ifndef REPRISE_SERVE_OPTIONS_H
#define REPRISE_SERVE_OPTIONS_H

#include "cli.h"

typedef struct serve_options {
  const char *listen, *token_file, *programs; /* NULL: the default, none, none */
  uint32_t queue, resident, in_flight, connections;
  uint32_t patience, timeout, grace; /* seconds */
  bool has_patience, has_grace;      /* for these two, 0 is a value */
  uint64_t body_bytes, witness_bytes;
} serve_options;

cli_exit serve_run(const cli_call *call);

#endif
