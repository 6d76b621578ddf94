/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion through its entry points, on every route: sizes, zeros, masks, strict, in place, routing.
 */
#include <reprise/inverse.h>

#include "data.h"
#include "device.h"
#include "ref/ref.h"

static const rp_field fields[] = {RP_FIELD_SECP256K1_FP, RP_FIELD_SECP256K1_FN, RP_FIELD_BN254_FP,  RP_FIELD_BN254_FR,
                                  RP_FIELD_BLS12_381_FP, RP_FIELD_BLS12_381_FR, RP_FIELD_GOLDILOCKS};
static const rp_inverse_route routes[] = {RP_INVERSE_ROUTE_AUTO, RP_INVERSE_ROUTE_ELEMENTS, RP_INVERSE_ROUTE_CHAIN,
                                          RP_INVERSE_ROUTE_DEVICE};

/* Seven sizes with a hundred random inputs each: blocks on the device, one chain on the host and single inversions on
 * the host agree. */
static void sizes(void **state) {
  static const uint64_t all[] = {1, 2, 8, 64, 256, 1024, 4096};
  (void)state;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    for (size_t s = 0; s < sizeof all / sizeof *all; s++) {
      const uint64_t n = data_cap(all[s]), size = rp_field_get(fields[i])->size_bytes;
      const rp_batch_inv_options device = {.struct_size = sizeof device, .route = RP_INVERSE_ROUTE_DEVICE};
      const rp_batch_inv_options chain = {.struct_size = sizeof chain, .route = RP_INVERSE_ROUTE_CHAIN};
      rp_inverter *on_device, *on_host;
      assert_int_equal(rp_inverter_create(device_current(), fields[i], n, &device, &on_device, NULL), RP_OK);
      assert_int_equal(rp_inverter_create(device_current(), fields[i], n, &chain, &on_host, NULL), RP_OK);
      uint8_t *want = malloc(n * size), *got = malloc(n * size);
      for (uint64_t again = 0; again < 100; again++) {
        void *x = data_field(fields[i], again % 10 ? DATA_RANDOM : DATA_EDGES, 1000 * s + again, n);
        assert_int_equal(rp_inverter_run(on_device, x, got, NULL, NULL), RP_OK);
        assert_int_equal(rp_inverter_run(on_host, x, want, NULL, NULL), RP_OK);
        data_assert_equal(fields[i], got, want, n, "blocks and chain");
        if (again == 0) ref_inverse(rp_field_get(fields[i]), want, x, n);
        if (again == 0) data_assert_equal(fields[i], got, want, n, "blocks and single inversions");
        free(x);
      }
      rp_inverter_destroy(on_device);
      rp_inverter_destroy(on_host);
      free(want), free(got);
    }
}

/* Every route, constant time or not, in place or not, gives the same bytes and the same mask. */
static void routes_agree(void **state) {
  static const uint64_t all[] = {1, 2, 3, 7, 100, 1500};
  (void)state;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    for (size_t s = 0; s < sizeof all / sizeof *all; s++) {
      const rp_field_host *f = rp_field_get(fields[i]);
      const uint64_t n = all[s], bytes = n * f->size_bytes;
      uint8_t *x = data_field(fields[i], DATA_SPARSE, s, n), *want = malloc(bytes), *got = malloc(bytes),
              *mask = malloc(n);
      ref_inverse(f, want, x, n);
      for (int variant = 0; variant < 16; variant++) {
        const int ct = variant & 1, in_place = variant >> 1 & 1;
        const rp_batch_inv_options o = {.struct_size = sizeof o, .zero_mask = mask, .route = routes[variant >> 2]};
        memset(mask, 7, n);
        memcpy(got, x, bytes);
        rp_error err;
        rp_status st =
            (ct ? rp_batch_inv_ct : rp_batch_inv)(device_current(), fields[i], in_place ? got : x, got, n, &o, &err);
        if (st != RP_OK) fail_msg("%s", err.reason);
        data_assert_equal(fields[i], got, want, n, "route");
        for (uint64_t k = 0; k < n; k++) assert_int_equal(mask[k], f->is_zero(x + k * f->size_bytes));
      }
      free(x), free(want), free(got), free(mask);
    }
}

