/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A term as one program of rp_expr. What is used more than once is kept in a temporary; of two operands, the one that
 * needs more stack comes first (R. Sethi, J. D. Ullman, J. ACM 17, 1970).
 */
#include "terms.h"

#include <string.h>

enum { MOST_NESTED = 4096 }; /* limit of the recursion */

term_work *term_work_create(rp_context *context, const rp_terms *terms) {
  term_work *w = rp_context_alloc(context, sizeof *w);
  if (!w) return NULL;
  const size_t n = (size_t)terms->n + 1;
  w->terms = terms;
  w->value = rp_context_alloc(context, n * sizeof *w->value);
  w->uses = rp_context_alloc(context, n * 4);
  w->need = rp_context_alloc(context, n * 4);
  w->temp = rp_context_alloc(context, n * 4);
  w->slot = rp_context_alloc(context, n * 4);
  w->column_slot = rp_context_alloc(context, (size_t)RP_TERMS_MAX_COLUMNS * 4);
  if (w->value && w->uses && w->need && w->temp && w->slot && w->column_slot) return w;
  term_work_destroy(w);
  return NULL;
}

void term_work_destroy(term_work *w) {
  if (!w) return;
  rp_context_free(w->value);
  rp_context_free(w->uses);
  rp_context_free(w->need);
  rp_context_free(w->temp);
  rp_context_free(w->slot);
  rp_context_free(w->column_slot);
  rp_context_free(w);
}

/* Counts how often each term below the root is used; operands of values do not count. */
static void count_uses(term_work *w, uint32_t root) {
  memset(w->uses, 0, ((size_t)w->terms->n + 1) * 4);
  w->uses[root] = 1;
  for (uint32_t i = root; i; i--) {
    const term_node *t = &w->terms->node[i];
    if (!w->uses[i] || t->kind < TERM_ADD || (w->value[i].id && i != root)) continue;
    w->uses[t->a]++;
    if (term_is_binary(t) && t->b != t->a) w->uses[t->b]++;
  }
}

/* Gives every input a slot; UINT32_MAX if there are more than `most`. */
static uint32_t place_inputs(term_work *w, uint32_t root, uint32_t most, term_input *input) {
  uint32_t n = 0;
  bool fits = 1;
  count_uses(w, root);
  for (uint32_t i = 1; i <= root; i++) {
    const term_node *t = &w->terms->node[i];
    const bool is_value = w->value[i].id && i != root;
    if (!w->uses[i] || (t->kind != TERM_COLUMN && !is_value)) continue;
    if (!is_value && w->column_slot[t->a]) {
      w->slot[i] = w->column_slot[t->a] - 1;
      continue;
    }
    if (!is_value) w->column_slot[t->a] = n + 1;
    w->slot[i] = n;
    if (n < most && input) input[n] = (term_input){(uint32_t)is_value, is_value ? i : t->a};
    fits = fits && n < most;
    n++;
  }
  for (uint32_t i = 1; i <= root; i++)
    if (w->terms->node[i].kind == TERM_COLUMN) w->column_slot[w->terms->node[i].a] = 0;
  return fits ? n : UINT32_MAX;
}

uint32_t term_count_constants(term_work *w, uint32_t root) {
  uint32_t n = 0;
  count_uses(w, root);
  for (uint32_t i = 1; i <= root; i++) {
    const term_node *t = &w->terms->node[i];
    if (w->uses[i] && t->kind == TERM_CONSTANT && t->a >= n) n = t->a + 1;
  }
  return n;
}

uint32_t term_count_inputs(term_work *w, uint32_t root) {
  return w->value[root].id ? 1 : place_inputs(w, root, UINT32_MAX, NULL);
}

/* Computes the stack that each used term needs. */
static void measure(term_work *w, uint32_t root) {
  for (uint32_t i = 1; i <= root; i++) {
    const term_node *t = &w->terms->node[i];
    w->temp[i] = 0;
    w->need[i] = 1;
    if (!w->uses[i] || t->kind < TERM_ADD || (w->value[i].id && i != root)) continue;
    const uint32_t a = w->need[t->a], b = term_is_binary(t) && t->a != t->b ? w->need[t->b] : 0;
    w->need[i] = a == b ? a + 1 : a > b ? a : b;
  }
}

typedef struct emitter {
  term_work *w;
  uint64_t free_temps;
  uint32_t root, nested;
} emitter;

