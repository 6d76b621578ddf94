/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the hashes of rows of bytes share on the host.
 */
#ifndef REPRISE_OPS_MESSAGE_H
#define REPRISE_OPS_MESSAGE_H

#include <stdbool.h>
#include "lower/lower.h"

/* Kernels count the bits of a row in 32 bits. */
enum { MESSAGE_LIMIT_BYTES = 1 << 29 };

/* The shape of one digest of digest_bytes for each row of row_bytes; 0: all bytes are one row. */
static inline rp_status message_shape(const rp_shape *s, uint64_t row_bytes, uint32_t digest_bytes) {
  const uint64_t len = s->in_len[0], row = row_bytes ? row_bytes : len;
  if (s->in_type[0]->id != RP_TYPE_U8.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the message is of type %s, not u8 (rp_to_bytes makes bytes of values)",
                         s->in_type[0]->name);
  if (row >= MESSAGE_LIMIT_BYTES)
    return rp_shape_fail(s, RP_ERR_SHAPE, "a row of %llu bytes is not shorter than 2^29", (unsigned long long)row);
  if (len % row)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu bytes are not a multiple of the row length %llu",
                         (unsigned long long)len, (unsigned long long)row);
  if (len / row > RP_MAX_LEN / digest_bytes) return rp_shape_fail(s, RP_ERR_SHAPE, "there are too many rows");
  rp_shape_out(s, 0, &RP_TYPE_U8, len / row * digest_bytes);
  return RP_OK;
}

static inline uint32_t message_rows(const rp_lower *l, uint32_t digest_bytes) {
  return (uint32_t)(rp_lower_len(l, rp_lower_out(l, 0)) / digest_bytes);
}

/* Several threads per row shorten its chain of dependent steps, but increase the total work: they pay while one warp
 * per row leaves processors idle. */
static inline bool message_rows_are_few(const rp_lower *l, uint32_t digest_bytes) {
  enum { WARPS = 32 };
  return message_rows(l, digest_bytes) <= (uint64_t)rp_lower_limits(l)->workers * WARPS;
}

static inline void message_binds(rp_lower *l, rp_bind binds[2]) {
  binds[0] = RP_BIND(rp_lower_out(l, 0), RP_WRITE);
  binds[1] = RP_BIND(rp_lower_in(l, 0), RP_READ);
}

#endif
