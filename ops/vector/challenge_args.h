/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The integer that a row of bytes encodes, modulo the order of a prime field: by Horner's rule over parts of as many
 * bytes as an element has, the most significant one first. `power` is 2^(bits of a part), an element. One item per row.
 */
#ifndef REPRISE_ARGS_CHALLENGE_H
#define REPRISE_ARGS_CHALLENGE_H

struct rp_challenge_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint8_t) in;
  RP_ADDR(const void) power;
  uint32_t n, row_bytes, big_endian, pad;
};
RP_ARGS_SIZE(struct rp_challenge_args, 40);

/* Which byte of a row is byte `at` of its integer, counted from the least significant. */
#define RP_CHALLENGE_BYTE(at, row_bytes, big_endian) ((big_endian) != 0u ? (row_bytes)-1u - (at) : (at))

#endif
