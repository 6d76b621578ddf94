/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Replaying and waiting. A replay is one vkQueueSubmit, or two if inputs have a queue of their own; it allocates and
 * records nothing.
 */
#include "program.h"

#include <string.h>

/* A command buffer between two timeline semaphores: it runs when `wait` has reached `from`, and then sets `signal` to
 * `to`. */
typedef struct submission {
  VkQueue queue;
  VkCommandBuffer commands;
  VkSemaphore wait, signal;
  uint64_t from, to;
} submission;

static rp_status submit_between(rp_vk *vk, const submission *s, rp_error *err) {
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  const VkTimelineSemaphoreSubmitInfo timeline = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                  .waitSemaphoreValueCount = 1,
                                                  .pWaitSemaphoreValues = &s->from,
                                                  .signalSemaphoreValueCount = 1,
                                                  .pSignalSemaphoreValues = &s->to};
  const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &timeline,
                               .waitSemaphoreCount = 1,
                               .pWaitSemaphores = &s->wait,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &s->commands,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &s->signal};
  return RP_VK(vk, err, vkQueueSubmit, s->queue, 1, &submit, VK_NULL_HANDLE);
}

/* Submits the copies to the upload queue; they wait for the wiping of the previous run. */
static rp_status submit_upload(rp_program *p, rp_error *err) {
  const submission upload = {p->vk->upload_queue, p->upload, p->done, p->uploaded, p->last_value, p->upload_value + 1};
  rp_status status = submit_between(p->vk, &upload, err);
  if (status == RP_OK) p->upload_value = upload.to;
  return status;
}

/* Wipes the inputs of a run that were uploaded when the run itself could not be submitted. If the wiping cannot be
 * submitted either, the device becomes lost, so that the memory with the inputs is not used again. Without secrets it
 * waits for the upload, which reads the staging; a wait that fails loses the device, too. */
static void take_back(rp_program *p) {
  const submission wipe = {p->vk->queue, p->wipe, p->uploaded, p->done, p->upload_value, p->last_value + 1};
  if (!p->wipe) {
    (void)rp_vk_wait_for(p->vk, p->uploaded, p->upload_value, UINT64_MAX, NULL);
    return;
  }
  if (submit_between(p->vk, &wipe, NULL) == RP_OK)
    p->last_value = wipe.to;
  else
    atomic_store(&p->vk->lost, 1);
}

/* Semaphores that a submission waits for or signals, with their values. */
enum { MOST_POINTS = 2 * RP_MOST_SYNCS + 2 };
typedef struct points {
  uint32_t n;
  VkSemaphore semaphores[MOST_POINTS];
  uint64_t values[MOST_POINTS];
  VkPipelineStageFlags stages[MOST_POINTS];
} points;

static void add_point(points *at, VkSemaphore semaphore, uint64_t value) {
  at->semaphores[at->n] = semaphore;
  at->values[at->n] = value;
  at->stages[at->n++] = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
}

static void add_syncs(points *at, const rp_sync *syncs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) add_point(at, (VkSemaphore)syncs[i].handle, syncs[i].value);
}

static void find_points(const rp_program *p, VkQueue queue, const rp_links *links, points *waits, points *signals) {
  waits->n = signals->n = 0;
  if (p->upload) add_point(waits, p->uploaded, p->upload_value);
  /* On one queue, the wiping after the run before comes first by itself, because of its barrier. */
  if (p->queue && p->queue != queue) add_point(waits, p->done, p->last_value);
  add_point(signals, p->done, p->last_value + 1);
  if (!links) return;
  add_syncs(waits, links->waits, links->n_waits);
  for (uint32_t i = 0; i < links->n_after; i++) add_point(waits, links->after[i]->done, links->after[i]->run_value);
  add_syncs(signals, links->signals, links->n_signals);
}

