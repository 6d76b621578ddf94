/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Mutations of the inputs of fuzz_verify as a forger would make them; with changes to single bytes, every point would
 * only leave its curve. Points are negated, added, exchanged, moved out of their subgroup, or set to infinity; proofs
 * are turned into other valid ones; signals get extreme values. One mutation in four is libFuzzer's own, of all bytes.
 */
#include "fuzz.h"

#include "groth16/formats/json.h"
#include "ops/torsion.h"
#include "verify_input.h"

typedef struct texts {
  g16_vkey key;
  uint8_t signals[VERIFY_SIGNALS * 32];
  size_t n_signals;
  rp_groth16_proof proof[VERIFY_PARTS];
  size_t n_proofs;
} texts;

static uint64_t state;

static uint64_t below(uint64_t n) {
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return n ? (state * 0x2545f4914f6cdd1du >> 16) % n : 0;
}

/* Returns 0 unless all texts can be read and the proofs are of the key's curve. */
static int read_texts(const uint8_t *data, size_t size, texts *t) {
  const verify_input in = verify_split(data, size);
  *t = (texts){0};
  if (in.parts <= VERIFY_PROOF || g16_vkey_read("key", in.text[0], in.bytes[0], &t->key, NULL) != RP_OK) return 0;
  int good =
      g16_public_read("public", in.text[1], in.bytes[1], t->signals, VERIFY_SIGNALS, &t->n_signals, NULL) == RP_OK &&
      t->n_signals <= VERIFY_SIGNALS && t->key.n_public < VERIFY_SIGNALS;
  for (size_t i = VERIFY_PROOF; i < in.parts && good; i++) {
    rp_groth16_proof *p = &t->proof[t->n_proofs++];
    good = g16_proof_read("proof", in.text[i], in.bytes[i], p, NULL) == RP_OK && p->g1 == t->key.family->g1;
  }
  if (!good) g16_vkey_free(&t->key);
  return good;
}

