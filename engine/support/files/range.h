/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A range of a file in memory, without a copy: its pages are those of the file until they are written to. What
 * mapping.h says of mapped files holds for it.
 */
#ifndef REPRISE_SUPPORT_RANGE_H
#define REPRISE_SUPPORT_RANGE_H

#include "mapping.h"

typedef struct support_range {
  void *memory;
  uint64_t bytes; /* of `memory` */
  uint8_t *data;  /* the range, at any address */
} support_range;

/* Maps `size_bytes` bytes at `offset`, with at least `before` and `after` bytes around them that are accessible, too,
 * and hold anything. Nothing that is written is seen by the file or by other ranges. False, and nothing is mapped, if
 * the system refuses, if the file is in memory (support_file_wrap) or has become shorter, or if there are fewer than
 * `before` bytes in front. Undo with support_range_unmap, before or after the file is closed. */
bool support_range_map(const support_file *file, uint64_t offset, uint64_t size_bytes, uint64_t before, uint64_t after,
                       support_range *range);
void support_range_unmap(const support_range *range);

#endif
