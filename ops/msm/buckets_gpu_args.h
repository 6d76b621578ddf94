/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the bucket matrix, its filter, accumulation and reduction on GPUs. The rows are those of
 * msm/bucket_matrix_args.h; digits are never stored: both passes over the scalars compute them.
 */
#ifndef REPRISE_ARGS_GPU_BUCKETS_H
#define REPRISE_ARGS_GPU_BUCKETS_H

/* Threads: scalars. First pass: counts[row] += 1. Second: entries[next[row]++] = index << 1 | negative. */
struct rp_gpu_digits_args {
  RP_ADDR(const uint32_t) scalars;
  RP_ADDR(uint32_t) counters;            /* counts, or next */
  RP_ADDR(uint32_t) entries;             /* second pass */
  RP_ADDR(uint32_t) error;               /* first pass */
  uint32_t order[8], order_inverse, pad; /* -1 / order mod 2^32 */
  uint32_t bias[8];
  uint32_t n, scalar_words, montgomery, window_bits, windows, merged, buckets, site;
};
RP_ARGS_SIZE(struct rp_gpu_digits_args, 136);

/* Exclusive prefix sum of u32, three launches: sums of blocks, their prefixes (one block), then all. out has n + 1
 * elements; `copy` gets the first n again, if it is another address. */
struct rp_gpu_scan_args {
  RP_ADDR(const uint32_t) in;
  RP_ADDR(uint32_t) out;
  RP_ADDR(uint32_t) copy;
  RP_ADDR(uint32_t) block_sums;
  uint32_t n, blocks;
};
RP_ARGS_SIZE(struct rp_gpu_scan_args, 40);
#define RP_GPU_SCAN_BLOCK 256
#define RP_GPU_SCAN_ITEMS 8 /* a thread */

struct rp_gpu_fill_args {
  RP_ADDR(uint32_t) out;
  uint32_t n, value;
};
RP_ARGS_SIZE(struct rp_gpu_fill_args, 16);

/* Threads: equal cuts of the entries. Counts the entries of each row whose point is in `support`, then writes them. */
struct rp_gpu_filter_args {
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) entries;
  RP_ADDR(const uint32_t) support;
  RP_ADDR(uint32_t) counters;
  RP_ADDR(uint32_t) out_entries;
  uint32_t rows, n; /* points; an entry's point is its index modulo n */
};
RP_ARGS_SIZE(struct rp_gpu_filter_args, 48);
#define RP_GPU_FILTER_BLOCK 256

/* Level 0: threads are segments of equal numbers of entries. A row inside one segment is finished; a row that crosses a
 * border leaves a partial sum in slot 2t (it began before) or 2t + 1 (it goes on). The segment length is
 * max(min_segment, entries / segments rounded up), known on the device alone. Rows over a few segments are then summed by
 * the thread of the first; what is left for the tree are heavy rows. */
struct rp_gpu_accumulate_args {
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) entries;
  RP_ADDR(const void) points;
  RP_ADDR(void) sums;
  RP_ADDR(void) partials;      /* accumulator [2 * segments] */
  RP_ADDR(uint32_t) slot_rows; /* [2 * segments], UINT32_MAX: empty */
  uint32_t rows, segments, min_segment, points_n;
};
RP_ARGS_SIZE(struct rp_gpu_accumulate_args, 64);

/* Level 1 and up: blocks of slots; partial sums of one row lie one after another. A block leaves at most two partial sums,
 * in slots 2b and 2b + 1 of the next level. The last level has one block and finishes all. */
struct rp_gpu_combine_args {
  RP_ADDR(const void) partials;
  RP_ADDR(const uint32_t) slot_rows;
  RP_ADDR(void) sums;
  RP_ADDR(void) next_partials;
  RP_ADDR(uint32_t) next_slot_rows;
  uint32_t slots, last;
};
RP_ARGS_SIZE(struct rp_gpu_combine_args, 48);
#define RP_GPU_COMBINE_SLOTS 4    /* a worker: a quad of lanes in CUDA, a thread in Vulkan */
#define RP_GPU_COMBINE_WORKERS 32 /* a block, in CUDA */
#define RP_GPU_PAIR_SEGMENTS 8    /* more of them are left to the tree */

/* Blocks: (part, set). A block's workers reduce RP_GPU_REDUCE_WORKERS * items buckets to (sum of (i + 1) * bucket, plain
 * sum), i within the part; the last launch folds the parts of a set. In CUDA many buckets are first summed in runs, each by a
 * thread, to such pairs, and the blocks reduce these. */
struct rp_gpu_reduce_args {
  RP_ADDR(const void) in; /* first: bucket sums [set][buckets]; then pairs [set][runs or parts][2] */
  RP_ADDR(void) out;      /* pairs [set][runs or parts][2]; fold: [set] */
  uint32_t buckets;       /* of a set, or runs, or parts of it */
  uint32_t items;         /* those of a worker, a power of two */
  uint32_t log_scale;     /* of pairs: log2 of the buckets of each */
  uint32_t pad;
};
RP_ARGS_SIZE(struct rp_gpu_reduce_args, 32);
#define RP_GPU_REDUCE_WORKERS 32 /* a block; the fold has twice as many */

struct rp_gpu_window_args {
  RP_ADDR(const void) windows;
  RP_ADDR(void) result;
  uint32_t n, doublings;
};
RP_ARGS_SIZE(struct rp_gpu_window_args, 24);

#endif
