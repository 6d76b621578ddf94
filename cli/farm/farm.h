/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The commands of reprise farm: their options, and the functions that run them. A build without libpq has those of
 * without.c instead, which refuse.
 */
#ifndef REPRISE_FARM_FARM_H
#define REPRISE_FARM_FARM_H

#include "cli.h"

typedef struct farm_options {
  /* submit */
  bool wait, verify;
  int priority;
  const char *vkey, *output_dir, *id;
  uint32_t attempts, deadline, timeout; /* seconds; 0: none */
  /* work */
  const char *name, *cache_dir;
  uint64_t cache_bytes;
  uint32_t resident, batch, in_flight, lease, patience, end_after;
  bool until_empty;
  /* status, drain */
  bool metrics, no_wait;
} farm_options;

cli_exit farm_run_init(const cli_call *call);
cli_exit farm_run_submit(const cli_call *call);
cli_exit farm_run_work(const cli_call *call);
cli_exit farm_run_status(const cli_call *call);
cli_exit farm_run_drain(const cli_call *call);

#endif
