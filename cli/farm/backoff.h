/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pauses that double from the least to the most, each of them random between half of that and all of it, so that
 * programs that were refused at the same time do not all return at the same time.
 */
#ifndef REPRISE_FARM_BACKOFF_H
#define REPRISE_FARM_BACKOFF_H

#include <stdint.h>

typedef struct farm_backoff {
  uint64_t least_ns, most_ns;
  uint64_t next_ns; /* 0: the least; set it to 0 after a success */
} farm_backoff;

uint64_t farm_backoff_next(farm_backoff *backoff); /* the next pause, in ns */
void farm_backoff_sleep(farm_backoff *backoff);
/* A number in [0, below), not for secrets. 0 if below is 0. */
uint64_t farm_random(uint64_t below);

#endif
