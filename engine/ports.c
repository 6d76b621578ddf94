/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Inputs and outputs of a graph, or of a recording: their number, by index, by name.
 */
#include "recording.h"

#include <stdio.h>

/* The inputs or the outputs of a graph or of a recording. */
typedef struct ports {
  const rp_graph *graph; /* NULL: of neither */
  const rp_plan *plan;   /* NULL: of the graph */
  bool output;
} ports;

static uint32_t count(const ports *p) {
  if (p->plan) return p->output ? p->plan->n_outputs : p->plan->n_inputs;
  return p->output ? p->graph->n_outputs : p->graph->n_inputs;
}

static rp_port_info port(const ports *p, uint32_t i) {
  rp_port_info info = {.struct_size = sizeof info};
  if (p->plan) {
    const uint32_t index = (p->output ? p->plan->outputs : p->plan->inputs)[i];
    const rp_plan_value *v = &p->plan->values[index];
    info.value = (rp_value){index + 1, p->graph->mark};
    info.name = p->output ? v->output : v->name;
    info.type = v->type;
    info.len = v->len;
    info.flags = v->flags;
    info.secret = v->secret != 0;
  } else {
    info.value = (p->output ? p->graph->outputs : p->graph->inputs)[i];
    const rp_graph_value *v = rp_graph_value_of(p->graph, info.value);
    info.name = p->output ? v->output : v->name;
    info.type = v->type;
    info.len = v->len;
    info.flags = p->output ? v->output_flags : v->flags;
    info.secret = v->secret != 0;
  }
  info.size_bytes = info.len * info.type->size_bytes;
  return info;
}

static const char *kind(const ports *p) { return p->output ? "output" : "input"; }

static rp_status give(const rp_port_info *found, rp_port_info *info, const char *function, rp_error *err) {
  if (rp_info_write(info, found, sizeof *found)) return RP_OK;
  return rp_fail(err, RP_ERR_ARGUMENT, "%s: info.struct_size is not set", function);
}

static rp_status get(const ports *p, uint32_t index, rp_port_info *info, const char *function, rp_error *err) {
  if (!p->graph || !info) return rp_fail_null(err, function);
  if (index >= count(p))
    return rp_fail(err, RP_ERR_ARGUMENT, "%s has %u %ss, and none with index %u", p->graph->name, count(p), kind(p),
                   index);
  const rp_port_info found = port(p, index);
  return give(&found, info, function, err);
}

static rp_status find(const ports *p, const char *name, rp_port_info *info, const char *function, rp_error *err) {
  if (!p->graph || !name || !info) return rp_fail_null(err, function);
  for (uint32_t i = 0; i < count(p); i++) {
    const rp_port_info found = port(p, i);
    if (strcmp(found.name, name) == 0) return give(&found, info, function, err);
  }
  if (!err) return RP_ERR_ARGUMENT;
  char names[320] = "";
  size_t at = 0;
  for (uint32_t i = 0; i < count(p) && at < sizeof names; i++)
    at += (size_t)snprintf(names + at, sizeof names - at, "%s'%s'", i ? ", " : "", port(p, i).name);
  return rp_fail(err, RP_ERR_ARGUMENT, "%.48s has no %s '%.64s'; it has %s", p->graph->name, kind(p), name,
                 names[0] ? names : "none");
}

/* ---- Of a graph -------------------------------------------------------------------------------------------------- */

uint32_t rp_graph_n_inputs(const rp_graph *graph) { return graph ? graph->n_inputs : 0; }
uint32_t rp_graph_n_outputs(const rp_graph *graph) { return graph ? graph->n_outputs : 0; }

rp_status rp_graph_get_input(const rp_graph *graph, uint32_t index, rp_port_info *info, rp_error *err) {
  return get(&(ports){graph, NULL, 0}, index, info, "rp_graph_get_input", err);
}

rp_status rp_graph_get_output(const rp_graph *graph, uint32_t index, rp_port_info *info, rp_error *err) {
  return get(&(ports){graph, NULL, 1}, index, info, "rp_graph_get_output", err);
}

rp_status rp_graph_find_input(const rp_graph *graph, const char *name, rp_port_info *info, rp_error *err) {
  return find(&(ports){graph, NULL, 0}, name, info, "rp_graph_find_input", err);
}

rp_status rp_graph_find_output(const rp_graph *graph, const char *name, rp_port_info *info, rp_error *err) {
  return find(&(ports){graph, NULL, 1}, name, info, "rp_graph_find_output", err);
}

/* ---- Of a recording ---------------------------------------------------------------------------------------------- */

static ports of(const rp_recording *r, bool output) {
  return r ? (ports){r->plan->graph, r->plan, output} : (ports){NULL, NULL, output};
}

uint32_t rp_recording_n_inputs(const rp_recording *recording) { return recording ? recording->plan->n_inputs : 0; }
uint32_t rp_recording_n_outputs(const rp_recording *recording) { return recording ? recording->plan->n_outputs : 0; }

rp_status rp_recording_get_input(const rp_recording *recording, uint32_t index, rp_port_info *info, rp_error *err) {
  const ports p = of(recording, 0);
  return get(&p, index, info, "rp_recording_get_input", err);
}

rp_status rp_recording_get_output(const rp_recording *recording, uint32_t index, rp_port_info *info, rp_error *err) {
  const ports p = of(recording, 1);
  return get(&p, index, info, "rp_recording_get_output", err);
}

rp_status rp_recording_find_input(const rp_recording *recording, const char *name, rp_port_info *info, rp_error *err) {
  const ports p = of(recording, 0);
  return find(&p, name, info, "rp_recording_find_input", err);
}

rp_status rp_recording_find_output(const rp_recording *recording, const char *name, rp_port_info *info, rp_error *err) {
  const ports p = of(recording, 1);
  return find(&p, name, info, "rp_recording_find_output", err);
}
