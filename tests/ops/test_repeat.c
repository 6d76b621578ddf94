/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Loops, batches and branches of bodies, compared with arithmetic on the host and with graphs that are built by hand.
 *
 * op-test lavapipe:quick
 */
#include "data.h"
#include "device.h"

#include <reprise/save.h>
#include <reprise/subgraph.h>

#include <stdio.h>

static const rp_field fields[] = {RP_FIELD_GOLDILOCKS, RP_FIELD_BN254_FR, RP_FIELD_BABYBEAR};
enum { N_FIELDS = sizeof fields / sizeof fields[0], MOST_BYTES = 32, MOST_N = 9, MOST_LEN = 64 };

static rp_graph *new_body(void) {
  rp_graph *body;
  assert_int_equal(rp_graph_create(device_context(), "body", &body, NULL), RP_OK);
  return body;
}

/* A step of Horner's rule: next = acc z + c, and a constant that all steps share: twice = next * 2. */
static rp_graph *horner_body(rp_field field, uint64_t len) {
  static const uint8_t two[MOST_BYTES] = {2};
  rp_graph *body = new_body();
  const rp_type *type = rp_type_field(field);
  const rp_value acc = rp_graph_input(body, "acc", type, len, 0), z = rp_graph_input(body, "z", type, len, 0);
  const rp_value c = rp_graph_input(body, "c", type, len, 0);
  const rp_value next = rp_add(body, rp_mul(body, acc, z), c);
  rp_graph_output(body, "next", next, 0);
  rp_graph_output(body, "twice", rp_mul(body, next, rp_field_constant(body, "two", field, two)), 0);
  return body;
}

static void horner(void **state) {
  (void)state;
  static const uint32_t counts[] = {1, 2, MOST_N};
  static const uint64_t lengths[] = {1, 5, MOST_LEN}; /* slices that are aligned as values are, and others */
  uint8_t last[MOST_LEN * MOST_BYTES], all[MOST_N * MOST_LEN * MOST_BYTES], doubled[sizeof all], t[MOST_BYTES];
  for (uint32_t i = 0; i < N_FIELDS * 9; i++) {
    const rp_field_host *f = rp_field_get(fields[i / 9]);
    const uint32_t n = counts[i % 3], size = f->size_bytes;
    const uint64_t len = lengths[i / 3 % 3];
    uint8_t *start = data_field(f->id, DATA_EDGES, i, len), *z = data_field(f->id, DATA_RANDOM, i + 1, len);
    uint8_t *c = data_field(f->id, DATA_EDGES, i + 2, n * len);
    job j;
    job_begin(&j);
    rp_graph *body = horner_body(f->id, len);
    const rp_type *type = rp_type_field(f->id);
    const rp_call_port shared = {"z", job_input(&j, type, len, z)}, sliced = {"c", job_input(&j, type, n * len, c)};
    rp_carried carried = {"acc", "next", job_input(&j, type, len, start)};
    rp_call_port stacked[] = {{"next", RP_NO_VALUE}, {"twice", RP_NO_VALUE}};
    const rp_repeat_ports ports = {.struct_size = sizeof ports, 1, 1, 1, 2, &shared, &sliced, &carried, stacked};
    assert_int_equal(rp_repeat(j.graph, "horner", body, n, &ports), 1);
    rp_graph_destroy(body);
    if (n > 1) job_output(&j, stacked[0].value, all);
    job_output(&j, stacked[1].value, doubled);
    job_output(&j, carried.value, last);
    job_check(&j);
    for (uint64_t e = 0; e < len; e++) {
      uint8_t *acc = start + e * size;
      for (uint32_t k = 0; k < n; k++) {
        const uint64_t at = (k * len + e) * size;
        f->mul(t, acc, z + e * size);
        f->add(acc, t, c + at);
        f->add(t, acc, acc);
        if (n > 1) data_assert_equal(f->id, all + at, acc, 1, "stacked");
        data_assert_equal(f->id, doubled + at, t, 1, "stacked, with a constant");
      }
      data_assert_equal(f->id, last + e * size, acc, 1, "carried");
    }
    free(start), free(z), free(c);
  }
}

