/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the check that points are on the curve and in the subgroup. One item per point.
 */
#ifndef REPRISE_ARGS_POINT_CHECK_ARGS_H
#define REPRISE_ARGS_POINT_CHECK_ARGS_H

struct rp_point_check_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out;
  RP_ADDR(uint32_t) error;
  uint32_t n, subgroup, site, reserved;
};
RP_ARGS_SIZE(struct rp_point_check_args, 40);

#endif
