/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Programs on several lanes, with a queue each or several lanes on one, under every order of execution that the waits
 * allow (queues.h).
 */
#include "queues.h"
#include "work.h"

#include "device.h"
#include "program.h"
#include "recording.h"

/* Branches of different lengths, which begin with 1, 2 ... times the input, and come together at the end:
 * out = (1 + 2 + ...) * in, since an inverse of an inverse is the value. An inverse takes several dispatches. */
enum { BRANCHES = 5, FACTOR = BRANCHES * (BRANCHES + 1) / 2 };
typedef struct tree {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in, out;
} tree;

static tree make(const bench *b, uint32_t slots, uint32_t in_flags, uint32_t out_flags, uint32_t record_flags) {
  static uint64_t seed;
  tree t;
  rp_error err = {0};
  const rp_record_options options = {
      .struct_size = sizeof options, .max_in_flight = slots, .flags = record_flags, .order_seed = ++seed};
  EXPECT(RP_OK, rp_graph_create(b->context, "tree", &t.graph, &err), &err);
  t.in = rp_graph_input(t.graph, "in", rp_type_field(RP_FIELD_GOLDILOCKS), N, in_flags);
  rp_value branch[BRANCHES], first = t.in;
  for (uint32_t k = 0; k < BRANCHES; k++) {
    branch[k] = k ? rp_add(t.graph, first, t.in) : t.in;
    first = branch[k];
    for (uint32_t i = 0; i < 2 * (k / 2 + 1); i++) branch[k] = rp_batch_inverse(t.graph, branch[k], NULL);
  }
  t.out = branch[0];
  for (uint32_t k = 1; k < BRANCHES; k++) t.out = rp_add(t.graph, t.out, branch[k]);
  rp_graph_output(t.graph, "out", t.out, out_flags);
  EXPECT(RP_OK, rp_record(b->device, t.graph, &options, &t.recording, &err), &err);
  return t;
}

static void drop(tree *t) {
  rp_recording_destroy(t->recording);
  rp_graph_destroy(t->graph);
}

static const rp_program *program_of(const tree *t, uint32_t slot) { return t->recording->slots[slot].program; }

static void fill(uint64_t in[N], uint64_t seed) {
  for (uint64_t i = 0; i < N; i++) in[i] = ((seed * 1000003 + i * i) & 0xffffff) + 1; /* far below the modulus */
}

static rp_run *begin(const tree *t, const uint64_t in[N]) {
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(t->recording, UINT64_MAX, &run, NULL), NULL);
  if (in) EXPECT(RP_OK, rp_run_set_input(run, t->in, in, BYTES), rp_run_error(run));
  return run;
}

static void finish(const tree *t, rp_run *run, const uint64_t in[N], uint64_t factor) {
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  const uint64_t *got = rp_run_output(run, t->out);
  assert_non_null(got);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], factor * in[i]);
  rp_run_end(run);
}

/* ---- What was submitted ------------------------------------------------------------------------------------------ */

static uint32_t place_of(const rp_program *p, uint32_t step) {
  uint32_t n = 0;
  while (p->places[n].step != step) n++;
  return n;
}

static uint32_t batch_of(const rp_program *p, uint32_t place) {
  uint32_t b = 0;
  while (place >= p->lanes.batches[b].first + p->lanes.batches[b].n) b++;
  return b;
}

/* The place of a command buffer in the order in which the driver got them; their number if it is not among them. */
static uint32_t time_of(VkCommandBuffer commands) {
  uint32_t at = 0;
  while (at < queues_seen.n_executed && queues_seen.executed[at] != commands) at++;
  return at;
}

