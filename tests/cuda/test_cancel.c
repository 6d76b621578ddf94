/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Long recordings are cut into pieces, and a run that is cancelled leaves out those that it has not begun. On the fake
 * driver runs are cancelled at each piece, and nodes are counted.
 */
#include "long_graph.h"

#include <reprise/host_program.h>

#ifdef FAKE_CUDA
#include "device.h"
#include "fake_cuda.h"
#include "program.h"
#include "recording.h"
#endif

#include <stdio.h>
#include <time.h>

/* ---- On the fake driver ------------------------------------------------------------------------------------------ */

#ifdef FAKE_CUDA
/* Runs of this recording are cancelled at the piece of that number, from 1 on; 0: none is. */
static struct {
  rp_device *device;
  rp_run *run;
  uint32_t at, seen;
} canceller;

static void cancel_here(void) {
  if (++canceller.seen != canceller.at) return;
  /* What rp_run_cancel does to a run that has been submitted. On the fake driver this one is being submitted still. */
  canceller.device->backend->cancel(canceller.device->state, canceller.run->program);
}

static rp_run *start_and_cancel(const long_graph *l, const uint64_t x[N], uint32_t bit, uint32_t at) {
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(l->recording, UINT64_MAX, &run, NULL), NULL);
  EXPECT(RP_OK, rp_run_set_input(run, l->x, x, BYTES), rp_run_error(run));
  EXPECT(RP_OK, rp_run_set_input(run, l->bit, &bit, sizeof bit), rp_run_error(run));
  canceller.device = l->b.device;
  canceller.run = run;
  canceller.at = at;
  canceller.seen = 0;
  toy_before_piece = cancel_here;
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
  toy_before_piece = NULL;
  return run;
}

