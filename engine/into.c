/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs whose work the caller executes, as a part of a command buffer or graph.
 */
#include "device.h"
#include "recording.h"

static const char *name_of(const rp_run *run) { return run->recording->plan->graph->name; }

/* Inputs that are staged may be given later, and none may be lent. */
static rp_status check_inputs(rp_run *run) {
  const rp_plan *p = run->recording->plan;
  for (uint32_t i = 0; i < p->n_inputs; i++) {
    const rp_plan_value *v = &p->values[p->inputs[i]];
    if (v->word != RP_NONE && v->flags & RP_RESIDENT && !run->words[v->word])
      return rp_fail(&run->error, RP_ERR_STATE, "%s: input '%s' has not been given", name_of(run), v->name);
    if (v->word != RP_NONE && v->flags & RP_LENDABLE && run->words[v->word])
      return rp_fail(&run->error, RP_ERR_UNSUPPORTED,
                     "%s: input '%s' is lent, which is only for runs that are submitted: give it through its staging",
                     name_of(run), v->name);
  }
  return RP_OK;
}

rp_status rp_run_record_into(rp_run *run, const rp_into *into) {
  rp_into o;
  if (!run) return RP_ERR_ARGUMENT;
  rp_device *d = run->recording->device;
  if (rp_run_must_be_open(run)) return RP_ERR_STATE;
  run->error = (rp_error){0};
  if (rp_device_is_lost(d)) return rp_device_fail_lost(d, &run->error);
  if (!into || !rp_options_read(&o, sizeof o, into) || !o.handle)
    return rp_fail(&run->error, RP_ERR_ARGUMENT,
                   "rp_run_record_into: `into` has no struct_size, or no handle of a command buffer, graph or stream");
  if (!d->backend->record_into)
    return rp_fail(&run->error, RP_ERR_UNSUPPORTED, "%s: a %s device has no command buffers or graphs of a program",
                   name_of(run), d->backend->name);
  rp_status status = check_inputs(run);
  if (!status) status = rp_run_check_bound(run);
  if (status) return status;
  status = d->backend->record_into(d->state, run->program, run->words, run->recording->plan->n_words, &o, &run->error);
  if (!status) atomic_store(&run->state, RP_RUN_LENT);
  return rp_device_note(d, status);
}

rp_status rp_run_collect(rp_run *run) {
  if (!run) return RP_ERR_ARGUMENT;
  const rp_recording *r = run->recording;
  const rp_status usable = rp_context_check(r->device->context, &run->error);
  if (usable) return usable;
  if (atomic_load(&run->state) != RP_RUN_LENT)
    return rp_fail(&run->error, RP_ERR_STATE, "%s: the run has not been recorded into anything", name_of(run));
  rp_error_record fault = {0};
  r->device->backend->latest_fault(r->device->state, run->program, &fault);
  run->error = (rp_error){0};
  run->collected = 1;
  run->result = fault.code ? rp_fault_error(r->plan, &fault, &run->error) : RP_OK;
  return run->result;
}
