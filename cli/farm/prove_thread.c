/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "prove_thread.h"

#include <sys/eventfd.h>
#include <unistd.h>

static void measure(farm_prove_thread *t, const farm_batch *b, uint64_t ns) {
  const double one = (double)ns / 1e9 / (double)b->n;
  t->seconds_per_job = t->seconds_per_job > 0 ? 0.7 * t->seconds_per_job + 0.3 * one : one;
}

static void append(farm_batch **list, farm_batch *b) {
  while (*list) list = &(*list)->next;
  *list = b;
}

static void *prove(void *arg) {
  farm_prove_thread *t = arg;
  pthread_mutex_lock(&t->lock);
  for (;;) {
    while (!t->waiting && !t->has_ended) pthread_cond_wait(&t->changed, &t->lock);
    if (t->has_ended) break;
    farm_batch *b = t->running = t->waiting;
    t->waiting = NULL;
    pthread_mutex_unlock(&t->lock);
    const uint64_t begin = farm_now_ns(), one = 1;
    (void)!write(t->event_fd, &one, sizeof one); /* there is room for a batch; the counter never overflows */
    t->prover->prove(t->prover->self, b);
    pthread_mutex_lock(&t->lock);
    measure(t, b, farm_now_ns() - begin);
    t->running = NULL;
    append(&t->done, b);
    (void)!write(t->event_fd, &one, sizeof one); /* as above */
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

rp_status farm_prove_thread_begin(farm_prove_thread *t, const farm_prover *prover, rp_error *err) {
  *t = (farm_prove_thread){.prover = prover, .event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->changed, NULL);
  if (t->event_fd >= 0 && pthread_create(&t->thread, NULL, prove, t) == 0) return RP_OK;
  if (t->event_fd >= 0) (void)close(t->event_fd); /* nothing was written */
  *err = (rp_error){.status = RP_ERR_MEMORY};
  return RP_ERR_MEMORY;
}

void farm_prove_thread_end(farm_prove_thread *t) {
  pthread_mutex_lock(&t->lock);
  t->has_ended = 1;
  pthread_cond_signal(&t->changed);
  pthread_mutex_unlock(&t->lock);
  pthread_join(t->thread, NULL);
  farm_batch_free(t->waiting);
  for (farm_batch *b = t->done, *next; b; b = next) {
    next = b->next;
    farm_batch_free(b);
  }
  (void)close(t->event_fd); /* nothing was written to a file */
  pthread_cond_destroy(&t->changed);
  pthread_mutex_destroy(&t->lock);
}

bool farm_prove_thread_has_room(farm_prove_thread *t) {
  pthread_mutex_lock(&t->lock);
  const bool has_room = !t->waiting;
  pthread_mutex_unlock(&t->lock);
  return has_room;
}

void farm_prove_thread_put(farm_prove_thread *t, farm_batch *b) {
  pthread_mutex_lock(&t->lock);
  b->next = NULL;
  t->waiting = b;
  pthread_cond_signal(&t->changed);
  pthread_mutex_unlock(&t->lock);
}

farm_batch *farm_prove_thread_take(farm_prove_thread *t) {
  uint64_t n;
  (void)!read(t->event_fd, &n, sizeof n); /* only resets the counter */
  pthread_mutex_lock(&t->lock);
  farm_batch *b = t->done;
  if (b) t->done = b->next;
  if (b) b->next = NULL;
  pthread_mutex_unlock(&t->lock);
  return b;
}

farm_batch *farm_prove_thread_recall(farm_prove_thread *t) {
  pthread_mutex_lock(&t->lock);
  farm_batch *b = t->waiting;
  t->waiting = NULL;
  pthread_mutex_unlock(&t->lock);
  return b;
}

bool farm_prove_thread_is_empty(farm_prove_thread *t) {
  pthread_mutex_lock(&t->lock);
  const bool is_empty = !t->waiting && !t->running && !t->done;
  pthread_mutex_unlock(&t->lock);
  return is_empty;
}
