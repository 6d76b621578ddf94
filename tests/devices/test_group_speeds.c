/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Work is cut by the speeds of a group's devices: as the caller has set them, or as they are measured where devices are
 * different. Proofs and products are byte for byte those of one device, wherever the cut is.
 */
#include "devices/group.h"

#include "graphs/groth16/common.h"
#include "range.h"
#include "rates.h"
#include "threads/parallel.h"

enum { DEVICES = 3 };

/* The linker calls this in place of the library's function, so that parts of the CPU can pass for GPUs. */
static uint32_t pretended; /* number of GPUs; 0: none */
static const rp_device *the_second;
void __real_rp_device_get_info(const rp_device *device, rp_device_info *info);
void __wrap_rp_device_get_info(const rp_device *device, rp_device_info *info);
void __wrap_rp_device_get_info(const rp_device *device, rp_device_info *info) {
  __real_rp_device_get_info(device, info);
  if (!pretended) return;
  info->kind = RP_DEVICE_CUDA;
  info->index = pretended == 2 && device == the_second;
}

/* Parts of the CPU: `threads` of each, the instruction set of the first. */
static void open_parts(group *g, const uint32_t threads[], uint32_t n, const char *first_isa) {
  *g = (group){.n = n};
  rp_error err = {0};
  EXPECT(RP_OK, rp_context_create(NULL, &g->context, &err), &err);
  for (uint32_t i = 0; i < n; i++) {
    const rp_device_options o = {
        .struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = threads[i], .cpu_isa = i ? NULL : first_isa};
    EXPECT(RP_OK, rp_device_open(g->context, &o, &g->devices[i], &err), &err);
  }
  EXPECT(RP_OK, rp_group_open(g->context, g->devices, n, &g->all, &err), &err);
}

/* What a plan of the prover's recording says of each device: its speed, and bytes of constants, nearly all of which are
 * the key's points. */
static void plan_of(rp_groth16_prover *prover, uint32_t n, uint32_t speeds[], double bytes[]) {
  rp_plan_info part[DEVICES] = {{.struct_size = sizeof *part}};
  rp_group_plan plan = {.struct_size = sizeof plan, .devices = part, .speeds = speeds};
  assert_int_equal(rp_recording_get_group_plan(rp_groth16_prover_recording(prover), &plan, NULL), RP_OK);
  assert_int_equal(plan.n_devices, n);
  for (uint32_t i = 0; i < n; i++) bytes[i] = (double)(part[i].constant_bytes + part[i].borrowed_bytes);
}

static void is_near(double got, double want) {
  if (got < 0.9 * want || got > 1.1 * want) fail_msg("%f, not about %f", got, want);
}

static void expect_ratio(const group *g, const made *m, const rp_groth16_proof *want) {
  const rp_groth16_prover_options o = {.struct_size = sizeof o, .first_percent = 20};
  bench b = {.context = g->context, .device = g->all};
  uint32_t speeds[DEVICES];
  double bytes[DEVICES];
  rp_groth16_prover *prover = prover_with(&b, &m->zkey, &o);
  const rp_groth16_proof got = comparable_proof(prover, &m->wtns);
  assert_memory_equal(&got, want, sizeof got);
  plan_of(prover, g->n, speeds, bytes);
  for (uint32_t i = 0; i < g->n; i++) assert_int_equal(speeds[i], rp_device_speed(g->devices[i]));
  is_near(bytes[2] / bytes[1], speeds[1] ? (double)speeds[2] / speeds[1] : 1);
  rp_groth16_prover_destroy(prover);
}

/* The second and the third device have points by their speeds, and the same proof comes out. */
static void proofs_are_cut_by_speed(void **state) {
  static const uint32_t alike[DEVICES] = {1, 1, 1}, different[DEVICES] = {1, 1, 2};
  static const uint32_t given[][DEVICES] = {{10, 10, 30}, {1, 900, 300}, {4000000000u, 1000000000u, 4000000000u}};
  group g;
  g16_shape shape;
  made m;
  (void)state;
  open_parts(&g, alike, DEVICES, NULL);
  bench b = {.context = g.context, .device = g.devices[0]};
  g16_shape_preset(G16_PRESET_FULL, 11, &shape);
  make_circuit(&b, "speeds", "bn254", &shape, 0, &m);
  rp_groth16_prover *one = prover_with(&b, &m.zkey, NULL);
  const rp_groth16_proof want = comparable_proof(one, &m.wtns);
  rp_groth16_prover_destroy(one);
  expect_ratio(&g, &m, &want);         /* devices that are alike, and whose speeds nobody has set */
  if (support_processors() >= DEVICES) /* they are apart */
    for (uint32_t i = 0; i < g.n; i++) assert_int_equal(rp_device_speed(g.devices[i]), 0);
  for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
    for (uint32_t i = 0; i < g.n; i++) rp_device_set_speed(g.devices[i], given[k][i]);
    expect_ratio(&g, &m, &want);
  }
  group_close(&g);
  open_parts(&g, different, DEVICES, NULL);
  expect_ratio(&g, &m, &want);
  for (uint32_t i = 0; i < g.n; i++) assert_true(rp_device_speed(g.devices[i]) != 0);
  group_close(&g);
  made_free(&m);
}

