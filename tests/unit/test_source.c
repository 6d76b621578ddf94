/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constants on their way to a device whose memory the host cannot access, for which a null device with memory stands:
 * long ones, and those that a source gives (reprise/source.h), go through staging in pieces, filled by several threads.
 */
#include "watch.h"

#include <reprise/call.h>
#include <reprise/op.h>
#include <reprise/source.h>

#include <stdio.h>
#include <time.h>

enum { MIB = 1 << 20, PIECE = 2 * MIB, LONG = 8 * MIB, MOST_PIECES = 64 };

/* ---- The device -------------------------------------------------------------------------------------------------- */

static struct {
  rp_backend table;
  uint64_t allocation;                 /* the longest that it makes */
  _Atomic uint32_t sends, writes;      /* of the memory of constants */
  uint32_t fail_send_at;               /* 1: the first; 0: none fails */
  uint32_t refuse_staging, n_refusals; /* so many blocks of staging for pieces are refused */
} hidden;

static rp_status hidden_open(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                             rp_error *err) {
  const rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->limits.max_allocation_bytes = hidden.allocation;
  return status;
}

static rp_status hidden_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  (void)state;
  if (kind == RP_MEMORY_STAGING_UP && bytes >= PIECE && hidden.n_refusals < hidden.refuse_staging) {
    hidden.n_refusals++;
    return rp_fail(err, RP_ERR_DEVICE_MEMORY, "refused");
  }
  void *own = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  assert_non_null(own);
  memset(own, 0xee, bytes);
  *memory = (rp_memory){.native = own, .bytes = bytes};
  if (kind == RP_MEMORY_DEVICE)
    memory->address = (uint64_t)(uintptr_t)own;
  else
    memory->host = own;
  return RP_OK;
}

static void hidden_free(void *state, rp_memory *memory) {
  (void)state;
  free(memory->native);
}

static rp_status hidden_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                              rp_error *err) {
  (void)state, (void)err;
  assert_true(offset + bytes <= memory->bytes);
  memcpy((char *)memory->native + offset, data, bytes);
  hidden.writes++;
  return RP_OK;
}

static rp_status hidden_send(void *state, rp_memory *memory, uint64_t offset, const rp_memory *staging,
                             uint64_t staging_offset, uint64_t bytes, rp_error *err) {
  (void)state;
  assert_true(offset + bytes <= memory->bytes && staging_offset + bytes <= staging->bytes);
  if (++hidden.sends == hidden.fail_send_at) return rp_fail(err, RP_ERR_INTERNAL, "the link is broken");
  memcpy((char *)memory->native + offset, (const char *)staging->host + staging_offset, bytes);
  return RP_OK;
}

static rp_status hidden_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                             rp_error *err) {
  (void)state, (void)err;
  memcpy(data, (const char *)memory->native + offset, bytes);
  return RP_OK;
}

static const rp_backend *hidden_device(uint64_t allocation) {
  memset(&hidden, 0, sizeof hidden);
  hidden.allocation = allocation;
  hidden.table = rp_backend_null;
  hidden.table.open = hidden_open;
  hidden.table.memory_alloc = hidden_alloc;
  hidden.table.memory_free = hidden_free;
  hidden.table.memory_write = hidden_write;
  hidden.table.memory_send = hidden_send;
  hidden.table.memory_read = hidden_read;
  return &hidden.table;
}

/* ---- The source -------------------------------------------------------------------------------------------------- */

typedef struct numbers { /* element i is i * factor + 1 */
  uint64_t factor, len;
  uint64_t unit; /* bytes of an element; of a long one only the first 8 count */
  uint64_t fail_from, fail_to;
  _Atomic uint32_t calls, inside, most_inside;
  _Atomic unsigned char asked[MOST_PIECES]; /* ranges, by their beginning in pieces */
  bool together;                            /* waits until two threads are here */
  bool silent;                              /* fails without a reason */
  bool slow;                                /* takes a while, except for the range that fails */
} numbers;

