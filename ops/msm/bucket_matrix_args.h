/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the bucket matrix: digits, then a counting sort of each set of rows, a "wave" of sets at a time.
 * A set is the rows of `merged` windows that share their buckets; its digits lie one after another, so that the
 * position in the set is the entry's index. parts: equal cuts of a set, each with a histogram of its own.
 */
#ifndef RP_ARGS_BUCKET_MATRIX_H
#define RP_ARGS_BUCKET_MATRIX_H

/* Items: scalars. digits[(w - first_window) * n + i] = magnitude << 1 | negative, for the windows of the wave. */
struct rp_bucket_digits_args {
  RP_ADDR(uint32_t) scalars; /* scalar_words each: canonical integers, or field elements in Montgomery form */
  RP_ADDR(uint32_t) digits;
  RP_ADDR(uint32_t) error;
  uint32_t order[8];         /* of the group */
  uint32_t order_inverse[2]; /* -1 / order mod 2^64: Montgomery form */
  uint32_t bias[8];          /* 2^(window_bits - 1) in every window but the top one */
  uint32_t n, scalar_words, montgomery, window_bits, all_windows, first_window, windows, site;
};

/* Items: sets * parts of the wave. */
struct rp_bucket_histogram_args {
  RP_ADDR(uint32_t) digits;
  RP_ADDR(uint32_t) histogram; /* [set][part][bucket], sets of the wave */
  RP_ADDR(uint32_t) totals;    /* [set][part], all sets */
  uint32_t first_set, sets, parts, buckets;
  uint32_t span;        /* digits of a full set: merged * n */
  uint32_t wave_digits; /* digits of the wave: the last set may be short */
};

/* Items: sets of the wave. Histograms become the places where each part writes next. */
struct rp_bucket_scan_args {
  RP_ADDR(uint32_t) histogram;
  RP_ADDR(uint32_t) totals;
  RP_ADDR(uint32_t) row_ptr;
  uint32_t first_set, sets, parts, buckets, all_sets, reserved;
};

/* Items: sets * parts of the wave. */
struct rp_bucket_scatter_args {
  RP_ADDR(uint32_t) digits;
  RP_ADDR(uint32_t) histogram;
  RP_ADDR(uint32_t) entries;
  uint32_t sets, parts, buckets, span, wave_digits, reserved;
};

RP_ARGS_SIZE(struct rp_bucket_digits_args, 128);
RP_ARGS_SIZE(struct rp_bucket_histogram_args, 48);
RP_ARGS_SIZE(struct rp_bucket_scan_args, 48);
RP_ARGS_SIZE(struct rp_bucket_scatter_args, 48);

#endif