/* Products of polynomials, each of which is squared and summed in a loop inside the batch. */
static rp_graph *square_body(rp_field field, uint64_t n, uint32_t rounds, int by_hand) {
  const rp_ntt_options there = {.struct_size = sizeof there, .root = RP_ROOT_SNARKJS};
  rp_graph *body = new_body(), *inner = new_body();
  const rp_type *type = rp_type_field(field);
  const rp_value in = rp_graph_input(inner, "x", type, n, 0), k = rp_graph_input(inner, "k", type, n, 0);
  rp_graph_output(inner, "y", rp_mul(inner, rp_mul(inner, in, in), k), 0);
  rp_value x = rp_ntt(body, rp_graph_input(body, "x", type, n, 0), &there);
  const rp_call_port shared = {"k", rp_graph_input(body, "k", type, n, 0)};
  if (by_hand) {
    for (uint32_t i = 0; i < rounds; i++) x = rp_mul(body, rp_mul(body, x, x), shared.value);
  } else {
    rp_carried carried = {"x", "y", x};
    const rp_repeat_ports ports = {
        .struct_size = sizeof ports, .n_shared = 1, .n_carried = 1, .shared = &shared, .carried = &carried};
    assert_int_equal(rp_repeat(body, "powers", inner, rounds, &ports), 1);
    x = carried.value;
  }
  rp_graph_output(body, "y", x, 0);
  rp_graph_output(body, "sum", rp_sum(body, x), 0);
  rp_graph_destroy(inner);
  return body;
}

static void batches(void **state) {
  (void)state;
  enum { N = 16, ROUNDS = 3, MOST = 5 };
  for (uint32_t i = 0; i < N_FIELDS; i++)
    for (uint32_t n = 1; n <= MOST; n += 2) {
      const rp_field_host *f = rp_field_get(fields[i]);
      const uint32_t size = f->size_bytes;
      uint8_t *x = data_field(f->id, DATA_EDGES, n, n * N), *k = data_field(f->id, DATA_RANDOM, n, N);
      uint8_t got[MOST * N * MOST_BYTES], sums[MOST * MOST_BYTES], want[N * MOST_BYTES], sum[MOST_BYTES];
      const rp_type *type = rp_type_field(f->id);
      job j;
      job_begin(&j);
      rp_graph *body = square_body(f->id, N, ROUNDS, 0);
      const rp_call_port shared = {"k", job_input(&j, type, N, k)}, sliced = {"x", job_input(&j, type, n * N, x)};
      rp_call_port stacked[] = {{"y", RP_NO_VALUE}, {"sum", RP_NO_VALUE}};
      const rp_repeat_ports ports = {.struct_size = sizeof ports, 1, 1, 0, 2, &shared, &sliced, NULL, stacked};
      assert_int_equal(rp_batch(j.graph, "squares", body, n, &ports), 1);
      rp_graph_destroy(body);
      job_output(&j, stacked[0].value, got);
      job_output(&j, stacked[1].value, sums);
      job_check(&j);
      for (uint32_t b = 0; b < n; b++) { /* the same by hand, for one instance after another */
        job_begin(&j);
        rp_graph *alone = square_body(f->id, N, ROUNDS, 1);
        rp_call_port in[] = {{"x", job_input(&j, type, N, x + b * N * size)}, {"k", job_input(&j, type, N, k)}};
        rp_call_port out[] = {{"y", RP_NO_VALUE}, {"sum", RP_NO_VALUE}};
        rp_call(j.graph, "alone", alone, in, 2, out, 2);
        rp_graph_destroy(alone);
        job_output(&j, out[0].value, want);
        job_output(&j, out[1].value, sum);
        job_check(&j);
        assert_memory_equal(got + b * N * size, want, N * size);
        assert_memory_equal(sums + b * size, sum, size);
      }
      free(x), free(k);
    }
}

