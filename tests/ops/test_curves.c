/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every entry of tests/data/curves.json, the group laws on every curve, subgroups, and encodings with what they must
 * accept and refuse.
 */
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

static const rp_curve_host *curve_of(const char *id) {
  rp_curve curve;
  assert_true(rp_type_is_affine(rp_type_by_name(id), &curve));
  return rp_curve_get(curve);
}

static void assert_same(const rp_curve_host *c, const void *a, const void *b) { assert_true(c->equal(a, b)); }

/* y^2 = x^3 + b with the b of the data; a is 0. */
static void check_equation(const json_t *e, const rp_field_host *f, const uint64_t *g) {
  const size_t n = f->size_bytes / 8;
  uint64_t b[12], s[12], t[12];
  vectors_element(f, vectors_get(e, "a"), s);
  assert_true(f->is_zero(s));
  vectors_element(f, vectors_get(e, "b"), b);
  f->sqr(s, g), f->mul(s, s, g), f->add(s, s, b);
  f->sqr(t, g + n);
  assert_true(f->equal(s, t));
}

/* The curve has cofactor times r points. */
static void check_order(const json_t *e) {
  mpz_t h, r, n;
  mpz_inits(h, r, n, NULL);
  assert_int_equal(mpz_set_str(h, vectors_text(e, "cofactor_h"), 0), 0);
  assert_int_equal(mpz_set_str(r, vectors_text(e, "subgroup_order_r"), 0), 0);
  assert_int_equal(mpz_set_str(n, vectors_text(e, "curve_order"), 0), 0);
  mpz_mul(h, h, r);
  assert_int_equal(mpz_cmp(h, n), 0);
  mpz_clears(h, r, n, NULL);
}

/* d is in the file as a fraction, in decimal and in hexadecimal. */
static void check_d(const json_t *e, const rp_field_host *f, const void *d) {
  mpz_t p, x, over;
  mpz_inits(p, x, over, NULL);
  mpz_import(p, f->canonical_bytes, -1, 1, 0, 0, f->modulus_le);
  const char *fraction = vectors_text(e, "d_as_fraction"), *slash = strchr(fraction, '/');
  char above[64];
  assert_non_null(slash);
  snprintf(above, sizeof above, "%.*s", (int)strcspn(fraction, " "), fraction);
  assert_int_equal(mpz_set_str(x, above, 10), 0);
  assert_int_equal(mpz_set_str(over, slash + 2, 10), 0);
  assert_true(mpz_invert(over, over, p));
  mpz_mul(x, x, over);
  mpz_mod(x, x, p);
  uint8_t canonical[32], want[32] = {0};
  f->to_canonical(canonical, d);
  mpz_export(want, NULL, -1, 1, 0, 0, x);
  assert_memory_equal(canonical, want, sizeof want);
  assert_int_equal(mpz_set_str(over, vectors_text(e, "d_dec"), 10), 0);
  assert_int_equal(mpz_cmp(x, over), 0);
  mpz_clears(p, x, over, NULL);
}

static void check_weierstrass(const json_t *e, const rp_curve_host *c) {
  const rp_field_host *f = rp_field_get(c->base);
  uint64_t g[24], p[24], q[24];
  uint8_t k[32], order[32];
  c->generator(g);
  vectors_point(c, vectors_get(e, "generator"), p);
  assert_memory_equal(g, p, c->affine_bytes);
  check_equation(e, f, g);
  check_order(e);
  vectors_hex_le(vectors_text(e, "subgroup_order_r"), order, 32);
  assert_memory_equal(order, c->order_le, 32);
  assert_memory_equal(order, rp_field_get(c->scalar)->modulus_le, 32);
  c->mul(p, g, order), assert_true(c->is_identity(p));
  c->mul_ct(p, g, order), assert_true(c->is_identity(p));
  vectors_point(c, vectors_get(e, "2G"), q);
  c->add(p, g, g), assert_same(c, p, q);
  vectors_point(c, vectors_get(e, "3G"), q);
  c->add(p, p, g), assert_same(c, p, q);
  memset(k, 0, sizeof k), k[0] = 3;
  c->mul(p, g, k), assert_same(c, p, q);
  assert_string_equal(vectors_text(e, "(r-1)G"), "= -G");
  memcpy(k, order, sizeof k), k[0]--;
  c->mul(p, g, k), c->neg(q, g), assert_same(c, p, q);
  const json_t *outside = json_object_get(e, "point_on_curve_but_outside_r_subgroup");
  if (outside) {
    vectors_point(c, outside, p);
    assert_true(c->on_curve(p));
    assert_false(c->in_subgroup(p));
    /* the fast test agrees with r P = 0, and h P is in the subgroup */
    c->mul(q, p, order), assert_false(c->is_identity(q));
    uint8_t h[96] = {0};
    uint64_t sum[48], shifted[24];
    vectors_hex_le(vectors_text(e, "cofactor_h"), h, sizeof h);
    c->acc_identity(sum);
    for (size_t bit = 8 * sizeof h; bit-- > 0;) {
      c->acc_double(sum, sum);
      if (h[bit / 8] >> bit % 8 & 1) c->acc_add_affine(sum, sum, p);
    }
    c->acc_to_affine(shifted, sum);
    assert_false(c->is_identity(shifted));
    assert_true(c->in_subgroup(shifted));
    c->mul(q, shifted, order), assert_true(c->is_identity(q));
    /* a point outside the subgroup stays outside when a point inside is added */
    c->add(q, p, shifted), assert_false(c->in_subgroup(q));
  }
  ((uint8_t *)g)[0] ^= 1;
  assert_false(c->on_curve(g));
  assert_false(c->in_subgroup(g));
}

