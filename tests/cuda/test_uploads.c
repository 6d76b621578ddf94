/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The copies up of a recording with several large inputs, on the fake driver, which does the nodes of a graph in any
 * order that its edges allow: work on one input begins while others are not there yet, no step reads an input that is
 * not there, and the copies come in the order in which the longest path needs them. And long constants, which go up in
 * pieces through pinned memory.
 */
#include "bench.h"

#include "fake_cuda.h"
#include "interpose.h"
#include "toy_args.h"

#include <reprise/inspect.h>
#include <reprise/source.h>

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BIG = 1 << 17, BIG_BYTES = 8 * BIG, MOST_INPUTS = 24, LAUNCHES = 40, MORE = 2, MS = 1000000 };

/* ---- What the kernel sees ---------------------------------------------------------------------------------------- */

/* The first element of each input says which it is, and of which run. */
static const uint64_t magic = 0xa51cull << 48;
static uint64_t tag_of(uint32_t input, uint32_t run) { return magic | (uint64_t)(input + 1) << 32 | run; }

static struct seen {
  uint32_t n, run;
  const volatile uint64_t *at[MOST_INPUTS]; /* the inputs on the device, once a kernel has read them */
  bool early[MOST_INPUTS][MOST_INPUTS];     /* [i][j]: a kernel has read i before j was there */
} seen;

static void look(const uint64_t *a) {
  if ((a[0] & magic) != magic || (a[0] >> 32 & 0xffff) - 1 >= seen.n) return;
  const uint32_t i = (uint32_t)(a[0] >> 32 & 0xffff) - 1;
  if (a[0] != tag_of(i, seen.run)) return; /* of the run before: its sums will be wrong */
  seen.at[i] = a;
  for (uint32_t j = 0; j < seen.n; j++)
    if (seen.at[j] && *seen.at[j] != tag_of(j, seen.run)) seen.early[i][j] = 1;
}

static void watched_mix(const void *args, uint64_t threads) {
  const toy_mix_args *t = args;
  look(t->a);
  look(t->b);
  for (uint64_t i = 0; i < t->n && i < threads; i++) t->out[i] = t->a[i] * t->factor + t->b[i];
}

/* ---- A graph with large inputs ----------------------------------------------------------------------------------- */

typedef struct uploads {
  bench b;
  rp_graph *graph;
  rp_recording *recording;
  rp_value in[MOST_INPUTS], out;
  uint64_t len[MOST_INPUTS];
  uint32_t n;
} uploads;

static void begin(uploads *u) {
  rp_error err = {0};
  *u = (uploads){0};
  bench_open(&u->b, 0, 0);
  EXPECT(RP_OK, rp_graph_create(u->b.context, "uploads", &u->graph, &err), &err);
}

static rp_value add_input(uploads *u, uint64_t len, uint32_t flags) {
  char name[16];
  snprintf(name, sizeof name, "in%u", u->n);
  u->len[u->n] = len;
  return u->in[u->n++] = rp_graph_input(u->graph, name, &toy_u64, len, flags);
}

static rp_value chain(uploads *u, rp_value x, uint32_t n) {
  while (n--) x = toy_mix(u->graph, x, x, 2); /* 3 x */
  return x;
}

/* With `ns`, each toy_mix is predicted to take so long, and the recording is cut into pieces. */
static void record(uploads *u, rp_value out, uint32_t flags, uint64_t ns) {
  rp_error err = {0};
  const rp_record_options options = {.struct_size = sizeof options, .flags = flags};
  rp_graph_output(u->graph, "out", u->out = out, 0);
  if (ns) bench_predict(&u->b, u->graph, ns);
  EXPECT(RP_OK, rp_record(u->b.device, u->graph, &options, &u->recording, &err), &err);
  if (ns) assert_true(fake_branches() >= 5);
  seen = (struct seen){.n = u->n};
}

static void end(uploads *u) {
  rp_recording_destroy(u->recording);
  rp_graph_destroy(u->graph);
  bench_close(&u->b);
}