/* ---- Branches ---------------------------------------------------------------------------------------------------- */

/* y = x^2 + k and t = x + x, or y = x - k and t = x. */
static rp_graph *branch_body(rp_field field, uint64_t len, int then) {
  rp_graph *body = new_body();
  const rp_value x = rp_graph_input(body, "x", rp_type_field(field), len, 0);
  const rp_value k = rp_graph_input(body, then ? "k" : "m", rp_type_field(field), len, 0);
  rp_graph_output(body, "y", then ? rp_add(body, rp_mul(body, x, x), k) : rp_sub(body, x, k), 0);
  rp_graph_output(body, "t", then ? rp_add(body, x, x) : rp_slice(body, x, 0, len), 0);
  return body;
}

/* A loop whose step takes one branch or the other by a bit of its own. */
static rp_graph *branching_body(rp_field field, uint64_t len) {
  rp_graph *body = new_body(), *one = branch_body(field, len, 1), *other = branch_body(field, len, 0);
  const rp_type *type = rp_type_field(field);
  const rp_value x = rp_graph_input(body, "x", type, len, 0), k = rp_graph_input(body, "k", type, len, 0);
  const rp_value bit = rp_graph_input(body, "bit", &RP_TYPE_U32, 1, 0);
  const rp_call_port in[] = {{"x", x}, {"m", k}, {"k", k}};
  rp_call_port out[] = {{"t", RP_NO_VALUE}, {"y", RP_NO_VALUE}};
  assert_int_equal(rp_if(body, "step", bit, one, other, in, 3, out, 2), 1);
  rp_graph_output(body, "t", out[0].value, 0);
  rp_graph_output(body, "y", out[1].value, 0);
  rp_graph_destroy(one), rp_graph_destroy(other);
  return body;
}

static void branches(void **state) {
  (void)state;
  enum { ROUNDS = 6, LEN = 5 };
  for (uint32_t i = 0; i < N_FIELDS; i++)
    for (uint32_t pattern = 0; pattern < 1 << ROUNDS; pattern += 1 + pattern % 7) {
      const rp_field_host *f = rp_field_get(fields[i]);
      const uint32_t size = f->size_bytes;
      uint32_t bits[ROUNDS];
      uint8_t *x = data_field(f->id, DATA_EDGES, pattern, LEN), *k = data_field(f->id, DATA_RANDOM, pattern, LEN);
      uint8_t last[LEN * MOST_BYTES], all[ROUNDS * LEN * MOST_BYTES], t[MOST_BYTES];
      for (uint32_t r = 0; r < ROUNDS; r++) bits[r] = pattern >> r & 1 ? 1u << (r * 5 + i) : 0; /* any bit means true */
      const rp_type *type = rp_type_field(f->id);
      job j;
      job_begin(&j);
      rp_graph *body = branching_body(f->id, LEN);
      const rp_call_port shared = {"k", job_input(&j, type, LEN, k)},
                         sliced = {"bit", job_input(&j, &RP_TYPE_U32, ROUNDS, bits)};
      rp_carried carried = {"x", "y", job_input(&j, type, LEN, x)};
      rp_call_port stacked = {"t", RP_NO_VALUE};
      const rp_repeat_ports ports = {.struct_size = sizeof ports, 1, 1, 1, 1, &shared, &sliced, &carried, &stacked};
      assert_int_equal(rp_repeat(j.graph, "steps", body, ROUNDS, &ports), 1);
      rp_graph_destroy(body);
      job_output(&j, carried.value, last);
      job_output(&j, stacked.value, all);
      job_check(&j);
      for (uint32_t e = 0; e < LEN; e++) {
        uint8_t *v = x + e * size;
        for (uint32_t r = 0; r < ROUNDS; r++) {
          memcpy(t, v, size);
          if (bits[r]) f->add(t, v, v);
          data_assert_equal(f->id, all + (r * LEN + e) * size, t, 1, "the other output");
          if (bits[r]) {
            f->mul(t, v, v);
            f->add(v, t, k + e * size);
          } else {
            f->sub(v, v, k + e * size);
          }
        }
        data_assert_equal(f->id, last + e * size, v, 1, "carried through branches");
      }
      free(x), free(k);
    }
}

