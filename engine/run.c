/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs: a slot that was taken (begin.c) gets its inputs, is submitted, waited for once and released (submit.c), and
 * says how it went.
 */
#include "recording.h"

/* ---- Inputs and outputs ------------------------------------------------------------------------------------------ */

static const char *graph_name(const rp_run *run) { return run->recording->plan->graph->name; }

/* NULL if it was not a value of the graph when that was recorded. */
static rp_plan_value *recorded_value(const rp_plan *p, rp_value value) {
  return value.graph == p->graph->mark && value.id && value.id <= p->n_graph_values ? &p->values[value.id - 1] : NULL;
}

rp_plan_value *rp_run_border(rp_run *run, rp_value value, bool output) {
  const rp_plan *p = run->recording->plan;
  const char *kind = output ? "output" : "input";
  rp_plan_value *v = recorded_value(p, value);
  if (v && (output ? v->output != NULL : v->origin == RP_ORIGIN_INPUT)) return v;
  if (value.id && value.graph && value.graph != p->graph->mark)
    (void)rp_fail(&run->error, RP_ERR_ARGUMENT,
                  "%s: value %u is of another graph than the one that was recorded, so no %s", graph_name(run),
                  value.id, kind);
  else
    (void)rp_fail(&run->error, RP_ERR_ARGUMENT, "%s: value %u is not an %s of the graph", graph_name(run), value.id,
                  kind);
  return NULL;
}

bool rp_run_is_checked(const rp_run *run, const rp_plan_value *v) {
  return run->recording->plan->options.flags & RP_RECORD_CHECK_INPUTS && v->type->valid;
}

/* RP_ERR_INPUT unless these n elements of the input, from index `first` on, are valid. */
rp_status rp_run_check_elements(rp_run *run, const rp_plan_value *v, const void *elements, uint64_t first, uint64_t n) {
  const uint64_t valid = v->type->valid(v->type, elements, n);
  if (valid >= n) return RP_OK;
  const bool built_in = v->type->id < RP_TYPE_USER; /* fields and curves */
  return rp_fail(&run->error, RP_ERR_INPUT, "input '%s': element %llu is not a valid %s%s", v->name,
                 (unsigned long long)(first + valid), v->type->name,
                 built_in ? ": an integer in it is not below the modulus" : "");
}

/* Copies an input into its staging. The copy is checked, since the caller's memory may change meanwhile and need not be
 * aligned. The data passes through a block in ordinary memory, because reading the staging may be slow. */
static rp_status copy_in(rp_run *run, const rp_plan_value *v, void *staging, const void *data) {
  enum { BLOCK = 8192 };
  _Alignas(64) unsigned char block[BLOCK];
  const uint64_t size = v->type->size_bytes, most = BLOCK / size;
  rp_status status = RP_OK;
  if (!rp_run_is_checked(run, v) || most == 0) {
    memcpy(staging, data, v->bytes);
    return rp_run_is_checked(run, v) ? rp_run_check_elements(run, v, staging, 0, v->len) : RP_OK;
  }
  for (uint64_t i = 0; i < v->len && !status; i += most) {
    const uint64_t n = v->len - i < most ? v->len - i : most;
    memcpy(block, (const char *)data + i * size, n * size);
    status = rp_run_check_elements(run, v, block, i, n);
    memcpy((char *)staging + i * size, block, n * size);
  }
  if (v->secret) explicit_bzero(block, sizeof block);
  return status;
}

rp_status rp_run_must_be_open(rp_run *run) {
  const rp_status status = rp_context_check(run->recording->device->context, &run->error);
  if (status) return status;
  atomic_store(&run->thread, rp_this_thread());
  if (atomic_load(&run->state) == RP_RUN_BEGUN) return RP_OK;
  return rp_fail(&run->error, RP_ERR_STATE, "%s: the run was submitted already", graph_name(run));
}

/* RP_OK if its inputs may be given. */
static rp_status takes_inputs(rp_run *run) {
  return atomic_load(&run->state) == RP_RUN_LENT ? rp_context_check(run->recording->device->context, &run->error)
                                                 : rp_run_must_be_open(run);
}

void *rp_run_staging(const rp_run *run, const rp_plan_value *value) {
  const rp_plan *p = run->recording->plan;
  if (value->staging_offset == UINT64_MAX) return NULL;
  if (!run->recording->device->info.limits.host_visible) {
    const rp_memory *m = value->origin == RP_ORIGIN_INPUT ? &run->staging_up : &run->staging_down;
    return (char *)m->host + value->staging_offset;
  }
  const uint32_t b = p->parts[RP_PART_RUN].index_of[value->segments[0].block];
  return (char *)run->memory[b].host + value->segments[0].offset;
}

void *rp_run_input(rp_run *run, rp_value input) {
  if (!run || takes_inputs(run)) return NULL;
  rp_plan_value *v = rp_run_border(run, input, 0);
  if (!v) return NULL;
  void *staging = rp_run_staging(run, v);
  if (!staging)
    (void)rp_fail(&run->error, RP_ERR_STATE, "input '%s' is resident: bind a buffer to it", v->name);
  else
    run->is_set[input.id - 1] = RP_GIVEN_UNCHECKED;
  if (v->flags & RP_LENDABLE && v->word != RP_NONE) run->words[v->word] = 0;
  return staging;
}

