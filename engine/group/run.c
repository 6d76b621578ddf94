/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A run of a group: runs of its pieces, which are started in their order and wait for each other on the devices. Where
 * a value can come only through the host, the thread that waits for the run copies it, and starts the piece then.
 */
#include "group.h"

enum { PIECE_NOT, PIECE_STARTED, PIECE_DONE };

/* The run of a piece. */
typedef struct part_run {
  rp_run *run;          /* begun and not ended; changes under the program's lock */
  int state;            /* PIECE_NOT ...; likewise */
  rp_event *event;      /* is raised to the number of the run when this piece is finished; NULL: nobody waits for it */
  rp_arrival *arrivals; /* room for one per input */
} part_run;

struct rp_program {
  rp_context *context;
  rp_pieces *pieces;
  const rp_plan *plan; /* the shell's */
  const rp_program_desc *desc;
  const rp_memory *blocks;
  rp_arena arena;
  part_run *parts;
  uint64_t serial;  /* of the run */
  int32_t priority; /* of its pieces; those that others wait for have one more */
  pthread_mutex_t lock;
  bool pinned;
  bool cancelled; /* under the lock */
  bool submitted;
  bool clears;  /* the staging of the inputs is overwritten as soon as the devices have taken them */
  bool cleared; /* that has been done for this run */
  rp_backend_counters counters;
};

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static char *staging_of(const rp_program *p, uint32_t value, uint64_t first) {
  const rp_plan_value *v = &p->plan->values[value];
  const uint32_t block = p->plan->parts[RP_PART_RUN].index_of[v->segments[0].block];
  return (char *)p->blocks[block].host + v->segments[0].offset + first * v->type->size_bytes;
}

static rp_plan_value *value_of(const rp_run *run, rp_value value) {
  return &run->recording->plan->values[value.id - 1];
}

/* The address on its device of an element of a value of a piece that keeps its place during the run. */
static uint64_t address_of(const rp_run *run, rp_value value, uint64_t first) {
  const rp_plan_value *v = value_of(run, value);
  const uint32_t block = run->recording->plan->parts[RP_PART_RUN].index_of[v->segments[0].block];
  return run->memory[block].address + v->segments[0].offset + first * v->type->size_bytes;
}

/* ---- Starting a piece -------------------------------------------------------------------------------------------- */

/* Whether all that comes through the host is there, and everything else has been submitted. */
static bool can_start(const rp_program *p, uint32_t index) {
  const rp_piece *piece = &p->pieces->items[index];
  if (p->parts[index].state != PIECE_NOT) return 0;
  for (uint32_t i = 0; i < piece->n_after; i++)
    if (p->parts[piece->after[i]].state == PIECE_NOT) return 0;
  for (uint32_t i = 0; i < piece->n_inputs; i++) {
    const rp_piece_input *in = &piece->inputs[i];
    if (in->piece == RP_NONE) continue;
    const int state = p->parts[in->piece].state;
    if (in->route == RP_ROUTE_HOST ? state != PIECE_DONE : state == PIECE_NOT) return 0;
  }
  return 1;
}

static void bind(rp_run *run, rp_value value, uint64_t address) {
  run->words[value_of(run, value)->word] = address;
  run->is_set[value.id - 1] = RP_GIVEN;
}

static void expect(rp_run *run, part_run *part, const rp_piece_input *in, rp_arrival arrival) {
  arrival.to_address = address_of(run, in->value, 0);
  arrival.bytes = in->bytes;
  part->arrivals[run->n_arrivals++] = arrival;
  run->is_set[in->value.id - 1] = RP_GIVEN;
}

static rp_status copy_through_host(const rp_program *p, rp_run *run, const rp_piece_input *in) {
  char *to = rp_run_input(run, in->value);
  const char *from =
      in->piece == RP_NONE ? staging_of(p, in->root, in->first) : rp_run_output(p->parts[in->piece].run, in->source);
  if (!to || !from) return rp_fail(&run->error, RP_ERR_INTERNAL, "a value of a piece is not in the host's memory");
  if (in->piece != RP_NONE) from += in->first * p->plan->values[in->root].type->size_bytes;
  memcpy(to, from, in->bytes);
  return RP_OK;
}

