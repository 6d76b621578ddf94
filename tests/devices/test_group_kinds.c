/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A graph that goes from device to device and back, run after run with other inputs, which are secret: what a piece has
 * left on its device is there for all later pieces. The graph has few kernels, since the test is for devices of several
 * kinds, each of which compiles its own. REPRISE_TEST_GROUP names them.
 */
#include "data.h"
#include "group.h"

enum { N = 300, RUNS = 4 };

static group the_group;

static void *elements(const rp_type *type, uint64_t n, uint64_t seed) {
  rp_field field;
  assert_true(rp_type_is_field(type, &field));
  return data_field(field, DATA_EDGES, seed, n);
}

/* The value goes around the devices twice. Each device squares it and adds its own input, in the second round times the
 * square of the first round, and both must still be there. */
static rp_graph *relay(uint32_t n, uint32_t flags) {
  rp_graph *g;
  rp_value own[RP_GROUP_MOST] = {{0}}, first[RP_GROUP_MOST] = {{0}};
  assert_int_equal(rp_graph_create(the_group.context, "relay", &g, NULL), RP_OK);
  for (uint32_t d = 0; d < n; d++) {
    static const char *const names[] = {"a", "b", "c", "d"};
    rp_on(g, d);
    own[d] = rp_graph_input(g, names[d], rp_type_field(RP_FIELD_GOLDILOCKS), N, flags);
  }
  rp_value x = own[0];
  for (uint32_t step = 0; step < 2 * n; step++) {
    const uint32_t d = step % n;
    rp_on(g, d);
    x = rp_copy_to(g, x, d);
    const rp_value square = rp_mul(g, x, x);
    x = rp_add(g, square, first[d].id ? rp_mul(g, first[d], own[d]) : own[d]);
    if (!first[d].id) first[d] = square;
  }
  rp_graph_output(g, "half", rp_slice(g, x, N / 2, N / 4), 0);
  rp_graph_output(g, "out", x, 0);
  if (rp_graph_error(g)->status) fail_msg("%s", rp_graph_error(g)->reason);
  return g;
}

static rp_recording *record(rp_device *device, const rp_graph *graph) {
  const rp_record_options o = {.struct_size = sizeof o, .max_in_flight = 2};
  rp_recording *recording;
  rp_error err = {0};
  if (rp_record(device, graph, &o, &recording, &err)) fail_msg("%s", err.reason);
  return recording;
}

static void check(uint32_t flags) {
  rp_graph *g = relay(the_group.n, flags);
  rp_recording *one = record(the_group.devices[the_group.n - 1], g), *all = record(the_group.all, g);
  for (uint64_t run = 0; run < RUNS; run++) {
    uint64_t bytes[2];
    rp_error err = {0};
    uint8_t *want = group_run(one, elements, 100 * run, &bytes[0], &err),
            *got = want ? group_run(all, elements, 100 * run, &bytes[1], &err) : NULL;
    if (!got) fail_msg("%s", err.reason);
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(got, want, bytes[0]);
    free(want);
    free(got);
  }
  rp_recording_destroy(one);
  rp_recording_destroy(all);
  rp_graph_destroy(g);
}

static void values_stay_until_the_end(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 4; n++) {
    group_open(&the_group, n);
    if (the_group.n == n) {
      check(RP_SECRET);
      check(0);
    }
    group_close(&the_group);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_stay_until_the_end)};
  return cmocka_run_group_tests_name("groups of devices of several kinds", tests, NULL, NULL);
}
