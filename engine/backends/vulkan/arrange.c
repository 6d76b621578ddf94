/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where each step of a program goes: its lane and place, the barriers, and where batches, command buffers and sections
 * begin. A barrier stands only where a step depends on one of its lane since the lane's last barrier; semaphores order
 * the lanes.
 */
#include "cost.h"
#include "program.h"

bool rp_vk_is_bound(const rp_program_desc *desc, const rp_step *step) {
  bool bound = 0;
  for (uint32_t i = 0; i < step->pattern->n_refs; i++)
    bound |= desc->blocks[rp_step_ref(step, i).block].space == RP_SPACE_BOUND;
  return bound;
}

/* RP_RECORD_RANDOM_ORDER: a random order that the edges allow, to test that no edge is missing. */
static void shuffle(const rp_program_desc *d, uint32_t *order, uint32_t *waits) {
  uint64_t seed = d->order_seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  uint32_t *ready = waits + d->n_steps, n_ready = 0;
  for (uint32_t i = 0; i < d->n_steps; i++)
    if (!(waits[i] = d->steps[i].n_preds)) ready[n_ready++] = i;
  for (uint32_t n = 0; n_ready; n++) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    const uint32_t pick = (uint32_t)(seed % n_ready), step = ready[pick];
    ready[pick] = ready[--n_ready];
    order[n] = step;
    for (uint32_t j = 0; j < d->steps[step].n_succs; j++)
      if (!--waits[d->steps[step].succs[j]]) ready[n_ready++] = d->steps[step].succs[j];
  }
}

static uint64_t n_groups(const rp_step *step) {
  const uint32_t *groups = step->pattern->groups;
  return (uint64_t)groups[0] * groups[1] * groups[2];
}

/* Estimates how long a step takes: with four workgroups at once per multiprocessor, a workgroup of an NTT takes 0.1 ms
 * on an H200 (measured). A weak device is assumed to be five times slower. */
static uint64_t estimate_ns(const rp_vk *vk, const rp_step *step) {
  enum { GROUP_NS = 500000, AT_ONCE = 4 };
  return (n_groups(step) / ((uint64_t)vk->workers * AT_ONCE) + 1) * GROUP_NS;
}

/* What a step takes on this device. */
static rp_cost cost_of(const rp_vk *vk, const rp_step *step) {
  const rp_device_info info = {.kind = RP_DEVICE_VULKAN, .limits = vk->limits};
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < step->pattern->n_refs; i++) bytes += step->pattern->refs[i].bytes;
  return rp_cost_estimate(&info, n_groups(step), bytes);
}

/* Where the arguments of a step lie that are too large for push constants; `used` counts both kinds of memory. */
static uint32_t lay_large(const rp_program_desc *d, const rp_step *step, uint32_t used[2]) {
  const rp_pattern *p = step->pattern;
  if (p->kind != RP_STEP_DISPATCH || p->kernel->args_bytes <= RP_VK_PUSH_ARGS) return 0;
  uint32_t *end = &used[rp_vk_is_bound(d, step)];
  *end += (p->kernel->args_bytes + 15) / 16 * 16;
  return *end - (p->kernel->args_bytes + 15) / 16 * 16;
}

/* ---- The lanes --------------------------------------------------------------------------------------------------- */

typedef struct choice {
  uint32_t *order, *waits; /* n_steps; 2 n_steps */
  rp_vk_lane_cost *costs;
  uint64_t filled_ns; /* what all steps take if together they always fill the device */
  uint64_t one_ns;    /* what one lane takes: those between two barriers side by side */
} choice;

