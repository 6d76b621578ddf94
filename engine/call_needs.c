/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whether calls can stay nodes although some of their outputs are not needed. A node computes all of its outputs, and
 * keeps alive what all of them need, also through loops that carry a value which nothing reads in the end.
 */
#include "call_needs.h"

enum { MOST_OUTPUTS = 64, FEW_PART = 16 /* few calls compute too much: at most one of so many */ };

/* Which inputs of a call are needed for some of its outputs. */
typedef struct needs needs;
struct needs {
  needs *next;
  const rp_call_what *what;
  uint64_t outs;        /* bit i: output i is needed; of more than MOST_OUTPUTS, all are */
  unsigned char *input; /* per operand: it is needed for them */
};

typedef struct work {
  const rp_graph *g;
  rp_arena arena;
  unsigned char *needed; /* per value */
  needs *known;
  uint64_t n_calls, n_partly; /* those that are needed; those of which some outputs are not */
} work;

static uint32_t index_of(rp_value v) { return v.id - 1; }

/* Marks what the marked values of the body depend on, and lists which operands are among that. */
static bool walk_body(work *w, needs *k) {
  const rp_graph *body = k->what->body;
  unsigned char *mark = rp_arena_array(&w->arena, body->n_values, 1);
  k->input = rp_arena_array(&w->arena, k->what->n_ins, 1);
  if (!mark || !k->input) return 0;
  for (uint32_t i = 0; i < k->what->n_outs; i++) mark[k->what->outs[i]] = i >= MOST_OUTPUTS || (k->outs >> i & 1);
  for (uint32_t n = body->n_nodes; n-- > 0;) {
    const rp_node *node = &body->nodes[n];
    bool any = 0;
    for (uint32_t i = 0; i < node->n_out; i++) any |= mark[index_of(node->out[i])];
    for (uint32_t i = 0; i < node->n_in && any; i++) mark[index_of(node->in[i])] = 1;
  }
  for (uint32_t i = 0; i < k->what->n_ins; i++) k->input[i] = mark[k->what->ins[i]];
  return 1;
}

/* NULL when out of memory. */
static const needs *find(work *w, const rp_call_what *what, uint64_t outs) {
  for (const needs *k = w->known; k; k = k->next)
    if (k->what == what && k->outs == outs) return k;
  needs *k = rp_arena_alloc(&w->arena, sizeof *k, _Alignof(needs));
  if (!k) return NULL;
  *k = (needs){.next = w->known, .what = what, .outs = outs};
  if (!walk_body(w, k)) return NULL;
  return w->known = k;
}

static bool visit_call(work *w, const rp_node *node) {
  const rp_call_what *what = node->params;
  uint64_t outs = 0, all = 0;
  for (uint32_t i = 0; i < node->n_out && i < MOST_OUTPUTS; i++) {
    all |= UINT64_C(1) << i;
    outs |= (uint64_t)w->needed[index_of(node->out[i])] << i;
  }
  if (node->n_out > MOST_OUTPUTS) outs = all;
  if (!outs) return 1;
  const needs *k = find(w, what, outs);
  for (uint32_t i = 0; k && i < node->n_in; i++) w->needed[index_of(node->in[i])] |= k->input[i];
  w->n_calls++;
  w->n_partly += outs != all;
  return k != NULL;
}

static void visit_node(work *w, const rp_node *node) {
  bool any = 0;
  for (uint32_t i = 0; i < node->n_out; i++) any |= w->needed[index_of(node->out[i])];
  for (uint32_t i = 0; i < node->n_in && any; i++) w->needed[index_of(node->in[i])] = 1;
}

static bool visit_all(work *w) {
  const rp_graph *g = w->g;
  w->needed = rp_arena_array(&w->arena, g->n_values, 1);
  if (!w->needed) return 0;
  for (uint32_t i = 0; i < g->n_outputs; i++) w->needed[index_of(g->outputs[i])] = 1;
  for (uint32_t i = 0; i < g->n_conditions; i++) w->needed[index_of(g->conditions[i].value)] = 1;
  for (uint32_t n = g->n_nodes; n-- > 0;) {
    if (g->nodes[n].op != &rp_op_call)
      visit_node(w, &g->nodes[n]);
    else if (!visit_call(w, &g->nodes[n]))
      return 0;
  }
  return 1;
}

rp_status rp_calls_compute_much(const rp_graph *graph, bool *much, rp_error *err) {
  work w = {.g = graph};
  rp_arena_init(&w.arena, graph->context);
  const bool good = visit_all(&w);
  rp_arena_free(&w.arena);
  *much = w.n_partly * FEW_PART > w.n_calls;
  return good ? RP_OK : rp_fail_memory(err, "the plan");
}
