/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How Groth16 is cut among devices by the model of cut.h. The model is compared with what was measured on one and two
 * H200 (docs/notes/groups.md), and chooses as it should for devices that do not exist. On parts of the CPU with rates
 * that are not theirs, every way is taken, and gives the proof of one device.
 */
#include "devices/group.h"

#include "graphs/groth16/common.h"
#include "groth16/prover/graph.h"

enum { PARTS = 3 };

/* ---- Predictions ------------------------------------------------------------------------------------------------- */

/* A circuit of full-width values with 0.96 wires per row of the domain, of which B has two thirds. */
static g16_work full_circuit(uint32_t log_domain) {
  const uint64_t n = (uint64_t)1 << log_domain, wires = n / 100 * 96;
  rp_groth16_key key = {.family = g16_family_by_g1(RP_CURVE_BN254_G1),
                        .info = {.domain = n, .n_vars = wires},
                        .log_domain = log_domain,
                        .supported = {wires, wires / 3 * 2, wires}};
  return g16_work_of(&key, RP_DEVICE_CUDA);
}

/* Measured on an H200 alone: docs/performance.md. */
static g16_rates h200(uint32_t n) {
  g16_rates r = {.n = n, .may_leave_out = 1};
  for (uint32_t d = 0; d < n; d++) {
    r.points[d] = 320;
    r.product_us[d] = 550;
    r.butterflies[d] = 36000;
    r.bytes[d] = 300000;
  }
  return r;
}

static double upload_ms(uint32_t log_domain) { return 32e-6 * (double)((uint64_t)1 << log_domain) / 54; }

static double usual_way_ms(uint32_t n, uint32_t log_domain, double *first_percent) {
  const g16_rates r = h200(n);
  const g16_work w = full_circuit(log_domain);
  g16_cut cut = {.shares = {.n = n}};
  double sum = 0;
  for (uint32_t d = 0; d < n; d++) cut.shares.of[d] = 1;
  const double us = g16_cut_predict(&r, &w, &cut, NULL);
  for (uint32_t d = 0; d < n; d++) sum += cut.shares.of[d];
  *first_percent = 100.0 * cut.shares.of[0] / sum;
  return us / 1000 + upload_ms(log_domain);
}

static void model_is_near_what_was_measured(void **state) {
  static const struct {
    uint32_t n, log_domain;
    double ms;
  } measured[] = {{1, 20, 22.46}, {1, 22, 76.97}, {1, 24, 296}, {2, 20, 13.0}, {2, 22, 42.9}, {2, 24, 153.9}};
  (void)state;
  for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
    double percent;
    const double ms = usual_way_ms(measured[i].n, measured[i].log_domain, &percent);
    if (ms < 0.93 * measured[i].ms || ms > 1.07 * measured[i].ms)
      fail_msg("%u devices, 2^%u: %f ms instead of %f", measured[i].n, measured[i].log_domain, ms, measured[i].ms);
    if (measured[i].n == 2 && (percent < 42 || percent > 46)) fail_msg("%f percent on the first device", percent);
  }
}

static uint32_t n_with_points(const g16_cut *cut) {
  uint32_t n = 0;
  for (uint32_t d = 0; d < cut->shares.n; d++) n += cut->shares.of[d] != 0;
  return n;
}

static bool chains_are(const g16_cut *cut, uint32_t a, uint32_t b, uint32_t c) {
  return cut->chain[0] == a && cut->chain[1] == b && cut->chain[2] == c;
}

/* Two H200 have other work while the quotient is computed. Of sixteen, the first one has nothing else to do, and the
 * others wait for h. */
static void transforms_are_cut_where_they_are_waited_for(void **state) {
  const g16_work w = full_circuit(22);
  (void)state;
  g16_rates r = h200(2);
  g16_cut cut = g16_cut_choose(&r, &w);
  assert_true(chains_are(&cut, 0, 0, 0) && n_with_points(&cut) == 2);
  r = h200(16);
  cut = g16_cut_choose(&r, &w);
  assert_true(cut.chain[2] != 0 && cut.chain[1] != cut.chain[2] && cut.chain[0] == 0);
  for (uint32_t d = 0; d < r.n; d++) r.bytes[d] = 30; /* a link on which a copy takes as long as many transforms */
  cut = g16_cut_choose(&r, &w);
  assert_true(chains_are(&cut, 0, 0, 0));
  r = h200(2); /* a first device that is slow in transforms */
  r.butterflies[0] = 1000;
  cut = g16_cut_choose(&r, &w);
  assert_true(chains_are(&cut, 0, 0, 1));
  g16_work gnark = w;
  gnark.chains = 0;
  cut = g16_cut_choose(&r, &gnark);
  assert_true(chains_are(&cut, 0, 0, 0));
  r = h200(3); /* the device with the better link has the chain */
  r.home = 1;
  r.butterflies[1] = 1000;
  r.bytes[0] = 1000;
  cut = g16_cut_choose(&r, &w);
  assert_true(cut.chain[2] == 2);
}

