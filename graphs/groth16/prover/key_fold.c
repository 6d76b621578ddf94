/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The last steps of loading a key from any file: supports, and the points for blinding.
 */
#include "key.h"

#include "formats/fail.h"

enum { WORD = 32 };

rp_status g16_key_alloc_supports(rp_groth16_key *key, const char *name, uint32_t *support[G16_SUPPORTS],
                                 rp_error *err) {
  const uint64_t bytes = g16_support_words(key) * sizeof(uint32_t);
  for (int i = 0; i < G16_SUPPORTS; i++) {
    support[i] = g16_key_alloc(key, bytes);
    if (!support[i]) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a support.", name);
    memset(support[i], 0, bytes);
    key->support[i] = support[i];
  }
  return RP_OK;
}

static void set_bit(uint32_t *support, const uint8_t *point, uint32_t bytes, uint64_t i) {
  support[i / WORD] &= ~(1u << i % WORD);
  if (!g16_is_infinity(point, bytes)) support[i / WORD] |= 1u << i % WORD;
}

/* point += by, of which the first may have any address. */
static void add(const rp_curve_host *curve, uint8_t *point, const void *by) {
  g16_g2 sum;
  memcpy(&sum, point, curve->affine_bytes);
  curve->add(&sum, &sum, by);
  memcpy(point, &sum, curve->affine_bytes);
}

void g16_key_fold(rp_groth16_key *key, const g16_key_ends *ends, uint32_t *support[G16_SUPPORTS]) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1), *g2 = rp_curve_get(key->family->g2);
  uint32_t b1 = g16_g1_bytes(key->family), b2 = g16_g2_bytes(key->family);
  uint32_t *support_a = support[G16_SUP_A], *support_b = support[G16_SUP_B];
  uint8_t *a = (uint8_t *)key->vector[G16_VEC_A], *p1 = (uint8_t *)key->vector[G16_VEC_B1],
          *p2 = (uint8_t *)key->vector[G16_VEC_B2];
  uint64_t s = key->info.n_vars, r = s + 1;
  add(g1, a, ends->alpha_1);
  add(g1, p1, ends->beta_1);
  add(g2, p2, ends->beta_2);
  memcpy(a + r * b1, ends->delta_1, b1);
  memcpy(p2 + s * b2, ends->delta_2, b2);
  set_bit(support_a, a, b1, 0);
  set_bit(support_a, a + r * b1, b1, r);
  set_bit(support_b, p2, b2, 0);
  if (!g16_is_infinity(p1, b1)) support_b[0] |= 1;
  set_bit(support_b, p2 + s * b2, b2, s);
  for (int i = 0; i < G16_SUPPORTS; i++)
    for (uint64_t w = 0; w < g16_support_words(key); w++)
      key->supported[i] += (uint64_t)__builtin_popcount(support[i][w]);
}
