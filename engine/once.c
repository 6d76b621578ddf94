/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "once.h"

/* ---- Cutting ----------------------------------------------------------------------------------------------------- */

static bool is_long(const rp_plan_value *v, rp_origin origin) {
  return v->placed && v->space != RP_SPACE_BORROWED && v->origin == origin && v->bytes >= RP_ONCE_LONG_BYTES;
}

static bool may_be_cut(const rp_device *d) { return d->backend->memory_send && !d->info.limits.host_visible; }

/* What operations fill in comes last, since runs read most of it. */
static bool list_longs(rp_once *once) {
  static const rp_origin origins[2] = {RP_ORIGIN_GIVEN, RP_ORIGIN_FILLED};
  const rp_plan *p = once->recording->plan;
  once->longs = rp_arena_array(&once->arena, p->n_values, sizeof *once->longs);
  for (int o = 0; once->longs && o < 2; o++)
    for (uint32_t i = 0; i < p->n_values; i++)
      if (is_long(&p->values[i], origins[o])) once->longs[once->n_longs++] = &p->values[i];
  return once->longs != NULL;
}

static bool touches(const rp_once *once, const rp_step *step, const rp_plan_value *v) {
  const uint32_t *block_of = once->recording->plan->parts[RP_PART_ONCE].block_of;
  for (uint32_t i = 0; i < step->pattern->n_refs; i++) {
    const rp_ref ref = rp_step_ref(step, i);
    for (uint32_t s = 0; s < v->n_segments; s++) {
      const rp_segment *at = &v->segments[s];
      if (block_of[ref.block] == at->block && ref.offset < at->offset + at->bytes &&
          at->offset < ref.offset + ref.bytes)
        return 1;
    }
  }
  return 0;
}

/* The program of a step: that of its last long constant, or the last one among those of its predecessors. */
static uint32_t program_of(const rp_once *once, const rp_step *step, const uint32_t *of) {
  uint32_t n = 0;
  for (uint32_t c = once->n_longs; c > 0 && !n; c--)
    if (touches(once, step, once->longs[c - 1])) n = c;
  if (n >= once->n_programs) n = once->n_programs - 1;
  for (uint32_t i = 0; i < step->n_preds; i++)
    if (of[step->preds[i]] > n) n = of[step->preds[i]];
  return n;
}

/* The steps of `list` that are in the same program, by their numbers in there. */
static const uint32_t *keep(rp_once *once, const uint32_t *list, uint32_t *n, uint32_t program, const uint32_t *of,
                            const uint32_t *number) {
  uint32_t *kept = rp_arena_array(&once->arena, *n, sizeof *kept), count = 0;
  for (uint32_t i = 0; kept && i < *n; i++)
    if (of[list[i]] == program) kept[count++] = number[list[i]];
  *n = count;
  return kept;
}

/* Copies the steps of one program, which keep their order, and whose levels become consecutive. */
static bool fill(rp_once *once, const rp_program_desc *whole, uint32_t program, const uint32_t *of,
                 const uint32_t *number) {
  rp_program_desc *desc = &once->programs[program].desc;
  rp_step *steps = rp_arena_array(&once->arena, desc->n_steps, sizeof *steps);
  if (!steps) return 0;
  desc->steps = steps;
  uint32_t n = 0, last = 0;
  for (uint32_t i = 0; i < whole->n_steps; i++) {
    if (of[i] != program) continue;
    rp_step *s = &steps[n++];
    *s = whole->steps[i];
    s->preds = keep(once, s->preds, &s->n_preds, program, of, number);
    s->succs = keep(once, s->succs, &s->n_succs, program, of, number);
    if (!s->preds || !s->succs) return 0;
    desc->n_levels += n == 1 || s->level != last;
    last = s->level;
    s->level = desc->n_levels - 1;
  }
  return 1;
}

