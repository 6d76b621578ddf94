/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Print: what each pass added to the plan, as text. The golden tests compare it, and a context with log level
 * RP_LOG_DEBUG logs it line by line.
 */
#include "dag.h"
#include "plan.h"
#include "text.h"

#include <reprise/rewrite.h>

static unsigned long long ull(uint64_t x) { return (unsigned long long)x; }

static const char *const part_names[2] = {"once", "run"};

static void put_value(rp_text *t, const rp_plan *p, uint32_t value) {
  char name[256];
  rp_text_put(t, rp_plan_value_name(p, value, name, sizeof name));
}

void rp_print_check(const rp_plan *p, rp_text *t) {
  const rp_graph *g = p->graph;
  rp_text_format(t, "%u nodes, %u values, %u inputs, %u outputs\n", p->n_nodes, p->n_graph_values, g->n_inputs,
                 g->n_outputs);
}

void rp_print_prune(const rp_plan *p, rp_text *t) {
  for (uint32_t n = 0; n < p->n_nodes; n++) {
    rp_text_put(t, p->nodes[n].live ? "keep " : "drop ");
    rp_text_put(t, p->nodes[n].node.name);
    rp_text_put(t, "\n");
  }
}

void rp_print_common(const rp_plan *p, rp_text *t) {
  for (uint32_t i = 0; i < p->n_values; i++) {
    if (p->values[i].same_as == RP_NONE) continue;
    put_value(t, p, i);
    rp_text_put(t, " is ");
    put_value(t, p, p->values[i].same_as);
    rp_text_put(t, "\n");
  }
}

void rp_print_order(const rp_plan *p, rp_text *t) {
  for (uint32_t i = 0; i < p->n_order; i++) {
    const rp_plan_node *n = &p->nodes[p->order[i]];
    rp_text_format(t, "%u %s ", i, n->once ? "once" : "run ");
    rp_text_put(t, n->node.name);
    rp_text_put(t, "\n");
  }
}

void rp_print_fuse(const rp_plan *p, rp_text *t) {
  for (uint32_t i = 0; i < p->n_values; i++) {
    if (p->values[i].fused_into == RP_NONE) continue;
    put_value(t, p, i);
    rp_text_put(t, " becomes a part of ");
    rp_text_put(t, p->nodes[p->values[i].fused_into].node.name);
    rp_text_put(t, "\n");
  }
}

void rp_print_views(const rp_plan *p, rp_text *t) {
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_plan_value *v = &p->values[i];
    if (v->view_of == RP_NONE) continue;
    put_value(t, p, i);
    rp_text_put(t, " is ");
    put_value(t, p, v->view_of);
    rp_text_format(t, " [%llu, %llu)\n", ull(v->view_first), ull(v->view_first + v->len));
  }
}

static void print_touch(rp_text *t, const rp_plan *p, const rp_touch *touch) {
  const uint32_t a = touch->access;
  rp_text_format(t, "    %s%s%s ", a & RP_READ ? "r" : "-", a & RP_WRITE ? "w" : "-",
                 a & (RP_ATOMIC | RP_IN_PLACE) ? (a & RP_ATOMIC ? "a" : "p") : "-");
  put_value(t, p, touch->value);
  rp_text_format(t, " [%llu, %llu)\n", ull(touch->first), ull(touch->first + touch->count));
}

static void put_label(rp_text *t, const rp_pattern *pattern, const rp_bases *call) {
  if (call && *call->scope) {
    rp_text_put(t, call->scope);
    rp_text_put(t, "/");
  }
  rp_text_put(t, pattern->label);
}

void rp_print_lower(const rp_plan *p, rp_text *t) {
  for (int part = 0; part < 2; part++) {
    for (uint32_t d = 0; d < p->parts[part].n_dispatches; d++) {
      const rp_plan_dispatch *x = &p->parts[part].dispatches[d];
      rp_text_format(t, "%s %u ", part_names[part], d);
      put_label(t, &x->pattern->step, x->call ? &x->call->step : NULL);
      const uint32_t *groups = x->pattern->step.groups;
      rp_text_format(t, ", %u x %u x %u groups", groups[0], groups[1], groups[2]);
      const uint32_t node = rp_node_of(x);
      if (node != RP_NONE) rp_text_format(t, ", strategy %.60s", p->nodes[node].strategy->name);
      rp_text_put(t, "\n");
      for (uint32_t i = 0; i < rp_n_touches(x); i++) {
        const rp_touch touch = rp_touch_at(x, i);
        print_touch(t, p, &touch);
      }
    }
  }
}

void rp_print_in_place(const rp_plan *p, rp_text *t) {
  for (uint32_t i = 0; i < p->n_values; i++) {
    if (!p->values[i].in_place) continue;
    put_value(t, p, i);
    rp_text_put(t, " lies in ");
    put_value(t, p, p->values[i].view_of);
    rp_text_put(t, "\n");
  }
}

