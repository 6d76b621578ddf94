/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * NULL arguments of the functions for lowering: the node fails with a status and its name if there is a lowering that
 * can fail, and otherwise nothing happens.
 */
#include "toy_ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

static int which;
static const rp_kernel nameless = {.struct_size = sizeof(rp_kernel), .args_bytes = 8, .n_binds = 1};

static rp_status fill(const void *user, void *dst, uint64_t len) {
  (void)user;
  memset(dst, 0, len * 8);
  return RP_OK;
}

static rp_status fill_part(const void *user, void *dst, uint64_t first, uint64_t len) {
  (void)first;
  return fill(user, dst, len);
}

enum { MISTAKES = 13, QUESTIONS };

/* The lowering functions answer for values that exist and for others, before a mistake and after it. */
static void ask(rp_lower *l) {
  const rp_value in = rp_lower_in(l, 0), foreign = {in.id, in.graph + 1};
  assert_int_equal(rp_lower_n_in(l) + rp_lower_n_out(l), 2);
  assert_ptr_equal(rp_lower_type(l, in), &toy_u64);
  assert_int_equal(rp_lower_len(l, in), 4);
  assert_int_not_equal(rp_lower_error(l).id, 0);
  assert_int_equal(rp_lower_in(l, 1).id + rp_lower_out(l, 1).id, 0);
  assert_null(rp_lower_type(l, foreign));
  assert_int_equal(rp_lower_len(l, foreign) + rp_lower_segment_len(l, RP_NO_VALUE), 0);
  assert_null(rp_lower_constant_data(l, in));
}

/* Makes one mistake, selected by `which`, in otherwise correct calls. */
static rp_status lower(rp_lower *l) {
  switch (which) {
  case 0: rp_lower_dispatch(l, NULL); break;
  case 1: rp_lower_dispatch(l, &(rp_dispatch){.label = "no kernel"}); break;
  case 2: rp_lower_dispatch(l, &(rp_dispatch){.kernel = &nameless, .n_binds = 1, .args_bytes = 8}); break;
  case 3: rp_lower_scratch(l, NULL, &toy_u64, 4); break;
  case 4: rp_lower_scratch(l, "scratch", NULL, 4); break;
  case 5: rp_lower_constant(l, NULL, &toy_u64, 4, fill, NULL, 0); break;
  case 6: rp_lower_constant(l, "key", NULL, 4, fill, NULL, 0); break;
  case 7: rp_lower_constant(l, "key", &toy_u64, 4, NULL, NULL, 0); break;
  case 8: rp_lower_constant(l, "key", &toy_u64, 4, fill, NULL, 8); break;
  case 9: return rp_lower_fail(l, RP_ERR_SHAPE, NULL);
  case 10: rp_lower_constant_parts(l, NULL, &toy_u64, 4, fill_part, NULL, 0); break;
  case 11: rp_lower_constant_parts(l, "key", NULL, 4, fill_part, NULL, 0); break;
  case 12: rp_lower_constant_parts(l, "key", &toy_u64, 4, NULL, NULL, 0); break;
  case QUESTIONS:
    ask(l);
    (void)rp_lower_fail(l, RP_ERR_UNSUPPORTED, "asked");
    ask(l);
    assert_int_equal(rp_lower_scratch(l, "scratch", &toy_u64, 4).id, 0);
    break;
  default: break;
  }
  return RP_OK;
}
static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}
static const rp_strategy strategies[] = {{"any", RP_ON_ANY, NULL, lower}};
static const rp_op op = {
    .struct_size = sizeof op, .name = "mistaken", .shape = shape, .strategies = strategies, .n_strategies = 1};

static void a_mistake_is_a_status(void **state) {
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  (void)state;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open(context, &cpu, &device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "null", &graph, NULL), RP_OK);
  const rp_value in = rp_graph_input(graph, "in", &toy_u64, 4, 0);
  rp_graph_output(graph, "out", rp_graph_node(graph, &op, NULL, &in, 1, NULL, 1), 0);
  for (which = 0; which < MISTAKES; which++) {
    rp_recording *recording = NULL;
    rp_error err = {0};
    const rp_status status = rp_record(device, graph, NULL, &recording, &err);
    if (status != RP_ERR_ARGUMENT && status != RP_ERR_SHAPE)
      fail_msg("mistake %d: %s: %s", which, rp_status_name(status), err.reason);
    assert_int_equal(err.status, status);
    assert_non_null(strstr(err.reason, "mistaken"));
    assert_null(recording);
  }
  which = QUESTIONS; /* no question makes the lowering fail */
  rp_recording *recording = NULL;
  rp_error err = {0};
  assert_int_equal(rp_record(device, graph, NULL, &recording, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "asked"));
  rp_graph_destroy(graph);
  rp_device_close(device);
  rp_context_destroy(context);
}

static void no_lowering_is_harmless(void **state) {
  const rp_value v = {1, 1};
  const rp_dispatch dispatch = {0};
  (void)state;
  assert_null(rp_lower_params(NULL));
  assert_int_equal(rp_lower_n_in(NULL) + rp_lower_n_out(NULL), 0);
  assert_int_equal(rp_lower_in(NULL, 0).id + rp_lower_out(NULL, 0).id, 0);
  assert_null(rp_lower_type(NULL, v));
  assert_int_equal(rp_lower_len(NULL, v) + rp_lower_segment_len(NULL, v), 0);
  assert_int_equal(rp_lower_is_constant(NULL, v), 0);
  assert_null(rp_lower_constant_data(NULL, v));
  rp_lower_set_note(NULL, 1);
  assert_int_equal(rp_lower_note(NULL), 0);
  assert_int_equal(rp_lower_device(NULL), RP_DEVICE_AUTO);
  assert_null(rp_lower_limits(NULL));
  assert_int_equal(rp_lower_memory_level(NULL) + rp_lower_site(NULL), 0);
  assert_int_equal(rp_lower_error(NULL).id, 0);
  assert_int_equal(rp_lower_scratch(NULL, "s", &toy_u64, 4).id, 0);
  assert_int_equal(rp_lower_constant(NULL, "c", &toy_u64, 4, fill, NULL, 0).id, 0);
  assert_int_equal(rp_lower_constant_parts(NULL, "c", &toy_u64, 4, fill_part, NULL, 0).id, 0);
  rp_lower_dispatch(NULL, &dispatch);
  rp_lower_dispatch(NULL, NULL);
  assert_int_equal(rp_lower_fail(NULL, RP_ERR_SHAPE, "no lowering"), RP_ERR_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_mistake_is_a_status),
                                     cmocka_unit_test(no_lowering_is_harmless)};
  return cmocka_run_group_tests_name("lowering null", tests, NULL, NULL);
}
