/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Copies to and from buffers that a run binds, guards, and the wiping of secrets: tasks of the backend itself, which
 * the pool runs like any other.
 */
#include "cpu.h"

#include <string.h>

void cpu_copy(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const cpu_copy_args *a = args;
  (void)worker;
  if (a->gate && a->gate->code) return;
  char *bound = (char *)(uintptr_t)*a->word; /* NOLINT(performance-no-int-to-ptr): a bound buffer is its address */
  const char *from = a->from ? a->from : bound;
  char *to = a->to ? a->to : bound;
  uint64_t first = begin * CPU_PIECE_BYTES, last = end * CPU_PIECE_BYTES;
  if (last > a->bytes) last = a->bytes;
  memmove(to + first, from + first, (size_t)(last - first));
}

void cpu_guard(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const cpu_guard_args *a = args;
  (void)begin, (void)end, (void)worker;
  *a->guard = (*a->condition != 0) == (a->when != 0) && (!a->around || *a->around);
}

void cpu_wipe(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const cpu_wipe_args *a = args;
  (void)worker;
  uint32_t r = 0;
  for (uint64_t piece = begin; piece < end; piece++) {
    while (r + 1 < a->n_regions && a->regions[r + 1].first_piece <= piece) r++;
    const cpu_region *region = &a->regions[r];
    uint64_t at = (piece - region->first_piece) * CPU_PIECE_BYTES, bytes = region->bytes - at;
    explicit_bzero(region->start + at, (size_t)(bytes < CPU_PIECE_BYTES ? bytes : CPU_PIECE_BYTES));
  }
}
