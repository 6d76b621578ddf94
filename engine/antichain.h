/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The heaviest antichain: of elements in a partial order, those that together weigh most, and of which none comes
 * before another.
 */
#ifndef REPRISE_ENGINE_ANTICHAIN_H
#define REPRISE_ENGINE_ANTICHAIN_H

#include "core.h"

/* With more elements, callers leave the light ones out: the time grows with the third power of n, the memory with its
 * square (8 MiB). */
enum { RP_ANTICHAIN_MOST = 1024 };

/* Adds the pairs that follow from others to n rows as below, in which later elements have larger indices. */
void rp_antichain_close(uint64_t *later, uint32_t n);
/* Writes what it weighs. `weights` has n entries, whose sum is below 2^64; `later` has n rows of (n + 63) / 64 words,
 * where bit b of row a says that b comes after a: a strict order, with all pairs that follow from others. Uses memory
 * of the arena; 0 when out of it. */
bool rp_antichain_weigh(rp_arena *arena, uint32_t n, const uint64_t *weights, const uint64_t *later, uint64_t *weight);

#endif