static void strict(void **state) {
  enum { N = 300 };
  (void)state;
  for (int route = 0; route < 4; route++)
    for (int ct = 0; ct < 2; ct++) {
      const rp_batch_inv_options o = {.struct_size = sizeof o, .zero = RP_ZERO_STRICT, .route = routes[route]};
      uint8_t *x = data_field_nonzero(RP_FIELD_BN254_FR, DATA_RANDOM, 5, N), out[N * 32], untouched[N * 32];
      rp_error err = {0};
      memset(out, 0xa5, sizeof out);
      memset(untouched, 0xa5, sizeof untouched);
      assert_int_equal((ct ? rp_batch_inv_ct : rp_batch_inv)(device_current(), RP_FIELD_BN254_FR, x, out, N, &o, &err),
                       RP_OK);
      assert_memory_not_equal(out, untouched, 32);
      memset(out, 0xa5, sizeof out);
      memset(x + 123 * 32, 0, 32);
      assert_int_equal((ct ? rp_batch_inv_ct : rp_batch_inv)(device_current(), RP_FIELD_BN254_FR, x, out, N, &o, &err),
                       RP_ERR_INPUT);
      assert_non_null(strstr(err.reason, "zero"));
      assert_non_null(strstr(err.reason, "123"));
      assert_memory_equal(out, untouched, sizeof out);
      free(x);
    }
}

/* The named entry points, the empty batch, and what is refused. */
static void entry_points(void **state) {
  static const struct {
    rp_field field;
    rp_status (*call)(rp_device *, const void *, void *, uint64_t, rp_error *);
  } named[] = {{RP_FIELD_SECP256K1_FP, rp_secp256k1_batch_inv_fp},
               {RP_FIELD_BN254_FR, rp_bn254_batch_inv_fr},
               {RP_FIELD_BLS12_381_FP, rp_bls12_381_batch_inv_fp},
               {RP_FIELD_BLS12_381_FR, rp_banderwagon_batch_inv}};
  (void)state;
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    const uint64_t n = 700, bytes = n * rp_field_get(named[i].field)->size_bytes;
    void *x = data_field(named[i].field, DATA_EDGES, i, n), *want = malloc(bytes), *got = malloc(bytes);
    ref_inverse(rp_field_get(named[i].field), want, x, n);
    assert_int_equal(named[i].call(device_current(), x, got, n, NULL), RP_OK);
    data_assert_equal(named[i].field, got, want, n, "named entry point");
    assert_int_equal(named[i].call(device_current(), x, got, 0, NULL), RP_OK);
    data_assert_equal(named[i].field, got, want, n, "after an empty batch");
    assert_int_equal(named[i].call(device_current(), NULL, NULL, 0, NULL), RP_OK);
    assert_int_equal(named[i].call(device_current(), NULL, got, 1, NULL), RP_ERR_ARGUMENT);
    assert_int_equal(named[i].call(device_current(), x, NULL, 1, NULL), RP_ERR_ARGUMENT);
    assert_int_equal(named[i].call(NULL, x, got, 1, NULL), RP_ERR_ARGUMENT);
    free(x), free(want), free(got);
  }
  uint64_t x[4] = {1}, out[4];
  rp_inverter *v;
  rp_error err = {0};
  assert_int_equal(rp_batch_inv(device_current(), RP_FIELD_COUNT, x, out, 1, NULL, &err), RP_ERR_ARGUMENT);
  assert_true(err.reason[0]);
  assert_int_equal(rp_inverter_create(device_current(), RP_FIELD_BN254_FR, 0, NULL, &v, &err), RP_ERR_ARGUMENT);
  const rp_batch_inv_options wrong = {.struct_size = sizeof wrong, .route = 9};
  assert_int_equal(rp_batch_inv(device_current(), RP_FIELD_BN254_FR, x, out, 1, &wrong, &err), RP_ERR_ARGUMENT);
}

/* The table of the device chooses the route; a table in the options takes its place, and a forced route overrides
 * both. */
