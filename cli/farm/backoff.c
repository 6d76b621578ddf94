/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backoff.h"

#include <sys/random.h>
#include <time.h>

uint64_t farm_random(uint64_t below) {
  uint64_t bits = 0;
  if (below == 0 || getrandom(&bits, sizeof bits, GRND_NONBLOCK) != (ssize_t)sizeof bits) return 0;
  return bits % below;
}

uint64_t farm_backoff_next(farm_backoff *b) {
  const uint64_t pause = b->next_ns ? b->next_ns : b->least_ns;
  b->next_ns = pause * 2 < b->most_ns ? pause * 2 : b->most_ns;
  return pause / 2 + farm_random(pause / 2 + 1);
}

void farm_backoff_sleep(farm_backoff *b) {
  const uint64_t ns = farm_backoff_next(b);
  const struct timespec pause = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  (void)nanosleep(&pause, NULL); /* a signal may end it early */
}
