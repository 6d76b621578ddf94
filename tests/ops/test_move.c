/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moving and converting: slice, concat, pad, gather, select, canonical and Montgomery forms, constants.
 *
 * op-test lavapipe:quick
 */
#include "data.h"
#include "device.h"

static void moves(void **state) {
  (void)state;
  const rp_type *types[] = {&RP_TYPE_U8, &RP_TYPE_U32, &RP_TYPE_U384, rp_type_field(RP_FIELD_BN254_FR),
                            rp_type_affine(RP_CURVE_BLS12_381_G2)};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
    for (const uint64_t *size = data_sizes; data_fits(*size); size++) {
      uint64_t n = *size, bytes = types[t]->size_bytes, seed = n, first = n / 3, len = n - first, padded = n + n / 2;
      uint8_t *x = malloc(n * bytes), *slice = malloc(n * bytes), *both = malloc(2 * n * bytes);
      uint8_t *pad = malloc(padded * bytes), *gathered = malloc(n * bytes);
      uint8_t *selected[2] = {malloc(n * bytes), malloc(n * bytes)};
      uint8_t *copied = malloc(n * bytes);
      uint32_t *index = malloc(n * 4);
      for (uint64_t i = 0; i < n * bytes; i++) x[i] = (uint8_t)data_next(&seed);
      for (uint64_t i = 0; i < n; i++) index[i] = (uint32_t)(data_next(&seed) % n);
      job j;
      job_begin(&j);
      rp_value v = job_input(&j, types[t], n, x), s = rp_slice(j.graph, v, first, len);
      job_output(&j, s, slice);
      job_output(&j, rp_concat(j.graph, (rp_value[]){s, v}, 2), both);
      const uint32_t bits[] = {0, 1u << seed % 32};
      const rp_value rest = rp_slice(j.graph, v, 0, len); /* the other operand of the selection, as long as s */
      for (int b = 0; b < 2; b++)
        job_output(&j, rp_select(j.graph, job_input(&j, &RP_TYPE_U32, 1, &bits[b]), s, rest), selected[b]);
      job_output(&j, rp_slice(j.graph, rp_copy_to(j.graph, v, 1), 0, n),
                 copied); /* on one device a copy to another changes nothing */
      job_output(&j, rp_pad(j.graph, v, padded), pad);
      job_output(&j, rp_gather(j.graph, v, job_input(&j, &RP_TYPE_U32, n, index)), gathered);
      job_check(&j);
      assert_memory_equal(slice, x + first * bytes, len * bytes);
      assert_memory_equal(copied, x, n * bytes);
      assert_memory_equal(both, x + first * bytes, len * bytes);
      assert_memory_equal(both + len * bytes, x, n * bytes);
      assert_memory_equal(selected[0], x, len * bytes);
      assert_memory_equal(selected[1], x + first * bytes, len * bytes);
      assert_memory_equal(pad, x, n * bytes);
      for (uint64_t i = n * bytes; i < padded * bytes; i++) assert_int_equal(pad[i], 0);
      for (uint64_t i = 0; i < n; i++) assert_memory_equal(gathered + i * bytes, x + index[i] * bytes, bytes);
      free(x), free(slice), free(both), free(pad), free(gathered), free(index), free(copied), free(selected[0]),
          free(selected[1]);
    }
}

/* Slices whose ends are values: at both ends of x, of no elements, and with one of the ends left out. */
static void computed_slices(void **state) {
  (void)state;
  const rp_type *types[] = {&RP_TYPE_U8, &RP_TYPE_U32, &RP_TYPE_U384, rp_type_field(RP_FIELD_GOLDILOCKS)};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
    for (const uint64_t *size = data_sizes; data_fits(*size); size++) {
      const uint64_t n = *size, bytes = types[t]->size_bytes;
      uint64_t seed = n + t;
      uint8_t *x = malloc(n * bytes), *got = malloc(5 * n * bytes);
      for (uint64_t i = 0; i < n * bytes; i++) x[i] = (uint8_t)(data_next(&seed) | 1);
      const uint32_t third = (uint32_t)n / 3, rest = (uint32_t)n - third, none = 0, all = (uint32_t)n;
      const struct {
        const uint32_t *first, *count;
        uint64_t len;
      } cases[] = {{&third, &rest, n}, {&third, NULL, rest}, {NULL, &third, n}, {&all, &none, n}, {&none, &all, n}};
      job j;
      job_begin(&j);
      const rp_value v = job_input(&j, types[t], n, x);
      for (size_t c = 0; c < 5; c++) {
        const rp_value first = cases[c].first ? job_input(&j, &RP_TYPE_U32, 1, cases[c].first) : RP_NO_VALUE;
        const rp_value count = cases[c].count ? job_input(&j, &RP_TYPE_U32, 1, cases[c].count) : RP_NO_VALUE;
        job_output(&j, rp_slice_at(j.graph, v, first, count, cases[c].len), got + c * n * bytes);
      }
      job_check(&j);
      for (size_t c = 0; c < 5; c++) {
        const uint64_t first = cases[c].first ? *cases[c].first : 0;
        const uint64_t count = cases[c].count ? *cases[c].count : cases[c].len;
        assert_memory_equal(got + c * n * bytes, x + first * bytes, count * bytes);
        for (uint64_t i = count * bytes; i < cases[c].len * bytes; i++) assert_int_equal(got[c * n * bytes + i], 0);
      }
      free(x), free(got);
    }
}

