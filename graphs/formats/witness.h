/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A witness from wherever a caller of a prover has it: a .wtns file, its bytes, or plain values.
 */
#ifndef REPRISE_FORMATS_WITNESS_H
#define REPRISE_FORMATS_WITNESS_H

#include "family.h"
#include "values.h"

/* One of path, wtns and values is not NULL. All belong to the caller. */
typedef struct g16_witness {
  const char *path; /* of a .wtns file */
  const void *wtns; /* its bytes */
  size_t wtns_bytes;
  const uint8_t *values; /* 32-byte canonical integers */
  size_t n_values;
} g16_witness;

/* What a key says about its witnesses. */
typedef struct g16_witness_shape {
  const g16_family *family;
  uint64_t n;      /* values, at most 2^32 - 1 */
  const char *key; /* the name of the key in reasons */
  /* How a reason goes on after "... has 3 values": one of the first two (plain values, .wtns), n, and the last. */
  const char *but_values, *but_file, *unit;
} g16_witness_shape;

static inline bool g16_witness_given(const g16_witness *w) { return w->path || w->wtns || w->values; }

/* Copies the n values to `out` (of any alignment), in parallel on `executor` (NULL: on the calling thread). Each is
 * checked to be below the group order, in constant time, and value 0 to be 1. RP_ERR_MISMATCH: a witness over another
 * curve, or with another number of values. On failure nothing secret is left in `out`. */
rp_status g16_witness_read(const g16_witness *witness, const g16_witness_shape *shape, const rp_executor *executor,
                           uint8_t *out, rp_error *err);

#endif
