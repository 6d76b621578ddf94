/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Loops and batches: calls of a body, with slices of what each of them gets and concatenations of what all of them
 * give.
 */
#include "lower/lower.h"

#include <reprise/subgraph.h>

#include <string.h>

typedef struct loop {
  rp_graph *g;
  const char *what, *name;
  const rp_graph *body;
  uint32_t n;
  bool carries; /* it may carry values from one iteration to the next */
  rp_repeat_ports p;
  rp_call_port *in;  /* of one call: shared, sliced, carried */
  rp_call_port *out; /* of one call: carried, stacked */
  rp_value *stacks;  /* per stacked output, per iteration */
  uint32_t n_in, n_out;
} loop;

static bool fail(const loop *l, rp_status status, const char *problem) {
  rp_graph_fail(l->g, status, "%s '%.64s': %s", l->what, l->name, problem);
  return 0;
}

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

static bool lists_are_good(const loop *l) {
  const rp_repeat_ports *p = &l->p;
  if (!l->n) return fail(l, RP_ERR_ARGUMENT, "n is 0");
  if ((!p->shared && p->n_shared) || (!p->sliced && p->n_sliced) || (!p->carried && p->n_carried) ||
      (!p->stacked && p->n_stacked))
    return fail(l, RP_ERR_ARGUMENT, "a list of inputs or outputs is NULL");
  if (!l->carries && p->n_carried) return fail(l, RP_ERR_ARGUMENT, "its instances carry no values on");
  if (!p->n_carried && !p->n_stacked) return fail(l, RP_ERR_ARGUMENT, "no output is carried or stacked");
  return 1;
}

/* Of an input, its length; 0 after an error. */
static uint64_t input_len(const loop *l, const char *name) {
  rp_port_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  if (rp_graph_find_input(l->body, name, &info, &err) == RP_OK) return info.len;
  rp_graph_fail(l->g, err.status, "%s '%.64s': %.300s", l->what, l->name, err.reason);
  return 0;
}

static bool sliced_is_good(const loop *l, const rp_call_port *s) {
  const uint64_t len = input_len(l, s->name);
  if (!len || !rp_value_check(l->g, s->value, l->what, s->name)) return 0;
  const uint64_t have = rp_value_len(l->g, s->value);
  if (have % l->n == 0 && have / l->n == len) return 1;
  rp_graph_fail(l->g, RP_ERR_SHAPE,
                "%s '%.64s': input '%.64s' takes %u slices of %llu elements, and the value has %llu", l->what, l->name,
                s->name, l->n, (unsigned long long)len, (unsigned long long)have);
  return 0;
}

/* What an iteration leaves is what the next one takes; checked here so that it holds for a single iteration too. */
static bool carried_is_good(const loop *l, const rp_carried *c) {
  rp_port_info in = {.struct_size = sizeof in}, out = {.struct_size = sizeof out};
  rp_error err = {0};
  rp_status status = rp_graph_find_input(l->body, c->input, &in, &err);
  if (!status) status = rp_graph_find_output(l->body, c->output, &out, &err);
  if (status) {
    rp_graph_fail(l->g, status, "%s '%.64s': %.300s", l->what, l->name, err.reason);
  } else if (in.type->id != out.type->id || in.len != out.len) {
    rp_graph_fail(l->g, in.type->id != out.type->id ? RP_ERR_TYPE : RP_ERR_SHAPE,
                  "%s '%.64s': output '%.64s' has %llu elements of %.32s, and input '%.64s' takes %llu of %.32s",
                  l->what, l->name, c->output, (unsigned long long)out.len, out.type->name, c->input,
                  (unsigned long long)in.len, in.type->name);
  } else {
    return 1;
  }
  return 0;
}

/* ---- One iteration ----------------------------------------------------------------------------------------------- */

static bool make_slices(const loop *l, uint32_t i) {
  for (uint32_t s = 0; s < l->p.n_sliced; s++) {
    const rp_value all = l->p.sliced[s].value;
    const uint64_t len = rp_value_len(l->g, all) / l->n;
    const rp_value slice = l->n == 1 ? all : rp_slice(l->g, all, i * len, len);
    if (!slice.id) return 0;
    l->in[l->p.n_shared + s].value = slice;
  }
  return 1;
}

