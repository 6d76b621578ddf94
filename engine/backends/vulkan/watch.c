/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What can be seen of a run: how far it is, what it has counted, and the times of its steps.
 */
#include "program.h"

/* How many steps of a lane have ended when its batch of this number has. */
static uint32_t done_with(const rp_program *p, uint32_t lane, uint64_t number) {
  for (uint32_t b = 0; b < p->lanes.n_batches; b++)
    if (p->lanes.batches[b].lane == lane && p->lanes.batches[b].number == number) return p->lanes.batches[b].n_done;
  return 0;
}

uint32_t rp_vk_progress(void *state, rp_program *p) {
  rp_vk *vk = state;
  uint64_t done, passed;
  uint32_t n = 0;
  if (atomic_load(&vk->lost)) return 0;
  if (vk->fn.vkGetSemaphoreCounterValue(vk->device, p->done, &done) != VK_SUCCESS) return 0;
  if (done >= p->run_value) return p->desc->n_steps;
  for (uint32_t lane = 0; lane < p->lanes.n_lanes && p->passed[lane]; lane++) {
    if (vk->fn.vkGetSemaphoreCounterValue(vk->device, p->passed[lane], &passed) != VK_SUCCESS) return 0;
    if (passed > p->passed_before[lane]) n += done_with(p, lane, passed - p->passed_before[lane]);
  }
  return n;
}

void rp_vk_counters(void *state, const rp_program *p, rp_backend_counters *counters) {
  (void)state;
  *counters = p->counters;
}

/* Reads n timestamps from number `first` on; false if the driver does not give all of them. */
static bool query(const rp_program *p, uint32_t first, uint32_t n, uint64_t *stamps) {
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
