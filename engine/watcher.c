/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "watcher.h"
#include "thread.h"

#include <errno.h>
#include <unistd.h>

/* If the counter is full, nobody has read it for a long time, and its reader will be woken anyway. */
static void write_one(int fd) {
  const uint64_t one = 1;
  ssize_t n;
  do n = write(fd, &one, sizeof one);
  while (n < 0 && errno == EINTR);
}

/* Waits for the end of a run. Called without the lock. */
static void wait_for_end(rp_watcher *w, rp_status *status, rp_error_record *fault, rp_error *why) {
  rp_device *d = w->run->recording->device;
  do *status = d->backend->wait(d->state, w->run->program, UINT64_MAX, fault, why);
  while (*status == RP_ERR_TIMEOUT);
}

static void *watch(void *argument) {
  rp_watcher *w = argument;
  pthread_mutex_lock(&w->lock);
  for (;;) {
    while (!w->watching && !w->quit) pthread_cond_wait(&w->moved, &w->lock);
    if (!w->watching) break;
    const rp_done_fn done = w->done;
    void *user = w->user;
    const int fd = w->fd;
    rp_status status;
    rp_error_record fault = {0};
    rp_error why = {0};
    pthread_mutex_unlock(&w->lock);
    wait_for_end(w, &status, &fault, &why);
    const uint64_t end_ns = rp_now_ns();
    pthread_mutex_lock(&w->lock);
    w->status = status, w->fault = fault, w->why = why, w->end_ns = end_ns;
    w->watching = 0;
    w->arrived = w->calling = 1;
    pthread_cond_broadcast(&w->moved);
    pthread_mutex_unlock(&w->lock);
    if (done) done(user, w->run);
    if (fd) write_one(fd);
    pthread_mutex_lock(&w->lock);
    w->calling = 0;
    pthread_cond_broadcast(&w->moved);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

static rp_status open_watcher(rp_run *run, rp_error *err) {
  rp_context *context = run->recording->device->context;
  rp_watcher *w = rp_host_alloc(context, sizeof *w, _Alignof(rp_watcher));
  if (!w) return rp_fail_memory(err, "a watcher");
  *w = (rp_watcher){.run = run};
  pthread_mutex_init(&w->lock, NULL);
  rp_cond_init(&w->moved);
  const int failed = rp_thread_start(&w->thread, NULL, watch, w);
  if (!failed) {
    pthread_setname_np(w->thread, "reprise-watch");
    run->watcher = w;
    return RP_OK;
  }
  pthread_cond_destroy(&w->moved);
  pthread_mutex_destroy(&w->lock);
  rp_host_free(context, w, sizeof *w);
  return rp_fail(err, RP_ERR_MEMORY, "%s: no thread can be started to wait for the end of the run: %s",
                 run->recording->plan->graph->name, strerror(failed));
}

rp_status rp_watcher_prepare(rp_run *run, const rp_submit_options *options, rp_error *err) {
  const rp_status status = run->watcher ? RP_OK : open_watcher(run, err);
  if (status) return status;
  rp_watcher *w = run->watcher;
  pthread_mutex_lock(&w->lock);
  w->done = options->done, w->user = options->user, w->fd = options->done_fd;
  w->arrived = 0;
  pthread_mutex_unlock(&w->lock);
  return RP_OK;
}

void rp_watcher_begin(rp_run *run) {
  rp_watcher *w = run->watcher;
  pthread_mutex_lock(&w->lock);
  w->watching = 1;
  pthread_cond_broadcast(&w->moved);
  pthread_mutex_unlock(&w->lock);
}

bool rp_watcher_wait(rp_watcher *w, uint64_t timeout_ns) {
  const struct timespec deadline = rp_deadline(timeout_ns);
  bool expired = timeout_ns == 0;
  while (!w->arrived && !expired) expired = pthread_cond_timedwait(&w->moved, &w->lock, &deadline) == ETIMEDOUT;
  return w->arrived;
}

void rp_watcher_leave(rp_run *run) {
  rp_watcher *w = run->watcher;
  if (!w || pthread_equal(w->thread, pthread_self())) return;
  pthread_mutex_lock(&w->lock);
  while (w->watching || w->calling) pthread_cond_wait(&w->moved, &w->lock);
  pthread_mutex_unlock(&w->lock);
}

void rp_watcher_close(rp_run *run) {
  rp_watcher *w = run->watcher;
  rp_context *context = run->recording->device->context;
  if (!w) return;
  if (!rp_context_is_forked(context)) {
    pthread_mutex_lock(&w->lock);
    w->quit = 1;
    pthread_cond_broadcast(&w->moved);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->moved);
    pthread_mutex_destroy(&w->lock);
  }
  rp_host_free(context, w, sizeof *w);
  run->watcher = NULL;
}
