/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A recording: a plan with its device memory and its run slots. The slot is the run.
 *
 * Locks, taken in this order: rp_device_lock (loading and releasing memory), recording->lock (which slots are taken),
 * device->gate (who waits for memory). A recording is evicted only while no slot is taken, so the holder of a slot uses
 * memory and program without a lock.
 */
#ifndef REPRISE_ENGINE_RECORDING_H
#define REPRISE_ENGINE_RECORDING_H

#include "plan.h"
#include "secret.h"

#include <reprise/host_program.h>

/* Kernels of GPUs access up to so many bytes at once. */
enum { RP_BIND_ALIGN = 16 };

#define RP_SAMPLES 32u /* number of profiled runs over which the median of a step is taken */

/* Whether an input of a run has been given. */
typedef enum rp_given { RP_GIVEN_NOT, RP_GIVEN, RP_GIVEN_UNCHECKED /* written directly */ } rp_given;

/* RP_RUN_LENT: its work is in the caller's command buffer or graph. */
typedef enum rp_run_state { RP_RUN_FREE, RP_RUN_BEGUN, RP_RUN_RUNNING, RP_RUN_DONE, RP_RUN_LENT } rp_run_state;

typedef struct rp_watcher rp_watcher;     /* watcher.h */
typedef struct rp_constants rp_constants; /* constants.h */

struct rp_run {
  rp_recording *recording;
  uint32_t index;
  rp_run *next_taken;       /* list of the device, under its gate */
  _Atomic uintptr_t thread; /* the thread that used it last */
  rp_program *program;
  rp_memory *memory; /* per program block; constants are the recording's */
  rp_memory staging_up, staging_down;
  rp_guard *guards;      /* of these blocks, of staging_up and of staging_down */
  uint64_t *words;       /* addresses of bound buffers */
  unsigned char *is_set; /* per graph value: an rp_given */
  atomic_int state;      /* rp_run_state; read by rp_run_cancel from any thread */
  atomic_int cancelled;
  rp_status result; /* valid when it is done */
  rp_error error;   /* of the run, or of a call that was refused */
  rp_run_counters counters;
  uint64_t submit_begin_ns;
  rp_timing *timings; /* of the latest profiled run */
  uint32_t n_timings, cap_timings;
  rp_watcher *watcher;              /* NULL: none has been needed yet */
  int32_t priority;                 /* of its beginning */
  bool watched;                     /* it waits for this run */
  bool collected;                   /* the result is that of an execution by the caller */
  rp_run *after[2 * RP_MOST_SYNCS]; /* runs that this one follows, until it is finished */
  uint32_t n_after;
  uint32_t fails_with;        /* a bit for each of them: if that one fails, so does this one */
  atomic_uint n_followers;    /* runs that follow this one and are not finished */
  const rp_arrival *arrivals; /* of a piece of a group (group/run.c), for the next submission */
  uint32_t n_arrivals;
  bool keeps; /* later pieces read what it leaves on the device (rp_links.keeps); likewise */
};

struct rp_recording {
  rp_device *device;
  rp_recording *next; /* of the device */
  rp_plan *plan;
  rp_program_desc program;
  bool has_secrets;
  rp_run *slots;
  rp_arena arena;

  /* Under rp_device_lock. */
  bool loaded;
  bool pinned; /* not to be evicted */
  uint64_t reserved_bytes;
  rp_memory *shared;       /* per plan block: constants, also borrowed ones */
  rp_constants *constants; /* the set of blocks for constants; NULL if it has none */
  rp_recording *next_user; /* of that set */
  bool holds;              /* it keeps the memory of the set */
  void **replaced; /* per value of the graph: data that replaces the constant's, from the context's allocator, or
                              NULL; NULL if no constant may be replaced */

  pthread_mutex_t lock;
  uint32_t busy;              /* slots taken; a taken slot keeps the recording loaded */
  struct rp_waiter *line;     /* calls that want a slot, in the order of service (line.h) */
  uint32_t n_waiting;         /* threads of these that sleep */
  bool usable;                /* a copy of `loaded` for holders of only this lock */
  _Atomic uint64_t last_used; /* time of device->clock; read without the lock to find a recording to evict */
  uint64_t *samples;          /* profiled: RP_SAMPLES durations per step */
  uint64_t *latest;           /* profiled: begin and end of each step */
  bool *skipped;              /* profiled: per step, in the latest run; a guard was 0 */
  const char **names[2];      /* per step of a part; NULL: nobody has asked, or no step is of a call */
  uint64_t n_samples;