/* An input of the whole graph. */
static rp_status give_from_host(const rp_program *p, part_run *part, const rp_piece_input *in) {
  const char *from = staging_of(p, in->root, in->first);
  if (in->route == RP_ROUTE_HOST) return copy_through_host(p, part->run, in);
  if (in->route == RP_ROUTE_UPLOAD)
    expect(part->run, part, in, (rp_arrival){.from_host = from, .shared = in->shared});
  else
    bind(part->run, in->value, (uint64_t)(uintptr_t)from);
  return RP_OK;
}

static rp_status give_input(const rp_program *p, part_run *part, const rp_piece_input *in) {
  if (in->piece == RP_NONE) return give_from_host(p, part, in);
  if (in->route == RP_ROUTE_HOST) return copy_through_host(p, part->run, in);
  const rp_run *source = p->parts[in->piece].run;
  const uint64_t address = address_of(source, in->source, in->first);
  const bool shares = rp_piece_shares(p->pieces, in);
  if (!shares && (in->route == RP_ROUTE_SAME || in->route == RP_ROUTE_MEMORY))
    bind(part->run, in->value, address);
  else
    expect(part->run, part, in,
           (rp_arrival){.from = source->program,
                        .from_state = source->recording->device->state,
                        .from_address = address,
                        .arrived = shares});
  return RP_OK;
}

/* Submits the piece behind those of its device that it follows, and behind those of other devices that it needs. */
static rp_status submit_piece(rp_program *p, uint32_t index) {
  const rp_piece *piece = &p->pieces->items[index];
  part_run *part = &p->parts[index];
  rp_sync waits[RP_MOST_SYNCS], signal = {.kind = RP_SYNC_HOST, .handle = part->event, .value = p->serial};
  rp_run *after[RP_MOST_SYNCS];
  rp_submit_options o = {.struct_size = sizeof o, .waits = waits, .signals = &signal, .after = after};
  for (uint32_t i = 0; i < piece->n_waits; i++)
    waits[o.n_waits++] = (rp_sync){.kind = RP_SYNC_HOST, .handle = p->parts[piece->waits[i]].event, .value = p->serial};
  for (uint32_t i = 0; i < piece->n_after; i++)
    if (p->parts[piece->after[i]].state == PIECE_STARTED) after[o.n_after++] = p->parts[piece->after[i]].run;
  o.n_signals = part->event != NULL;
  part->run->arrivals = part->arrivals;
  part->run->keeps = piece->keeps;
  return rp_run_submit_with(part->run, &o);
}

static rp_status fail_piece(const rp_program *p, uint32_t index, rp_status status, const rp_error *why, rp_error *err) {
  char name[64];
  const uint32_t device = p->pieces->items[index].device;
  return rp_fail(err, status, "%s: %.400s", rp_group_device_name(p->pieces->group, device, name, sizeof name),
                 why->reason[0] ? why->reason : rp_status_text(status));
}

static rp_status start(rp_program *p, uint32_t index, rp_error *err) {
  const rp_piece *piece = &p->pieces->items[index];
  part_run *part = &p->parts[index];
  rp_error why = {0};
  rp_run *run;
  /* What other devices wait for comes before what runs beside it. */
  const rp_begin_options o = {.struct_size = sizeof o,
                              .timeout_ns = UINT64_MAX,
                              .priority = p->priority + (piece->stage % RP_STAGES == RP_STAGE_EARLY)};
  rp_status status = rp_run_begin_with(piece->recording, &o, &run, &why);
  if (status) return fail_piece(p, index, status, &why, err);
  pthread_mutex_lock(&p->lock);
  part->run = run;
  pthread_mutex_unlock(&p->lock);
  for (int shared = 1; shared >= 0; shared--)
    for (uint32_t i = 0; i < piece->n_inputs && !status; i++)
      if (piece->inputs[i].shared == (shared != 0)) status = give_input(p, part, &piece->inputs[i]);
  if (!status) status = submit_piece(p, index);
  if (status) return fail_piece(p, index, status, rp_run_error(run), err);
  pthread_mutex_lock(&p->lock);
  part->state = PIECE_STARTED;
  if (p->cancelled) rp_run_cancel(run);
  pthread_mutex_unlock(&p->lock);
  return RP_OK;
}

