/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Turns the steps of a plan into tasks: fills addresses into the argument structs, chooses the variants of kernels, and
 * computes the weight of the longest path to the end. One allocation holds a program and all that its runs need.
 */
#include "cpu.h"

#include <string.h>

#define CACHE_LINE 64u
/* How many spans a worker can record in a profiled run: it may leave a task for a more urgent one and come back. */
#define SPANS_A_STEP 4u
#define SPARE_SPANS 256u
/* What a step weighs in addition to the bytes that it touches. */
#define STEP_WEIGHT 4096u

/* ---- Layout ------------------------------------------------------------------------------------------------------ */

/* Divides one allocation into parts. With base 0 it only counts the bytes. */
typedef struct carver {
  uintptr_t base;
  uint64_t used;
} carver;

static void *carve(carver *c, uint64_t n, uint64_t size, uint64_t align) {
  uint64_t at = (c->used + align - 1) & ~(align - 1);
  c->used = at + n * size;
  return c->base ? (void *)(c->base + at) : NULL; /* NOLINT(performance-no-int-to-ptr) */
}

/* The parts whose sizes depend on the plan. */
typedef struct layout {
  rp_program *program;
  cpu_task *tasks;
  uint32_t *ready, *wipe_lists, *first_span, *open, *used;
  cpu_region *regions; /* room for every block and both stagings, twice */
  char *args;
  cpu_span *spans;
  cpu_place *places;
  rp_timing *timings;
  uint32_t n_spans, timing_capacity;
  uint64_t bytes;
} layout;

static uint64_t args_bytes(const rp_step *step) {
  const rp_pattern *p = step->pattern;
  uint64_t bytes = p->kind == RP_STEP_DISPATCH ? p->kernel->args_bytes
                   : p->kind == RP_STEP_GUARD  ? sizeof(cpu_guard_args)
                                               : sizeof(cpu_copy_args);
  return (bytes + 15) & ~UINT64_C(15);
}

static bool is_bound(const rp_program_desc *desc, const rp_ref *ref) {
  return desc->blocks[ref->block].space == RP_SPACE_BOUND;
}

/* Whether a run says where it lies. */
static bool may_move(const rp_program_desc *desc, const rp_ref *ref) {
  return is_bound(desc, ref) || desc->blocks[ref->block].lendable;
}

static layout lay_out(void *base, const rp_program_desc *desc, uint32_t workers) {
  carver c = {.base = (uintptr_t)base};
  layout l = {0};
  uint64_t n = desc->n_steps, args = 0, places = 0;
  for (uint64_t i = 0; i < n; i++) {
    const rp_step *step = &desc->steps[i];
    args += args_bytes(step);
    l.n_spans += rp_step_n_refs(step);
    for (uint32_t r = 0; r < step->pattern->n_refs; r++) {
      const rp_ref ref = rp_step_ref(step, r);
      places += (uint64_t)may_move(desc, &ref);
    }
  }
  l.program = carve(&c, 1, sizeof *l.program, CACHE_LINE);
  l.tasks = carve(&c, n, sizeof *l.tasks, CACHE_LINE);
  l.args = carve(&c, args, 1, 16);
  l.places = carve(&c, places, sizeof *l.places, 8);
  l.regions = carve(&c, 2 * ((uint64_t)desc->n_blocks + 2), sizeof *l.regions, 8);
  l.ready = carve(&c, n, sizeof *l.ready, 4);
  l.wipe_lists = carve(&c, 2, sizeof *l.wipe_lists, 4);
  if (desc->flags & RP_RECORD_CHECK_HAZARDS) {
    l.spans = carve(&c, l.n_spans, sizeof *l.spans, 8);
    l.first_span = carve(&c, n + 1, sizeof *l.first_span, 4);
    l.open = carve(&c, n, sizeof *l.open, 4);
  }
  if (desc->flags & RP_RECORD_PROFILE) {
    l.timing_capacity = (uint32_t)n * SPANS_A_STEP + SPARE_SPANS;
    l.timings = carve(&c, (uint64_t)workers * l.timing_capacity, sizeof *l.timings, 8);
    l.used = carve(&c, workers, sizeof *l.used, 4);
  }
  l.bytes = c.used;
  return l;
}

