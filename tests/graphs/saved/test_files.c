/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Saved graphs: what comes back, constants in one and in two files, operations and types of one's own, files of other
 * versions, and what cannot be saved.
 */
#include "common.h"
#include "saved/format.h"
#include "seal.h"

#include <unistd.h>

static void refused(const char *path, const rp_load_options *o, rp_status status, const char *says) {
  rp_graph *g = (rp_graph *)1;
  rp_error err = {0};
  assert_int_equal(rp_graph_load(the_context, path, o, &g, &err), status);
  assert_null(g);
  if (!strstr(err.reason, says)) fail_msg("%s", err.reason);
}

static void the_whole_graph_comes_back(void **state) {
  (void)state;
  const char *path = path_of("small.rpg");
  rp_graph *g = small_graph();
  uint8_t first[64], again[64];
  rp_port_info port = {.struct_size = sizeof port};
  rp_graph_node_info n = {.struct_size = sizeof n};
  assert_int_equal(rp_graph_save(g, path, NULL, NULL), RP_OK);
  rp_graph *loaded = load_good(path, NULL);
  remove(path);
  assert_string_equal(rp_graph_name(loaded), "small");
  assert_int_equal(rp_graph_n_scopes(loaded), rp_graph_n_scopes(g));
  assert_int_equal(rp_graph_find_input(loaded, "x", &port, NULL), RP_OK);
  assert_int_equal(port.flags, RP_SECRET);
  assert_int_equal(rp_graph_get_output(loaded, 1, &port, NULL), RP_OK);
  assert_string_equal(port.name, "last");
  assert_int_equal(port.flags, RP_BINDABLE);
  assert_int_equal(port.secret, 1);
  for (uint32_t i = 0; i < rp_graph_n_nodes(g); i++) {
    rp_graph_node_info was = {.struct_size = sizeof was};
    assert_int_equal(rp_graph_get_node(g, i, &was, NULL), RP_OK);
    assert_int_equal(rp_graph_get_node(loaded, i, &n, NULL), RP_OK);
    assert_string_equal(n.name, was.name);
    assert_int_equal(n.scope, was.scope);
    assert_int_equal(n.section, was.section == 3 ? 2 : was.section); /* the second had no node */
    for (uint32_t j = 0; j < n.n_in; j++) assert_int_equal(n.in[j].id, was.in[j].id);
  }
  small_run(g, first);
  small_run(loaded, again);
  assert_memory_equal(first, again, sizeof first);
  rp_graph_destroy(g);
  rp_graph_destroy(loaded);
}

static const void *data_named(const rp_graph *g, const char *name) {
  for (uint32_t i = 0; i < rp_graph_n_values(g); i++) {
    rp_value_info v = {.struct_size = sizeof v};
    assert_int_equal(rp_graph_get_value(g, i, &v, NULL), RP_OK);
    if (v.name && !strcmp(v.name, name)) return v.data;
  }
  return NULL;
}

static void equal_constants_are_stored_once(void **state) {
  (void)state;
  rp_graph *g = small_graph();
  size_t size, bytes;
  uint8_t *file = saved_bytes_of(g, &size);
  const uint8_t *list = saved_section_of(file, size, SAVED_CONSTANTS, &bytes);
  assert_int_equal(g16_u32(list), 4); /* of five, of which two are equal */
  rp_graph *loaded;
  assert_int_equal(rp_graph_load_memory(the_context, file, size, NULL, &loaded, NULL), RP_OK);
  free(file);
  assert_non_null(data_named(loaded, "col"));
  assert_ptr_equal(data_named(loaded, "col"), data_named(loaded, "col again"));
  assert_ptr_not_equal(data_named(loaded, "col"), data_named(loaded, "row_ptr"));
  assert_int_equal((uintptr_t)data_named(loaded, "col") % 64, 0);
  assert_memory_equal(data_named(loaded, "col"), data_named(g, "col"), 16);
  rp_graph_destroy(g);
  rp_graph_destroy(loaded);
}

/* ---- Two files --------------------------------------------------------------------------------------------------- */

static const rp_save_options beside = {.struct_size = sizeof beside, .flags = RP_SAVE_BESIDE};

