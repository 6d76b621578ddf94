/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The last steps of loading a key from any file: supports, and the points for blinding.
 */
#include "key_unread.h"

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

/* The entries that alpha, beta and delta are added to or written to. */
typedef struct entries {
  uint8_t *a, *a_r;   /* of wire 0, of r */
  uint8_t *b1;        /* of wire 0 */
  uint8_t *b2, *b2_s; /* of wire 0, of s */
} entries;

static entries entries_of(const rp_groth16_key *key) {
  if (key->unread) {
    g16_unread_vector *v = key->unread->vector;
    return (entries){.a = (uint8_t *)&v[G16_VEC_A].ends[G16_END_FIRST],
                     .a_r = (uint8_t *)&v[G16_VEC_A].ends[G16_END_R],
                     .b1 = (uint8_t *)&v[G16_VEC_B1].ends[G16_END_FIRST],
                     .b2 = (uint8_t *)&v[G16_VEC_B2].ends[G16_END_FIRST],
                     .b2_s = (uint8_t *)&v[G16_VEC_B2].ends[G16_END_S]};
  }
  const uint64_t s = key->info.n_vars, r = s + 1;
  uint8_t *a = (uint8_t *)key->vector[G16_VEC_A], *b2 = (uint8_t *)key->vector[G16_VEC_B2];
  return (entries){.a = a,
                   .a_r = a + r * g16_g1_bytes(key->family),
                   .b1 = (uint8_t *)key->vector[G16_VEC_B1],
                   .b2 = b2,
                   .b2_s = b2 + s * g16_g2_bytes(key->family)};
}

static void set_bit(uint32_t *support, uint64_t i, bool finite) {
  support[i / WORD] &= ~(1u << i % WORD);
  support[i / WORD] |= (uint32_t)finite << i % WORD;
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
  const uint32_t b1 = g16_g1_bytes(key->family), b2 = g16_g2_bytes(key->family);
  const uint64_t s = key->info.n_vars, r = s + 1;
  const entries to = entries_of(key);
  add(g1, to.a, ends->alpha_1);
  add(g1, to.b1, ends->beta_1);
  add(g2, to.b2, ends->beta_2);
  memcpy(to.a_r, ends->delta_1, b1);
  memcpy(to.b2_s, ends->delta_2, b2);
  set_bit(support[G16_SUP_A], 0, !g16_is_infinity(to.a, b1));
  set_bit(support[G16_SUP_A], r, !g16_is_infinity(to.a_r, b1));
  set_bit(support[G16_SUP_B], 0, !g16_is_infinity(to.b1, b1) || !g16_is_infinity(to.b2, b2));
  set_bit(support[G16_SUP_B], s, !g16_is_infinity(to.b2_s, b2));
  for (int i = 0; i < G16_SUPPORTS; i++)
    for (uint64_t w = 0; w < g16_support_words(key); w++)
      key->supported[i] += (uint64_t)__builtin_popcount(support[i][w]);
}