static void wait_in(VkSubmitInfo *submit, VkTimelineSemaphoreSubmitInfo *timeline, const points *waits) {
  timeline->waitSemaphoreValueCount = submit->waitSemaphoreCount = waits->n;
  timeline->pWaitSemaphoreValues = waits->values;
  submit->pWaitSemaphores = waits->semaphores;
  submit->pWaitDstStageMask = waits->stages;
  submit->pNext = timeline;
}

static void signal_in(VkSubmitInfo *submit, VkTimelineSemaphoreSubmitInfo *timeline, const points *signals) {
  timeline->signalSemaphoreValueCount = submit->signalSemaphoreCount = signals->n;
  timeline->pSignalSemaphoreValues = signals->values;
  submit->pSignalSemaphores = signals->semaphores;
  submit->pNext = timeline;
}

/* Lets a batch tell its end. */
static void mark_in(rp_program *p, uint32_t batch) {
  rp_vk_mark *m = &p->marks[batch];
  VkSubmitInfo *submit = &p->submits[batch];
  m->value = p->passed_value + batch + 1;
  m->timeline = (VkTimelineSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                .signalSemaphoreValueCount = 1,
                                                .pSignalSemaphoreValues = &m->value};
  submit->signalSemaphoreCount = 1;
  submit->pSignalSemaphores = &p->passed;
  submit->pNext = &m->timeline;
}

/* Submits the batches and then the wipe by one call: the first batch waits, the last one and the wipe signal. */
static rp_status submit_run(rp_program *p, VkQueue queue, const rp_links *links, rp_error *err) {
  rp_vk *vk = p->vk;
  const int wipes = p->wipe && !(links && links->keeps);
  const uint32_t n = p->n_batches + (uint32_t)wipes, last = p->n_batches - 1;
  points waits, signals, wiped = {.n = 0};
  VkTimelineSemaphoreSubmitInfo end, wipe;
  end = wipe = (VkTimelineSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  find_points(p, queue, links, &waits, &signals);
  add_point(&wiped, p->done, p->last_value + 2);
  for (uint32_t i = 0; i < n; i++)
    p->submits[i] = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .commandBufferCount = i <= last ? p->batches[i + 1] - p->batches[i] : 1,
                                   .pCommandBuffers = i <= last ? &p->commands[p->batches[i]] : &p->wipe};
  for (uint32_t i = 0; i < last; i++) mark_in(p, i);
  if (waits.n) wait_in(&p->submits[0], last ? &p->marks[0].timeline : &end, &waits);
  signal_in(&p->submits[last], &end, &signals);
  if (wipes) signal_in(&p->submits[n - 1], &wipe, &wiped);
  rp_status status = RP_VK(vk, err, vkQueueSubmit, queue, n, p->submits, VK_NULL_HANDLE);
  if (status != RP_OK) return status;
  p->passed_before = p->passed_value;
  p->passed_value += last;
  p->queue = queue;
  p->run_value = p->last_value + 1;
  p->last_value += wipes ? 2 : 1;
  p->unwiped = p->wipe && !wipes;
  return RP_OK;
}

static void set_go(rp_program *p, uint32_t go) {
  if (p->go.host) __atomic_store_n((uint32_t *)p->go.host, go, __ATOMIC_RELEASE);
}