static void constants_may_lie_in_a_second_file(void **state) {
  (void)state;
  const char *path = path_of("two.rpg"), *data = path_of("two.rpg.data"), *moved = path_of("elsewhere");
  rp_graph *g = small_graph();
  uint8_t first[64], again[64];
  small_run(g, first);
  assert_int_equal(rp_graph_save(g, path, &beside, NULL), RP_OK);
  for (uint32_t flags = 0; flags < 4; flags++) {
    const rp_load_options o = {.struct_size = sizeof o, .flags = flags};
    rp_graph *loaded = load_good(path, &o);
    small_run(loaded, again);
    assert_memory_equal(first, again, sizeof first);
    rp_graph_destroy(loaded);
  }
  assert_int_equal(rename(data, moved), 0);
  refused(path, NULL, RP_ERR_FILE, "two.rpg.data");
  const rp_load_options there = {.struct_size = sizeof there, .flags = RP_LOAD_MAP, .data_path = moved};
  rp_graph *loaded = load_good(path, &there);
  size_t size;
  uint8_t *file = read_whole(path, &size);
  rp_graph *in_memory = NULL;
  rp_error err = {0};
  assert_int_equal(rp_graph_load_memory(the_context, file, size, NULL, &in_memory, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "data_path"));
  assert_int_equal(rp_graph_load_memory(the_context, file, size, &there, &in_memory, NULL), RP_OK);
  free(file);
  remove(moved);
  small_run(loaded, again); /* the mapping outlives the name */
  assert_memory_equal(first, again, sizeof first);
  rp_graph_destroy(in_memory);
  rp_graph_destroy(loaded);
  rp_graph_destroy(g);
}

static void the_second_file_must_be_the_graphs_own(void **state) {
  (void)state;
  const char *path = path_of("own.rpg"), *data = path_of("own.rpg.data");
  const rp_load_options unchecked = {.struct_size = sizeof unchecked, .flags = RP_LOAD_UNCHECKED};
  rp_graph *g = small_graph();
  size_t size;
  assert_int_equal(rp_graph_save(g, path, &beside, NULL), RP_OK);
  uint8_t *was = read_whole(data, &size);
  was[SAVED_DATA_ALIGN + SAVED_ALIGN] ^= 1; /* a column */
  write_whole(data, was, size);
  refused(path, NULL, RP_ERR_FORMAT, "own.rpg.data: the saved graph is damaged: the digest of a constant is wrong.");
  rp_graph *loaded = load_good(path, &unchecked);
  rp_graph_destroy(loaded);
  was[SAVED_HEADER_BYTES + 32] ^= 1; /* the digest of the list of constants */
  saved_seal(was, size);
  write_whole(data, was, size);
  refused(path, &unchecked, RP_ERR_MISMATCH, "has the constants of another graph");
  write_whole(data, was, size - 1);
  refused(path, &unchecked, RP_ERR_FORMAT, "own.rpg.data");
  write_whole(data, "no", 2);
  refused(path, &unchecked, RP_ERR_FORMAT, "own.rpg.data");
  assert_int_equal(rp_graph_save(g, data, NULL, NULL), RP_OK); /* a graph in the place of constants */
  refused(path, &unchecked, RP_ERR_FORMAT, "is no file with the constants");
  free(was);
  rp_graph_destroy(g);
}

static void a_graph_cannot_name_a_file_elsewhere(void **state) {
  (void)state;
  const char *path = path_of("aside.rpg");
  rp_graph *g = small_graph();
  size_t size, bytes;
  assert_int_equal(rp_graph_save(g, path, &beside, NULL), RP_OK);
  uint8_t *file = read_whole(path, &size);
  uint8_t *strings = saved_section_of(file, size, SAVED_STRINGS, &bytes);
  memcpy(strings + bytes - 14, "../rpg.datadat", 14); /* was aside.rpg.data, the last string */
  saved_seal(file, size);
  write_whole(path, file, size);
  refused(path, NULL, RP_ERR_FORMAT, "no plain name");
  free(file);
  rp_graph_destroy(g);
}

/* ---- Operations and types of one's own --------------------------------------------------------------------------- */

