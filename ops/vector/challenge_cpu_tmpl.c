/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rows of bytes to elements (ops/vector/challenge.c).
 */
#include "kernel/cpu.h"

#include "vector/challenge_args.h"

#include <string.h>

void RP_FN(challenge)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_challenge_args *k = args;
  const uint32_t part = sizeof(fp);
  (void)w;
  for (uint64_t i = begin; i < end; i++) {
    const uint8_t *row = k->in + i * k->row_bytes;
    fp sum;
    fp_zero(&sum);
    for (uint32_t q = (k->row_bytes + part - 1) / part; q-- > 0;) {
      const uint32_t first = q * part, rest = k->row_bytes - first, bytes = rest < part ? rest : part;
      uint8_t le[sizeof(fp)] = {0};
      fp integer, x;
      for (uint32_t b = 0; b < bytes; b++) le[b] = row[RP_CHALLENGE_BYTE(first + b, k->row_bytes, k->big_endian)];
      memcpy(&integer, le, sizeof le);
      fp_from_integer_reduce(&x, integer.v);
      fp_mul(&sum, &sum, (const fp *)k->power);
      fp_add(&sum, &sum, &x);
    }
    ((fp *)k->out)[i] = sum;
  }
}
