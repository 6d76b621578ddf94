/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Host events: how a backend learns that the number has been raised. An event's lock is taken under a backend's locks,
 * and no lock is taken under it.
 */
#ifndef REPRISE_ENGINE_EVENT_H
#define REPRISE_ENGINE_EVENT_H

#include "core.h"

#include <reprise/host_program.h>

typedef struct rp_event_waiter {
  struct rp_event_waiter *next;
  rp_event *event;
  uint64_t value;
  void (*reached)(void *argument); /* called without any lock */
  void *argument;
} rp_event_waiter;

/* Enters the waiter, whose fields but `next` are set. False: the value has been reached, and nothing was entered. */
bool rp_event_subscribe(rp_event_waiter *waiter);
/* True: it was removed. False: it is not there any more; `reached` was called, or will be. */
bool rp_event_unsubscribe(rp_event_waiter *waiter);
/* Raises the number, wakes the threads that wait, and removes the waiters for which that suffices, which it puts in
 * front of the list. The caller calls rp_event_fire when it holds no lock. */
void rp_event_raise(rp_event *event, uint64_t value, rp_event_waiter **reached);
void rp_event_fire(rp_event_waiter *reached);

#endif
