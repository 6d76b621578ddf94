/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "merkle_ref.h"

#include <stdio.h>

#include "data.h"
#include "device.h"
#include "kat.h"

enum { WIDTH = 12, RATE = 8, ROUNDS = 7, T = 3, FULL = 8, PARTIAL = 57 };

typedef struct rescue {
  uint64_t ark[2][ROUNDS][WIDTH], mds[WIDTH][WIDTH], rate_first, length_slot, digest_first;
} rescue;

static void integers(const json *array, uint64_t *out) {
  for (const json *i = array->item; i; i = i->next) *out++ = strtoull(i->text, NULL, 10);
}

const json *ref_variant(rp_hash hash) {
  const json *v = json_get(json_load("rescue_prime_goldilocks.json"), "variants")->item;
  const int last = strstr(json_get(v, "name")->text, "capacity_last") != NULL;
  return (hash == RP_HASH_RESCUE_RP64_256) == last ? v : v->next;
}

static const rescue *rescue_of(rp_hash hash) {
  static rescue known[2];
  rescue *r = &known[hash == RP_HASH_RESCUE_RP64_256];
  const json *root = json_load("rescue_prime_goldilocks.json"), *v = ref_variant(hash), *layout = json_get(v, "layout");
  if (r->ark[0][0][0]) return r;
  for (size_t k = 0; k < ROUNDS; k++) {
    integers(json_at(json_get(root, "ARK1"), k), r->ark[0][k]);
    integers(json_at(json_get(root, "ARK2"), k), r->ark[1][k]);
  }
  for (size_t i = 0; i < WIDTH; i++) integers(json_at(json_get(v, "MDS"), i), r->mds[i]);
  r->rate_first = json_u64(json_at(json_get(layout, "rate_range"), 0));
  r->digest_first = json_u64(json_at(json_get(layout, "digest_range"), 0));
  r->length_slot = json_u64(json_get(layout, "capacity_element_receiving_input_length"));
  return r;
}

static uint64_t power(uint64_t x, uint64_t e) {
  const rp_field_host *f = rp_field_get(RP_FIELD_GOLDILOCKS);
  f->pow(&x, &x, (const uint8_t *)&e, sizeof e);
  return x;
}

/* Half a round on the lanes of a state. Element i is word i in either layout; in the layout with padding, the padding
 * goes through the S-box too and must have no effect. */
static void half_round(const rescue *r, int half, int round, uint64_t *x, int lanes) {
  const rp_field_host *f = rp_field_get(RP_FIELD_GOLDILOCKS);
  uint64_t y[16] = {0}, t;
  for (int i = 0; i < lanes; i++) x[i] = power(x[i], half ? 10540996611094048183u : 7);
  for (int i = 0; i < WIDTH; i++) {
    for (int j = 0; j < WIDTH; j++) {
      f->mul(&t, &r->mds[i][j], &x[j]);
      f->add(&y[i], &y[i], &t);
    }
    f->add(&y[i], &y[i], &r->ark[half][round][i]);
  }
  memcpy(x, y, (size_t)lanes * sizeof *x);
}

void ref_rescue_permute(rp_hash hash, ref_layout layout, const uint64_t in[12], uint64_t out[12]) {
  const rescue *r = rescue_of(hash);
  uint64_t three[3][4], sixteen[16] = {0};
  uint64_t *x = layout == REF_THREE_BY_FOUR ? three[0] : sixteen;
  memcpy(x, in, WIDTH * sizeof *x);
  for (int round = 0; round < ROUNDS; round++)
    for (int half = 0; half < 2; half++) half_round(r, half, round, x, layout == REF_THREE_BY_FOUR ? WIDTH : 16);
  memcpy(out, x, WIDTH * sizeof *x);
}

static void poseidon(const uint64_t *left, const uint64_t *right, uint64_t *digest) {
  static uint64_t *c, *m;
  const rp_field_host *f = rp_field_get(RP_FIELD_BN254_FR);
  uint64_t x[T][4] = {{0}}, y[T][4], t[4];
  if (!c) {
    const json *full = json_get(json_get(json_load("poseidon_bn254.json"), "full_constants_t3_t5"), "3");
    c = kat_elements(RP_FIELD_BN254_FR, json_get(full, "C"));
    m = malloc(T * T * sizeof(uint64_t[4]));
    for (size_t i = 0; i < T; i++) {
      void *row = kat_elements(RP_FIELD_BN254_FR, json_at(json_get(full, "M"), i));
      memcpy(m + i * T * 4, row, T * 32);
      free(row);
    }
  }
  memcpy(x[1], left, 32);
  memcpy(x[2], right, 32);
  for (size_t r = 0; r < FULL + PARTIAL; r++) {
    const int full = r < FULL / 2 || r >= FULL / 2 + PARTIAL;
    for (size_t i = 0; i < T; i++) {
      f->add(x[i], x[i], c + (r * T + i) * 4);
      if (i && !full) continue;
      f->sqr(t, x[i]), f->sqr(t, t), f->mul(x[i], x[i], t);
    }
    for (size_t i = 0; i < T; i++) {
      f->zero(y[i]);
      for (size_t j = 0; j < T; j++) f->mul(t, m + (i * T + j) * 4, x[j]), f->add(y[i], y[i], t);
    }
    memcpy(x, y, sizeof x);
  }
  memcpy(digest, x[0], 32);
}

void ref_merge(rp_hash hash, const uint64_t *left, const uint64_t *right, uint64_t *digest) {
  if (hash == RP_HASH_POSEIDON_BN254) {
    poseidon(left, right, digest);
    return;
  }
  const rescue *r = rescue_of(hash);
  uint64_t x[WIDTH] = {0};
  memcpy(x + r->rate_first, left, 32);
  memcpy(x + r->rate_first + 4, right, 32);
  x[r->length_slot] = RATE;
  ref_rescue_permute(hash, REF_THREE_BY_FOUR, x, x);
  memcpy(digest, x + r->digest_first, 32);
}

void ref_tree(rp_hash hash, const uint64_t *leaves, uint64_t n, uint64_t *nodes) {
  memset(nodes, 0, 32);
  for (uint64_t i = n - 1; i; i--) {
    const uint64_t *children = 2 * i >= n ? leaves + (2 * i - n) * REF_WORDS : nodes + 2 * i * REF_WORDS;
    ref_merge(hash, children, children + REF_WORDS, nodes + i * REF_WORDS);
  }
}

void ref_leaves(rp_hash hash, const char *set, uint64_t n, uint64_t *leaves) {
  const rp_field field = rp_hash_field(hash);
  const int rescue_words = field == RP_FIELD_GOLDILOCKS;
  const uint64_t elements = rescue_words ? 4 * n : n, step = rescue_words ? 1 : 4;
  for (uint64_t i = 0; i < elements; i++) {
    uint64_t *r = leaves + i * step, value = strcmp(set, "ones") ? i + 1 : 1;
    uint8_t text[32];
    if (strcmp(set, "sha256")) {
      rp_field_get(field)->from_bytes_reduce(r, (const uint8_t *)&value, 8);
      continue;
    }
    size_t at = (size_t)snprintf((char *)text, sizeof text, rescue_words ? "rescue-leaf" : "poseidon-leaf");
    const uint64_t leaf = rescue_words ? i / 4 : i;
    memcpy(text + at, &leaf, 8);
    at += 8;
    if (rescue_words) text[at++] = (uint8_t)(i % 4);
    kat_hash(field, text, at, r);
  }
}