/* Predicts one lane, in the order of the levels. */
static void predict_one(const rp_program *p, choice *c) {
  uint64_t longest_ns = 0, filled_ns = 0;
  uint32_t level = 0;
  for (uint32_t i = 0; i < p->desc->n_steps; i++) {
    const rp_step *step = &p->desc->steps[i];
    const rp_cost cost = cost_of(p->vk, step);
    if (step->level != level) {
      c->one_ns += longest_ns > filled_ns ? longest_ns : filled_ns;
      longest_ns = filled_ns = 0;
      level = step->level;
    }
    c->costs[i] = (rp_vk_lane_cost){.ns = cost.alone_ns, .most_ns = estimate_ns(p->vk, step)};
    if (cost.alone_ns > longest_ns) longest_ns = cost.alone_ns;
    filled_ns += cost.alone_ns * cost.share / RP_COST_WHOLE;
    c->filled_ns += cost.alone_ns * cost.share / RP_COST_WHOLE;
  }
  c->one_ns += longest_ns > filled_ns ? longest_ns : filled_ns;
}

/* Several lanes must be worth the semaphores and calls. */
static bool gains(const choice *c, const rp_vk_lanes *lanes) {
  enum { LEAST_NS = 100000 };
  const uint64_t ns = lanes->end_ns > c->filled_ns ? lanes->end_ns : c->filled_ns;
  return ns + LEAST_NS <= c->one_ns && ns <= c->one_ns / 10 * 9;
}

/* Programs that are timed have one lane, so that each step is timed without the others. */
static rp_status find_lanes(rp_program *p, rp_arena *scratch, rp_error *err) {
  const rp_program_desc *d = p->desc;
  const bool is_random = (d->flags & RP_RECORD_RANDOM_ORDER) != 0;
  choice c = {.order = rp_arena_array(scratch, (size_t)d->n_steps + 1, sizeof *c.order),
              .waits = rp_arena_array(scratch, 2 * (size_t)d->n_steps + 1, sizeof *c.waits),
              .costs = rp_arena_array(scratch, (size_t)d->n_steps + 1, sizeof *c.costs)};
  if (!c.order || !c.waits || !c.costs) return rp_fail_memory(err, "the lanes of a program");
  predict_one(p, &c);
  for (uint32_t i = 0; i < d->n_steps; i++) c.order[i] = i;
  if (is_random) shuffle(d, c.order, c.waits);
  rp_vk_lane_options o = {
      .n_lanes = p->n_queries ? 1 : p->vk->n_lanes, .hop_ns = p->vk->hop_ns, .batch_ns = p->vk->batch_ns};
  /* With n lanes, which share the device, the work of a lane takes n times as long. */
  o.batch_ns /= o.n_lanes;
  if (is_random) o.order = c.order, o.random_seed = d->order_seed + 1;
  bool good = true;
  if (o.n_lanes > 1) good = rp_vk_find_lanes(&p->lanes_arena, scratch, d->steps, d->n_steps, c.costs, &o, &p->lanes);
  if (good && (o.n_lanes == 1 || !(is_random || p->vk->forces_lanes || gains(&c, &p->lanes)))) {
    o.n_lanes = 1, o.batch_ns = p->vk->batch_ns, o.order = c.order;
    rp_arena_free(&p->lanes_arena);
    good = rp_vk_find_lanes(&p->lanes_arena, scratch, d->steps, d->n_steps, c.costs, &o, &p->lanes);
  }
  return good ? RP_OK : rp_fail_memory(err, "the lanes of a program");
}

/* ---- The places -------------------------------------------------------------------------------------------------- */

typedef struct placing {
  uint32_t *lane, *epoch,
      *epoch_in_one; /* per step: the number of barriers before it on its lane, and if all lanes are one */
  struct {
    uint32_t epoch;
    uint64_t section_ns; /* work since its section began */
  } lanes[RP_VK_MOST_LANES];
  uint32_t in_one;
  uint32_t large[2];
} placing;

