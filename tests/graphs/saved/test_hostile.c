/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hostile files: cut anywhere, with any byte changed, and with right digests around wrong contents. None may be read
 * out of bounds or take more memory than its size allows; what loads can be saved, planned and run.
 */
#include "common.h"
#include "saved/format.h"
#include "seal.h"

#include <reprise/transcript.h>

static size_t live, peak;

static void *count_alloc(void *user, size_t bytes, size_t align) {
  (void)user;
  live += bytes;
  if (live > peak) peak = live;
  return aligned_alloc(align < 16 ? 16 : align, (bytes + 63) / 64 * 64);
}
static void count_free(void *user, void *memory, size_t bytes) {
  (void)user;
  if (memory) live -= bytes;
  free(memory);
}

static rp_context *counting;
static rp_device *null, *cpu;
static uint8_t *good;
static size_t good_size;
static uint32_t loaded_ones, ran_ones;
static uint32_t run_every = 8; /* of the graphs that load, one in so many is run */

/* Loads from an allocation of exactly that size, so that a sanitizer sees one byte read too many. */
static rp_status load(const uint8_t *file, size_t size, rp_graph **g) {
  const rp_load_options unchecked = {.struct_size = sizeof unchecked, .flags = RP_LOAD_UNCHECKED};
  uint8_t *exact = malloc(size ? size : 1);
  rp_error err = {0};
  memcpy(exact, file, size);
  peak = live;
  const size_t before = live;
  const rp_status status = rp_graph_load_memory(counting, exact, size, size % 2 ? &unchecked : NULL, g, &err);
  assert_true(peak - before <= (64u << 10) + 160 * size);
  free(exact);
  assert_int_equal(status, err.status);
  if (status == RP_OK) return status;
  assert_null(*g);
  assert_int_equal(live, before);
  const size_t length = strlen(err.reason);
  assert_true(length > 10 && length < sizeof err.reason - 1);
  return status;
}

/* Runs the graph on a CPU, with inputs of zeros and small numbers: it ends with a status. */
static void run_on_cpu(const rp_graph *g) {
  const rp_record_options options = {.struct_size = sizeof options, .memory_budget_bytes = 64u << 20};
  rp_recording *recording;
  rp_run *run;
  rp_error err = {0};
  const rp_status status = rp_record(cpu, g, &options, &recording, &err);
  assert_int_equal(status, err.status);
  if (status) return;
  assert_int_equal(rp_run_begin(recording, UINT64_MAX, &run, NULL), RP_OK);
  for (uint32_t i = 0; i < rp_recording_n_inputs(recording); i++) {
    rp_port_info port = {.struct_size = sizeof port};
    assert_int_equal(rp_recording_get_input(recording, i, &port, NULL), RP_OK);
    uint8_t *data = rp_run_input(run, port.value); /* NULL if it is resident: then the run is refused */
    for (uint64_t k = 0; data && k < port.size_bytes; k++) data[k] = k % 32 ? 0 : (uint8_t)(k / 32 % 3);
  }
  rp_status ended = rp_run_submit(run);
  if (ended == RP_OK) ended = rp_run_wait(run, UINT64_MAX);
  assert_int_equal(rp_run_error(run)->status, ended);
  ran_ones += ended == RP_OK;
  rp_run_end(run);
  rp_recording_destroy(recording);
}

/* What loads is a graph like any other: it can be saved, loaded again, planned or refused, and run. */
static void use(const rp_graph *g) {
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_graph *again;
  size_t size;
  uint64_t elements = 0;
  if (loaded_ones++ % 16 == 0) {
    uint8_t *file = saved_bytes_of(g, &size);
    assert_int_equal(rp_graph_load_memory(counting, file, size, NULL, &again, NULL), RP_OK);
    rp_graph_destroy(again);
    free(file);
  }
  for (uint32_t i = 0; i < rp_graph_n_values(g); i++) {
    rp_value_info v = {.struct_size = sizeof v};
    assert_int_equal(rp_graph_get_value(g, i, &v, NULL), RP_OK);
    elements += v.len;
  }
  if (elements < 100000) {
    rp_error err = {0};
    const rp_status status = rp_plan_query(null, g, NULL, &plan, &err);
    assert_int_equal(status, err.status);
    if (status == RP_OK && loaded_ones % run_every == 0) run_on_cpu(g);
  }
}

