/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar products whose strategy is chosen when the graph is planned: the same sums whatever is chosen, and what
 * the choice is for each kind of device.
 *
 * op-test lavapipe:slow curves:e97,banderwagon,bn254_g1 log:4
 */
#include "data.h"
#include "device.h"
#include "points_data.h"

#include "msm/msm_costs.h"

typedef uint8_t bytes;

/* Enough products of few points that every device chooses shared doublings. */
static void test_batches_of_few(void **state) {
  enum { BATCH = 17 };
  static const uint64_t sizes[] = {1, 5, 128, 129};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      const rp_curve_host *c = rp_curve_get(curve);
      const uint64_t n = sizes[k];
      if (!data_fits(n * BATCH)) continue;
      int64_t multiples[129];
      bytes *scalars = data_scalars(curve, SCALAR_RUNS, n, n * BATCH),
            *points = data_points(curve, POINT_INFINITY, n, multiples);
      bytes got[BATCH * 192], want[BATCH * 192];
      const rp_msm_options o = {.struct_size = sizeof o, .batch = BATCH};
      job j;
      job_begin(&j);
      const rp_value s = job_input(&j, &RP_TYPE_U256, n * BATCH, scalars);
      job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, job_input(&j, rp_type_affine(curve), n, points), &o)),
                 got);
      job_check(&j);
      for (uint64_t i = 0; i < BATCH; i++)
        data_msm(curve, scalars + i * n * 32, multiples, n, want + i * c->affine_bytes);
      data_assert_points(curve, got, want, BATCH, "batch of few points");
      free(points);
      free(scalars);
    }
}

/* Products that share one vector of scalars: with all points, with one half of them (twice), and with the other half.
 * The points are constants and inputs. */
static void check_shared(rp_curve curve, uint64_t n, const rp_msm_scalars_options *options) {
  enum { PRODUCTS = 4 };
  int64_t *multiples = malloc(n * sizeof *multiples);
  bytes *scalars = data_scalars(curve, SCALAR_RUNS, n, n), *points = data_points(curve, POINT_DISTINCT, n, multiples);
  const uint64_t words = (n + 31) / 32;
  uint32_t *support = calloc(2 * words, sizeof *support);
  bytes got[PRODUCTS][192], want[192], want_half[192], want_rest[192];
  for (uint64_t i = 0; i < n; i++) support[i % 2 * words + i / 32] |= 1u << i % 32;
  data_msm(curve, scalars, multiples, n, want);
  for (int rest = 0; rest < 2; rest++) {
    int64_t *some = calloc(n, sizeof *some);
    for (uint64_t i = (uint64_t)rest; i < n; i += 2) some[i] = multiples[i];
    data_msm(curve, scalars, some, n, rest ? want_rest : want_half);
    free(some);
  }
  for (int constant = 0; constant < 2; constant++) {
    rp_msm_scalars_options o = *options;
    job j;
    o.constant_points = (uint32_t)constant;
    job_begin(&j);
    const rp_value p =
        constant ? job_constant(&j, rp_type_affine(curve), n, points) : job_input(&j, rp_type_affine(curve), n, points);
    const rp_value half = job_input(&j, &RP_TYPE_U32, words, support),
                   rest = job_input(&j, &RP_TYPE_U32, words, support + words),
                   supports[PRODUCTS] = {RP_NO_VALUE, half, half, rest};
    const rp_value s = rp_msm_scalars(j.graph, job_input(&j, &RP_TYPE_U256, n, scalars), &o);
    for (int i = 0; i < PRODUCTS; i++)
      job_output(&j, rp_to_affine(j.graph, rp_msm_of(j.graph, s, p, supports[i])), got[i]);
    job_check(&j);
    data_assert_points(curve, got[0], want, 1, "shared scalars");
    data_assert_points(curve, got[1], want_half, 1, "shared scalars, half of the points");
    data_assert_points(curve, got[2], want_half, 1, "shared scalars, half of the points again");
    data_assert_points(curve, got[3], want_rest, 1, "shared scalars, the other half");
  }
  free(support);
  free(points);
  free(scalars);
  free(multiples);
}