static bool cut(rp_once *once, const rp_program_desc *whole) {
  uint32_t *of = rp_arena_array(&once->arena, whole->n_steps, sizeof *of);
  uint32_t *number = rp_arena_array(&once->arena, whole->n_steps, sizeof *number);
  once->n_programs = once->n_longs < RP_ONCE_MOST ? once->n_longs + 1 : RP_ONCE_MOST;
  if (!of || !number) return 0;
  for (uint32_t p = 0; p < once->n_programs; p++) {
    once->programs[p].desc = *whole;
    once->programs[p].desc.n_steps = once->programs[p].desc.n_levels = 0;
  }
  for (uint32_t i = 0; i < whole->n_steps; i++) {
    of[i] = program_of(once, &whole->steps[i], of);
    number[i] = once->programs[of[i]].desc.n_steps++;
  }
  for (uint32_t p = 0; p < once->n_programs; p++)
    if (!fill(once, whole, p, of, number)) return 0;
  return 1;
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static rp_status create(rp_once *once, rp_error *err) {
  const rp_recording *r = once->recording;
  const rp_part *part = &r->plan->parts[RP_PART_ONCE];
  const rp_device *d = r->device;
  rp_memory *blocks = rp_arena_array(&once->arena, part->n_blocks, sizeof *blocks);
  if (!blocks) return rp_fail_memory(err, "the one-time part");
  for (uint32_t b = 0; b < part->n_blocks; b++) blocks[b] = r->shared[part->block_of[b]];
  const rp_program_memory memory = {.blocks = blocks};
  rp_status status = RP_OK;
  for (uint32_t p = 0; p < once->n_programs && !status; p++) {
    rp_once_program *x = &once->programs[p];
    if (x->desc.n_steps) status = d->backend->program_create(d->state, &x->desc, &memory, &x->program, err);
    if (status) x->program = NULL;
  }
  return status;
}

rp_status rp_once_open(rp_once *once, rp_recording *recording, rp_error *err) {
  rp_program_desc whole;
  *once = (rp_once){.recording = recording, .n_programs = 1};
  rp_arena_init(&once->arena, recording->device->context);
  rp_plan_program(recording->plan, RP_PART_ONCE, &whole);
  whole.flags &= ~(uint32_t)RP_RECORD_PROFILE;
  once->programs[0].desc = whole;
  if (!whole.n_steps) return RP_OK;
  if (may_be_cut(recording->device) && !(list_longs(once) && (!once->n_longs || cut(once, &whole))))
    return rp_fail_memory(err, "the one-time part");
  return rp_device_note(recording->device, create(once, err));
}

static rp_status submit(rp_once *once, rp_program *program, rp_error *err) {
  const rp_device *d = once->recording->device;
  const uint32_t n = once->n_running;
  const rp_links links = {.after = n ? &once->running[n - 1] : NULL, .n_after = n != 0};
  const rp_status status = d->backend->submit(d->state, program, NULL, 0, n ? &links : NULL, err);
  if (!status) once->running[once->n_running++] = program;
  return status;
}

rp_status rp_once_start(rp_once *once, uint32_t n_there, rp_error *err) {
  const uint32_t last = once->n_programs - 1;
  if (n_there >= last && n_there < once->n_longs) return RP_OK;
  rp_program *program = once->programs[n_there < last ? n_there : last].program;
  return program ? rp_device_note(once->recording->device, submit(once, program, err)) : RP_OK;
}

rp_status rp_once_close(rp_once *once, rp_status status, rp_error *err) {
  rp_recording *r = once->recording;
  rp_device *d = r->device;
  for (uint32_t i = 0; i < once->n_running; i++) {
    rp_error_record fault = {0};
    rp_error why = {0};
    rp_status ended = rp_device_note(d, d->backend->wait(d->state, once->running[i], UINT64_MAX, &fault, &why));
    if (!ended && fault.code) ended = rp_fault_error(r->plan, &fault, &why);
    /* What is wrong with a constant is said, and not that there was no memory to go on with. */
    if (!ended || (status && !(status == RP_ERR_DEVICE_MEMORY && ended == RP_ERR_INPUT))) continue;
    status = ended;
    if (err) *err = why;
  }
  for (uint32_t p = once->n_programs; p-- > 0;) /* each may wait for the one before it, on a device that is lost */
    if (once->programs[p].program) d->backend->program_destroy(d->state, once->programs[p].program);
  rp_arena_free(&once->arena);
  return status;
}
