/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A line on the terminal for work that takes longer than a second. Its own thread draws it, so that the work need not
 * call back. There is no line if the output is piped or redirected.
 */
#include "cli.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TICKS_PER_SECOND = 5 };
static const char clear[] = {'\r', 033, '[', 'K'}; /* from the line's beginning to its end */

struct cli_progress {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended_changed;
  bool ended;
  const char *what;
  uint64_t done, total;
};

static cli_progress *current; /* only used by the thread that began it */
static atomic_int shown;      /* 1: there is a line; changed under the lock of `current` */

static void show(const cli_progress *p, unsigned seconds) {
  atomic_store(&shown, 1);
  if (p->total)
    fprintf(stderr, "\r%s ... %llu / %llu, %u s\033[K", p->what, (unsigned long long)p->done,
            (unsigned long long)p->total, seconds);
  else
    fprintf(stderr, "\r%s ... %u s", p->what, seconds);
}

static void hide(void) {
  if (atomic_exchange(&shown, 0)) fwrite(clear, 1, sizeof clear, stderr);
}

size_t cli_progress_cleared(char *text) {
  if (!atomic_load(&shown)) return 0;
  memcpy(text, clear, sizeof clear);
  return sizeof clear;
}

void cli_print_line(const char *line, size_t length) {
  if (current) pthread_mutex_lock(&current->lock);
  hide();
  fwrite(line, 1, length, stderr);
  if (current) pthread_mutex_unlock(&current->lock);
}

static void *draw(void *arg) {
  cli_progress *p = arg;
  struct timespec next;
  clock_gettime(CLOCK_REALTIME, &next);
  pthread_mutex_lock(&p->lock);
  for (unsigned tick = 1; !p->ended; tick++) {
    next.tv_nsec += 1000000000 / TICKS_PER_SECOND;
    next.tv_sec += next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
    while (!p->ended && pthread_cond_timedwait(&p->ended_changed, &p->lock, &next) == 0) continue;
    if (p->ended) break;
    if (p->total || tick % TICKS_PER_SECOND == 0) show(p, tick / TICKS_PER_SECOND);
  }
  hide();
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

void cli_progress_set(cli_progress *p, uint64_t done) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  p->done = done;
  pthread_mutex_unlock(&p->lock);
}

void cli_progress_step(cli_progress *p) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  if (p->done < p->total) p->done++;
  pthread_mutex_unlock(&p->lock);
}

cli_progress *cli_progress_begin(const char *what) { return cli_progress_begin_of(what, 0); }

cli_progress *cli_progress_begin_of(const char *what, uint64_t total) {
  if (!isatty(STDERR_FILENO)) return NULL;
  cli_progress *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->what = what;
  p->total = total;
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->ended_changed, NULL);
  if (pthread_create(&p->thread, NULL, draw, p) == 0) return current = p;
  pthread_cond_destroy(&p->ended_changed);
  pthread_mutex_destroy(&p->lock);
  free(p);
  return NULL;
}

void cli_progress_end(cli_progress *p) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  p->ended = 1;
  pthread_cond_signal(&p->ended_changed);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  current = NULL;
  pthread_cond_destroy(&p->ended_changed);
  pthread_mutex_destroy(&p->lock);
  free(p);
}