static void try_file(const uint8_t *file, size_t size) {
  rp_graph *g;
  if (load(file, size, &g)) return;
  use(g);
  rp_graph_destroy(g);
}

static void cut_files_are_refused(void **state) {
  (void)state;
  for (size_t size = 0; size < good_size; size++) {
    rp_graph *g;
    assert_int_not_equal(load(good, size, &g), RP_OK);
    if (size % 7) continue;
    uint8_t *sealed = malloc(size + 1);
    memcpy(sealed, good, size);
    saved_seal(sealed, size);
    assert_int_not_equal(load(sealed, size, &g), RP_OK);
    free(sealed);
  }
}

/* A byte that is changed is noticed, wherever it is: digests and zeros cover the file. */
static void changed_bytes_are_refused(void **state) {
  (void)state;
  rp_graph *g;
  uint8_t *file = malloc(good_size);
  memcpy(file, good, good_size);
  for (size_t at = 0; at < good_size; at++)
    for (unsigned bit = 1; bit < 256; bit *= 128) {
      file[at] ^= (uint8_t)bit;
      rp_error err = {0};
      if (rp_graph_load_memory(counting, file, good_size, NULL, &g, &err) == RP_OK) fail_msg("byte %zu", at);
      file[at] ^= (uint8_t)bit;
    }
  free(file);
}

static const uint64_t extremes[] = {0,          1,          2,          0x7f,       0xff,           0x100,
                                    0xffff,     0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX / 2, UINT64_MAX,
                                    1ull << 32, 1ull << 44};

/* Each number of the file, at each alignment, becomes an extreme one; all digests are right. */
static void extreme_numbers_do_no_harm(void **state) {
  (void)state;
  uint8_t *file = malloc(good_size);
  loaded_ones = 0;
  for (size_t at = 8; at + 8 <= good_size; at += at < 4096 ? 4 : 64)
    for (size_t e = 0; e < sizeof extremes / sizeof *extremes; e++)
      for (size_t width = 4; width <= 8; width += 4) {
        memcpy(file, good, good_size);
        for (size_t b = 0; b < width; b++) file[at + b] = (uint8_t)(extremes[e] >> 8 * b);
        saved_seal(file, good_size);
        try_file(file, good_size);
      }
  assert_true(loaded_ones > 100); /* some numbers had this value before, or may have it */
  free(file);
}

static uint64_t state_of_random = 1;
static uint64_t next_random(void) {
  state_of_random ^= state_of_random >> 12;
  state_of_random ^= state_of_random << 25;
  state_of_random ^= state_of_random >> 27;
  return state_of_random * 0x2545f4914f6cdd1du;
}

/* Bytes are changed, moved and repeated within sections, some of them several times; all digests are right. */
static void random_changes_do_no_harm(void **state) {
  (void)state;
  uint8_t *file = malloc(good_size);
  loaded_ones = ran_ones = 0, run_every = 1;
  for (int round = 0; round < 6000; round++) {
    memcpy(file, good, good_size);
    for (uint64_t steps = 1 + next_random() % 3; steps; steps--) {
      size_t size;
      uint8_t *section = saved_section_of(file, good_size, 1 + (uint32_t)(next_random() % SAVED_DATA), &size);
      if (!section || size < 24) continue;
      const size_t at = (size_t)(next_random() % (size - 8)) & ~(size_t)3;
      const size_t from = (size_t)(next_random() % (size - 8)) & ~(size_t)3;
      switch (next_random() % 4) {
      case 0: section[at] = (uint8_t)next_random(); break;
      case 1: section[at] ^= (uint8_t)(1u << next_random() % 8); break;
      case 2: memmove(section + at, section + from, 4); break;
      default: section[at]++; break;
      }
    }
    saved_seal(file, good_size);
    try_file(file, good_size);
  }
  assert_true(loaded_ones > 50 && ran_ones > 50);
  free(file);
}

