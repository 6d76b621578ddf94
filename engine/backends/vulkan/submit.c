/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Replaying and waiting. A replay, of one run or of several, is one vkQueueSubmit for each queue: one for the lanes of
 * each compute queue, and one for inputs that have a queue of their own. It records nothing, and allocates only to
 * submit very many batches at once.
 */
#include "program.h"

#include <string.h>

/* A command buffer between two timeline semaphores: it runs when `wait` has reached `from`, and then sets `signal` to
 * `to`. */
typedef struct submission {
  VkCommandBuffer commands;
  VkSemaphore wait, signal;
  uint64_t from, to;
} submission;

static rp_status submit_between(rp_vk *vk, VkQueue queue, const submission *s, uint32_t n, rp_error *err) {
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkTimelineSemaphoreSubmitInfo timelines[RP_MOST_RUNS];
  VkSubmitInfo submits[RP_MOST_RUNS];
  for (uint32_t i = 0; i < n; i++) {
    timelines[i] = (VkTimelineSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                   .waitSemaphoreValueCount = 1,
                                                   .pWaitSemaphoreValues = &s[i].from,
                                                   .signalSemaphoreValueCount = 1,
                                                   .pSignalSemaphoreValues = &s[i].to};
    submits[i] = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .pNext = &timelines[i],
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &s[i].wait,
                                .pWaitDstStageMask = &stage,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &s[i].commands,
                                .signalSemaphoreCount = 1,
                                .pSignalSemaphores = &s[i].signal};
  }
  return RP_VK(vk, err, vkQueueSubmit, queue, n, submits, VK_NULL_HANDLE);
}

/* Submits the copies to the upload queue; they wait for the wiping of the previous runs. *any: there are some. */
static rp_status submit_uploads(rp_vk *vk, const rp_start *runs, uint32_t n, bool *any, rp_error *err) {
  submission uploads[RP_MOST_RUNS];
  uint32_t n_uploads = 0;
  for (uint32_t i = 0; i < n; i++) {
    const rp_program *p = runs[i].program;
    if (p->upload)
      uploads[n_uploads++] = (submission){p->upload, p->done, p->uploaded, p->last_value, p->upload_value + 1};
  }
  *any = n_uploads > 0;
  const rp_status status = *any ? submit_between(vk, vk->upload_queue, uploads, n_uploads, err) : RP_OK;
  for (uint32_t i = 0; i < n && status == RP_OK; i++) runs[i].program->upload_value += runs[i].program->upload != NULL;
  return status;
}

/* Wipes the inputs of a run that were uploaded when the run itself could not be submitted. If the wiping cannot be
 * submitted either, the device becomes lost, so that the memory with the inputs is not used again. Without secrets it
 * waits for the upload, which reads the staging; a wait that fails loses the device, too. */
static void take_back(rp_program *p) {
  const submission wipe = {p->wipe, p->uploaded, p->done, p->upload_value, p->last_value + 1};
  if (!p->wipe) {
    (void)rp_vk_wait_for(p->vk, p->uploaded, p->upload_value, UINT64_MAX, NULL);
    return;
  }
  if (submit_between(p->vk, p->vk->queue, &wipe, 1, NULL) == RP_OK)
    p->last_value = wipe.to;
  else
    atomic_store(&p->vk->lost, 1);
}

/* ---- A run as it is submitted ------------------------------------------------------------------------------------ */

static void add_point(rp_vk_points *at, VkSemaphore semaphore, uint64_t value) {
  at->semaphores[at->n] = semaphore;
  at->values[at->n] = value;
  at->stages[at->n++] = RP_VK_STAGES;
}

static void add_syncs(rp_vk_points *at, const rp_sync *syncs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) add_point(at, (VkSemaphore)syncs[i].handle, syncs[i].value);
}

/* `before`: what comes before it in the same submission, which it waits for with all memory accesses. It has no links
 * to wait for then. */
