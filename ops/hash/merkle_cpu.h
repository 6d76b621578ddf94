/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several levels of a Merkle tree by groups, computed with the kernel that hashes rows.
 */
#ifndef REPRISE_CPU_MERKLE_H
#define REPRISE_CPU_MERKLE_H

#include <reprise/kernel.h>
#include <string.h>

#include "hash/merkle_args.h"

static inline void merkle_groups(const struct rp_merkle_args *a, uint64_t begin, uint64_t end, rp_cpu_fn rows,
                                 const rp_cpu_worker *worker) {
  for (uint64_t item = begin; item < end; item++) {
    struct rp_hash_args level = a->hash;
    for (uint32_t i = 0; i < a->levels; i++) {
      level.out = a->hash.out + (uint64_t)((a->offset >> i) - a->first_slot) * RP_MERKLE_DIGEST_WORDS;
      rows(&level, item * a->group >> i, (item + 1) * a->group >> i, worker);
      level.in = level.out;
    }
  }
  if (begin == 0 && a->first_slot == 0) memset(a->hash.out, 0, RP_MERKLE_DIGEST_WORDS * sizeof *a->hash.out);
}

#endif
