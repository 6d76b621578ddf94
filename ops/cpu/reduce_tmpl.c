/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums, products and running products of blocks. A chain of products runs at the latency of one, twice its throughput
 * or more, so that whole products are taken over LANES interleaved chains.
 */
#include "cpu.h"

#include "args/scan.h"

enum { LANES = 4 };

static uint64_t block_end(uint64_t first, uint32_t block, uint32_t n) { return first + block < n ? first + block : n; }

void RP_FN(reduce_sum)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_reduce_args *k = args;
  const fe *in = k->in;
  fe *out = k->out;
  (void)w;
  for (uint64_t b = begin; b < end; b++) {
    uint64_t first = b * k->block, last = block_end(first, k->block, k->n);
    fe sum = in[first];
    for (uint64_t i = first + 1; i < last; i++) fe_add(&sum, &sum, &in[i]);
    out[b] = sum;
  }
}

void RP_FN(reduce_product)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_reduce_args *k = args;
  const fe *in = k->in;
  fe *out = k->out;
  (void)w;
  for (uint64_t b = begin; b < end; b++) {
    uint64_t first = b * k->block, last = block_end(first, k->block, k->n), i = first;
    fe lane[LANES];
    for (int j = 0; j < LANES; j++) fe_one(&lane[j]);
    for (; i + LANES <= last; i += LANES)
      for (int j = 0; j < LANES; j++) fe_mul(&lane[j], &lane[j], &in[i + (uint64_t)j]);
    for (; i < last; i++) fe_mul(&lane[0], &lane[0], &in[i]);
    for (int j = 1; j < LANES; j++) fe_mul(&lane[0], &lane[0], &lane[j]);
    out[b] = lane[0];
  }
}

void RP_FN(scan_product)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_scan_product_args *k = args;
  const fe *in = k->in, *offset = k->offset;
  fe *out = k->out;
  (void)w;
  for (uint64_t b = begin; b < end; b++) {
    uint64_t first = b * k->block, last = block_end(first, k->block, k->n);
    fe product;
    fe_one(&product);
    if (k->has_offset) product = offset[b];
    for (uint64_t i = first; i < last; i++) {
      if (k->exclusive) out[i] = product;
      fe_mul(&product, &product, &in[i]);
      if (!k->exclusive) out[i] = product;
    }
  }
}