static void test_shared_scalars(void **state) {
  static const uint64_t sizes[] = {1, 33, 700};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      rp_msm_scalars_options o = {.struct_size = sizeof o, .curve = curve, .products = 3};
      if (!data_fits(sizes[i])) continue;
      check_shared(curve, sizes[i], &o);
      o.window_bits = 3;
      o.precompute = 2;
      if (i == 1) check_shared(curve, sizes[i], &o);
    }
}

/* As many points that CUDA chooses digits that are Eisenstein integers. Points outside the subgroup, of another curve
 * than the scalars say, must not get them unasked. */
static void test_digits_of_many(void **state) {
  enum { N = 2100, BATCH = 2 };
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BN254_G2, RP_CURVE_BLS12_381_G1};
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  if (info.kind != RP_DEVICE_CUDA) return;
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
    rp_msm_scalars_options o = {.struct_size = sizeof o, .curve = curves[i], .products = 4, .in_subgroup = 1};
    check_shared(curves[i], N, &o);
    o.curve = i == 1 ? RP_CURVE_BN254_G1 : curves[i];
    o.in_subgroup = 0;
    check_shared(curves[i], N, &o);
    const rp_curve_host *c = rp_curve_get(curves[i]);
    int64_t multiples[N];
    bytes *scalars = data_scalars(curves[i], SCALAR_RUNS, N, N * BATCH),
          *points = data_points(curves[i], POINT_DISTINCT, N, multiples), got[BATCH * 192], want[BATCH * 192];
    const rp_msm_options batch = {.struct_size = sizeof batch, .batch = BATCH};
    job j;
    job_begin(&j);
    const rp_value s = job_input(&j, &RP_TYPE_U256, N * BATCH, scalars);
    job_output(
        &j, rp_to_affine(j.graph, rp_msm(j.graph, s, job_constant(&j, rp_type_affine(curves[i]), N, points), &batch)),
        got);
    job_check(&j);
    for (uint64_t b = 0; b < BATCH; b++)
      data_msm(curves[i], scalars + b * N * 32, multiples, N, want + b * c->affine_bytes);
    data_assert_points(curves[i], got, want, BATCH, "batch of Eisenstein digits");
    free(points);
    free(scalars);
  }
}

/* The sum is the same at every memory level, whatever multiples of the points are kept at that level. */
static void test_levels(void **state) {
  enum { N = 150 };
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    int64_t multiples[N];
    bytes *scalars = data_scalars(curve, SCALAR_RANDOM, N, N),
          *points = data_points(curve, POINT_DISTINCT, N, multiples);
    bytes want[192];
    rp_graph *g;
    data_msm(curve, scalars, multiples, N, want);
    assert_int_equal(rp_graph_create(device_context(), "levels", &g, NULL), RP_OK);
    const rp_value s = rp_graph_input(g, "s", &RP_TYPE_U256, N, 0),
                   p = rp_graph_constant(g, "p", rp_type_affine(curve), N, points, 0);
    rp_graph_output(g, "out", rp_to_affine(g, rp_msm(g, s, p, NULL)), 0);
    uint64_t constants = UINT64_MAX;
    for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++) {
      const rp_record_options o = {
          .struct_size = sizeof o, .min_memory_level = level, .max_memory_level = level ? level : RP_MEMORY_LEVELS - 1};
      const uint64_t bytes_of_points = N * rp_type_affine(curve)->size_bytes;
      rp_recording *r;
      rp_plan_info info = {.struct_size = sizeof info};
      bytes got[192];
      rp_error err = {0};
      if (rp_record(device_current(), g, &o, &r, &err)) fail_msg("%s", err.reason);
      rp_recording_get_plan(r, &info);
      const int tables = !strcmp(device_name(), "cuda") || !strcmp(device_name(), "vulkan");
      const uint64_t multiples_bytes = info.constant_bytes / bytes_of_points;
      if (tables && level <= RP_MEMORY_LESS && curve != RP_CURVE_E97) assert_true(multiples_bytes >= 4);
      assert_true(info.constant_bytes <= constants);
      constants = info.constant_bytes;
      const rp_replay_input in = {.name = "s", .data = scalars, .size_bytes = N * 32};
      const rp_replay_output out = {.name = "out", .data = got, .size_bytes = rp_type_affine(curve)->size_bytes};
      if (rp_replay(r, &in, 1, &out, 1, &err)) fail_msg("%s", err.reason);
      data_assert_points(curve, got, want, 1, "memory level");
      rp_recording_destroy(r);
    }
    rp_graph_destroy(g);
    free(points);
    free(scalars);
  }
}

