/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * rp_lower_constant_parts: a constant is filled part by part, each into its place on the device, also across
 * allocations: a short one in order, or at once in memory that the host can see, a long one by several threads. A null
 * device stands for one that the host cannot see into.
 */
#include "watch.h"

#include <stdio.h>

enum { MIB = 1 << 20, MOST = 4 * MIB, LONG = 8 * MIB, PIECE = 2 * MIB, BLOCK = 64 << 10 };

/* ---- An operation with a constant -------------------------------------------------------------------------------- */

static uint64_t length, fails_at = UINT64_MAX;
static _Atomic uint64_t filled, calls;
static bool is_computed; /* the result is the constant; else it is one element that nobody looks at */

static bool is_long(void) { return length * 8 >= LONG; }

static rp_status fill(const void *user, void *dst, uint64_t first, uint64_t len) {
  uint64_t *out = dst;
  assert_int_equal(*(const int *)user, 7);
  if (!is_long()) assert_int_equal(first, filled);
  assert_true(len && len <= length - first);
  filled += len;
  calls++;
  if (first <= fails_at && fails_at - first < len) return RP_ERR_INTERNAL;
  for (uint64_t i = 0; i < len; i++) out[i] = 3 * (first + i) + 1;
  return RP_OK;
}

static rp_status fill_otherwise(const void *user, void *dst, uint64_t first, uint64_t len) {
  return fill(user, dst, first, len);
}
static rp_fill_part_fn filler = fill;

static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = is_computed ? length : 1;
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const int seven = 7;
  const rp_value table = rp_lower_constant_parts(l, "table", &toy_u64, length, filler, &seven, sizeof seven);
  const rp_value out = rp_lower_out(l, 0);
  const uint64_t segment = rp_lower_segment_len(l, table);
  const toy_copy_args args = {0};
  for (uint64_t at = 0; at < length; at += segment) {
    const uint64_t n = length - at < segment ? length - at : segment;
    const rp_bind binds[2] = {{out, RP_WRITE, is_computed ? at : 0, is_computed ? n : 1}, {table, RP_READ, at, n}};
    rp_lower_dispatch(l, &(rp_dispatch){.kernel = &toy_copy,
                                        .groups = {(uint32_t)n},
                                        .binds = binds,
                                        .n_binds = 2,
                                        .args = &args,
                                        .args_bytes = sizeof args});
  }
  return RP_OK;
}
static const rp_strategy strategy = {.name = "only", .devices = RP_ON_ANY, .lower = lower};
static const rp_op op_table = {
    .struct_size = sizeof(rp_op), .name = "table", .shape = shape, .strategies = &strategy, .n_strategies = 1};

static rp_value begin(uint64_t len, rp_value *in) {
  length = len;
  filled = calls = 0;
  *in = rp_graph_input(the_watch.graph, "in", &toy_u64, 1, 0);
  const rp_value out = rp_graph_node(the_watch.graph, &op_table, NULL, in, 1, NULL, 1);
  rp_graph_output(the_watch.graph, "out", out, 0);
  return out;
}

/* ---- A device whose memory is not seen by the host --------------------------------------------------------------- */

enum { WRITES = 16, SEGMENTS = 8 };
static uint64_t written, begins[WRITES], ends[WRITES]; /* elements; where the calls put them */
static uint32_t n_writes;
static uint64_t segments[SEGMENTS]; /* where each begins; 0: not known */
static pthread_mutex_t lock;

static uint64_t allocation; /* the longest that the device makes */

/* The largest power of two that fits an allocation, unless all of it does. */
static uint64_t segment_bytes(void) { return length * 8 <= allocation ? length * 8 : allocation / 3 * 2; }

static rp_status open_small(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                            rp_error *err) {
  const rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->limits.max_allocation_bytes = allocation;
  return status;
}

static rp_status write_memory(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                              rp_error *err) {
  const uint64_t *in = data, at = memory->address + offset, first = (in[0] - 1) / 3;
  (void)state, (void)err;
  pthread_mutex_lock(&lock);
  assert_true(bytes <= MOST && bytes % 8 == 0 && offset + bytes <= memory->bytes && n_writes < WRITES);
  for (uint32_t i = 0; i < n_writes; i++) assert_true(at + bytes <= begins[i] || at >= ends[i]);
  begins[n_writes] = at;
  ends[n_writes++] = at + bytes;
  if (!is_long()) assert_int_equal(first, written);
  for (uint64_t i = 0; i < bytes / 8; i++)
    if (in[i] != 3 * (first + i) + 1) fail_msg("element %llu", (unsigned long long)(first + i));
  uint64_t *segment = &segments[first * 8 / segment_bytes()];
  if (!*segment) *segment = at - first * 8 % segment_bytes();
  assert_int_equal(at, *segment + first * 8 % segment_bytes());
  written += bytes / 8;
  pthread_mutex_unlock(&lock);
  return RP_OK;
}