static void branch_refusals(void **state) {
  (void)state;
  enum { CASES = 10, LEN = 4 };
  const rp_field field = RP_FIELD_GOLDILOCKS;
  for (int i = 0; i < CASES; i++) {
    rp_graph *graph, *one = branch_body(field, LEN, 1), *other = branch_body(field, LEN, 0);
    assert_int_equal(rp_graph_create(device_context(), "refused", &graph, NULL), RP_OK);
    const rp_value x = rp_graph_input(graph, "x", rp_type_field(field), LEN, 0);
    rp_value bit = rp_graph_input(graph, "bit", &RP_TYPE_U32, 1, 0);
    rp_call_port in[] = {{"x", x}, {"k", x}, {"m", x}, {"z", x}}, out[] = {{"y", x}, {"t", x}};
    uint32_t n_in = 3, n_out = 2;
    rp_status status = RP_ERR_ARGUMENT;
    const char *words = "", *name = "branch";
    switch (i) {
    case 0: n_in = 4, words = "if 'branch': neither body has an input 'z'"; break;
    case 1: n_in = 2, words = "call 'else': input 'm' is not given"; break;
    case 2: in[0].name = NULL, words = "has an input '(NULL)'"; break;
    case 3: out[1].name = "u", words = "no output 'u'"; break;
    case 4: n_out = 0, words = "at least one output"; break;
    case 5: bit = x, status = RP_ERR_TYPE, words = "the condition is 4 elements of goldilocks, not one u32"; break;
    case 6: bit = RP_NO_VALUE, words = "not a value of this graph"; break;
    case 7: name = NULL, words = "scope '(NULL)'"; break;
    case 8:
      rp_graph_output(other, "sum", rp_sum(other, rp_graph_input(other, "w", rp_type_field(field), LEN, 0)), 0);
      rp_graph_output(one, "sum", rp_neg(one, rp_graph_input(one, "w", rp_type_field(field), LEN, 0)), 0);
      in[3].name = "w", n_in = 4, out[1].name = "sum", status = RP_ERR_SHAPE, words = "a has 4 elements, and b has 1";
      break;
    case 9: n_in = 0, words = "is not given"; break;
    }
    assert_int_equal(rp_if(graph, name, bit, one, other, i == 9 ? NULL : in, n_in, out, n_out), 0);
    for (uint32_t o = 0; o < n_out; o++) assert_int_equal(out[o].value.id, 0);
    const rp_error *e = rp_graph_error(graph);
    if (e->status != status || !strstr(e->reason, words))
      fail_msg("case %d: status %d, '%s' instead of '%s'", i, e->status, e->reason, words);
    rp_graph_destroy(graph), rp_graph_destroy(one), rp_graph_destroy(other);
  }
  rp_graph *graph;
  assert_int_equal(rp_graph_create(device_context(), "refused", &graph, NULL), RP_OK);
  const rp_value bit = rp_graph_input(graph, "bit", &RP_TYPE_U32, 1, 0);
  assert_int_equal(rp_if(graph, "x", bit, NULL, graph, NULL, 0, &(rp_call_port){"y", bit}, 1), 0);
  assert_non_null(strstr(rp_graph_error(graph)->reason, "two bodies"));
  rp_graph_destroy(graph);
  assert_int_equal(rp_if(NULL, "x", RP_NO_VALUE, NULL, NULL, NULL, 0, NULL, 0), 0);
}

/* ---- Saved ------------------------------------------------------------------------------------------------------- */

static void *read_file(const char *path, size_t *bytes) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  *bytes = (size_t)ftell(f);
  rewind(f);
  void *data = malloc(*bytes + 1);
  assert_int_equal(fread(data, 1, *bytes, f), *bytes);
  fclose(f);
  return data;
}

/* A file has the nodes of all calls, but no bodies. A graph that is loaded and saved again gives the same file, and the
 * same results. */
