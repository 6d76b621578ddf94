/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What each device of a group gets of an array.
 */
#ifndef REPRISE_GRAPHS_RANGE_H
#define REPRISE_GRAPHS_RANGE_H

#include <stdint.h>

typedef struct graphs_range {
  uint64_t first, count;
} graphs_range;

/* Of n elements in order, those of part `index` of `parts`: the first part gets `permille` thousandths of them, the
 * others the same number each; every part but the last ends at a multiple of `align`. A part may be empty. n * 1000 is
 * below 2^64. */
static inline graphs_range graphs_range_of(uint64_t n, uint32_t parts, uint32_t index, uint32_t permille,
                                           uint64_t align) {
  uint64_t at[2];
  const uint64_t own = parts > 1 ? n * permille / 1000 : n;
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t part = index + i;
    at[i] = part == 0 ? 0 : part >= parts ? n : (own + (n - own) / (parts - 1) * (part - 1)) / align * align;
  }
  return (graphs_range){.first = at[0], .count = at[1] - at[0]};
}

#endif
