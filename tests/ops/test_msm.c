/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar multiplication: the composite against the known multiple of the generator, and each step against its
 * reference, on every curve.
 *
 * op-test lavapipe:slow curves:e97,banderwagon,bn254_g1 log:4 least label:sources
 */
#include "data.h"
#include "device.h"
#include "points_data.h"
#include "ref/points.h"

#include <stdio.h>

typedef uint8_t bytes;

/* Computes one product and compares it. */
static void check_msm(rp_curve curve, scalar_kind sk, point_kind pk, uint64_t n, const rp_msm_options *options) {
  int64_t *multiples = malloc(n * sizeof *multiples);
  bytes *scalars = data_scalars(curve, sk, n, n);
  void *points = data_points(curve, pk, n, multiples);
  uint64_t got[24], want[24];
  char what[96];
  job j;
  job_begin(&j);
  rp_value s = job_input(&j, &RP_TYPE_U256, n, scalars);
  rp_value p = options && options->precompute > 1 ? job_constant(&j, rp_type_affine(curve), n, points)
                                                  : job_input(&j, rp_type_affine(curve), n, points);
  job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, p, options)), got);
  job_check(&j);
  data_msm(curve, scalars, multiples, n, want);
  snprintf(what, sizeof what, "msm n=%llu scalars %d points %d", (unsigned long long)n, sk, pk);
  data_assert_points(curve, got, want, 1, what);
  free(points);
  free(scalars);
  free(multiples);
}

static void test_sizes(void **state) {
  static const uint64_t sizes[] = {1, 2, 3, 7, 31, 32, 33, 48, 49, 63, 65, 127, 129, 255, 257, 1000};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      if (data_fits(sizes[i])) check_msm(curve, SCALAR_RANDOM, POINT_DISTINCT, sizes[i], NULL);
}

static void check_large(rp_curve curve, scalar_kind sk, point_kind pk, uint64_t n) {
  if (data_curve(curve) == curve) check_msm(curve, sk, pk, data_cap(n), NULL);
}

static void test_large(void **state) {
  static const uint64_t sizes[] = {4095, 4097, 16383, 65535, 65537};
  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    check_large(RP_CURVE_BN254_G1, SCALAR_RANDOM, POINT_DISTINCT, sizes[i]);
  check_large(RP_CURVE_BN254_G2, SCALAR_RANDOM, POINT_DISTINCT, 8191);
  check_large(RP_CURVE_BANDERWAGON, SCALAR_RANDOM, POINT_DISTINCT, 8193);
  check_large(RP_CURVE_BN254_G1, SCALAR_BITS, POINT_DISTINCT, 20000); /* one bucket, split */
  check_large(RP_CURVE_BN254_G1, SCALAR_EQUAL, POINT_REPEATED, 20000);
  check_large(RP_CURVE_BANDERWAGON, SCALAR_EQUAL, POINT_DISTINCT, 20000);
}

/* Rows with hundreds of entries, whose number is no multiple of eight: lanes of a CPU share such a row. */
static void test_long_rows(void **state) {
  static const uint64_t sizes[] = {255, 256, 257, 263, 519};
  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !device_is_software(); i++) {
    check_large(RP_CURVE_BANDERWAGON, SCALAR_EQUAL, POINT_DISTINCT, sizes[i]);
    check_large(RP_CURVE_BN254_G1, SCALAR_EQUAL, POINT_DISTINCT, sizes[i]);
  }
}

/* All windows together have more buckets than a GPU has threads, most of them empty: it sums them in runs first. */
static void test_many_buckets(void **state) {
  enum { BITS = 16, N = 300 };
  const rp_msm_options o = {.struct_size = sizeof o, .window_bits = BITS};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    if (data_fits(1 << BITS)) check_msm(curve, SCALAR_RANDOM, POINT_DISTINCT, N, &o);
}

