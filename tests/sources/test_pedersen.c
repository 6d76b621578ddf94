/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Commitments over Banderwagon: the entry points against published and independent vectors, against the linear form,
 * and against sums found with scalars alone. Blinding, refusals and BN254: test_pedersen_more.c.
 *
 * The best device of its kind (CPU, GPU) has 100 batches of every width up to 1024 in one replay. What differs between
 * instruction sets and on lavapipe are kernels, not sizes: the other instruction sets have the widths up to 256, and
 * lavapipe those up to 128, the first whose sum does not fit into one workgroup, in batches of about 800 products.
 * lavapipe has width 256 in known_commitments, specialised_width and fallback.
 */
#include <reprise/pedersen.h>
#include <stdio.h>

#include "data.h"
#include "device.h"
#include "kat.h"
#include "one_submission.h"
#include "pedersen_values.h"
#include "points_data.h"

typedef uint8_t bytes;
enum { MOST = RP_PEDERSEN_WIDTH_MAX, SIZE = RP_PEDERSEN_BYTES, AFFINE = 64, BATCHES = 100 };

static bytes generators[MOST * SIZE], values[MOST * SIZE];

static const json *file(void) { return json_load("pedersen_banderwagon.json"); }

static void load_generators(void) {
  const char *const parts[] = {"generators_256", "generators_256_to_1023_python"};
  size_t at = 0;
  for (int k = 0; k < 2; k++)
    for (const json *g = json_get(file(), parts[k])->item; g; g = g->next)
      json_bytes(g, generators + at++ * SIZE, SIZE);
  assert_int_equal(at, MOST);
}

static rp_pedersen *make(uint32_t crossover) {
  const rp_pedersen_options o = {
      .struct_size = sizeof o, .crossover = crossover, .flags = RP_RECORD_CHECK_HAZARDS | RP_RECORD_RANDOM_ORDER};
  rp_pedersen *p;
  assert_int_equal(rp_pedersen_create(device_current(), &o, &p, NULL), RP_OK);
  return p;
}

static void commit(rp_pedersen *p, uint32_t width, const bytes *v, const bytes *g, const bytes *want,
                   const char *what) {
  bytes got[SIZE];
  rp_error err = {0};
  const rp_status status = width == 256 ? rp_pedersen_commit_tree_w256(p, v, g, got, &err)
                                        : rp_pedersen_commit_tree(p, width, v, g, got, &err);
  if (status != RP_OK) fail_msg("%s on %s: %s", what, device_name(), err.reason);
  if (memcmp(got, want, SIZE)) fail_msg("%s, width %u on %s: another commitment", what, width, device_name());
}

/* Whether the test names an instruction set that the device would not choose by itself. */
static int is_second_choice(void) { return strchr(device_name(), '-') != NULL; }

/* Bits of a window of the tables. A workgroup of 128 threads computes 128 entries of one window, so that windows of 7
 * bits fill it. */
static uint32_t window_bits(void) { return device_is_software() ? 7 : 4; }

/* Thresholds that force each of the two routes. */
enum { ALWAYS_TREE = 1 };
static const uint32_t CROSSOVERS[] = {ALWAYS_TREE, UINT32_MAX};

static void generators_of_ethereum(void **state) {
  bytes derived[256 * SIZE], ends[2][SIZE];
  (void)state;
  assert_int_equal(rp_pedersen_verkle_generators(256, derived, NULL), RP_OK);
  kat_assert_digest(derived, sizeof derived, json_get(file(), "published_sha256_of_256_compressed_generators"),
                    "generators");
  json_bytes(json_get(file(), "published_first"), ends[0], SIZE);
  json_bytes(json_get(file(), "published_last"), ends[1], SIZE);
  assert_memory_equal(derived, ends[0], SIZE);
  assert_memory_equal(derived + 255 * SIZE, ends[1], SIZE);
}

/* All entries whose values follow from their names, among them edge cases and the regenerated fixture of 256 random
 * values. */