/* Where the fixed time of a product is long, the product of H is not cut; where there are many devices, it is. */
static void product_of_h_is_whole_where_its_time_is_fixed(void **state) {
  const g16_work w = full_circuit(20), long_products = full_circuit(24);
  g16_rates r = h200(2);
  (void)state;
  assert_true(g16_cut_choose(&r, &w).h_whole);
  r.product_us[0] = r.product_us[1] = 1;
  assert_false(g16_cut_choose(&r, &w).h_whole);
  r = h200(8);
  assert_false(g16_cut_choose(&r, &long_products).h_whole);
}

/* A device that is so slow, or a circuit so small, that the others are done before it could help. */
static void devices_that_do_not_help_have_nothing(void **state) {
  const g16_work large = full_circuit(20), small = full_circuit(10);
  g16_rates r = h200(2);
  (void)state;
  g16_cut cut = g16_cut_choose(&r, &small);
  assert_true(n_with_points(&cut) == 1 && cut.shares.of[0]);
  r.may_leave_out = 0;
  cut = g16_cut_choose(&r, &small);
  assert_true(cut.shares.of[1]);
  r = h200(3);
  r.points[0] = 0.5;
  r.product_us[0] = 50000;
  r.home = 2;
  cut = g16_cut_choose(&r, &large);
  assert_true(!cut.shares.of[0] && cut.shares.of[1] && cut.shares.of[2] && cut.shares.home == 2);
  r.points[1] = 0;
  cut = g16_cut_choose(&r, &large);
  assert_true(n_with_points(&cut) == 1 && cut.shares.of[2]);
}

/* All devices are done at the same time, and every point is somewhere. */
static void devices_are_done_together(void **state) {
  const g16_work w = full_circuit(20);
  g16_rates r = h200(4);
  (void)state;
  r.points[1] = 700;
  r.points[2] = 100;
  for (int h_whole = 0; h_whole < 2; h_whole++) {
    double busy[RP_GROUP_MOST], sum = 0;
    g16_cut cut = {.shares = {.n = 4, .of = {1, 1, 1, 1}}, .h_whole = h_whole};
    const double us = g16_cut_predict(&r, &w, &cut, busy), points = w.witness + (h_whole ? 0 : w.h);
    for (uint32_t d = 0; d < 4; d++) sum += cut.shares.of[d];
    for (uint32_t d = 1; d < 4; d++) {
      const double fixed = (w.products_fixed + (h_whole ? 0 : w.h_fixed)) * r.product_us[d];
      const double own = fixed + points * cut.shares.of[d] / sum / r.points[d];
      assert_true(own > 0.999 * busy[d] && own < 1.001 * busy[d] && busy[d] <= us);
      assert_true(busy[d] == busy[1]);
    }
  }
}

/* ---- Proofs ------------------------------------------------------------------------------------------------------ */

static void open_parts(group *g) {
  rp_error err = {0};
  *g = (group){.n = PARTS};
  EXPECT(RP_OK, rp_context_create(NULL, &g->context, &err), &err);
  for (uint32_t i = 0; i < PARTS; i++) {
    const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
    EXPECT(RP_OK, rp_device_open(g->context, &o, &g->devices[i], &err), &err);
    rp_device_set_speed(g->devices[i], i == 1 ? 11 : 10); /* the second one is the home */
  }
  EXPECT(RP_OK, rp_group_open(g->context, g->devices, PARTS, &g->all, &err), &err);
}

/* How many values of at least `bytes` go from one device to another. */
static uint32_t long_copies(rp_groth16_prover *prover, uint32_t from, uint32_t to, uint64_t bytes) {
  rp_copy_info copies[64] = {{.struct_size = sizeof *copies}};
  rp_group_plan plan = {.struct_size = sizeof plan, .copies = copies, .capacity = 64};
  uint32_t n = 0;
  assert_int_equal(rp_recording_get_group_plan(rp_groth16_prover_recording(prover), &plan, NULL), RP_OK);
  assert_true(plan.n_copies <= 64);
  for (uint32_t i = 0; i < plan.n_copies; i++)
    n += copies[i].from == from && copies[i].to == to && copies[i].bytes >= bytes;
  return n;
}

