/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "read_ahead.h"

#include "threads/parallel.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* One byte of every STEP is read, which makes the system read large blocks ahead, as for any sequential reader.
 * (POSIX_FADV_WILLNEED is slower, because Linux turns it into reads of single pages.) WINDOW is what a fast disk reads
 * while the matrices are converted, the longest time without reads. For files below LEAST a thread costs more than it
 * gains. */
enum { STEP = 64 << 10, WINDOW = 128 << 20, LEAST = 4 << 20 };

struct support_read_ahead {
  int fd; /* its own: the system keeps the state of sequential reading per open file */
  uint64_t size_bytes, furthest;
  bool ended;
  pthread_mutex_t lock;
  pthread_cond_t moved;
  pthread_t thread;
};

/* Waits until the step at *offset lies in the window; skips what has been read already. False: nothing is left to
 * do. */
static bool wait_for(support_read_ahead *ahead, uint64_t *offset) {
  pthread_mutex_lock(&ahead->lock);
  while (!ahead->ended && *offset > ahead->furthest + WINDOW) pthread_cond_wait(&ahead->moved, &ahead->lock);
  if (*offset < ahead->furthest) *offset = ahead->furthest;
  bool go_on = !ahead->ended && *offset < ahead->size_bytes;
  pthread_mutex_unlock(&ahead->lock);
  return go_on;
}

static void *walk(void *arg) {
  support_read_ahead *ahead = arg;
  uint8_t byte;
  for (uint64_t offset = 0; wait_for(ahead, &offset); offset += STEP)
    if (pread(ahead->fd, &byte, 1, (off_t)offset) != 1) break;
  return NULL;
}

static bool start(support_read_ahead *ahead) {
  if (pthread_mutex_init(&ahead->lock, NULL) != 0) return 0;
  if (pthread_cond_init(&ahead->moved, NULL) == 0) {
    if (support_thread_start(&ahead->thread, walk, ahead) == 0) return 1;
    pthread_cond_destroy(&ahead->moved);
  }
  pthread_mutex_destroy(&ahead->lock);
  return 0;
}

support_read_ahead *support_read_ahead_begin(const char *path, uint64_t size_bytes) {
  if (size_bytes < LEAST) return NULL;
  support_read_ahead *ahead = calloc(1, sizeof *ahead);
  if (!ahead) return NULL;
  ahead->size_bytes = size_bytes;
  ahead->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (ahead->fd >= 0) {
    if (start(ahead)) return ahead;
    (void)close(ahead->fd); /* it was only read */
  }
  free(ahead);
  return NULL;
}

void support_read_ahead_reached(support_read_ahead *ahead, uint64_t offset) {
  if (!ahead) return;
  pthread_mutex_lock(&ahead->lock);
  if (offset > ahead->furthest) {
    ahead->furthest = offset;
    pthread_cond_signal(&ahead->moved);
  }
  pthread_mutex_unlock(&ahead->lock);
}

void support_read_ahead_end(support_read_ahead *ahead) {
  if (!ahead) return;
  pthread_mutex_lock(&ahead->lock);
  ahead->ended = 1;
  pthread_cond_signal(&ahead->moved);
  pthread_mutex_unlock(&ahead->lock);
  pthread_join(ahead->thread, NULL);
  pthread_cond_destroy(&ahead->moved);
  pthread_mutex_destroy(&ahead->lock);
  (void)close(ahead->fd); /* it was only read */
  free(ahead);
}