static void wait_for_another(numbers *n) {
  for (int i = 0; n->together && i < 2000 && n->most_inside < 2; i++) nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static rp_status read_numbers(void *user, uint64_t offset, uint64_t bytes, void *to, rp_error *err) {
  numbers *n = user;
  const uint32_t inside = ++n->inside;
  if (inside > n->most_inside) n->most_inside = inside;
  wait_for_another(n);
  assert_true(offset % n->unit == 0 && bytes % n->unit == 0 && bytes && offset + bytes <= n->len * n->unit);
  assert_true(bytes <= PIECE || bytes == n->unit);
  if (offset / PIECE < MOST_PIECES && n->unit == 8) n->asked[offset / PIECE]++;
  n->calls++;
  for (uint64_t at = 0; at < bytes; at += n->unit) {
    const uint64_t element = (offset + at) / n->unit * n->factor + 1;
    memcpy((char *)to + at, &element, sizeof element);
  }
  n->inside--;
  const bool good = n->fail_from >= n->fail_to || offset + bytes <= n->fail_from || offset >= n->fail_to;
  if (n->slow && good) nanosleep(&(struct timespec){0, 20000000}, NULL);
  if (good) return RP_OK;
  if (n->silent) return RP_ERR_FILE;
  return rp_fail(err, RP_ERR_FORMAT, "point %llu is not on its curve", (unsigned long long)offset);
}

static rp_status read_otherwise(void *user, uint64_t offset, uint64_t bytes, void *to, rp_error *err) {
  return read_numbers(user, offset, bytes, to, err);
}

static rp_constant_source source_of(numbers *n) {
  return (rp_constant_source){.struct_size = sizeof(rp_constant_source), .read = read_numbers, .user = n};
}

/* ---- The graph --------------------------------------------------------------------------------------------------- */

/* An operation that reads its operand, segment by segment, so that the operand has memory, and gives one number. */
static rp_status shape(const rp_shape *l) {
  l->out_type[0] = &toy_u64;
  l->out_len[0] = 1;
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const rp_value in = rp_lower_in(l, 1), out = rp_lower_out(l, 0);
  const uint64_t len = rp_lower_len(l, in), segment = rp_lower_segment_len(l, in);
  const toy_copy_args args = {0};
  for (uint64_t at = 0; at < len; at += segment) {
    const rp_bind binds[2] = {{out, RP_WRITE, 0, 1}, {in, RP_READ, at, len - at < segment ? len - at : segment}};
    rp_lower_dispatch(l, &(rp_dispatch){.kernel = &toy_copy,
                                        .groups = {1},
                                        .binds = binds,
                                        .n_binds = 2,
                                        .args = &args,
                                        .args_bytes = sizeof args});
  }
  return RP_OK;
}
static const rp_strategy strategy = {.name = "only", .devices = RP_ON_ANY, .lower = lower};
static const rp_op op_look = {
    .struct_size = sizeof(rp_op), .name = "look", .shape = shape, .strategies = &strategy, .n_strategies = 1};

/* Runs read the constant: beside an input, or it would be done once. */
static void use(rp_graph *g, rp_value constant) {
  char name[24];
  snprintf(name, sizeof name, "out%u", constant.id);
  const rp_value in[2] = {rp_graph_input(g, name, &toy_u64, 1, 0), constant};
  rp_graph_output(g, name, rp_graph_node(g, &op_look, NULL, in, 2, NULL, 1), 0);
}

static rp_value from_source(numbers *n) {
  const rp_constant_source s = source_of(n);
  const rp_value constant = rp_graph_constant_from(the_watch.graph, "key", &toy_u64, n->len, &s);
  use(the_watch.graph, constant);
  return constant;
}

static void expect_numbers(rp_recording *r, rp_value constant, uint64_t len, uint64_t factor) {
  uint64_t *got = malloc(len * 8);
  rp_error err = {0};
  assert_non_null(got);
  if (rp_recording_read_constant(r, constant, got, len * 8, &err) != RP_OK) fail_msg("%s", err.reason);
  for (uint64_t i = 0; i < len; i++)
    if (got[i] != i * factor + 1) fail_msg("element %llu of %llu", (unsigned long long)i, (unsigned long long)len);
  free(got);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static const uint64_t lengths[] = {1,        1000,         PIECE / 8 - 1,   PIECE / 8, PIECE / 8 + 1, LONG / 8 - 1,
                                   LONG / 8, LONG / 8 + 1, 17 * MIB / 8 + 3};

/* Also across allocations, and into memory that the host can access. */
static void a_source_is_read_once(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      numbers n = {.factor = 3, .len = lengths[i], .unit = 8};
      watch_open(k == 2 ? &rp_backend_cpu : hidden_device(k ? 3 * MIB : 1u << 30), 0);
      const rp_value constant = from_source(&n);
      rp_recording *r = watch_record(1, 0);
      expect_numbers(r, constant, n.len, 3);
      assert_int_equal(n.calls, (n.len * 8 + PIECE - 1) / PIECE);
      for (uint64_t p = 0; p < n.calls; p++) assert_int_equal(n.asked[p], 1);
      if (k < 2) assert_true(hidden.sends == n.calls && hidden.writes == 0);
      rp_recording_destroy(r);
      watch_close();
    }
}

/* In the one block of that size. */
static void expect_on_device(const void *data, uint64_t bytes) {
  int found = 0;
  for (uint32_t m = 0; m < the_watch.n_memories; m++) {
    const rp_memory *memory = &the_watch.memories[m];
    found += memory->address && memory->bytes == bytes && memcmp(memory->native, data, bytes) == 0;
  }
  assert_int_equal(found, 1);
}

static void long_data_goes_through_staging(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    uint64_t *data = malloc(lengths[i] * 8);
    assert_non_null(data);
    for (uint64_t e = 0; e < lengths[i]; e++) data[e] = e * 5 + 1;
    watch_open(hidden_device(1u << 30), 0);
    const rp_value constant = rp_graph_constant(the_watch.graph, "key", &toy_u64, lengths[i], data, RP_BORROW);
    use(the_watch.graph, constant);
    rp_recording *r = watch_record(1, 0);
    assert_int_equal(hidden.sends, lengths[i] * 8 < LONG ? 0 : (lengths[i] * 8 + PIECE - 1) / PIECE);
    assert_int_equal(hidden.writes, lengths[i] * 8 < LONG);
    assert_true(the_watch.staging_bytes < 1024); /* that of the runs */
    expect_on_device(data, lengths[i] * 8);
    rp_recording_destroy(r);
    watch_close();
    free(data);
  }
}