static void every_way_gives_the_same_proof(void **state) {
  /* Butterflies per microsecond at home, of the others; the fixed time of a product; how many chains are elsewhere, and
   * whether the product of H is whole. */
  static const struct {
    uint32_t home, others, product_us, chains, h_whole;
  } ways[] = {{4000000, 4000000, 1, 0, 0},
              {4000000, 4000000, 1000, 0, 1},
              {4000000, 4000000, 1000000, 0, 1},
              {1, 2, 1, 2, 0},
              {1, 1, 1, 2, 0}};
  const uint64_t domain = 1 << 9;
  group g;
  g16_shape shape;
  made m;
  (void)state;
  open_parts(&g);
  bench b = {.context = g.context, .device = g.devices[0]};
  g16_shape_preset(G16_PRESET_FULL, 9, &shape);
  make_circuit(&b, "ways", "bn254", &shape, 0, &m);
  rp_groth16_prover *one = prover_with(&b, &m.zkey, NULL);
  const rp_groth16_proof want = comparable_proof(one, &m.wtns);
  rp_groth16_prover_destroy(one);
  b.device = g.all;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    rp_group_rates rates = {.struct_size = sizeof rates};
    rp_error err = {0};
    for (uint32_t d = 0; d < PARTS; d++) {
      rates.products[d] = 1000;
      rates.product_us[d] = ways[i].product_us;
      rates.transforms[d] = d == 1 ? ways[i].home : ways[i].others;
      rates.links[d] = UINT32_MAX;
    }
    EXPECT(RP_OK, rp_group_set_rates(g.all, &rates, &err), &err);
    rp_groth16_prover *prover = prover_with(&b, &m.zkey, NULL);
    const rp_groth16_proof got = comparable_proof(prover, &m.wtns);
    assert_memory_equal(&got, &want, sizeof got);
    /* A chain goes to another device and comes back whole; a part of h goes there if the product is cut. */
    const uint32_t there = long_copies(prover, 1, 0, 32 * domain) + long_copies(prover, 1, 2, 32 * domain);
    const uint32_t back = long_copies(prover, 0, 1, 32 * domain) + long_copies(prover, 2, 1, 32 * domain);
    const uint32_t parts = long_copies(prover, 1, 0, 32 * domain / 8) + long_copies(prover, 1, 2, 32 * domain / 8);
    assert_int_equal(there, ways[i].chains);
    assert_int_equal(back, ways[i].chains);
    assert_int_equal(parts, ways[i].chains + (ways[i].h_whole ? 0 : 2));
    uint32_t pieces[PARTS];
    rp_group_plan plan = {.struct_size = sizeof plan, .pieces = pieces};
    assert_int_equal(rp_recording_get_group_plan(rp_groth16_prover_recording(prover), &plan, NULL), RP_OK);
    for (uint32_t d = 0; d < PARTS; d++) assert_true(pieces[d] != 0); /* the caller has set their speeds */
    rp_groth16_prover_destroy(prover);
  }
  group_close(&g);
  made_free(&m);
}