static void routing(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const rp_inverse_table t = rp_batch_inv_table(info.kind);
  assert_true(t.chain >= 1 && t.chain <= t.device && t.device <= t.device_once);
  assert_int_equal(rp_batch_inv_route(info.kind, t.chain - 1, NULL), RP_INVERSE_ROUTE_ELEMENTS);
  assert_int_equal(rp_batch_inv_route(info.kind, t.chain, NULL), RP_INVERSE_ROUTE_CHAIN);
  assert_int_equal(rp_batch_inv_route(info.kind, t.device_once - 1, NULL), RP_INVERSE_ROUTE_CHAIN);
  assert_int_equal(rp_batch_inv_route(info.kind, t.device_once, NULL), RP_INVERSE_ROUTE_DEVICE);
  const rp_inverse_table lp160 = {.chain = 8, .device = 16, .device_once = 32};
  rp_batch_inv_options o = {.struct_size = sizeof o, .table = &lp160};
  for (uint64_t n = 1; n < 40; n++) {
    const rp_inverse_route want = n < 8    ? RP_INVERSE_ROUTE_ELEMENTS
                                  : n < 32 ? RP_INVERSE_ROUTE_CHAIN
                                           : RP_INVERSE_ROUTE_DEVICE;
    assert_int_equal(rp_batch_inv_route(info.kind, n, &o), want);
    rp_inverter *v;
    assert_int_equal(rp_inverter_create(device_current(), RP_FIELD_BN254_FR, n, &o, &v, NULL), RP_OK);
    assert_int_equal(rp_inverter_route(v), n < 8    ? RP_INVERSE_ROUTE_ELEMENTS
                                           : n < 16 ? RP_INVERSE_ROUTE_CHAIN
                                                    : RP_INVERSE_ROUTE_DEVICE);
    uint8_t *x = data_field(RP_FIELD_BN254_FR, DATA_EDGES, n, n), got[40 * 32], want_bytes[40 * 32];
    ref_inverse(rp_field_get(RP_FIELD_BN254_FR), want_bytes, x, n);
    assert_int_equal(rp_inverter_run(v, x, got, NULL, NULL), RP_OK);
    data_assert_equal(RP_FIELD_BN254_FR, got, want_bytes, n, "route of another table");
    rp_inverter_destroy(v);
    free(x);
  }
  o.route = RP_INVERSE_ROUTE_DEVICE;
  assert_int_equal(rp_batch_inv_route(info.kind, 1, &o), RP_INVERSE_ROUTE_DEVICE);
}

/* Options of programs that were built with a shorter or a longer struct. */
static void options_of_other_sizes(void **state) {
  enum { N = 40 };
  struct {
    rp_batch_inv_options o;
    uint64_t later[4];
  } longer = {.o = {.struct_size = sizeof longer, .zero = RP_ZERO_STRICT}, .later = {1, 2, 3, 4}};
  rp_batch_inv_options shorter = {.zero = RP_ZERO_STRICT, .route = 9};
  uint8_t *x = data_field_nonzero(RP_FIELD_BN254_FR, DATA_RANDOM, 6, N), out[N * 32];
  (void)state;
  shorter.struct_size = offsetof(rp_batch_inv_options, zero) + sizeof shorter.zero; /* the route is not read */
  for (int strict_zero = 0; strict_zero < 2; strict_zero++) {
    const rp_status want = strict_zero ? RP_ERR_INPUT : RP_OK;
    if (strict_zero) memset(x + 5 * 32, 0, 32);
    assert_int_equal(rp_batch_inv(device_current(), RP_FIELD_BN254_FR, x, out, N, &longer.o, NULL), want);
    assert_int_equal(rp_batch_inv(device_current(), RP_FIELD_BN254_FR, x, out, N, &shorter, NULL), want);
    assert_int_equal(rp_batch_inv_ct(device_current(), RP_FIELD_BN254_FR, x, out, N, &longer.o, NULL), want);
    assert_int_equal(rp_batch_inv_ct(device_current(), RP_FIELD_BN254_FR, x, out, N, &shorter, NULL), want);
  }
  shorter.struct_size = 0;
  assert_int_equal(rp_batch_inv(device_current(), RP_FIELD_BN254_FR, x, out, N, &shorter, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_batch_inv_ct(device_current(), RP_FIELD_BN254_FR, x, out, N, &shorter, NULL), RP_ERR_ARGUMENT);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes),   cmocka_unit_test(routes_agree),
                                     cmocka_unit_test(strict),  cmocka_unit_test(entry_points),
                                     cmocka_unit_test(routing), cmocka_unit_test(options_of_other_sizes)};
  return device_run_tests("batch_inv", tests, sizeof tests / sizeof tests[0]);
}
