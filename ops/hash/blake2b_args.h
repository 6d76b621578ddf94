/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * BLAKE2b of rows of bytes. blake2b: one item per row; on a GPU that is one thread. blake2b_lanes: one workgroup per
 * row, in which each of four threads has a column of the state, and then a diagonal.
 */
#ifndef REPRISE_ARGS_BLAKE2B_H
#define REPRISE_ARGS_BLAKE2B_H

struct rp_blake2b_args {
  RP_ADDR(uint32_t) out;     /* n digests of digest_bytes */
  RP_ADDR(const uint8_t) in; /* n * row_bytes bytes */
  uint32_t n, row_bytes, digest_bytes;
  uint32_t personal_0, personal_1, personal_2, personal_3; /* words 12 to 15 of the parameter block */
  uint32_t pad;
};
RP_ARGS_SIZE(struct rp_blake2b_args, 48);

#define RP_BLAKE2B_GROUP 128      /* threads per workgroup, each with a row */
#define RP_BLAKE2B_LANES_GROUP 32 /* threads per workgroup: four compute, sixteen load a block's words */
#define RP_BLAKE2B_ROUNDS 12
#define RP_BLAKE2B_BLOCK 128 /* bytes */
/* The number of blocks of a message; an empty one would have one as well. */
#define RP_BLAKE2B_BLOCKS(bytes) (((bytes) + 127u) / 128u)

/* RFC 7693, 2.6: the first 64 bits of the fractional parts of the square roots of the first eight primes; each as its
 * lower and its upper word. */
#define RP_BLAKE2B_IV                                                                                                  \
  0xf3bcc908u, 0x6a09e667u, 0x84caa73bu, 0xbb67ae85u, 0xfe94f82bu, 0x3c6ef372u, 0x5f1d36f1u, 0xa54ff53au, 0xade682d1u, \
      0x510e527fu, 0x2b3e6c1fu, 0x9b05688cu, 0xfb41bd6bu, 0x1f83d9abu, 0x137e2179u, 0x5be0cd19u

/* 2.7: the order of the message words, round by round; rounds 10 and 11 are as 0 and 1. */
#define RP_BLAKE2B_SIGMA                                                                                               \
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, 11, 8,   \
      12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, 9, 0, 5, 7, \
      2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15,    \
      14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11,  \
      3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0

#endif