static void saved(void **state) {
  (void)state;
  enum { N = 16 };
  char path[] = "/tmp/reprise_repeat_XXXXXX", again[64];
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  snprintf(again, sizeof again, "%s.again", path);
  rp_graph *graph, *loaded, *body = square_body(RP_FIELD_BN254_FR, N, 2, 0);
  rp_error err = {0};
  const rp_type *type = rp_type_field(RP_FIELD_BN254_FR);
  uint8_t *x = data_field(RP_FIELD_BN254_FR, DATA_EDGES, 1, 3 * N),
          *k = data_field(RP_FIELD_BN254_FR, DATA_EDGES, 2, N);
  uint8_t results[2][3 * N * 32];
  size_t bytes[2];
  assert_int_equal(rp_graph_create(device_context(), "saved", &graph, NULL), RP_OK);
  const rp_call_port shared = {"k", rp_graph_constant(graph, "k", type, N, k, 0)},
                     sliced = {"x", rp_graph_input(graph, "x", type, 3 * N, 0)};
  rp_call_port stacked = {"y", RP_NO_VALUE};
  const rp_repeat_ports ports = {.struct_size = sizeof ports, 1, 1, 0, 1, &shared, &sliced, NULL, &stacked};
  assert_int_equal(rp_batch(graph, "squares", body, 3, &ports), 1);
  rp_graph_output(graph, "y", stacked.value, 0);
  if (rp_graph_save(graph, path, NULL, &err)) fail_msg("%s", err.reason);
  if (rp_graph_load(device_context(), path, NULL, &loaded, &err)) fail_msg("%s", err.reason);
  if (rp_graph_save(loaded, again, NULL, &err)) fail_msg("%s", err.reason);
  void *a = read_file(path, &bytes[0]), *b = read_file(again, &bytes[1]);
  assert_int_equal(bytes[0], bytes[1]);
  assert_memory_equal(a, b, bytes[0]);
  assert_int_equal(rp_graph_n_nodes(graph), rp_graph_n_nodes(loaded));
  for (int i = 0; i < 2; i++) {
    rp_recording *r;
    const rp_replay_input in = {.name = "x", .data = x, .size_bytes = 3 * N * 32};
    const rp_replay_output out = {.name = "y", .data = results[i], .size_bytes = 3 * N * 32};
    if (rp_record(device_current(), i ? loaded : graph, NULL, &r, &err)) fail_msg("%s", err.reason);
    if (rp_replay(r, &in, 1, &out, 1, &err)) fail_msg("%s", err.reason);
    rp_recording_destroy(r);
  }
  assert_memory_equal(results[0], results[1], sizeof results[0]);
  rp_graph_destroy(graph), rp_graph_destroy(loaded), rp_graph_destroy(body);
  free(a), free(b), free(x), free(k);
  remove(path), remove(again);
}

/* ---- Long bodies ------------------------------------------------------------------------------------------------- */

enum { LONG_ROUNDS = 5, LONG_N = 16, LONG_CALLS = 6 };

/* x, multiplied by k as polynomials modulo X^n - 1, and added to itself, several times. */
static rp_value long_chain(rp_graph *g, rp_value x, rp_value k) {
  const rp_ntt_options there = {.struct_size = sizeof there, .root = RP_ROOT_SNARKJS};
  const rp_ntt_options back = {.struct_size = sizeof back, .root = RP_ROOT_SNARKJS, .inverse = 1};
  for (int i = 0; i < LONG_ROUNDS; i++) x = rp_add(g, x, rp_ntt(g, rp_mul(g, rp_ntt(g, x, &there), k), &back));
  return x;
}

