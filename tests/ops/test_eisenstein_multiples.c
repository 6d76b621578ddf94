/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for digits of Eisenstein integers, against multiplications on the host: of points inside and
 * outside the subgroup, of small orders, and of infinity.
 *
 * op-test lavapipe:slow curves:bn254_g2,bls12_381_g1 log:8
 *
 * mistake ops/msm/eisenstein_multiples_cpu_tmpl.c: "30 - __builtin_clz(base)" is "29 - __builtin_clz(base)"
 * mistake shaders/vulkan/msm/eisenstein_multiples.comp: "findMSB(k.base) - 1" is "findMSB(k.base) - 2"
 * mistake shaders/cuda/msm/eisenstein_multiples.cu: "30 - __clz(k.base)" is "29 - __clz(k.base)"
 */
#include "data.h"
#include "device.h"
#include "msm/eisenstein.h"
#include "points_data.h"
#include "torsion.h"

typedef uint8_t bytes;
enum { POINT = 24, POOL = 23, MOST = RP_EISENSTEIN_WINDOWS_MOST };

/* A signed integer of 160 bits as an element of a prime field. */
static void element_of(const rp_field_host *f, const uint32_t words[5], void *element) {
  uint32_t magnitude[5];
  uint64_t carry = 1;
  const bool negative = words[4] >> 31;
  for (int i = 0; i < 5; i++) {
    carry += ~words[i];
    magnitude[i] = negative ? (uint32_t)carry : words[i];
    carry >>= 32;
  }
  f->from_bytes_reduce(element, (const bytes *)magnitude, sizeof magnitude);
  if (negative) f->neg(element, element);
}

/* beta, from lambda = -a1 / b1: omega is lambda for the generator. */
static void find_beta(const rp_curve_host *c, void *beta) {
  const rp_endomorphism *e = rp_curve_endomorphism(c->id);
  const rp_field_host *f = rp_field_get(c->scalar), *base = rp_field_get(c->base);
  uint64_t a[6], b[6], p[POINT], q[POINT];
  bytes lambda[48] = {0};
  element_of(f, e->a1, a), element_of(f, e->b1, b);
  f->inv(b, b), f->mul(a, a, b), f->neg(a, a);
  f->to_canonical(lambda, a);
  c->generator(p);
  c->mul(q, p, lambda);
  base->inv(beta, p);
  base->mul(beta, beta, q);
}

/* Points of all kinds: infinity, P and -P, points of each small order that the curve has, points outside the subgroup
 * of large orders, and others of it. */
static void make_pool(const rp_curve_host *c, bytes *pool) {
  const uint64_t *prime = torsion_primes(c->id);
  uint64_t seed = 7, p[POINT], q[POINT];
  c->identity(pool);
  for (int i = 1; i < POOL; i++) {
    bytes k[32] = {0};
    for (int j = 0; j < 31; j++) k[j] = (bytes)data_next(&seed);
    c->generator(p);
    c->mul(p, p, k);
    if (i == 2) c->neg(p, pool + c->affine_bytes);
    if (i > 2 && *prime) {
      torsion_point(c->id, *prime++, 5, p);
    } else if (i > 2 && i < 12 && torsion_cofactor(c->id)) {
      torsion_any(c->id, (uint64_t)i, q);
      c->add(p, p, q);
    }
    memcpy(pool + (size_t)i * c->affine_bytes, p, c->affine_bytes);
  }
}

/* want[(r * windows + w) * POOL + i] = omega^r base^w pool[i] */
static void multiply_pool(const rp_curve_host *c, const rp_eisenstein *e, const bytes *pool, bytes *want) {
  const rp_field_host *f = rp_field_get(c->base);
  const size_t size = c->affine_bytes;
  const bytes base[2] = {(bytes)e->base, (bytes)(e->base >> 8)};
  uint64_t beta[12];
  find_beta(c, beta);
  for (uint32_t at = 0; at < 3 * e->windows * POOL; at++) {
    bytes *to = want + at * size;
    if (at < POOL)
      memcpy(to, pool + at * size, size);
    else if (at < e->windows * POOL)
      torsion_multiple(c->id, to - POOL * size, base, sizeof base, to);
    else
      memcpy(to, to - e->windows * POOL * size, size), f->mul(to, to, beta);
  }
}