/* All windows merged to one set of 2^15 buckets: more parts than a device with small workgroups folds at once. */
static void test_large_set(void **state) {
  const rp_msm_options o = {.struct_size = sizeof o, .window_bits = 16, .precompute = 16};
  (void)state;
  if (data_curve(RP_CURVE_BANDERWAGON) == RP_CURVE_BANDERWAGON)
    check_msm(RP_CURVE_BANDERWAGON, SCALAR_RANDOM, POINT_DISTINCT, 37, &o);
}

/* Merged windows with more digits than one part of a CPU's counting sort has. Parts begin and end within blocks of
 * scalars and within windows, whose last block is short. */
static void test_parts(void **state) {
  enum { N = 1003 };
  (void)state;
  if (data_curve(RP_CURVE_BN254_G1) != RP_CURVE_BN254_G1 || !data_fits(N)) return;
  for (scalar_kind sk = 0; sk < SCALAR_KINDS; sk++)
    for (uint32_t merged = 7; merged <= 20; merged += 13) {
      const rp_msm_options o = {.struct_size = sizeof o, .window_bits = 13, .precompute = merged};
      check_msm(RP_CURVE_BN254_G1, sk, POINT_DISTINCT, N, &o);
    }
}

/* CPUs and GPUs get all pairs of kinds of scalars and points. lavapipe gets them over E97 only, where most additions
 * are special cases; over the other curves it gets one kind of points for each kind of scalars and each size. */
static void test_adversarial(void **state) {
  static const uint64_t sizes[] = {5, 130};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (scalar_kind sk = 0; sk < SCALAR_KINDS; sk++)
      for (point_kind pk = 0; pk < POINT_KINDS; pk++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
          if (!device_is_software() || curve == RP_CURVE_E97 || (uint32_t)pk == (sk + i) % POINT_KINDS)
            check_msm(curve, sk, pk, sizes[i], NULL);
}

/* lavapipe gets windows of 1, 5 and 13 bits only: the fewest, some, and a number for which the last window is
 * shorter. */
static void test_options(void **state) {
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_SECP256K1, RP_CURVE_BANDERWAGON, RP_CURVE_BLS12_381_G2};
  (void)state;
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
    if (data_curve(curves[i]) != curves[i]) continue;
    for (uint32_t bits = 1; bits <= 13; bits += bits < 5 ? 1 : 4) {
      if (device_is_software() && bits != 1 && bits != 5 && bits != 13) continue;
      rp_msm_options o = {.struct_size = sizeof o, .window_bits = bits};
      check_msm(curves[i], SCALAR_RANDOM, POINT_DISTINCT, 37, &o);
      check_msm(curves[i], SCALAR_MINUS_ONE, POINT_OPPOSITE, 37, &o);
      for (o.precompute = 2; o.precompute <= 8; o.precompute += 3)
        check_msm(curves[i], SCALAR_RUNS, POINT_DISTINCT, 37, &o);
    }
  }
}