static void decode(rp_curve curve, const char *hex, rp_status want, void *affine) {
  uint8_t in[96];
  const uint32_t bytes = rp_point_compressed_bytes(curve);
  vectors_hex(hex, in, bytes);
  assert_int_equal(rp_point_decompress(curve, in, 0, affine), want);
}

static void check_banderwagon(const json_t *e, const rp_curve_host *c) {
  const rp_field_host *f = rp_field_get(c->base);
  uint64_t g[8], p[8], q[8], x[4], y[4], a[4], d[4], t[4], one[4];
  uint8_t k[32], out[32], want[32];
  json_t *v;
  size_t i;
  c->generator(g);
  vectors_point(c, vectors_get(e, "generator"), p);
  assert_memory_equal(g, p, c->affine_bytes);
  f->one(one);
  vectors_element(f, vectors_get(e, "a"), a), vectors_element(f, vectors_get(e, "d"), d);
  check_d(e, f, d);
  assert_int_equal(json_integer_value(vectors_get(e, "a_int")), -5);
  const uint8_t five = 5;
  f->from_bytes_reduce(t, &five, 1), f->neg(t, t), assert_true(f->equal(t, a));
  f->sqr(x, g), f->sqr(y, g + 4);
  f->mul(t, a, x), f->add(t, t, y), f->sub(t, t, one);
  f->mul(d, d, x), f->mul(d, d, y), assert_true(f->equal(t, d));
  vectors_hex_le(vectors_text(e, "subgroup_order_r"), k, 32);
  assert_memory_equal(k, c->order_le, 32);
  c->mul(p, g, k), assert_true(c->is_identity(p));
  assert_int_equal(json_integer_value(vectors_get(e, "bandersnatch_cofactor")), 4);
  /* the class of a point */
  f->neg(p, g), f->neg(p + 4, g + 4);
  assert_true(c->equal(p, g) && c->on_curve(p) && c->in_subgroup(p));
  f->zero(q), f->neg(q + 4, one);
  assert_true(c->on_curve(q) && c->is_identity(q) && c->in_subgroup(q));
  c->add(q, q, g), assert_true(c->equal(q, g));

  memcpy(p, g, sizeof p);
  json_array_foreach(vectors_get(e, "KAT_2^i_times_G_compressed"), i, v) {
    vectors_hex(json_string_value(v), want, 32);
    assert_int_equal(rp_point_compress(c->id, p, out), RP_OK);
    assert_memory_equal(out, want, 32);
    decode(c->id, json_string_value(v), RP_OK, q);
    assert_true(c->equal(p, q));
    f->neg(q, q), f->neg(q + 4, q + 4);
    assert_int_equal(rp_point_compress(c->id, q, out), RP_OK); /* the other representative */
    assert_memory_equal(out, want, 32);
    c->add(p, p, p);
  }
  assert_int_equal(i, 16);
  memset(q, 0x5a, sizeof q), memcpy(p, q, sizeof p);
  json_array_foreach(vectors_get(e, "KAT_must_reject_compressed"), i, v)
      decode(c->id, json_string_value(v), RP_ERR_FORMAT, q);
  json_array_foreach(vectors_get(e, "KAT_must_reject_compressed_2"), i, v)
      decode(c->id, json_string_value(v), RP_ERR_FORMAT, q);
  assert_memory_equal(q, p, sizeof q);
  json_array_foreach(vectors_get(e, "KAT_scalar_mul_generator"), i, v) {
    vectors_hex(vectors_text(v, "scalar_le_hex"), k, 32);
    vectors_hex(vectors_text(v, "compressed"), want, 32);
    c->mul(p, g, k), assert_int_equal(rp_point_compress(c->id, p, out), RP_OK), assert_memory_equal(out, want, 32);
    c->mul_ct(p, g, k), assert_int_equal(rp_point_compress(c->id, p, out), RP_OK), assert_memory_equal(out, want, 32);
  }
  memset(want, 0, sizeof want);
  c->identity(p), assert_int_equal(rp_point_compress(c->id, p, out), RP_OK), assert_memory_equal(out, want, 32);
  assert_int_equal(rp_point_decompress(c->id, want, 0, p), RP_OK), assert_true(c->is_identity(p));
  /* x / y, its canonical bytes taken as an integer modulo the scalar field */
  f->inv(t, g + 4), f->mul(t, t, g), f->to_canonical(out, t);
  const rp_field_host *s = rp_field_get(c->scalar);
  s->from_bytes_reduce(t, out, 32), s->to_canonical(out, t);
  vectors_hex(vectors_text(e, "KAT_map_to_scalar_field_of_generator_le"), want, 32);
  assert_memory_equal(out, want, 32);
}