static void check(const rp_curve_host *c, const rp_eisenstein *e, const bytes *pool, const bytes *want, uint64_t n) {
  const size_t size = c->affine_bytes, windows = e->windows;
  bytes *points = malloc(n * size), *got = malloc(3 * windows * n * size);
  job j;
  for (uint64_t i = 0; i < n; i++) memcpy(points + i * size, pool + (i + n) % POOL * size, size);
  job_begin(&j);
  const rp_value in = job_input(&j, rp_type_affine(c->id), n, points);
  job_output(&j, rp_eisenstein_multiples(j.graph, in, e->windows), got);
  job_check(&j);
  for (size_t m = 0; m < 3 * windows; m++)
    for (uint64_t i = 0; i < n; i++)
      if (memcmp(got + (m * n + i) * size, want + (m * POOL + (i + n) % POOL) * size, size))
        fail_msg("%s, %s: of point %llu of %llu, multiple %zu of %zu windows differs", device_name(), c->name,
                 (unsigned long long)i, (unsigned long long)n, m, windows);
  free(points), free(got);
}

static void test_multiples(void **state) {
  static const uint32_t windows[] = {RP_EISENSTEIN_WINDOWS_LEAST, 11, 12, 20, MOST};
  static const uint64_t sizes[] = {1, 31, 129, 256, 300};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const rp_curve_host *c = rp_curve_get(curve);
    if (!rp_curve_endomorphism(curve)) continue;
    bytes *pool = malloc((size_t)POOL * c->affine_bytes), *want = malloc((size_t)3 * MOST * POOL * c->affine_bytes);
    make_pool(c, pool);
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
      const rp_eisenstein e = rp_eisenstein_of(curve, windows[w]);
      multiply_pool(c, &e, pool, want);
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (data_fits(sizes[s]) && !(device_is_software() && s != w)) check(c, &e, pool, want, sizes[s]);
    }
    free(pool), free(want);
  }
}

static void test_refused(void **state) {
  static const struct {
    const char *type;
    uint64_t n;
    uint32_t windows;
    rp_status status;
  } cases[] = {{"bn254_g1", 10, 10, RP_OK},
               {"bls12_381_g2", 10, 43, RP_OK},
               {"bn254_g1", UINT32_MAX / 30, 10, RP_OK},
               {"bn254_g1", UINT32_MAX / 30 + 1, 10, RP_ERR_SHAPE},
               {"bn254_g1", 10, 9, RP_ERR_ARGUMENT},
               {"bn254_g1", 10, 44, RP_ERR_ARGUMENT},
               {"bn254_g1", 10, 0, RP_ERR_ARGUMENT},
               {"bn254_g1", 10, UINT32_MAX, RP_ERR_ARGUMENT},
               {"bn254_g1.acc", 10, 10, RP_ERR_TYPE},
               {"bn254_fp", 10, 10, RP_ERR_TYPE},
               {"secp256k1", 10, 10, RP_ERR_TYPE},
               {"banderwagon", 10, 10, RP_ERR_TYPE},
               {"e97", 10, 10, RP_ERR_TYPE}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "refused", &g, NULL), RP_OK);
    const rp_value in = rp_graph_input(g, "points", rp_type_by_name(cases[i].type), cases[i].n, 0);
    rp_eisenstein_multiples(g, in, cases[i].windows);
    if (rp_graph_error(g)->status != cases[i].status) fail_msg("case %zu: %s", i, rp_graph_error(g)->reason);
    rp_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_multiples), cmocka_unit_test(test_refused)};
  return device_run_tests("eisenstein_multiples", tests, sizeof tests / sizeof tests[0]);
}
