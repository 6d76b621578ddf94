/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Timings of profiled runs: the latest of each step, and the samples that its median is taken from.
 */
#include "recording.h"

void rp_profile_collect(rp_run *run) {
  rp_recording *r = run->recording;
  rp_device *d = r->device;
  const uint32_t n = r->program.n_steps;
  if (!d->backend->timings) return;
  run->n_timings = d->backend->timings(d->state, run->program, run->timings, run->cap_timings);
  if (run->n_timings > run->cap_timings) run->n_timings = run->cap_timings;
  pthread_mutex_lock(&r->lock);
  memset(r->latest, 0, 2 * n * sizeof *r->latest);
  for (uint32_t i = 0; i < run->n_timings; i++) {
    const rp_timing *t = &run->timings[i];
    if (t->step >= n) continue; /* a copy */
    uint64_t *span = &r->latest[2 * t->step];
    if (span[1] == 0 || t->begin_ns < span[0]) span[0] = t->begin_ns;
    if (t->end_ns > span[1]) span[1] = t->end_ns;
  }
  uint64_t at = r->n_samples++ % RP_SAMPLES;
  for (uint32_t s = 0; s < n; s++) r->samples[s * RP_SAMPLES + at] = r->latest[2 * s + 1] - r->latest[2 * s];
  pthread_mutex_unlock(&r->lock);
}