static void find_points(rp_program *p, VkQueue queue, const rp_links *links, const rp_program *before) {
  p->waits.n = p->signals.n = p->wiped.n = 0;
  if (p->upload) add_point(&p->waits, p->uploaded, p->upload_value);
  /* On one queue, the wiping after the run before comes first by itself, because of its barrier. */
  if (p->queue && p->queue != queue) add_point(&p->waits, p->done, p->last_value);
  if (before) add_point(&p->waits, before->done, before->last_value + 1);
  add_point(&p->signals, p->done, p->last_value + 1);
  add_point(&p->wiped, p->done, p->last_value + 2);
  if (!links) return;
  add_syncs(&p->waits, links->waits, links->n_waits);
  for (uint32_t i = 0; i < links->n_after; i++) add_point(&p->waits, links->after[i]->done, links->after[i]->run_value);
  add_syncs(&p->signals, links->signals, links->n_signals);
}

static void wait_in(VkSubmitInfo *submit, VkTimelineSemaphoreSubmitInfo *timeline, const rp_vk_points *waits) {
  timeline->waitSemaphoreValueCount = submit->waitSemaphoreCount = waits->n;
  timeline->pWaitSemaphoreValues = waits->values;
  submit->pWaitSemaphores = waits->semaphores;
  submit->pWaitDstStageMask = waits->stages;
  submit->pNext = timeline;
}

static void signal_in(VkSubmitInfo *submit, VkTimelineSemaphoreSubmitInfo *timeline, const rp_vk_points *signals) {
  timeline->signalSemaphoreValueCount = submit->signalSemaphoreCount = signals->n;
  timeline->pSignalSemaphoreValues = signals->values;
  submit->pSignalSemaphores = signals->semaphores;
  submit->pNext = timeline;
}

static bool is_last(const rp_program *p, uint32_t b) { return b == p->lanes.n_batches - 1; }

/* How many queues a run is spread over: on a queue of the caller, all lanes share that. */
static uint32_t count_queues(const rp_vk *vk, VkQueue queue) { return queue == vk->queue ? vk->n_queues : 1; }

/* How many batches a run has on a queue. */
static uint32_t n_on(const rp_program *p, uint32_t q) { return p->queue_at[q + 1] - p->queue_at[q]; }

/* The waits of a batch for other lanes. */
static void wait_for_lanes(rp_program *p, VkSubmitInfo *submit, uint32_t b) {
  const rp_vk_lane_batch *from = &p->lanes.batches[b];
  if (from->n_waits == 0) return;
  for (uint32_t w = from->first_wait; w < from->first_wait + from->n_waits; w++) {
    const rp_vk_lane_wait *wait = &p->lanes.waits[w];
    p->lane_waits.semaphores[w] = p->passed[wait->lane];
    p->lane_waits.values[w] = p->passed_value[wait->lane] + wait->number;
    p->lane_waits.stages[w] = RP_VK_STAGES;
  }
  VkTimelineSemaphoreSubmitInfo *timeline = &p->batches[b].timeline;
  timeline->waitSemaphoreValueCount = submit->waitSemaphoreCount = from->n_waits;
  timeline->pWaitSemaphoreValues = &p->lane_waits.values[from->first_wait];
  submit->pWaitSemaphores = &p->lane_waits.semaphores[from->first_wait];
  submit->pWaitDstStageMask = &p->lane_waits.stages[from->first_wait];
  submit->pNext = timeline;
}

static void lay_out_batch(rp_program *p, VkSubmitInfo *submit, uint32_t b) {
  const rp_vk_lane_batch *from = &p->lanes.batches[b];
  rp_vk_batch *batch = &p->batches[b];
  *submit = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = batch->n_stretches,
                           .pCommandBuffers = &p->commands[batch->stretch]};
  batch->timeline = (VkTimelineSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  wait_for_lanes(p, submit, b);
  if (b == 0 && p->waits.n) wait_in(submit, &batch->timeline, &p->waits);
  if (is_last(p, b)) {
    signal_in(submit, &batch->timeline, &p->signals);
    return;
  }
  batch->value = p->passed_value[from->lane] + from->number;
  batch->timeline.signalSemaphoreValueCount = submit->signalSemaphoreCount = 1;
  batch->timeline.pSignalSemaphoreValues = &batch->value;
  submit->pSignalSemaphores = &p->passed[from->lane];
  submit->pNext = &batch->timeline;
}