/* Plain C takes several times as long as the vector instructions of the same core. */
static void speeds_are_measured(void **state) {
  static const uint32_t threads[2] = {1, 1};
  graphs_shares shares;
  group g;
  rp_device_info plain = {.struct_size = sizeof plain}, best = {.struct_size = sizeof best};
  rp_error err = {0};
  (void)state;
  open_parts(&g, threads, 2, "c");
  rp_device_get_info(g.devices[0], &plain);
  rp_device_get_info(g.devices[1], &best);
  EXPECT(RP_OK, graphs_shares_of(g.all, &shares, &err), &err);
  assert_int_equal(shares.n, 2);
  if (strstr(best.driver, "ifma")) assert_true(rp_device_speed(g.devices[0]) < rp_device_speed(g.devices[1]));
  const uint32_t first = rp_device_speed(g.devices[0]);
  rp_device_set_speed(g.devices[1], 0);
  EXPECT(RP_OK, graphs_shares_of(g.all, &shares, &err), &err); /* only what is unknown is measured again */
  assert_int_equal(rp_device_speed(g.devices[0]), strcmp(plain.driver, best.driver) ? first : 0);
  group_close(&g);
}

/* What is not cut is on the fastest device. */
static void home_is_the_fastest(void **state) {
  static const uint32_t threads[DEVICES] = {1, 1, 1}, speeds[][DEVICES] = {{1, 1, 1}, {1, 9, 9}, {3, 1, 4}};
  static const uint32_t home[] = {0, 1, 2};
  group g;
  graphs_shares shares;
  rp_error err = {0};
  (void)state;
  open_parts(&g, threads, DEVICES, NULL);
  for (int i = 0; i < 3; i++) {
    for (int d = 0; d < DEVICES; d++) rp_device_set_speed(g.devices[d], speeds[i][d]);
    EXPECT(RP_OK, graphs_shares_of(g.all, &shares, &err), &err);
    assert_int_equal(shares.home, home[i]);
    for (int d = 0; d < DEVICES; d++)
      is_near((double)shares.of[d] / shares.of[home[i]], (double)speeds[i][d] / speeds[i][home[i]]);
  }
  EXPECT(RP_OK, graphs_shares_of(g.devices[1], &shares, &err), &err);
  assert_true(shares.n == 1 && shares.home == 0);
  assert_int_equal(graphs_range_of(100, &shares, 0, 32).count, 100);
  group_close(&g);
}

/* Devices that do not reach more together than the fastest one alone, and a device that is slower than all by far, have
 * nothing. Where only the caller has set speeds, it is not known what they reach together. */
static void devices_that_do_not_pay_have_nothing(void **state) {
  static const uint32_t threads[DEVICES] = {1, 1, 1};
  static const struct {
    uint32_t speeds[DEVICES], together;
    bool has[DEVICES];
  } cases[] = {{{500, 1000, 10}, 0, {1, 1, 1}},      {{500, 1000, 10}, 1049, {0, 1, 0}},
               {{500, 1000, 10}, 1050, {1, 1, 0}},   {{1000, 31, 33}, 1064, {1, 0, 0}},
               {{1000, 40, 20}, 1060, {1, 1, 0}},    {{4000000000u, 4000000000u, 1}, 0, {1, 1, 1}},
               {{1000, 1000, 900}, 2900, {1, 1, 1}}, {{1000, 1000, 900}, 990, {1, 0, 0}}};
  group g;
  graphs_shares shares;
  rp_error err = {0};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const rp_group_rates rates = {.struct_size = sizeof rates, .together = cases[i].together};
    open_parts(&g, threads, DEVICES, NULL);
    for (int d = 0; d < DEVICES; d++) rp_device_set_speed(g.devices[d], cases[i].speeds[d]);
    EXPECT(RP_OK, rp_group_set_rates(g.all, &rates, &err), &err);
    EXPECT(RP_OK, graphs_shares_of(g.all, &shares, &err), &err);
    for (int d = 0; d < DEVICES; d++) assert_int_equal(shares.of[d] != 0, cases[i].has[d]);
    EXPECT(RP_OK, graphs_shares_of_all(g.all, &shares, &err), &err);
    for (int d = 0; d < DEVICES; d++) assert_true(shares.of[d] != 0);
    group_close(&g);
  }
}

/* More threads than processors: what the devices reach together is measured. If that is not more than one reaches, a
 * prover works on one of them; with speeds that the caller has set, on all. */
