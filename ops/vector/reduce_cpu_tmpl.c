/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums, products and running products of blocks. In a chain of products each one waits for the one before, and a
 * product's latency is twice its reciprocal throughput or more, so that a block's product is computed in LANES
 * interleaved chains, or in two chains of eight lanes. With lanes, running products take two products per element
 * instead of one: the block is cut into eight runs, one per lane; first come the products of the runs, then what
 * precedes each run, then the running products.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/reduce_args.h"

#include <stdbool.h>

enum { LANES = 4 };

static uint64_t block_end(uint64_t first, uint32_t block, uint32_t n) { return first + block < n ? first + block : n; }

#if RP_LANES
enum { LANE_CHAINS = 2, LANE_STEP = 8 * LANE_CHAINS };

/* Product or sum of in[first, last), as far as whole steps go; returns where the rest begins. There must be at least
 * one step. The product of a memory value and a working value is a memory value. */
static inline __attribute__((always_inline)) uint64_t lanes_reduce(fe *r, const fe *in, uint64_t first, uint64_t last,
                                                                   bool product) {
  fe8 chain[LANE_CHAINS], x;
  fe lane[LANE_STEP];
  for (int c = 0; c < LANE_CHAINS; c++) fe8_load_raw(&chain[c], &in[first + 8 * (uint64_t)c]);
  for (first += LANE_STEP; first + LANE_STEP <= last; first += LANE_STEP)
    for (int c = 0; c < LANE_CHAINS; c++) {
      if (product) {
        fe8_load(&x, &in[first + 8 * (uint64_t)c]);
        fe8_mul(&chain[c], &chain[c], &x);
      } else {
        fe8_load_raw(&x, &in[first + 8 * (uint64_t)c]);
        fe8_add(&chain[c], &chain[c], &x);
      }
    }
  for (int c = 0; c < LANE_CHAINS; c++) fe8_store_raw(&lane[8 * c], &chain[c]);
  *r = lane[0];
  for (int i = 1; i < LANE_STEP; i++) {
    if (product) {
      fe_mul(r, r, &lane[i]);
    } else {
      fe_add(r, r, &lane[i]);
    }
  }
  return first;
}

/* The addresses of element i of each of the eight runs of `len` elements from `base` on. */
static void run_addresses(const void *at[8], const fe *base, uint64_t len, uint64_t i) {
  for (uint64_t lane = 0; lane < 8; lane++) at[lane] = &base[lane * len + i];
}

/* Running products of 8 len elements, times *product; *product becomes the last one. */
static void lanes_scan(fe *out, const fe *in, uint64_t len, bool exclusive, fe *product) {
  fe lane[8];
  fe8 run, x;
  const void *from[8];
  void *to[8];
  run_addresses(from, in, len, 0);
  fe8_load_raw_at(&run, from);
  for (uint64_t i = 1; i < len; i++) {
    run_addresses(from, in, len, i);
    fe8_load_at(&x, from);
    fe8_mul(&run, &run, &x);
  }
  fe8_store_raw(lane, &run);
  for (int i = 0; i < 8; i++) {
    fe before = *product;
    fe_mul(product, product, &lane[i]);
    lane[i] = before;
  }
  fe8_load_raw(&run, lane);
  for (uint64_t i = 0; i < len; i++) {
    run_addresses(from, in, len, i);
    for (uint64_t l = 0; l < 8; l++) to[l] = &out[l * len + i];
    fe8_load_at(&x, from);
    if (exclusive) fe8_store_raw_at(to, &run);
    fe8_mul(&run, &run, &x);
    if (!exclusive) fe8_store_raw_at(to, &run);
  }
}
#endif

void RP_FN(reduce_sum)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_reduce_args *k = args;
  const fe *in = k->in;
  fe *out = k->out;
  (void)w;
  for (uint64_t b = begin; b < end; b++) {
    uint64_t first = b * k->block, last = block_end(first, k->block, k->n);
    fe sum = in[first++];
#if RP_LANES
    if (first + LANE_STEP <= last) {
      fe steps;
      first = lanes_reduce(&steps, in, first, last, 0);
      fe_add(&sum, &sum, &steps);
    }
#endif
    for (; first < last; first++) fe_add(&sum, &sum, &in[first]);
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
#if RP_LANES
    if (i + LANE_STEP <= last) i = lanes_reduce(&lane[0], in, i, last, 1);
#endif
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
#if RP_LANES
    const uint64_t len = (last - first) / 8;
    if (len >= 8) {
      lanes_scan(&out[first], &in[first], len, k->exclusive != 0, &product);
      first += 8 * len;
    }
#endif
    for (uint64_t i = first; i < last; i++) {
      if (k->exclusive) out[i] = product;
      fe_mul(&product, &product, &in[i]);
      if (!k->exclusive) out[i] = product;
    }
  }
}
