/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Slices whose ends are computed.
 */
#include <string.h>

#include <reprise/kernel.h>

#include "vector/slice_at_args.h"

void rp_cpu_slice_at(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_slice_at_args *k = args;
  const uint64_t first = k->has_first ? *k->first : 0, count = k->has_count ? *k->count : k->n, size = k->size_bytes;
  const uint64_t copied = count < begin ? 0 : (count < end ? count : end) - begin;
  uint8_t *out = (uint8_t *)k->out + begin * size;
  (void)w;
  if (count > k->n || first + count > k->len) {
    if (!begin) rp_fault_report(k->error, RP_FAULT_INDEX, k->site, 0);
    return;
  }
  if (copied) memcpy(out, (const uint8_t *)k->x + (first + begin) * size, copied * size);
  memset(out + copied * size, 0, (end - begin - copied) * size);
}