static rp_status start_all(rp_program *p, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < p->pieces->n && !status; i++)
    if (can_start(p, i)) status = start(p, i, err);
  return status;
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

/* Those that wait for others first, so that none starts on what a cancelled one has left. */
static void cancel_all(rp_program *p) {
  pthread_mutex_lock(&p->lock);
  p->cancelled = 1;
  for (uint32_t i = p->pieces->n; i-- > 0;)
    if (p->parts[i].run && p->parts[i].state == PIECE_STARTED) rp_run_cancel(p->parts[i].run);
  pthread_mutex_unlock(&p->lock);
}

static void set_done(rp_program *p, uint32_t index) {
  pthread_mutex_lock(&p->lock);
  p->parts[index].state = PIECE_DONE;
  pthread_mutex_unlock(&p->lock);
}

/* After a failure: nothing of the run is left on any device. */
static void stop(rp_program *p) {
  cancel_all(p);
  for (uint32_t i = 0; i < p->pieces->n; i++) {
    if (p->parts[i].state != PIECE_STARTED) continue;
    const rp_status status = rp_run_wait(p->parts[i].run, UINT64_MAX); /* the run keeps it */
    (void)status;
    set_done(p, i);
  }
  p->submitted = 0;
}

/* Ends the runs of the pieces, which wipes what is secret on their devices. */
static void end_runs(rp_program *p) {
  for (uint32_t i = p->pieces->n; i-- > 0;) {
    pthread_mutex_lock(&p->lock);
    rp_run *run = p->parts[i].run;
    p->parts[i].run = NULL;
    p->parts[i].state = PIECE_NOT;
    pthread_mutex_unlock(&p->lock);
    rp_run_end(run);
  }
}

static void count(rp_program *p) {
  rp_backend_counters *c = &p->counters;
  *c = (rp_backend_counters){.waits = 1};
  for (uint32_t i = 0; i < p->pieces->n; i++) {
    rp_run_counters of = {.struct_size = sizeof of};
    rp_run_get_counters(p->parts[i].run, &of);
    c->submissions += of.submissions;
    c->uploads += of.uploads;
    c->downloads += of.downloads;
    c->bytes_up += of.bytes_up;
    c->bytes_down += of.bytes_down;
  }
}

static rp_status take_outputs(rp_program *p, rp_error *err) {
  for (uint32_t i = 0; i < p->pieces->n_outputs; i++) {
    const rp_group_output *out = &p->pieces->outputs[i];
    const rp_plan_value *v = &p->plan->values[out->value];
    const char *from =
        out->piece == RP_NONE ? staging_of(p, out->root, 0) : rp_run_output(p->parts[out->piece].run, out->source);
    if (!from) return rp_fail(err, RP_ERR_INTERNAL, "output '%s' of a piece cannot be read", v->output);
    memcpy(staging_of(p, out->value, 0), from + out->first * v->type->size_bytes, v->bytes);
  }
  return RP_OK;
}

/* ---- Secrets ----------------------------------------------------------------------------------------------------- */

/* Whether every input goes to devices that copy it by themselves, so that it is seen when they have done so, and the
 * caller has not asked to keep it. */
static bool can_clear(const rp_pieces *pieces, const rp_program_desc *desc) {
  bool any = 0;
  if (desc->flags & RP_RECORD_KEEP_INPUTS) return 0;
  for (uint32_t i = 0; i < pieces->n_outputs; i++)
    if (pieces->outputs[i].piece == RP_NONE) return 0;
  for (uint32_t i = 0; i < pieces->n; i++)
    for (uint32_t k = 0; k < pieces->items[i].n_inputs; k++) {
      if (pieces->items[i].inputs[k].piece != RP_NONE) continue;
      if (pieces->items[i].inputs[k].route != RP_ROUTE_UPLOAD) return 0;
      any = 1;
    }
  return any;
}

