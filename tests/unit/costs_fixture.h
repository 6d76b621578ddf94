/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For tests of measured costs: a CPU of two workers whose profiled programs report made-up times, and graphs of two
 * kernels of which one is far more expensive.
 */
#ifndef REPRISE_TESTS_COSTS_FIXTURE_H
#define REPRISE_TESTS_COSTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "device.h"
#include "toy_ops.h"

enum { COSTS_ROOM = 1 << 14, COSTS_GAP = 700 /* ns between dispatches */ };

typedef struct costs_fixture {
  rp_context *context;
  rp_device *device;
  rp_value in;                    /* the input of the latest graph */
  const rp_program_desc *program; /* the latest profiled one, whose times are asked for */
  bool side_by_side;              /* all steps of a level begin at once; else, one after another */
  const char *slow;               /* dispatches of this label take ten times as long; NULL: none */
  uint64_t fail_at;               /* the allocation that fails, from 1 on; 0: none */
  uint64_t live;                  /* bytes */
  char last_line[512];            /* of the log, about costs */
} costs_fixture;
extern costs_fixture the_costs;

void costs_open(void);
void costs_close(void);

/* The time that a kernel reports: a fixed part, and one per element. */
uint64_t costs_truth(const char *kernel, uint64_t groups);

/* A graph with an input alone, and two with nodes: both kernels one after the other; values that are computed from
 * recent and from earlier ones by cheap and expensive kernels, which `seed` chooses. */
rp_graph *costs_graph(uint64_t len);
rp_graph *costs_chain(uint64_t len);
rp_graph *costs_web(uint64_t len, uint32_t seed);
rp_recording *costs_record(const rp_graph *graph, uint32_t flags, uint64_t budget);
void costs_run(rp_recording *recording, uint64_t len);

typedef struct costs_bytes {
  unsigned char data[COSTS_ROOM];
  size_t n;
} costs_bytes;
int costs_append(void *user, const char *text, size_t n); /* an rp_write_fn; user: costs_bytes */
/* Measures the chain of each length, at most four, all in one table. */
void costs_keep_chains(const uint64_t *lens, uint32_t n, costs_bytes *b);
void costs_use(rp_graph *graph, const costs_bytes *b);

#endif