/* Lays out the batches, queue by queue, and behind the last one the wipe: the first batch waits for what comes before
 * the run, the last one and the wipe signal. */
static void lay_out(rp_program *p, VkQueue queue, const rp_links *links, const rp_program *before) {
  const int wipes = p->wipe && !(links && links->keeps);
  const uint32_t n_queues = count_queues(p->vk, queue);
  uint32_t at = 0;
  find_points(p, queue, links, before);
  for (uint32_t q = 0; q < n_queues; q++) {
    p->queue_at[q] = at;
    for (uint32_t b = 0; b < p->lanes.n_batches; b++)
      if (p->lanes.batches[b].lane % n_queues == q) lay_out_batch(p, &p->submits[at++], b);
    if (q > 0 || !wipes) continue;
    p->submits[at] =
        (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &p->wipe};
    p->wipe_end = (VkTimelineSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    signal_in(&p->submits[at++], &p->wipe_end, &p->wiped);
  }
  for (uint32_t q = n_queues; q <= RP_VK_MOST_LANES; q++) p->queue_at[q] = at;
  p->n_submits = at;
}

/* The value of a lane's semaphore after a run. */
static uint64_t end_of_lane(const rp_program *p, uint32_t lane) {
  uint64_t end = p->passed_value[lane];
  for (uint32_t b = 0; b + 1 < p->lanes.n_batches; b++) end += p->lanes.batches[b].lane == lane;
  return end;
}

/* It has been submitted as it was laid out. */
static void note_submitted(rp_program *p, VkQueue queue) {
  const uint32_t n_wipes = p->n_submits - p->lanes.n_batches;
  for (uint32_t lane = 0; lane < p->lanes.n_lanes; lane++) p->passed_before[lane] = p->passed_value[lane];
  for (uint32_t lane = 0; lane < p->lanes.n_lanes; lane++) p->passed_value[lane] = end_of_lane(p, lane);
  p->queue = queue;
  p->run_value = p->last_value + 1;
  p->last_value += 1 + n_wipes;
  p->unwiped = p->wipe && !n_wipes;
}

/* ---- Submission -------------------------------------------------------------------------------------------------- */

static void set_go(rp_program *p, uint32_t go) {
  if (p->go.host) __atomic_store_n((uint32_t *)p->go.host, go, __ATOMIC_RELEASE);
}

/* Submits the batches that several runs have for one queue. */
static rp_status submit_several(rp_vk *vk, uint32_t q, VkQueue queue, const rp_start *runs, uint32_t n, rp_error *err) {
  enum { FEW = 64 };
  VkSubmitInfo few[FEW] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO}}, *all = few;
  uint32_t total = 0, at = 0;
  for (uint32_t i = 0; i < n; i++) total += n_on(runs[i].program, q);
  const size_t bytes = total * sizeof *all;
  if (total > FEW) all = rp_host_alloc(vk->context, bytes, _Alignof(VkSubmitInfo));
  if (!all) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for submitting %u batches at once", total);
  for (uint32_t i = 0; i < n; at += n_on(runs[i++].program, q))
    memcpy(all + at, runs[i].program->submits + runs[i].program->queue_at[q], n_on(runs[i].program, q) * sizeof *all);
  const rp_status status = RP_VK(vk, err, vkQueueSubmit, queue, total, all, VK_NULL_HANDLE);
  if (all != few) rp_host_free(vk->context, all, bytes);
  return status;
}

static bool uses(const rp_start *runs, uint32_t n, uint32_t q) {
  for (uint32_t i = 0; i < n; i++)
    if (n_on(runs[i].program, q)) return true;
  return false;
}