static bool uploads(const rp_piece *piece) {
  bool any = 0;
  for (uint32_t i = 0; i < piece->n_inputs; i++) any |= piece->inputs[i].route == RP_ROUTE_UPLOAD;
  return any;
}

static void clear(rp_program *p, rp_space space) {
  for (uint32_t b = 0; b < p->desc->n_blocks; b++)
    if (p->desc->blocks[b].secret && p->desc->blocks[b].space == space)
      explicit_bzero(p->blocks[b].host, (size_t)p->blocks[b].bytes);
}

/* Overwriting hundreds of MiB takes the host as long as a proof takes the devices: it is done while they work. */
static rp_status clear_inputs(rp_program *p, rp_error *err) {
  for (uint32_t i = 0; i < p->pieces->n; i++) {
    const part_run *part = &p->parts[i];
    if (part->state == PIECE_NOT) return RP_OK; /* it starts later, and takes them then */
    if (part->state != PIECE_STARTED || !uploads(&p->pieces->items[i])) continue;
    const rp_device *d = part->run->recording->device;
    rp_error why = {0};
    const rp_status status = d->backend->await_arrivals(d->state, part->run->program, &why);
    if (status) return fail_piece(p, i, status, &why, err);
  }
  clear(p, RP_SPACE_INPUT);
  p->cleared = 1;
  return RP_OK;
}

/* ---- The backend's functions ------------------------------------------------------------------------------------- */

static bool make_parts(rp_program *p, rp_error *err) {
  p->parts = rp_arena_array(&p->arena, p->pieces->n, sizeof *p->parts);
  for (uint32_t i = 0; p->parts && i < p->pieces->n; i++) {
    const rp_piece *piece = &p->pieces->items[i];
    p->parts[i].arrivals = rp_arena_array(&p->arena, piece->n_inputs, sizeof(rp_arrival));
    if (!p->parts[i].arrivals) return 0;
    if (piece->sends && rp_event_create(p->context, &p->parts[i].event, err)) return 0;
  }
  return p->parts != NULL;
}

static rp_status pin_all(rp_program *p, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < p->pieces->n && !status; i++) {
    rp_error why = {0};
    status = rp_recording_pin(p->pieces->items[i].recording, &why);
    if (status) (void)fail_piece(p, i, status, &why, err);
  }
  if (!status) p->pinned = 1;
  p->pieces->n_programs += !status;
  return status;
}

/* The pieces' memory goes with the last run slot of the shell. */
static void unpin_all(rp_program *p) {
  p->pieces->n_programs -= (uint32_t)p->pinned;
  if (p->pieces->n_programs) return;
  for (uint32_t i = 0; i < p->pieces->n; i++) {
    rp_recording_unpin(p->pieces->items[i].recording);
    const rp_status status = rp_recording_evict(p->pieces->items[i].recording, NULL); /* a lost device keeps it */
    (void)status;
  }
}

rp_status rp_group_program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                                  rp_program **program, rp_error *err) {
  (void)state;
  rp_context *context = desc->plan->context;
  *program = NULL;
  rp_program *p = rp_host_alloc(context, sizeof *p, _Alignof(rp_program));
  if (!p) return rp_fail_memory(err, "a group's program");
  *p = (rp_program){
      .context = context, .pieces = desc->plan->pieces, .plan = desc->plan, .desc = desc, .blocks = memory->blocks};
  p->clears = can_clear(p->pieces, desc);
  rp_arena_init(&p->arena, context);
  pthread_mutex_init(&p->lock, NULL);
  rp_status status = make_parts(p, err) ? RP_OK : rp_fail_memory(err, "a group's program");
  if (!status) status = pin_all(p, err);
  if (status) {
    rp_group_program_destroy(state, p);
    return status;
  }
  *program = p;
  return RP_OK;
}