static const uint64_t lengths[] = {1,
                                   1000,
                                   3 * MIB / 8,
                                   3 * MIB / 8 + 1,
                                   4 * MIB / 8,
                                   4 * MIB / 8 + 1,
                                   6 * MIB / 8,
                                   6 * MIB / 8 + 1,
                                   LONG / 8 - 1,
                                   LONG / 8,
                                   12 * MIB / 8 + 5};

/* The calls for a value with segments of 4 MiB, or of 2 MiB, unless it fits one allocation of half as much again. */
static uint64_t parts_of(uint64_t bytes) {
  const uint64_t part = bytes <= allocation || allocation / 3 * 2 > MOST ? MOST : allocation / 3 * 2;
  return is_long() ? (bytes + BLOCK - 1) / BLOCK : (bytes + part - 1) / part;
}

static void begin_writing(void) {
  pthread_mutex_init(&lock, NULL); /* a test that failed may have left it locked */
  written = n_writes = 0;
  memset(segments, 0, sizeof segments);
}

static void in_parts(void **state) {
  rp_backend table = rp_backend_null;
  (void)state;
  table.open = open_small;
  table.memory_write = write_memory;
  for (allocation = 3 * MIB; allocation <= 6 * MIB; allocation *= 2)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      rp_value in;
      watch_open_context();
      assert_int_equal(watch_open_device(&table, 0, NULL), RP_OK);
      (void)begin(lengths[i], &in);
      begin_writing();
      rp_recording_destroy(watch_record(1, 0));
      assert_int_equal(filled, length);
      assert_int_equal(written, length);
      assert_int_equal(calls, parts_of(length * 8));
      watch_close();
    }
}

static void a_part_that_fails(void **state) {
  rp_backend table = rp_backend_null;
  (void)state;
  table.open = open_small;
  table.memory_write = write_memory;
  allocation = 6 * MIB;
  for (int part = 0; part < 2; part++) {
    rp_recording *r = NULL;
    rp_error err = {0};
    rp_value in;
    watch_open_context();
    assert_int_equal(watch_open_device(&table, 0, NULL), RP_OK);
    (void)begin((2 * MOST - 8) / 8, &in);
    begin_writing();
    fails_at = (uint64_t)part * MOST / 8 + 9;
    assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &r, &err), RP_ERR_INTERNAL);
    assert_non_null(strstr(err.reason, "constant 'table' could not be made"));
    assert_null(r);
    assert_int_equal(calls, part + 1);
    assert_int_equal(written, (uint64_t)part * MOST / 8);
    fails_at = UINT64_MAX;
    watch_close();
  }
}

/* The reason is that of the first piece that fails. */
static void a_piece_that_fails(void **state) {
  rp_backend table = rp_backend_null;
  (void)state;
  table.open = open_small;
  table.memory_write = write_memory;
  allocation = 24 * MIB;
  for (int piece = 0; piece < 6; piece++) {
    rp_recording *r = NULL;
    rp_error err = {0};
    rp_value in;
    watch_open_context();
    assert_int_equal(watch_open_device(&table, 0, NULL), RP_OK);
    (void)begin(12 * MIB / 8, &in);
    begin_writing();
    fails_at = (uint64_t)piece * PIECE / 8 + 9;
    assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &r, &err), RP_ERR_INTERNAL);
    assert_non_null(strstr(err.reason, "constant 'table' could not be made"));
    assert_null(r);
    assert_true(written >= (uint64_t)piece * PIECE / 8 && written < length);
    fails_at = UINT64_MAX;
    watch_close();
  }
}

static void at_once(void **state) {
  (void)state;
  is_computed = 1;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const uint64_t nothing = 0;
    rp_value in;
    watch_open(&rp_backend_cpu, 0);
    const rp_value out = begin(lengths[i], &in);
    rp_recording *r = watch_record(1, 0);
    assert_int_equal(calls, is_long() ? parts_of(length * 8) : 1);
    rp_run *run = watch_run(r, in, &nothing, sizeof nothing, RP_OK);
    const uint64_t *got = rp_run_output(run, out);
    for (uint64_t k = 0; k < length; k++) assert_int_equal(got[k], 3 * k + 1);
    rp_run_end(run);
    rp_recording_destroy(r);
    watch_close();
  }
}

/* Recordings share a constant if the same function has filled it. */
static void shared_by_function(void **state) {
  rp_recording *recordings[3];
  rp_value in;
  (void)state;
  is_computed = 1;
  watch_open(&rp_backend_cpu, 0);
  (void)begin(1000, &in);
  for (int i = 0; i < 3; i++) {
    filled = calls = 0;
    filler = i == 2 ? fill_otherwise : fill;
    recordings[i] = watch_record(1, 0);
    assert_int_equal(calls, i != 1);
  }
  for (int i = 0; i < 3; i++) rp_recording_destroy(recordings[i]);
  filler = fill;
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_parts), cmocka_unit_test(a_part_that_fails),
                                     cmocka_unit_test(a_piece_that_fails), cmocka_unit_test(at_once),
                                     cmocka_unit_test(shared_by_function)};
  return cmocka_run_group_tests_name("constant parts", tests, NULL, NULL);
}
