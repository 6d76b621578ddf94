/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The memory that runs bind: what lies where.
 */
#include "recording.h"

static const char *graph_name(const rp_run *run) { return run->recording->plan->graph->name; }

/* A range of memory that the run binds. */
typedef struct bound {
  uint64_t begin, end;
  const char *name;
  bool copied; /* by a step of its own, before the others or after them */
} bound;

/* False: the value is not bound. */
static bool bound_at(const rp_run *run, const rp_plan_value *v, const char *name, bound *at) {
  const uint64_t begin = v->word == RP_NONE ? 0 : run->words[v->word];
  *at = (bound){begin, begin + v->bytes, name, !(v->flags & (RP_RESIDENT | RP_LENDABLE)) || v->flags & RP_COPIED};
  return begin != 0;
}

static rp_status check_apart(rp_run *run, const bound *out, const bound *other, bool other_is_input) {
  if (out->begin >= other->end || other->begin >= out->end) return RP_OK;
  if (other_is_input && out->copied && other->copied) return RP_OK;
  return rp_fail(&run->error, RP_ERR_ARGUMENT,
                 "%s: output '%s' is bound to memory that %s '%s' is bound to: bind them to different bytes",
                 graph_name(run), out->name, other_is_input ? "input" : "output", other->name);
}

rp_status rp_run_check_bound(rp_run *run) {
  const rp_plan *p = run->recording->plan;
  bound out, other;
  rp_status status = RP_OK;
  for (uint32_t o = 0; o < p->n_outputs && !status; o++) {
    const rp_plan_value *v = &p->values[p->outputs[o]];
    if (v->word == RP_NONE) continue;
    if (!bound_at(run, v, v->output, &out)) {
      if (out.copied) continue;
      return rp_fail(&run->error, RP_ERR_STATE, "%s: output '%s' is resident: bind a buffer to it", graph_name(run),
                     v->output);
    }
    for (uint32_t i = 0; i < p->n_inputs && !status; i++) {
      const rp_plan_value *x = &p->values[p->inputs[i]];
      if (bound_at(run, x, x->name, &other)) status = check_apart(run, &out, &other, 1);
    }
    for (uint32_t i = 0; i < o && !status; i++) {
      const rp_plan_value *x = &p->values[p->outputs[i]];
      if (bound_at(run, x, x->output, &other)) status = check_apart(run, &out, &other, 0);
    }
  }
  return status;
}

bool rp_run_reads(const rp_run *later, const rp_run *earlier) {
  const rp_plan *to = later->recording->plan, *from = earlier->recording->plan;
  bound in, out;
  for (uint32_t o = 0; o < from->n_outputs; o++) {
    const rp_plan_value *v = &from->values[from->outputs[o]];
    if (!bound_at(earlier, v, v->output, &out)) continue;
    for (uint32_t i = 0; i < to->n_inputs; i++) {
      const rp_plan_value *x = &to->values[to->inputs[i]];
      if (bound_at(later, x, x->name, &in) && in.begin < out.end && out.begin < in.end) return 1;
    }
  }
  return 0;
}