static void two_threads_read_at_once(void **state) {
  (void)state;
  numbers n = {.factor = 7, .len = LONG / 8, .unit = 8, .together = 1};
  watch_open(hidden_device(1u << 30), 0);
  const rp_value constant = from_source(&n);
  rp_recording *r = watch_record(1, 0);
  assert_true(n.most_inside >= 2);
  expect_numbers(r, constant, n.len, 7);
  rp_recording_destroy(r);
  watch_close();
}

/* An element is never cut, however long it is. */
static void elements_longer_than_a_piece(void **state) {
  (void)state;
  static const rp_type vast = {.id = RP_TYPE_USER + 9, .size_bytes = 3 * MIB, .align_bytes = 8, .name = "vast"};
  numbers n = {.factor = 3, .len = 5, .unit = 3 * MIB};
  const rp_constant_source s = source_of(&n);
  char *got = malloc(5 * 3 * MIB);
  assert_non_null(got);
  watch_open(hidden_device(1u << 30), 0);
  numbers small = {.factor = 3, .len = 4 * PIECE / 8, .unit = 8};
  const rp_value other = from_source(&small);
  const rp_value constant = rp_graph_constant_from(the_watch.graph, "vast", &vast, 5, &s);
  use(the_watch.graph, constant);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(n.calls, 5);
  assert_int_equal(rp_recording_read_constant(r, constant, got, 5 * 3 * MIB, NULL), RP_OK);
  for (uint64_t i = 0; i < 5; i++) assert_true(*(const uint64_t *)(const void *)(got + i * 3 * MIB) == 3 * i + 1);
  expect_numbers(r, other, small.len, 3);
  rp_recording_destroy(r);
  watch_close();
  free(got);
}

/* Sources read at the beginnings of elements, whose size need not divide a piece. */
static void pieces_are_whole_elements(void **state) {
  (void)state;
  static const rp_type odd = {.id = RP_TYPE_USER + 9, .size_bytes = 96, .align_bytes = 8, .name = "odd"};
  enum { N = 2 * PIECE / 96 + 5 };
  numbers n = {.factor = 3, .len = N, .unit = 96};
  const rp_constant_source s = source_of(&n);
  char *got = malloc((size_t)N * 96);
  assert_non_null(got);
  for (int k = 0; k < 2; k++) {
    watch_open(k ? &rp_backend_cpu : hidden_device(1u << 30), 0);
    const rp_value constant = rp_graph_constant_from(the_watch.graph, "odd", &odd, N, &s);
    use(the_watch.graph, constant);
    n.calls = 0;
    rp_recording *r = watch_record(1, 0);
    assert_int_equal(n.calls, 3);
    assert_int_equal(rp_recording_read_constant(r, constant, got, (uint64_t)N * 96, NULL), RP_OK);
    for (uint64_t i = 0; i < N; i++) assert_true(*(const uint64_t *)(const void *)(got + i * 96) == 3 * i + 1);
    rp_recording_destroy(r);
    watch_close();
  }
  free(got);
}