/* A queue has refused its part after others had accepted theirs, which wait for it. The host signals in its place, so
 * that they end; their dispatches are skipped where the device can do that, and else read data that was never computed.
 * The device is therefore lost, and the end of the run is not signalled. */
static void abandon(rp_vk *vk, const rp_start *runs, uint32_t n, uint32_t refused, uint32_t n_queues) {
  bool ends = true;
  atomic_store(&vk->lost, 1);
  for (uint32_t i = 0; i < n; i++) {
    set_go(runs[i].program, 0);
    for (uint32_t lane = 0; lane < runs[i].program->lanes.n_lanes; lane++) {
      const VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                          .semaphore = runs[i].program->passed[lane],
                                          .value = end_of_lane(runs[i].program, lane)};
      if (lane % n_queues <= refused && info.value > runs[i].program->passed_value[lane])
        ends &= vk->fn.vkSignalSemaphore(vk->device, &info) == VK_SUCCESS;
    }
  }
  for (uint32_t i = 0; i < n && ends; i++)
    for (uint32_t lane = 0; lane < runs[i].program->lanes.n_lanes && ends; lane++)
      if (lane % n_queues > refused)
        ends = rp_vk_wait_for(vk, runs[i].program->passed[lane], end_of_lane(runs[i].program, lane), UINT64_MAX,
                              NULL) == RP_OK;
}

/* One call for each queue that has a part of what has been laid out. That of lane 0, which all others wait for, comes
 * last, so that nothing begins before everything is submitted. */
static rp_status submit_laid_out(rp_vk *vk, VkQueue queue, const rp_start *runs, uint32_t n, uint32_t *calls,
                                 rp_error *err) {
  const rp_program *p = runs[0].program;
  const uint32_t n_queues = count_queues(vk, queue);
  rp_status status = RP_OK;
  for (uint32_t q = n_queues; q-- > 0;) {
    if (!uses(runs, n, q)) continue;
    const VkQueue to = q == 0 ? queue : vk->queues[q];
    status = n > 1 ? submit_several(vk, q, to, runs, n, err)
                   : RP_VK(vk, err, vkQueueSubmit, to, n_on(p, q), p->submits + p->queue_at[q], VK_NULL_HANDLE);
    if (status == RP_OK) {
      ++*calls;
      continue;
    }
    if (*calls) abandon(vk, runs, n, q, n_queues);
    break;
  }
  return status;
}

static rp_status prepare(const rp_start *start, rp_error *err) {
  rp_program *p = start->program;
  if (start->n_words > p->n_words)
    return rp_fail(err, RP_ERR_INTERNAL, "the run binds %u addresses, and %u are planned", start->n_words, p->n_words);
  uint64_t *up = (uint64_t *)((rp_error_record *)p->control_up.host + 1);
  for (uint32_t i = 0; i < p->n_words; i++) up[i] = i < start->n_words ? start->words[i] : 0;
  atomic_store(&p->cancelled, 0);
  set_go(p, 1);
  return rp_vk_record_bound(p, up, err);
}

/* The first of several waits for what the links say, and the last signals. */
static void lay_out_all(const rp_start *runs, uint32_t n, VkQueue queue, const rp_links *links) {
  for (uint32_t i = 0; i < n; i++) {
    rp_links own = links ? *links : (rp_links){0};
    if (i > 0) own.n_waits = own.n_after = 0;
    if (i + 1 < n) own.n_signals = 0;
    lay_out(runs[i].program, queue, &own, i > 0 ? runs[i - 1].program : NULL);
  }
}

static rp_status submit_prepared(rp_vk *vk, VkQueue queue, const rp_start *runs, uint32_t n, const rp_links *links,
                                 uint32_t *calls, rp_error *err) {
  bool uploads;
  rp_status status = submit_uploads(vk, runs, n, &uploads, err);
  if (status != RP_OK) return status;
  lay_out_all(runs, n, queue, links);
  status = submit_laid_out(vk, queue, runs, n, calls, err);
  *calls += (uint32_t)uploads;
  for (uint32_t i = 0; i < n; i++) {
    rp_program *p = runs[i].program;
    if (status == RP_OK)
      note_submitted(p, queue);
    else if (p->upload)
      take_back(p);
  }
  return status;
}