rp_status rp_vk_submit(void *state, rp_program *p, const uint64_t *words, uint32_t n_words, const rp_links *links,
                       rp_error *err) {
  rp_vk *vk = state;
  const VkQueue queue = links && links->stream ? (VkQueue)links->stream : vk->queue;
  if (n_words > p->n_words)
    return rp_fail(err, RP_ERR_INTERNAL, "the run binds %u addresses, and %u are planned", n_words, p->n_words);
  uint64_t *up = (uint64_t *)((rp_error_record *)p->control_up.host + 1);
  for (uint32_t i = 0; i < p->n_words; i++) up[i] = i < n_words ? words[i] : 0;
  atomic_store(&p->cancelled, 0);
  set_go(p, 1);
  rp_status status = rp_vk_enter(vk, err);
  if (status == RP_OK) status = rp_vk_record_bound(p, up, err);
  if (status != RP_OK) return status;
  rp_vk_lock_queue(vk, queue);
  if (p->upload) status = submit_upload(p, err);
  if (status == RP_OK) {
    status = submit_run(p, queue, links, err);
    if (status != RP_OK && p->upload) take_back(p);
  }
  rp_vk_unlock_queue(vk, queue);
  p->counters = p->per_run;
  p->counters.submissions = status != RP_OK ? 0 : p->upload ? 2 : 1;
  p->phase = status == RP_OK ? RP_VK_RUNNING : RP_VK_IDLE;
  return status;
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

uint32_t rp_vk_progress(void *state, rp_program *p) {
  rp_vk *vk = state;
  uint64_t done, passed;
  if (atomic_load(&vk->lost)) return 0;
  if (vk->fn.vkGetSemaphoreCounterValue(vk->device, p->done, &done) != VK_SUCCESS) return 0;
  if (done >= p->run_value) return p->desc->n_steps;
  if (!p->passed || vk->fn.vkGetSemaphoreCounterValue(vk->device, p->passed, &passed) != VK_SUCCESS) return 0;
  return passed > p->passed_before ? p->marks[passed - p->passed_before - 1].n_steps : 0;
}

/* Wipes after a run whose submission did not. Without that the memory with the secrets must not be used again. */
static void wipe_blocks(rp_program *p) {
  rp_vk *vk = p->vk;
  const submission wipe = {p->queue, p->wipe, p->done, p->done, p->run_value, p->last_value + 1};
  p->unwiped = 0;
  rp_vk_lock_queue(vk, p->queue);
  if (submit_between(vk, &wipe, NULL) == RP_OK)
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

void rp_vk_counters(void *state, const rp_program *p, rp_backend_counters *counters) {
  (void)state;
  *counters = p->counters;
}

/* Reads n timestamps from number `first` on; 0 if the driver does not give all of them. */
static int query(const rp_program *p, uint32_t first, uint32_t n, uint64_t *stamps) {
  rp_vk *vk = p->vk;
  const VkResult result = vk->fn.vkGetQueryPoolResults(vk->device, p->queries, first, n, n * sizeof *stamps, stamps,
                                                       sizeof *stamps, VK_QUERY_RESULT_64_BIT);
  return result != VK_NOT_READY && rp_vk_check(vk, result, "vkGetQueryPoolResults", NULL) == RP_OK;
}

uint32_t rp_vk_timings(void *state, const rp_program *p, rp_timing *timings, uint32_t capacity) {
  rp_vk *vk = state;
  if (!p->n_queries || p->phase != RP_VK_DONE || atomic_load(&vk->lost)) return 0;
  const uint32_t n = p->desc->n_steps + 2, upload = 2 * p->desc->n_steps;
  const uint64_t mask = vk->timestamp_bits < 64 ? (UINT64_C(1) << vk->timestamp_bits) - 1 : UINT64_MAX;
  uint64_t start;
  uint32_t known = 0;
  if (!query(p, upload, 1, &start)) return 0;
  for (uint32_t i = 0; i < n && known < capacity; i++) {
    uint64_t t[2];
    if (!query(p, 2 * i, 2, t)) continue;
    const uint64_t begin = (t[0] - start) & mask, end = (t[1] - start) & mask;
    if (begin > end || end > mask / 2) continue; /* the device's clock was reset in between */
    const uint32_t step = i < p->desc->n_steps ? i : i == p->desc->n_steps ? RP_TIMING_UPLOAD : RP_TIMING_DOWNLOAD;
    timings[known++] =
        (rp_timing){step, 0, (uint64_t)((double)begin * vk->timestamp_ns), (uint64_t)((double)end * vk->timestamp_ns)};
  }
  return known;
}
