/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash_to_g1.h"
#include "files/sha256.h"

#include <reprise/ops.h>
#include <string.h>

enum { ELEMENT = 48, UNIFORM = 2 * ELEMENT }; /* L = 48 for a modulus of 254 bits and 128 bits of security */

typedef uint64_t fe[4];

static uint8_t *put(uint8_t *at, const char *tag) {
  while (*tag) *at++ = (uint8_t)*tag++;
  return at;
}

/* expand_message_xmd (section 5.3.1) to 96 bytes: b_0 over the text, then a chain of blocks over b_0. */
static void expand(const uint8_t *text, size_t bytes, const char *tag, uint8_t out[UNIFORM]) {
  uint8_t message[SHA256_BLOCK + 2 * HASH_TO_G1_MOST + 4] = {0}, first[SHA256_BYTES], *end = message + SHA256_BLOCK;
  const uint8_t tag_bytes = (uint8_t)strlen(tag);
  if (bytes) memcpy(end, text, bytes);
  end += bytes;
  *end++ = 0;
  *end++ = UNIFORM;
  *end++ = 0;
  end = put(end, tag);
  *end++ = tag_bytes;
  pedersen_sha256(message, (size_t)(end - message), first);
  for (int i = 1; i <= UNIFORM / SHA256_BYTES; i++) {
    uint8_t *block = out + (size_t)(i - 1) * SHA256_BYTES;
    for (size_t k = 0; k < SHA256_BYTES; k++) message[k] = i == 1 ? first[k] : first[k] ^ (block - SHA256_BYTES)[k];
    message[SHA256_BYTES] = (uint8_t)i;
    end = put(message + SHA256_BYTES + 1, tag);
    *end++ = tag_bytes;
    pedersen_sha256(message, (size_t)(end - message), block);
  }
}

static const rp_field_host *fp(void) { return rp_field_get(RP_FIELD_BN254_FP); }

static void set(fe r, uint8_t value) { fp()->from_bytes_reduce(r, &value, 1); }

static int sign(const fe x) { /* sgn0 of a prime field: the lowest bit */
  uint8_t le[32];
  fp()->to_canonical(le, x);
  return le[0] & 1;
}

static void right_side(fe r, const fe x) { /* x^3 + 3 */
  fe cube, three;
  fp()->sqr(cube, x), fp()->mul(cube, cube, x);
  set(three, 3);
  fp()->add(r, cube, three);
}

/* The map's constants for Z = 1, where g(Z) = 4 and 3 Z^2 + 4 A = 3 (section 6.6.1). */
typedef struct svdw {
  fe g, minus_half, root, factor;
} svdw;

static void constants(svdw *c) {
  fe t, twelve;
  set(c->g, 4);
  set(t, 2), fp()->inv(t, t), fp()->neg(c->minus_half, t);
  set(twelve, 12), fp()->neg(t, twelve);
  fp()->sqrt(c->root, t); /* -g 3 is a square by the choice of Z */
  if (sign(c->root)) fp()->neg(c->root, c->root);
  set(t, 3), fp()->inv(t, t);
  set(c->factor, 16), fp()->neg(c->factor, c->factor), fp()->mul(c->factor, c->factor, t);
}

/* For every u, one of three candidates for x is on the curve. */
static void map(const svdw *c, const fe u, uint64_t point[8]) {
  const rp_field_host *f = fp();
  fe one, a, plus, minus, inverse, t, x[3];
  f->one(one);
  f->sqr(a, u), f->mul(a, a, c->g);
  f->add(plus, one, a);
  f->sub(minus, one, a);
  f->mul(inverse, plus, minus), f->inv(inverse, inverse);
  f->mul(t, u, minus), f->mul(t, t, inverse), f->mul(t, t, c->root);
  f->sub(x[0], c->minus_half, t);
  f->add(x[1], c->minus_half, t);
  f->sqr(t, plus), f->mul(t, t, inverse), f->sqr(t, t), f->mul(t, t, c->factor);
  f->add(x[2], one, t);
  for (int i = 0; i < 3; i++) {
    right_side(t, x[i]);
    if (!f->sqrt(point + 4, t)) continue;
    memcpy(point, x[i], sizeof(fe));
    if (sign(u) != sign(point + 4)) f->neg(point + 4, point + 4);
    return;
  }
}

void pedersen_hash_to_g1(const uint8_t *text, size_t bytes, const char *tag, void *affine) {
  uint8_t uniform[UNIFORM], le[ELEMENT];
  uint64_t point[2][8];
  svdw c;
  constants(&c);
  expand(text, bytes, tag, uniform);
  for (int k = 0; k < 2; k++) {
    fe u;
    for (int i = 0; i < ELEMENT; i++) le[i] = uniform[ELEMENT * (k + 1) - 1 - i];
    fp()->from_bytes_reduce(u, le, sizeof le);
    map(&c, u, point[k]);
  }
  rp_curve_get(RP_CURVE_BN254_G1)->add(affine, point[0], point[1]); /* the cofactor is 1 */
}
