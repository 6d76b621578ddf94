/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the fake driver runs in place of the kernels.
 */
#include "fake_cuda.h"
#include "toy_args.h"
#include "toy_op.h"

#include "backends/cuda/bind_copy.h"
#include "backends/cuda/clear.h"
#include "backends/cuda/guard.h"
#include "backends/cuda/piece.h"

#include <string.h>

static void mix(const void *args, uint64_t threads) {
  const toy_mix_args *t = args;
  for (uint64_t i = 0; i < t->n && i < threads; i++) t->out[i] = t->a[i] * t->factor + t->b[i];
}

static void check(const void *args, uint64_t threads) {
  const toy_check_args *t = args;
  for (uint64_t i = 0; i < t->n && i < threads; i++) {
    if (t->a[i] == t->bad && t->error[0] == 0) {
      t->error[0] = t->fault;
      t->error[1] = t->site;
      t->error[2] = (uint32_t)i;
      t->error[3] = 0;
    }
    t->out[i] = t->a[i];
  }
}

static void count(const void *args, uint64_t threads) {
  const toy_count_args *t = args;
  (void)threads;
  *t->count = 1 + (uint32_t)(t->a[0] % 4);
}

static void head(const void *args, uint64_t threads) {
  const toy_head_args *t = args;
  const uint64_t blocks = threads / TOY_BLOCK;
  for (uint64_t b = 0; b < blocks; b++)
    for (uint64_t k = b; k < *t->count; k += blocks)
      memcpy(t->out + k * TOY_BLOCK, t->a + k * TOY_BLOCK, TOY_BLOCK * sizeof *t->a);
}

static void bit(const void *args, uint64_t threads) {
  const toy_bit_args *t = args;
  (void)threads;
  *t->bit = (uint32_t)t->a[0] & t->mask;
}

static void choose(const void *args, uint64_t threads) {
  const toy_select_args *t = args;
  (void)threads;
  memcpy(t->out, *t->bit ? t->a : t->b, t->n * sizeof *t->out);
}

static void copy(const void *args, uint64_t threads) {
  const toy_pause_args *t = args;
  for (uint64_t i = 0; i < t->n && i < threads; i++) t->out[i] = t->a[i];
}

static void clear(const void *args, uint64_t threads) {
  const rp_clear_args *t = args;
  (void)threads;
  memset(t->memory, 0, (uint64_t)t->bytes_hi << 32 | t->bytes_lo);
}

static void bind_copy(const void *args, uint64_t threads) {
  const rp_bind_copy_args *t = args;
  uint64_t caller = *(const uint64_t *)t->word, bytes = (uint64_t)t->bytes_hi << 32 | t->bytes_lo;
  (void)threads;
  if (!caller || (t->out && *(const uint32_t *)t->record)) return;
  if (t->out)
    memcpy((void *)(uintptr_t)caller, t->value, bytes);
  else
    memcpy(t->value, (const void *)(uintptr_t)caller, bytes);
}

static void guard(const void *args, uint64_t threads) {
  const rp_guard_args *t = args;
  (void)threads;
  const int holds = (*(const uint32_t *)t->condition != 0) == (t->when != 0);
  const uint64_t runs = holds && (!t->around || *(const uint64_t *)t->around);
  memcpy(t->guard, &runs, sizeof runs);
  for (unsigned i = 0; i < t->n; i++) fake_set_condition(t->handles[i], (unsigned)runs);
}

void (*toy_before_piece)(void);

static void piece(const void *args, uint64_t threads) {
  const rp_piece_args *t = args;
  (void)threads;
  if (toy_before_piece) toy_before_piece();
  if (!fake_is_pinned(t->cancelled)) return; /* the handle stays 0 */
  fake_set_condition(t->handle, *(const uint32_t *)t->cancelled == 0);
}

void toy_register(void) {
  fake_add_kernel("toy_mix", mix, sizeof(toy_mix_args));
  fake_add_kernel("toy_check", check, sizeof(toy_check_args));
  fake_add_kernel("toy_count", count, sizeof(toy_count_args));
  fake_add_kernel("toy_head", head, sizeof(toy_head_args));
  fake_add_kernel("toy_bit", bit, sizeof(toy_bit_args));
  fake_add_kernel("toy_select", choose, sizeof(toy_select_args));
  fake_add_kernel("toy_pause", copy, sizeof(toy_pause_args));
  fake_add_kernel("toy_crash", copy, sizeof(toy_pause_args));
  fake_add_kernel("clear", clear, sizeof(rp_clear_args));
  fake_add_kernel("guard", guard, sizeof(rp_guard_args));
  fake_add_kernel("piece", piece, sizeof(rp_piece_args));
  fake_add_kernel("bind_copy", bind_copy, sizeof(rp_bind_copy_args));
}