/* One run in which all elements of an input are its tag; returns the first and the last element of the output, which
 * are equal. */
static uint64_t run_once(uploads *u, uint32_t copies) {
  rp_error err = {0};
  rp_run *run;
  rp_run_counters c = {.struct_size = sizeof c};
  seen.run++;
  EXPECT(RP_OK, rp_run_begin(u->recording, 0, &run, &err), &err);
  for (uint32_t i = 0; i < u->n; i++) {
    uint64_t *staging = rp_run_input(run, u->in[i]);
    for (uint64_t k = 0; k < u->len[i]; k++) staging[k] = tag_of(i, seen.run);
  }
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  const uint64_t *out = rp_run_output(run, u->out), first = out[0];
  assert_int_equal(out[rp_value_len(u->graph, u->out) - 1], first);
  rp_run_get_counters(run, &c);
  assert_int_equal(c.uploads, 1 + copies);
  rp_run_end(run);
  return first;
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

/* The input with the longest path comes second in the staging. */
static void three(uploads *u, uint32_t input_flags, uint32_t record_flags, uint64_t ns) {
  begin(u);
  rp_value x[3];
  for (int i = 0; i < 3; i++) x[i] = add_input(u, BIG, input_flags);
  x[0] = chain(u, x[0], 2);
  x[1] = chain(u, x[1], 9);
  x[2] = chain(u, x[2], 5);
  record(u, toy_mix(u->graph, toy_mix(u->graph, x[0], x[2], 1), x[1], 1), record_flags, ns);
}

static void work_begins_before_all_is_there(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    uploads u;
    three(&u, k & 1 ? RP_SECRET : 0, k & 2 ? RP_RECORD_PROFILE : 0, k & 4 ? 10 * MS : 0);
    for (uint32_t i = 0; i < (k & 2 ? MORE : 1) * LAUNCHES; i++) {
      const uint64_t out = run_once(&u, 3);
      assert_true(out == 9 * tag_of(0, seen.run) + 19683 * tag_of(1, seen.run) + 243 * tag_of(2, seen.run));
    }
    static const uint32_t order[3] = {1, 2, 0}; /* by the lengths of the chains */
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) assert_int_equal(seen.early[order[i]][order[j]], i < j);
    end(&u);
  }
}

/* A step that waits for steps on one input, and reads another one itself. It does not hold these steps up if they would
 * be one piece with it. */
static void a_later_step_waits_for_its_own_input(void **state) {
  (void)state;
  enum { MORE_STEPS = 60 };
  for (uint64_t ns = 0; ns <= MS; ns += MS) {
    uploads u;
    begin(&u);
    const rp_value x = add_input(&u, BIG, 0), y = add_input(&u, BIG, 0);
    rp_value out = toy_mix(u.graph, chain(&u, x, 2), y, 5);
    for (int i = 0; ns && i < MORE_STEPS; i++) out = toy_mix(u.graph, out, y, 1);
    record(&u, out, 0, ns);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
      const uint64_t sum = run_once(&u, 2);
      assert_true(sum == 45 * tag_of(0, seen.run) + (1 + (ns ? MORE_STEPS : 0)) * tag_of(1, seen.run));
    }
    assert_true(seen.early[0][1] && !seen.early[1][0]);
    end(&u);
  }
}

/* The body of a conditional node waits for what any of its steps reads, by itself or with its piece. */
static void a_body_waits_for_its_inputs(void **state) {
  (void)state;
  for (uint64_t ns = 0; ns <= 12 * MS; ns += 12 * MS) {
    uploads u;
    begin(&u);
    const rp_value x = add_input(&u, BIG, 0), y = add_input(&u, BIG, 0), bit = toy_bit(u.graph, x, 1);
    rp_condition_begin(u.graph, bit, 1);
    const rp_value then = toy_mix(u.graph, chain(&u, x, 3), y, 1);
    rp_condition_end(u.graph);
    record(&u, toy_select(u.graph, bit, then, x), 0, ns);
    for (uint32_t i = 0; i < 4 * LAUNCHES; i++) {
      const uint64_t out = run_once(&u, 2), own = tag_of(0, seen.run);
      assert_true(out == (own & 1 ? 27 * own + tag_of(1, seen.run) : own));
    }
    end(&u);
  }
}