/* Every step came behind its predecessors: those of its lane have a barrier in between. */
static void check_order(const rp_program *p) {
  for (uint32_t i = 0; i < p->desc->n_steps; i++) {
    const rp_step *step = &p->desc->steps[i];
    const uint32_t at = place_of(p, i), b = batch_of(p, at), lane = p->lanes.batches[b].lane;
    const uint32_t time = time_of(p->commands[p->batches[b].stretch]);
    assert_true(time < queues_seen.n_executed);
    assert_true(b == 0 || time > time_of(p->commands[0]));
    for (uint32_t j = 0; j < step->n_preds; j++) {
      const uint32_t from = place_of(p, step->preds[j]), c = batch_of(p, from);
      bool ordered = p->lanes.batches[c].lane != lane;
      for (uint32_t n = from + 1; n <= at; n++)
        ordered |= p->places[n].barrier && p->lanes.batches[batch_of(p, n)].lane == lane;
      assert_true(ordered);
      assert_true(c == b || time_of(p->commands[p->batches[c].stretch]) < time);
    }
  }
  assert_int_equal(time_of(p->commands[p->n_stretches - 1]) + (p->wipe ? 2 : 1), queues_seen.n_executed);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static void every_order(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  bench_open(&b);
  rp_vk *vk = b.device->state;
  for (uint32_t n = 2; n <= RP_VK_MOST_LANES; n += 2)
    for (uint32_t n_lanes = n; n_lanes <= RP_VK_MOST_LANES; n_lanes += 3)
      for (uint32_t flags = 0; flags <= RP_RECORD_RANDOM_ORDER; flags += RP_RECORD_RANDOM_ORDER) {
        queues_begin(vk, n, n + n_lanes);
        vk->n_lanes = n_lanes;
        tree t = make(&b, 1, flags ? RP_SECRET : 0, 0, flags | RP_RECORD_CHECK_HAZARDS);
        const rp_program *p = program_of(&t, 0);
        assert_in_range(p->lanes.n_lanes, 2, n_lanes);
        for (uint64_t round = 0; round < 20; round++) {
          fill(in, round);
          queues_seen.n_executed = queues_seen.calls = 0;
          rp_run *run = begin(&t, in);
          EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
          check_order(p);
          EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
          rp_run_counters c = {.struct_size = sizeof c};
          rp_run_get_counters(run, &c);
          assert_int_equal(c.submissions, p->lanes.n_lanes < n ? p->lanes.n_lanes : n);
          assert_int_equal(c.submissions, queues_seen.calls);
          finish(&t, run, in, FACTOR);
        }
        drop(&t);
        queues_end(vk);
      }
  bench_close(&b);
}

static uint32_t steps_executed(const rp_program *p) {
  uint32_t n = 0;
  for (uint32_t b = 0; b < p->lanes.n_batches; b++)
    if (time_of(p->commands[p->batches[b].stretch]) < queues_seen.n_executed) n += p->lanes.batches[b].n;
  return n;
}

/* A batch for each step, as for a watchdog: steps are counted when their batches end. */
static void progress_counts_lanes(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  bench_open(&b);
  rp_vk *vk = b.device->state;
  vk->batch_ns = 1;
  queues_begin(vk, 4, 3);
  tree t = make(&b, 1, 0, 0, 0);
  const rp_program *p = program_of(&t, 0);
  fill(in, 1);
  for (uint64_t round = 1; round <= 2; round++) {
    rp_run *run = begin(&t, in);
    queues_seen.n_executed = 0;
    queues_seen.holds = true;
    EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
    do assert_int_equal(rp_run_progress(run, NULL), steps_executed(p));
    while (queues_step());
    assert_int_equal(steps_executed(p), p->desc->n_steps);
    queues_seen.holds = false;
    finish(&t, run, in, FACTOR);
    uint64_t batches = 1;
    for (uint32_t lane = 0; lane < p->lanes.n_lanes; lane++) {
      uint64_t passed = 0;
      assert_int_equal(vk->fn.vkGetSemaphoreCounterValue(vk->device, p->passed[lane], &passed), VK_SUCCESS);
      assert_int_equal(passed, p->passed_value[lane]);
      assert_int_equal(passed % round, 0);
      batches += passed / round;
    }
    assert_int_equal(batches, p->lanes.n_batches);
  }
  assert_true(p->lanes.n_batches >= p->desc->n_steps);
  drop(&t);
  queues_end(vk);
  bench_close(&b);
}

static void record_into(const tree *t, VkCommandBuffer commands) {
  const rp_into into = {.struct_size = sizeof into, .kind = RP_INTO_VULKAN_COMMANDS, .handle = (void *)commands};
  rp_run *run = begin(t, NULL);
  interpose.n_recorded = 0;
  EXPECT(RP_OK, rp_run_record_into(run, &into), rp_run_error(run));
  rp_run_end(run);
}

/* Every step that was recorded has a barrier between it and each of its predecessors. */
static void check_barriers(const rp_program *p) {
  uint32_t barriers[256] = {0}, n_barriers = 0, n = 0; /* per step: how many barriers came before it */
  assert_true(p->desc->n_steps <= 256);
  for (uint32_t i = 0; i < interpose.n_recorded; i++)
    if (interpose.recorded[i] == RECORDED_DISPATCH)
      barriers[p->places[n++].step] = n_barriers;
    else
      n_barriers += interpose.recorded[i] == RECORDED_BARRIER;
  assert_int_equal(n, p->desc->n_steps);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < p->desc->steps[i].n_preds; j++)
      assert_true(barriers[p->desc->steps[i].preds[j]] < barriers[i]);
}

