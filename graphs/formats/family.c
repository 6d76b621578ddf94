/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "family.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const g16_family families[] = {
    {"bn128", RP_FIELD_BN254_FP, RP_FIELD_BN254_FP2, RP_FIELD_BN254_FR, RP_CURVE_BN254_G1, RP_CURVE_BN254_G2, 32, 32},
    {"bls12381", RP_FIELD_BLS12_381_FP, RP_FIELD_BLS12_381_FP2, RP_FIELD_BLS12_381_FR, RP_CURVE_BLS12_381_G1,
     RP_CURVE_BLS12_381_G2, 48, 32},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static const struct {
  const char *alias;
  int family;
} names[] = {{"bn128", 0}, {"bn254", 0}, {"altbn128", 0}, {"bls12381", 1}};

static bool is_prime_of(rp_field field, const uint8_t *prime, uint32_t bytes) {
  const rp_field_host *host = rp_field_get(field);
  return host->size_bytes == bytes && memcmp(host->modulus_le, prime, bytes) == 0;
}

const g16_family *g16_family_by_q(const uint8_t *q, uint32_t bytes) {
  for (int i = 0; i < FAMILIES; i++)
    if (is_prime_of(families[i].fq, q, bytes)) return &families[i];
  return NULL;
}

const g16_family *g16_family_by_r(const uint8_t *r, uint32_t bytes) {
  for (int i = 0; i < FAMILIES; i++)
    if (is_prime_of(families[i].fr, r, bytes)) return &families[i];
  return NULL;
}

const g16_family *g16_family_by_name(const char *name) {
  char plain[16] = "";
  size_t length = 0;
  for (; *name; name++) {
    if (!isalnum((unsigned char)*name)) continue;
    if (length + 1 == sizeof plain) return NULL;
    plain[length++] = (char)tolower((unsigned char)*name);
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(plain, names[i].alias) == 0) return &families[names[i].family];
  return NULL;
}

const g16_family *g16_family_by_g1(rp_curve g1) {
  for (int i = 0; i < FAMILIES; i++)
    if (families[i].g1 == g1) return &families[i];
  return NULL;
}

void g16_largest_shift(const g16_family *family, uint64_t shift[4]) {
  const rp_field_host *fr = rp_field_get(family->fr);
  uint64_t one[4], n[4], root[4];
  fr->one(one);
  fr->add(n, one, one);
  while (fr->sqrt(root, n)) fr->add(n, n, one);
  fr->sqr(shift, n);
}