/* Inputs of less than 1 MiB go with a neighbour, and many inputs in no more than 16 copies. Each has one step. */
static void small_and_many_inputs_share_copies(void **state) {
  (void)state;
  static const struct {
    uint32_t n, copies, large; /* one bit per input */
  } cases[] = {{3, 1, 0}, {3, 1, 1}, {3, 1, 2}, {4, 2, 6}, {5, 3, 21}, {16, 16, 0xffff}, {24, 12, 0xffffff}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    uploads u;
    rp_value bits[MOST_INPUTS], all;
    begin(&u);
    for (uint32_t i = 0; i < cases[k].n; i++)
      bits[i] = toy_bit(u.graph, add_input(&u, cases[k].large >> i & 1 ? BIG : N, 0), UINT32_MAX);
    all = bits[0];
    for (uint32_t i = 1; i < u.n; i++) all = toy_select(u.graph, bits[i], all, bits[0]);
    record(&u, all, 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
      rp_error err = {0};
      rp_run *run;
      rp_run_counters c = {.struct_size = sizeof c};
      EXPECT(RP_OK, rp_run_begin(u.recording, 0, &run, &err), &err);
      for (uint32_t x = 0; x < u.n; x++) assert_non_null(rp_run_input(run, u.in[x]));
      EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
      EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
      rp_run_get_counters(run, &c);
      assert_int_equal(c.uploads, 1 + cases[k].copies);
      rp_run_end(run);
    }
    end(&u);
  }
}

/* ---- Inputs from the caller's memory ----------------------------------------------------------------------------- */

/* Page-locked memory for each input: the staging of another recording. */
typedef struct lender {
  rp_recording *recording;
  rp_run *run;
  uint64_t *at[MOST_INPUTS];
} lender;

static void begin_lending(uploads *u, lender *l) {
  rp_error err = {0};
  *l = (lender){0};
  EXPECT(RP_OK, rp_record(u->b.device, u->graph, NULL, &l->recording, &err), &err);
  EXPECT(RP_OK, rp_run_begin(l->recording, 0, &l->run, &err), &err);
  for (uint32_t i = 0; i < u->n; i++) assert_non_null(l->at[i] = rp_run_input(l->run, u->in[i]));
}

static void end_lending(lender *l) {
  rp_run_end(l->run);
  rp_recording_destroy(l->recording);
}

/* One run in which the inputs of the mask are lent; the others go through the staging. */
static void lend_once(uploads *u, uint64_t *const *lent, uint32_t mask) {
  rp_error err = {0};
  rp_run *run;
  seen.run++;
  EXPECT(RP_OK, rp_run_begin(u->recording, 0, &run, &err), &err);
  for (uint32_t i = 0; i < u->n; i++) {
    uint64_t *to = mask >> i & 1 ? lent[i] : rp_run_input(run, u->in[i]);
    for (uint64_t k = 0; k < u->len[i]; k++) to[k] = tag_of(i, seen.run);
    if (mask >> i & 1) EXPECT(RP_OK, rp_run_lend_input(run, u->in[i], to, 8 * u->len[i]), rp_run_error(run));
  }
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  const uint64_t *out = rp_run_output(run, u->out),
                 sum = 9 * tag_of(0, seen.run) + 19683 * tag_of(1, seen.run) + 243 * tag_of(2, seen.run);
  assert_true(out[0] == sum && out[BIG - 1] == sum);
  rp_run_end(run);
  for (uint32_t i = 0; i < u->n; i++) /* wiping is for the staging */
    if (mask >> i & 1) assert_true(lent[i][0] == tag_of(i, seen.run) && lent[i][BIG - 1] == lent[i][0]);
}