/* Ends that do not fit are faults of the run; operands that do not fit are refused. */
static void computed_slices_refused(void **state) {
  (void)state;
  const uint32_t x[] = {1, 2, 3, 4}, wide[] = {0, 0};
  static const struct {
    uint32_t first, count;
    uint64_t len;
    rp_status status;
    const char *reason;
  } cases[] = {{2, 3, 3, RP_ERR_INPUT, "out of range"},          {0, 3, 2, RP_ERR_INPUT, "out of range"},
               {5, 0, 1, RP_ERR_INPUT, "out of range"},          {UINT32_MAX, 2, 2, RP_ERR_INPUT, "out of range"},
               {1, UINT32_MAX, 4, RP_ERR_INPUT, "out of range"}, {0, 0, 0, RP_ERR_ARGUMENT, "len"},
               {0, 0, 1, RP_ERR_SHAPE, "count has 2 elements"},  {0, 0, 1, RP_ERR_TYPE, "first is of type u8"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    uint32_t out[4];
    job j;
    job_begin(&j);
    const rp_value v = job_input(&j, &RP_TYPE_U32, 4, x);
    const rp_value first =
        job_input(&j, cases[c].status == RP_ERR_TYPE ? &RP_TYPE_U8 : &RP_TYPE_U32, 1, &cases[c].first);
    const rp_value count = job_input(&j, &RP_TYPE_U32, cases[c].status == RP_ERR_SHAPE ? 2 : 1,
                                     cases[c].status == RP_ERR_SHAPE ? wide : &cases[c].count);
    job_output(&j, rp_slice_at(j.graph, v, first, count, cases[c].len), out);
    assert_int_equal(job_run(&j), cases[c].status);
    if (!strstr(j.error.reason, cases[c].reason)) fail_msg("case %zu: %s", c, j.error.reason);
  }
}

static void conversions(void **state) {
  (void)state;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++) {
    const rp_field_host *f = rp_field_get(field);
    if (f->degree != 1) continue;
    for (const uint64_t *n = data_sizes; data_fits(*n); n++) {
      size_t bytes = *n * f->size_bytes;
      void *x = data_field(field, (data_kind)(*n % DATA_KINDS), *n, *n), *canonical = data_canonical(field, x, *n);
      void *to = malloc(bytes), *from = malloc(bytes), *round = malloc(bytes);
      job j;
      job_begin(&j);
      rp_value v = job_input(&j, rp_type_field(field), *n, x);
      rp_value c = job_input(&j, rp_type_canonical(field), *n, canonical);
      rp_convert_options reduce = {.struct_size = sizeof reduce, .reduce = *n % 2};
      rp_value m = rp_to_montgomery(j.graph, v);
      job_output(&j, rp_to_canonical(j.graph, v), to);
      job_output(&j, rp_from_canonical(j.graph, c, field, &reduce), from);
      /* Copied, because an output must be computed by the graph: where there is nothing to convert, m is v itself. */
      job_output(&j, rp_slice(j.graph, rp_from_montgomery(j.graph, m), 0, *n), round);
      job_check(&j);
      assert_memory_equal(to, canonical, bytes);
      data_assert_equal(field, from, x, *n, "from_canonical");
      data_assert_equal(field, round, x, *n, "montgomery and back");
      free(x), free(canonical), free(to), free(from), free(round);
    }
  }
}

/* Goldilocks: x 2^64 mod p, by 128-bit arithmetic. */
static void montgomery_is_a_product(void **state) {
  (void)state;
  enum { N = 1000 };
  uint64_t *x = data_field(RP_FIELD_GOLDILOCKS, DATA_EDGES, 3, N), got[N];
  job j;
  job_begin(&j);
  job_output(&j, rp_to_montgomery(j.graph, job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), N, x)), got);
  job_check(&j);
  for (int i = 0; i < N; i++) {
    __extension__ unsigned __int128 want = (unsigned __int128)x[i] << 64;
    assert_int_equal(got[i], (uint64_t)(want % 0xffffffff00000001u));
  }
  free(x);
}

