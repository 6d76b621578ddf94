/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The limits of saved graphs: lengths of names and paths, nesting of scopes, what a second file may hold, what others
 * may do to a mapped file, pointers of any alignment, and memory that is bounded by the sizes of the files.
 */
#include "common.h"
#include "saved/format.h"
#include "seal.h"

#include "graphs/counted_memory.h"

#include <reprise/source.h>

#include <fcntl.h>
#include <unistd.h>

static rp_graph *new_graph(const char *name) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_context, name, &g, NULL), RP_OK);
  return g;
}

/* A name of `length` letters; valid until the fourth call after it. */
static const char *long_name(size_t length) {
  static char names[4][600];
  static unsigned turn;
  char *name = names[turn++ % 4];
  memset(name, 'A', length);
  name[length] = 0;
  return name;
}

static void add_node(rp_graph *g, const char *output) {
  const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR);
  rp_graph_output(g, output, rp_slice(g, rp_graph_input(g, output, fr, 4, 0), 1, 2), 0);
}

static void save_refused(rp_graph *g, const char *says) {
  rp_error err = {0};
  assert_int_equal(rp_graph_error(g)->status, RP_OK);
  assert_int_equal(rp_graph_save(g, path_of("refused.rpg"), NULL, &err), RP_ERR_UNSUPPORTED);
  if (!strstr(err.reason, says)) fail_msg("%s", err.reason);
  rp_graph_destroy(g);
}

/* Saves and destroys the graph, and returns the file, which loads and is saved with the same bytes again. */
static uint8_t *save_good(rp_graph *g, size_t *size) {
  size_t again_size;
  rp_graph *loaded;
  rp_error err = {0};
  uint8_t *file = saved_bytes_of(g, size);
  rp_graph_destroy(g);
  if (rp_graph_load_memory(the_context, file, *size, NULL, &loaded, &err)) fail_msg("%s", err.reason);
  uint8_t *again = saved_bytes_of(loaded, &again_size);
  rp_graph_destroy(loaded);
  assert_int_equal(again_size, *size);
  assert_memory_equal(again, file, *size);
  free(again);
  return file;
}

static void load_refused(const uint8_t *file, size_t size, rp_status status, const char *says) {
  rp_graph *g;
  rp_error err = {0};
  assert_int_equal(rp_graph_load_memory(the_context, file, size, NULL, &g, &err), status);
  if (!strstr(err.reason, says)) fail_msg("%s", err.reason);
  for (const char *at = err.reason; *at; at++) assert_in_range((unsigned char)*at, ' ', '~');
}

static uint8_t *section(uint8_t *file, size_t file_size, uint32_t id) {
  size_t size;
  uint8_t *at = saved_section_of(file, file_size, id, &size);
  assert_non_null(at);
  return at;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static void names_have_255_bytes(void **state) {
  (void)state;
  size_t size;
  rp_graph *g = new_graph(long_name(SAVED_NAME_MAX));
  add_node(g, long_name('A')); /* its length is a letter */
  uint8_t *file = save_good(g, &size), *strings = section(file, size, SAVED_STRINGS);
  assert_int_equal(g16_u32(strings + 4), SAVED_NAME_MAX);
  strings[4]++, strings[5]++; /* one more byte, the length of the next name */
  saved_seal(file, size);
  load_refused(file, size, RP_ERR_FORMAT, "one of its names is no text");
  free(file);
  save_refused(new_graph(long_name(SAVED_NAME_MAX + 1)), "has a name that is empty or too long");
  g = new_graph("names");
  add_node(g, long_name(SAVED_NAME_MAX + 1));
  save_refused(g, "has a name that is empty or too long");
}

/* Neither a graph nor a file gets control characters into a message, whether they have one byte or two. */
static void names_are_plain_text(void **state) {
  (void)state;
  static const char *const controls[] = {"\n", "\x1b[2J", "\x1f", "\x7f", "\xc2\x80", "\xc2\x9b", "\xc2\x9f"};
  for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
    size_t size;
    char name[] = "0123456789";
    rp_graph *g = new_graph(name);
    add_node(g, "x");
    uint8_t *file = save_good(g, &size);
    memcpy(section(file, size, SAVED_STRINGS) + 10, controls[i], strlen(controls[i]));
    saved_seal(file, size);
    load_refused(file, size, RP_ERR_FORMAT, "one of its names is no text");
    free(file);
    memcpy(name + 2, controls[i], strlen(controls[i]));
    save_refused(new_graph(name), "(not shown)");
  }
  size_t size;
  rp_graph *g = new_graph("\xc3\xa9t\xc3\xa9 \xe2\x80\xa6"); /* the last character has bytes like controls */
  add_node(g, "x");
  free(save_good(g, &size));
  /* The name of a number of a hash */
  g = small_graph();
  uint8_t *file = saved_bytes_of(g, &size), *items = section(file, size, SAVED_ITEMS);
  rp_graph_destroy(g);
  while (memcmp(items, "poseidon_bn254", 14) != 0) items++;
  items[3] = '\r';
  saved_seal(file, size);
  load_refused(file, size, RP_ERR_FORMAT, "parameter hash is 3 with the name '(not shown)', which is 'poseidon_bn254'");
  items[3] = '3';
  saved_seal(file, size);
  load_refused(file, size, RP_ERR_FORMAT, "parameter hash is 3 with the name 'pos3idon_bn254'");
  free(file);
}