rp_status rp_run_set_input(rp_run *run, rp_value input, const void *data, uint64_t size_bytes) {
  if (!run) return RP_ERR_ARGUMENT;
  if (takes_inputs(run)) return RP_ERR_STATE;
  const rp_plan_value *v = rp_run_border(run, input, 0);
  if (!v) return RP_ERR_ARGUMENT;
  if (!data) return rp_fail(&run->error, RP_ERR_ARGUMENT, "input '%s': data is NULL", v->name);
  if (size_bytes != v->bytes)
    return rp_fail(&run->error, RP_ERR_SHAPE, "input '%s' has %llu bytes, not %llu", v->name,
                   (unsigned long long)v->bytes, (unsigned long long)size_bytes);
  void *staging = rp_run_input(run, input);
  if (!staging) return run->error.status;
  run->is_set[input.id - 1] = RP_GIVEN_NOT;
  const rp_status status = copy_in(run, v, staging, data);
  if (status) return status;
  run->is_set[input.id - 1] = RP_GIVEN;
  return RP_OK;
}

rp_status rp_run_lend_input(rp_run *run, rp_value input, const void *data, uint64_t size_bytes) {
  if (!run) return RP_ERR_ARGUMENT;
  if (rp_run_must_be_open(run)) return RP_ERR_STATE;
  const rp_plan_value *v = rp_run_border(run, input, 0);
  if (!v) return RP_ERR_ARGUMENT;
  const rp_device *d = run->recording->device;
  if (!(v->flags & RP_LENDABLE))
    return rp_fail(&run->error, RP_ERR_STATE, "input '%s' was made without RP_LENDABLE", v->name);
  if (!data) return rp_fail(&run->error, RP_ERR_ARGUMENT, "input '%s': data is NULL", v->name);
  if (size_bytes != v->bytes)
    return rp_fail(&run->error, RP_ERR_SHAPE, "input '%s' has %llu bytes, not %llu", v->name,
                   (unsigned long long)v->bytes, (unsigned long long)size_bytes);
  if (v->word == RP_NONE || (uintptr_t)data % v->type->align_bytes != 0 ||
      !d->backend->memory_lends(d->state, data, size_bytes))
    return rp_fail(&run->error, RP_ERR_UNSUPPORTED, "input '%s': a %s device cannot take it from where it lies",
                   v->name, d->backend->name);
  run->words[v->word] = (uintptr_t)data;
  run->is_set[input.id - 1] = RP_GIVEN;
  return RP_OK;
}

/* Where kernels access what is bound, they must find it aligned as they expect it of any value. */
static uint64_t bind_align(const rp_run *run, const rp_plan_value *v) {
  const bool in_place = v->flags & RP_RESIDENT && !(v->flags & RP_COPIED);
  const uint64_t least = in_place && !run->recording->device->info.limits.host_visible ? RP_BIND_ALIGN : 1;
  return v->type->align_bytes > least ? v->type->align_bytes : least;
}

static rp_status bind(rp_run *run, rp_value value, rp_buffer *buffer, uint64_t offset, bool output) {
  if (!run) return RP_ERR_ARGUMENT;
  if (!buffer) return rp_fail_null(&run->error, output ? "rp_run_bind_output" : "rp_run_bind_input");
  if (rp_run_must_be_open(run)) return RP_ERR_STATE;
  const rp_plan_value *v = rp_run_border(run, value, output);
  if (!v) return RP_ERR_ARGUMENT;
  const char *name = output ? v->output : v->name;
  if (v->word == RP_NONE || v->flags & RP_LENDABLE)
    return rp_fail(&run->error, RP_ERR_STATE, "'%s' was made without RP_BINDABLE or RP_RESIDENT", name);
  if (buffer->device != run->recording->device)
    return rp_fail(&run->error, RP_ERR_MISMATCH, "'%s': the buffer is on another device than the recording", name);
  if (offset > buffer->memory.bytes || v->bytes > buffer->memory.bytes - offset)
    return rp_fail(&run->error, RP_ERR_ARGUMENT,
                   "'%s' has %llu bytes, which do not fit at byte %llu of a buffer of %llu", name,
                   (unsigned long long)v->bytes, (unsigned long long)offset, (unsigned long long)buffer->memory.bytes);
  const uint64_t address = buffer->memory.address + offset, align = bind_align(run, v);
  if (address % align)
    return rp_fail(&run->error, RP_ERR_ARGUMENT,
                   "'%s' would begin at byte %llu of the buffer, which is not at a multiple of %llu bytes in memory: "
                   "give it another place there",
                   name, (unsigned long long)offset, (unsigned long long)align);
  run->words[v->word] = address;
  run->is_set[value.id - 1] = RP_GIVEN;
  return RP_OK;
}

rp_status rp_run_bind_input(rp_run *run, rp_value input, rp_buffer *buffer, uint64_t offset_bytes) {
  return bind(run, input, buffer, offset_bytes, 0);
}

rp_status rp_run_bind_output(rp_run *run, rp_value output, rp_buffer *buffer, uint64_t offset_bytes) {
  return bind(run, output, buffer, offset_bytes, 1);
}

const void *rp_run_output(rp_run *run, rp_value output) {
  if (!run || run->result) return NULL;
  const int state = atomic_load(&run->state);
  if (state != RP_RUN_DONE && !(state == RP_RUN_LENT && run->collected)) return NULL;
  if (rp_context_is_forked(run->recording->device->context)) return NULL;
  const rp_plan_value *v = recorded_value(run->recording->plan, output);
  return v && v->output ? rp_run_staging(run, v) : NULL;
}

/* ---- How it went ------------------------------------------------------------------------------------------------- */

const rp_error *rp_run_error(const rp_run *run) { return run ? &run->error : NULL; }

void rp_run_get_counters(const rp_run *run, rp_run_counters *counters) {
  static const rp_run_counters none;
  if (counters) rp_info_write(counters, run ? &run->counters : &none, sizeof none);
}
