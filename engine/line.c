/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Who may use a device's memory, or a slot of a recording, next: the lock of the memory, the lines of those who wait,
 * and the runs that hold it.
 */
#include "line.h"
#include "thread.h"

#include <errno.h>

/* How long after joining the line, and after each check, a thread checks whether it waits in vain. */
#define STUCK_NS UINT64_C(250000000)

/* By how many later calls one may be passed. */
#define MOST_PASSED 16u

/* How long the place of a call that has given up is kept. */
#define KEPT_NS UINT64_C(1000000000)

static bool is_before(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* ---- The lock ---------------------------------------------------------------------------------------------------- */

void rp_device_open_gate(rp_device *d) {
  rp_cond_init(&d->moved);
  pthread_mutex_init(&d->gate, NULL);
}

void rp_device_close_gate(rp_device *d) {
  pthread_cond_destroy(&d->moved);
  pthread_mutex_destroy(&d->gate);
}

void rp_device_lock(rp_device *d) {
  pthread_mutex_lock(&d->gate);
  while (d->locked) pthread_cond_wait(&d->moved, &d->gate);
  d->locked = 1;
  pthread_mutex_unlock(&d->gate);
}

bool rp_device_lock_until(rp_device *d, const struct timespec *deadline) {
  bool in_time = 1;
  pthread_mutex_lock(&d->gate);
  while (d->locked && in_time) in_time = pthread_cond_timedwait(&d->moved, &d->gate, deadline) != ETIMEDOUT;
  const bool mine = !d->locked;
  d->locked = 1;
  pthread_mutex_unlock(&d->gate);
  return mine;
}

bool rp_device_try_lock(rp_device *d) {
  if (pthread_mutex_trylock(&d->gate) != 0) return 0;
  const bool mine = !d->locked;
  d->locked = 1;
  pthread_mutex_unlock(&d->gate);
  return mine;
}

void rp_device_unlock(rp_device *d) {
  pthread_mutex_lock(&d->gate);
  d->locked = 0;
  pthread_cond_broadcast(&d->moved);
  pthread_mutex_unlock(&d->gate);
}

void rp_device_news(rp_device *d) {
  if (rp_context_is_forked(d->context)) return; /* nobody waits there, and a thread of the parent may hold the gate */
  pthread_mutex_lock(&d->gate);
  d->news++;
  if (d->line) pthread_cond_broadcast(&d->moved);
  pthread_mutex_unlock(&d->gate);
}

/* ---- Runs that hold memory --------------------------------------------------------------------------------------- */

void rp_line_take(rp_run *run) {
  rp_device *d = run->recording->device;
  atomic_store(&run->thread, rp_this_thread());
  pthread_mutex_lock(&d->gate);
  run->next_taken = d->taken;
  d->taken = run;
  pthread_mutex_unlock(&d->gate);
}

void rp_line_give(rp_run *run) {
  rp_device *d = run->recording->device;
  pthread_mutex_lock(&d->gate);
  rp_run **at = &d->taken;
  while (*at != run) at = &(*at)->next_taken;
  *at = run->next_taken;
  pthread_mutex_unlock(&d->gate);
}

rp_run *rp_line_follower(rp_run *run) {
  rp_device *d = run->recording->device;
  rp_run *found = NULL;
  pthread_mutex_lock(&d->gate);
  for (rp_run *other = d->taken; other && !found; other = other->next_taken)
    for (uint32_t i = 0; i < other->n_after && !found; i++)
      if (other->after[i] == run) found = other;
  pthread_mutex_unlock(&d->gate);
  return found;
}

/* The functions from here to is_stuck are called under the gate. */
static bool has_runs(const rp_device *d, uintptr_t thread) {
  for (const rp_run *run = d->taken; run; run = run->next_taken)
    if (atomic_load(&run->thread) == thread) return 1;
  return 0;
}

static bool stands_in_line(const rp_device *d, uintptr_t thread) {
  for (const rp_waiter *w = d->line; w; w = w->next[RP_LINE_MEMORY])
    if (w->thread == thread) return 1;
  return 0;
}

/* Whether a run of the recording, before `end` in the list, belongs to a thread in the line. */
static bool is_held_up(const rp_device *d, const rp_recording *recording, const rp_run *end) {
  for (const rp_run *run = d->taken; run != end; run = run->next_taken)
    if (run->recording == recording && stands_in_line(d, atomic_load(&run->thread))) return 1;
  return 0;
}

/* Whether a recording with these constants, held up by a run before `end` in the list, is counted already. */
static bool is_counted(const rp_device *d, const rp_constants *constants, const rp_run *end) {
  for (const rp_run *run = d->taken; run != end; run = run->next_taken)
    if (run->recording->constants == constants && stands_in_line(d, atomic_load(&run->thread))) return 1;
  return 0;
}

/* What a recording holds beside constants that another one with a run before `end` shares with it. */
static uint64_t bytes_of(const rp_device *d, const rp_recording *r, uint64_t bytes, const rp_run *end) {
  return r->constants && is_counted(d, r->constants, end) ? bytes - r->plan->info.constant_bytes : bytes;
}

/* The part of the budget that is held by recordings with runs of threads that wait in the line, and so cannot end these
 * runs now. */
static uint64_t held_up_bytes(const rp_device *d) {
  uint64_t bytes = 0;
  for (const rp_run *run = d->taken; run; run = run->next_taken)
    if (stands_in_line(d, atomic_load(&run->thread)) && !is_held_up(d, run->recording, run))
      bytes += bytes_of(d, run->recording, rp_recording_kept_bytes(run->recording), run);
  return bytes;
}

static bool is_stuck(const rp_waiter *w) {
  const rp_device *d = w->recording->device;
  const uint64_t need = bytes_of(d, w->recording, w->recording->plan->info.total_bytes, NULL), held = held_up_bytes(d);
  return has_runs(d, w->thread) && (held > d->info.memory_budget_bytes || need > d->info.memory_budget_bytes - held);
}

/* ---- The order --------------------------------------------------------------------------------------------------- */

static bool comes_before(const rp_waiter *a, const rp_waiter *b) {
  if (a->holds != b->holds) return a->holds;
  if (b->passed >= MOST_PASSED) return 0;
  if (a->priority != b->priority) return a->priority > b->priority;
  return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->ticket < b->ticket;
}

/* Its place is behind the last one that it may not pass. */
static void insert(rp_waiter **line, rp_waiter *w, int which) {
  rp_waiter **at = line;
  for (rp_waiter **p = line; *p; p = &(*p)->next[which])
    if (!comes_before(w, *p)) at = &(*p)->next[which];
  w->next[which] = *at;
  *at = w;
  for (rp_waiter *other = w->next[which]; other; other = other->next[which]) other->passed += other->ticket < w->ticket;
}

static void leave(rp_waiter **line, const rp_waiter *w, int which) {
  rp_waiter **at = line;
  while (*at != w) at = &(*at)->next[which];
  *at = w->next[which];
}

void rp_line_arrive(rp_waiter *w, rp_recording *recording, const rp_begin_options *o) {
  rp_device *d = recording->device;
  const uint64_t now = rp_now_ns();
  const bool has_deadline = o->deadline_ns != 0 && o->deadline_ns < UINT64_MAX - now;
  *w = (rp_waiter){.recording = recording,
                   .thread = rp_this_thread(),
                   .priority = o->priority,
                   .due_ns = has_deadline ? now + o->deadline_ns : UINT64_MAX,
                   .deadline = rp_deadline_after(now, o->timeout_ns),
                   .expired = o->timeout_ns == 0};
  pthread_mutex_lock(&d->gate);
  w->ticket = d->n_arrived++;
  if (recording->kept_until_ns > now) w->ticket = recording->kept_ticket;
  recording->kept_until_ns = 0;
  w->holds = d->line && has_runs(d, w->thread);
  w->turn = !d->line || w->holds || comes_before(w, d->line);
  pthread_mutex_unlock(&d->gate);
}

/* ---- The line for slots ------------------------------------------------------------------------------------------ */

void rp_line_join_slots(rp_waiter *w) { insert(&w->recording->line, w, RP_LINE_SLOTS); }

void rp_line_leave_slots(rp_waiter *w) {
  leave(&w->recording->line, w, RP_LINE_SLOTS);
  if (w->sleeps) pthread_cond_destroy(&w->woken);
  w->sleeps = 0;
  rp_line_wake_first(w->recording); /* it may have become the first, or there may be another slot */
}

void rp_line_wake_first(rp_recording *r) {
  if (r->line && r->line->sleeps) pthread_cond_signal(&r->line->woken);
}

void rp_line_wake_all(rp_recording *r) {
  for (rp_waiter *w = r->line; w; w = w->next[RP_LINE_SLOTS])
    if (w->sleeps) pthread_cond_signal(&w->woken);
}

void rp_line_sleep(rp_waiter *w) {
  rp_recording *r = w->recording;
  if (!w->sleeps) rp_cond_init(&w->woken);
  w->sleeps = 1;
  r->n_waiting++;
  w->expired = pthread_cond_timedwait(&w->woken, &r->lock, &w->deadline) == ETIMEDOUT;
  r->n_waiting--;
}

/* ---- The line for memory ----------------------------------------------------------------------------------------- */

void rp_line_wait_turn(rp_waiter *w) {
  rp_device *d = w->recording->device;
  pthread_mutex_lock(&d->gate);
  if (!w->in_line) {
    w->in_line = 1;
    w->check = rp_deadline(STUCK_NS);
    w->holds = has_runs(d, w->thread);
    insert(&d->line, w, RP_LINE_MEMORY);
  }
  while (d->line != w && !w->expired)
    w->expired = pthread_cond_timedwait(&d->moved, &d->gate, &w->deadline) == ETIMEDOUT;
  w->turn = d->line == w;
  pthread_mutex_unlock(&d->gate);
}

void rp_line_keep_place(rp_waiter *w) {
  rp_recording *r = w->recording;
  if (!w->in_line) return;
  pthread_mutex_lock(&r->device->gate);
  const uint64_t now = rp_now_ns();
  if (r->kept_until_ns <= now || w->ticket < r->kept_ticket) r->kept_ticket = w->ticket;
  r->kept_until_ns = now + KEPT_NS;
  pthread_mutex_unlock(&r->device->gate);
}

void rp_line_leave(rp_waiter *w) {
  rp_device *d = w->recording->device;
  if (!w->in_line) return;
  pthread_mutex_lock(&d->gate);
  leave(&d->line, w, RP_LINE_MEMORY);
  pthread_cond_broadcast(&d->moved);
  pthread_mutex_unlock(&d->gate);
  w->in_line = 0;
}

uint64_t rp_line_news(rp_waiter *w) {
  rp_device *d = w->recording->device;
  pthread_mutex_lock(&d->gate);
  const uint64_t news = d->news;
  pthread_mutex_unlock(&d->gate);
  return news;
}

bool rp_line_wait_memory(rp_waiter *w, uint64_t news) {
  rp_device *d = w->recording->device;
  bool stuck = 0;
  pthread_mutex_lock(&d->gate);
  while (d->news == news && d->line == w && !w->expired && !stuck) {
    const struct timespec *until = is_before(&w->check, &w->deadline) ? &w->check : &w->deadline;
    if (pthread_cond_timedwait(&d->moved, &d->gate, until) != ETIMEDOUT || d->news != news || d->line != w) continue;
    w->expired = until == &w->deadline;
    stuck = !w->expired && is_stuck(w);
    w->check = rp_deadline(STUCK_NS);
  }
  pthread_mutex_unlock(&d->gate);
  return !stuck;
}
