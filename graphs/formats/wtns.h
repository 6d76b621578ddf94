/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A witness as circom's and snarkjs's calculators write it (.wtns, version 2). Sections (binfile.h):
 *   1  u32 n8, prime r, u32 number of values
 *   2  the values, n8 bytes each, canonical; value 0 is the constant 1
 * The values are secret: they are copied only into the memory that the caller names, and never appear in a reason.
 */
#ifndef REPRISE_FORMATS_WTNS_H
#define REPRISE_FORMATS_WTNS_H

#include "binfile.h"
#include "family.h"

typedef struct g16_wtns {
  g16_binfile bin;
  const g16_family *family;
  uint32_t n; /* values, at least 1 */
} g16_wtns;

/* Checks everything but the values. `file` must stay open as long as `wtns` is used. Holds no memory. */
rp_status g16_wtns_open(const support_file *file, g16_wtns *wtns, rp_error *err);

/* Reads values [first, first + n) as 32-byte canonical integers to `out` (of any alignment), for instance a run's
 * staging. Each is checked to be below r, in constant time, and value 0 to be 1. Large ranges are read in parallel on
 * `executor` (NULL: on the calling thread). On failure `out` is wiped. Threads may read disjoint ranges at once. */
rp_status g16_wtns_read(const g16_wtns *wtns, uint64_t first, uint64_t n, const rp_executor *executor, void *out,
                        rp_error *err);

#endif
