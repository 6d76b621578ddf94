/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * No branch and no address of mul_ct depends on the scalar. Run under memcheck, which is told that the scalar is
 * undefined and then reports every branch and every address computed from it.
 * usage: test_multiple_secret c|adx ct|var    var: mul, which must be reported
 */
#include "arith/host/host.h"

#include <stdio.h>
#include <string.h>

#include <valgrind/memcheck.h>

enum { MOST_WORDS = 24 };

#if defined(__x86_64__)
#define CURVE(id) {&rp_curve_host_##id, &rp_curve_host_##id##_adx},
#else
#define CURVE(id) {&rp_curve_host_##id, NULL},
#endif
static const rp_curve_host *const curves[][2] = {CURVE(bn254_g1) CURVE(bn254_g2) CURVE(bls12_381_g1) CURVE(bls12_381_g2)
                                                     CURVE(secp256k1) CURVE(banderwagon)};

/* Checks the multiple, which shows that memcheck has watched the intended computation. Returns 1 if it is right. */
static int one_curve(const rp_curve_host *c, int constant_time) {
  uint64_t g[MOST_WORDS], expected[MOST_WORDS], got[MOST_WORDS];
  uint8_t k[32], secret[32];
  for (unsigned i = 0; i < 32; i++) k[i] = (uint8_t)(i == 31 ? 7 : i < 3 ? 0 : i * 89 + 5);
  memcpy(secret, k, sizeof k);
  c->generator(g);
  c->mul(expected, g, k);
  VALGRIND_MAKE_MEM_UNDEFINED(secret, sizeof secret);
  if (constant_time)
    c->mul_ct(got, g, secret);
  else
    c->mul(got, g, secret);
  VALGRIND_MAKE_MEM_DEFINED(got, sizeof got);
  const int ok = memcmp(got, expected, c->affine_bytes) == 0;
  printf("%s: %s\n", c->name, ok ? "ok" : "WRONG");
  return ok;
}

int main(int argc, char **argv) {
  int ok = argc == 3;
  if (!ok) return 2;
  const int variant = !strcmp(argv[1], "adx"), constant_time = !strcmp(argv[2], "ct");
  for (size_t i = 0; i < sizeof curves / sizeof *curves && ok; i++) ok = one_curve(curves[i][variant], constant_time);
  return !ok;
}