static bool iterate(const loop *l, uint32_t i) {
  if (!make_slices(l, i)) return 0;
  if (!rp_call(l->g, "", l->body, l->in, l->n_in, l->out, l->n_out).id) return 0;
  for (uint32_t c = 0; c < l->p.n_carried; c++) l->in[l->p.n_shared + l->p.n_sliced + c].value = l->out[c].value;
  for (uint32_t s = 0; s < l->p.n_stacked; s++) l->stacks[(uint64_t)s * l->n + i] = l->out[l->p.n_carried + s].value;
  return 1;
}

/* ---- The loop ---------------------------------------------------------------------------------------------------- */

static void name_ports(const loop *l) {
  rp_call_port *in = l->in, *out = l->out;
  for (uint32_t i = 0; i < l->p.n_shared; i++) *in++ = l->p.shared[i];
  for (uint32_t i = 0; i < l->p.n_sliced; i++) *in++ = l->p.sliced[i];
  for (uint32_t i = 0; i < l->p.n_carried; i++) {
    *in++ = (rp_call_port){l->p.carried[i].input, l->p.carried[i].value};
    *out++ = (rp_call_port){l->p.carried[i].output, RP_NO_VALUE};
  }
  for (uint32_t i = 0; i < l->p.n_stacked; i++) *out++ = (rp_call_port){l->p.stacked[i].name, RP_NO_VALUE};
}

static bool run(const loop *l) {
  name_ports(l);
  for (uint32_t s = 0; s < l->p.n_sliced; s++)
    if (!sliced_is_good(l, &l->p.sliced[s])) return 0;
  for (uint32_t c = 0; c < l->p.n_carried; c++)
    if (!carried_is_good(l, &l->p.carried[c])) return 0;
  rp_scope_begin(l->g, l->name);
  for (uint32_t i = 0; i < l->n; i++)
    if (!iterate(l, i)) return 0;
  for (uint32_t s = 0; s < l->p.n_stacked; s++) {
    const rp_value *parts = l->stacks + (uint64_t)s * l->n;
    l->p.stacked[s].value = l->n == 1 ? parts[0] : rp_concat(l->g, parts, l->n);
    if (!l->p.stacked[s].value.id) return 0;
  }
  for (uint32_t c = 0; c < l->p.n_carried; c++) l->p.carried[c].value = l->out[c].value;
  rp_scope_end(l->g);
  return 1;
}

static bool allocate(loop *l) {
  rp_context *context = rp_graph_context(l->g);
  l->in = rp_context_alloc(context, (l->n_in + 1u) * sizeof *l->in);
  l->out = rp_context_alloc(context, l->n_out * sizeof *l->out);
  l->stacks = rp_context_alloc(context, ((uint64_t)l->n * l->p.n_stacked + 1) * sizeof *l->stacks);
  return l->in && l->out && l->stacks ? 1 : fail(l, RP_ERR_MEMORY, "out of host memory for the graph");
}

static bool call_many(loop *l, const rp_repeat_ports *ports) {
  const rp_error *error = rp_graph_error(l->g);
  const bool known = rp_options_read(&l->p, sizeof l->p, ports);
  if (!error || error->status) return 0;
  if (!known) return fail(l, RP_ERR_ARGUMENT, "ports.struct_size is not set");
  if (!lists_are_good(l)) return 0;
  l->n_in = l->p.n_shared + l->p.n_sliced + l->p.n_carried;
  l->n_out = l->p.n_carried + l->p.n_stacked;
  const bool good = allocate(l) && run(l);
  rp_context_free(l->in);
  rp_context_free(l->out);
  rp_context_free(l->stacks);
  return good;
}

static bool call_body(loop *l, const rp_repeat_ports *ports) {
  const bool good = call_many(l, ports);
  for (uint32_t c = 0; !good && l->p.carried && c < l->p.n_carried; c++) l->p.carried[c].value = RP_NO_VALUE;
  for (uint32_t s = 0; !good && l->p.stacked && s < l->p.n_stacked; s++) l->p.stacked[s].value = RP_NO_VALUE;
  return good;
}

bool rp_repeat(rp_graph *graph, const char *name, const rp_graph *body, uint32_t n, const rp_repeat_ports *ports) {
  loop l = {.g = graph, .what = "repeat", .name = name ? name : "(NULL)", .body = body, .n = n, .carries = 1};
  return call_body(&l, ports);
}

bool rp_batch(rp_graph *graph, const char *name, const rp_graph *body, uint32_t n, const rp_repeat_ports *ports) {
  loop l = {.g = graph, .what = "batch", .name = name ? name : "(NULL)", .body = body, .n = n};
  return call_body(&l, ports);
}