/* Entries of a row are compared as a set. */
static int entry_order(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void sort_rows(const uint32_t *row_ptr, uint64_t rows, uint32_t *entries) {
  for (uint64_t r = 0; r < rows; r++) qsort(entries + row_ptr[r], row_ptr[r + 1] - row_ptr[r], 4, entry_order);
}

static void to_affine(const rp_curve_host *c, const void *acc, void *affine, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    c->acc_to_affine((bytes *)affine + i * c->affine_bytes, (const bytes *)acc + i * c->accumulator_bytes);
}

static void check_steps(rp_curve curve, scalar_kind sk, point_kind pk, uint64_t n, uint32_t window_bits,
                        uint32_t merged) {
  const rp_curve_host *c = rp_curve_get(curve);
  int64_t *multiples = malloc(n * sizeof *multiples);
  bytes *scalars = data_scalars(curve, sk, n + window_bits, n);
  void *points = data_points(curve, pk, n, multiples);
  uint32_t support[64];
  uint64_t seed = n;
  rp_buckets b, f;
  rp_value multi, sums, windows, fused, result;
  uint64_t got_result[24], want_result[48];
  job j;
  for (uint64_t i = 0; i < 64; i++) support[i] = (uint32_t)data_next(&seed);
  job_begin(&j);
  b = rp_bucket_matrix(
      j.graph, job_input(&j, &RP_TYPE_U256, n, scalars),
      &(rp_bucket_options){
          .struct_size = sizeof(rp_bucket_options), .curve = curve, .window_bits = window_bits, .merged = merged});
  f = rp_bucket_filter(j.graph, &b, job_input(&j, &RP_TYPE_U32, (n + 31) / 32, support));
  multi = rp_window_multiples(j.graph, job_input(&j, rp_type_affine(curve), n, points), window_bits, merged);
  sums = rp_bucket_accumulate(j.graph, &f, multi);
  windows = rp_bucket_reduce(j.graph, &f, sums);
  fused = rp_bucket_windows(j.graph, &f, multi);
  result = rp_window_reduce(j.graph, &f, windows);
  const uint64_t rows = (uint64_t)b.windows * b.buckets, bound = rp_value_len(j.graph, b.entries);
  uint32_t *row_ptr = malloc((rows + 1) * 4), *entries = calloc(bound, 4), *f_row_ptr = malloc((rows + 1) * 4);
  uint32_t *f_entries = calloc(bound, 4), *want_row_ptr = malloc((rows + 1) * 4), *want_entries = calloc(bound, 4);
  uint32_t *want_f_row_ptr = malloc((rows + 1) * 4), *want_f_entries = calloc(bound, 4);
  bytes *got_multi = malloc(n * merged * c->affine_bytes);
  bytes *got_sums = malloc(rows * c->affine_bytes), *got_windows = malloc(b.windows * (size_t)c->affine_bytes);
  bytes *got_fused = malloc(b.windows * (size_t)c->affine_bytes), *want_sums = malloc(rows * c->accumulator_bytes);
  bytes *want_windows = malloc(b.windows * (size_t)c->accumulator_bytes), *affine = malloc(rows * c->affine_bytes);
  job_output(&j, b.row_ptr, row_ptr);
  job_output_unordered(&j, b.entries, entries);
  job_output(&j, f.row_ptr, f_row_ptr);
  job_output_unordered(&j, f.entries, f_entries);
  job_output(&j, multi, got_multi);
  job_output(&j, rp_to_affine(j.graph, sums), got_sums);
  job_output(&j, rp_to_affine(j.graph, windows), got_windows);
  job_output(&j, rp_to_affine(j.graph, fused), got_fused);
  job_output(&j, rp_to_affine(j.graph, result), got_result);
  job_check(&j);

  ref_bucket_matrix(c, scalars, n, window_bits, merged, want_row_ptr, want_entries);
  assert_memory_equal(row_ptr, want_row_ptr, (rows + 1) * 4);
  sort_rows(row_ptr, rows, entries);
  sort_rows(row_ptr, rows, want_entries);
  assert_memory_equal(entries, want_entries, want_row_ptr[rows] * 4ul);
  ref_bucket_filter(want_row_ptr, rows, want_entries, support, n, want_f_row_ptr, want_f_entries);
  assert_memory_equal(f_row_ptr, want_f_row_ptr, (rows + 1) * 4);
  sort_rows(f_row_ptr, rows, f_entries);
  sort_rows(f_row_ptr, rows, want_f_entries);
  assert_memory_equal(f_entries, want_f_entries, want_f_row_ptr[rows] * 4ul);
  for (uint64_t i = 0; i < n * merged; i++) {
    uint64_t want[24];
    bytes k[33] = {0};
    k[i / n * window_bits / 8] = (bytes)(1u << (i / n * window_bits % 8));
    c->mul(want, (bytes *)points + i % n * c->affine_bytes, k);
    data_assert_points(curve, got_multi + i * c->affine_bytes, want, 1, "window_multiples");
  }
  ref_bucket_accumulate(c, want_f_row_ptr, rows, want_f_entries, got_multi, want_sums);
  to_affine(c, want_sums, affine, rows);
  data_assert_points(curve, got_sums, affine, rows, "bucket_accumulate");
  ref_bucket_reduce(c, want_sums, b.windows, b.buckets, want_windows);
  to_affine(c, want_windows, affine, b.windows);
  data_assert_points(curve, got_windows, affine, b.windows, "bucket_reduce");
  data_assert_points(curve, got_fused, affine, b.windows, "bucket_windows");
  ref_window_reduce(c, want_windows, b.windows, window_bits * merged, want_result);
  to_affine(c, want_result, affine, 1);
  data_assert_points(curve, got_result, affine, 1, "window_reduce");

  void *all[] = {row_ptr,        entries,        f_row_ptr, f_entries, want_row_ptr, want_entries,
                 want_f_row_ptr, want_f_entries, got_multi, got_sums,  got_windows,  got_fused,
                 want_sums,      want_windows,   affine,    points,    scalars,      multiples};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void test_steps(void **state) {
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const int tiny = curve == RP_CURVE_E97; /* 7 bits */
    check_steps(curve, SCALAR_RANDOM, POINT_DISTINCT, 1, tiny ? 2 : 5, 1);
    check_steps(curve, SCALAR_RANDOM, POINT_DISTINCT, 33, tiny ? 3 : 6, 2);
    check_steps(curve, SCALAR_RUNS, POINT_OPPOSITE, 70, tiny ? 1 : 4, 3);
    check_steps(curve, SCALAR_BITS, POINT_INFINITY, 64, tiny ? 7 : 8, 1);
    check_steps(curve, SCALAR_EQUAL, POINT_REPEATED, 500, tiny ? 4 : 7, 1); /* rows longer than a chunk */
  }
}

/* Kernels use the contents of a matrix as indices, unchecked. So only matrices that operations made are accepted. */
static void test_forged_matrices(void **state) {
  (void)state;
  enum { N = 40, BITS = 4 };
  const rp_curve curve = RP_CURVE_BN254_G1;
  const rp_bucket_options options = {.struct_size = sizeof options, .curve = curve, .window_bits = BITS};
  for (int what = 0; what < 15; what++) {
    rp_context *context;
    rp_graph *g;
    assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
    assert_int_equal(rp_graph_create(context, "forged", &g, NULL), RP_OK);
    const rp_value scalars = rp_graph_input(g, "scalars", &RP_TYPE_U256, N, 0),
                   others = rp_graph_input(g, "others", &RP_TYPE_U256, N, 0),
                   points = rp_graph_input(g, "points", rp_type_affine(curve), N, 0),
                   support = rp_graph_input(g, "support", &RP_TYPE_U32, (N + 31) / 32, 0);
    const rp_buckets good = rp_bucket_matrix(g, scalars, &options), other = rp_bucket_matrix(g, others, &options),
                     filtered = rp_bucket_filter(g, &good, support);
    rp_buckets b = what == 8 ? filtered : good;
    switch (what) {
    case 0: b.row_ptr = rp_graph_input(g, "rows", &RP_TYPE_U32, rp_value_len(g, good.row_ptr), 0); break;
    case 1: b.entries = rp_graph_input(g, "entries", &RP_TYPE_U32, rp_value_len(g, good.entries), 0); break;
    case 2: b.entries = other.entries; break;
    case 3: b.row_ptr = filtered.row_ptr; break;
    case 4: b.row_ptr = good.entries; break;
    case 5: b.n--; break;
    case 6: b.windows--; break;
    case 7: b.merged++; break;
    case 8: break; /* nothing wrong */
    case 9: b = (rp_buckets){0}; break;
    case 10: b = rp_bucket_range(g, &good, 1, 2); break; /* nothing wrong */
    case 11:                                             /* whole windows, but not as bucket_range cuts them */
      b = rp_bucket_range(g, &good, 1, 2);
      b.row_ptr = rp_slice(g, good.row_ptr, good.buckets, 2 * good.buckets + 1);
      break;
    case 12:
      b = rp_bucket_range(g, &good, 1, 2);
      b.windows++;
      break;
    case 13: b.row_ptr = rp_copy_to(g, good.row_ptr, 0); break;
    case 14:
      b = rp_bucket_range(g, &other, 1, 2);
      b.entries = good.entries;
      break;
    }
    assert_int_equal(rp_graph_error(g)->status, RP_OK);
    const int is_good = what == 8 || what == 10;
    if (is_good) {
      rp_window_reduce(g, &b, rp_bucket_reduce(g, &b, rp_bucket_accumulate(g, &b, points)));
      rp_window_reduce(g, &b, rp_bucket_windows(g, &b, points));
      assert_int_equal(rp_graph_error(g)->status, RP_OK);
    }
    for (int use = 0; use < 5 && !is_good; use++) {
      switch ((use + what) % 5) {
      case 0: rp_bucket_filter(g, &b, support); break;
      case 1: rp_bucket_accumulate(g, &b, points); break;
      case 2: rp_bucket_windows(g, &b, points); break;
      case 3: rp_bucket_reduce(g, &b, points); break;
      case 4: rp_window_reduce(g, &b, points); break;
      }
      assert_int_equal(rp_graph_error(g)->status, RP_ERR_ARGUMENT);
      assert_non_null(strstr(rp_graph_error(g)->reason, "not a bucket matrix"));
    }
    rp_graph_destroy(g);
    rp_context_destroy(context);
  }
}

static void test_ranges(void **state) {
  enum { N = 50, BITS = 3 };
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const rp_bucket_options o = {.struct_size = sizeof o, .curve = curve, .window_bits = BITS};
    const uint32_t all = rp_msm_windows(curve, BITS), size = rp_type_affine(curve)->size_bytes;
    const struct { uint32_t first, count; } ranges[] = {{0, all}, {0, 1}, {1, all - 1}, {all - 1, 1}};
    enum { RANGES = sizeof ranges / sizeof *ranges };
    int64_t multiples[N];
    bytes *scalars = data_scalars(curve, SCALAR_RANDOM, N, N),
          *points = data_points(curve, POINT_DISTINCT, N, multiples);
    bytes *windows = malloc((size_t)all * size), *got[RANGES];
    job j;
    job_begin(&j);
    const rp_value p = job_input(&j, rp_type_affine(curve), N, points);
    const rp_buckets b = rp_bucket_matrix(j.graph, job_input(&j, &RP_TYPE_U256, N, scalars), &o);
    job_output(&j, rp_to_affine(j.graph, rp_bucket_windows(j.graph, &b, p)), windows);
    for (int i = 0; i < RANGES; i++) {
      rp_buckets range = rp_bucket_range(j.graph, &b, ranges[i].first, ranges[i].count);
      assert_int_equal(range.windows, ranges[i].count);
      got[i] = malloc((size_t)ranges[i].count * size);
      if (i == 2) range = rp_bucket_range(j.graph, &range, 0, all - 1); /* all of a range */
      job_output(&j, rp_to_affine(j.graph, rp_bucket_windows(j.graph, &range, p)), got[i]);
    }
    job_check(&j);
    for (int i = 0; i < RANGES; i++) {
      assert_memory_equal(got[i], windows + (size_t)ranges[i].first * size, (size_t)ranges[i].count * size);
      free(got[i]);
    }
    free(windows);
    free(points);
    free(scalars);
  }
}

