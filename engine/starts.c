/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sorting of bounds, and sets of numbers.
 */
#include "starts.h"

/* ---- Bounds ------------------------------------------------------------------------------------------------------ */

static void insertion_sort(rp_bound *b, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    const rp_bound x = b[i];
    uint32_t k = i;
    for (; k > 0 && b[k - 1].at > x.at; k--) b[k] = b[k - 1];
    b[k] = x;
  }
}

/* Radix sort from the lowest byte up; bytes that are the same in all bounds are skipped. */
void rp_bounds_sort(rp_bound *bounds, rp_bound *spare, uint32_t n) {
  if (n <= 32) {
    insertion_sort(bounds, n);
    return;
  }
  rp_bound *from = bounds, *to = spare;
  uint64_t differ = 0;
  for (uint32_t i = 1; i < n; i++) differ |= bounds[i].at ^ bounds[0].at;
  for (uint32_t shift = 0; shift < 64; shift += 8) {
    if (!(differ >> shift & 255)) continue;
    uint32_t at[257] = {0};
    for (uint32_t i = 0; i < n; i++) at[(from[i].at >> shift & 255) + 1]++;
    for (uint32_t d = 0; d < 256; d++) at[d + 1] += at[d];
    for (uint32_t i = 0; i < n; i++) to[at[from[i].at >> shift & 255]++] = from[i];
    rp_bound *t = from;
    from = to;
    to = t;
  }
  if (from != bounds) memcpy(bounds, from, n * sizeof *bounds);
}

/* ---- Few bounds -------------------------------------------------------------------------------------------------- */

void rp_few_reset(rp_few *few) {
  few->n = 0;
  memset(few->slots, 0, sizeof few->slots);
}

uint32_t rp_few_add(rp_few *few, uint64_t at) {
  const uint32_t mask = 4 * RP_FEW - 1;
  uint32_t slot = (uint32_t)(at * 0x9e3779b97f4a7c15u >> 40) & mask;
  for (; few->slots[slot]; slot = (slot + 1) & mask)
    if (few->at[few->slots[slot] - 1] == at) return few->slots[slot] - 1;
  if (few->n == RP_FEW) return RP_FEW;
  few->at[few->n++] = at;
  few->slots[slot] = few->n;
  return few->n - 1;
}

void rp_few_sort(rp_few *few) {
  for (uint32_t i = 0; i < few->n; i++) few->sorted[i] = (rp_bound){.at = few->at[i], .whose = i};
  rp_bounds_sort(few->sorted, few->spare, few->n);
  for (uint32_t i = 0; i < few->n; i++) few->rank[few->sorted[i].whose] = i;
}

/* ---- Starts ------------------------------------------------------------------------------------------------------ */

bool rp_starts_prepare(rp_starts *starts, rp_arena *arena, uint32_t n) {
  for (uint32_t l = 0; l < RP_STARTS_LEVELS; l++) {
    n = n / 64 + 1;
    starts->level[l] = rp_arena_array(arena, n, sizeof(uint64_t));
    if (!starts->level[l]) return 0;
  }
  return 1;
}

void rp_starts_reset(rp_starts *starts, uint32_t most) {
  for (uint32_t l = 0; l < RP_STARTS_LEVELS; l++) {
    most /= 64;
    memset(starts->level[l], 0, (most + 1u) * sizeof(uint64_t));
    starts->level[l][0] = 1;
  }
}

void rp_starts_add(rp_starts *starts, uint32_t x) {
  for (uint32_t l = 0; l < RP_STARTS_LEVELS; l++, x /= 64) starts->level[l][x / 64] |= 1ull << (x % 64);
}

void rp_starts_remove(rp_starts *starts, uint32_t x) {
  for (uint32_t l = 0; l < RP_STARTS_LEVELS; l++, x /= 64) {
    starts->level[l][x / 64] &= ~(1ull << (x % 64));
    if (starts->level[l][x / 64]) return;
  }
}

uint32_t rp_starts_find(const rp_starts *starts, uint32_t x) {
  for (uint32_t l = 0; l < RP_STARTS_LEVELS; l++) {
    const uint64_t upto = starts->level[l][x / 64] & (~0ull >> (63 - x % 64));
    if (upto) { /* then down again along the highest bits */
      uint32_t found = x / 64 * 64 + 63 - (uint32_t)__builtin_clzll(upto);
      while (l-- > 0) found = found * 64 + 63 - (uint32_t)__builtin_clzll(starts->level[l][found]);
      return found;
    }
    if (x < 64) return 0;
    x = x / 64 - 1;
  }
  return 0;
}