static void known_commitments(void **state) {
  bytes want[SIZE];
  (void)state;
  load_generators();
  for (size_t k = 0; k < 2; k++) {
    rp_pedersen *p = make(CROSSOVERS[k]);
    for (const json *e = json_get(file(), "KAT_python")->item; e; e = e->next) {
      const uint32_t width = (uint32_t)json_u64(json_get(e, "width"));
      if (width & (width - 1)) continue;
      for (uint32_t i = 0; i < width; i++) pedersen_value(e, width, i, values + i * SIZE);
      json_bytes(json_get(e, "commitment"), want, SIZE);
      commit(p, width, values, generators, want, json_get(e, "name")->text);
    }
    rp_pedersen_destroy(p);
  }
}

static void edges(void **state) {
  (void)state;
  for (size_t k = 0; k < 2; k++) {
    rp_pedersen *p = make(CROSSOVERS[k]);
    for (const json *e = json_get(file(), "KAT_python_custom_generators")->item; e; e = e->next) {
      const uint32_t width = (uint32_t)json_u64(json_get(e, "width"));
      const json *own = json_find(e, "generators");
      bytes want[SIZE], linear[SIZE];
      for (uint32_t i = 0; i < width; i++) {
        json_bytes(json_at(own ? own : json_get(file(), "generators_256"), i), generators + i * SIZE, SIZE);
        json_integer(json_at(json_get(e, "values"), i), 0, values + i * SIZE, SIZE);
      }
      json_bytes(json_get(e, "commitment"), want, SIZE);
      assert_int_equal(rp_pedersen_commit(values, generators, width, linear, NULL), RP_OK);
      assert_memory_equal(linear, want, SIZE);
      if (!(width & (width - 1))) commit(p, width, values, generators, want, json_get(e, "name")->text);
    }
    rp_pedersen_destroy(p);
  }
}

/* go-ipa's and rust-verkle's commitment, and the linear form for widths that are no powers of two. */
static void linear_form_and_published(void **state) {
  const json *published = json_get(json_get(file(), "KAT_independent"), "commitments")->item;
  bytes want[SIZE], got[SIZE];
  (void)state;
  load_generators();
  memset(values, 0, sizeof values);
  for (int i = 0; i < 256; i++) values[i * SIZE] = (bytes)(i % 32 + 1);
  json_bytes(json_get(published, "commitment"), want, SIZE);
  assert_int_equal(rp_pedersen_commit(values, generators, 256, got, NULL), RP_OK);
  assert_memory_equal(got, want, SIZE);
  rp_pedersen *p = make(0);
  commit(p, 256, values, generators, want, "1..32");
  rp_pedersen_destroy(p);
  for (const json *e = json_get(json_get(json_get(file(), "KAT_independent"), "verkle_hash64"), "cases")->item; e;
       e = e->next) {
    for (size_t i = 0; i < 5; i++) json_integer(json_at(json_get(e, "scalars"), i), 0, values + i * SIZE, SIZE);
    json_bytes(json_get(e, "commitment"), want, SIZE);
    assert_int_equal(rp_pedersen_commit(values, generators, 5, got, NULL), RP_OK);
    assert_memory_equal(got, want, SIZE);
  }
}

/* ---- 100 random batches of every width --------------------------------------------------------------------------- */

/* Generator i is i + 1 times the generator of the group, so that a commitment is one multiple of that. */
static void known_generators(uint32_t width, int64_t *multiples) {
  bytes *affine = data_points(RP_CURVE_BANDERWAGON, POINT_DISTINCT, width, multiples);
  for (uint32_t i = 0; i < width; i++)
    assert_int_equal(rp_point_compress(RP_CURVE_BANDERWAGON, affine + i * AFFINE, generators + i * SIZE), RP_OK);
  free(affine);
}

/* The number of batches for which single commitments and the linear form are computed too. */
static uint32_t how_many_alone(uint32_t width, uint32_t n) {
  const uint32_t some = width <= 64 ? n : 1600 / width;
  if (is_second_choice() || device_is_software()) return 2;
  return some < n ? some : n;
}