/* ---- What constructors refuse ------------------------------------------------------------------------------------ */

static uint8_t *find(uint8_t *file, uint32_t section, const void *pattern, size_t bytes) {
  size_t size;
  uint8_t *at = saved_section_of(file, good_size, section, &size);
  for (size_t i = 0; at && i + bytes <= size; i++)
    if (memcmp(at + i, pattern, bytes) == 0) return at + i;
  fail_msg("the file has changed: a pattern of %zu bytes is not in section %u", bytes, section);
  return NULL;
}

static void refused(uint8_t *file, rp_status status, const char *says) {
  rp_graph *g;
  rp_error err = {0};
  saved_seal(file, good_size);
  const rp_status got = rp_graph_load_memory(counting, file, good_size, NULL, &g, &err);
  if (got != status || !strstr(err.reason, says)) fail_msg("%s: %s", rp_status_name(got), err.reason);
  memcpy(file, good, good_size);
}

/* The constant of the program becomes periodic: with constants that are not there, also where the node has their
 * number, and with periods that are no powers of two. */
static void refuse_periods(uint8_t *file, const uint8_t *code, size_t bytes) {
  static const uint8_t numbers[] = {4, 0, 0, 0, 1, 0, 0, 0, 1, 0,
                                    0, 0, 1, 0, 0, 0, 0, 0, 0, 0}; /* parameters of expr */
  static const struct {
    uint8_t mask[4], first[2], constants;
    rp_status status;
    const char *says;
  } cases[] = {
      {{1},
       {0},
       1,
       RP_ERR_ARGUMENT,
       "expr: its numbers of constants, stack slots or temporaries are not the program's"},
      {{1}, {0}, 2, RP_ERR_SHAPE, "the program uses constant 1, but there are 1"},
      {{2}, {0}, 3, RP_ERR_ARGUMENT, "expr: instruction 1: the period is no power of two"},
      {{255, 255, 255, 255}, {0}, 1, RP_ERR_ARGUMENT, "expr: instruction 1: the period is no power of two"},
      {{255, 255, 255, 127}, {1}, 1, RP_ERR_ARGUMENT, "expr: instruction 1: its constants reach beyond the last"},
      {{1}, {255, 255}, 1, RP_ERR_ARGUMENT, "expr: instruction 1: its constants reach beyond the last"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint8_t *at = find(file, SAVED_DATA, code, bytes);
    at[8] = RP_EXPR_PERIODIC;
    memcpy(at + 10, cases[i].first, 2);
    memcpy(at + 12, cases[i].mask, 4);
    find(file, SAVED_ITEMS, numbers, sizeof numbers)[8] = cases[i].constants;
    refused(file, cases[i].status, cases[i].says);
  }
}

/* Kernels rely on what constructors check and shape rules do not. */
static void what_constructors_refuse_is_refused(void **state) {
  (void)state;
  static const uint8_t windows[] = {16, 0, 0, 0, 3, 0, 0, 0, 0, 0,
                                    0,  0, 3, 0, 0, 0, 4, 0, 0, 0}; /* length and parameters of bucket_windows */
  static const uint8_t code[] = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4};
  uint8_t *file = malloc(good_size), *at;
  memcpy(file, good, good_size);
  at = find(file, SAVED_ITEMS, "poseidon_bn254\3", 15);
  at[14] = 17;
  refused(file, RP_ERR_ARGUMENT, "hash_rows: a state of 17 elements does not fit poseidon_bn254 with rows of 2");
  at = find(file, SAVED_ITEMS, "poseidon_bn254", 14);
  at[-5] = 2;
  refused(file, RP_ERR_FORMAT,
          "parameter hash is 2 with the name 'poseidon_bn254', which is 'rescue_rp64_256_winterfell'");
  at = find(file, SAVED_ITEMS, "snarkjs", 7);
  at[-13] = 0;
  refused(file, RP_ERR_ARGUMENT, "ntt: its parameter batch is 0, not 1 to");
  at = find(file, SAVED_ITEMS, "e97", 3);
  at[-13]++; /* dims.buckets */
  refused(file, RP_ERR_ARGUMENT, "bucket_matrix: the numbers of its rows do not follow from e97");
  at = find(file, SAVED_ITEMS, windows, sizeof windows);
  at[12]++;
  refused(file, RP_ERR_ARGUMENT, "bucket_windows: not a bucket matrix");
  at = find(file, SAVED_ITEMS, windows, sizeof windows);
  memcpy(at - 24, at - 20, 4); /* gives the entries as the rows */
  refused(file, RP_ERR_ARGUMENT, "bucket_windows: not a bucket matrix");
  at = find(file, SAVED_DATA, code, sizeof code);
  at[4] = 4;
  refused(file, RP_ERR_ARGUMENT, "expr: instruction 0: rotation by 4 of 4 rows");
  at = find(file, SAVED_DATA, code, sizeof code);
  at[0] = 4;
  refused(file, RP_ERR_ARGUMENT, "expr: instruction 0: the stack is empty");
  at = find(file, SAVED_DATA, code, sizeof code);
  at[10] = 1; /* constant 65536 would be one more */
  refused(file, RP_ERR_ARGUMENT, "expr: its numbers of constants, stack slots or temporaries are not the program's");
  refuse_periods(file, code, sizeof code);
  free(file);
}