void rp_group_program_destroy(void *state, rp_program *p) {
  (void)state;
  rp_context *context = p->context;
  const bool forked = rp_context_is_forked(context);
  if (!forked && p->parts) end_runs(p);
  if (!forked) unpin_all(p);
  for (uint32_t i = 0; p->parts && i < p->pieces->n; i++) rp_event_destroy(p->parts[i].event);
  if (!forked) pthread_mutex_destroy(&p->lock);
  rp_arena_free(&p->arena);
  rp_host_free(context, p, sizeof *p);
}

rp_status rp_group_submit(void *state, rp_program *p, const uint64_t *words, uint32_t n_words, const rp_links *links,
                          rp_error *err) {
  (void)state, (void)words, (void)n_words;
  if (links && (links->n_waits || links->n_signals || links->n_after || links->stream))
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "runs of a group of devices take no `waits`, `signals`, `after` and `stream`");
  end_runs(p);
  p->counters = (rp_backend_counters){0};
  p->cleared = 0;
  p->serial++;
  p->priority = !links ? 0 : links->priority < INT32_MAX ? links->priority : INT32_MAX - 1;
  pthread_mutex_lock(&p->lock);
  p->cancelled = 0;
  pthread_mutex_unlock(&p->lock);
  p->submitted = 1;
  const rp_status status = start_all(p, err);
  if (status) stop(p);
  return status;
}

static uint64_t left_until(uint64_t timeout_ns, uint64_t begin_ns) {
  if (timeout_ns == UINT64_MAX) return UINT64_MAX;
  const uint64_t passed = rp_now_ns() - begin_ns;
  return timeout_ns > passed ? timeout_ns - passed : 0;
}

static bool is_cancelled(rp_program *p) {
  pthread_mutex_lock(&p->lock);
  const bool cancelled = p->cancelled;
  pthread_mutex_unlock(&p->lock);
  return cancelled;
}

/* Waits for one piece, and starts those that its end allows to start. */
static rp_status finish_piece(rp_program *p, uint32_t index, uint64_t timeout_ns, rp_error *err) {
  part_run *part = &p->parts[index];
  if (part->state == PIECE_DONE) return RP_OK;
  if (part->state == PIECE_NOT)
    return rp_fail(err, RP_ERR_CANCELLED, "the run was cancelled before all of its devices had begun");
  const rp_status status = rp_run_wait(part->run, timeout_ns);
  if (status == RP_ERR_TIMEOUT) return status;
  set_done(p, index);
  if (status) return fail_piece(p, index, status, rp_run_error(part->run), err);
  return is_cancelled(p) ? RP_OK : start_all(p, err);
}

rp_status rp_group_wait(void *state, rp_program *p, uint64_t timeout_ns, rp_error_record *fault, rp_error *err) {
  (void)state;
  const uint64_t begin_ns = rp_now_ns();
  rp_status status = RP_OK;
  if (!p->submitted) return rp_fail(err, RP_ERR_STATE, "nothing was submitted");
  if (p->clears && !p->cleared && timeout_ns == UINT64_MAX) status = clear_inputs(p, err);
  for (uint32_t i = 0; i < p->pieces->n && !status; i++)
    status = finish_piece(p, i, left_until(timeout_ns, begin_ns), err);
  if (status == RP_ERR_TIMEOUT) return status;
  if (!status) status = take_outputs(p, err);
  if (status)
    stop(p);
  else
    count(p);
  p->submitted = 0;
  *fault = (rp_error_record){0};
  return status;
}

void rp_group_cancel(void *state, rp_program *p) {
  (void)state;
  cancel_all(p);
}

void rp_group_wipe(void *state, rp_program *p) {
  (void)state;
  end_runs(p);
  if (!p->cleared) clear(p, RP_SPACE_INPUT);
  p->cleared = 0; /* the next run's inputs are written before its submission */
  clear(p, RP_SPACE_OUTPUT);
}

const rp_run *rp_group_piece_run(const rp_program *p, uint32_t index) { return p->parts[index].run; }

void rp_group_counters(void *state, const rp_program *p, rp_backend_counters *counters) {
  (void)state;
  *counters = p->counters;
}
