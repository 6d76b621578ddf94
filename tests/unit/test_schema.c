/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What an operation declares about its parameters: how they are encoded, what is refused when a node is made, and which
 * fields older versions lack. Also a graph as it was built, by index, with the data that it keeps for its caller.
 */
#include "toy_ops.h"

#include "schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct mixed {
  uint64_t wide;
  int16_t turn;
  uint8_t small;
  uint32_t colour; /* after a byte of padding */
  double scale;
  uint8_t raw[3];
} mixed;

static const char *colour_name(uint32_t id) {
  static const char *const names[] = {NULL, "red", "green"};
  return id < 3 ? names[id] : NULL;
}

static rp_status no_seven(const rp_draft *d) {
  const mixed *p = d->params;
  if (p->wide != 7) return RP_OK;
  return rp_fail(d->err, RP_ERR_SHAPE, "seven for %u operands", d->n_in);
}

static const rp_param mixed_params[] = {
    RP_PARAM(RP_PARAM_UINT, mixed, wide, 1, 1ull << 40), RP_PARAM(RP_PARAM_INT, mixed, turn, (uint64_t)-300, 5),
    RP_PARAM(RP_PARAM_UINT, mixed, small, 0, 255),       RP_PARAM_NAMED(mixed, colour, 1, 2, colour_name),
    RP_PARAM(RP_PARAM_FLOAT, mixed, scale, 0, 0),        RP_PARAM(RP_PARAM_BYTES, mixed, raw, 0, 0)};
static const rp_schema mixed_schema = {.struct_size = sizeof mixed_schema,
                                       .params = mixed_params,
                                       .n_params = sizeof mixed_params / sizeof *mixed_params,
                                       .least_in = 1,
                                       .most_in = 2,
                                       .check = no_seven};

static rp_status like_input(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}
static rp_status lower_nothing(rp_lower *l) {
  (void)l;
  return RP_OK;
}
static const rp_strategy nothing = {.name = "nothing", .devices = RP_ON_ANY, .lower = lower_nothing};

static rp_op op_with(const rp_schema *schema) {
  return (rp_op){.struct_size = sizeof(rp_op),
                 .name = "mixed",
                 .params_bytes = sizeof(mixed),
                 .shape = like_input,
                 .strategies = &nothing,
                 .n_strategies = 1,
                 .schema = schema};
}

static mixed good(void) {
  mixed p;
  memset(&p, 0, sizeof p);
  p.wide = 0x0102030405, p.turn = -300, p.small = 200, p.colour = 2, p.scale = -0.5;
  memcpy(p.raw, "abc", 3);
  return p;
}

static const uint8_t good_bytes[] = {5,   4,   3,   2,   1,   0, 0, 0, 0xd4, 0xfe, 200, 2,    0,    0,   0,   5,
                                     'g', 'r', 'e', 'e', 'n', 0, 0, 0, 0,    0,    0,   0xe0, 0xbf, 'a', 'b', 'c'};

static void fields_are_encoded_one_by_one(void **state) {
  (void)state;
  const rp_op op = op_with(&mixed_schema);
  const mixed p = good();
  uint8_t bytes[64];
  mixed back;
  size_t size;
  assert_int_equal(rp_op_version(&op), 1);
  assert_int_equal(rp_params_encode(&op, &p, bytes, sizeof bytes, &size, NULL), RP_OK);
  assert_int_equal(size, sizeof good_bytes);
  assert_memory_equal(bytes, good_bytes, size);
  memset(&back, 0xee, sizeof back);
  assert_int_equal(rp_params_decode(&op, 1, bytes, size, &back, NULL), RP_OK);
  assert_memory_equal(&back, &p, sizeof p); /* padding too */
  assert_int_equal(rp_params_encode(&op, &p, NULL, 0, &size, NULL), RP_ERR_BUFFER_TOO_SMALL);
  assert_int_equal(size, sizeof good_bytes);
  for (size_t room = 0; room < sizeof good_bytes; room++) {
    memset(bytes, 0x55, sizeof bytes);
    assert_int_equal(rp_params_encode(&op, &p, bytes, room, &size, NULL), RP_ERR_BUFFER_TOO_SMALL);
    assert_int_equal(bytes[room], 0x55);
  }
}