static bool put(emitter *e, rp_expr_op op, uint32_t index, uint32_t rotation) {
  term_program *p = &e->w->program;
  if (p->n_code == RP_EXPR_MAX_CODE) return 0;
  p->code[p->n_code++] = (rp_expr_code){.op = (uint16_t)op, .index = (uint16_t)index, .rotation = (int32_t)rotation};
  return 1;
}

static bool emit(emitter *e, uint32_t id);

static bool emit_operation(emitter *e, const term_node *t) {
  static const rp_expr_op op[] = {
      [TERM_ADD] = RP_EXPR_ADD, [TERM_SUB] = RP_EXPR_SUB, [TERM_MUL] = RP_EXPR_MUL, [TERM_NEG] = RP_EXPR_NEG};
  if (t->kind == TERM_NEG) return emit(e, t->a) && put(e, RP_EXPR_NEG, 0, 0);
  if (t->a == t->b && t->kind == TERM_MUL) return emit(e, t->a) && put(e, RP_EXPR_SQR, 0, 0);
  if (t->a == t->b) { /* it is compiled as 2 a or 0, with one use more than was counted */
    e->w->uses[t->a]++;
    return emit(e, t->a) && emit(e, t->b) && put(e, op[t->kind], 0, 0);
  }
  if (e->w->need[t->b] <= e->w->need[t->a]) return emit(e, t->a) && emit(e, t->b) && put(e, op[t->kind], 0, 0);
  /* b first: a - b is -(b - a) */
  return emit(e, t->b) && emit(e, t->a) && put(e, op[t->kind], 0, 0) &&
         (t->kind != TERM_SUB || put(e, RP_EXPR_NEG, 0, 0));
}

static bool emit(emitter *e, uint32_t id) {
  term_work *w = e->w;
  const term_node *t = &w->terms->node[id];
  if (w->value[id].id && id != e->root) return put(e, RP_EXPR_COLUMN, w->slot[id], 0);
  if (t->kind == TERM_COLUMN) return put(e, RP_EXPR_COLUMN, w->slot[id], t->b);
  if (t->kind == TERM_CONSTANT) return put(e, RP_EXPR_CONSTANT, t->a, 0);
  if (t->kind == TERM_PERIODIC) return put(e, RP_EXPR_PERIODIC, t->a, t->b);
  if (w->temp[id]) {
    const uint32_t temp = w->temp[id] - 1;
    if (--w->uses[id] == 0) e->free_temps |= (uint64_t)1 << temp, w->temp[id] = 0;
    return put(e, RP_EXPR_LOAD, temp, 0);
  }
  if (++e->nested > MOST_NESTED || !emit_operation(e, t)) return 0;
  e->nested--;
  if (w->uses[id] < 2 || !e->free_temps) return 1;
  uint32_t temp = 0;
  while (!(e->free_temps >> temp & 1)) temp++;
  e->free_temps &= ~((uint64_t)1 << temp);
  w->temp[id] = temp + 1;
  w->uses[id]--;
  return put(e, RP_EXPR_STORE, temp, 0) && put(e, RP_EXPR_LOAD, temp, 0);
}

/* Whether the stack never holds more than RP_EXPR_STACK elements. */
static bool is_shallow(const term_program *p) {
  int depth = 0;
  for (uint32_t i = 0; i < p->n_code; i++) {
    const uint32_t op = p->code[i].op;
    depth += op == RP_EXPR_COLUMN || op == RP_EXPR_CONSTANT || op == RP_EXPR_PERIODIC || op == RP_EXPR_LOAD;
    depth -= op == RP_EXPR_STORE || (op >= RP_EXPR_ADD && op <= RP_EXPR_MUL);
    if (depth > RP_EXPR_STACK) return 0;
  }
  return 1;
}

bool term_compile(term_work *w, uint32_t root, uint32_t max_inputs) {
  term_program *p = &w->program;
  p->n_inputs = place_inputs(w, root, max_inputs < RP_EXPR_MAX_COLUMNS ? max_inputs : RP_EXPR_MAX_COLUMNS, p->input);
  if (p->n_inputs == UINT32_MAX) return 0;
  measure(w, root);
  p->n_code = 0;
  emitter e = {.w = w, .free_temps = UINT64_MAX, .root = root};
  return emit(&e, root) && is_shallow(p);
}
