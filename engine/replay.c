/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A run in one call.
 */
#include "recording.h"

/* The value of an entry, by name if it has one. */
static rp_status value_of(const rp_recording *r, const char *name, rp_value given, bool output, rp_value *value,
                          rp_error *err) {
  rp_port_info port = {.struct_size = sizeof port};
  *value = given;
  if (!name) return RP_OK;
  const rp_status status =
      output ? rp_recording_find_output(r, name, &port, err) : rp_recording_find_input(r, name, &port, err);
  *value = port.value;
  return status;
}

static rp_status set_inputs(rp_run *run, const rp_replay_input *inputs, uint32_t n, rp_error *err) {
  for (uint32_t i = 0; i < n; i++) {
    rp_value value;
    rp_status status = value_of(run->recording, inputs[i].name, inputs[i].value, 0, &value, err);
    if (status) return status;
    const rp_plan_value *v = rp_run_border(run, value, 0);
    if (v && run->is_set[value.id - 1] != RP_GIVEN_NOT)
      return rp_fail(err, RP_ERR_ARGUMENT, "input '%s' is listed twice", v->name);
    status = rp_run_set_input(run, value, inputs[i].data, inputs[i].size_bytes);
    if (status) {
      if (err) *err = run->error;
      return status;
    }
  }
  return RP_OK;
}

/* Checks before the run that each output exists, has staging, and has the size that the caller gave. */
static rp_status check_outputs(rp_run *run, const rp_replay_output *outputs, uint32_t n, rp_error *err) {
  for (uint32_t i = 0; i < n; i++) {
    rp_value value;
    const rp_status status = value_of(run->recording, outputs[i].name, outputs[i].value, 1, &value, err);
    if (status) return status;
    const rp_plan_value *v = rp_run_border(run, value, 1);
    if (!v) {
      if (err) *err = run->error;
      return RP_ERR_ARGUMENT;
    }
    if (!outputs[i].data) return rp_fail(err, RP_ERR_ARGUMENT, "output '%s': data is NULL", v->output);
    if (!rp_run_staging(run, v))
      return rp_fail(err, RP_ERR_STATE, "output '%s' is resident: bind a buffer to it, in a run of your own",
                     v->output);
    if (outputs[i].size_bytes != v->bytes)
      return rp_fail(err, RP_ERR_SHAPE, "output '%s' has %llu bytes, not %llu", v->output, (unsigned long long)v->bytes,
                     (unsigned long long)outputs[i].size_bytes);
  }
  return RP_OK;
}

static void take_outputs(rp_run *run, const rp_replay_output *outputs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    rp_value value = RP_NO_VALUE;
    const rp_status status = value_of(run->recording, outputs[i].name, outputs[i].value, 1, &value, NULL);
    const void *from = status ? NULL : rp_run_output(run, value);
    if (from) memcpy(outputs[i].data, from, outputs[i].size_bytes);
  }
}

rp_status rp_replay(rp_recording *recording, const rp_replay_input *inputs, uint32_t n_inputs,
                    const rp_replay_output *outputs, uint32_t n_outputs, rp_error *err) {
  if (!recording || (!inputs && n_inputs) || (!outputs && n_outputs)) return rp_fail_null(err, "rp_replay");
  rp_run *run;
  rp_status status = rp_run_begin(recording, UINT64_MAX, &run, err);
  if (status) return status;
  status = check_outputs(run, outputs, n_outputs, err);
  if (!status) status = set_inputs(run, inputs, n_inputs, err);
  if (!status) {
    status = rp_run_submit(run);
    if (!status) status = rp_run_wait(run, UINT64_MAX);
    if (status && err) *err = run->error;
  }
  if (!status) take_outputs(run, outputs, n_outputs);
  rp_run_end(run);
  return status;
}