static rp_value refused_call(rp_graph *g, int what) {
  const rp_value u = rp_graph_input(g, "u", &RP_TYPE_U256, 40, 0),
                 p = rp_graph_input(g, "p", rp_type_affine(RP_CURVE_BN254_G1), 40, 0),
                 w = rp_graph_input(g, "w", &RP_TYPE_U32, 2, 0);
  rp_msm_options o = {.struct_size = sizeof o};
  rp_msm_scalars_options so = {.struct_size = sizeof so, .curve = RP_CURVE_BN254_G1};
  switch (what) {
  case 0: o.window_bits = 99; return rp_msm(g, u, p, &o);
  case 1: o.precompute = 1000; return rp_msm(g, u, p, &o);
  case 2: o.window_bits = 10, o.precompute = 27; return rp_msm(g, u, p, &o); /* 26 windows */
  case 3: o.batch = 2; return rp_msm(g, u, p, &o);
  case 4: return rp_msm(g, p, p, &o);
  case 5: return rp_msm(g, u, u, &o);
  case 6: so.curve = RP_CURVE_COUNT; return rp_msm_scalars(g, u, &so);
  case 7: return rp_msm_scalars(g, u, NULL);
  case 8: return rp_msm_scalars(g, p, &so);
  case 9: so.window_bits = 10, so.precompute = 27; return rp_msm_scalars(g, u, &so);
  case 10: return rp_msm_of(g, u, p, RP_NO_VALUE);
  case 11: return rp_msm_of(g, rp_msm_scalars(g, u, &so), u, RP_NO_VALUE);
  case 12: return rp_msm_of(g, rp_msm_scalars(g, u, &so), rp_slice(g, p, 1, 39), RP_NO_VALUE);
  case 13: return rp_msm_of(g, rp_msm_scalars(g, u, &so), p, rp_slice(g, w, 0, 1));
  default: return rp_msm_of(g, rp_msm_scalars(g, u, &so), p, u);
  }
}

static void test_refusals(void **state) {
  static const rp_status statuses[] = {RP_ERR_ARGUMENT, RP_ERR_ARGUMENT, RP_ERR_ARGUMENT, RP_ERR_SHAPE, RP_ERR_TYPE,
                                       RP_ERR_TYPE,     RP_ERR_ARGUMENT, RP_ERR_ARGUMENT, RP_ERR_TYPE,  RP_ERR_ARGUMENT,
                                       RP_ERR_TYPE,     RP_ERR_TYPE,     RP_ERR_SHAPE,    RP_ERR_SHAPE, RP_ERR_TYPE};
  (void)state;
  for (int i = 0; i < (int)(sizeof statuses / sizeof *statuses); i++) {
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "refused", &g, NULL), RP_OK);
    assert_int_equal(refused_call(g, i).id, 0);
    assert_int_equal(rp_graph_error(g)->status, statuses[i]);
    rp_graph_destroy(g);
  }
}

/* What only the expansion sees: points of another order, and sorted scalars that were cut. */
static void test_refused_when_planned(void **state) {
  (void)state;
  for (int cut = 0; cut < 2; cut++) {
    rp_graph *g;
    rp_recording *r;
    rp_error err = {0};
    const rp_curve curve = cut ? RP_CURVE_BN254_G1 : RP_CURVE_SECP256K1;
    const rp_msm_scalars_options o = {.struct_size = sizeof o, .curve = RP_CURVE_BN254_G1};
    assert_int_equal(rp_graph_create(device_context(), "refused", &g, NULL), RP_OK);
    rp_value s = rp_msm_scalars(g, rp_graph_input(g, "u", &RP_TYPE_U256, 40, 0), &o);
    if (cut) s = rp_slice(g, s, 0, 40);
    const rp_value p = rp_graph_input(g, "p", rp_type_affine(curve), 40, 0);
    rp_graph_output(g, "out", rp_to_affine(g, rp_msm_of(g, s, p, RP_NO_VALUE)), 0);
    assert_int_equal(rp_graph_error(g)->status, RP_OK);
    assert_int_equal(rp_record(device_current(), g, NULL, &r, &err), cut ? RP_ERR_UNSUPPORTED : RP_ERR_TYPE);
    assert_non_null(strstr(err.reason, cut ? "slice" : "another order"));
    rp_graph_destroy(g);
  }
}

