/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moving elements of any type. One item per element.
 */
#ifndef REPRISE_ARGS_MOVE_H
#define REPRISE_ARGS_MOVE_H

/* out[i] = in[i] */
struct rp_copy_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  uint32_t n, size_bytes;
};
RP_ARGS_SIZE(struct rp_copy_args, 24);

/* out[i] = 0 */
struct rp_zero_args {
  RP_ADDR(void) out;
  uint32_t n, size_bytes;
};
RP_ARGS_SIZE(struct rp_zero_args, 16);

/* out[i] = condition[0] != 0 ? a[i] : b[i] */
struct rp_select_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint32_t) condition;
  RP_ADDR(const void) a;
  RP_ADDR(const void) b;
  uint32_t n, size_bytes;
};
RP_ARGS_SIZE(struct rp_select_args, 40);

/* out[i] = x[index[i]]; x has len elements */
struct rp_gather_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(const uint32_t) index;
  RP_ADDR(void) error;
  uint32_t n, len, size_bytes, site;
};
RP_ARGS_SIZE(struct rp_gather_args, 48);

#endif