/* Whatever is short, timed, or for a driver or a tool that knows no such nodes, stays whole. */
static void what_is_cut(void **state) {
  (void)state;
  static const struct {
    uint32_t links;
    uint64_t ns;
    uint32_t flags, way, want;
  } cases[] = {{100, MS, 0, 0, 20},     {40, MS, 0, 0, 8},
               {39, MS, 0, 0, 0},       {100, 3 * MS, 0, 0, 60}, /* one or two dispatches begin in a window of 5 ms */
               {20, 12 * MS, 0, 0, 20}, {1, 100 * MS, 0, 0, 0},
               {100, 0, 0, 0, 0},       {100, MS, RP_RECORD_PROFILE, 0, 0},
               {100, MS, 0, 1, 0},      {100, MS, 0, 2, 0},
               {100, MS, 0, 3, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    long_graph l = long_begin();
    const rp_record_options o = {.struct_size = sizeof o, .flags = cases[i].flags};
    if (cases[i].way == 1) interpose_driver(l.b.device)->version = 12030;
    if (cases[i].way == 2) interpose_driver(l.b.device)->cuGraphAddNode = NULL;
    if (cases[i].way == 3) assert_int_equal(setenv("REPRISE_CUDA_SERIAL", "1", 1), 0);
    long_record(&l, long_chain(&l, l.x, cases[i].links), cases[i].ns, &o);
    long_once(&l, i, 0, 1 + cases[i].links);
    assert_int_equal(unsetenv("REPRISE_CUDA_SERIAL"), 0);
    print_message("case %d: %u pieces\n", (int)i, fake_branches());
    assert_int_equal(fake_branches(), cases[i].want);
    assert_int_equal(fake_bodies_run(), cases[i].want);
    long_end(&l);
  }
}

/* Independent chains are cut separately: a path through the graph has the pieces of one chain only, two nodes for each,
 * besides its first and last nodes. */
static void chains_stay_side_by_side(void **state) {
  (void)state;
  enum { CHAINS = 4, LINKS = 60 };
  long_graph l = long_begin();
  rp_value sum = l.x;
  for (uint32_t i = 0; i < CHAINS; i++) sum = toy_mix(l.g, long_chain(&l, toy_mix(l.g, l.x, l.x, i), LINKS), sum, 1);
  long_record(&l, sum, MS, NULL);
  print_message("%u pieces, path of %u\n", fake_branches(), fake_longest_path());
  assert_true(fake_branches() > CHAINS * LINKS / 2);
  assert_true(fake_longest_path() < 2 * fake_branches() / CHAINS + 12);
  for (uint64_t seed = 0; seed < 10; seed++) long_once(&l, seed, 0, 1 + CHAINS * (LINKS + 1) + 6);
  long_end(&l);
}

/* What a later dispatch of a piece waits for, the piece waits for: here the end of another chain. */
static void a_piece_waits_for_all(void **state) {
  (void)state;
  enum { LINKS = 60, OTHER = 11, JOIN = 14 };
  long_graph l = long_begin();
  rp_value out = long_chain(&l, l.x, JOIN);
  const rp_value other = long_chain(&l, toy_mix(l.g, l.x, l.x, 1), OTHER);
  out = long_chain(&l, toy_mix(l.g, out, other, 1), LINKS - JOIN);
  long_record(&l, out, MS, NULL);
  assert_true(fake_branches() > LINKS / 5);
  for (uint64_t seed = 0; seed < 30; seed++) long_once(&l, seed, 0, 1 + LINKS + 2 + OTHER);
  long_end(&l);
}

/* Where cutting would cost too much, because the short dispatches that a window begins with would be a piece each, the
 * windows become longer; or there is none. */
static void not_at_any_price(void **state) {
  (void)state;
  enum { LINKS = 60 };
  static const struct { uint32_t short_ones, want; } cases[] = {{0, 12}, {40, 6 + 40 + 1}, {2000, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    long_graph l = long_begin();
    rp_value out = long_chain(&l, l.x, LINKS);
    for (uint32_t k = 0; k < cases[i].short_ones; k++) out = toy_select(l.g, toy_bit(l.g, l.x, k + 1), out, out);
    long_record(&l, out, MS, NULL);
    print_message("%u short dispatches: %u pieces\n", cases[i].short_ones, fake_branches());
    assert_int_equal(fake_branches(), cases[i].want);
    long_once(&l, i, 0, 1 + LINKS);
    long_end(&l);
  }
}

static void expect_no_secrets(const uint64_t x[N]) {
  for (int e = 0; e < N; e += 100)
    if (fake_find_pattern(x[e])) fail_msg("element %d of the secret is left", e);
}

/* At each piece, from the first to the last: those from it on are left out, and nothing is given out or kept. The next
 * run of the slot is complete. */
static void cancelled_at_each_piece(void **state) {
  (void)state;
  enum { LINKS = 60, PIECES = 12 };
  long_graph l = long_begin();
  uint64_t x[N];
  long_record(&l, long_chain(&l, l.x, LINKS), MS, NULL);
  assert_int_equal(fake_branches(), PIECES);
  for (uint32_t at = 1; at <= PIECES; at++) {
    work_fill(x, at);
    long_expect_cancelled(&l, start_and_cancel(&l, x, 0, at));
    assert_int_equal(canceller.seen, PIECES);
    assert_int_equal(fake_bodies_run(), at - 1);
    expect_no_secrets(x);
    long_once(&l, at, 0, 1 + LINKS);
    assert_int_equal(fake_bodies_run(), PIECES);
  }
  /* After the last piece there is nothing to leave out, and the run is cancelled all the same. */
  work_fill(x, 0);
  rp_run *run = long_start(&l, x, 0);
  rp_run_cancel(run);
  long_expect_cancelled(&l, run);
  assert_int_equal(fake_bodies_run(), PIECES);
  expect_no_secrets(x);
  long_end(&l);
}

/* Wherever recording runs out of host memory, it fails and leaves nothing behind; the next attempt succeeds. */
static void no_memory_on_the_host(void **state) {
  (void)state;
  enum { LINKS = 60 };
  uint32_t failures = 0;
  long_graph l = long_begin();
  l.out = long_chain(&l, l.x, LINKS);
  rp_graph_output(l.g, "out", l.out, 0);
  bench_predict(&l.b, l.g, MS);
  for (int64_t nth = 0;; nth++) {
    rp_error err = {0};
    const uint64_t bytes = interpose_live_bytes;
    interpose_fail_at = nth;
    const rp_status status = rp_record(l.b.device, l.g, NULL, &l.recording, &err);
    const bool met = interpose_fail_at < 0;
    interpose_fail_at = -1;
    if (!met) {
      EXPECT(RP_OK, status, &err);
      break;
    }
    failures++;
    assert_int_equal(status, RP_ERR_MEMORY);
    assert_int_equal(interpose_live_bytes, bytes);
    assert_int_equal(fake_live("graph") + fake_live("exec") + fake_live("pinned"), 0);
  }
  print_message("%u allocations\n", failures);
  long_once(&l, 1, 0, 1 + LINKS);
  long_end(&l);
}

/* Waiting sleeps if the run before took long. One that was cancelled says nothing of how long the next one takes. */
static void waiting_after_a_cancelled_run(void **state) {
  (void)state;
  enum { LINKS = 60 };
  long_graph l = long_begin();
  uint64_t x[N];
  long_record(&l, long_chain(&l, l.x, LINKS), MS, NULL);
  work_fill(x, 1);
  for (int round = 0; round < 3; round++) { /* the first is seen late, the others at once */
    const bool cancelled = round == 1;
    rp_run *run = cancelled ? start_and_cancel(&l, x, 0, 1) : long_start(&l, x, 0);
    const rp_program *p = run->program;
    assert_ptr_equal(p->waiting, round ? p->done_long : p->done);
    if (round == 0) nanosleep(&(struct timespec){0, 30 * MS}, NULL);
    if (cancelled)
      long_expect_cancelled(&l, run);
    else
      long_finish(&l, run, x, 1 + LINKS);
  }
  long_end(&l);
}

/* Each of two runs in flight has its own word. */
static void one_of_two_runs(void **state) {
  (void)state;
  enum { LINKS = 60, PIECES = 12 };
  const rp_record_options o = {.struct_size = sizeof o, .max_in_flight = 2};
  long_graph l = long_begin();
  uint64_t x[2][N];
  long_record(&l, long_chain(&l, l.x, LINKS), MS, &o);
  for (uint32_t at = 1; at <= PIECES; at++) {
    work_fill(x[0], at);
    work_fill(x[1], at + 100);
    rp_run *cancelled = start_and_cancel(&l, x[0], 0, at);
    assert_int_equal(fake_bodies_run(), at - 1);
    rp_run *other = long_start(&l, x[1], 0);
    assert_int_equal(fake_bodies_run(), PIECES);
    rp_run_cancel(cancelled);
    long_finish(&l, other, x[1], 1 + LINKS);
    long_expect_cancelled(&l, cancelled);
  }
  long_end(&l);
}

/* A branch that spans many pieces is left out in each of them, and taken in each: later ones ask for the guard again.
 * The other branch is short. Counted are bodies of pieces and of branches in them. */
static void a_branch_over_many_pieces(void **state) {
  (void)state;
  enum { LINKS = 60 };
  long_graph l = long_begin();
  uint64_t x[N];
  rp_condition_begin(l.g, l.bit, 1);
  const rp_value then = long_chain(&l, l.x, LINKS);
  rp_condition_end(l.g);
  rp_condition_begin(l.g, l.bit, 0);
  const rp_value other = long_chain(&l, l.x, 1);
  rp_condition_end(l.g);
  long_record(&l, toy_select(l.g, l.bit, then, other), MS, NULL);
  long_once(&l, 1, 0, 2);
  const uint32_t without = fake_bodies_run();
  long_once(&l, 2, 4, 1 + LINKS);
  const uint32_t with = fake_bodies_run(), pieces = without - 1;
  print_message("%u pieces, %u bodies\n", pieces, with);
  assert_in_range(pieces, LINKS / 5, LINKS / 5 + 2);
  assert_in_range(with - pieces, LINKS / 5, LINKS / 5 + 1);
  for (uint32_t at = 1; at <= pieces; at++) {
    work_fill(x, at);
    long_expect_cancelled(&l, start_and_cancel(&l, x, 1, at));
    assert_true(fake_bodies_run() <= 2 * (at - 1));
    expect_no_secrets(x);
    long_once(&l, at, at % 2, at % 2 ? 1 + LINKS : 2);
  }
  long_end(&l);
}
#endif

/* ---- On both ----------------------------------------------------------------------------------------------------- */

/* Cancelled by another call than the one that waits, as soon as it has been submitted or while it runs; and runs before
 * and after it are right. */
static void runs_after_a_cancelled_one(void **state) {
  (void)state;
  enum { LINKS = 60 };
  long_graph l = long_begin();
  uint64_t x[N];
  long_record(&l, long_chain(&l, l.x, LINKS), MS, NULL);
  for (uint32_t round = 0; round < 20; round++) {
    long_once(&l, round, 0, 1 + LINKS);
    work_fill(x, round + 100);
    rp_run *run = long_start(&l, x, 0);
    const rp_status early = rp_run_wait(run, round % 2 ? 1000 * (uint64_t)round : 0);
    assert_true(early == RP_OK || early == RP_ERR_TIMEOUT);
    rp_run_cancel(run);
    const rp_status status = rp_run_wait(run, UINT64_MAX);
    if (status != RP_ERR_CANCELLED) EXPECT(RP_OK, status, rp_run_error(run)); /* it was done already */
    if (status == RP_ERR_CANCELLED) assert_null(rp_run_output(run, l.out));
    rp_run_end(run);
  }
  long_once(&l, 99, 0, 1 + LINKS);
  long_end(&l);
}

/* In the program's graph such a recording is not cut, and its runs before and after are. Kernels access what each run
 * binds, in all of them. */
static void whole_in_the_programs_graph(void **state) {
  (void)state;
  enum { LINKS = 60, ROUNDS = 9 };
  long_graph l = long_begin();
  const rp_value bound = rp_graph_input(l.g, "bound", &toy_u64, N, RP_RESIDENT);
  rp_value out = bound;
  for (uint32_t i = 0; i < LINKS; i++) out = toy_mix(l.g, out, i % 20 ? l.x : bound, 1);
  long_record(&l, out, MS, NULL); /* (LINKS - 3) x + 4 bound */
  rp_cuda_driver *d = interpose_driver(l.b.device);
  rp_buffer *buffer;
  CUcontext context, popped;
  CUstream stream;
  uint64_t x[N], y[N];
  EXPECT(RP_OK, rp_buffer_create(l.b.device, 2 * BYTES, &buffer, NULL), NULL);
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
  assert_int_equal(d->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  for (uint64_t round = 0; round < ROUNDS; round++) {
    const uint64_t at = round % 2 * BYTES;
    rp_run *run;
    work_fill(x, 2 * round);
    work_fill(y, 2 * round + 1);
    EXPECT(RP_OK, rp_buffer_write(buffer, at, y, BYTES, NULL), NULL);
    EXPECT(RP_OK, rp_run_begin(l.recording, UINT64_MAX, &run, NULL), NULL);
    EXPECT(RP_OK, rp_run_set_input(run, l.x, x, BYTES), rp_run_error(run));
    EXPECT(RP_OK, rp_run_set_input(run, l.bit, &(uint32_t){0}, 4), rp_run_error(run));
    EXPECT(RP_OK, rp_run_bind_input(run, bound, buffer, at), rp_run_error(run));
    if (round % 3 == 1) {
      CUgraph graph;
      CUgraphExec exec;
      assert_int_equal(d->cuGraphCreate(&graph, 0), CUDA_SUCCESS);
      const rp_into into = {.struct_size = sizeof into, .kind = RP_INTO_CUDA_GRAPH, .handle = graph};
      EXPECT(RP_OK, rp_run_record_into(run, &into), rp_run_error(run));
      assert_int_equal(d->cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
      assert_int_equal(d->cuGraphLaunch(exec, stream), CUDA_SUCCESS);
      assert_int_equal(d->cuStreamSynchronize(stream), CUDA_SUCCESS);
      EXPECT(RP_OK, rp_run_collect(run), rp_run_error(run));
      assert_int_equal(d->cuGraphExecDestroy(exec), CUDA_SUCCESS);
      assert_int_equal(d->cuGraphDestroy(graph), CUDA_SUCCESS);
    } else {
      EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
      EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    }
    const uint64_t *got = rp_run_output(run, l.out);
    for (int e = 0; e < N; e++) assert_int_equal(got[e], (LINKS - 3) * x[e] + 4 * y[e]);
    rp_run_end(run);
  }
  assert_int_equal(d->cuStreamDestroy(stream), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  rp_buffer_destroy(buffer);
  long_end(&l);
}

int main(void) {
#ifndef FAKE_CUDA
  if (bench_absent()) return 77;
#endif
  const struct CMUnitTest tests[] = {
#ifdef FAKE_CUDA
      cmocka_unit_test(what_is_cut),
      cmocka_unit_test(chains_stay_side_by_side),
      cmocka_unit_test(a_piece_waits_for_all),
      cmocka_unit_test(not_at_any_price),
      cmocka_unit_test(cancelled_at_each_piece),
      cmocka_unit_test(no_memory_on_the_host),
      cmocka_unit_test(waiting_after_a_cancelled_run),
      cmocka_unit_test(one_of_two_runs),
      cmocka_unit_test(a_branch_over_many_pieces),
#endif
      cmocka_unit_test(runs_after_a_cancelled_one),
      cmocka_unit_test(whole_in_the_programs_graph),
  };
  return cmocka_run_group_tests_name("cuda cancel", tests, NULL, NULL);
}
