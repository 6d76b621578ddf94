/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conditional nodes: what a run leaves out, and how dispatches share bodies. On the fake driver bodies are counted too.
 */
#include "bench.h"

#include <reprise/host_program.h>

#ifdef FAKE_CUDA
#include "fake_cuda.h"
#endif

#include <stdio.h>

enum { VARIABLES = 3, BITS = 4, DEPTH = 3, MOST = 6 };
static const char *const names[2 * VARIABLES + BITS] = {"x", "y", "z", "x out", "y out", "z out", "a", "b", "c", "d"};

static uint64_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

static void open_device(bench *b) {
#ifdef FAKE_CUDA
  fake_reset();
  toy_register();
#endif
  bench_open(b, 0, 0);
}

static void close_device(bench *b) {
  bench_close(b);
#ifdef FAKE_CUDA
  if (fake_violation()) fail_msg("%s", fake_violation());
  assert_int_equal(fake_live("graph") + fake_live("exec"), 0);
#endif
}

/* On the real driver, nothing is known of bodies. */
static void expect_branches(uint32_t want) {
#ifdef FAKE_CUDA
  assert_int_equal(fake_branches(), want);
#else
  (void)want;
#endif
}

static void expect_bodies_run(uint32_t want) {
#ifdef FAKE_CUDA
  assert_int_equal(fake_bodies_run(), want);
#else
  (void)want;
#endif
}

/* ---- Random programs --------------------------------------------------------------------------------------------- */

/* to = factor x + y; or, with bodies, one of them, by the bit `bit` of the inputs, or the low bits of x[0]. */
typedef struct block block;
typedef struct statement {
  uint32_t to, x, y, factor, bit;
  block *then, *other;
} statement;
struct block {
  uint32_t n;
  statement statements[MOST];
};

static block *make_block(uint64_t *seed, int depth) {
  block *b = calloc(1, sizeof *b);
  b->n = 2 + (uint32_t)(next(seed) % (MOST - 1));
  for (uint32_t i = 0; i < b->n; i++) {
    statement *s = &b->statements[i];
    *s = (statement){(uint32_t)next(seed) % VARIABLES,
                     (uint32_t)next(seed) % VARIABLES,
                     (uint32_t)next(seed) % VARIABLES,
                     1 + (uint32_t)next(seed) % 9,
                     (uint32_t)next(seed) % (BITS + 2),
                     NULL,
                     NULL};
    if (!depth || next(seed) % 3) continue;
    s->then = make_block(seed, depth - 1);
    s->other = make_block(seed, depth - 1);
  }
  return b;
}

static void free_block(block *b) {
  if (!b) return;
  for (uint32_t i = 0; i < b->n; i++) free_block(b->statements[i].then), free_block(b->statements[i].other);
  free(b);
}

static void evaluate(const block *b, uint64_t v[VARIABLES][N], const uint32_t bits[BITS]) {
  for (uint32_t i = 0; i < b->n; i++) {
    const statement *s = &b->statements[i];
    if (s->then) {
      const bool holds = s->bit < BITS ? bits[s->bit] != 0 : (v[s->x][0] & 3) != 0;
      evaluate(holds ? s->then : s->other, v, bits);
    } else
      for (int e = 0; e < N; e++) v[s->to][e] = s->factor * v[s->x][e] + v[s->y][e];
  }
}

static void build(rp_graph *g, const block *b, rp_value v[VARIABLES], const rp_value bits[BITS]);

static void build_branch(rp_graph *g, const statement *s, rp_value v[VARIABLES], const rp_value bits[BITS]) {
  const rp_value holds = s->bit < BITS ? bits[s->bit] : toy_bit(g, v[s->x], 3);
  rp_value results[2][VARIABLES];
  for (int way = 0; way < 2; way++) {
    memcpy(results[way], v, sizeof results[way]);
    rp_condition_begin(g, holds, !way);
    build(g, way ? s->other : s->then, results[way], bits);
    rp_condition_end(g);
  }
  for (int i = 0; i < VARIABLES; i++)
    if (results[0][i].id != results[1][i].id) v[i] = toy_select(g, holds, results[0][i], results[1][i]);
}

static void build(rp_graph *g, const block *b, rp_value v[VARIABLES], const rp_value bits[BITS]) {
  for (uint32_t i = 0; i < b->n; i++) {
    const statement *s = &b->statements[i];
    if (s->then)
      build_branch(g, s, v, bits);
    else
      v[s->to] = toy_mix(g, v[s->x], v[s->y], s->factor);
  }
}