/* The copies up get another source when it changes, and only then. */
static void lent_inputs_go_up_from_where_they_lie(void **state) {
  (void)state;
  static const uint32_t masks[] = {7, 7, 0, 0, 1, 5, 2, 7, 0}, changed[] = {3, 0, 3, 0, 1, 1, 3, 2, 3};
  for (int k = 0; k < 6; k++) {
    uploads u;
    lender l;
    three(&u, RP_LENDABLE | (k & 1 ? RP_SECRET : 0), k & 2 ? RP_RECORD_PROFILE : 0, k & 4 ? 10 * MS : 0);
    begin_lending(&u, &l);
    (void)run_once(&u, 3);
    for (size_t r = 0; r < sizeof masks / sizeof *masks; r++) {
      fake_count_from_here();
      lend_once(&u, l.at, masks[r]);
      assert_int_equal(fake_calls("cuGraphExecMemcpyNodeSetParams"), changed[r]);
    }
    end_lending(&l), end(&u);
  }
}

/* An input that cannot be lent goes through the staging, between two that are. */
static void lent_beside_plain_inputs(void **state) {
  (void)state;
  uploads u;
  lender l;
  rp_value x[3];
  begin(&u);
  for (int i = 0; i < 3; i++)
    x[i] = chain(&u, add_input(&u, BIG, i == 1 ? 0 : RP_LENDABLE), i == 0 ? 2 : i == 1 ? 9 : 5);
  record(&u, toy_mix(u.graph, toy_mix(u.graph, x[0], x[2], 1), x[1], 1), 0, 0);
  begin_lending(&u, &l);
  static const uint32_t masks[] = {0, 5, 5, 1, 4, 0};
  for (size_t r = 0; r < 6; r++) lend_once(&u, l.at, masks[r]);
  end_lending(&l), end(&u);
}

/* Memory that is not page-locked, or not all of it, or of which the driver does not say so. */
static void pageable_memory_is_not_lent(void **state) {
  (void)state;
  uploads u;
  rp_error err = {0};
  rp_run *run;
  lender l;
  uint64_t *ordinary = malloc(BIG_BYTES);
  three(&u, RP_LENDABLE, 0, 0);
  begin_lending(&u, &l);
  EXPECT(RP_OK, rp_run_begin(u.recording, 0, &run, &err), &err);
  assert_int_equal(rp_run_lend_input(run, u.in[0], ordinary, BIG_BYTES), RP_ERR_UNSUPPORTED);
  assert_int_equal(rp_run_lend_input(run, u.in[0], l.at[2] + 1, BIG_BYTES), RP_ERR_UNSUPPORTED);
  fake_fail("cuPointerGetAttributes", 1, CUDA_ERROR_NOT_PERMITTED);
  assert_int_equal(rp_run_lend_input(run, u.in[0], l.at[2], BIG_BYTES), RP_ERR_UNSUPPORTED);
  assert_int_equal(rp_run_lend_input(run, u.in[0], l.at[2], BIG_BYTES), RP_OK);
  rp_run_end(run);
  end_lending(&l), end(&u);
  free(ordinary);
}

/* Memory that begins in one allocation and ends in the next: the copy up would read what lies between them. */
static void memory_in_two_pieces_is_not_lent(void **state) {
  (void)state;
  uploads u;
  rp_error err = {0};
  rp_run *run;
  CUcontext context;
  char *piece[8], *across = NULL;
  three(&u, RP_LENDABLE, 0, 0);
  const rp_cuda_driver *d = interpose_driver(u.b.device);
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
  for (int i = 0; i < 8; i++) assert_int_equal(d->cuMemHostAlloc((void **)&piece[i], BIG_BYTES, 0), CUDA_SUCCESS);
  for (int i = 0; i < 64; i++)
    if (piece[i / 8] > piece[i % 8] && piece[i / 8] - piece[i % 8] < 2 * BIG_BYTES - 8)
      across = piece[i / 8] + 8 - BIG_BYTES;
  assert_non_null(across); /* pieces lie next to each other */
  EXPECT(RP_OK, rp_run_begin(u.recording, 0, &run, &err), &err);
  assert_int_equal(rp_run_lend_input(run, u.in[0], across, BIG_BYTES), RP_ERR_UNSUPPORTED);
  rp_run_end(run);
  for (int i = 0; i < 8; i++) assert_int_equal(d->cuMemFreeHost(piece[i]), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPopCurrent(&context), CUDA_SUCCESS);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  end(&u);
}