/* Returns the new size, or 0 if there is not enough room. */
static size_t write_texts(const texts *t, uint8_t *data, size_t most) {
  support_text all = {0};
  size_t size = 0;
  int good = g16_vkey_write(&t->key, NULL, &all, NULL) == RP_OK;
  for (size_t i = 0; i <= t->n_proofs && good; i++) {
    support_text one = {0};
    good = (i == 0 ? g16_public_write(t->signals, t->n_signals, &one, NULL)
                   : g16_proof_write(&t->proof[i - 1], &one, NULL)) == RP_OK;
    if (i == 0) size = all.length;
    good = good && size + 1 + one.length <= most && all.length <= most;
    if (good) {
      if (i == 0) memcpy(data, all.data, all.length);
      data[size] = 0;
      memcpy(data + size + 1, one.data, one.length);
      size += 1 + one.length;
    }
    free(one.data);
  }
  free(all.data);
  return good ? size : 0;
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

/* Any of the points of G1 or G2 in the key or the proofs. */
static uint8_t *any_point(texts *t, int g2) {
  rp_groth16_proof *p = &t->proof[below(t->n_proofs)];
  if (g2) {
    void *const in_key[3] = {&t->key.beta_2, &t->key.gamma_2, &t->key.delta_2};
    return below(2) ? p->b : in_key[below(3)];
  }
  switch (below(4)) {
  case 0: return p->a;
  case 1: return p->c;
  case 2: return t->key.ic + below((uint64_t)t->key.n_public + 1) * g16_g1_bytes(t->key.family);
  default: return (uint8_t *)&t->key.alpha_1;
  }
}

static void change_point(texts *t) {
  const int in_g2 = (int)below(2);
  const rp_curve_host *g = rp_curve_get(in_g2 ? t->key.family->g2 : t->key.family->g1);
  uint8_t *place = any_point(t, in_g2);
  const uint64_t *primes = torsion_primes(g->id);
  g16_g2 point, other;
  memcpy(&point, place, g->affine_bytes);
  memcpy(&other, any_point(t, in_g2), g->affine_bytes);
  if (!g->on_curve(&point) || !g->on_curve(&other)) g->generator(&point), g->identity(&other);
  switch (below(8)) {
  case 0: g->neg(&point, &point); break;
  case 1: g->identity(&point); break;
  case 2: g->generator(&point); break;
  case 3: g->add(&point, &point, &other); break;
  case 4: point = other; break;
  case 5: /* off the curve */ rp_field_get(g->base)->add(&point, &point, &other); break;
  case 6:
    if (primes[0]) torsion_any(g->id, below(1 << 16), &point);
    break;
  default:
    if (!primes[0]) break;
    torsion_point(g->id, primes[below(2)], below(1 << 16), &other);
    g->add(&point, &point, &other);
  }
  memcpy(place, &point, g->affine_bytes);
}

/* Makes (-A, -B, C) or (A, B + k delta, C + k A), which verify if (A, B, C) does. */
static void another_proof(texts *t, rp_groth16_proof *p) {
  const rp_curve_host *g1 = rp_curve_get(t->key.family->g1), *g2 = rp_curve_get(t->key.family->g2);
  g16_g1 a, c;
  g16_g2 b;
  uint8_t k[32] = {0};
  memcpy(&a, p->a, g1->affine_bytes);
  memcpy(&b, p->b, g2->affine_bytes);
  memcpy(&c, p->c, g1->affine_bytes);
  if (!g1->on_curve(&a) || !g2->on_curve(&b) || !g1->on_curve(&c)) return;
  if (below(2)) {
    g16_g2 delta = t->key.delta_2;
    g16_g1 shift;
    k[0] = (uint8_t)(1 + below(255));
    g2->mul(&delta, &delta, k);
    g2->add(&b, &b, &delta);
    g1->mul(&shift, &a, k);
    g1->add(&c, &c, &shift);
  } else {
    g1->neg(&a, &a);
    g2->neg(&b, &b);
  }
  memcpy(p->a, &a, g1->affine_bytes);
  memcpy(p->b, &b, g2->affine_bytes);
  memcpy(p->c, &c, g1->affine_bytes);
}

static void change_proofs(texts *t) {
  rp_groth16_proof *p = &t->proof[below(t->n_proofs)], *q = &t->proof[below(t->n_proofs)];
  switch (below(5)) {
  case 0: another_proof(t, p); break;
  case 1:
    if (t->n_proofs < VERIFY_PARTS - VERIFY_PROOF) t->proof[t->n_proofs++] = *p;
    break;
  case 2:
    if (t->n_proofs > 1) *p = t->proof[--t->n_proofs];
    break;
  case 3: memcpy(p->a, q->c, sizeof p->a); break;
  default: memcpy(p->b, q->b, sizeof p->b); break;
  }
}

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

static void change_signals(texts *t) {
  const rp_field_host *fr = rp_field_get(t->key.family->fr);
  uint8_t *x = t->signals + 32 * below(t->n_signals ? t->n_signals : 1);
  switch (below(7)) {
  case 0: memset(x, 0, 32); break;
  case 1: memcpy(x, fr->modulus_le, 32); break;
  case 2: /* r - 1 */
    memcpy(x, fr->modulus_le, 32);
    x[0]--;
    break;
  case 3: memset(x, 255, 32); break;
  case 4: x[below(32)] = (uint8_t)below(256); break;
  case 5:
    if (t->n_signals) t->n_signals--;
    break;
  default:
    if (t->n_signals < VERIFY_SIGNALS) memset(t->signals + 32 * t->n_signals++, 0, 32);
  }
}

/* Adds or removes one signal in key and signals. */
static void change_width(texts *t) {
  const uint32_t bytes = g16_g1_bytes(t->key.family);
  const size_t n = (size_t)t->key.n_public + 1;
  if (t->n_signals != t->key.n_public) return;
  if (below(3) == 0 && t->n_signals) {
    t->key.n_public--, t->n_signals--;
  } else if (n < VERIFY_SIGNALS) {
    uint8_t *ic = aligned_alloc(64, ((n + 1) * bytes + 63) & ~(size_t)63);
    FUZZ_NEED(ic);
    memcpy(ic, t->key.ic, n * bytes);
    memcpy(ic + n * bytes, any_point(t, 0), bytes);
    free(t->key.ic);
    t->key.ic = ic;
    t->key.n_public++;
    memset(t->signals + 32 * t->n_signals, 0, 32);
    t->signals[32 * t->n_signals++] = (uint8_t)below(2);
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed) {
  texts t;
  state = (uint64_t)seed << 1 | 1;
  const uint64_t choice = below(8);
  if (choice < 2 || !read_texts(data, size, &t)) return LLVMFuzzerMutate(data, size, most);
  switch (choice) {
  case 2:
  case 3: change_point(&t); break;
  case 4:
  case 5: change_proofs(&t); break;
  case 6: change_signals(&t); break;
  default: change_width(&t);
  }
  const size_t written = write_texts(&t, data, most);
  g16_vkey_free(&t.key);
  return written ? written : size;
}