static void devices_that_share_processors_are_measured_together(void **state) {
  const uint32_t threads[DEVICES] = {support_processors(), support_processors(), support_processors()};
  rp_error err = {0};
  group g;
  (void)state;
  for (int set = 0; set < 2; set++) {
    rp_group_rates rates = {.struct_size = sizeof rates};
    uint32_t pieces[DEVICES], n_used = 0;
    made m = fixture_files("poseidon_merkle");
    open_parts(&g, threads, DEVICES, NULL);
    for (int d = 0; d < DEVICES && set; d++) rp_device_set_speed(g.devices[d], 1);
    bench b = {.context = g.context, .device = g.all};
    rp_groth16_prover *prover = prover_with(&b, &m.zkey, NULL);
    rp_group_plan plan = {.struct_size = sizeof plan, .pieces = pieces};
    assert_int_equal(rp_recording_get_group_plan(rp_groth16_prover_recording(prover), &plan, NULL), RP_OK);
    for (int d = 0; d < DEVICES; d++) n_used += pieces[d] != 0;
    EXPECT(RP_OK, rp_group_get_rates(g.all, &rates, &err), &err);
    uint32_t best = 1;
    for (int d = 0; d < DEVICES; d++)
      if (rp_device_speed(g.devices[d]) > best) best = rp_device_speed(g.devices[d]);
    assert_int_equal(rates.together != 0, !set);
    for (int d = 0; d < DEVICES; d++) assert_true(rp_device_speed(g.devices[d]) != 0);
    if (set) assert_int_equal(n_used, DEVICES);
    if (!set && (uint64_t)rates.together * 100 < (uint64_t)best * 105) assert_int_equal(n_used, 1);
    rp_groth16_prover_destroy(prover);
    made_free(&m);
    group_close(&g);
  }
}

/* Devices that are alike are taken to be equally fast, unless two of them are one GPU, for which parts of the CPU
 * stand here. */
static void one_gpu_twice_is_measured(void **state) {
  static const uint32_t threads[2] = {1, 1};
  rp_error err = {0};
  (void)state;
  for (uint32_t n_gpus = 1; n_gpus <= 2; n_gpus++) {
    group g;
    graphs_shares shares;
    open_parts(&g, threads, 2, NULL);
    the_second = g.devices[1];
    pretended = n_gpus;
    EXPECT(RP_OK, graphs_shares_of_all(g.all, &shares, &err), &err);
    pretended = 0;
    for (int d = 0; d < 2; d++) assert_int_equal(rp_device_speed(g.devices[d]) != 0, n_gpus == 1);
    group_close(&g);
  }
}

/* Nothing is copied from the home device to itself. Other rates are known here, so that only links are measured. */
static void the_home_needs_no_link(void **state) {
  static const uint32_t threads[2] = {1, 1};
  const rp_group_rates known = {
      .struct_size = sizeof known, .products = {5, 5}, .product_us = {5, 5}, .transforms = {5, 5}, .together = 10};
  rp_error err = {0};
  (void)state;
  for (uint32_t home = 0; home < 2; home++) {
    rp_group_rates rates;
    group g;
    open_parts(&g, threads, 2, NULL);
    EXPECT(RP_OK, rp_group_set_rates(g.all, &known, &err), &err);
    EXPECT(RP_OK, graphs_know_rates(g.all, home, &rates, &err), &err);
    assert_int_equal(rates.links[home], UINT32_MAX);
    assert_true(rates.links[1 - home] > 0);
    for (int d = 0; d < 2; d++) assert_int_equal(rates.products[d], 5);
    group_close(&g);
  }
}

/* Every element is in one part, parts are in order, and in proportion up to the alignment. */
static void ranges_are_a_partition(void **state) {
  static const graphs_shares shares[] = {{.n = 4, .of = {1, 1, 1, 1}},
                                         {.n = 3, .of = {0, 5, 1}},
                                         {.n = 2, .of = {1000000, 0}},
                                         {.n = 5, .of = {1 << 20, 1, 1 << 20, 77, 1 << 19}}};
  static const uint64_t lengths[] = {0, 1, 5, 31, 32, 33, 1000, (1ull << 40) - 1};
  (void)state;
  for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
    for (size_t l = 0; l < 8; l++)
      for (uint64_t align = 1; align <= 32; align += 31) {
        uint64_t at = 0, all = 0;
        for (uint32_t d = 0; d < shares[s].n; d++) all += shares[s].of[d];
        for (uint32_t d = 0; d < shares[s].n; d++) {
          const graphs_range r = graphs_range_of(lengths[l], &shares[s], d, align);
          assert_int_equal(r.first, at);
          assert_true(shares[s].of[d] || !r.count);
          assert_true(d == 0 || r.first % align == 0 || r.first == lengths[l]);
          const double fair = (double)lengths[l] * shares[s].of[d] / (double)all;
          assert_true((double)r.count > fair - (double)align - 1 && (double)r.count < fair + (double)align + 1);
          at += r.count;
        }
        assert_int_equal(at, lengths[l]);
      }
}

static int clean(void **state) {
  (void)state;
  scratch_remove();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_are_cut_by_speed),
                                     cmocka_unit_test(speeds_are_measured),
                                     cmocka_unit_test(home_is_the_fastest),
                                     cmocka_unit_test(devices_that_do_not_pay_have_nothing),
                                     cmocka_unit_test(devices_that_share_processors_are_measured_together),
                                     cmocka_unit_test(one_gpu_twice_is_measured),
                                     cmocka_unit_test(the_home_needs_no_link),
                                     cmocka_unit_test(ranges_are_a_partition)};
  return cmocka_run_group_tests_name("cuts by speed", tests, NULL, clean);
}
