/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compressed encodings of affine points, from the canonical integers of their coordinates: x, then y, of size_words
 * words each. One item per point. `modulus` is that of the coordinates.
 */
#ifndef REPRISE_ARGS_COMPRESS_H
#define REPRISE_ARGS_COMPRESS_H

#define RP_COMPRESS_GNARK 0u  /* big-endian x; the upper two bits say: infinity, smaller y, larger y */
#define RP_COMPRESS_ZCASH 1u  /* big-endian x; bit 7 is set, bit 6: infinity, bit 5: larger y */
#define RP_COMPRESS_SEC1 2u   /* 2 or 3 for even or odd y, then big-endian x; infinity is a fault */
#define RP_COMPRESS_VERKLE 3u /* big-endian x if y is the larger of y and -y, else that of -x */

/* What the first byte of x has in addition. */
#define RP_COMPRESS_FLAGS(format, infinite, larger)       \
  ((format) == RP_COMPRESS_GNARK   ? ((infinite) ? 0x40u  \
                                      : (larger) ? 0xc0u  \
                                                 : 0x80u) \
   : (format) == RP_COMPRESS_ZCASH ? ((infinite) ? 0xc0u  \
                                      : (larger) ? 0xa0u  \
                                                 : 0x80u) \
                                   : 0u)

struct rp_compress_args {
  RP_ADDR(uint8_t) out;
  RP_ADDR(const uint32_t) in;
  RP_ADDR(const uint32_t) modulus;
  RP_ADDR(void) error;
  uint32_t n, size_words, format, site;
};
RP_ARGS_SIZE(struct rp_compress_args, 48);

#endif
