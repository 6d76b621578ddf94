/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Authentication paths of leaves that were chosen by computed indices.
 */
#include <string.h>

#include <reprise/kernel.h>

#include "hash/merkle_paths_args.h"

void rp_cpu_merkle_paths(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  enum { BYTES = 4 * RP_MERKLE_PATHS_WORDS };
  const struct rp_merkle_paths_args *k = args;
  (void)w;
  for (uint64_t item = begin; item < end; item++) {
    const uint64_t path = item / k->levels, level = item % k->levels, leaf = k->index[path];
    if (leaf >= k->leaves_n) {
      if (!level) rp_fault_report(k->error, RP_FAULT_INDEX, k->site, path);
      continue;
    }
    const uint64_t node = level ? (k->leaves_n + leaf) >> level ^ 1 : leaf ^ 1;
    memcpy((uint8_t *)k->out + item * BYTES, (const uint8_t *)(level ? k->tree : k->leaves) + node * BYTES, BYTES);
  }
}