static void a_name_is_of_one_type(void **state) {
  (void)state;
  static const rp_type one = {.id = RP_TYPE_USER + 1, .size_bytes = 4, .align_bytes = 4, .name = "twin"},
                       two = {.id = RP_TYPE_USER + 2, .size_bytes = 4, .align_bytes = 4, .name = "twin"};
  rp_graph *g = new_graph("twins");
  rp_graph_input(g, "one", &one, 1, 0);
  rp_graph_input(g, "two", &two, 1, 0);
  save_refused(g, "type 'twin' stands for two different types of the graph");
}

/* A type without a size, in the file as in the catalog. */
static void a_type_without_a_size_is_refused(void **state) {
  (void)state;
  rp_type type = {.id = RP_TYPE_USER + 1, .size_bytes = 4, .align_bytes = 4, .name = "flat"};
  const rp_catalog catalog = {.types = (const rp_type *const[]){&type}, .n_types = 1};
  const rp_load_options o = {
      .struct_size = sizeof o, .catalogs = (const rp_catalog *const[]){&catalog}, .n_catalogs = 1};
  rp_graph *g = new_graph("flat");
  rp_error err = {0};
  size_t size;
  rp_graph_constant(g, "key", &type, 1, "1234", 0);
  uint8_t *file = saved_bytes_of(g, &size);
  rp_graph_destroy(g);
  section(file, size, SAVED_TYPES)[4 + 8] = 0;
  saved_seal(file, size);
  type.size_bytes = 0;
  assert_int_equal(rp_graph_load_memory(the_context, file, size, &o, &g, &err), RP_ERR_FORMAT);
  assert_non_null(strstr(err.reason, "the contents of a constant"));
  free(file);
}

/* ---- Scopes ------------------------------------------------------------------------------------------------------ */

/* The record of scope `index`: its parent, then its name. */
static uint8_t *scope_record(uint8_t *file, size_t size, uint32_t index) {
  return section(file, size, SAVED_SCOPES) + 8 * (size_t)index;
}

static void scopes_nest_64_deep(void **state) {
  (void)state;
  size_t size;
  rp_graph *g = new_graph("deep");
  for (int i = 0; i < SAVED_DEPTH_MAX; i++) rp_scope_begin(g, "s");
  add_node(g, "x");
  for (int i = 0; i < SAVED_DEPTH_MAX; i++) rp_scope_end(g);
  rp_scope_begin(g, "aside");
  add_node(g, "y");
  uint8_t *file = save_good(g, &size);
  scope_record(file, size, SAVED_DEPTH_MAX + 1)[0] = SAVED_DEPTH_MAX; /* moves it into the deepest scope */
  saved_seal(file, size);
  load_refused(file, size, RP_ERR_FORMAT, "its scopes nest too deep");
  free(file);
  g = new_graph("deeper");
  for (int i = 0; i <= SAVED_DEPTH_MAX; i++) rp_scope_begin(g, "s");
  assert_int_equal(rp_graph_error(g)->status, RP_ERR_ARGUMENT);
  rp_graph_destroy(g);
}

static void paths_have_511_bytes(void **state) {
  (void)state;
  size_t size;
  rp_graph *g = new_graph("long");
  rp_scope_begin(g, long_name(SAVED_NAME_MAX));
  rp_scope_begin(g, long_name(SAVED_NAME_MAX)); /* 511 with the slash */
  add_node(g, "x");
  rp_scope_end(g);
  rp_scope_end(g);
  rp_scope_begin(g, "s");
  add_node(g, "y");
  uint8_t *file = save_good(g, &size);
  scope_record(file, size, 3)[0] = 2;
  saved_seal(file, size);
  load_refused(file, size, RP_ERR_FORMAT, "the path of a scope is too long");
  free(file);
  g = new_graph("longer");
  rp_scope_begin(g, long_name(SAVED_NAME_MAX));
  rp_scope_begin(g, long_name(SAVED_NAME_MAX - 1));
  rp_scope_begin(g, "s"); /* one more, with its slash: 512 */
  add_node(g, "x");
  save_refused(g, "has a path of more than 511 bytes");
}