static void test_data(void **state) {
  (void)state;
  json_t *root = vectors_load("curves.json"), *e;
  size_t i;
  assert_int_equal(json_array_size(vectors_get(root, "curves")), 6);
  json_array_foreach(vectors_get(root, "curves"), i, e) {
    const rp_curve_host *c = curve_of(vectors_text(e, "id"));
    if (c->id == RP_CURVE_BANDERWAGON)
      check_banderwagon(e, c);
    else
      check_weierstrass(e, c);
    const json_t *encodings = json_object_get(e, "encodings");
    const json_t *compressed = json_object_get(encodings, "generator_gnark_compressed");
    if (compressed) {
      uint64_t g[8], p[8];
      uint8_t out[32], want[32];
      c->generator(g);
      vectors_hex(json_string_value(compressed), want, 32);
      assert_int_equal(rp_point_compress(c->id, g, out), RP_OK), assert_memory_equal(out, want, 32);
      decode(c->id, json_string_value(compressed), RP_OK, p), assert_true(c->equal(p, g));
    }
  }
  json_decref(root);
}

/* The group laws on multiples that include zero, the generator, and opposite and equal points; every way to compute a
 * sum gives the same. */
static void test_laws(void **state) {
  (void)state;
  enum { N = 9 };
  for (int id = 0; id < RP_CURVE_COUNT; id++) {
    const rp_curve_host *c = rp_curve_get((rp_curve)id);
    uint64_t p[N][24], s[24], t[24], a[48], b[48];
    uint8_t k[32];
    c->identity(p[0]), c->generator(p[1]), c->neg(p[2], p[1]), c->add(p[3], p[1], p[1]), c->neg(p[4], p[3]);
    for (int i = 5; i < N; i++) {
      for (int j = 0; j < 32; j++) k[j] = (uint8_t)(i * 37 + j * j * (i + 101));
      c->mul(p[i], p[1], k);
      c->mul_ct(s, p[1], k), assert_same(c, s, p[i]);
    }
    for (int i = 0; i < N; i++) {
      assert_true(c->on_curve(p[i]) && c->in_subgroup(p[i]));
      c->neg(s, p[i]), c->add(s, s, p[i]), assert_true(c->is_identity(s));
      c->mul(s, p[i], c->order_le), assert_true(c->is_identity(s));
      c->mul_ct(s, p[i], c->order_le), assert_true(c->is_identity(s));
      c->acc_from_affine(a, p[i]), c->acc_double(a, a), c->acc_to_affine(s, a);
      c->add(t, p[i], p[i]), assert_same(c, s, t);
      for (int j = 0; j < N; j++) {
        c->add(s, p[i], p[j]), c->add(t, p[j], p[i]), assert_same(c, s, t);
        /* the same sum of accumulators that are not normalised: (2 P_i - P_i) + (2 P_j - P_j) */
        c->acc_from_affine(a, p[i]), c->acc_double(a, a), c->neg(t, p[i]), c->acc_add_affine(a, a, t);
        c->acc_from_affine(b, p[j]), c->acc_double(b, b), c->neg(t, p[j]), c->acc_add_affine(b, b, t);
        c->acc_add(a, a, b), c->acc_to_affine(t, a), assert_same(c, s, t);
        for (int l = 0; l < N; l++) {
          uint64_t u[24], v[24];
          c->add(u, s, p[l]), c->add(v, p[j], p[l]), c->add(v, p[i], v), assert_same(c, u, v);
        }
      }
    }
  }
}