typedef struct own_params {
  uint32_t n, added;
} own_params;
static rp_status same_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}
static rp_status longer_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0] + 1;
  return RP_OK;
}
static rp_status lower_nothing(rp_lower *l) {
  (void)l;
  return RP_OK;
}
static const rp_strategy nothing = {.name = "nothing", .devices = RP_ON_ANY, .lower = lower_nothing};
static const rp_type own_type = {.id = RP_TYPE_USER + 3, .size_bytes = 4, .align_bytes = 4, .name = "own"};
static const rp_param own_list[] = {RP_PARAM(RP_PARAM_UINT, own_params, n, 1, 9),
                                    {"added", RP_PARAM_UINT, 4, 4, 2, 0, 9, 6, NULL}};
static const rp_schema own_schema = {
    .struct_size = sizeof own_schema, .params = own_list, .n_params = 1, .least_in = 1};
static const rp_schema newer_schema = {
    .struct_size = sizeof newer_schema, .version = 2, .params = own_list, .n_params = 2, .least_in = 1};
static const rp_schema latest_schema = {
    .struct_size = sizeof latest_schema, .version = 3, .oldest = 3, .params = own_list, .n_params = 2, .least_in = 1};

static rp_op own_op(const rp_schema *schema) {
  return (rp_op){.struct_size = sizeof(rp_op),
                 .name = "own op",
                 .params_bytes = sizeof(own_params),
                 .shape = same_shape,
                 .strategies = &nothing,
                 .n_strategies = 1,
                 .schema = schema};
}

static rp_graph *own_graph(const rp_op *op) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_context, "with its own", &g, NULL), RP_OK);
  const rp_value x = rp_graph_input(g, "x", &own_type, 3, 0);
  rp_graph_output(g, "y", rp_graph_node(g, op, &(own_params){5, 0}, &x, 1, NULL, 1), 0);
  assert_int_equal(rp_graph_error(g)->status, RP_OK);
  return g;
}

/* Loads with a catalog of one operation and one type. */
static rp_status load_with(const char *path, const rp_op *op, const rp_type *type, rp_graph **g, rp_error *err) {
  const rp_catalog catalog = {&op, &type, 1, 1};
  const rp_load_options o = {
      .struct_size = sizeof o, .catalogs = (const rp_catalog *const[]){&catalog}, .n_catalogs = 1};
  return rp_graph_load(the_context, path, &o, g, err);
}

static void own_operations_are_given_in_a_catalog(void **state) {
  (void)state;
  const char *path = path_of("own.rpg");
  const rp_op op = own_op(&own_schema), newer = own_op(&newer_schema), latest = own_op(&latest_schema);
  const rp_op bare = own_op(NULL);
  rp_op other = op, named = op;
  rp_type type = own_type;
  rp_graph *g = own_graph(&op), *loaded;
  rp_graph_node_info n = {.struct_size = sizeof n};
  rp_error err = {0};
  assert_int_equal(rp_graph_save(g, path, NULL, NULL), RP_OK);
  refused(path, NULL, RP_ERR_UNSUPPORTED, "needs the type 'own', which no catalog");
  other.name = "another";
  assert_int_equal(load_with(path, &other, &type, &loaded, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "needs the operation 'own op', which no catalog"));
  assert_int_equal(load_with(path, &op, &type, &loaded, &err), RP_OK);
  rp_graph_destroy(loaded);
  type.id++;
  assert_int_equal(load_with(path, &op, &type, &loaded, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "the type 'own' has id 65539 and 4 bytes in the saved graph, and id 65540"));
  type.id--, type.size_bytes = 8;
  assert_int_equal(load_with(path, &op, &type, &loaded, &err), RP_ERR_UNSUPPORTED);
  type.size_bytes = 4, type.align_bytes = 2;
  assert_int_equal(load_with(path, &op, &type, &loaded, &err), RP_ERR_UNSUPPORTED);
  named.name = "slice"; /* the name of a built-in operation */
  assert_int_equal(load_with(path, &named, &own_type, &loaded, &err), RP_ERR_UNSUPPORTED);
  rp_graph *small = small_graph();
  assert_int_equal(rp_graph_save(small, path_of("small.rpg"), NULL, NULL), RP_OK);
  assert_int_equal(load_with(path_of("small.rpg"), &named, &own_type, &loaded, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "two different operations 'slice'"));
  rp_type taken = own_type;
  taken.name = "u32"; /* the name of a built-in type */
  assert_int_equal(load_with(path_of("small.rpg"), &op, &taken, &loaded, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "two different types 'u32'"));
  rp_graph_destroy(small);
  /* A version with one more parameter, one that does not know the old one, one without a schema, another shape rule. */
  assert_int_equal(load_with(path, &newer, &own_type, &loaded, &err), RP_OK);
  assert_int_equal(rp_graph_get_node(loaded, 0, &n, NULL), RP_OK);
  assert_int_equal(((const own_params *)n.params)->n, 5);
  assert_int_equal(((const own_params *)n.params)->added, 6);
  rp_graph_destroy(loaded);
  assert_int_equal(load_with(path, &latest, &own_type, &loaded, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "'own op' has version 1, and versions 3 to 3 are known here"));
  assert_int_equal(load_with(path, &bare, &own_type, &loaded, &err), RP_ERR_UNSUPPORTED);
  other = op, other.shape = longer_shape;
  assert_int_equal(load_with(path, &other, &own_type, &loaded, &err), RP_ERR_MISMATCH);
  assert_non_null(strstr(err.reason, "own[3] in the saved graph, and own[4] here"));
  rp_graph_destroy(g);
}