/* The parts between rp_recompute_begin and rp_recompute_end are numbered in the order of the nodes. */
static void parts_are_in_order(void **state) {
  (void)state;
  static const uint8_t ntt[24] = {3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  size_t size;
  rp_graph *g = small_graph();
  uint8_t *file = saved_bytes_of(g, &size), *at = section(file, size, SAVED_ITEMS);
  rp_graph_destroy(g);
  while (memcmp(at, ntt, sizeof ntt) != 0) at++;
  for (uint8_t part = 2; part < 4; part++) {
    at[12] = part;
    saved_seal(file, size);
    load_refused(file, size, RP_ERR_FORMAT, "its parts that are computed again are not in order");
  }
  at[12] = 0;
  saved_seal(file, size);
  load_refused(file, size, RP_ERR_FORMAT, "its parts that are computed again are not in order"); /* 2 without 1 */
  free(file);
}

/* ---- Where the bytes lie ----------------------------------------------------------------------------------------- */

static void memory_may_be_anywhere(void **state) {
  (void)state;
  uint8_t was[64], now[64];
  size_t size;
  rp_graph *g = small_graph(), *loaded;
  uint8_t *file = saved_bytes_of(g, &size), *room = malloc(size + 16);
  small_run(g, was);
  for (size_t shift = 0; shift < 16; shift++) {
    memcpy(room + shift, file, size);
    assert_int_equal(rp_graph_load_memory(the_context, room + shift, size, NULL, &loaded, NULL), RP_OK);
    memset(room, 0xff, size + 16); /* it is not used any more */
    small_run(loaded, now);
    assert_memory_equal(now, was, sizeof was);
    rp_graph_destroy(loaded);
  }
  free(room);
  free(file);
  rp_graph_destroy(g);
}

static const rp_save_options beside = {.struct_size = sizeof beside, .flags = RP_SAVE_BESIDE};

/* Adds the list of constants as a section before the contents, and changes nothing else in the second file. */
static void a_second_file_has_contents_alone(void **state) {
  (void)state;
  const char *path = path_of("alone.rpg"), *data = path_of("alone.rpg.data");
  rp_graph *g = small_graph();
  rp_error err = {0};
  size_t size, data_size, bytes;
  assert_int_equal(rp_graph_save(g, path, &beside, NULL), RP_OK);
  rp_graph_destroy(g);
  uint8_t *graph = read_whole(path, &size), *file = read_whole(data, &data_size), *entry = file + SAVED_HEADER_BYTES;
  const uint8_t *list = saved_section_of(graph, size, SAVED_CONSTANTS, &bytes);
  memcpy(entry + SAVED_ENTRY_BYTES, entry, SAVED_ENTRY_BYTES);
  memset(entry, 0, SAVED_ENTRY_BYTES);
  entry[0] = SAVED_CONSTANTS, entry[4] = SAVED_REQUIRED, entry[8] = 192, entry[16] = (uint8_t)bytes;
  memcpy(file + 192, list, bytes);
  file[12] = 2;
  saved_seal(file, data_size);
  write_whole(data, file, data_size);
  assert_int_equal(rp_graph_load(the_context, path, NULL, &g, &err), RP_ERR_FORMAT);
  assert_non_null(strstr(err.reason, "it has more than the contents of constants"));
  free(graph);
  free(file);
}

static const uint8_t *data_of(const rp_graph *g, const char *name) {
  for (uint32_t i = 0; i < rp_graph_n_values(g); i++) {
    rp_value_info v = {.struct_size = sizeof v};
    assert_int_equal(rp_graph_get_value(g, i, &v, NULL), RP_OK);
    if (v.name && !strcmp(v.name, name)) return v.data;
  }
  return NULL;
}

/* Kernels rely on a program that was checked: what is written to the mapped file later must not reach it. */
static void a_mapped_program_stays(void **state) {
  (void)state;
  const char *path = path_of("mapped.rpg"), *data = path_of("mapped.rpg.data");
  const rp_load_options map = {.struct_size = sizeof map, .flags = RP_LOAD_MAP};
  rp_graph *g = small_graph();
  size_t size;
  assert_int_equal(rp_graph_save(g, path, &beside, NULL), RP_OK);
  rp_graph *loaded = load_good(path, &map);
  assert_ptr_equal(data_of(loaded, "col"), data_of(loaded, "col again")); /* one copy for both */
  uint8_t *file = read_whole(data, &size);
  memset(file + SAVED_DATA_ALIGN, 0xff, size - SAVED_DATA_ALIGN);
  const int in_place = open(data, O_WRONLY);
  assert_int_equal(pwrite(in_place, file, size, 0), (ssize_t)size);
  close(in_place);
  free(file);
  assert_memory_equal(data_of(loaded, "expr.code"), data_of(g, "expr.code"), 32);
  assert_memory_equal(data_of(loaded, "row_ptr"), data_of(g, "row_ptr"), 20);
  assert_int_equal(data_of(loaded, "two")[0], 0xff); /* not copied */
  rp_graph_destroy(loaded);
  rp_graph_destroy(g);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

typedef struct loading {
  const uint8_t *file;
  size_t size;
  const char *path; /* if it is not NULL, this file is mapped */
} loading;

static void load_and_drop(void *arg) {
  const loading *l = arg;
  const rp_load_options map = {.struct_size = sizeof map, .flags = RP_LOAD_MAP | RP_LOAD_UNCHECKED};
  rp_graph *g = NULL;
  const rp_status status = l->path ? rp_graph_load(the_context, l->path, &map, &g, NULL)
                                   : rp_graph_load_memory(the_context, l->file, l->size, NULL, &g, NULL);
  if (status == RP_OK) rp_graph_destroy(g);
}

/* Counts all memory, that of the C library and that of the context. */
static void memory_is_bounded_by_the_file(void **state) {
  (void)state;
  enum { MIB = 1 << 20, USED = 96 << 10 };
  size_t size;
  rp_graph *g = small_graph();
  uint8_t *file = saved_bytes_of(g, &size);
  rp_graph_destroy(g);
  assert_in_range(cost_of(load_and_drop, &(loading){file, size, NULL}).peak, 1, USED + 20 * size);
  free(file);
  g = new_graph("large");
  uint32_t *numbers = calloc(4, MIB);
  for (uint32_t i = 0; i < MIB; i++) numbers[i] = i;
  rp_graph_constant(g, "too long for a program", &RP_TYPE_U32, MIB, numbers, RP_BORROW);
  for (int i = 0; i < 50; i++) /* the same contents, which are copied once */
    rp_graph_constant(g, "program", &RP_TYPE_U32, 2 * RP_EXPR_MAX_CODE, numbers, RP_BORROW);
  const char *path = path_of("large.rpg");
  assert_int_equal(rp_graph_save(g, path, &beside, NULL), RP_OK);
  file = saved_bytes_of(g, &size);
  assert_in_range(size, 4 * MIB, 5 * MIB);
  assert_in_range(cost_of(load_and_drop, &(loading){file, size, NULL}).peak, 1, USED + 5 * MIB);
  assert_in_range(cost_of(load_and_drop, &(loading){NULL, 0, path}).peak, 1, USED + MIB);
  free(file);
  free(numbers);
  rp_graph_destroy(g);
}

static rp_status read_nothing(void *user, uint64_t offset, uint64_t bytes, void *to, rp_error *err) {
  (void)user, (void)offset, (void)err;
  memset(to, 0, bytes);
  return RP_OK;
}

/* A file has the contents of constants, and those of a source may be larger than memory. */
static void a_source_is_refused(void **state) {
  (void)state;
  const rp_constant_source source = {.struct_size = sizeof source, .read = read_nothing};
  rp_graph *g = new_graph("source");
  add_node(g, "out");
  (void)rp_graph_constant_from(g, "key", rp_type_field(RP_FIELD_BN254_FR), 4, &source);
  save_refused(g, "Constant key is read from a source, and cannot be saved.");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_have_255_bytes),
                                     cmocka_unit_test(names_are_plain_text),
                                     cmocka_unit_test(a_name_is_of_one_type),
                                     cmocka_unit_test(a_type_without_a_size_is_refused),
                                     cmocka_unit_test(scopes_nest_64_deep),
                                     cmocka_unit_test(paths_have_511_bytes),
                                     cmocka_unit_test(parts_are_in_order),
                                     cmocka_unit_test(memory_may_be_anywhere),
                                     cmocka_unit_test(a_second_file_has_contents_alone),
                                     cmocka_unit_test(a_mapped_program_stays),
                                     cmocka_unit_test(memory_is_bounded_by_the_file),
                                     cmocka_unit_test(a_source_is_refused)};
  return cmocka_run_group_tests_name("limits of saved graphs", tests, common_open, common_close);
}