/* The loop's result, and that of the same nodes by hand. */
static void long_graph(rp_graph *g, rp_field field) {
  const rp_type *type = rp_type_field(field);
  rp_graph *body = new_body();
  const rp_value in = rp_graph_input(body, "x", type, LONG_N, 0), k = rp_graph_input(body, "k", type, LONG_N, 0);
  rp_graph_output(body, "y", long_chain(body, in, k), 0);
  rp_value x = rp_graph_input(g, "x", type, LONG_N, 0);
  const rp_call_port sliced = {"k", rp_graph_input(g, "k", type, LONG_CALLS * LONG_N, 0)};
  rp_carried carried = {"x", "y", x};
  rp_call_port stacked = {"y", RP_NO_VALUE};
  const rp_repeat_ports ports = {.struct_size = sizeof ports, 0, 1, 1, 1, NULL, &sliced, &carried, &stacked};
  assert_int_equal(rp_repeat(g, "long", body, LONG_CALLS, &ports), 1);
  rp_graph_destroy(body);
  rp_recompute_begin(g); /* not merged with the loop */
  for (uint32_t i = 0; i < LONG_CALLS; i++) x = long_chain(g, x, rp_slice(g, sliced.value, i * LONG_N, LONG_N));
  rp_recompute_end(g);
  rp_graph_output(g, "loop", carried.value, 0);
  rp_graph_output(g, "by hand", x, 0);
  rp_graph_output(g, "all", stacked.value, 0);
}

static void run_long(const rp_graph *g, const uint8_t *x, const uint8_t *k, uint32_t size, uint8_t *results,
                     rp_plan_info *info) {
  rp_recording *r;
  rp_error err = {0};
  const rp_replay_input in[] = {{.name = "x", .data = x, .size_bytes = LONG_N * size},
                                {.name = "k", .data = k, .size_bytes = LONG_CALLS * LONG_N * size}};
  uint8_t *at = results + 2 * LONG_N * size;
  const rp_replay_output out[] = {{.name = "loop", .data = results, .size_bytes = LONG_N * size},
                                  {.name = "by hand", .data = results + LONG_N * size, .size_bytes = LONG_N * size},
                                  {.name = "all", .data = at, .size_bytes = LONG_CALLS * LONG_N * size}};
  const rp_record_options o = {.struct_size = sizeof o, .flags = RP_RECORD_CHECK_HAZARDS};
  if (rp_record(device_current(), g, &o, &r, &err)) fail_msg("%s", err.reason);
  rp_recording_get_plan(r, info);
  if (rp_replay(r, in, 2, out, 3, &err)) fail_msg("%s", err.reason);
  rp_recording_destroy(r);
}

