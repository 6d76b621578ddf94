/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arenas of the ready graphs: the usual plans of GPUs and of the CPU, at three sizes, take at most 1.05 times what no
 * arena with the same rule of sharing can do without; and so do nearly all plans for smaller budgets.
 */
#include "files/scratch.h"

#include <reprise/fflonk.h>
#include <reprise/graphs.h>
#include <reprise/merkle.h>
#include <reprise/ops.h>
#include <reprise/plonk.h>
#include <reprise/setup.h>

#include "points.h"

#include <stdlib.h>

typedef struct bench {
  rp_context *context;
  rp_device *cpu, *gpus[2]; /* the null device, as CUDA and as Vulkan */
  char *folder, key[4200], vkey[4200], witness[4200];
} bench;

typedef struct tally {
  uint32_t plans, above; /* of those for smaller budgets; by more than 1.05 */
} tally;

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

static rp_device_kind kind;

static rp_status open_like(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                           rp_error *err) {
  const rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->kind = kind;
  info->limits.workers = 132;
  info->limits.shared_bytes = kind == RP_DEVICE_CUDA ? 227u << 10 : 48u << 10;
  return status;
}

static int begin(void **state) {
  static bench b;
  static rp_backend tables[2];
  static const rp_device_kind kinds[] = {RP_DEVICE_CUDA, RP_DEVICE_VULKAN};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU}, any = {.struct_size = sizeof any};
  void *folder = NULL;
  if (scratch_begin(&folder) != 0 || rp_context_create(NULL, &b.context, NULL) != RP_OK) return -1;
  b.folder = folder;
  snprintf(b.key, sizeof b.key, "%s/key", b.folder);
  snprintf(b.vkey, sizeof b.vkey, "%s/vkey", b.folder);
  snprintf(b.witness, sizeof b.witness, "%s/witness", b.folder);
  for (int i = 0; i < 2; i++) {
    tables[i] = rp_backend_null;
    tables[i].kind = kind = kinds[i];
    tables[i].open = open_like;
    if (rp_device_open_with(b.context, &tables[i], &any, &b.gpus[i], NULL) != RP_OK) return -1;
  }
  *state = &b;
  return rp_device_open(b.context, &cpu, &b.cpu, NULL) == RP_OK ? 0 : -1;
}

static int end(void **state) {
  bench *b = *state;
  void *folder = b->folder;
  rp_device_close(b->cpu);
  for (int i = 0; i < 2; i++) rp_device_close(b->gpus[i]);
  rp_context_destroy(b->context);
  return scratch_end(&folder);
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

/* What the arena takes of what it must. Values are aligned, the end of the arena is not. */
static double part_of(rp_device *device, const rp_graph *g, const rp_record_options *options, const rp_point *point) {
  rp_error err = {0};
  rp_plan *plan;
  if (rp_plan_begin(device, g, options, point->memory_level, &plan, &err) != RP_OK) fail_msg("%s", err.reason);
  plan->schedule = point->schedule;
  for (const rp_pass *pass = rp_passes; pass->name; pass++)
    if (pass->run(plan, &err) != RP_OK) fail_msg("%s", err.reason);
  rp_plan_count(plan);
  const uint64_t alive = plan->parts[RP_PART_RUN].alive_bytes;
  const uint64_t arena = rp_align_up(plan->info.arena_bytes, device->info.limits.align_bytes);
  assert_true(arena >= alive && (alive != 0) == (arena != 0));
  rp_plan_destroy(plan);
  return alive ? (double)arena / (double)alive : 1;
}

static void check(rp_device *device, const rp_graph *g, tally *t) {
  const rp_record_options options = {
      .struct_size = sizeof options, .max_in_flight = 1, .max_memory_level = RP_MEMORY_LEVELS - 1};
  rp_points points;
  rp_error err = {0};
  for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++)
    assert_true(part_of(device, g, &options, &(rp_point){.memory_level = level}) <= 1.05);
  if (rp_points_find(device, g, &options, &points, &err) != RP_OK) fail_msg("%s", err.reason);
  for (uint32_t i = 1; i < points.n; i++) {
    const double part = part_of(device, g, &options, &points.items[i]);
    assert_true(part <= 1.1);
    t->plans++;
    t->above += part > 1.05;
  }
  rp_points_free(&points, device->context);
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

static void make_key(const bench *b, rp_protocol protocol, uint32_t log_domain) {
  const rp_insecure_setup setup = {.struct_size = sizeof setup,
                                   .protocol = protocol,
                                   .g1 = RP_CURVE_BN254_G1,
                                   .log_domain = log_domain,
                                   .n_public = 1,
                                   .seed = 1,
                                   .key_out = b->key,
                                   .vkey_out = b->vkey,
                                   .witness_out = b->witness};
  rp_error err = {0};
  if (rp_setup_insecure(b->cpu, &setup, &err) != RP_OK) fail_msg("%s", err.reason);
}

static void check_groth16(const bench *b, rp_device *device, uint32_t tables, tally *t) {
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .tables = tables, .no_verify = 1};
  rp_groth16_prover *prover;
  rp_groth16_key *key;
  assert_int_equal(rp_groth16_key_open(b->context, b->key, NULL, &key, NULL), RP_OK);
  assert_int_equal(rp_groth16_prover_create(device, key, &options, &prover, NULL), RP_OK);
  check(device, rp_groth16_prover_graph(prover), t);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
}