void rp_print_lifetime(const rp_plan *p, rp_text *t) {
  for (int part = 0; part < 2; part++) {
    const rp_dag *dag = p->parts[part].order;
    for (uint32_t d = 0; d < dag->n; d++) {
      rp_text_format(t, "%s %u after", part_names[part], d);
      for (uint32_t e = dag->first[d]; e < dag->first[d + 1]; e++) rp_text_format(t, " %u", dag->preds[e]);
      rp_text_put(t, "\n");
    }
  }
}

static const char *const sharing_names[] = {[RP_SHARE_AS_USUAL] = "as usual",
                                            [RP_SHARE_BY_ORDER] = "by order",
                                            [RP_SHARE_BY_NUMBER] = "by number",
                                            [RP_SHARE_BY_EPOCH] = "by epoch"};

void rp_print_schedule(const rp_plan *p, rp_text *t) {
  for (int part = 0; part < 2; part++) {
    const rp_part *x = &p->parts[part];
    if (x->n_dispatches)
      rp_text_format(t, "%s shares %s, %u epochs\n", part_names[part], sharing_names[rp_plan_sharing(p, part)],
                     x->n_epochs);
    for (uint32_t i = 0; i < x->n_dispatches; i++) {
      const uint32_t d = x->sequence[i];
      rp_text_format(t, "%s epoch %u dispatch %u, %llu ns of %u / %d\n", part_names[part], x->epoch[d], d,
                     ull(x->costs[d].alone_ns), x->costs[d].share, RP_COST_WHOLE);
    }
  }
}

static const char *const space_names[] = {
    [RP_SPACE_CONSTANT] = "constant", [RP_SPACE_BORROWED] = "borrowed", [RP_SPACE_ONCE] = "once",
    [RP_SPACE_ARENA] = "arena",       [RP_SPACE_INPUT] = "input",       [RP_SPACE_OUTPUT] = "output",
    [RP_SPACE_EXCHANGE] = "exchange", [RP_SPACE_BOUND] = "bound",       [RP_SPACE_PARAMETER] = "parameter"};

void rp_print_place(const rp_plan *p, rp_text *t) {
  for (uint32_t b = 0; b < p->n_blocks; b++)
    rp_text_format(t, "block %u %s, %llu bytes%s\n", b, space_names[p->blocks[b].block.space],
                   ull(p->blocks[b].block.bytes), p->blocks[b].block.secret ? ", secret" : "");
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_plan_value *v = &p->values[i];
    if (!v->placed) continue;
    put_value(t, p, i);
    rp_text_format(t, ", %llu of %u bytes", ull(v->len), v->type->size_bytes);
    for (uint32_t s = 0; s < v->n_segments; s++)
      rp_text_format(t, ", block %u at %llu", v->segments[s].block, ull(v->segments[s].offset));
    rp_text_put(t, "\n");
  }
}

void rp_print_hazards(const rp_plan *p, rp_text *t) {
  for (int part = 0; part < 2; part++) {
    for (uint32_t d = 0; d < p->parts[part].n_dispatches; d++) {
      rp_text_format(t, "%s %u after", part_names[part], d);
      for (uint32_t e = 0; e < p->parts[part].n_preds[d]; e++) rp_text_format(t, " %u", p->parts[part].preds[d][e]);
      rp_text_put(t, "\n");
    }
  }
}

void rp_print_levels(const rp_plan *p, rp_text *t) {
  for (int part = 0; part < 2; part++) {
    for (uint32_t s = 0; s < p->parts[part].n_dispatches; s++) {
      const rp_step *step = &p->parts[part].steps[s];
      rp_text_format(t, "%s level %u step %u ", part_names[part], step->level, s);
      put_label(t, step->pattern, step->call);
      rp_text_format(t, ", %u before it, %u after it\n", step->n_preds, step->n_succs);
    }
  }
}

/* ---- To the log, line by line ------------------------------------------------------------------------------------ */

typedef struct line {
  rp_context *context;
  size_t used;
  char text[400];
} line;

static int log_lines(void *user, const char *text, size_t bytes) {
  line *l = user;
  for (size_t i = 0; i < bytes; i++) {
    if (text[i] != '\n') {
      if (l->used + 1 < sizeof l->text) l->text[l->used++] = text[i];
      continue;
    }
    l->text[l->used] = 0;
    rp_log(l->context, RP_LOG_DEBUG, "%s", l->text);
    l->used = 0;
  }
  return 0;
}

void rp_pass_log(const rp_pass *pass, const rp_plan *plan) {
  rp_context *c = plan->context;
  if (!c->log || c->log_level < RP_LOG_DEBUG) return;
  rp_text text;
  line l = {.context = c};
  rp_log(c, RP_LOG_DEBUG, "%s after pass %s, memory level %u:", plan->graph->name, pass->name, plan->memory_level);
  rp_text_open(&text, log_lines, &l);
  pass->print(plan, &text);
  (void)rp_text_close(&text, NULL);
}