/* A value at the modulus or above is a fault that names the element, or is reduced. */
static void not_canonical(void **state) {
  (void)state;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++) {
    const rp_field_host *f = rp_field_get(field);
    if (f->degree != 1) continue;
    uint8_t in[100 * 48] = {0}, out[100 * 48], want[48];
    memcpy(in + 77 * f->size_bytes, f->modulus_le, f->size_bytes);
    memset(in + 90 * f->size_bytes, 0xff, f->size_bytes);
    for (uint32_t reduce = 0; reduce < 2; reduce++) {
      job j;
      job_begin(&j);
      rp_convert_options o = {.struct_size = sizeof o, .reduce = reduce};
      job_output(&j, rp_from_canonical(j.graph, job_input(&j, rp_type_canonical(field), 100, in), field, &o), out);
      rp_status st = job_run(&j);
      assert_int_equal(st, reduce ? RP_OK : RP_ERR_INPUT);
      if (!reduce) assert_true(strstr(j.error.reason, "77") || strstr(j.error.reason, "90"));
      if (!reduce) continue;
      assert_true(f->is_zero(out + 77 * f->size_bytes));
      f->from_bytes_reduce(want, in + 90 * f->size_bytes, f->size_bytes);
      data_assert_equal(field, out + 90 * f->size_bytes, want, 1, "reduced");
    }
  }
}

/* Operations on affine points say what makes them of accumulators, which a product gives. */
static void accumulators_for_points(void **state) {
  (void)state;
  static const char *const want[] = {"point_coordinates: the points are of type bn254_g1.acc, not affine points; "
                                     "rp_to_affine makes them of accumulators",
                                     "point_coordinates: the points are of type u32, not affine points"};
  for (int wrong = 0; wrong < 2; wrong++) {
    uint8_t data[128] = {0}, out[64];
    job j;
    job_begin(&j);
    const rp_type *type = wrong ? &RP_TYPE_U32 : rp_type_accumulator(RP_CURVE_BN254_G1);
    job_output(&j, rp_point_coordinates(j.graph, job_input(&j, type, 1, data)), out);
    assert_int_equal(job_run(&j), RP_ERR_TYPE);
    assert_string_equal(j.error.reason, want[wrong]);
  }
}

static void constants_and_refusals(void **state) {
  (void)state;
  uint8_t seven[32] = {7}, x[32] = {3}, out[96];
  uint32_t index[3] = {0, 3, 1};
  job j;
  job_begin(&j);
  rp_value c = rp_field_constant(j.graph, "seven", RP_FIELD_BN254_FR, seven);
  rp_value in = rp_from_canonical(j.graph, job_input(&j, &RP_TYPE_U256, 1, x), RP_FIELD_BN254_FR, NULL);
  job_output(&j, rp_to_canonical(j.graph, rp_mul(j.graph, in, c)), out);
  job_check(&j);
  assert_int_equal(out[0], 21);
  for (int wrong = 0; wrong < 11; wrong++) {
    static const rp_status want[] = {RP_ERR_SHAPE, RP_ERR_SHAPE, RP_ERR_TYPE, RP_ERR_INPUT, RP_ERR_INPUT, RP_ERR_TYPE,
                                     RP_ERR_TYPE,  RP_ERR_TYPE,  RP_ERR_TYPE, RP_ERR_SHAPE, RP_ERR_TYPE};
    uint8_t data[144] = {0};
    job_begin(&j);
    rp_value v = job_input(&j, &RP_TYPE_U256, 3, data), r = v;
    if (wrong == 0) r = rp_slice(j.graph, v, 2, 2);
    if (wrong == 1) r = rp_pad(j.graph, v, 2);
    if (wrong == 2) r = rp_concat(j.graph, (rp_value[]){v, job_input(&j, &RP_TYPE_U32, 3, data)}, 2);
    if (wrong == 3) r = rp_gather(j.graph, v, job_input(&j, &RP_TYPE_U32, 3, index)); /* index 3 of 3 */
    if (wrong == 4) r = rp_field_constant(j.graph, "p", RP_FIELD_BN254_FR, rp_field_get(RP_FIELD_BN254_FR)->modulus_le);
    if (wrong == 5) r = rp_from_canonical(j.graph, v, RP_FIELD_BN254_FP2, NULL);
    if (wrong == 10) r = rp_gather(j.graph, v, job_input(&j, &RP_TYPE_U8, 3, data)); /* an index of bytes */
    if (wrong >= 6 && wrong < 10) { /* a condition of another length or type, operands of two types or lengths */
      const rp_value bit = job_input(&j, wrong == 6 ? &RP_TYPE_U8 : &RP_TYPE_U32, wrong == 7 ? 2 : 1, data);
      const rp_value b = job_input(&j, wrong == 8 ? &RP_TYPE_U384 : &RP_TYPE_U256, wrong == 9 ? 2 : 3, data);
      r = rp_select(j.graph, bit, v, b);
    }
    job_output(&j, r, out);
    assert_int_equal(job_run(&j), want[wrong]);
    assert_true(j.error.reason[0]);
    if (wrong == 0) assert_non_null(strstr(j.error.reason, "elements 2 to 4 are asked for"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves),
                                     cmocka_unit_test(computed_slices),
                                     cmocka_unit_test(computed_slices_refused),
                                     cmocka_unit_test(accumulators_for_points),
                                     cmocka_unit_test(conversions),
                                     cmocka_unit_test(montgomery_is_a_product),
                                     cmocka_unit_test(not_canonical),
                                     cmocka_unit_test(constants_and_refusals)};
  return device_run_tests("move", tests, sizeof tests / sizeof tests[0]);
}
