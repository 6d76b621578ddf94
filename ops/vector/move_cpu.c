/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moving elements of any type.
 */
#include <string.h>

#include <reprise/kernel.h>

#include "vector/move_args.h"

void rp_cpu_copy(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_copy_args *k = args;
  uint64_t size = k->size_bytes;
  (void)w;
  memcpy((uint8_t *)k->out + begin * size, (const uint8_t *)k->in + begin * size, (end - begin) * size);
}

void rp_cpu_select_elements(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_select_args *k = args;
  const struct rp_copy_args copied = {
      .out = k->out, .in = *k->condition ? k->a : k->b, .n = k->n, .size_bytes = k->size_bytes};
  rp_cpu_copy(&copied, begin, end, w);
}

void rp_cpu_zero(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_zero_args *k = args;
  (void)w;
  memset((uint8_t *)k->out + begin * k->size_bytes, 0, (end - begin) * k->size_bytes);
}

void rp_cpu_gather(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_gather_args *k = args;
  const uint8_t *x = k->x;
  uint8_t *out = k->out;
  uint64_t size = k->size_bytes;
  (void)w;
  for (uint64_t i = begin; i < end; i++) {
    if (k->index[i] < k->len)
      memcpy(out + i * size, x + k->index[i] * size, size);
    else
      rp_fault_report(k->error, RP_FAULT_INDEX, k->site, i);
  }
}
