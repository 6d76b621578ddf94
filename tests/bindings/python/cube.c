/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A kernel of a caller's own for the tests of the Python package: y[i] = x[i]^3 + add over u64, modulo 2^64. */
#include <stdint.h>

struct args {
  const uint64_t *x;
  uint64_t *y;
  uint32_t add, unused;
};

void cube(const void *args, uint64_t begin, uint64_t end, const void *worker) {
  const struct args *k = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) k->y[i] = k->x[i] * k->x[i] * k->x[i] + k->add;
}