/* Kernels write digests in whole words. */
static void digests_of_any_bytes_are_refused(void **state) {
  (void)state;
  static const uint8_t params[] = {20, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0}; /* bytes of a row, and of its digest */
  const rp_blake2b_options options = {.struct_size = sizeof options, .digest_bytes = 32};
  uint8_t *const other = good, *file;
  const size_t other_size = good_size;
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_context, "digests", &g, NULL), RP_OK);
  rp_graph_output(g, "y", rp_blake2b_rows(g, rp_graph_input(g, "x", &RP_TYPE_U8, 40, 0), 20, &options), 0);
  good = saved_bytes_of(g, &good_size);
  file = malloc(good_size);
  memcpy(file, good, good_size);
  find(file, SAVED_ITEMS, params, sizeof params)[8] = 30;
  refused(file, RP_ERR_ARGUMENT, "digests of 30 bytes are not a multiple of 4");
  rp_graph_destroy(g);
  free(file);
  free(good);
  good = other, good_size = other_size;
}

/* What no version writes into the header and the table, though the digest is right. */
static void headers_have_one_form(void **state) {
  (void)state;
  enum { FIRST = SAVED_HEADER_BYTES, SECOND = FIRST + SAVED_ENTRY_BYTES, MORE = 64 };
  static const char *const says[] = {"there is something in its header that no version writes",
                                     "there is something in its section table that no version writes",
                                     "a section is there twice"};
  static const struct {
    size_t at;
    uint8_t change, says;
  } cases[] = {{30, 1, 0},          {31, 128, 0},          {FIRST + 4, 2, 1}, {FIRST + 7, 128, 1},
               {SECOND + 24, 1, 1}, {SECOND + 31, 128, 1}, {SECOND, 1 ^ 2, 2}};
  uint8_t *file = calloc(1, good_size + MORE);
  rp_graph *g;
  rp_error err = {0};
  memcpy(file, good, good_size);
  assert_true(g16_u32(file + FIRST) == 1 && g16_u32(file + SECOND) == 2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    file[cases[i].at] ^= cases[i].change;
    refused(file, RP_ERR_FORMAT, says[cases[i].says]);
  }
  size_t size;
  saved_section_of(file, good_size, SAVED_CONSTANTS, &size)[4] = 1;
  refused(file, RP_ERR_FORMAT, "its list of constants does not have the length that it says");
  assert_int_equal(rp_graph_load_memory(counting, file, good_size + MORE, NULL, &g, &err), RP_ERR_FORMAT);
  assert_non_null(strstr(err.reason, "its length is not the one that it was written with"));
  saved_seal(file, good_size + MORE);
  assert_int_equal(rp_graph_load_memory(counting, file, good_size + MORE, NULL, &g, &err), RP_ERR_FORMAT);
  assert_non_null(strstr(err.reason, "something follows its sections"));
  free(file);
}