static void what_cannot_be_saved_is_refused(void **state) {
  (void)state;
  const char *path = path_of("kept.rpg");
  const rp_op bare = own_op(NULL), op = own_op(&own_schema), twin = op;
  rp_graph *g = own_graph(&bare);
  rp_error err = {0};
  write_whole(path, "before", 6);
  assert_int_equal(rp_graph_save(g, path, NULL, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "node 'own op' cannot be saved: operation 'own op' declares no parameters"));
  rp_graph_destroy(g);
  g = own_graph(&op);
  const rp_value y = rp_graph_node(g, &op, &(own_params){5, 1}, &(rp_value){1, 0}, 0, NULL, 1);
  assert_int_equal(y.id, 0); /* no operands: the graph has an error now */
  assert_int_equal(rp_graph_save(g, path, NULL, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, rp_graph_error(g)->reason);
  rp_graph_destroy(g);
  g = own_graph(&op);
  rp_value x = rp_graph_input(g, "z", &own_type, 3, 0);
  x = rp_graph_node(g, &op, &(own_params){5, 1}, &x, 1, NULL, 1);
  assert_int_equal(rp_graph_save(g, path, NULL, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "byte 4 of its parameters"));
  rp_graph_destroy(g);
  g = own_graph(&op);
  x = rp_graph_input(g, "z", &own_type, 3, 0);
  rp_graph_node(g, &twin, &(own_params){5, 0}, &x, 1, NULL, 1);
  assert_int_equal(rp_graph_save(g, path, NULL, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "two different operations of the graph"));
  rp_graph_destroy(g);
  assert_int_equal(rp_graph_create(the_context, "line\nbreak", &g, NULL), RP_OK);
  assert_int_equal(rp_graph_save(g, path, NULL, &err), RP_ERR_UNSUPPORTED);
  /* There are no secret constants, so that none can be saved. */
  rp_graph_constant(g, "key", &own_type, 1, "1234", RP_SECRET);
  assert_int_equal(rp_graph_save(g, path, NULL, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "flags 0x1 are not for constants"));
  rp_graph_destroy(g);
  size_t size;
  uint8_t *kept = read_whole(path, &size);
  assert_int_equal(size, 6);
  free(kept);
  g = small_graph();
  assert_int_equal(rp_graph_save(g, path_of("no/such/folder.rpg"), NULL, &err), RP_ERR_FILE);
  assert_int_equal(rp_graph_save(g, "-", &beside, &err), RP_ERR_ARGUMENT);
  rp_graph_destroy(g);
}

/* ---- Versions ---------------------------------------------------------------------------------------------------- */

/* Adds a section to a file without constants: the table grows by as much as sections are aligned to. */
static uint8_t *with_section(const uint8_t *file, size_t size, uint32_t id, uint32_t flags, size_t *more) {
  const uint32_t n = g16_u32(file + 12);
  const size_t table = SAVED_HEADER_BYTES + (size_t)n * SAVED_ENTRY_BYTES, end = (size + 64 + 63) / 64 * 64;
  uint8_t *out = calloc(1, end + 100);
  assert_non_null(out);
  memcpy(out, file, table);
  memcpy(out + table + SAVED_ENTRY_BYTES, file + table, size - table);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *offset = out + SAVED_HEADER_BYTES + (size_t)i * SAVED_ENTRY_BYTES + 8;
    const uint64_t moved = g16_u64(offset) + SAVED_ENTRY_BYTES;
    for (int b = 0; b < 8; b++) offset[b] = (uint8_t)(moved >> 8 * b);
  }
  const uint64_t entry[3] = {(uint64_t)flags << 32 | id, end, 100};
  for (int b = 0; b < 24; b++) out[table + (size_t)b] = (uint8_t)(entry[b / 8] >> 8 * (b % 8));
  memset(out + end, 0xab, 100);
  out[12]++;
  *more = end + 100;
  saved_seal(out, *more);
  return out;
}

