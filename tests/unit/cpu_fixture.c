/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cpu_fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

static void *count_alloc(void *user, size_t bytes, size_t align) {
  cpu_fixture *f = user;
  atomic_fetch_add(&f->allocations, 1);
  atomic_fetch_add(&f->live_bytes, bytes);
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void count_free(void *user, void *memory, size_t bytes) {
  cpu_fixture *f = user;
  atomic_fetch_sub(&f->live_bytes, bytes);
  free(memory);
}

typedef struct call {
  void (*task)(void *arg, uint32_t i);
  void *arg;
  uint32_t i;
} call;

static void *call_main(void *argument) {
  const call *c = argument;
  c->task(c->arg, c->i);
  return NULL;
}

static void parallel(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  (void)user;
  pthread_t threads[16];
  call calls[16];
  for (uint32_t i = 1; i < n; i++) {
    calls[i] = (call){task, arg, i};
    if (pthread_create(&threads[i], NULL, call_main, &calls[i])) abort();
  }
  task(arg, 0);
  for (uint32_t i = 1; i < n; i++) pthread_join(threads[i], NULL);
}

const rp_executor fixture_executor = {.workers = 3, .parallel = parallel};

void fixture_open(cpu_fixture *f, uint32_t threads, const rp_executor *executor) {
  memset(f, 0, sizeof *f);
  rp_context_options co = {.struct_size = sizeof co,
                           .allocator = {.user = f, .alloc = count_alloc, .free = count_free}};
  rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = threads, .executor = executor};
  assert_int_equal(rp_context_create(&co, &f->context, NULL), RP_OK);
  rp_error err = {0};
  if (rp_backend_cpu.open(f->context, &o, &f->state, &f->info, &err)) fail_msg("%s", err.reason);
}

void fixture_close(cpu_fixture *f) {
  rp_backend_cpu.close(f->state);
  rp_context_destroy(f->context);
  assert_int_equal(f->live_bytes, 0);
}

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

draft *draft_new(cpu_fixture *f, uint32_t flags) {
  draft *d = calloc(1, sizeof *d);
  assert_non_null(d);
  d->fixture = f;
  d->desc = (rp_program_desc){.name = "draft", .steps = d->steps, .blocks = d->blocks, .flags = flags, .n_levels = 1};
  d->program_memory.blocks = d->memory;
  return d;
}

void draft_free(draft *d) {
  rp_backend_cpu.program_destroy(d->fixture->state, d->program);
  for (uint32_t b = 0; b < d->desc.n_blocks; b++) rp_backend_cpu.memory_free(d->fixture->state, &d->memory[b]);
  free(d);
}

uint32_t draft_block(draft *d, rp_space space, uint64_t bytes, int secret) {
  uint32_t b = d->desc.n_blocks++;
  d->blocks[b] = (rp_block){.space = space, .bytes = bytes, .secret = secret};
  assert_int_equal(rp_backend_cpu.memory_alloc(d->fixture->state, RP_MEMORY_DEVICE, bytes, &d->memory[b], NULL), RP_OK);
  memset(d->memory[b].host, 0, bytes);
  if (space == RP_SPACE_INPUT) d->desc.input_bytes += bytes;
  if (space == RP_SPACE_OUTPUT) d->desc.output_bytes += bytes;
  return b;
}

uint32_t draft_step(draft *d, const rp_kernel *kernel, uint32_t items, const void *args) {
  uint32_t s = d->desc.n_steps++;
  assert_true(s < MAX_STEPS);
  if (args) memcpy(d->args[s], args, kernel->args_bytes);
  d->patterns[s] = (rp_pattern){.kind = RP_STEP_DISPATCH,
                                .kernel = kernel,
                                .label = kernel ? kernel->name : "copy",
                                .groups = {items, 1, 1},
                                .refs = d->refs[s],
                                .args = d->args[s]};
  d->steps[s] = (rp_step){.pattern = &d->patterns[s], .preds = d->preds[s], .succs = d->succs[s]};
  return s;
}

void draft_ref(draft *d, uint32_t step, uint32_t block, uint64_t offset, uint64_t bytes, uint32_t access) {
  uint32_t r = d->patterns[step].n_refs++;
  assert_true(r < MAX_REFS);
  d->refs[step][r] =
      (rp_ref){.block = block, .offset = offset, .bytes = bytes, .access = access, .address = (uint32_t)r};
}

void draft_edge(draft *d, uint32_t before, uint32_t after) {
  rp_step *a = &d->steps[before], *b = &d->steps[after];
  for (uint32_t i = 0; i < b->n_preds; i++)
    if (b->preds[i] == before) return;
  assert_true(before < after && b->n_preds < MAX_EDGES && a->n_succs < MAX_STEPS / 32);
  d->succs[before][a->n_succs++] = after;
  d->preds[after][b->n_preds++] = before;
}

rp_status draft_try_build(draft *d, rp_error *err) {
  uint64_t before = d->fixture->live_bytes;
  rp_status status = rp_backend_cpu.program_create(d->fixture->state, &d->desc, &d->program_memory, &d->program, err);
  if (status == RP_OK) /* the size in the plan is exact */
    assert_int_equal(d->fixture->live_bytes - before, rp_backend_cpu.program_host_bytes(d->fixture->state, &d->desc));
  else
    assert_int_equal(d->fixture->live_bytes, before);
  return status;
}

void draft_build(draft *d) {
  rp_error err = {0};
  if (draft_try_build(d, &err)) fail_msg("%s", err.reason);
}

rp_status draft_run(draft *d) {
  rp_error_record fault = {.code = 99};
  rp_status status = rp_backend_cpu.submit(d->fixture->state, d->program, NULL, 0, NULL, NULL);
  if (status) return status;
  status = rp_backend_cpu.wait(d->fixture->state, d->program, UINT64_MAX, &fault, NULL);
  if (status == RP_OK) assert_int_equal(fault.code, 0);
  return status;
}
