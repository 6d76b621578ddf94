/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An open device: a backend's state, and the memory budget that its recordings share.
 */
#ifndef REPRISE_ENGINE_DEVICE_H
#define REPRISE_ENGINE_DEVICE_H

#include "core.h"

#include <pthread.h>
#include <time.h>

struct rp_device {
  atomic_uint references; /* the opener's, those of recordings and buffers, and those of rp_device_retain */
  atomic_uint n_recordings, n_buffers;
  rp_context *context;
  const rp_backend *backend;
  void *state;
  rp_device_info info;
  atomic_int lost;
  _Atomic uint64_t clock; /* ticks once a run: who was used least recently */

  /* Under rp_device_lock. */
  uint64_t reserved_bytes;
  rp_recording *recordings; /* a list */

  pthread_mutex_t gate;   /* what follows; held for moments, and nothing is locked under it */
  pthread_cond_t moved;   /* any of it has changed */
  int locked;             /* by rp_device_lock */
  uint64_t news;          /* counts what may let a run begin that waits for memory */
  uint64_t n_arrived;     /* calls of rp_run_begin */
  struct rp_waiter *line; /* those that wait for memory (line.h), first come first */
  rp_run *taken;          /* runs that have begun, a list */
};

/* The device's memory for recordings, for one thread at a time: held while a recording loads, which may take long. No
 * other lock may be held by who asks for it. */
void rp_device_open_gate(rp_device *device);
void rp_device_close_gate(rp_device *device);
void rp_device_lock(rp_device *device);
/* 0 if that time has come before (CLOCK_MONOTONIC). */
int rp_device_lock_until(rp_device *device, const struct timespec *deadline);
/* Without waiting, also where a lost thread may hold anything; 0 if it is held. */
int rp_device_try_lock(rp_device *device);
void rp_device_unlock(rp_device *device);
/* Memory may have come free, or the device has been lost: those who wait for memory look again. */
void rp_device_news(rp_device *device);

struct rp_buffer {
  rp_device *device;
  rp_memory memory;
  int wrapped;
};

/* Opens a device of one backend; rp_device_open finds the backend first. Tests hand in tables of their own. */
rp_status rp_device_open_with(rp_context *context, const rp_backend *backend, const rp_device_options *options,
                              rp_device **device, rp_error *err);

/* Notes a device that was lost: passes `status` on. */
rp_status rp_device_note(rp_device *device, rp_status status);
rp_status rp_device_fail_lost(const rp_device *device, rp_error *err);
/* What every call on a device, or on what belongs to it, asks before it takes a lock: whose process this is, and
 * whether the device has been lost. */
rp_status rp_device_check(const rp_device *device, rp_error *err);
/* 1: the device's memory and programs are a driver's, and this process is a child that the driver does not know. */
int rp_device_is_foreign(const rp_device *device);
#if defined(__clang_analyzer__) /* see core.h */
#define rp_device_fail_lost(device, err) (rp_device_fail_lost(device, err), RP_ERR_DEVICE_LOST)
#endif

/* The allocation calls of the backend, with the device's name in the reason. */
rp_status rp_device_alloc(rp_device *device, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err);
void rp_device_free(rp_device *device, rp_memory *memory);

#endif