/* The caller's graph gets one without pieces. The copies with other sources remain those of the recording's own. */
static void lent_beside_a_graph_of_the_caller(void **state) {
  (void)state;
  uploads u;
  lender l;
  rp_error err = {0};
  rp_run *run;
  CUgraph graph;
  three(&u, RP_LENDABLE, 0, 10 * MS);
  begin_lending(&u, &l);
  const rp_cuda_driver *d = interpose_driver(u.b.device);
  assert_int_equal(d->cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  EXPECT(RP_OK, rp_run_begin(u.recording, 0, &run, &err), &err);
  for (int i = 0; i < 3; i++) assert_non_null(rp_run_input(run, u.in[i]));
  const rp_into into = {.struct_size = sizeof into, .kind = RP_INTO_CUDA_GRAPH, .handle = graph};
  EXPECT(RP_OK, rp_run_record_into(run, &into), rp_run_error(run));
  rp_run_end(run);
  assert_int_equal(d->cuGraphDestroy(graph), CUDA_SUCCESS);
  for (uint32_t mask = 8; mask-- > 0;) lend_once(&u, l.at, mask);
  end_lending(&l), end(&u);
}

/* A driver that refuses the new source fails the submission; the next run sets all of them. */
static void a_loan_that_the_driver_refuses(void **state) {
  (void)state;
  uploads u;
  lender l;
  rp_error err = {0};
  rp_run *run;
  three(&u, RP_LENDABLE, 0, 0);
  begin_lending(&u, &l);
  lend_once(&u, l.at, 7);
  EXPECT(RP_OK, rp_run_begin(u.recording, 0, &run, &err), &err);
  for (int i = 0; i < 3; i++) assert_non_null(rp_run_input(run, u.in[i]));
  fake_count_from_here();
  fake_fail("cuGraphExecMemcpyNodeSetParams", 2, CUDA_ERROR_INVALID_VALUE);
  assert_true(rp_run_submit(run) != RP_OK);
  rp_run_end(run);
  for (uint32_t mask = 8; mask-- > 0;) lend_once(&u, l.at, mask); /* first what it had before the failure */
  end_lending(&l);
  end(&u);
}

enum { LEN = 9 * BIG + 3, PIECES = 5 };
static _Atomic int readers;

/* Element i is 5 i + 1. The first piece waits until another thread reads one, so that at least two are in use. */
static rp_status read_fives(void *user, uint64_t offset, uint64_t bytes, void *to, rp_error *err) {
  (void)user, (void)err;
  readers++;
  for (int i = 0; i < 2000 && readers < 2; i++) nanosleep(&(struct timespec){0, 1000000}, NULL);
  for (uint64_t at = 0; at < bytes; at += 8) {
    const uint64_t element = (offset + at) / 8 * 5 + 1;
    memcpy((char *)to + at, &element, 8);
  }
  return RP_OK;
}

/* A run of a graph that mixes x with the constant above: toy_mix(x, key, 3), where x[i] is i. */
static void run_with_fives(const uploads *u, rp_value x) {
  rp_error err = {0};
  rp_run *run;
  EXPECT(RP_OK, rp_run_begin(u->recording, 0, &run, &err), &err);
  uint64_t *staging = rp_run_input(run, x);
  for (uint64_t i = 0; i < LEN; i++) staging[i] = i;
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  const uint64_t *out = rp_run_output(run, u->out);
  for (uint64_t i = 0; i < LEN; i++) assert_true(out[i] == 8 * i + 1);
  rp_run_end(run);
}

/* Without any pinned memory it is ordinary memory, as for short constants. */
static void long_constants_go_up_in_pieces(void **state) {
  (void)state;
  const rp_constant_source source = {.struct_size = sizeof source, .read = read_fives};
  for (int refused = 0; refused < 2; refused++) {
    uploads u;
    readers = 0;
    begin(&u);
    const rp_value x = add_input(&u, LEN, 0), key = rp_graph_constant_from(u.graph, "key", &toy_u64, LEN, &source);
    fake_count_from_here();
    if (refused) fake_fail("cuMemHostAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY);
    record(&u, toy_mix(u.graph, x, key, 3), 0, 0);
    assert_int_equal(fake_calls("cuMemcpyHtoD"), PIECES);
    assert_true(fake_calls("cuStreamSynchronize") == 0); /* copies from pinned memory have ended when they return */
    assert_int_equal(fake_has_failed(), refused);
    run_with_fives(&u, x);
    end(&u);
  }
}

/* As a recorded key is used: the constant is borrowed from a mapped file, and goes up from there in pieces, without a
 * copy of its own. */
static void constants_go_up_from_a_mapped_file(void **state) {
  (void)state;
  enum { AT = 4096 };
  char path[] = "/tmp/reprise_mapped_XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, AT + 8 * LEN), 0);
  uint64_t *writable = mmap(NULL, AT + 8 * LEN, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert_true(writable != MAP_FAILED);
  for (uint64_t i = 0; i < LEN; i++) writable[AT / 8 + i] = 5 * i + 1;
  munmap(writable, AT + 8 * LEN);
  char *mapped = mmap(NULL, AT + 8 * LEN, PROT_READ, MAP_PRIVATE, file, 0);
  assert_true(mapped != MAP_FAILED);
  remove(path);
  close(file);
  uploads u;
  rp_error err = {0};
  rp_value_info info = {.struct_size = sizeof info};
  begin(&u);
  const rp_value x = add_input(&u, LEN, 0),
                 key = rp_graph_constant(u.graph, "key", &toy_u64, LEN, mapped + AT, RP_BORROW);
  EXPECT(RP_OK, rp_graph_get_value(u.graph, key.id - 1, &info, &err), &err);
  assert_ptr_equal(info.data, mapped + AT);
  fake_count_from_here();
  record(&u, toy_mix(u.graph, x, key, 3), 0, 0);
  assert_int_equal(fake_calls("cuMemcpyHtoD"), PIECES);
  assert_int_equal(fake_calls("cuStreamSynchronize"), 0); /* no copy came from other memory than pinned */
  run_with_fives(&u, x);
  end(&u);
  munmap(mapped, AT + 8 * LEN);
}

static int start(void **state) {
  (void)state;
  fake_reset();
  fake_add_kernel("toy_mix", watched_mix, sizeof(toy_mix_args)); /* of two with one name, the first is found */
  toy_register();
  return 0;
}

static int stop(void **state) {
  (void)state;
  if (fake_violation()) fail_msg("%s", fake_violation());
  static const char *const kinds[] = {"context", "module", "stream", "event", "graph", "exec", "device", "pinned"};
  for (int i = 0; i < 8; i++)
    if (fake_live(kinds[i])) fail_msg("left: %s", kinds[i]);
  return 0;
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, start, stop)
  const struct CMUnitTest tests[] = {
      CASE(work_begins_before_all_is_there),       CASE(a_later_step_waits_for_its_own_input),
      CASE(a_body_waits_for_its_inputs),           CASE(small_and_many_inputs_share_copies),
      CASE(long_constants_go_up_in_pieces),        CASE(constants_go_up_from_a_mapped_file),
      CASE(lent_inputs_go_up_from_where_they_lie), CASE(pageable_memory_is_not_lent),
      CASE(memory_in_two_pieces_is_not_lent),      CASE(lent_beside_plain_inputs),
      CASE(lent_beside_a_graph_of_the_caller),     CASE(a_loan_that_the_driver_refuses),
  };
  return cmocka_run_group_tests_name("cuda uploads", tests, NULL, NULL);
}
