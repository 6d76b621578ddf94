/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The one-time part of a recording, beside the copies of its constants. Where these go up through staging, the device
 * begins with each long constant as soon as it is there: the part is cut into programs, each with the steps that need
 * one more of the long constants than the program before. Elsewhere it is one program, after all constants.
 */
#ifndef REPRISE_ENGINE_ONCE_H
#define REPRISE_ENGINE_ONCE_H

#include "recording.h"

enum {
  RP_ONCE_LONG_BYTES = 32 << 20, /* shorter constants are there sooner than a program of their own has started */
  RP_ONCE_MOST = 16              /* programs; the last one waits for all constants that are left */
};

typedef struct rp_once_program {
  rp_program_desc desc;
  rp_program *program; /* NULL: it has no steps */
} rp_once_program;

/* What is needed while a recording is loaded. Wants rp_device_lock. */
typedef struct rp_once {
  rp_recording *recording;
  rp_arena arena;
  const rp_plan_value **longs; /* the long constants, in the order in which they go up, after all others */
  uint32_t n_longs;
  rp_once_program programs[RP_ONCE_MOST]; /* 0: without long ones; i: with the first i, the last one with all */
  uint32_t n_programs;
  rp_program *running[RP_ONCE_MOST]; /* those that have been submitted, each after the one before it */
  uint32_t n_running;
} rp_once;

/* Makes the programs, for blocks that have been allocated. rp_once_close is due even after a failure. */
rp_status rp_once_open(rp_once *once, rp_recording *recording, rp_error *err);
/* Starts what needs the first n_there of the long constants, and not fewer, when they are on the device. Called with
 * each number from 0 to n_longs, ascending. */
rp_status rp_once_start(rp_once *once, uint32_t n_there, rp_error *err);
/* Waits for the programs that have been started, also after a failure, which `status` gives, and destroys all of them.
 * Returns `status`, or the first failure of a program. */
rp_status rp_once_close(rp_once *once, rp_status status, rp_error *err);

/* load_constants.c: writes all constants that are given or filled in to their places, which have been allocated, and
 * starts the programs meanwhile. */
rp_status rp_recording_make_constants(rp_recording *recording, rp_once *once, rp_error *err);

#endif
