/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Quotients by X - z (ops/vector/poly_divide.c). In a recurrence each product waits for the one before, and a
 * product's latency is twice its reciprocal throughput or more: whole blocks are done several at a time, each in a
 * chain or a lane of its own.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/poly_divide_args.h"

enum { CHAINS = 4 };

/* s above block b. */
static void begin_block(const struct rp_poly_divide_args *k, uint64_t b, fe *s) {
  fe_zero(s);
  if (k->has_carry && (b + 1) * k->block < k->n) *s = ((const fe *)k->carry)[b];
}

static inline void step(const struct rp_poly_divide_args *k, fe *s, const fe *z, uint64_t i) {
  fe_mul(s, s, z);
  fe_add(s, s, (const fe *)k->x + i);
  if (i) ((fe *)k->out)[i - 1] = *s;
}

static void one_block(const struct rp_poly_divide_args *k, const fe *z, uint64_t b) {
  uint64_t first = b * k->block, i = first + k->block < k->n ? first + k->block : k->n;
  fe s;
  begin_block(k, b, &s);
  while (i-- > first) step(k, &s, z, i);
}

/* CHAINS whole blocks from b on. */
static void whole_blocks(const struct rp_poly_divide_args *k, const fe *z, uint64_t b) {
  fe s[CHAINS];
  for (uint64_t c = 0; c < CHAINS; c++) begin_block(k, b + c, &s[c]);
  for (uint64_t i = k->block; i-- > 0;)
    for (uint64_t c = 0; c < CHAINS; c++) step(k, &s[c], z, (b + c) * k->block + i);
}

#if RP_LANES
enum { CHAINS8 = 2, BLOCKS8 = 8 * CHAINS8 };

/* BLOCKS8 whole blocks from b on, in chains on eight lanes. s is a memory value, because z is a working value. */
static void whole_blocks8(const struct rp_poly_divide_args *k, const fe8 *z, uint64_t b) {
  fe lane[BLOCKS8];
  fe8 s[CHAINS8], x;
  const void *from[8];
  void *to[8];
  for (uint64_t j = 0; j < BLOCKS8; j++) begin_block(k, b + j, &lane[j]);
  for (int c = 0; c < CHAINS8; c++) fe8_load_raw(&s[c], &lane[8 * c]);
  for (uint64_t i = k->block; i-- > 0;)
    for (uint64_t c = 0; c < CHAINS8; c++) {
      for (uint64_t j = 0; j < 8; j++) {
        const uint64_t at = (b + 8 * c + j) * k->block + i;
        from[j] = (const fe *)k->x + at;
        to[j] = at ? (fe *)k->out + at - 1 : &lane[0]; /* the remainder goes nowhere */
      }
      fe8_load_raw_at(&x, from);
      fe8_mul(&s[c], &s[c], z);
      fe8_add(&s[c], &s[c], &x);
      fe8_store_raw_at(to, &s[c]);
    }
}
#endif

void RP_FN(poly_divide)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_poly_divide_args *k = args;
  const uint64_t whole = k->n / k->block < end ? k->n / k->block : end; /* where the last, shorter block begins */
  fe z = *(const fe *)k->point;
  (void)w;
  for (uint32_t i = 0; i < k->squarings; i++) fe_sqr(&z, &z);
#if RP_LANES
  fe8 z8;
  fe8_set1(&z8, &z);
  for (; begin + BLOCKS8 <= whole; begin += BLOCKS8) whole_blocks8(k, &z8, begin);
#endif
  for (; begin + CHAINS <= whole; begin += CHAINS) whole_blocks(k, &z, begin);
  for (; begin < end; begin++) one_block(k, &z, begin);
}
