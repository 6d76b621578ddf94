/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A line on the terminal for work that takes longer than a second. It is drawn by a thread of its own, so that the work
 * need not call back; piped or redirected, there is none.
 */
#include "cli.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TICKS_A_SECOND = 5 };

struct cli_progress {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended_changed;
  int ended;
  const char *what;
  uint64_t done, total;
};

static int show(const cli_progress *p, unsigned seconds) {
  if (p->total)
    return fprintf(stderr, "\r%s ... %llu / %llu, %u s\033[K", p->what, (unsigned long long)p->done,
                   (unsigned long long)p->total, seconds) > 0;
  return fprintf(stderr, "\r%s ... %u s", p->what, seconds) > 0;
}

static void *draw(void *arg) {
  cli_progress *p = arg;
  int shown = 0;
  struct timespec next;
  clock_gettime(CLOCK_REALTIME, &next);
  pthread_mutex_lock(&p->lock);
  for (unsigned tick = 1; !p->ended; tick++) {
    next.tv_nsec += 1000000000 / TICKS_A_SECOND;
    next.tv_sec += next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
    while (!p->ended && pthread_cond_timedwait(&p->ended_changed, &p->lock, &next) == 0) continue;
    if (p->ended) break;
    if (p->total || tick % TICKS_A_SECOND == 0) shown |= show(p, tick / TICKS_A_SECOND);
  }
  pthread_mutex_unlock(&p->lock);
  if (shown) fputs("\r\033[K", stderr);
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
  if (pthread_create(&p->thread, NULL, draw, p) == 0) return p;
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
  pthread_cond_destroy(&p->ended_changed);
  pthread_mutex_destroy(&p->lock);
  free(p);
}