/* In a command buffer of the caller, where no semaphore is, barriers order all steps. */
static void one_command_buffer(void **state) {
  (void)state;
  bench b;
  bench_open(&b);
  rp_vk *vk = b.device->state;
  queues_begin(vk, 4, 7);
  VkCommandPool pool;
  VkCommandBuffer commands;
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                             .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                             .queueFamilyIndex = vk->family};
  assert_int_equal(vk->fn.vkCreateCommandPool(vk->device, &pool_info, NULL, &pool), VK_SUCCESS);
  const VkCommandBufferAllocateInfo of = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = pool,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
  assert_int_equal(vk->fn.vkAllocateCommandBuffers(vk->device, &of, &commands), VK_SUCCESS);
  const VkCommandBufferBeginInfo usual = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  for (uint32_t round = 0; round < 8; round++) {
    tree t = make(&b, 1, 0, 0, round ? RP_RECORD_RANDOM_ORDER : 0);
    assert_int_equal(vk->fn.vkBeginCommandBuffer(commands, &usual), VK_SUCCESS);
    record_into(&t, commands);
    check_barriers(program_of(&t, 0));
    assert_int_equal(vk->fn.vkEndCommandBuffer(commands), VK_SUCCESS);
    drop(&t);
  }
  vk->fn.vkDestroyCommandPool(vk->device, pool, NULL);
  queues_end(vk);
  bench_close(&b);
}

/* Runs that follow each other, in one submission and in several: the second reads what the first has written. */
static void chains(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  rp_buffer *x;
  bench_open(&b);
  rp_vk *vk = b.device->state;
  queues_begin(vk, 4, 5);
  tree one = make(&b, 2, RP_SECRET, RP_RESIDENT, 0), two = make(&b, 2, RP_BINDABLE, 0, 0);
  EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &x, NULL), NULL);
  for (uint64_t round = 0; round < 20; round++) {
    fill(in, round);
    rp_run *runs[] = {begin(&one, in), begin(&two, NULL)};
    rp_error err = {0};
    EXPECT(RP_OK, rp_run_bind_output(runs[0], one.out, x, 0), rp_run_error(runs[0]));
    EXPECT(RP_OK, rp_run_bind_input(runs[1], two.in, x, 0), rp_run_error(runs[1]));
    if (round % 2) {
      EXPECT(RP_OK, rp_runs_submit(runs, 2, NULL, &err), &err);
    } else {
      const rp_submit_options after = {.struct_size = sizeof after, .after = runs, .n_after = 1};
      EXPECT(RP_OK, rp_run_submit(runs[0]), rp_run_error(runs[0]));
      EXPECT(RP_OK, rp_run_submit_with(runs[1], &after), rp_run_error(runs[1]));
    }
    finish(&two, runs[1], in, FACTOR * FACTOR);
    EXPECT(RP_OK, rp_run_wait(runs[0], UINT64_MAX), rp_run_error(runs[0]));
    rp_run_end(runs[0]);
  }
  rp_buffer_destroy(x);
  drop(&one);
  drop(&two);
  queues_end(vk);
  bench_close(&b);
}