rp_status rp_vk_submit_runs(void *state, const rp_start *runs, uint32_t n, const rp_links *links, rp_error *err) {
  rp_vk *vk = state;
  const VkQueue queue = links && links->stream ? (VkQueue)links->stream : vk->queue;
  uint32_t calls = 0;
  rp_status status = rp_vk_enter(vk, err);
  for (uint32_t i = 0; i < n && status == RP_OK; i++) status = prepare(&runs[i], err);
  if (status != RP_OK) return status;
  rp_vk_lock_queue(vk, queue);
  status = submit_prepared(vk, queue, runs, n, links, &calls, err);
  rp_vk_unlock_queue(vk, queue);
  for (uint32_t i = 0; i < n; i++) {
    rp_program *p = runs[i].program;
    p->counters = p->per_run;
    p->counters.submissions = status == RP_OK && i == 0 ? calls : 0;
    p->phase = status == RP_OK ? RP_VK_RUNNING : RP_VK_IDLE;
  }
  return status;
}

rp_status rp_vk_submit(void *state, rp_program *p, const uint64_t *words, uint32_t n_words, const rp_links *links,
                       rp_error *err) {
  const rp_start start = {.program = p, .words = words, .n_words = n_words};
  return rp_vk_submit_runs(state, &start, 1, links, err);
}

void rp_vk_latest_fault(void *state, const rp_program *p, rp_error_record *fault) {
  (void)state;
  memcpy(fault, p->control_down.host, sizeof *fault);
}

rp_status rp_vk_wait(void *state, rp_program *p, uint64_t timeout_ns, rp_error_record *fault, rp_error *err) {
  rp_vk *vk = state;
  if (p->phase == RP_VK_IDLE) return rp_fail(err, RP_ERR_STATE, "nothing was submitted");
  rp_status status = rp_vk_enter(vk, err);
  if (status != RP_OK) return status;
  if (p->phase == RP_VK_RUNNING) {
    status = rp_vk_wait_for(vk, p->done, p->run_value, timeout_ns, err);
    if (status != RP_OK) return status;
    p->counters.waits++;
  }
  p->phase = RP_VK_DONE;
  memcpy(fault, p->control_down.host, sizeof *fault);
  if (atomic_load(&p->cancelled))
    return rp_fail(err, RP_ERR_CANCELLED, "the run was cancelled while the device worked");
  return RP_OK;
}

/* The section in which the device is now is finished, and the later ones skip their dispatches. */
void rp_vk_cancel(void *state, rp_program *p) {
  (void)state;
  atomic_store(&p->cancelled, 1);
  set_go(p, 0);
}

/* Wipes after a run whose own submission did not include the wipe. If this fails, the memory with the secrets must not
 * be used again. */
static void wipe_blocks(rp_program *p) {
  rp_vk *vk = p->vk;
  const submission wipe = {p->wipe, p->done, p->done, p->run_value, p->last_value + 1};
  p->unwiped = 0;
  rp_vk_lock_queue(vk, p->queue);
  if (submit_between(vk, p->queue, &wipe, 1, NULL) == RP_OK)
    p->last_value = wipe.to;
  else
    atomic_store(&vk->lost, 1);
  rp_vk_unlock_queue(vk, p->queue);
}

/* The blocks on the device are wiped after the run by the same submission, unless others read them; then only the
 * staging is left. */
void rp_vk_wipe(void *state, rp_program *p) {
  (void)state;
  if (p->unwiped) wipe_blocks(p);
  if (p->staging_up.host) explicit_bzero(p->staging_up.host, (size_t)p->staging_up.bytes);
  if (p->staging_down.host) explicit_bzero(p->staging_down.host, (size_t)p->staging_down.bytes);
}