/* One run of the prover's graph: the points of the proof. */
static void run_graph(rp_device *device, const rp_groth16_key *key, const g16_cut *cut, const uint8_t *values, size_t n,
                      uint8_t points[3][128], rp_recording **recording) {
  uint8_t *input = calloc(g16_key_scalars(key), 32);
  rp_error err = {0};
  g16_graph graph;
  rp_run *run;
  memcpy(input, values, n * 32);
  input[n * 32] = 9;
  input[(n + 1) * 32] = 7;
  EXPECT(RP_OK, g16_graph_build(key, rp_device_context(device), 0, cut, &graph, &err), &err);
  EXPECT(RP_OK, rp_record(device, graph.graph, NULL, recording, &err), &err);
  EXPECT(RP_OK, rp_run_begin(*recording, UINT64_MAX, &run, &err), &err);
  assert_int_equal(rp_run_set_input(run, graph.witness, input, g16_key_scalars(key) * 32), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  if (rp_run_wait(run, UINT64_MAX)) fail_msg("%s", rp_run_error(run)->reason);
  memcpy(points[0], rp_run_output(run, graph.pi_a), 64);
  memcpy(points[1], rp_run_output(run, graph.pi_b), 128);
  memcpy(points[2], rp_run_output(run, graph.pi_c), 64);
  rp_run_end(run);
  rp_graph_destroy(graph.graph);
  free(input);
}

/* The bytes that come to the device from the host, and those of the longest of these inputs. */
static uint64_t from_host(rp_recording *recording, uint32_t device, uint64_t *longest) {
  rp_copy_info copies[64] = {{.struct_size = sizeof *copies}};
  rp_group_plan plan = {.struct_size = sizeof plan, .copies = copies, .capacity = 64};
  uint64_t bytes = 0;
  *longest = 0;
  assert_int_equal(rp_recording_get_group_plan(recording, &plan, NULL), RP_OK);
  assert_true(plan.n_copies <= 64);
  for (uint32_t i = 0; i < plan.n_copies; i++) {
    if (copies[i].from != RP_ON_HOST || copies[i].to != device) continue;
    bytes += copies[i].bytes;
    if (copies[i].bytes > *longest) *longest = copies[i].bytes;
  }
  return bytes;
}

/* The home device gets its scalars apart from the others, and the proof is the same wherever they are cut. */
static void scalars_come_apart(void **state) {
  static const uint32_t shares[][PARTS] = {{1, 1, 1}, {5, 3, 0}, {0, 1, 0}, {1, 0, 1}, {7, 1, 2}};
  group g;
  g16_shape shape;
  made m;
  size_t n;
  rp_error err = {0};
  rp_groth16_key *key;
  rp_recording *recording;
  uint8_t want[3][128] = {{0}};
  (void)state;
  open_parts(&g);
  bench b = {.context = g.context, .device = g.devices[0]};
  g16_shape_preset(G16_PRESET_FULL, 9, &shape);
  make_circuit(&b, "apart", "bn254", &shape, 0, &m);
  const uint8_t *values = wtns_values(&m.wtns, &n);
  EXPECT(RP_OK, rp_groth16_key_open_memory(g.context, m.zkey.data, m.zkey.bytes, NULL, &key, &err), &err);
  run_graph(g.devices[0], key, &G16_UNCUT, values, n, want, &recording);
  rp_recording_destroy(recording);
  for (size_t i = 0; i < 2 * sizeof shares / sizeof *shares; i++) {
    g16_cut cut = {.shares = {.n = PARTS, .home = 1}, .chain = {1, 1, 1}, .upload_apart = 1, .h_whole = i & 1};
    uint8_t got[3][128] = {{0}};
    uint64_t longest;
    memcpy(cut.shares.of, shares[i / 2], sizeof shares[0]);
    run_graph(g.all, key, &cut, values, n, got, &recording);
    assert_memory_equal(got, want, sizeof got);
    const uint64_t all = from_host(recording, 1, &longest), scalars = 32 * g16_key_scalars(key);
    const bool apart = cut.shares.of[1] && (cut.shares.of[0] || cut.shares.of[2]);
    assert_true(apart ? longest < scalars && all >= scalars : longest == scalars);
    rp_recording_destroy(recording);
  }
  rp_groth16_key_close(key);
  group_close(&g);
  made_free(&m);
}

static void rates_are_kept(void **state) {
  group g;
  rp_error err = {0};
  rp_group_rates set = {.struct_size = sizeof set, .together = 5, .links = {1, 2, 3}},
                 got = {.struct_size = sizeof got};
  (void)state;
  open_parts(&g);
  EXPECT(RP_OK, rp_group_get_rates(g.all, &got, &err), &err);
  assert_int_equal(got.together, 0);
  EXPECT(RP_OK, rp_group_set_rates(g.all, &set, &err), &err);
  set = (rp_group_rates){.struct_size = sizeof set, .transforms = {0, 7}};
  EXPECT(RP_OK, rp_group_set_rates(g.all, &set, &err), &err);
  EXPECT(RP_OK, rp_group_get_rates(g.all, &got, &err), &err);
  assert_true(got.together == 5 && got.links[2] == 3 && got.transforms[1] == 7 && !got.transforms[0]);
  EXPECT(RP_ERR_ARGUMENT, rp_group_get_rates(g.devices[0], &got, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_group_set_rates(g.devices[0], &set, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_group_set_rates(g.all, NULL, &err), &err);
  got.struct_size = set.struct_size = 0;
  EXPECT(RP_ERR_ARGUMENT, rp_group_get_rates(g.all, &got, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_group_set_rates(g.all, &set, &err), &err);
  group_close(&g);
}

static int clean(void **state) {
  (void)state;
  scratch_remove();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(model_is_near_what_was_measured),
                                     cmocka_unit_test(transforms_are_cut_where_they_are_waited_for),
                                     cmocka_unit_test(product_of_h_is_whole_where_its_time_is_fixed),
                                     cmocka_unit_test(devices_that_do_not_help_have_nothing),
                                     cmocka_unit_test(devices_are_done_together),
                                     cmocka_unit_test(every_way_gives_the_same_proof),
                                     cmocka_unit_test(scalars_come_apart),
                                     cmocka_unit_test(rates_are_kept)};
  return cmocka_run_group_tests_name("cuts of a proof", tests, NULL, clean);
}