static void wrong_bytes_are_refused(void **state) {
  (void)state;
  const rp_op op = op_with(&mixed_schema);
  uint8_t bytes[64] = {0};
  mixed back;
  rp_error err = {0};
  memcpy(bytes, good_bytes, sizeof good_bytes);
  for (size_t n = 0; n < sizeof good_bytes; n++) {
    assert_int_equal(rp_params_decode(&op, 1, bytes, n, &back, &err), RP_ERR_FORMAT);
    assert_non_null(strstr(err.reason, "cut short"));
  }
  assert_int_equal(rp_params_decode(&op, 1, bytes, sizeof good_bytes + 1, &back, &err), RP_ERR_FORMAT);
  assert_non_null(strstr(err.reason, "1 bytes follow"));
  bytes[16] = 'G';
  assert_int_equal(rp_params_decode(&op, 1, bytes, sizeof good_bytes, &back, &err), RP_ERR_FORMAT);
  assert_non_null(strstr(err.reason, "parameter colour is 2 with the name 'Green', which is 'green' here"));
  bytes[16] = 'g', bytes[11] = 9;
  assert_int_equal(rp_params_decode(&op, 1, bytes, sizeof good_bytes, &back, &err), RP_ERR_FORMAT);
  assert_non_null(strstr(err.reason, "(none)"));
  assert_int_equal(rp_params_decode(&op, 2, good_bytes, sizeof good_bytes, &back, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "a newer library is needed"));
}

static void what_no_field_covers_must_be_zero(void **state) {
  (void)state;
  const rp_op op = op_with(&mixed_schema), bare = op_with(NULL);
  mixed p = good();
  uint8_t bytes[64];
  size_t size;
  rp_error err = {0};
  ((uint8_t *)&p)[offsetof(mixed, small) + 1] = 1; /* padding */
  assert_int_equal(rp_params_encode(&op, &p, bytes, sizeof bytes, &size, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "byte 11 of its parameters"));
  assert_int_equal(rp_params_encode(&bare, &p, bytes, sizeof bytes, &size, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "operation 'mixed' declares no parameters"));
  assert_int_equal(rp_params_decode(&bare, 0, bytes, 0, &p, &err), RP_ERR_UNSUPPORTED);
  assert_int_equal(rp_op_version(&bare), 0);
}

