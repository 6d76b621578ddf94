/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A profile as tables: time per operation and per phase of the graph.
 */
#ifndef REPRISE_CLI_PROFILE_H
#define REPRISE_CLI_PROFILE_H

#include "cli.h"

typedef struct profile_row {
  char name[64], title[208]; /* title: as pictures and the page of reprise view show it */
  uint32_t dispatches;
  uint64_t ns;
} profile_row;

typedef struct profile_table {
  profile_row *row; /* the longest first */
  uint32_t n;
} profile_table;

typedef struct profile {
  uint64_t load_ns, record_ns, latency_ns; /* latency: median */
  uint32_t runs;
  rp_run_counters counters; /* of the last run without profiling */
  rp_plan_info plan;
  profile_table ops, phases;
} profile;

/* Adds all dispatches of a profiled run to the tables, except those of the one-time part. */
rp_status profile_fill(profile *p, const rp_recording *recording, const rp_node_info *nodes, uint32_t n, rp_error *err);
void profile_print(const profile *p, bool json); /* to standard output */
void profile_free(profile *p);

#endif