/* ---- The choice, for devices that need not be there -------------------------------------------------------------- */

static const rp_device_limits roomy = {.max_allocation_bytes = (uint64_t)1 << 40, .isa = 1u << RP_ISA_X86_IFMA};

static rp_msm_problem problem_of(rp_curve curve, uint64_t n) {
  return (rp_msm_problem){.curve = curve,
                          .n = n,
                          .batch = 1,
                          .products = 1,
                          .constant_points = 1,
                          .point_bytes = rp_type_affine(curve)->size_bytes};
}

/* With all multiples and with none, the windows are those of rp_msm_window_bits. */
static void test_choice_of_windows(void **state) {
  static const rp_device_kind kinds[] = {RP_DEVICE_CPU, RP_DEVICE_CUDA, RP_DEVICE_VULKAN, RP_DEVICE_NULL};
  (void)state;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (rp_curve curve = 0; curve < RP_CURVE_COUNT; curve++)
      for (uint64_t n = 1; n < 1 << 22; n *= 7)
        for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++) {
          rp_msm_problem p = problem_of(curve, n);
          const int gpu = kinds[k] == RP_DEVICE_CUDA || kinds[k] == RP_DEVICE_VULKAN;
          const int all = gpu && level <= RP_MEMORY_MORE, none = !gpu || level >= RP_MEMORY_LEAST;
          const rp_msm_strategy s = rp_msm_choose(kinds[k], &roomy, level, &p);
          if (s.eisenstein) continue;
          const uint32_t windows = rp_msm_windows(curve, s.window_bits);
          if (all || none) assert_int_equal(s.window_bits, rp_msm_window_bits(kinds[k], curve, n, all));
          assert_int_equal(s.merged, none ? 1 : all || windows < 4 ? windows : 4);
          p.constant_points = 0;
          assert_int_equal(rp_msm_choose(kinds[k], &roomy, level, &p).merged, 1);
          p.window_bits = 3, p.precompute = 2; /* the caller has chosen both */
          assert_int_equal(rp_msm_choose(kinds[k], &roomy, level, &p).window_bits, 3);
          assert_int_equal(rp_msm_choose(kinds[k], &roomy, level, &p).merged, 2);
        }
}

/* Multiples must fit one allocation. */
static void test_choice_by_limits(void **state) {
  const rp_msm_problem p = problem_of(RP_CURVE_BN254_G1, 1000);
  rp_device_limits limits = roomy;
  (void)state;
  for (uint64_t multiples = 0; multiples < 8; multiples++) {
    limits.max_allocation_bytes = multiples * p.n * p.point_bytes + 63;
    assert_int_equal(rp_msm_choose(RP_DEVICE_VULKAN, &limits, RP_MEMORY_FULL, &p).merged, multiples ? multiples : 1);
  }
  const rp_msm_problem many = problem_of(RP_CURVE_BN254_G1, (uint64_t)1 << 30);
  assert_int_equal(rp_msm_choose(RP_DEVICE_CUDA, &roomy, RP_MEMORY_FULL, &many).merged, 1); /* entries have 31 bits */
}

/* If the caller gives only the number of windows that share buckets, the chosen bits give at least as many windows. */
static void test_choice_of_bits_alone(void **state) {
  static const rp_device_kind kinds[] = {RP_DEVICE_CPU, RP_DEVICE_CUDA};
  (void)state;
  for (size_t k = 0; k < 2; k++)
    for (uint32_t precompute = 1; precompute <= 254; precompute += 23) {
      rp_msm_problem p = problem_of(RP_CURVE_BN254_G1, 100000);
      p.precompute = precompute;
      const rp_msm_strategy s = rp_msm_choose(kinds[k], &roomy, RP_MEMORY_STREAMED, &p);
      assert_int_equal(s.merged, precompute);
      assert_true(rp_msm_windows(p.curve, s.window_bits) >= precompute);
    }
}

