/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keccak-256 of rows of 256-bit integers. keccak256: one item per row; on a GPU that is one thread. keccak256_lanes:
 * one workgroup per row, which has a thread for each lane of the state.
 *
 * A message is a multiple of 64 bits, so that the sponge absorbs whole lanes: lane 4 i + j of a row is word 3 - j of
 * its integer i with the bytes reversed, and a digest is made of the state's first four lanes in the same way.
 */
#ifndef REPRISE_ARGS_KECCAK256_H
#define REPRISE_ARGS_KECCAK256_H

struct rp_keccak256_args {
  RP_ADDR(uint64_t) out;      /* n integers */
  RP_ADDR(const uint64_t) in; /* n * row_len integers of four words, least significant first */
  uint32_t n, row_len;
};
RP_ARGS_SIZE(struct rp_keccak256_args, 24);

#define RP_KECCAK_GROUP 128      /* threads per workgroup, each with a row */
#define RP_KECCAK_LANES_GROUP 32 /* threads per workgroup, 25 of them with a lane */
#define RP_KECCAK_LANES 25
#define RP_KECCAK_RATE 17 /* lanes per block: 136 bytes */
#define RP_KECCAK_ROUNDS 24
/* Lanes of a row are counted in 32 bits. */
#define RP_KECCAK_MOST_INTEGERS (1u << 29)

/* The number of blocks of a message of that many lanes, with its padding. */
#define RP_KECCAK_BLOCKS(lanes) ((lanes) / RP_KECCAK_RATE + 1u)

/* Rho (FIPS 202, 3.2.2): by how many bits lane x + 5 y is rotated. */
#define RP_KECCAK_RHO 0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14

/* Pi (3.2.3): the lane that moves to x, y. */
#define RP_KECCAK_PI(x, y) (((x) + 3u * (y)) % 5u + 5u * (x))

/* Iota (3.2.5): a round's constant has bits at the places 2^j - 1 only; bit j of its entry here is bit 2^j - 1 there.
 * _LOW and _HIGH make the two words of a constant from its entry. */
#define RP_KECCAK_IOTA                                                                                              \
  0x01, 0x1a, 0x5e, 0x70, 0x1f, 0x21, 0x79, 0x55, 0x0e, 0x0c, 0x35, 0x26, 0x3f, 0x4f, 0x5d, 0x53, 0x52, 0x48, 0x16, \
      0x66, 0x79, 0x58, 0x21, 0x74
#define RP_KECCAK_IOTA_LOW(bits) \
  (((bits)&3u) | ((bits)&4u) << 1 | ((bits)&8u) << 4 | ((bits)&16u) << 11 | ((bits)&32u) << 26)
#define RP_KECCAK_IOTA_HIGH(bits) (((bits)&64u) << 25)

#endif
