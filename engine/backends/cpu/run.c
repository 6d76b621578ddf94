/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submission and completion. Inputs and outputs are used in place: the upload and the download of a run are counted,
 * but nothing is copied.
 */
#include "cpu.h"

#include <string.h>

static rp_status check_start(const rp_start *start, rp_error *err) {
  const rp_program *program = start->program;
  if (!atomic_load(&program->run.done))
    return rp_fail(err, RP_ERR_STATE, "%s: submitted again before the last run was over", program->desc->name);
  if (start->n_words > program->n_words)
    return rp_fail(err, RP_ERR_INTERNAL, "%s: the run has %u parameter words, and the plan %u", program->desc->name,
                   start->n_words, program->n_words);
  return RP_OK;
}

/* Everything before the start, which cannot fail. */
static void prepare(cpu_device *device, const rp_start *start) {
  rp_program *program = start->program;
  cpu_pool_wait(&device->pool, &program->wipe_rest, UINT64_MAX);
  if (program->record) memset(program->record, 0, sizeof *program->record);
  if (program->n_words) memset(program->words, 0, program->n_words * sizeof *program->words);
  if (start->n_words) memcpy(program->words, start->words, start->n_words * sizeof *program->words);
  for (uint32_t i = 0; i < program->n_places; i++) {
    const cpu_place *place = &program->places[i];
    const uint64_t elsewhere = program->words[place->word],
                   address = (elsewhere ? elsewhere : place->staging) + place->offset;
    memcpy(place->at, &address, sizeof address);
  }
  if (program->run.profile) {
    memset(program->profile.used, 0, program->profile.workers * sizeof *program->profile.used);
    program->profile.origin_ns = rp_now_ns();
  }
  program->collected = 0;
  program->counters = (rp_backend_counters){
      .submissions = 1, .uploads = program->desc->input_bytes != 0, .bytes_up = program->desc->input_bytes};
  program->run.priority = start->priority;
  program->run.stop_first = 0;
  program->links.n_follows = program->links.raises = 0;
}

rp_status cpu_submit(void *state, rp_program *program, const uint64_t *words, uint32_t n_words, const rp_links *links,
                     rp_error *err) {
  cpu_device *device = state;
  const rp_start start = {program, words, n_words, links ? links->priority : 0};
  const rp_status status = check_start(&start, err);
  if (status) return status;
  prepare(device, &start);
  if (links)
    cpu_links_submit(program, links, 0);
  else
    cpu_pool_start(&device->pool, &program->run);
  return RP_OK;
}

/* Each run follows the one before. */
rp_status cpu_submit_runs(void *state, const rp_start *runs, uint32_t n, const rp_links *links, rp_error *err) {
  cpu_device *device = state;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n && !status; i++) status = check_start(&runs[i], err);
  if (status) return status;
  for (uint32_t i = 0; i < n; i++) prepare(device, &runs[i]);
  rp_links own = *links;
  for (uint32_t i = 0; i < n; i++) {
    own.n_signals = i + 1 == n ? links->n_signals : 0;
    cpu_links_submit(runs[i].program, &own, 1);
    own.n_waits = 0;
    own.after = &runs[i].program;
    own.n_after = 1;
  }
  return RP_OK;
}

static rp_status report_conflict(const rp_program *program, rp_error *err) {
  const rp_step *steps = program->desc->steps;
  char one[RP_LABEL_BYTES], other[RP_LABEL_BYTES];
  return rp_fail(err, RP_ERR_INTERNAL, "hazard: \"%.200s\" and \"%.200s\" could run at once and touch the same memory",
                 rp_step_label(&steps[program->hazards.task_a], one),
                 rp_step_label(&steps[program->hazards.task_b], other));
}

rp_status cpu_wait(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault, rp_error *err) {
  cpu_device *device = state;
  if (device->pool.executor.parallel && program->links.n_follows) cpu_links_wait_earlier(program, timeout_ns);
  if (!cpu_pool_wait(&device->pool, &program->run, timeout_ns))
    return rp_fail(err, RP_ERR_TIMEOUT, "%s: the run has not finished", program->desc->name);
  cpu_links_end(program);
  bool complete = !atomic_load(&program->run.skipped);
  if (!program->collected) {
    program->collected = 1;
    program->counters.waits = 1;
    if (complete && program->desc->output_bytes) {
      program->counters.downloads = 1;
      program->counters.bytes_down = program->desc->output_bytes;
    }
  }
  if (program->run.hazards && program->hazards.found) return report_conflict(program, err);
  if (!complete) return rp_fail(err, RP_ERR_CANCELLED, "%s: the run was cancelled", program->desc->name);
  if (program->record)
    *fault = *program->record;
  else
    memset(fault, 0, sizeof *fault);
  return RP_OK;
}

void cpu_cancel(void *state, rp_program *program) {
  (void)state;
  cpu_links_cancel(program);
}

void cpu_wipe_program(void *state, rp_program *program) {
  cpu_device *device = state;
  cpu_pool_wait(&device->pool, &program->wipe_rest, UINT64_MAX);
  cpu_pool_start(&device->pool, &program->wipe_io);
  cpu_pool_start(&device->pool, &program->wipe_rest);
  cpu_pool_wait(&device->pool, &program->wipe_io, UINT64_MAX);
  /* A pool without threads of its own would wipe the rest only when somebody waits for it. */
  if (device->pool.executor.parallel) cpu_pool_wait(&device->pool, &program->wipe_rest, UINT64_MAX);
}

void cpu_counters(void *state, const rp_program *program, rp_backend_counters *counters) {
  (void)state;
  *counters = program->counters;
}

uint32_t cpu_progress(void *state, rp_program *program) {
  (void)state;
  if (atomic_load(&program->links.waits)) return 0; /* the count is that of the previous run */
  return atomic_load_explicit(&program->run.n_finished, memory_order_relaxed);
}

uint32_t cpu_timings(void *state, const rp_program *program, rp_timing *timings, uint32_t capacity) {
  (void)state;
  uint32_t n = 0;
  for (uint32_t w = 0; w < program->profile.workers; w++) {
    const rp_timing *spans = program->profile.spans + (size_t)w * program->profile.capacity;
    for (uint32_t i = 0; i < program->profile.used[w]; i++, n++)
      if (n < capacity) timings[n] = spans[i];
  }
  return n;
}
