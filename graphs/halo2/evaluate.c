/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A term as fused dispatches: as much of it as one dispatch can read, and the rest through intermediate values.
 */
#include "job.h"
#include "terms.h"

#include <reprise/op.h>

typedef struct evaluation {
  rp_graph *g;
  term_work *w;
  term_source source;
  rp_value constants;
  uint64_t rotation_step;
  uint32_t max_inputs, dispatches, depth;
} evaluation;

enum { MOST_DEEP = 20000 }; /* limit of the recursion of shrink: a fold of half as many terms */

/* Adds the program of term_compile as a node. */
static rp_value add_node(evaluation *e) {
  const term_program *p = &e->w->program;
  rp_value in[RP_EXPR_MAX_COLUMNS];
  if (!p->n_inputs) return rp_graph_fail(e->g, RP_ERR_ARGUMENT, "terms: a part of the term has no column");
  for (uint32_t i = 0; i < p->n_inputs; i++) {
    const term_input *input = &p->input[i];
    in[i] = input->is_value ? e->w->value[input->index] : e->source.column(e->source.user, input->index);
  }
  e->dispatches++;
  return rp_expr(e->g, in, p->n_inputs, e->constants,
                 &(rp_expr_options){.struct_size = sizeof(rp_expr_options),
                                    .n_code = p->n_code,
                                    .code = p->code,
                                    .rotation_step = e->rotation_step});
}

/* The operand with more inputs, among those that are neither leaves nor values; 0 if there is none. */
static uint32_t heavier_operand(evaluation *e, uint32_t id) {
  const term_node *node = e->w->terms->node, *t = &node[id];
  uint32_t best = 0, most = 0;
  if (t->kind < TERM_ADD) return 0;
  const uint32_t operand[2] = {t->a, t->b};
  for (int i = 0; i < 2; i++) {
    if (node[operand[i]].kind < TERM_ADD || e->w->value[operand[i]].id) continue;
    const uint32_t n = term_count_inputs(e->w, operand[i]);
    if (!best || n > most || (n == most && operand[i] > best)) best = operand[i], most = n;
  }
  return best;
}

/* Turns parts of the term into values until one program can hold the rest, which is then in w->program. */
static bool shrink(evaluation *e, uint32_t id) {
  while (!term_compile(e->w, id, e->max_inputs)) {
    const uint32_t part = heavier_operand(e, id);
    if (!part || ++e->depth > MOST_DEEP || !shrink(e, part)) return 0;
    e->depth--;
    if (term_compile(e->w, id, e->max_inputs)) return 1;
    if (!term_compile(e->w, part, e->max_inputs)) return 0;
    e->w->value[part] = add_node(e);
    if (!e->w->value[part].id) return 0;
  }
  return 1;
}

rp_value term_evaluate(rp_graph *g, const rp_terms *terms, rp_term root, term_source source, rp_value constants,
                       uint64_t rotation_step, uint32_t max_inputs, uint32_t *dispatches) {
  if (!terms) return rp_graph_fail(g, RP_ERR_ARGUMENT, "terms: the terms are NULL");
  if (terms->error.status != RP_OK) return rp_graph_fail(g, terms->error.status, "%s", terms->error.reason);
  if (!root.id || root.id > terms->n)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "terms: the value that is asked for is not a term");
  evaluation e = {.g = g,
                  .w = term_work_create(rp_graph_context(g), terms),
                  .source = source,
                  .constants = constants,
                  .rotation_step = rotation_step,
                  .max_inputs = max_inputs};
  if (!e.w) return rp_graph_fail(g, RP_ERR_MEMORY, "terms: out of host memory");
  rp_value result = shrink(&e, root.id)
                        ? add_node(&e)
                        : rp_graph_fail(g, RP_ERR_ARGUMENT, "terms: the term is nested too deeply for any program");
  if (dispatches) *dispatches = e.dispatches;
  term_work_destroy(e.w);
  return result;
}

/* ---- Columns that are there -------------------------------------------------------------------------------------- */

typedef struct given {
  rp_graph *g;
  const rp_value *columns;
  uint32_t n;
} given;

static rp_value given_column(void *user, uint32_t column) {
  const given *s = user;
  if (column < s->n) return s->columns[column];
  return rp_graph_fail(s->g, RP_ERR_ARGUMENT, "terms: column %u of %u is asked for", column, s->n);
}

rp_value rp_terms_eval(rp_graph *g, rp_terms *terms, rp_term term, const rp_value *columns, uint32_t n_columns,
                       rp_value constants, const rp_terms_options *options) {
  enum { INPUTS = 32 };
  rp_terms_options o = {0};
  if (graphs_options(&o, sizeof o, options, "terms", NULL) != RP_OK)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "terms: options->struct_size is not set");
  if (!columns || !n_columns) return rp_graph_fail(g, RP_ERR_ARGUMENT, "terms: there are no columns");
  if (!o.max_inputs) o.max_inputs = INPUTS;
  if (o.max_inputs < 2 || o.max_inputs > RP_EXPR_MAX_COLUMNS)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "terms: %u inputs per dispatch are asked for, not 2 to %d", o.max_inputs,
                         RP_EXPR_MAX_COLUMNS);
  given s = {g, columns, n_columns};
  return term_evaluate(g, terms, term, (term_source){given_column, &s}, constants, o.rotation_step, o.max_inputs,
                       o.dispatches);
}