/* A graph with inputs, some of which the runs bind, and the results of a program. */
typedef struct program {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in[VARIABLES], bits[BITS], out[VARIABLES];
  rp_buffer *bound_in, *bound_bit; /* NULL: not bound */
} program;

/* With `ns`, each toy_mix is predicted to take so long, and a long program is cut into pieces. */
static program make_program(bench *b, const block *code, const rp_record_options *o, bool bound, uint64_t ns) {
  program p = {0};
  rp_error err = {0};
  rp_value v[VARIABLES];
  EXPECT(RP_OK, rp_graph_create(b->context, "branches", &p.graph, &err), &err);
  const uint32_t flags = bound ? RP_RESIDENT : 0;
  for (int i = 0; i < VARIABLES; i++) v[i] = p.in[i] = rp_graph_input(p.graph, names[i], &toy_u64, N, i ? 0 : flags);
  for (int i = 0; i < BITS; i++)
    p.bits[i] = rp_graph_input(p.graph, names[2 * VARIABLES + i], &toy_u32, 1, i ? 0 : flags);
  build(p.graph, code, v, p.bits);
  for (int i = 0; i < VARIABLES; i++) {
    p.out[i] = toy_mix(p.graph, v[i], v[(i + 1) % VARIABLES], 3);
    rp_graph_output(p.graph, names[VARIABLES + i], p.out[i], 0);
  }
  if (ns) bench_predict(b, p.graph, ns);
  EXPECT(RP_OK, rp_record(b->device, p.graph, o, &p.recording, &err), &err);
  if (!bound) return p;
  EXPECT(RP_OK, rp_buffer_create(b->device, BYTES, &p.bound_in, &err), &err);
  EXPECT(RP_OK, rp_buffer_create(b->device, 512, &p.bound_bit, &err), &err);
  return p;
}

static void drop_program(program *p) {
  rp_buffer_destroy(p->bound_in);
  rp_buffer_destroy(p->bound_bit);
  rp_recording_destroy(p->recording);
  rp_graph_destroy(p->graph);
}

static rp_run *give(const program *p, uint64_t v[VARIABLES][N], const uint32_t bits[BITS], uint64_t round) {
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(p->recording, UINT64_MAX, &run, NULL), NULL);
  const uint64_t at = round % 2 * 256; /* another address than in the run before */
  for (int i = 0; i < VARIABLES; i++)
    if (i || !p->bound_in) EXPECT(RP_OK, rp_run_set_input(run, p->in[i], v[i], BYTES), rp_run_error(run));
  for (int i = 0; i < BITS; i++)
    if (i || !p->bound_in) EXPECT(RP_OK, rp_run_set_input(run, p->bits[i], &bits[i], 4), rp_run_error(run));
  if (!p->bound_in) return run;
  EXPECT(RP_OK, rp_buffer_write(p->bound_in, 0, v[0], BYTES, NULL), NULL);
  EXPECT(RP_OK, rp_buffer_write(p->bound_bit, at, bits, 4, NULL), NULL);
  EXPECT(RP_OK, rp_run_bind_input(run, p->in[0], p->bound_in, 0), rp_run_error(run));
  EXPECT(RP_OK, rp_run_bind_input(run, p->bits[0], p->bound_bit, at), rp_run_error(run));
  return run;
}

static void compare_with(const program *p, rp_run *run, uint64_t v[VARIABLES][N]) {
  for (int i = 0; i < VARIABLES; i++) {
    const uint64_t *got = rp_run_output(run, p->out[i]);
    assert_non_null(got);
    for (int e = 0; e < N; e++) assert_int_equal(got[e], 3 * v[i][e] + v[(i + 1) % VARIABLES][e]);
  }
}

static void draw(uint64_t v[VARIABLES][N], uint32_t bits[BITS], uint64_t seed) {
  for (uint64_t i = 0; i < VARIABLES; i++) work_fill(v[i], seed * VARIABLES + i);
  for (uint64_t i = 0; i < BITS; i++) bits[i] = seed >> i & 1 ? 1u << (seed + i) % 32 : 0;
}