uint64_t cpu_program_host_bytes(void *state, const rp_program_desc *desc) {
  const cpu_device *device = state;
  return lay_out(NULL, desc, device->pool.workers).bytes;
}

/* ---- Steps to tasks ---------------------------------------------------------------------------------------------- */

static char *at(const rp_program_memory *memory, const rp_ref *ref) {
  return (char *)memory->blocks[ref->block].host + ref->offset;
}

static rp_cpu_fn choose_variant(const rp_kernel *kernel, uint32_t isa) {
  const rp_cpu_variant *best = NULL;
  for (uint32_t i = 0; i < kernel->n_cpu; i++) {
    const rp_cpu_variant *v = &kernel->cpu[i];
    const bool enabled = (uint32_t)v->isa < 32 && isa >> v->isa & 1;
    if (enabled && v->run && (!best || v->isa > best->isa)) best = v;
  }
  return best ? best->run : NULL;
}

/* Writes the addresses of a step; those that runs bind are listed instead. */
static void fill_addresses(rp_program *program, cpu_task *task, const rp_step *step, const rp_program_memory *memory) {
  for (uint32_t i = 0; i < step->pattern->n_refs; i++) {
    const rp_ref ref = rp_step_ref(step, i);
    char *slot = (char *)task->args + ref.address * sizeof(uint64_t);
    const uint64_t address = memory->blocks[ref.block].address + ref.offset;
    memcpy(slot, &address, sizeof address);
    if (may_move(program->desc, &ref))
      program->places[program->n_places++] =
          (cpu_place){slot, ref.offset, memory->blocks[ref.block].address, program->desc->blocks[ref.block].word};
  }
}

static rp_status fill_dispatch(cpu_task *task, const rp_step *step, const rp_program_memory *memory,
                               const cpu_device *device, rp_program *program, rp_error *err) {
  const rp_pattern *p = step->pattern;
  const rp_kernel *kernel = p->kernel;
  char text[RP_LABEL_BYTES];
  task->run = choose_variant(kernel, device->info.limits.isa);
  if (!task->run) {
    char isa[64];
    cpu_isa_names(device->info.limits.isa, isa, sizeof isa);
    return rp_fail(err, RP_ERR_UNSUPPORTED, "%s: kernel \"%s\" has no variant for this CPU device (enabled: %s)",
                   rp_step_label(step, text), kernel->name, isa);
  }
  if (p->n_refs > kernel->n_binds || kernel->args_bytes < kernel->n_binds * sizeof(uint64_t))
    return rp_fail(err, RP_ERR_INTERNAL, "%s: kernel \"%s\" has %u addresses in %u bytes, the dispatch binds %u",
                   rp_step_label(step, text), kernel->name, kernel->n_binds, kernel->args_bytes, p->n_refs);
  rp_step_args(step, task->args);
  fill_addresses(program, task, step, memory);
  const uint64_t plane = (uint64_t)p->groups[1] * p->groups[2];
  if (__builtin_mul_overflow(plane, p->groups[0], &task->items) || task->items > UINT64_MAX / 4)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "%s: a grid of %u x %u x %u is too large", rp_step_label(step, text),
                   p->groups[0], p->groups[1], p->groups[2]);
  task->grain = p->grain;
  if (!rp_step_guarded(step)) return RP_OK;
  const rp_ref guard = rp_step_guard(step);
  task->word = (const uint64_t *)(const void *)at(memory, &guard);
  return RP_OK;
}

static void fill_guard(cpu_task *task, const rp_step *step, const rp_program_memory *memory, rp_program *program) {
  cpu_guard_args *a = task->args;
  *a = (cpu_guard_args){.when = step->pattern->when};
  fill_addresses(program, task, step, memory);
  task->run = cpu_guard;
  task->items = task->grain = 1;
}