static void check_width(uint32_t width) {
  const uint32_t most = device_is_software() ? 1 + 800 / width : BATCHES;
  const uint32_t n = (uint32_t)data_cap(most < BATCHES ? most : BATCHES), alone = how_many_alone(width, n);
  static int64_t multiples[MOST];
  bytes *scalars = data_scalars(RP_CURVE_BANDERWAGON, SCALAR_RANDOM, width, (uint64_t)n * width);
  bytes *want = malloc((size_t)n * SIZE), *got = malloc((size_t)n * SIZE), linear[SIZE];
  const rp_pedersen_batch_options o = {
      .struct_size = sizeof o, .width = width, .commitments = n, .window_bits = window_bits()};
  rp_pedersen_batch *batch;
  rp_run_counters counters = {.struct_size = sizeof counters};
  uint64_t point[8];
  known_generators(width, multiples);
  for (uint32_t b = 0; b < n; b++) {
    data_msm(RP_CURVE_BANDERWAGON, scalars + (size_t)b * width * SIZE, multiples, width, point);
    assert_int_equal(rp_point_compress(RP_CURVE_BANDERWAGON, point, want + (size_t)b * SIZE), RP_OK);
  }
  assert_int_equal(rp_pedersen_batch_create(device_current(), &o, generators, &batch, NULL), RP_OK);
  assert_int_equal(rp_pedersen_batch_commit(batch, scalars, got, &counters, NULL), RP_OK);
  assert_memory_equal(got, want, (size_t)n * SIZE);
  assert_one_submission(device_current(), counters.submissions);
  assert_int_equal(counters.waits, 1);
  rp_pedersen_batch_destroy(batch);
  for (size_t k = 0; k < 2; k++) {
    rp_pedersen *p = make(CROSSOVERS[k]);
    for (uint32_t b = 0; b < alone; b++)
      commit(p, width, scalars + (size_t)b * width * SIZE, generators, want + (size_t)b * SIZE, "random batch");
    rp_pedersen_destroy(p);
  }
  for (uint32_t b = 0; b < alone; b++) {
    assert_int_equal(rp_pedersen_commit(scalars + (size_t)b * width * SIZE, generators, width, linear, NULL), RP_OK);
    assert_memory_equal(linear, want + (size_t)b * SIZE, SIZE);
  }
  free(scalars);
  free(want);
  free(got);
}

static void random_batches_of_every_width(void **state) {
  (void)state;
  for (uint32_t width = 8; width <= (is_second_choice() ? 256 : MOST); width *= 2)
    if (data_fits(width)) check_width(width);
}

/* ---- Stages, specialisation, crossover, fallback ----------------------------------------------------------------- */

/* One dispatch for the products, then one for all levels of the tree: nothing else adds points. In Vulkan a workgroup
 * has no more than 128 or 64 threads, and above that trees of other widths than 256 take more dispatches. Where only
 * kernels differ, the widths at that border are enough. */
static void two_stages_one_dispatch(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  load_generators();
  const uint32_t least = is_second_choice() || device_is_software() ? 64 : 8;
  const uint32_t most = device_is_software() ? 64 : is_second_choice() ? 128 : MOST;
  for (uint32_t width = least; width <= most; width *= 2) {
    const rp_pedersen_batch_options o = {
        .struct_size = sizeof o, .width = width, .commitments = 3, .window_bits = window_bits()};
    rp_node_info nodes[64] = {{.struct_size = sizeof *nodes}};
    rp_pedersen_batch *batch;
    uint32_t count, products = 0, trees = 0;
    if (!data_fits(width)) continue;
    assert_int_equal(rp_pedersen_batch_create(device_current(), &o, generators, &batch, NULL), RP_OK);
    assert_int_equal(rp_graph_n_inputs(rp_pedersen_batch_graph(batch)), 1);
    assert_int_equal(rp_recording_nodes(rp_pedersen_batch_recording(batch), nodes, 64, &count, NULL), RP_OK);
    for (uint32_t i = 0; i < count; i++) {
      products += !strcmp(nodes[i].op, "fixed_base_mul") && !nodes[i].once;
      trees += !strcmp(nodes[i].op, "tree_reduce");
      if (info.kind != RP_DEVICE_CPU && !strcmp(nodes[i].op, "tree_reduce") && width == 256)
        assert_string_equal(nodes[i].strategy, "w256");
    }
    assert_int_equal(products, 1);
    assert_int_equal(trees, info.kind == RP_DEVICE_VULKAN && width > 64 && width != 256 ? trees : 1);
    rp_pedersen_batch_destroy(batch);
  }
}

/* The tree over 256 points, and the same as two halves, whose width is another, so that they never take the specialised
 * kernel. */
