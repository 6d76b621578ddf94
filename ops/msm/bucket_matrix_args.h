/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the bucket matrix: digits, then a counting sort of each set of rows, for a few sets (a "wave") at
 * a time. A set is the rows of `merged` windows that share their buckets; the digits of these windows are consecutive,
 * so that the position in the set is the entry's index. A set is cut into equal parts, each with its own histogram.
 */
#ifndef RP_ARGS_BUCKET_MATRIX_H
#define RP_ARGS_BUCKET_MATRIX_H

/* One item per scalar. digits[(w - first_window) * n + i] = magnitude << 1 | negative, for the windows of the wave. */
struct rp_bucket_digits_args {
  RP_ADDR(uint32_t) scalars; /* scalar_words per scalar: canonical integers, or field elements in Montgomery form */
  RP_ADDR(uint32_t) digits;
  RP_ADDR(uint32_t) error;
  uint32_t order[8];         /* the group order */
  uint32_t order_inverse[2]; /* -1 / order mod 2^64, for Montgomery form */
  uint32_t bias[8];          /* 2^(window_bits - 1) in every window but the top one */
  uint32_t n, scalar_words, montgomery, window_bits, all_windows, first_window, windows, site;
};

/* One item per set and part of the wave. */
struct rp_bucket_histogram_args {
  RP_ADDR(uint32_t) digits;
  RP_ADDR(uint32_t) histogram; /* [set][part][bucket], for the sets of the wave */
  RP_ADDR(uint32_t) totals;    /* [set][part], for all sets */
  uint32_t first_set, sets, parts, buckets;
  uint32_t span;        /* digits in a full set: merged * n */
  uint32_t wave_digits; /* digits in the wave; the last set may be shorter */
};

/* One item per set of the wave. The histograms become the positions at which each part writes next. */
struct rp_bucket_scan_args {
  RP_ADDR(uint32_t) histogram;
  RP_ADDR(uint32_t) totals;
  RP_ADDR(uint32_t) row_ptr;
  uint32_t first_set, sets, parts, buckets, all_sets, reserved;
};

/* One item per set and part of the wave. */
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
