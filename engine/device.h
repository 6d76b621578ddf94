/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An open device: a backend's state, and the memory budget that its recordings share.
 */
#ifndef REPRISE_ENGINE_DEVICE_H
#define REPRISE_ENGINE_DEVICE_H

#include "core.h"

#include <pthread.h>

struct rp_device {
  atomic_uint references; /* the opener's, those of recordings and buffers, and those of rp_device_retain */
  atomic_uint n_recordings, n_buffers;
  rp_context *context;
  const rp_backend *backend;
  void *state;
  rp_device_info info;
  atomic_int lost;
  _Atomic uint64_t clock; /* ticks once a run: who was used least recently */

  pthread_mutex_t lock; /* what follows; held while recordings load and give back their memory */
  uint64_t reserved_bytes;
  rp_recording *recordings; /* a list */
};

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