static void specialised_width(void **state) {
  enum { W = 256 };
  int64_t multiples[W];
  bytes *points = data_points(RP_CURVE_BANDERWAGON, POINT_OPPOSITE, W, multiples);
  uint64_t whole[AFFINE / 8], halves[AFFINE / 8];
  const rp_type *type = rp_type_affine(RP_CURVE_BANDERWAGON);
  job j;
  (void)state;
  job_begin(&j);
  const rp_value p = job_input(&j, type, W, points), two = rp_tree_reduce(j.graph, p, W / 2);
  job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, p, W)), whole);
  job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, two, 2)), halves);
  job_check(&j);
  data_assert_points(RP_CURVE_BANDERWAGON, whole, halves, 1, "width 256");
  free(points);
}

/* Whether the recording for a width is a tree. */
static int takes_tree(rp_pedersen *p, uint32_t width) {
  static rp_node_info nodes[256] = {{.struct_size = sizeof *nodes}};
  uint32_t count, trees = 0, products = 0;
  assert_non_null(rp_pedersen_recording(p, width));
  assert_int_equal(rp_recording_nodes(rp_pedersen_recording(p, width), nodes, 256, &count, NULL), RP_OK);
  assert_true(count <= 256);
  for (uint32_t i = 0; i < count; i++) {
    trees += !strcmp(nodes[i].op, "tree_reduce");
    products += !strcmp(nodes[i].op, "scalar_mul");
  }
  assert_int_equal(trees > 0, products > 0);
  return trees > 0;
}

/* The device's table chooses the route; another threshold changes what is recorded, but no byte of the result. */
static void crossover_is_data(void **state) {
  bytes want[SIZE];
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  assert_int_equal(rp_pedersen_crossover(RP_DEVICE_CPU), UINT32_MAX);
  assert_int_equal(rp_pedersen_crossover(RP_DEVICE_CUDA), 8);
  assert_int_equal(rp_pedersen_crossover(RP_DEVICE_VULKAN), 8);
  rp_device_get_info(device_current(), &info);
  load_generators();
  bytes *scalars = data_scalars(RP_CURVE_BANDERWAGON, SCALAR_RANDOM, 9, 16);
  const uint32_t crossovers[] = {0, ALWAYS_TREE, 8, 16, UINT32_MAX};
  for (size_t k = 0; k < sizeof crossovers / sizeof *crossovers; k++) {
    rp_pedersen *p = make(crossovers[k]);
    const uint32_t from = crossovers[k] ? crossovers[k] : rp_pedersen_crossover(info.kind);
    for (uint32_t width = 1; width <= 16; width *= 2) {
      assert_null(rp_pedersen_recording(p, width));
      assert_int_equal(rp_pedersen_commit(scalars, generators, width, want, NULL), RP_OK);
      commit(p, width, scalars, generators, want, "route");
      assert_int_equal(takes_tree(p, width), width >= from);
    }
    assert_null(rp_pedersen_recording(p, 12));
    rp_pedersen_destroy(p);
  }
  free(scalars);
}

/* If no device is named, the same entry point gives the same bytes on whatever device the machine has. */
static void fallback(void **state) {
  rp_device *device;
  rp_pedersen *p;
  bytes want[SIZE], got[SIZE];
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_AUTO};
  (void)state;
  load_generators();
  bytes *scalars = data_scalars(RP_CURVE_BANDERWAGON, SCALAR_RANDOM, 4, 256);
  assert_int_equal(rp_pedersen_commit(scalars, generators, 256, want, NULL), RP_OK);
  assert_int_equal(rp_device_open(device_context(), &o, &device, NULL), RP_OK);
  assert_int_equal(rp_pedersen_create(device, NULL, &p, NULL), RP_OK);
  assert_int_equal(rp_pedersen_commit_tree_w256(p, scalars, generators, got, NULL), RP_OK);
  assert_memory_equal(got, want, SIZE);
  rp_pedersen_destroy(p);
  rp_device_close(device);
  free(scalars);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_commitments),
      cmocka_unit_test(linear_form_and_published),
      cmocka_unit_test(two_stages_one_dispatch),
      cmocka_unit_test(specialised_width),
      cmocka_unit_test(random_batches_of_every_width),
      cmocka_unit_test(crossover_is_data),
      cmocka_unit_test(fallback),
      cmocka_unit_test(generators_of_ethereum),
      cmocka_unit_test(edges),
  };
  const int failures = device_run_tests("pedersen", tests, sizeof tests / sizeof *tests);
  json_unload();
  return failures;
}