  /* Under device->gate: the place in the line of a call that has given up, and until when the next one may have it. */
  uint64_t kept_ticket, kept_until_ns;
};

/* Reads and checks options, and fills in what they leave open. */
rp_status rp_record_options_read(rp_record_options *o, const rp_record_options *options, const char *function,
                                 rp_error *err);

/* ---- Making and closing (record.c) ------------------------------------------------------------------------------- */

/* rp_record for a device that is not a group, with options that rp_record_options_read has read. */
rp_status rp_record_on_device(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                              rp_recording **recording, rp_error *err);
/* The recording of a group, from its plan, with pieces that are recorded. Takes the plan, also on failure, but not its
 * pieces. */
rp_status rp_recording_of_shell(rp_plan *plan, rp_recording **recording, rp_error *err);
/* Waits for its runs and frees it, and its plan without the pieces. rp_recording_destroy (recordings.c) frees them
 * too. */
void rp_recording_close(rp_recording *recording);

/* ---- Memory of a recording (load.c); all want rp_device_lock ----------------------------------------------------- */

/* Allocates, uploads constants, runs the one-time part, builds the programs. Evicts other recordings if the budget
 * requires it. On failure everything is released; *later, which may be NULL, becomes 1 if the missing memory is held by
 * runs that have begun, so that the call can succeed later. */
rp_status rp_recording_load(rp_recording *recording, bool *later, rp_error *err);
/* The part of the budget that the recording holds when it is loaded. */
uint64_t rp_recording_kept_bytes(const rp_recording *recording);
/* Releases all of its device memory. */
void rp_recording_unload(rp_recording *recording);
/* Writes the data of a constant to its place. */
rp_status rp_recording_upload(rp_recording *recording, const rp_plan_value *value, const void *data, rp_error *err);
/* Evicts the recording unless one of its slots is taken; true if it was evicted. */
bool rp_recording_try_evict(rp_recording *recording);

/* The host data of a given constant, as it is now (replace.c). */
const void *rp_recording_data(const rp_recording *recording, const rp_plan_value *value);
/* Makes and frees `replaced`. False: out of host memory. */
bool rp_recording_open_replaced(rp_recording *recording);
void rp_recording_close_replaced(rp_recording *recording);

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static inline uintptr_t rp_this_thread(void) { return (uintptr_t)pthread_self(); }

/* "scalar is not below the group order: witness element 5 (node prove/msm_a/digits)"; returns RP_ERR_INPUT. */
rp_status rp_fault_error(const rp_plan *plan, const rp_error_record *fault, rp_error *err);
/* Stores the timings of a finished, profiled run. */
void rp_profile_collect(rp_run *run);
/* Whether each step was skipped in a finished run whose slot has not been used since. */
void rp_profile_skipped(const rp_run *run, bool *skipped);
/* The median duration of a step over the latest profiled runs; false if there were none. */
bool rp_profile_median(const rp_recording *recording, uint32_t step, uint64_t *median_ns);
/* The input, or output, that `value` is; sets the run's error and returns NULL if the recording has no such value. */
rp_plan_value *rp_run_border(rp_run *run, rp_value value, bool output);
/* The staging of an input or output in host memory; NULL if it has none. */
void *rp_run_staging(const rp_run *run, const rp_plan_value *value);
/* RP_OK if the run has begun and has not been submitted. */
rp_status rp_run_must_be_open(rp_run *run);
/* Whether the elements of this input are checked, and their check: RP_ERR_INPUT unless these n, from index `first` on,
 * are valid. */
bool rp_run_is_checked(const rp_run *run, const rp_plan_value *v);
rp_status rp_run_check_elements(rp_run *run, const rp_plan_value *v, const void *elements, uint64_t first, uint64_t n);
/* Every resident output has a place, and what is written shares no bytes with what else is bound. */
rp_status rp_run_check_bound(rp_run *run);
/* Whether an input of `later` is bound to memory that an output of `earlier` is bound to. */
bool rp_run_reads(const rp_run *later, const rp_run *earlier);

#endif