/* Round trips with both signs; flags that contradict each other; an x that no point has, or that is not below p. */
static void test_encodings(void **state) {
  (void)state;
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G1, RP_CURVE_BLS12_381_G2,
                                    RP_CURVE_SECP256K1};
  for (size_t i = 0; i < 4; i++) {
    const rp_curve_host *c = rp_curve_get(curves[i]);
    const uint32_t bytes = rp_point_compressed_bytes(c->id);
    uint64_t p[24], q[24];
    uint8_t out[96], bad[96];
    c->generator(p);
    for (int round = 0; round < 12; round++) {
      if (round % 2)
        c->neg(p, p);
      else
        c->add(p, p, p);
      assert_int_equal(rp_point_compress(c->id, p, out), RP_OK);
      assert_int_equal(rp_point_decompress(c->id, out, 0, q), RP_OK);
      assert_memory_equal(p, q, c->affine_bytes);
    }
    memset(bad, 0xff, sizeof bad);
    assert_int_equal(rp_point_decompress(c->id, bad, 0, q), RP_ERR_FORMAT);
    int accepted = 0; /* half of all x lie on the curve; on G1 and G2 of BLS12-381 almost none in the subgroup */
    for (int x = 0; x < 64; x++) {
      memset(bad, 0, sizeof bad);
      bad[0] = c->id == RP_CURVE_SECP256K1 ? 2 : 0x80, bad[bytes - 1] = (uint8_t)x;
      const rp_status status = rp_point_decompress(c->id, bad, 0, q);
      assert_true(status == RP_OK || status == RP_ERR_FORMAT);
      if (status == RP_OK) assert_true(c->in_subgroup(q));
      accepted += status == RP_OK;
      if (status != RP_OK && rp_point_decompress(c->id, bad, 1, q) == RP_OK) assert_true(c->on_curve(q));
    }
    if (c->id == RP_CURVE_BN254_G1 || c->id == RP_CURVE_SECP256K1)
      assert_in_range(accepted, 16, 48);
    else
      assert_in_range(accepted, 0, 2);
    c->identity(p);
    if (c->id == RP_CURVE_SECP256K1) {
      assert_int_equal(rp_point_compress(c->id, p, out), RP_ERR_UNSUPPORTED);
      for (int first = 0; first < 256; first++) { /* only 02 and 03 are valid */
        c->generator(p);
        assert_int_equal(rp_point_compress(c->id, p, out), RP_OK);
        out[0] = (uint8_t)first;
        assert_int_equal(rp_point_decompress(c->id, out, 0, q), first == 2 || first == 3 ? RP_OK : RP_ERR_FORMAT);
      }
      continue;
    }
    assert_int_equal(rp_point_compress(c->id, p, out), RP_OK);
    assert_int_equal(rp_point_decompress(c->id, out, 0, q), RP_OK);
    assert_true(c->is_identity(q));
    out[bytes - 1] = 1; /* infinity with a coordinate that is not zero */
    assert_int_equal(rp_point_decompress(c->id, out, 0, q), RP_ERR_FORMAT);
    out[bytes - 1] = 0, out[0] |= 0x20; /* infinity with a sign bit (BN254: with a bit of x) */
    assert_int_equal(rp_point_decompress(c->id, out, 0, q), RP_ERR_FORMAT);
    c->generator(p);
    assert_int_equal(rp_point_compress(c->id, p, out), RP_OK);
    out[0] &= 0x3f; /* not marked as compressed */
    assert_int_equal(rp_point_decompress(c->id, out, 0, q), RP_ERR_FORMAT);
  }
  assert_int_equal(rp_point_compressed_bytes(RP_CURVE_BN254_G2), 0);
}

/* Random elements are uniform below the modulus, as far as a small field can show, and rp_wipe clears memory. */
static void test_random(void **state) {
  (void)state;
  int seen[79] = {0};
  for (int i = 0; i < 8000; i++) {
    uint64_t x = UINT64_MAX;
    assert_int_equal(rp_random_canonical(RP_FIELD_F79, &x), RP_OK);
    assert_true(x < 79);
    seen[x]++;
  }
  for (int i = 0; i < 79; i++) assert_in_range(seen[i], 40, 180); /* 101 expected, six standard deviations */
  uint8_t bytes[64] = {0}, zero[64] = {0};
  assert_int_equal(rp_random_bytes(bytes, sizeof bytes), RP_OK);
  assert_memory_not_equal(bytes, zero, sizeof bytes);
  rp_wipe(bytes, sizeof bytes);
  assert_memory_equal(bytes, zero, sizeof bytes);
  assert_int_equal(rp_random_canonical(RP_FIELD_BN254_FP2, bytes), RP_ERR_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_data), cmocka_unit_test(test_laws),
                                     cmocka_unit_test(test_encodings), cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