static void test_ranges_that_are_refused(void **state) {
  (void)state;
  const rp_bucket_options o = {.struct_size = sizeof o, .curve = RP_CURVE_BN254_G1, .window_bits = 4};
  for (int what = 0; what < 6; what++) {
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "refused", &g, NULL), RP_OK);
    rp_buckets b = rp_bucket_matrix(g, rp_graph_input(g, "s", &RP_TYPE_U256, 40, 0), &o);
    const uint32_t all = b.windows;
    if (what == 4) b.windows--;
    if (what == 5) b.merged = 2;
    assert_int_equal(rp_graph_error(g)->status, RP_OK);
    const rp_buckets range = rp_bucket_range(g, what == 0 ? NULL : &b, what == 1 ? all : 1,
                                             what == 2   ? 0
                                             : what == 3 ? all
                                                         : 1);
    assert_int_equal(range.windows, 0);
    assert_int_equal(rp_graph_error(g)->status, RP_ERR_ARGUMENT);
    assert_int_equal(rp_bucket_range(g, &b, 0, 1).entries.id, 0); /* nothing comes from a graph that has failed */
    rp_graph_destroy(g);
  }
}

static void test_batch_and_montgomery(void **state) {
  enum { BATCH = 3 };
  static const uint64_t sizes[] = {4, 100, 100};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const rp_curve_host *c = rp_curve_get(curve);
    const rp_field_host *f = rp_field_get(c->scalar);
    for (size_t k = 0; k < 3; k++) {
      const uint64_t n = sizes[k];
      int64_t multiples[100];
      bytes *scalars = data_scalars(curve, SCALAR_RANDOM, 7, n * BATCH),
            *points = data_points(curve, POINT_DISTINCT, n, multiples);
      bytes *elements = malloc(n * BATCH * f->size_bytes);
      bytes got[BATCH * 192], got_m[BATCH * 192], want[BATCH * 192];
      rp_msm_options o = {.struct_size = sizeof o, .batch = BATCH};
      job j;
      for (uint64_t i = 0; i < n * BATCH; i++) {
        bytes *element = elements + i * f->size_bytes;
        if (k < 2) {
          assert_true(f->from_canonical(element, scalars + i * 32));
        } else { /* elements whose words are 0 and 1, and whose integers are not */
          memset(element, 0, f->size_bytes), memset(scalars + i * 32, 0, 32);
          element[0] = i % 3 != 0;
          f->to_canonical(scalars + i * 32, element);
        }
      }
      job_begin(&j);
      rp_value p = job_input(&j, rp_type_affine(curve), n, points);
      rp_value s = job_input(&j, &RP_TYPE_U256, n * BATCH, scalars);
      rp_value m = job_input(&j, rp_type_field(c->scalar), n * BATCH, elements);
      job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, p, &o)), got);
      job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, m, p, &o)), got_m);
      job_check(&j);
      for (uint64_t i = 0; i < BATCH; i++)
        data_msm(curve, scalars + i * n * 32, multiples, n, want + i * c->affine_bytes);
      data_assert_points(curve, got, want, BATCH, "batch");
      data_assert_points(curve, got_m, want, BATCH, "batch of field elements");
      free(elements);
      free(points);
      free(scalars);
    }
  }
}

