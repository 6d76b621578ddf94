/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Randomness from the operating system, and wiping.
 */
#include <reprise/host.h>

#include <errno.h>
#include <string.h>
#include <sys/random.h>

rp_status rp_random_bytes(void *out, size_t bytes) {
  uint8_t *p = out;
  if (!out && bytes) return RP_ERR_ARGUMENT;
  while (bytes) {
    const ssize_t n = getrandom(p, bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return RP_ERR_UNAVAILABLE;
    p += n, bytes -= (size_t)n;
  }
  return RP_OK;
}

/* Draws until the number, cut to the bits of the modulus, is below the modulus: uniform, with at most two draws on
 * average. */
rp_status rp_random_canonical(rp_field field, void *canonical_le) {
  const rp_field_host *f = rp_field_get(field);
  if (!f || f->degree != 1 || !canonical_le) return RP_ERR_ARGUMENT;
  uint8_t *out = canonical_le;
  for (;;) {
    const rp_status status = rp_random_bytes(out, f->canonical_bytes);
    if (status != RP_OK) return status;
    for (uint32_t bit = f->modulus_bits; bit < 8 * f->canonical_bytes; bit++)
      out[bit / 8] &= (uint8_t) ~(1u << bit % 8);
    for (uint32_t i = f->canonical_bytes; i-- > 0;) {
      if (out[i] < f->modulus_le[i]) return RP_OK;
      if (out[i] > f->modulus_le[i]) break;
    }
  }
}