/* A chain of small steps, and beside it one that fills the device for long: in levels the chain would wait for it. */
static uint32_t count_lanes(const bench *b, uint64_t n_beside) {
  rp_graph *g;
  rp_recording *recording;
  rp_error err = {0};
  const rp_type *type = rp_type_field(RP_FIELD_GOLDILOCKS);
  EXPECT(RP_OK, rp_graph_create(b->context, "chain", &g, &err), &err);
  rp_value x = rp_graph_input(g, "x", type, N, 0);
  const rp_value beside = rp_graph_input(g, "beside", type, n_beside, 0);
  for (uint32_t i = 0; i < 12; i++) x = rp_add(g, rp_batch_inverse(g, x, NULL), x);
  rp_graph_output(g, "out", x, 0);
  rp_graph_output(g, "out_beside", rp_add(g, beside, beside), 0);
  EXPECT(RP_OK, rp_record(b->device, g, NULL, &recording, &err), &err);
  const uint32_t n_lanes = recording->slots[0].program->lanes.n_lanes;
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  return n_lanes;
}

static void lanes_where_they_gain(void **state) {
  (void)state;
  bench b;
  bench_open(&b);
  rp_vk *vk = b.device->state;
  queues_begin(vk, 4, 1);
  vk->forces_lanes = false;
  vk->hop_ns = RP_VK_HOP_NS;
  vk->limits.workers = 2;
  assert_int_equal(count_lanes(&b, 1 << 16), 2);
  assert_int_equal(count_lanes(&b, N), 1);
  vk->n_lanes = 1;
  assert_int_equal(count_lanes(&b, 1 << 16), 1);
  queues_end(vk);
  bench_close(&b);
}

/* If the first queue refuses, nothing has happened. If a later one does, the device is lost, and what the others had
 * accepted has ended: nothing waits for ever, and the run's end is not signalled. */
static void a_queue_refuses(void **state) {
  (void)state;
  uint64_t in[N];
  fill(in, 3);
  for (uint32_t refused = 1; refused <= 4; refused++) {
    bench b;
    bench_open(&b);
    rp_vk *vk = b.device->state;
    queues_begin(vk, 4, refused);
    tree t = make(&b, 1, RP_SECRET, 0, 0);
    assert_int_equal(program_of(&t, 0)->lanes.n_lanes, 4);
    rp_run *run = begin(&t, in);
    queues_seen.calls = 0;
    queues_seen.fail_in = refused;
    EXPECT(RP_ERR_DEVICE_MEMORY, rp_run_submit(run), rp_run_error(run));
    assert_int_equal(rp_vk_wait_for(vk, program_of(&t, 0)->done, 1, 0, NULL), RP_ERR_TIMEOUT);
    assert_null(rp_run_output(run, t.out));
    rp_run_end(run);
    assert_int_equal(vk->lost, refused > 1);
    if (refused == 1) {
      run = begin(&t, in);
      EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
      finish(&t, run, in, FACTOR);
    }
    drop(&t);
    queues_end(vk);
    bench_close(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_order), cmocka_unit_test(progress_counts_lanes), cmocka_unit_test(one_command_buffer),
      cmocka_unit_test(chains),      cmocka_unit_test(lanes_where_they_gain), cmocka_unit_test(a_queue_refuses),
  };
  return cmocka_run_group_tests_name("vulkan_queues", tests, NULL, NULL);
}
