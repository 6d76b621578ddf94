/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Integers to bytes and back, in words of 32 bits: one item per word of the result.
 */
#ifndef REPRISE_ARGS_BYTES_H
#define REPRISE_ARGS_BYTES_H

/* The big-endian bytes of integers of size_words words: their words backwards, and the bytes of each. */
struct rp_to_bytes_args {
  RP_ADDR(uint32_t) out;
  RP_ADDR(const uint32_t) in;
  uint32_t n, size_words; /* n words in all */
};
RP_ARGS_SIZE(struct rp_to_bytes_args, 24);

/* Of the integer that a row of row_bytes bytes encodes, the low `bits` bits behind the first `skip_bytes` bytes, as
 * size_words words. */
struct rp_from_bytes_args {
  RP_ADDR(uint32_t) out;
  RP_ADDR(const uint8_t) in;
  uint32_t n, size_words; /* n words in all */
  uint32_t row_bytes, skip_bytes, bits, big_endian;
};
RP_ARGS_SIZE(struct rp_from_bytes_args, 40);

/* Byte `at` of a row's integer, counted from the least significant, is this byte of the row. Before: at < row_bytes. */
#define RP_BYTE_OF_ROW(at, row_bytes, big_endian) ((big_endian) != 0u ? (row_bytes)-1u - (at) : (at))
/* Which bits of word w are among the low `bits`. */
#define RP_WORD_MASK(w, bits) \
  ((bits) >= 32u * (w) + 32u ? 0xffffffffu : (bits) <= 32u * (w) ? 0u : (1u << ((bits)&31u)) - 1u)

#endif