static rp_status try_record(rp_error *err) {
  rp_recording *r = NULL;
  const rp_status status = rp_record(the_watch.device, the_watch.graph, NULL, &r, err);
  assert_true((status == RP_OK) == (r != NULL));
  rp_recording_destroy(r);
  return status;
}

/* The reason is that of the first range, and the device is as before. */
static void a_read_that_fails(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++)
    for (uint64_t at = 0; at < 8; at++) {
      numbers n = {.factor = 3, .len = 8 * PIECE / 8, .unit = 8, .fail_from = at * PIECE + 8, .fail_to = 8 * PIECE};
      char want[64];
      rp_error err = {0};
      watch_open(k ? &rp_backend_cpu : hidden_device(1u << 30), 0);
      (void)from_source(&n);
      assert_int_equal(try_record(&err), RP_ERR_FORMAT);
      snprintf(want, sizeof want, "point %llu is not on its curve", (unsigned long long)(at * PIECE));
      assert_string_equal(err.reason, want);
      assert_true(the_watch.device_bytes == 0 && the_watch.staging_bytes == 0);
      n.silent = 1;
      assert_int_equal(try_record(&err), RP_ERR_FILE);
      assert_non_null(strstr(err.reason, "'key' could not be read"));
      n.fail_to = 0;
      assert_int_equal(try_record(&err), RP_OK);
      watch_close();
    }
}

/* When a read has failed, threads finish their pieces and take no more. */
static void nothing_is_read_after_a_failure(void **state) {
  (void)state;
  enum { PIECES = 3 * 16 };
  numbers n = {.factor = 3, .len = (uint64_t)PIECES * PIECE / 8, .unit = 8, .fail_to = 8, .slow = 1};
  rp_error err = {0};
  watch_open(&rp_backend_cpu, 0);
  (void)from_source(&n);
  assert_int_equal(try_record(&err), RP_ERR_FORMAT);
  assert_true(n.calls <= 2 * 16); /* at most one each of 16 threads, and those that had begun the next */
  watch_close();
}

static void a_copy_that_fails(void **state) {
  (void)state;
  for (uint32_t at = 1; at <= 4; at++) {
    numbers n = {.factor = 3, .len = LONG / 8, .unit = 8};
    rp_error err = {0};
    watch_open(hidden_device(1u << 30), 0);
    hidden.fail_send_at = at;
    (void)from_source(&n);
    assert_int_equal(try_record(&err), RP_ERR_INTERNAL);
    assert_string_equal(err.reason, "the link is broken");
    assert_true(the_watch.device_bytes == 0 && the_watch.staging_bytes == 0);
    assert_int_equal(try_record(&err), RP_OK);
    watch_close();
  }
}

/* Less staging, then ordinary memory; without any of it, an error. */
static void memory_that_is_refused(void **state) {
  (void)state;
  for (uint32_t refused = 0; refused < 8; refused++) {
    numbers n = {.factor = 3, .len = LONG / 8, .unit = 8};
    watch_open(hidden_device(1u << 30), 0);
    const rp_value constant = from_source(&n);
    hidden.refuse_staging = refused;
    rp_recording *r = watch_record(1, 0);
    expect_numbers(r, constant, n.len, 3);
    assert_int_equal(hidden.sends + hidden.writes, 4);
    if (refused == 0) assert_int_equal(hidden.sends, 4);
    if (refused == 7) assert_int_equal(hidden.writes, 4);
    rp_recording_destroy(r);
    watch_close();
  }
  for (uint64_t pieces = 0; pieces < 2; pieces++) {
    numbers n = {.factor = 3, .len = LONG / 8, .unit = 8};
    rp_error err = {0};
    watch_open(hidden_device(1u << 30), 0);
    (void)from_source(&n);
    hidden.refuse_staging = UINT32_MAX;
    the_watch.most_host_bytes = pieces ? PIECE : PIECE - 1;
    assert_int_equal(try_record(&err), pieces ? RP_OK : RP_ERR_MEMORY);
    if (!pieces) assert_non_null(strstr(err.reason, "a piece of a constant"));
    assert_true(the_watch.device_bytes == 0 && the_watch.staging_bytes == 0);
    watch_close();
  }
}

static void an_evicted_recording_reads_again(void **state) {
  (void)state;
  numbers n = {.factor = 3, .len = LONG / 8, .unit = 8};
  watch_open(hidden_device(1u << 30), 0);
  const rp_value constant = from_source(&n);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(n.calls, 4);
  assert_int_equal(rp_recording_evict(r, NULL), RP_OK);
  expect_numbers(r, constant, n.len, 3); /* it is loaded for that */
  assert_int_equal(n.calls, 8);
  rp_recording_destroy(r);
  watch_close();
}