static rp_status fill_copy(cpu_task *task, const rp_step *step, const rp_program_memory *memory,
                           const rp_program *program, rp_error *err) {
  const uint32_t word = step->pattern->word;
  if (word >= program->n_words)
    return rp_fail(err, RP_ERR_INTERNAL, "%s: parameter word %u does not exist; there are %u", step->pattern->label,
                   word, program->n_words);
  cpu_copy_args *a = task->args;
  const rp_ref value = rp_step_ref(step, 0);
  char *block = at(memory, &value);
  *a = (cpu_copy_args){.word = &program->words[word], .bytes = value.bytes};
  if (step->pattern->kind == RP_STEP_BIND_IN)
    a->to = block;
  else {
    a->from = block;
    a->gate = program->record;
  }
  task->run = cpu_copy;
  task->items = (a->bytes + CPU_PIECE_BYTES - 1) / CPU_PIECE_BYTES;
  task->word = a->word;
  task->grain = 1;
  return RP_OK;
}

/* Bytes are a poor measure of work, but the same for all steps; STEP_WEIGHT lets a long chain of small steps count. */
static uint64_t weigh(const rp_step *step) {
  uint64_t weight = STEP_WEIGHT;
  for (uint32_t i = 0; i < step->pattern->n_refs; i++) weight += step->pattern->refs[i].bytes;
  return weight;
}

static rp_status fill_tasks(const layout *l, const rp_program_desc *desc, const rp_program_memory *memory,
                            const cpu_device *device, rp_error *err) {
  char *args = l->args;
  for (uint32_t i = desc->n_steps; i-- > 0;) {
    const rp_step *step = &desc->steps[i];
    cpu_task *task = &l->tasks[i];
    uint64_t behind = 0;
    for (uint32_t s = 0; s < step->n_succs; s++)
      if (l->tasks[step->succs[s]].path > behind) behind = l->tasks[step->succs[s]].path;
    *task = (cpu_task){.args = args,
                       .path = behind + weigh(step),
                       .succs = step->succs,
                       .n_succs = step->n_succs,
                       .n_preds = step->n_preds};
    args += args_bytes(step);
    rp_status status = RP_OK;
    if (step->pattern->kind == RP_STEP_DISPATCH)
      status = fill_dispatch(task, step, memory, device, l->program, err);
    else if (step->pattern->kind == RP_STEP_GUARD)
      fill_guard(task, step, memory, l->program);
    else
      status = fill_copy(task, step, memory, l->program, err);
    if (status != RP_OK) return status;
  }
  return RP_OK;
}

static void fill_hazards(const layout *l, const rp_program_desc *desc, const rp_program_memory *memory) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < desc->n_steps; i++) {
    const rp_step *step = &desc->steps[i];
    l->first_span[i] = n;
    for (uint32_t r = 0; r < rp_step_n_refs(step); r++) {
      /* Where runs bind values is not known, but it is apart from everything else: beyond any address of a process. */
      const rp_ref ref = rp_step_ref(step, r);
      const uint64_t base =
          is_bound(desc, &ref) ? UINT64_C(1) << 63 | (uint64_t)ref.block << 44 : memory->blocks[ref.block].address;
      uint64_t begin = base + ref.offset;
      l->spans[n++] = (cpu_span){begin, begin + ref.bytes, ref.access};
    }
  }
  l->first_span[desc->n_steps] = n;
  l->program->hazards = (cpu_hazards){.spans = l->spans, .first_span = l->first_span, .open = l->open};
  l->program->run.hazards = &l->program->hazards;
}

/* ---- Wiping ------------------------------------------------------------------------------------------------------ */

static void add_region(cpu_task *task, cpu_region *regions, uint32_t *n, void *start, uint64_t bytes) {
  if (!start || !bytes) return;
  regions[(*n)++] = (cpu_region){start, bytes, task->items};
  task->items += (bytes + CPU_PIECE_BYTES - 1) / CPU_PIECE_BYTES;
}