static void check_plonk(const bench *b, rp_device *device, uint32_t tables, tally *t) {
  const rp_plonk_prover_options options = {.struct_size = sizeof options, .tables = tables};
  rp_plonk_prover *prover;
  rp_plonk_key *key;
  assert_int_equal(rp_plonk_key_open(b->context, b->key, NULL, &key, NULL), RP_OK);
  assert_int_equal(rp_plonk_prover_create(device, key, &options, &prover, NULL), RP_OK);
  check(device, rp_plonk_prover_graph(prover), t);
  rp_plonk_prover_destroy(prover);
  rp_plonk_key_close(key);
}

static void check_fflonk(const bench *b, rp_device *device, uint32_t tables, tally *t) {
  const rp_fflonk_prover_options options = {.struct_size = sizeof options, .tables = tables};
  rp_fflonk_prover *prover;
  rp_fflonk_key *key;
  assert_int_equal(rp_fflonk_key_open(b->context, b->key, NULL, &key, NULL), RP_OK);
  assert_int_equal(rp_fflonk_prover_create(device, key, &options, &prover, NULL), RP_OK);
  check(device, rp_fflonk_prover_graph(prover), t);
  rp_fflonk_prover_destroy(prover);
  rp_fflonk_key_close(key);
}

static void check_keys(const bench *b, rp_protocol protocol,
                       void (*of)(const bench *b, rp_device *device, uint32_t tables, tally *t)) {
  tally t = {0};
  const uint32_t most = getenv("REPRISE_TEST_QUICK") ? 8 : 12;
  for (uint32_t log_domain = most - 4; log_domain <= most; log_domain += 2) {
    make_key(b, protocol, log_domain);
    for (uint32_t tables = 0; tables < 2; tables++) {
      of(b, b->cpu, tables, &t);
      for (int i = 0; i < 2; i++) of(b, b->gpus[i], tables, &t);
    }
  }
  assert_true(t.plans > 20 && 10 * t.above <= t.plans);
}

static void of_groth16(void **state) { check_keys(*state, RP_PROTOCOL_GROTH16, check_groth16); }
static void of_plonk(void **state) { check_keys(*state, RP_PROTOCOL_PLONK, check_plonk); }
static void of_fflonk(void **state) { check_keys(*state, RP_PROTOCOL_FFLONK, check_fflonk); }

static void of_products(void **state) {
  const bench *b = *state;
  tally t = {0};
  for (rp_curve curve = RP_CURVE_BN254_G1; curve <= RP_CURVE_BN254_G2; curve++)
    for (uint32_t log_n = 10; log_n <= 20; log_n += 5) {
      rp_graph *g;
      assert_int_equal(rp_graph_create(b->context, "product", &g, NULL), RP_OK);
      const rp_value scalars = rp_graph_input(g, "scalars", &RP_TYPE_U256, 1u << log_n, 0);
      const rp_value points = rp_graph_input(g, "points", rp_type_affine(curve), 1u << log_n, 0);
      rp_graph_output(g, "sum", rp_msm(g, scalars, points, NULL), 0);
      check(b->cpu, g, &t);
      for (int i = 0; i < 2; i++) check(b->gpus[i], g, &t);
      rp_graph_destroy(g);
    }
  assert_int_equal(t.above, 0);
}

static void of_trees(void **state) {
  const bench *b = *state;
  tally t = {0};
  for (uint32_t log_n = 8; log_n <= 16; log_n += 4)
    for (int i = 0; i < 2; i++) {
      const rp_merkle_config config = {.struct_size = sizeof config, .leaves = 1u << log_n};
      rp_merkle *tree;
      assert_int_equal(rp_merkle_create(b->gpus[i], &config, &tree, NULL), RP_OK);
      check(b->gpus[i], rp_merkle_graph(tree), &t);
      rp_merkle_destroy(tree);
    }
  assert_int_equal(t.above, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_groth16), cmocka_unit_test(of_plonk),
                                     cmocka_unit_test(of_fflonk), cmocka_unit_test(of_products),
                                     cmocka_unit_test(of_trees)};
  return cmocka_run_group_tests(tests, begin, end);
}
