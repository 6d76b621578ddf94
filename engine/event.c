/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Host events: a number that grows, threads that wait for a value of it, and runs that do.
 */
#include "event.h"
#include "thread.h"

#include <errno.h>

struct rp_event {
  rp_context *context;
  pthread_mutex_t lock;
  pthread_cond_t raised;
  uint64_t value;
  rp_event_waiter *waiters;
};

rp_status rp_event_create(rp_context *context, rp_event **event, rp_error *err) {
  if (event) *event = NULL;
  if (!context || !event) return rp_fail_null(err, "rp_event_create");
  const rp_status usable = rp_context_check(context, err);
  if (usable) return usable;
  rp_event *e = rp_host_alloc(context, sizeof *e, _Alignof(rp_event));
  if (!e) return rp_fail_memory(err, "an event");
  *e = (rp_event){.context = context};
  pthread_mutex_init(&e->lock, NULL);
  rp_cond_init(&e->raised);
  rp_context_retain(context);
  *event = e;
  return RP_OK;
}

void rp_event_destroy(rp_event *event) {
  if (!event) return;
  rp_context *context = event->context;
  if (!rp_context_is_forked(context)) {
    pthread_cond_destroy(&event->raised);
    pthread_mutex_destroy(&event->lock);
  }
  rp_host_free(context, event, sizeof *event);
  rp_context_release(context);
}

rp_status rp_event_signal(rp_event *event, uint64_t value) {
  if (!event) return RP_ERR_ARGUMENT;
  const rp_status usable = rp_context_check(event->context, NULL);
  if (usable) return usable;
  rp_event_waiter *reached = NULL;
  rp_event_raise(event, value, &reached);
  rp_event_fire(reached);
  return RP_OK;
}

uint64_t rp_event_value(const rp_event *event) {
  if (!event) return 0;
  rp_event *e = (rp_event *)event; /* only its lock changes */
  if (rp_context_is_forked(e->context)) return e->value;
  pthread_mutex_lock(&e->lock);
  const uint64_t value = e->value;
  pthread_mutex_unlock(&e->lock);
  return value;
}

rp_status rp_event_wait(rp_event *event, uint64_t value, uint64_t timeout_ns) {
  if (!event) return RP_ERR_ARGUMENT;
  const rp_status usable = rp_context_check(event->context, NULL);
  if (usable) return usable;
  const struct timespec deadline = rp_deadline(timeout_ns);
  bool expired = timeout_ns == 0;
  pthread_mutex_lock(&event->lock);
  while (event->value < value && !expired)
    expired = pthread_cond_timedwait(&event->raised, &event->lock, &deadline) == ETIMEDOUT;
  const bool is_reached = event->value >= value;
  pthread_mutex_unlock(&event->lock);
  return is_reached ? RP_OK : RP_ERR_TIMEOUT;
}

/* ---- Runs that wait ---------------------------------------------------------------------------------------------- */

bool rp_event_subscribe(rp_event_waiter *waiter) {
  rp_event *e = waiter->event;
  pthread_mutex_lock(&e->lock);
  const bool waits = e->value < waiter->value;
  if (waits) {
    waiter->next = e->waiters;
    e->waiters = waiter;
  }
  pthread_mutex_unlock(&e->lock);
  return waits;
}

bool rp_event_unsubscribe(rp_event_waiter *waiter) {
  rp_event *e = waiter->event;
  pthread_mutex_lock(&e->lock);
  rp_event_waiter **at = &e->waiters;
  while (*at && *at != waiter) at = &(*at)->next;
  const bool found = *at != NULL;
  if (found) *at = waiter->next;
  pthread_mutex_unlock(&e->lock);
  return found;
}

void rp_event_raise(rp_event *event, uint64_t value, rp_event_waiter **reached) {
  pthread_mutex_lock(&event->lock);
  if (value > event->value) event->value = value;
  for (rp_event_waiter **at = &event->waiters; *at;) {
    rp_event_waiter *w = *at;
    if (w->value > event->value) {
      at = &w->next;
      continue;
    }
    *at = w->next;
    w->next = *reached;
    *reached = w;
  }
  pthread_cond_broadcast(&event->raised);
  pthread_mutex_unlock(&event->lock);
}

void rp_event_fire(rp_event_waiter *reached) {
  while (reached) {
    rp_event_waiter *w = reached;
    reached = w->next; /* the run that w belongs to may end as soon as it has been called */
    w->reached(w->argument);
  }
}
