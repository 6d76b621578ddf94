/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Canonical integers to field elements and back. One item per element.
 */
#ifndef REPRISE_ARGS_CONVERT_H
#define REPRISE_ARGS_CONVERT_H

struct rp_from_canonical_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(void) error;
  uint32_t n, reduce, site, pad;
};
RP_ARGS_SIZE(struct rp_from_canonical_args, 40);

struct rp_to_canonical_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  uint32_t n, pad;
};
RP_ARGS_SIZE(struct rp_to_canonical_args, 24);

#endif