/* Digits are Eisenstein integers on CUDA alone, at the first memory level, for constant points of a curve with an
 * endomorphism that are in the subgroup, if there are few or many, and half of the memory stays free. */
static void test_choice_of_digits(void **state) {
  static const uint64_t numbers[] = {2048, 2049, 4096, 4097, (1 << 19) - 1, 1 << 19, 1 << 22};
  (void)state;
  for (rp_curve curve = 0; curve < RP_CURVE_COUNT; curve++)
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      for (uint32_t which = 0; which < 64; which++) {
        rp_msm_problem p = problem_of(curve, numbers[i]);
        const bool fits = numbers[i] > 2048 && (numbers[i] <= 4096 || numbers[i] >= 1 << 19);
        const bool known = curve == RP_CURVE_BN254_G1 || curve == RP_CURVE_BN254_G2 || curve == RP_CURVE_BLS12_381_G1 ||
                           curve == RP_CURVE_BLS12_381_G2;
        const rp_device_kind device = which & 1 ? RP_DEVICE_VULKAN : RP_DEVICE_CUDA;
        const uint32_t level = which & 2 ? RP_MEMORY_MORE : RP_MEMORY_FULL;
        p.constant_points = !(which & 4);
        p.in_subgroup = which & 8;
        p.products = which & 16 ? 4 : 1;
        if (which & 32) p.precompute = 5;
        const rp_msm_strategy s = rp_msm_choose(device, &roomy, level, &p);
        assert_int_equal(s.eisenstein != 0, fits && known && p.in_subgroup && !(which & (1 | 2 | 4 | 32)));
        if (s.eisenstein) assert_int_equal(s.merged, 3 * s.eisenstein);
      }
  rp_device_limits limits = roomy;
  rp_msm_problem p = problem_of(RP_CURVE_BN254_G1, 1 << 20);
  p.in_subgroup = 1;
  const uint64_t room = 2 * rp_msm_choose(RP_DEVICE_CUDA, &roomy, RP_MEMORY_FULL, &p).merged * p.n * p.point_bytes;
  limits.memory_bytes = room;
  assert_true(rp_msm_choose(RP_DEVICE_CUDA, &limits, RP_MEMORY_FULL, &p).eisenstein);
  limits.memory_bytes--;
  assert_false(rp_msm_choose(RP_DEVICE_CUDA, &limits, RP_MEMORY_FULL, &p).eisenstein);
  assert_true(rp_msm_choose(RP_DEVICE_CUDA, &limits, RP_MEMORY_FULL, &p).window_bits);
  p.products = 4; /* one of them over points of twice the size of the others */
  limits.memory_bytes = 5 * rp_msm_choose(RP_DEVICE_CUDA, &roomy, RP_MEMORY_FULL, &p).merged * p.n * p.point_bytes;
  assert_true(rp_msm_choose(RP_DEVICE_CUDA, &limits, RP_MEMORY_FULL, &p).eisenstein);
  limits.memory_bytes--;
  assert_false(rp_msm_choose(RP_DEVICE_CUDA, &limits, RP_MEMORY_FULL, &p).eisenstein);
}

/* On CUDA, the windows of products that share very many buckets are those of half as many scalars. */
static void test_choice_for_several_products(void **state) {
  (void)state;
  for (int log = 18; log <= 24; log++) {
    rp_msm_problem p = problem_of(RP_CURVE_BN254_G1, (uint64_t)1 << log);
    const uint32_t one = rp_msm_choose(RP_DEVICE_CUDA, &roomy, RP_MEMORY_MORE, &p).window_bits;
    p.products = 4;
    const uint32_t four = rp_msm_choose(RP_DEVICE_CUDA, &roomy, RP_MEMORY_MORE, &p).window_bits,
                   half = rp_msm_window_bits(RP_DEVICE_CUDA, p.curve, p.n / 2, 1);
    assert_int_equal(four, one >= 20 ? half : one);
    assert_int_equal(rp_msm_choose(RP_DEVICE_VULKAN, &roomy, RP_MEMORY_FULL, &p).window_bits, one);
    p.precompute = 1;
    assert_int_equal(rp_msm_choose(RP_DEVICE_CUDA, &roomy, RP_MEMORY_FULL, &p).window_bits,
                     rp_msm_window_bits(RP_DEVICE_CUDA, p.curve, p.n, 0));
  }
}