/* A section that is longer by some of the zeros behind it has something behind its list. */
static void nothing_follows_lists(void **state) {
  (void)state;
  static const struct {
    uint32_t section;
    const char *says;
  } lists[] = {{SAVED_STRINGS, "something follows its list of names"},
               {SAVED_TYPES, "a list does not have the length that it says"},
               {SAVED_OPERATIONS, "a list does not have the length that it says"},
               {SAVED_SCOPES, "its list of scopes does not have its length"}};
  uint8_t *file = malloc(good_size);
  memcpy(file, good, good_size);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (uint8_t more = 1; more <= 3; more++) {
      uint8_t *entry = file + SAVED_HEADER_BYTES;
      while (g16_u32(entry) != lists[i].section) entry += SAVED_ENTRY_BYTES;
      assert_true(entry[16] % SAVED_ALIGN + more <= SAVED_ALIGN && entry[16] % SAVED_ALIGN); /* there are such zeros */
      entry[16] += more; /* the length's lowest byte */
      refused(file, RP_ERR_FORMAT, lists[i].says);
    }
  free(file);
}

/* Kernels take two coordinates for each point. */
static void points_of_one_coordinate_are_refused(void **state) {
  (void)state;
  static const uint8_t node[] = {1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0}; /* one operand, one result; value 4 */
  uint8_t *const other = good, *file;
  const size_t other_size = good_size;
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_context, "points", &g, NULL), RP_OK);
  const rp_value x = rp_graph_input(g, "x", rp_type_affine(RP_CURVE_BN254_G1), 1, 0);
  rp_graph_input(g, "c", &RP_TYPE_U256, 3, 0);
  rp_graph_output(g, "y", rp_compress(g, x), 0);
  good = saved_bytes_of(g, &good_size);
  file = malloc(good_size);
  memcpy(file, good, good_size);
  find(file, SAVED_ITEMS, node, sizeof node)[8] = 2;
  refused(file, RP_ERR_SHAPE, "3 coordinates are not those of");
  rp_graph_destroy(g);
  free(file);
  free(good);
  good = other, good_size = other_size;
}

static int open_all(void **state) {
  const rp_context_options options = {.struct_size = sizeof options, .allocator = {NULL, count_alloc, count_free}};
  const rp_device_options device = {.struct_size = sizeof device, .kind = RP_DEVICE_NULL};
  const rp_device_options one = {.struct_size = sizeof one, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  if (common_open(state) || rp_context_create(&options, &counting, NULL) ||
      rp_device_open(counting, &device, &null, NULL) || rp_device_open(counting, &one, &cpu, NULL))
    return 1;
  rp_graph *g = small_graph();
  good = saved_bytes_of(g, &good_size);
  rp_graph_destroy(g);
  return 0;
}

static int close_all(void **state) {
  free(good);
  rp_device_close(null);
  rp_device_close(cpu);
  if (rp_context_try_destroy(counting, NULL)) return 1;
  return common_close(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cut_files_are_refused),
                                     cmocka_unit_test(changed_bytes_are_refused),
                                     cmocka_unit_test(extreme_numbers_do_no_harm),
                                     cmocka_unit_test(random_changes_do_no_harm),
                                     cmocka_unit_test(what_constructors_refuse_is_refused),
                                     cmocka_unit_test(digests_of_any_bytes_are_refused),
                                     cmocka_unit_test(headers_have_one_form),
                                     cmocka_unit_test(nothing_follows_lists),
                                     cmocka_unit_test(points_of_one_coordinate_are_refused)};
  return cmocka_run_group_tests_name("hostile saved graphs", tests, open_all, close_all);
}
