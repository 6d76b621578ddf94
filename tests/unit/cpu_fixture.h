/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Programs for the CPU backend, written step by step, without the engine's planner.
 */
#ifndef REPRISE_TESTS_CPU_FIXTURE_H
#define REPRISE_TESTS_CPU_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backend.h"

#include <stdatomic.h>

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

typedef struct cpu_fixture {
  rp_context *context;
  void *state;
  rp_device_info info;
  _Atomic uint64_t allocations, live_bytes; /* by the context's allocator */
} cpu_fixture;

/* An executor that starts threads for each call. */
extern const rp_executor fixture_executor;

void fixture_open(cpu_fixture *f, uint32_t threads, const rp_executor *executor);
void fixture_close(cpu_fixture *f); /* also checks that all memory has been freed */

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

#define MAX_STEPS 2048u
#define MAX_EDGES 8u
#define MAX_REFS 12u

typedef struct draft {
  cpu_fixture *fixture;
  rp_program_desc desc;
  rp_step steps[MAX_STEPS];
  rp_pattern patterns[MAX_STEPS];
  rp_ref refs[MAX_STEPS][MAX_REFS];
  uint32_t preds[MAX_STEPS][MAX_EDGES], succs[MAX_STEPS][MAX_STEPS / 32];
  unsigned char args[MAX_STEPS][64];
  rp_block blocks[8];
  rp_memory memory[8];
  rp_program_memory program_memory;
  rp_program *program;
} draft;

draft *draft_new(cpu_fixture *f, uint32_t flags);
void draft_free(draft *d); /* frees its program too */
uint32_t draft_block(draft *d, rp_space space, uint64_t bytes, int secret);
/* A dispatch of `items` items; args may be NULL. Returns its index. */
uint32_t draft_step(draft *d, const rp_kernel *kernel, uint32_t items, const void *args);
void draft_ref(draft *d, uint32_t step, uint32_t block, uint64_t offset, uint64_t bytes, uint32_t access);
void draft_edge(draft *d, uint32_t before, uint32_t after); /* `before` is less than `after` */
void draft_build(draft *d);
rp_status draft_try_build(draft *d, rp_error *err);
rp_status draft_run(draft *d); /* submits and waits; fails the test if the fault record is not clear */

static inline void *draft_host(const draft *d, uint32_t block) { return d->memory[block].host; }

#endif
