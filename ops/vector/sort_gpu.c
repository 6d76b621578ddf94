/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * kernel sort_count:sort_count gpu_sort/2 item:RP_GPU_SORT_BLOCK
 * kernel sort_scatter gpu_sort/5 gpu:RP_GPU_SORT_BLOCK
 */
#include "lower/gpu.h"

#include "kernel_tables.h"

/* Stable sort of u32 keys on GPUs, least significant digits first. In each pass the keys of each block are counted by
 * digit (sort_count), the counts are scanned digit by digit, and every key is written to its place (sort_scatter). */

/* sort_count writes counts[digit * blocks + block]; sort_scatter reads them scanned. `order` holds the original
 * positions of the keys; in the first pass, with first_pass, it is not read because the keys are in their original
 * positions. */
struct rp_gpu_sort_args {
  RP_ADDR(const uint32_t) keys;
  RP_ADDR(uint32_t) counts;
  RP_ADDR(const uint32_t) order;
  RP_ADDR(uint32_t) keys_out;
  RP_ADDR(uint32_t) order_out;
  uint32_t n, blocks, shift, bits, first_pass, pad;
};
RP_ARGS_SIZE(struct rp_gpu_sort_args, 64);
#define RP_GPU_SORT_BLOCK 256
#define RP_GPU_SORT_ITEMS 8 /* per thread */
#define RP_GPU_SORT_BITS 8  /* per digit, at most: one thread of the block per digit value */

void rp_gpu_sort(rp_lower *l, rp_value keys, uint32_t bits, rp_value *sorted, rp_value *order) {
  const uint32_t n = (uint32_t)rp_lower_len(l, keys), group = rp_lower_group(l, &rp_kernel_sort_count);
  uint32_t most_bits = RP_GPU_SORT_BITS;
  while (1u << most_bits > group) most_bits--;
  const uint32_t passes = (bits + most_bits - 1) / most_bits, digit_bits = (bits + passes - 1) / passes;
  const uint32_t blocks = rp_gpu_groups(n, group * RP_GPU_SORT_ITEMS);
  rp_value in = keys, in_order = RP_NO_VALUE;
  for (uint32_t pass = 0; pass < passes; pass++) {
    struct rp_gpu_sort_args a = {
        .n = n, .blocks = blocks, .shift = pass * digit_bits, .bits = digit_bits, .first_pass = pass == 0};
    const uint64_t n_counts = (uint64_t)blocks << digit_bits;
    const rp_value counts = rp_lower_scratch(l, "counts", &RP_TYPE_U32, n_counts);
    const rp_value places = rp_lower_scratch(l, "places", &RP_TYPE_U32, n_counts + 1);
    const rp_value out = rp_lower_scratch(l, "keys", &RP_TYPE_U32, n);
    const rp_value out_order = rp_lower_scratch(l, "order", &RP_TYPE_U32, n);
    rp_gpu_dispatch(l, &rp_kernel_sort_count, blocks, 1, &a,
                    (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(counts, RP_WRITE)});
    rp_gpu_scan(l, counts, places, RP_NO_VALUE);
    rp_gpu_dispatch(l, &rp_kernel_sort_scatter, blocks, 1, &a,
                    (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(places, RP_READ), rp_bind_optional(in_order, RP_READ),
                                RP_BIND(out, RP_WRITE), RP_BIND(out_order, RP_WRITE)});
    in = out, in_order = out_order;
  }
  *sorted = in, *order = in_order;
}
