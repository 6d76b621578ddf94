/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every operation of every_op.h on a group of devices: its graph is spread over one to four of them at random, so that
 * every value goes from device to device somewhere, and each run gives, bit for bit, what one device gives.
 */
#include "data.h"
#include "every_op.h"
#include "group.h"
#include "points_data.h"

#include <reprise/save.h>
#include <reprise/subgraph.h>
#include <reprise/transcript.h>

enum { LEN = 37, RUNS = 2 };

static group the_group;

/* Returns valid elements of any type: indices and lengths that no matrix refuses, and scalars below every order. */
static void *elements(const rp_type *type, uint64_t n, uint64_t seed) {
  rp_field field;
  rp_curve curve;
  if (rp_type_is_field(type, &field)) return data_field_nonzero(field, DATA_EDGES, seed, n);
  uint8_t *bytes = calloc(n, type->size_bytes);
  assert_non_null(bytes);
  const int affine = rp_type_is_affine(type, &curve);
  if (affine || rp_type_is_accumulator(type, &curve)) {
    int64_t *multiples = calloc(n + 1, sizeof *multiples);
    uint8_t *points = data_points(curve, POINT_DISTINCT, n, multiples);
    const rp_curve_host *c = rp_curve_get(curve);
    for (uint64_t i = 0; i < n; i++)
      if (affine)
        memcpy(bytes + i * type->size_bytes, points + i * type->size_bytes, type->size_bytes);
      else
        c->acc_from_affine(bytes + i * type->size_bytes, points + i * (type->size_bytes / 2));
    free(points);
    free(multiples);
  } else if (type->id == RP_TYPE_U256.id || type->id == RP_TYPE_U64.id) {
    for (uint64_t i = 0; i < n; i++) bytes[i * type->size_bytes] = (uint8_t)(data_next(&seed) % 79);
  }
  return bytes;
}

static rp_recording *record(rp_device *device, const rp_graph *graph) {
  rp_recording *recording;
  rp_error err = {0};
  if (rp_record(device, graph, NULL, &recording, &err)) fail_msg("%s: %s", rp_graph_name(graph), err.reason);
  return recording;
}

/* The end of a list of entries is not defined; what is computed from the entries is compared by other operations. */
static int is_defined(const char *name) {
  return strcmp(name, "bucket_matrix") && strcmp(name, "bucket_filter") && strcmp(name, "eisenstein_matrix");
}

/* Both give the same bits or fail in the same way, in each run. */
static void compare(rp_recording *one, rp_recording *many, const char *name) {
  for (uint64_t run = 0; run < RUNS; run++) {
    uint64_t bytes_a = 0, bytes_b = 0;
    rp_error why_a = {0}, why_b = {0};
    uint8_t *a = group_run(one, elements, 17 + 100 * run, &bytes_a, &why_a);
    uint8_t *b = group_run(many, elements, 17 + 100 * run, &bytes_b, &why_b);
    if (why_a.status != why_b.status) fail_msg("%s: %s, and on a group: %s", name, why_a.reason, why_b.reason);
    assert_int_equal(bytes_a, bytes_b);
    if (bytes_a && is_defined(name) && memcmp(a, b, bytes_a) != 0) fail_msg("%s: run %u differs", name, (unsigned)run);
    free(a);
    free(b);
  }
}

static void check(const every_op *op, int id, uint64_t seed) {
  every_op_case c = {.n = LEN};
  assert_int_equal(rp_graph_create(the_group.context, op->name, &c.g, NULL), RP_OK);
  const rp_value out = every_op_build(op, id, &c);
  if (out.id || rp_graph_error(c.g)->status) {
    rp_graph_output(c.g, "out", out, 0);
    rp_graph *wide = group_spread(c.g, the_group.n, seed);
    rp_recording *one = record(the_group.devices[0], c.g), *many = record(the_group.all, wide);
    compare(one, many, op->name);
    rp_recording_destroy(one);
    rp_recording_destroy(many);
    rp_graph_destroy(wide);
  }
  rp_graph_destroy(c.g);
}

static void every_operation(void **state) {
  (void)state;
  const int quick = getenv("REPRISE_TEST_QUICK") != NULL;
  for (uint32_t n = 1; n <= 4; n++) {
    group_open(&the_group, n);
    for (size_t i = 0; i < every_op_count() && the_group.n == n; i++) {
      const int ids = every_op_ids(every_op_get(i));
      for (int id = 0; id < ids; id++) {
        const int left_out = ids > 1 && (uint64_t)id % 5 != i % 5; /* each over some fields or curves */
        if (!left_out || (!quick && n == 4)) check(every_op_get(i), id, 1000 * i + 10 * (uint64_t)id + n);
      }
    }
    group_close(&the_group);
  }
}

/* Files do not say where values are. */
static void graphs_are_not_saved(void **state) {
  (void)state;
  rp_graph *g;
  rp_error err = {0};
  group_open(&the_group, 1);
  assert_int_equal(rp_graph_create(the_group.context, "spread", &g, NULL), RP_OK);
  const rp_value x = rp_graph_input(g, "x", &RP_TYPE_U32, 8, 0);
  rp_graph_output(g, "out", rp_copy_to(g, x, 1), 0);
  assert_int_equal(rp_graph_save(g, "/dev/null", NULL, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "several devices"));
  rp_graph_destroy(g);
  group_close(&the_group);
}

/* A group computes both branches, and takes the results of the one that is chosen. */
static void branches(void **state) {
  (void)state;
  rp_graph *g, *bodies[2];
  group_open(&the_group, 2);
  assert_int_equal(rp_graph_create(the_group.context, "branches", &g, NULL), RP_OK);
  for (int b = 0; b < 2; b++) {
    assert_int_equal(rp_graph_create(the_group.context, "body", &bodies[b], NULL), RP_OK);
    const rp_value x = rp_graph_input(bodies[b], "x", rp_type_field(RP_FIELD_GOLDILOCKS), LEN, 0);
    rp_graph_output(bodies[b], "y", b ? rp_neg(bodies[b], x) : rp_prefix_product(bodies[b], x, 0), 0);
  }
  const rp_call_port in = {"x", rp_graph_input(g, "x", rp_type_field(RP_FIELD_GOLDILOCKS), LEN, 0)};
  const rp_value numbers = rp_graph_input(g, "numbers", &RP_TYPE_U64, 2, 0);
  for (int i = 0; i < 2; i++) { /* the lowest bits of small numbers */
    rp_call_port out = {"y", RP_NO_VALUE};
    const rp_value bit = rp_low_bits(g, rp_slice(g, numbers, (uint64_t)i, 1), 1);
    assert_int_equal(rp_if(g, "branch", bit, bodies[0], bodies[1], &in, 1, &out, 1), 1);
    rp_graph_output(g, i ? "b" : "a", rp_add(g, out.value, in.value), 0);
  }
  rp_recording *one = record(the_group.devices[0], g), *many = record(the_group.all, g);
  compare(one, many, "branches");
  rp_recording_destroy(one), rp_recording_destroy(many);
  rp_graph_destroy(g), rp_graph_destroy(bodies[0]), rp_graph_destroy(bodies[1]);
  group_close(&the_group);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation), cmocka_unit_test(graphs_are_not_saved),
                                     cmocka_unit_test(branches)};
  return cmocka_run_group_tests_name("operations on groups of devices", tests, NULL, NULL);
}