/* Calls of long bodies are planned once (engine/template.h). They give the same bits, also from a file. */
static void long_bodies(void **state) {
  (void)state;
  for (uint32_t i = 0; i < N_FIELDS; i++) {
    const uint32_t size = rp_field_get(fields[i])->size_bytes, bytes = (2 + LONG_CALLS) * LONG_N * size;
    uint8_t *x = data_field(fields[i], DATA_EDGES, i, LONG_N);
    uint8_t *k = data_field(fields[i], DATA_RANDOM, i, LONG_CALLS * LONG_N);
    uint8_t got[(2 + LONG_CALLS) * LONG_N * MOST_BYTES], again[sizeof got];
    char path[] = "/tmp/reprise_long_XXXXXX";
    const int fd = mkstemp(path);
    rp_plan_info info = {.struct_size = sizeof info}, flat = info;
    rp_graph *graph, *loaded;
    rp_error err = {0};
    assert_true(fd >= 0);
    assert_int_equal(rp_graph_create(device_context(), "long", &graph, NULL), RP_OK);
    long_graph(graph, fields[i]);
    run_long(graph, x, k, size, got, &info);
    assert_memory_equal(got, got + LONG_N * size, LONG_N * size);
    assert_memory_equal(got, got + (2 + LONG_CALLS - 1) * LONG_N * size, LONG_N * size);
    if (rp_graph_save(graph, path, NULL, &err)) fail_msg("%s", err.reason);
    if (rp_graph_load(device_context(), path, NULL, &loaded, &err)) fail_msg("%s", err.reason);
    run_long(loaded, x, k, size, again, &flat);
    assert_memory_equal(got, again, bytes);
    assert_true(info.nodes + LONG_ROUNDS * (LONG_CALLS - 1) < flat.nodes);
    rp_graph_destroy(graph), rp_graph_destroy(loaded);
    free(x), free(k);
    remove(path);
  }
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void refusals(void **state) {
  (void)state;
  enum { CASES = 14, LEN = 4 };
  const rp_type *type = rp_type_field(RP_FIELD_GOLDILOCKS);
  for (int i = 0; i < CASES; i++) {
    rp_graph *graph, *body = horner_body(RP_FIELD_GOLDILOCKS, LEN);
    assert_int_equal(rp_graph_create(device_context(), "refused", &graph, NULL), RP_OK);
    const rp_value x = rp_graph_input(graph, "x", type, LEN, 0), many = rp_graph_input(graph, "many", type, 3 * LEN, 0);
    if (i == 11) rp_graph_output(body, "sum", rp_sum(body, rp_graph_input(body, "late", type, LEN, 0)), 0);
    rp_call_port shared[] = {{"z", x}, {"late", x}}, sliced = {"c", many}, stacked = {"twice", RP_NO_VALUE};
    rp_carried carried = {"acc", "next", x};
    rp_repeat_ports ports = {.struct_size = sizeof ports, 1, 1, 1, 1, shared, &sliced, &carried, &stacked};
    uint32_t n = 3;
    rp_status status = RP_ERR_ARGUMENT;
    const char *words = "", *name = "loop";
    int batch = 0;
    switch (i) {
    case 0: n = 0, words = "repeat 'loop': n is 0"; break;
    case 1: ports.struct_size = 0, words = "struct_size"; break;
    case 2: n = 2, status = RP_ERR_SHAPE, words = "input 'c' takes 2 slices of 4 elements, and the value has 12"; break;
    case 3: batch = 1, words = "batch 'loop': its instances carry no values on"; break;
    case 4: ports.n_carried = ports.n_stacked = 0, words = "no output is carried or stacked"; break;
    case 5: ports.sliced = NULL, words = "is NULL"; break;
    case 6: sliced.name = "d", words = "no input 'd'"; break;
    case 7: carried.output = "d", words = "no output 'd'"; break;
    case 8: ports.n_shared = 0, words = "input 'z' is not given"; break;
    case 9: sliced.value = RP_NO_VALUE, words = "not a value of this graph"; break;
    case 10: name = "", words = "scope ''"; break;
    case 11:
      ports.n_shared = 2, carried.output = "sum", n = 1, sliced.value = x;
      status = RP_ERR_SHAPE, words = "output 'sum' has 1 elements";
      break;
    case 12: carried.input = NULL, words = "NULL"; break;
    case 13: /* the value has one element more than all slices */
      sliced.value = rp_graph_input(graph, "more", type, 3 * LEN + 1, 0);
      status = RP_ERR_SHAPE, words = "takes 3 slices of 4 elements, and the value has 13";
      break;
    }
    assert_int_equal((batch ? rp_batch : rp_repeat)(graph, name, body, n, &ports), 0);
    if (i > 1) {
      assert_int_equal(carried.value.id, i == 4 ? x.id : 0);
      assert_int_equal(stacked.value.id, 0);
    }
    const rp_error *e = rp_graph_error(graph);
    if (e->status != status || !strstr(e->reason, words))
      fail_msg("case %d: status %d, '%s' instead of '%s'", i, e->status, e->reason, words);
    rp_graph_destroy(graph);
    rp_graph_destroy(body);
  }
  assert_int_equal(rp_repeat(NULL, "x", NULL, 1, NULL), 0);
  assert_int_equal(rp_batch(NULL, "x", NULL, 1, NULL), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(horner),   cmocka_unit_test(batches),
                                     cmocka_unit_test(branches), cmocka_unit_test(branch_refusals),
                                     cmocka_unit_test(saved),    cmocka_unit_test(long_bodies),
                                     cmocka_unit_test(refusals)};
  return device_run_tests("repeat", tests, sizeof tests / sizeof tests[0]);
}