/* The bits that docs/notes/cpu-msm.md measured as the fastest for BN254 G1, with eight lanes and without; or, at 2^16
 * without lanes, within 1 % of the fastest. */
static void test_choice_by_instructions(void **state) {
  static const struct {
    int log;
    uint32_t lanes, without;
  } best[] = {{10, 8, 0}, {12, 10, 10}, {14, 11, 12}, {16, 13, 14}, {18, 15, 0}, {20, 17, 0}};
  const rp_device_limits plain = {.max_allocation_bytes = roomy.max_allocation_bytes, .isa = 1u << RP_ISA_C};
  (void)state;
  for (size_t i = 0; i < sizeof best / sizeof *best; i++) {
    const rp_msm_problem p = problem_of(RP_CURVE_BN254_G1, (uint64_t)1 << best[i].log);
    assert_int_equal(rp_msm_choose(RP_DEVICE_CPU, &roomy, 0, &p).window_bits, best[i].lanes);
    if (best[i].without) assert_int_equal(rp_msm_choose(RP_DEVICE_CPU, &plain, 0, &p).window_bits, best[i].without);
  }
}

/* One product of few points has buckets on a GPU, where one workgroup would compute it alone. */
static void test_choice_for_few_points(void **state) {
  rp_msm_problem p = problem_of(RP_CURVE_BANDERWAGON, 128);
  (void)state;
  assert_true(rp_msm_prefers_small(RP_DEVICE_CPU, RP_MEMORY_FULL, &p));
  assert_false(rp_msm_prefers_small(RP_DEVICE_CUDA, RP_MEMORY_FULL, &p));
  assert_false(rp_msm_prefers_small(RP_DEVICE_VULKAN, RP_MEMORY_FULL, &p));
  assert_false(rp_msm_prefers_small(RP_DEVICE_CUDA, RP_MEMORY_LESS, &p));
  assert_true(rp_msm_prefers_small(RP_DEVICE_CUDA, RP_MEMORY_LEAST, &p)); /* buckets take more memory */
  assert_true(rp_msm_prefers_small(RP_DEVICE_VULKAN, RP_MEMORY_STREAMED, &p));
  p.batch = 16;
  assert_true(rp_msm_prefers_small(RP_DEVICE_CUDA, RP_MEMORY_FULL, &p));
  assert_true(rp_msm_prefers_small(RP_DEVICE_VULKAN, RP_MEMORY_FULL, &p));
  p.n = 129;
  assert_false(rp_msm_prefers_small(RP_DEVICE_CPU, RP_MEMORY_FULL, &p));
  assert_false(rp_msm_prefers_small(RP_DEVICE_CUDA, RP_MEMORY_FULL, &p));
}

int main(void) {
  const struct CMUnitTest choices[] = {
      cmocka_unit_test(test_choice_of_windows),
      cmocka_unit_test(test_choice_by_limits),
      cmocka_unit_test(test_choice_of_digits),
      cmocka_unit_test(test_choice_of_bits_alone),
      cmocka_unit_test(test_choice_for_several_products),
      cmocka_unit_test(test_choice_by_instructions),
      cmocka_unit_test(test_choice_for_few_points),
  };
  const struct CMUnitTest sums[] = {
      cmocka_unit_test(test_batches_of_few), cmocka_unit_test(test_digits_of_many),
      cmocka_unit_test(test_shared_scalars), cmocka_unit_test(test_levels),
      cmocka_unit_test(test_refusals),       cmocka_unit_test(test_refused_when_planned),
  };
  const int failed = cmocka_run_group_tests_name("choice", choices, NULL, NULL);
  return failed + device_run_tests("msm_choice", sums, sizeof sums / sizeof *sums);
}