/* Inputs, outputs and staging are the first job, which rp_backend.wipe waits for; the arena is the second. */
static void fill_wiping(const layout *l, const rp_program_desc *desc, const rp_program_memory *memory) {
  rp_program *program = l->program;
  cpu_job *jobs[2] = {&program->wipe_io, &program->wipe_rest};
  for (size_t k = 0; k < 2; k++) {
    cpu_task *task = &program->wipe_tasks[k];
    cpu_region *regions = l->regions + k * (desc->n_blocks + 2);
    uint32_t n = 0;
    *task = (cpu_task){.run = cpu_wipe, .args = &program->wipe_args[k], .grain = 1, .path = 1};
    for (uint32_t b = 0; b < desc->n_blocks; b++) {
      bool io = desc->blocks[b].space == RP_SPACE_INPUT || desc->blocks[b].space == RP_SPACE_OUTPUT;
      if (desc->blocks[b].secret && io == (k == 0))
        add_region(task, regions, &n, memory->blocks[b].host, memory->blocks[b].bytes);
    }
    if (k == 0) {
      add_region(task, regions, &n, memory->staging_up.host, memory->staging_up.bytes);
      add_region(task, regions, &n, memory->staging_down.host, memory->staging_down.bytes);
    }
    program->wipe_args[k] = (cpu_wipe_args){regions, n};
    *jobs[k] = (cpu_job){.tasks = task, .n_tasks = 1, .ready = &l->wipe_lists[k], .done = 1};
  }
}

/* ---- Interface --------------------------------------------------------------------------------------------------- */

static void find_parameters(rp_program *program, const rp_program_desc *desc, const rp_program_memory *memory) {
  for (uint32_t b = 0; b < desc->n_blocks; b++) {
    if (desc->blocks[b].space != RP_SPACE_PARAMETER) continue;
    program->record = memory->blocks[b].host;
    program->words = (uint64_t *)(void *)(program->record + 1);
    program->n_words = (uint32_t)((desc->blocks[b].bytes - sizeof *program->record) / sizeof *program->words);
  }
}

rp_status cpu_program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                             rp_program **program, rp_error *err) {
  cpu_device *device = state;
  uint32_t workers = device->pool.workers;
  uint64_t bytes = cpu_program_host_bytes(state, desc);
  void *base = bytes <= SIZE_MAX ? rp_host_alloc(device->context, (size_t)bytes, CACHE_LINE) : NULL;
  *program = NULL;
  if (!base)
    return rp_fail(err, RP_ERR_MEMORY, "out of host memory for the task list of %s: %llu bytes", desc->name,
                   (unsigned long long)bytes);
  layout l = lay_out(base, desc, workers);
  rp_program *p = l.program;
  memset(p, 0, sizeof *p);
  p->bytes = (size_t)bytes;
  p->desc = desc;
  p->links.pool = &device->pool;
  p->run = (cpu_job){.tasks = l.tasks,
                     .n_tasks = desc->n_steps,
                     .random_order = (desc->flags & RP_RECORD_RANDOM_ORDER) != 0,
                     .random_state = desc->order_seed,
                     .ready = l.ready,
                     .done = 1};
  p->places = l.places;
  find_parameters(p, desc, memory);
  rp_status status = fill_tasks(&l, desc, memory, device, err);
  if (status != RP_OK) {
    rp_host_free(device->context, base, p->bytes);
    return status;
  }
  if (desc->flags & RP_RECORD_CHECK_HAZARDS) fill_hazards(&l, desc, memory);
  if (desc->flags & RP_RECORD_PROFILE) {
    memset(l.used, 0, workers * sizeof *l.used);
    p->profile = (cpu_profile){.spans = l.timings, .used = l.used, .workers = workers, .capacity = l.timing_capacity};
    p->run.profile = &p->profile;
  }
  fill_wiping(&l, desc, memory);
  *program = p;
  return RP_OK;
}

void cpu_program_destroy(void *state, rp_program *program) {
  cpu_device *device = state;
  if (!program) return;
  if (!rp_context_is_forked(device->context)) {
    atomic_store(&program->run.stop, 1);
    cpu_pool_wait(&device->pool, &program->run, UINT64_MAX);
    cpu_pool_wait(&device->pool, &program->wipe_rest, UINT64_MAX);
  }
  rp_host_free(device->context, program, program->bytes);
}