/* In one graph, and in two recordings. */
static void equal_sources_are_on_the_device_once(void **state) {
  (void)state;
  enum { SAME, OTHER_USER, OTHER_FUNCTION, ONE_DIGEST, EQUAL_DIGESTS, OTHER_DIGESTS, CASES };
  for (int k = 0; k < CASES; k++) {
    numbers n[2] = {{.factor = 3, .len = LONG / 8, .unit = 8}, {.factor = 3, .len = LONG / 8, .unit = 8}};
    const bool same = k == SAME || k == EQUAL_DIGESTS;
    rp_graph *graphs[3] = {0};
    rp_recording *r[3] = {0};
    watch_open(hidden_device(1u << 30), 0);
    for (int g = 0; g < 3; g++) {
      assert_int_equal(rp_graph_create(the_watch.context, "g", &graphs[g], NULL), RP_OK);
      for (int c = 0; c < 2; c++) { /* both in the first graph, one in each of the others */
        rp_constant_source s = source_of(&n[c && k != SAME && k != OTHER_FUNCTION]);
        if (g && c != g - 1) continue;
        if (c && k == OTHER_FUNCTION) s.read = read_otherwise;
        s.has_digest = k >= EQUAL_DIGESTS || (k == ONE_DIGEST && c);
        s.digest[31] = (uint8_t)(k == OTHER_DIGESTS ? c : 1);
        use(graphs[g], rp_graph_constant_from(graphs[g], c ? "second" : "first", &toy_u64, n[0].len, &s));
      }
      assert_int_equal(rp_record(the_watch.device, graphs[g], NULL, &r[g], NULL), RP_OK);
      if (g == 0) {
        assert_int_equal(n[0].calls + n[1].calls, same ? 4 : 8);
        rp_recording_destroy(r[0]);
        r[0] = NULL;
        n[0].calls = n[1].calls = 0;
      }
    }
    assert_int_equal(n[0].calls + n[1].calls, same ? 4 : 8);
    for (int g = 0; g < 3; g++) rp_recording_destroy(r[g]), rp_graph_destroy(graphs[g]);
    watch_close();
  }
}

static void a_body_has_a_source(void **state) {
  (void)state;
  numbers n = {.factor = 3, .len = 100, .unit = 8};
  const rp_constant_source s = source_of(&n);
  rp_graph *body;
  watch_open(hidden_device(1u << 30), 0);
  assert_int_equal(rp_graph_create(the_watch.context, "body", &body, NULL), RP_OK);
  use(body, rp_graph_constant_from(body, "key", &toy_u64, n.len, &s));
  const rp_value x = rp_graph_input(the_watch.graph, "x", &toy_u64, 1, 0);
  rp_call_port in = {.name = "out1", .value = x}, out = {.name = "out1"};
  rp_call(the_watch.graph, "call", body, &in, 1, &out, 1);
  rp_graph_output(the_watch.graph, "out", out.value, 0);
  rp_graph_destroy(body);
  rp_recording_destroy(watch_record(1, 0));
  assert_int_equal(n.calls, 1);
  watch_close();
}

static void what_is_no_source(void **state) {
  (void)state;
  numbers n = {.unit = 8};
  rp_constant_source s[3] = {source_of(&n), source_of(&n), source_of(&n)};
  s[1].read = NULL;
  s[2].struct_size = 0;
  for (int k = 0; k < 3; k++) {
    rp_error err = {0};
    watch_open(hidden_device(1u << 30), 0);
    assert_int_equal(rp_graph_constant_from(the_watch.graph, "key", &toy_u64, 1, k ? &s[k] : NULL).id, 0);
    assert_int_equal(try_record(&err), RP_ERR_ARGUMENT);
    assert_non_null(strstr(err.reason, "'key'"));
    watch_close();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_source_is_read_once),
      cmocka_unit_test(long_data_goes_through_staging),
      cmocka_unit_test(two_threads_read_at_once),
      cmocka_unit_test(elements_longer_than_a_piece),
      cmocka_unit_test(pieces_are_whole_elements),
      cmocka_unit_test(a_read_that_fails),
      cmocka_unit_test(nothing_is_read_after_a_failure),
      cmocka_unit_test(a_copy_that_fails),
      cmocka_unit_test(memory_that_is_refused),
      cmocka_unit_test(an_evicted_recording_reads_again),
      cmocka_unit_test(equal_sources_are_on_the_device_once),
      cmocka_unit_test(a_body_has_a_source),
      cmocka_unit_test(what_is_no_source),
  };
  return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