static void random_programs(void **state) {
  (void)state;
  static uint64_t v[VARIABLES][N];
  uint32_t bits[BITS];
  for (uint32_t i = 0; i < 120; i++) {
    bench b;
    uint64_t seed = i + 1;
    open_device(&b);
    block *code = make_block(&seed, DEPTH);
    const rp_record_options o = {.struct_size = sizeof o,
                                 .flags = (i % 2 ? RP_RECORD_RANDOM_ORDER : 0) | (i % 5 == 4 ? RP_RECORD_PROFILE : 0) |
                                          (i % 11 == 10 ? RP_RECORD_ALL_BRANCHES : 0),
                                 .max_in_flight = 1 + i % 2,
                                 .order_seed = i};
    program p = make_program(&b, code, &o, i % 3 == 2, i % 4 < 2 ? 0 : 1000000 << i / 4 % 5);
    for (uint64_t k = 0; k < 8; k++) {
      draw(v, bits, i + k * 0x3f5);
      rp_run *run = give(&p, v, bits, k);
      EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
      EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
      evaluate(code, v, bits);
      compare_with(&p, run, v);
      rp_run_end(run);
    }
    drop_program(&p);
    free_block(code);
    close_device(&b);
  }
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

/* A graph of u64 arrays by hand: x and y go in, and out comes a sum of what was kept. */
typedef struct hand {
  bench b;
  rp_graph *g;
  rp_recording *recording;
  rp_value x, y, bit, out;
} hand;

static hand begin_hand(void) {
  hand h = {0};
  open_device(&h.b);
  EXPECT(RP_OK, rp_graph_create(h.b.context, "hand", &h.g, NULL), NULL);
  h.x = rp_graph_input(h.g, "x", &toy_u64, N, 0);
  h.y = rp_graph_input(h.g, "y", &toy_u64, N, 0);
  h.bit = rp_graph_input(h.g, "bit", &toy_u32, 1, 0);
  return h;
}

static void record(hand *h, rp_value out, uint32_t flags) {
  rp_error err = {0};
  const rp_record_options o = {.struct_size = sizeof o, .flags = flags};
  h->out = out;
  rp_graph_output(h->g, "out", out, 0);
  EXPECT(RP_OK, rp_record(h->b.device, h->g, &o, &h->recording, &err), &err);
}

/* x[e] = e and y[e] = 1: out[e] is to be `by` e + `more`. */
static void expect_line(const hand *h, uint32_t bit, uint64_t by, uint64_t more) {
  uint64_t x[N], y[N];
  rp_run *run;
  for (uint64_t e = 0; e < N; e++) x[e] = e, y[e] = 1;
  EXPECT(RP_OK, rp_run_begin(h->recording, UINT64_MAX, &run, NULL), NULL);
  EXPECT(RP_OK, rp_run_set_input(run, h->x, x, BYTES), rp_run_error(run));
  EXPECT(RP_OK, rp_run_set_input(run, h->y, y, BYTES), rp_run_error(run));
  EXPECT(RP_OK, rp_run_set_input(run, h->bit, &bit, 4), rp_run_error(run));
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  const uint64_t *got = rp_run_output(run, h->out);
  for (uint64_t e = 0; e < N; e++) assert_int_equal(got[e], by * e + more);
  rp_run_end(run);
}

static void end_hand(hand *h) {
  rp_recording_destroy(h->recording);
  rp_graph_destroy(h->g);
  close_device(&h->b);
}

static rp_value repeat(rp_graph *g, rp_value x, rp_value y, uint32_t n) {
  while (n--) x = toy_mix(g, x, y, 1);
  return x;
}

/* x + n y under the condition, else x + y. */
static rp_value chains(hand *h, uint32_t n) {
  rp_condition_begin(h->g, h->bit, 1);
  const rp_value then = repeat(h->g, h->x, h->y, n);
  rp_condition_end(h->g);
  rp_condition_begin(h->g, h->bit, 0);
  const rp_value other = repeat(h->g, h->x, h->y, 1);
  rp_condition_end(h->g);
  return toy_select(h->g, h->bit, then, other);
}

/* A chain is one body. In a profile each dispatch has one, and the events outside; one launch of the kernel that
 * computes a guard has no room for so many. */
static void a_chain_is_one_body(void **state) {
  (void)state;
  enum { LONG = 70 };
  for (uint32_t way = 0; way < 3; way++) {
    hand h = begin_hand();
    const uint32_t flags = way == 1 ? RP_RECORD_PROFILE : way == 2 ? RP_RECORD_ALL_BRANCHES : 0;
    record(&h, chains(&h, LONG), flags);
    expect_branches(way == 0 ? 2 : way == 1 ? LONG + 1 : 0);
    for (uint32_t bit = 0; bit < 4; bit++) {
      expect_line(&h, bit << 30, 1, bit ? LONG : 1);
      expect_bodies_run(way == 0 ? 1 : way == 2 ? 0 : bit ? LONG : 1);
    }
    end_hand(&h);
  }
}

/* Dispatches that can begin equally early share a body, and one that waits for a long chain does not hold them up: it
 * has another. A body whose result comes back from outside is followed by a second one. */
static void bodies_keep_what_is_parallel(void **state) {
  (void)state;
  hand h = begin_hand();
  rp_value early[3], sum = h.x;
  const rp_value chain = repeat(h.g, h.x, h.y, 9);
  rp_condition_begin(h.g, h.bit, 1);
  for (uint32_t i = 0; i < 3; i++) early[i] = toy_mix(h.g, h.x, h.y, i + 2);
  const rp_value late = toy_mix(h.g, chain, h.y, 7);
  rp_condition_end(h.g);
  for (uint32_t i = 0; i < 3; i++) sum = toy_mix(h.g, toy_select(h.g, h.bit, early[i], h.y), sum, 1);
  sum = toy_mix(h.g, toy_select(h.g, h.bit, late, h.y), sum, 1);
  rp_condition_begin(h.g, h.bit, 1);
  const rp_value again = toy_mix(h.g, sum, late, 1);
  rp_condition_end(h.g);
  record(&h, toy_select(h.g, h.bit, again, sum), 0);
  expect_branches(3);
  expect_line(&h, 0, 1, 4);
  expect_bodies_run(0);
  expect_line(&h, 8, 24, 131);
  expect_bodies_run(3);
  end_hand(&h);
}

/* The inner condition, which is computed outside, always holds; its body runs only if the outer one holds, too. What
 * reads its result is in a second body of the outer one. */
static void a_branch_in_a_branch(void **state) {
  (void)state;
  hand h = begin_hand();
  const rp_value always = toy_bit(h.g, h.y, 1);
  rp_condition_begin(h.g, h.bit, 1);
  const rp_value before = toy_mix(h.g, h.x, h.y, 2);
  rp_condition_begin(h.g, always, 1);
  const rp_value inner = toy_mix(h.g, before, h.y, 3);
  rp_condition_end(h.g);
  const rp_value after = toy_mix(h.g, toy_select(h.g, always, inner, before), before, 1);
  rp_condition_end(h.g);
  record(&h, toy_select(h.g, h.bit, after, h.x), 0);
  expect_branches(3);
  expect_line(&h, 0, 1, 0);
  expect_bodies_run(0);
  expect_line(&h, 2, 8, 5);
  expect_bodies_run(3);
  end_hand(&h);
}

/* A driver without conditional nodes, and tools for which dispatches run one after another, compute everything. */
static void without_conditional_nodes(void **state) {
  (void)state;
  for (int way = 0; way < 3; way++) {
    hand h = begin_hand();
    if (way == 0) interpose_driver(h.b.device)->version = 12030;
    if (way == 1) interpose_driver(h.b.device)->cuGraphConditionalHandleCreate = NULL;
    if (way == 2) assert_int_equal(setenv("REPRISE_CUDA_SERIAL", "1", 1), 0);
    record(&h, chains(&h, 5), 0);
    expect_branches(0);
    expect_line(&h, 0, 1, 1);
    expect_line(&h, 1, 1, 5);
    assert_int_equal(unsetenv("REPRISE_CUDA_SERIAL"), 0);
    end_hand(&h);
  }
}

/* However the graph is recorded, a fault in a part that is left out does not count, unless all branches are computed.
 */
static void no_fault_in_what_is_left_out(void **state) {
  (void)state;
  for (uint32_t flags = 0; flags <= RP_RECORD_ALL_BRANCHES; flags += RP_RECORD_ALL_BRANCHES) {
    hand h = begin_hand();
    uint64_t x[N];
    rp_condition_begin(h.g, h.bit, 1);
    const rp_value checked = toy_check(h.g, h.x, BAD);
    rp_condition_end(h.g);
    record(&h, toy_select(h.g, h.bit, checked, h.y), flags);
    work_fill(x, 1);
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t bit = i & 1;
      rp_run *run;
      x[900] = i < 2 ? BAD : 0;
      EXPECT(RP_OK, rp_run_begin(h.recording, UINT64_MAX, &run, NULL), NULL);
      EXPECT(RP_OK, rp_run_set_input(run, h.x, x, BYTES), rp_run_error(run));
      EXPECT(RP_OK, rp_run_set_input(run, h.y, x, BYTES), rp_run_error(run));
      EXPECT(RP_OK, rp_run_set_input(run, h.bit, &bit, 4), rp_run_error(run));
      EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
      const bool faults = i < 2 && (bit || flags);
      EXPECT(faults ? RP_ERR_INPUT : RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
      if (!faults) assert_memory_equal(rp_run_output(run, h.out), x, BYTES);
      rp_run_end(run);
    }
    end_hand(&h);
  }
}

/* ---- In the program's graph -------------------------------------------------------------------------------------- */

static void expect_copies(rp_run *run) {
  rp_run_counters c = {.struct_size = sizeof c};
  rp_run_get_counters(run, &c);
  assert_int_equal(c.submissions, 1);
  assert_int_equal(c.downloads, 2); /* outputs, and the error record */
}

/* A child of the program's graph has no conditional nodes: it computes everything. Runs of the recording before and
 * after it still leave out what they can. */
static void all_in_the_programs_graph(void **state) {
  (void)state;
  static uint64_t v[VARIABLES][N], copy[VARIABLES][N];
  uint32_t bits[BITS];
  for (uint32_t i = 0; i < 20; i++) {
    bench b;
    uint64_t seed = i + 77;
    open_device(&b);
    block *code = make_block(&seed, DEPTH);
    program p = make_program(&b, code, NULL, i % 2, i % 4 < 2 ? 0 : 4000000);
    rp_cuda_driver *d = interpose_driver(b.device);
    CUcontext context, popped;
    CUstream stream;
    assert_int_equal(d->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
    assert_int_equal(d->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    for (uint64_t k = 0; k < 6; k++) {
      draw(v, bits, i + k * 0x3f5);
      memcpy(copy, v, sizeof copy);
      rp_run *run = give(&p, v, bits, k);
      if (k % 3 != 1) {
        EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
        EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
        expect_copies(run);
      } else {
        CUgraph graph;
        CUgraphExec exec;
        assert_int_equal(d->cuGraphCreate(&graph, 0), CUDA_SUCCESS);
        const rp_into into = {.struct_size = sizeof into, .kind = RP_INTO_CUDA_GRAPH, .handle = graph};
        EXPECT(RP_OK, rp_run_record_into(run, &into), rp_run_error(run));
        assert_int_equal(d->cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
        assert_int_equal(d->cuGraphLaunch(exec, stream), CUDA_SUCCESS);
        assert_int_equal(d->cuStreamSynchronize(stream), CUDA_SUCCESS);
        expect_bodies_run(0);
        EXPECT(RP_OK, rp_run_collect(run), rp_run_error(run));
        assert_int_equal(d->cuGraphExecDestroy(exec), CUDA_SUCCESS);
        assert_int_equal(d->cuGraphDestroy(graph), CUDA_SUCCESS);
      }
      evaluate(code, copy, bits);
      compare_with(&p, run, copy);
      rp_run_end(run);
    }
    assert_int_equal(d->cuStreamDestroy(stream), CUDA_SUCCESS);
    assert_int_equal(d->cuCtxPopCurrent(&popped), CUDA_SUCCESS);
    assert_int_equal(d->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
    drop_program(&p);
    free_block(code);
    close_device(&b);
  }
}

int main(void) {
#ifndef FAKE_CUDA
  if (bench_absent()) return 77;
#endif
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs),
      cmocka_unit_test(a_chain_is_one_body),
      cmocka_unit_test(bodies_keep_what_is_parallel),
      cmocka_unit_test(a_branch_in_a_branch),
      cmocka_unit_test(without_conditional_nodes),
      cmocka_unit_test(no_fault_in_what_is_left_out),
      cmocka_unit_test(all_in_the_programs_graph),
  };
  return cmocka_run_group_tests_name("cuda branches", tests, NULL, NULL);
}
