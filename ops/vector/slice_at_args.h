/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * out[i] = x[first + i] for i < count, else zero; x has `len` elements, out has n. One item per element. Without
 * has_first, first is 0; without has_count, count is n; their addresses are not used then.
 */
#ifndef REPRISE_ARGS_SLICE_AT_H
#define REPRISE_ARGS_SLICE_AT_H

struct rp_slice_at_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(const uint32_t) first;
  RP_ADDR(const uint32_t) count;
  RP_ADDR(void) error;
  uint32_t n, len, size_bytes, site;
  uint32_t has_first, has_count;
};
RP_ARGS_SIZE(struct rp_slice_at_args, 64);

#endif