static void sections_of_later_versions_are_skipped_or_refused(void **state) {
  (void)state;
  const rp_op op = own_op(&own_schema);
  const char *path = path_of("later.rpg");
  rp_graph *g = own_graph(&op), *loaded;
  rp_error err = {0};
  size_t size, more;
  uint8_t *file = saved_bytes_of(g, &size);
  rp_graph_destroy(g);
  for (uint32_t id = SAVED_IDS; id < 600; id = id == SAVED_IDS ? id + 1 : id * 3) {
    uint8_t *optional = with_section(file, size, id, 0, &more);
    write_whole(path, optional, more);
    if (load_with(path, &op, &own_type, &loaded, &err)) fail_msg("%s", err.reason);
    rp_graph_destroy(loaded);
    optional[more - 1]++; /* its digest is wrong, but it is not read */
    write_whole(path, optional, more);
    assert_int_equal(load_with(path, &op, &own_type, &loaded, &err), RP_OK);
    rp_graph_destroy(loaded);
    free(optional);
    uint8_t *required = with_section(file, size, id, SAVED_REQUIRED, &more);
    required[26] = 7; /* minor version of the library that wrote it */
    saved_seal(required, more);
    write_whole(path, required, more);
    assert_int_equal(load_with(path, &op, &own_type, &loaded, &err), RP_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.reason, "is not known to this version of the library"));
    assert_non_null(strstr(err.reason, "version 0.7.0 wrote the file"));
    free(required);
  }
  file[8] = 2;
  saved_seal(file, size);
  write_whole(path, file, size);
  assert_int_equal(load_with(path, &op, &own_type, &loaded, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "has version 2 of the format of saved graphs"));
  free(file);
}

/* The file was written when the format was made. It must load as long as the format is read, and what is written now
 * must be the same but for the version of the library, and the digest that covers it. */
static void the_first_files_are_read(void **state) {
  (void)state;
  const char *kept = TEST_DATA_DIR "/saved/version_1.rpg";
  rp_graph *g = small_graph(), *loaded = load_good(kept, NULL);
  uint8_t now[64], then[64];
  size_t size, was;
  small_run(g, now);
  small_run(loaded, then);
  assert_memory_equal(now, then, sizeof now);
  uint8_t *file = saved_bytes_of(g, &size), *old = read_whole(kept, &was);
  assert_int_equal(size, was);
  assert_memory_equal(file, old, 24);
  assert_memory_equal(file + 64, old + 64, size - 64);
  free(file);
  free(old);
  rp_graph_destroy(g);
  rp_graph_destroy(loaded);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_whole_graph_comes_back),
                                     cmocka_unit_test(equal_constants_are_stored_once),
                                     cmocka_unit_test(constants_may_lie_in_a_second_file),
                                     cmocka_unit_test(the_second_file_must_be_the_graphs_own),
                                     cmocka_unit_test(a_graph_cannot_name_a_file_elsewhere),
                                     cmocka_unit_test(own_operations_are_given_in_a_catalog),
                                     cmocka_unit_test(what_cannot_be_saved_is_refused),
                                     cmocka_unit_test(sections_of_later_versions_are_skipped_or_refused),
                                     cmocka_unit_test(the_first_files_are_read)};
  return cmocka_run_group_tests_name("saved graphs", tests, common_open, common_close);
}