/* Version 3 of the operation has two more fields than version 2, and reads both. */
static void older_versions_lack_fields(void **state) {
  (void)state;
  rp_param params[sizeof mixed_params / sizeof *mixed_params];
  rp_schema schema = mixed_schema;
  memcpy(params, mixed_params, sizeof params);
  schema.version = 3, schema.oldest = 2, schema.params = params;
  params[1].since = 3, params[1].absent = (uint64_t)-7;
  params[5].since = 3;
  const rp_op op = op_with(&schema);
  uint8_t old[64];
  mixed back, expected = good();
  rp_error err = {0};
  memcpy(old, good_bytes, 8);
  memcpy(old + 8, good_bytes + 10, 19);
  expected.turn = -7;
  memset(expected.raw, 0, 3);
  assert_int_equal(rp_params_decode(&op, 2, old, 27, &back, &err), RP_OK);
  assert_memory_equal(&back, &expected, sizeof back);
  assert_int_equal(rp_params_decode(&op, 3, good_bytes, sizeof good_bytes, &back, &err), RP_OK);
  assert_int_equal(back.turn, -300);
  assert_int_equal(rp_params_decode(&op, 1, old, 27, &back, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(
      strstr(err.reason, "has version 1, and versions 2 to 3 are known here: build and save the graph again"));
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

static rp_context *context;

static rp_status make(const rp_op *op, const mixed *p, uint32_t n_in, uint32_t n_out, char *reason) {
  rp_graph *g;
  rp_value out[2];
  assert_int_equal(rp_graph_create(context, "g", &g, NULL), RP_OK);
  const rp_value x = rp_graph_input(g, "x", &toy_u64, 4, 0), in[] = {x, x, x};
  rp_graph_node(g, op, p, in, n_in, out, n_out);
  const rp_error err = *rp_graph_error(g);
  memcpy(reason, err.reason, sizeof err.reason);
  rp_graph_destroy(g);
  return err.status;
}

static void nodes_are_checked_when_they_are_made(void **state) {
  (void)state;
  static const struct {
    uint64_t wide;
    int16_t turn;
    uint32_t colour, n_in, n_out;
    rp_status status;
    const char *says;
  } cases[] = {
      {1, 5, 1, 1, 1, RP_OK, ""},
      {1ull << 40, -300, 2, 2, 1, RP_OK, ""},
      {0, 0, 1, 1, 1, RP_ERR_ARGUMENT, "mixed: its parameter wide is 0, not 1 to 1099511627776"},
      {(1ull << 40) + 1, 0, 1, 1, 1, RP_ERR_ARGUMENT, "wide is 1099511627777"},
      {1, 6, 1, 1, 1, RP_ERR_ARGUMENT, "turn is 6, not -300 to 5"},
      {1, -301, 1, 1, 1, RP_ERR_ARGUMENT, "turn is -301"},
      {1, 0, 0, 1, 1, RP_ERR_ARGUMENT, "colour is 0, not 1 to 2"},
      {1, 0, 3, 1, 1, RP_ERR_ARGUMENT, "colour is 3"},
      {1, 0, 1, 0, 1, RP_ERR_ARGUMENT, "it has 0 operands, not 1 to 2"},
      {1, 0, 1, 3, 1, RP_ERR_ARGUMENT, "it has 3 operands"},
      {1, 0, 1, 1, 2, RP_ERR_ARGUMENT, "it has 2 results, not 1 to 1"},
      {7, 0, 1, 2, 1, RP_ERR_SHAPE, "mixed: seven for 2 operands"},
  };
  const rp_op op = op_with(&mixed_schema);
  char reason[sizeof((rp_error *)0)->reason];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mixed p = good();
    p.wide = cases[i].wide, p.turn = cases[i].turn, p.colour = cases[i].colour;
    assert_int_equal(make(&op, &p, cases[i].n_in, cases[i].n_out, reason), cases[i].status);
    if (!strstr(reason, cases[i].says)) fail_msg("case %zu: %s", i, reason);
  }
}

static void schemas_that_make_no_sense_are_refused(void **state) {
  (void)state;
  char reason[sizeof((rp_error *)0)->reason];
  const mixed p = good();
  for (int i = 0; i < 7; i++) {
    rp_param params[sizeof mixed_params / sizeof *mixed_params];
    rp_schema schema = mixed_schema;
    memcpy(params, mixed_params, sizeof params);
    schema.params = params;
    switch (i) {
    case 0: params[2].offset = sizeof(mixed); break;
    case 1: params[0].bytes = 3; break;
    case 2: params[5].bytes = UINT32_MAX; break;
    case 3: params[3].id_name = NULL; break;
    case 4: schema.struct_size = 0; break;
    case 5: schema.oldest = 2; break;
    default: params[1].since = 2; break;
    }
    const rp_op op = op_with(&schema);
    uint8_t bytes[64];
    size_t size;
    assert_int_equal(make(&op, &p, 1, 1, reason), RP_ERR_ARGUMENT);
    assert_non_null(strstr(reason, "its schema"));
    assert_int_equal(rp_params_encode(&op, &p, bytes, sizeof bytes, &size, NULL), RP_ERR_ARGUMENT);
    assert_int_equal(rp_params_decode(&op, 1, good_bytes, sizeof good_bytes, bytes, NULL), RP_ERR_ARGUMENT);
  }
}

/* ---- A graph as it was built ------------------------------------------------------------------------------------- */

static void a_graph_is_read_by_index(void **state) {
  (void)state;
  static const uint64_t four[4] = {1, 2, 3, 4};
  rp_graph *g;
  rp_error err = {0};
  assert_int_equal(rp_graph_create(context, "walked", &g, NULL), RP_OK);
  const rp_value x = rp_graph_input(g, "x", &toy_u64, 4, RP_SECRET);
  const rp_value c = rp_graph_constant(g, "c", &toy_u64, 4, four, RP_BORROW);
  rp_scope_begin(g, "outer");
  rp_scope_begin(g, "inner");
  rp_recompute_begin(g);
  const rp_value sum = toy_add(g, x, c);
  rp_recompute_end(g);
  rp_scope_end(g);
  rp_scope_end(g);
  rp_graph_output(g, "sum", sum, RP_BINDABLE);
  rp_value_info v = {.struct_size = sizeof v};
  rp_graph_node_info n = {.struct_size = sizeof n};
  rp_scope_info s = {.struct_size = sizeof s};
  assert_string_equal(rp_graph_name(g), "walked");
  assert_int_equal(rp_graph_n_values(g), 3);
  assert_int_equal(rp_graph_n_nodes(g), 1);
  assert_int_equal(rp_graph_n_scopes(g), 3);
  assert_int_equal(rp_graph_get_value(g, 0, &v, NULL), RP_OK);
  assert_string_equal(v.name, "x");
  assert_int_equal(v.flags, RP_SECRET);
  assert_int_equal(v.storage, RP_STORAGE_INPUT);
  assert_int_equal(v.node, UINT32_MAX);
  assert_null(v.data);
  assert_int_equal(rp_graph_get_value(g, 1, &v, NULL), RP_OK);
  assert_ptr_equal(v.data, four);
  assert_int_equal(v.storage, RP_STORAGE_CONSTANT);
  assert_int_equal(v.value.id, c.id);
  assert_int_equal(rp_graph_get_value(g, 2, &v, NULL), RP_OK);
  assert_int_equal(v.node, 0);
  assert_string_equal(v.output, "sum");
  assert_int_equal(v.output_flags, RP_BINDABLE);
  assert_null(v.name);
  assert_int_equal(rp_graph_get_node(g, 0, &n, NULL), RP_OK);
  assert_string_equal(n.name, "outer/inner/toy_add");
  assert_int_equal(n.scope, 2);
  assert_int_equal(n.section, 1);
  assert_int_equal(n.in[1].id, c.id);
  assert_int_equal(n.out[0].id, sum.id);
  assert_int_equal(rp_graph_get_scope(g, 2, &s, NULL), RP_OK);
  assert_int_equal(s.parent, 1);
  assert_string_equal(s.name, "inner");
  assert_string_equal(s.path, "outer/inner");
  assert_int_equal(rp_graph_get_scope(g, 0, &s, NULL), RP_OK);
  assert_string_equal(s.name, "");
  assert_int_equal(rp_graph_get_value(g, 3, &v, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, "walked has 3 values, and none with index 3");
  assert_int_equal(rp_graph_get_node(g, 1, &n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_graph_get_scope(g, 3, &s, NULL), RP_ERR_ARGUMENT);
  n.struct_size = 0;
  assert_int_equal(rp_graph_get_node(g, 0, &n, NULL), RP_ERR_ARGUMENT);
  rp_graph_destroy(g);
}

static int released;
static void count_release(void *object) { released += *(int *)object; }

static void a_graph_keeps_things_as_long_as_its_recordings(void **state) {
  (void)state;
  const rp_device_options null = {.struct_size = sizeof null, .kind = RP_DEVICE_NULL};
  static int one = 1, ten = 10;
  rp_device *device;
  rp_recording *recording;
  rp_graph *g;
  released = 0;
  assert_int_equal(rp_device_open(context, &null, &device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "kept", &g, NULL), RP_OK);
  assert_int_equal(rp_graph_keep(g, &one, count_release, NULL), RP_OK);
  assert_int_equal(rp_graph_keep(g, &ten, count_release, NULL), RP_OK);
  assert_int_equal(rp_graph_keep(g, NULL, count_release, NULL), RP_ERR_ARGUMENT);
  rp_graph_output(g, "out", toy_scale(g, rp_graph_input(g, "x", &toy_u64, 4, 0), 3), 0);
  assert_int_equal(rp_record(device, g, NULL, &recording, NULL), RP_OK);
  rp_graph_destroy(g);
  assert_int_equal(released, 0);
  rp_recording_destroy(recording);
  assert_int_equal(released, 11);
  rp_device_close(device);
}

static int open_context(void **state) {
  (void)state;
  return rp_context_create(NULL, &context, NULL);
}
static int close_context(void **state) {
  (void)state;
  return rp_context_try_destroy(context, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields_are_encoded_one_by_one),
                                     cmocka_unit_test(wrong_bytes_are_refused),
                                     cmocka_unit_test(what_no_field_covers_must_be_zero),
                                     cmocka_unit_test(older_versions_lack_fields),
                                     cmocka_unit_test(nodes_are_checked_when_they_are_made),
                                     cmocka_unit_test(schemas_that_make_no_sense_are_refused),
                                     cmocka_unit_test(a_graph_is_read_by_index),
                                     cmocka_unit_test(a_graph_keeps_things_as_long_as_its_recordings)};
  return cmocka_run_group_tests_name("schema", tests, open_context, close_context);
}