static void test_scalar_range(void **state) {
  static const uint64_t sizes[] = {3, 200};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    for (size_t k = 0; k < 2; k++) {
      int64_t multiples[200];
      const uint64_t n = sizes[k];
      bytes *scalars = data_scalars(curve, SCALAR_RANDOM, 7, n),
            *points = data_points(curve, POINT_DISTINCT, n, multiples);
      bytes got[192];
      job j;
      memcpy(scalars + (n - 1) * 32, rp_curve_get(curve)->order_le, 32);
      job_begin(&j);
      job_output(&j,
                 rp_to_affine(j.graph, rp_msm(j.graph, job_input(&j, &RP_TYPE_U256, n, scalars),
                                              job_input(&j, rp_type_affine(curve), n, points), NULL)),
                 got);
      assert_int_equal(job_run(&j), RP_ERR_INPUT);
      free(points);
      free(scalars);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_forged_matrices),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_adversarial),
      cmocka_unit_test(test_large),
      cmocka_unit_test(test_long_rows),
      cmocka_unit_test(test_many_buckets),
      cmocka_unit_test(test_large_set),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_batch_and_montgomery),
      cmocka_unit_test(test_scalar_range),
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_ranges_that_are_refused),
  };
  return device_run_tests("msm", tests, sizeof tests / sizeof *tests);
}
