/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash_to_g1.h"
#include "device.h"

#include <openssl/sha.h>

enum { LONGEST = 64, BLOCKS = 3, PER_ELEMENT = 48 }; /* L = 48, so that two elements take three blocks */

typedef uint64_t fe[4];

static const rp_field_host *fp(void) { return rp_field_get(RP_FIELD_BN254_FP); }

/* expand_message_xmd, RFC 9380 section 5.3.1, to BLOCKS * 32 bytes. */
static void expand(const uint8_t *message, size_t bytes, const char *dst, uint8_t out[BLOCKS * SHA256_DIGEST_LENGTH]) {
  const size_t dst_bytes = strlen(dst);
  uint8_t text[SHA256_CBLOCK + LONGEST + 3 + LONGEST + 1] = {0}, first[SHA256_DIGEST_LENGTH];
  size_t at = SHA256_CBLOCK;
  assert_true(bytes <= LONGEST && dst_bytes <= LONGEST);
  if (bytes) memcpy(text + at, message, bytes);
  at += bytes;
  text[at + 1] = BLOCKS * SHA256_DIGEST_LENGTH; /* the length in two bytes, then a zero */
  at += 3;
  memcpy(text + at, dst, dst_bytes);
  text[at + dst_bytes] = (uint8_t)dst_bytes;
  SHA256(text, at + dst_bytes + 1, first);
  for (uint8_t block = 0; block < BLOCKS; block++) {
    uint8_t *digest = out + block * SHA256_DIGEST_LENGTH;
    const uint8_t *before = block ? digest - SHA256_DIGEST_LENGTH : NULL;
    for (size_t i = 0; i < SHA256_DIGEST_LENGTH; i++) text[i] = first[i] ^ (before ? before[i] : 0);
    text[SHA256_DIGEST_LENGTH] = (uint8_t)(block + 1);
    memcpy(text + SHA256_DIGEST_LENGTH + 1, dst, dst_bytes);
    text[SHA256_DIGEST_LENGTH + 1 + dst_bytes] = (uint8_t)dst_bytes;
    SHA256(text, SHA256_DIGEST_LENGTH + dst_bytes + 2, digest);
  }
}

static void small(fe r, int value) {
  const uint8_t le = (uint8_t)(value < 0 ? -value : value);
  fp()->from_bytes_reduce(r, &le, 1);
  if (value < 0) fp()->neg(r, r);
}

static int sign(const fe x) {
  uint8_t le[32];
  fp()->to_canonical(le, x);
  return le[0] & 1;
}

/* g(x) = x^3 + 3 */
static void curve(fe r, const fe x) {
  fe three;
  small(three, 3);
  fp()->sqr(r, x);
  fp()->mul(r, r, x);
  fp()->add(r, r, three);
}

/* Shallue and van de Woestijne's map, RFC 9380 section 6.6.1, with Z = 1 on y^2 = x^3 + 3. */
static void map(const fe u, fe x, fe y) {
  const rp_field_host *f = fp();
  fe c1, c2, c3, c4, one, t, plus, minus, inverse, candidate[3], g;
  f->one(one);
  small(c1, 4);                /* g(Z) */
  small(t, -2), f->inv(c2, t); /* -Z / 2 */
  small(t, -12);               /* -g(Z) (3 Z^2 + 4 A) */
  assert_true(f->sqrt(c3, t));
  if (sign(c3)) f->neg(c3, c3);
  small(t, 3), f->inv(c4, t); /* -4 g(Z) / (3 Z^2 + 4 A) */
  small(t, -16), f->mul(c4, c4, t);
  f->sqr(t, u), f->mul(t, t, c1);
  f->add(plus, one, t), f->sub(minus, one, t);
  f->mul(inverse, plus, minus), f->inv(inverse, inverse);
  f->mul(t, u, minus), f->mul(t, t, inverse), f->mul(t, t, c3);
  f->sub(candidate[0], c2, t);
  f->add(candidate[1], c2, t);
  f->sqr(t, plus), f->mul(t, t, inverse), f->sqr(t, t), f->mul(t, t, c4);
  f->add(candidate[2], one, t);
  for (int i = 0; i < 3; i++) {
    curve(g, candidate[i]);
    if (!f->sqrt(y, g)) continue;
    memcpy(x, candidate[i], sizeof(fe));
    if (sign(u) != sign(y)) f->neg(y, y);
    return;
  }
  fail_msg("none of three candidates is on the curve");
}

void hash_to_g1(const uint8_t *message, size_t bytes, const char *dst, void *affine) {
  uint8_t uniform[BLOCKS * SHA256_DIGEST_LENGTH], le[PER_ELEMENT];
  uint64_t point[2][8];
  expand(message, bytes, dst, uniform);
  for (int k = 0; k < 2; k++) {
    fe u;
    for (int i = 0; i < PER_ELEMENT; i++) le[i] = uniform[PER_ELEMENT * k + PER_ELEMENT - 1 - i];
    fp()->from_bytes_reduce(u, le, sizeof le);
    map(u, point[k], point[k] + 4);
  }
  rp_curve_get(RP_CURVE_BN254_G1)->add(affine, point[0], point[1]); /* the cofactor is 1 */
}