static void place_step(rp_program *p, placing *at, uint32_t n, uint32_t lane) {
  const uint32_t i = p->lanes.order[n];
  const rp_step *step = &p->desc->steps[i];
  rp_vk_place *place = &p->places[n];
  *place = (rp_vk_place){.step = i, .large = lay_large(p->desc, step, at->large)};
  for (uint32_t j = 0; j < step->n_preds; j++) {
    const uint32_t pred = step->preds[j];
    place->barrier |= at->lane[pred] == lane && at->epoch[pred] == at->lanes[lane].epoch;
    place->barrier_in_one |= at->epoch_in_one[pred] == at->in_one;
  }
  at->lanes[lane].epoch += (uint32_t)place->barrier;
  at->in_one += (uint32_t)place->barrier_in_one;
  at->lane[i] = lane, at->epoch[i] = at->lanes[lane].epoch, at->epoch_in_one[i] = at->in_one;
  at->lanes[lane].section_ns += estimate_ns(p->vk, step);
  place->section = at->lanes[lane].section_ns > p->vk->section_ns;
  if (place->section) at->lanes[lane].section_ns = estimate_ns(p->vk, step);
}

/* The command buffers of a batch: at least one, and another wherever steps that are bound begin or end. */
static void cut_stretches(rp_program *p, uint32_t b) {
  const rp_vk_lane_batch *from = &p->lanes.batches[b];
  p->batches[b].stretch = p->n_stretches;
  for (uint32_t n = from->first; n < from->first + from->n; n++) {
    const bool bound = rp_vk_is_bound(p->desc, &p->desc->steps[p->places[n].step]);
    if (n == from->first || p->stretches[p->n_stretches - 1].bound != bound)
      p->stretches[p->n_stretches++] = (rp_vk_stretch){.first = n, .bound = bound};
    p->stretches[p->n_stretches - 1].n++;
  }
  if (from->n == 0) p->stretches[p->n_stretches++] = (rp_vk_stretch){.first = from->first};
  p->stretches[p->batches[b].stretch].waits = from->n_waits > 0;
  p->batches[b].n_stretches = p->n_stretches - p->batches[b].stretch;
}

static rp_status place_all(rp_program *p, rp_arena *scratch, rp_error *err) {
  const size_t n_steps = (size_t)p->desc->n_steps + 1;
  placing at = {.lane = rp_arena_array(scratch, n_steps, sizeof *at.lane),
                .epoch = rp_arena_array(scratch, n_steps, sizeof *at.epoch),
                .epoch_in_one = rp_arena_array(scratch, n_steps, sizeof *at.epoch_in_one)};
  rp_arena *arena = &p->lanes_arena;
  const size_t n_waits = (size_t)p->lanes.n_waits + 1;
  p->batches = rp_arena_array(arena, p->lanes.n_batches, sizeof *p->batches);
  p->submits = rp_arena_array(arena, (size_t)p->lanes.n_batches + 1, sizeof *p->submits);
  p->lane_waits.semaphores = rp_arena_array(arena, n_waits, sizeof *p->lane_waits.semaphores);
  p->lane_waits.values = rp_arena_array(arena, n_waits, sizeof *p->lane_waits.values);
  p->lane_waits.stages = rp_arena_array(arena, n_waits, sizeof *p->lane_waits.stages);
  if (!at.lane || !at.epoch || !at.epoch_in_one || !p->batches || !p->submits || !p->lane_waits.semaphores ||
      !p->lane_waits.values || !p->lane_waits.stages)
    return rp_fail_memory(err, "the batches of a program");
  for (uint32_t b = 0; b < p->lanes.n_batches; b++) {
    const rp_vk_lane_batch *from = &p->lanes.batches[b];
    for (uint32_t n = from->first; n < from->first + from->n; n++) place_step(p, &at, n, from->lane);
    cut_stretches(p, b);
  }
  return RP_OK;
}

rp_status rp_vk_arrange(rp_program *p, rp_error *err) {
  rp_arena scratch;
  rp_arena_init(&scratch, p->vk->context);
  rp_status status = find_lanes(p, &scratch, err);
  if (status == RP_OK) status = place_all(p, &scratch, err);
  rp_arena_free(&scratch);
  return status;
}
