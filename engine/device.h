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
  rp_device_allocator allocator; /* zero: the backend's */
  /* 1: one dispatch fills the device by itself, so that independent branches may wait for each other's memory
   * (passes/arena_place.c). */
  bool takes_turns;
  rp_device **members; /* of a group, referenced; NULL: it is none */
  uint32_t n_members;
  atomic_int lost;
  atomic_uint speed;                           /* rp_device_set_speed; 0: unknown */
  _Atomic uint64_t clock;                      /* advances once per run, to find what was used least recently */
  _Atomic(const struct rp_cost_table *) costs; /* of rp_costs_use_on; in costs_arena, like those before; or NULL */

  /* Under rp_device_lock. */
  uint64_t reserved_bytes;
  rp_arena costs_arena;
  rp_recording *recordings;       /* a list */
  struct rp_constants *constants; /* a list of sets (constants.h) */

  pthread_mutex_t gate;   /* guards the fields below; held only briefly, and no other lock is taken under it */
  pthread_cond_t moved;   /* one of these fields has changed */
  bool locked;            /* by rp_device_lock */
  uint64_t news;          /* counts events that may allow a run which waits for memory to begin */
  uint64_t n_arrived;     /* calls of rp_run_begin */
  struct rp_waiter *line; /* those that wait for memory (line.h), in the order of service */
  rp_run *taken;          /* list of the runs that have begun */
};

/* The lock of the device's memory for recordings. It is held while a recording loads, which may take long. The caller
 * must hold no other lock. */
void rp_device_open_gate(rp_device *device);
void rp_device_close_gate(rp_device *device);
void rp_device_lock(rp_device *device);
/* 0 if the lock could not be had before that time (CLOCK_MONOTONIC). */
bool rp_device_lock_until(rp_device *device, const struct timespec *deadline);
/* Without waiting, so that it may be called in a forked child, where a thread that does not exist may hold any lock; 0
 * if the lock is held. */
bool rp_device_try_lock(rp_device *device);
void rp_device_unlock(rp_device *device);
/* Memory may have become free, or the device has been lost: threads that wait for memory check again. */
void rp_device_news(rp_device *device);

struct rp_buffer {
  rp_device *device;
  rp_memory memory;
  bool wrapped;
};

/* Opens a device of one backend; rp_device_open finds the backend first. Tests pass their own function tables. */
rp_status rp_device_open_with(rp_context *context, const rp_backend *backend, const rp_device_options *options,
                              rp_device **device, rp_error *err);

/* The same with the caller's own handles, which may be NULL. The second opens the device of a kind and an index, and
 * says if there is none. */
rp_status rp_device_open_on(rp_context *context, const rp_backend *backend, const rp_device_options *options,
                            const rp_host_device *host, rp_device **device, rp_error *err);
rp_status rp_device_open_named(rp_context *context, const rp_device_options *options, const rp_host_device *host,
                               rp_device **device, rp_error *err);
const rp_backend *rp_backend_of(rp_device_kind kind); /* NULL: this library has none */

/* Marks the device as lost if `status`, or the backend after a failure, says so. Returns `status`. */
rp_status rp_device_note(rp_device *device, rp_status status);
rp_status rp_device_fail_lost(const rp_device *device, rp_error *err);
/* Every call on a device, or on an object of it, calls this before it takes a lock: RP_ERR_STATE in a forked child,
 * RP_ERR_DEVICE_LOST if the device has been lost. */
rp_status rp_device_check(const rp_device *device, rp_error *err);
/* True in a forked child if the device's memory and programs belong to a driver, which does not know the child. */
bool rp_device_is_foreign(const rp_device *device);
#if defined(__clang_analyzer__) /* see core.h */
#define rp_device_fail_lost(device, err) (rp_device_fail_lost(device, err), RP_ERR_DEVICE_LOST)
#endif

/* The allocation functions of the backend. After a failure *memory is zero; freeing zeroed memory does nothing. */
rp_status rp_device_alloc(rp_device *device, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err);
void rp_device_free(rp_device *device, rp_memory *memory);
/* The same with the caller's allocator (device_host.c), for these two functions. */
rp_status rp_device_borrow(rp_device *device, uint64_t bytes, rp_memory *memory, rp_error *err);
void rp_device_give_back(rp_device *device, rp_memory *memory);
/* Fills a new block with bytes that are not zero if the environment asks for it (poison.c). */
rp_status rp_device_poison(rp_device *device, rp_memory *memory, rp_error *err);

#endif
