/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Phases of a graph that a picture shows as one: siblings whose titles differ only in numbers, whose operations are the
 * same one by one, and none of which needs another.
 */
#include "export.h"

#define NOBODY RP_NONE
#define SEVERAL (RP_NONE - 1)

static bool find_family(rp_arena *arena, const rp_graph *g, rp_drawing *d) {
  d->first_node = rp_arena_array(arena, g->n_scopes, sizeof *d->first_node);
  d->next_node = rp_arena_array(arena, g->n_nodes, sizeof *d->next_node);
  d->first_scope = rp_arena_array(arena, g->n_scopes, sizeof *d->first_scope);
  d->next_scope = rp_arena_array(arena, g->n_scopes, sizeof *d->next_scope);
  if (!d->first_node || !d->next_node || !d->first_scope || !d->next_scope) return 0;
  for (uint32_t i = 0; i < g->n_scopes; i++) d->first_node[i] = d->first_scope[i] = d->next_scope[i] = RP_NONE;
  for (uint32_t i = g->n_nodes; i-- > 0;) {
    d->next_node[i] = d->first_node[g->nodes[i].scope->id];
    d->first_node[g->nodes[i].scope->id] = i;
  }
  for (uint32_t i = 0; i < g->n_scopes; i++) {
    const rp_scope *parent = g->scopes[i]->parent;
    if (!parent) continue;
    d->next_scope[i] = d->first_scope[parent->id];
    d->first_scope[parent->id] = i;
  }
  return 1;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Whether two titles are the same apart from numbers in decimal. */
static bool same_words(const char *a, const char *b) {
  while (*a && *b) {
    if (is_digit(*a) && is_digit(*b)) {
      while (is_digit(*a)) a++;
      while (is_digit(*b)) b++;
    } else if (*a++ != *b++) {
      return 0;
    }
  }
  return *a == *b;
}

/* Conditions are compared as they are: what runs under one stays apart from what runs under another. */
static bool same_node(const rp_graph *g, const rp_node *a, const rp_node *b) {
  char of_a[200], of_b[200];
  if (a->op != b->op || a->n_in != b->n_in || a->n_out != b->n_out || a->condition != b->condition) return 0;
  for (uint32_t i = 0; i < a->n_out; i++) {
    const rp_graph_value *u = &g->values[a->out[i].id - 1], *v = &g->values[b->out[i].id - 1];
    if (u->type->id != v->type->id || u->len != v->len || u->output || v->output) return 0;
  }
  return strcmp(rp_export_describe(a, of_a, sizeof of_a), rp_export_describe(b, of_b, sizeof of_b)) == 0;
}

/* Whether the earlier scope a looks like b, with everything in them. RP_SCOPE_DEPTH bounds the depth. */
static bool same_scope(const rp_graph *g, const rp_drawing *d, uint32_t a, uint32_t b) {
  const rp_scope *s = g->scopes[a], *t = g->scopes[b];
  uint32_t i = d->first_node[a], j = d->first_node[b];
  if (!s->title || !t->title || !same_words(s->title, t->title)) return 0;
  for (; i != RP_NONE && j != RP_NONE; i = d->next_node[i], j = d->next_node[j])
    if (i > j || !same_node(g, &g->nodes[i], &g->nodes[j])) return 0;
  if (i != j) return 0;
  for (i = d->first_scope[a], j = d->first_scope[b]; i != RP_NONE && j != RP_NONE;
       i = d->next_scope[i], j = d->next_scope[j])
    if (!same_scope(g, d, i, j)) return 0;
  return i == j;
}

static void mark_members(const rp_drawing *d, uint32_t scope, uint32_t member, uint32_t *of) {
  for (uint32_t i = d->first_node[scope]; i != RP_NONE; i = d->next_node[i]) of[i] = member;
  for (uint32_t s = d->first_scope[scope]; s != RP_NONE; s = d->next_scope[s]) mark_members(d, s, member, of);
}

/* Of each node outside, which member of the group it needs; a member that needs another ends it. */
static bool are_independent(const rp_graph *g, const uint32_t *member, uint32_t *needs) {
  for (uint32_t i = 0; i < g->n_nodes; i++) {
    const rp_node *n = &g->nodes[i];
    uint32_t found = NOBODY;
    for (uint32_t j = 0; j < n->n_in; j++) {
      const uint32_t from = g->values[n->in[j].id - 1].node, one = from == RP_NONE ? NOBODY : needs[from];
      if (one != NOBODY) found = found == NOBODY || found == one ? one : SEVERAL;
    }
    if (member[i] != NOBODY && found != NOBODY && found != member[i]) return 0;
    needs[i] = member[i] == NOBODY ? found : member[i];
  }
  return 1;
}

static void join(rp_drawing *d, uint32_t a, uint32_t b) {
  d->drawn_as[a] = b;
  for (uint32_t i = d->first_node[a], j = d->first_node[b]; i != RP_NONE; i = d->next_node[i], j = d->next_node[j])
    d->twin[i] = j;
  for (uint32_t i = d->first_scope[a], j = d->first_scope[b]; i != RP_NONE; i = d->next_scope[i], j = d->next_scope[j])
    join(d, i, j);
}

/* Joins the earlier siblings of a scope that look like it to it, and marks them by its id in `group`. */
static void join_siblings(const rp_graph *g, rp_drawing *d, uint32_t scope, uint32_t *member, uint32_t *needs,
                          uint32_t *group) {
  uint32_t n = 0;
  for (uint32_t s = d->next_scope[scope]; s != RP_NONE; s = d->next_scope[s])
    if (group[s] == NOBODY && same_scope(g, d, s, scope)) group[s] = scope, n++;
  if (!n) return;
  for (uint32_t i = 0; i < g->n_nodes; i++) member[i] = NOBODY;
  for (uint32_t s = scope; s != RP_NONE; s = d->next_scope[s])
    if (s == scope || group[s] == scope) mark_members(d, s, s, member);
  if (!are_independent(g, member, needs)) return;
  for (uint32_t s = d->next_scope[scope]; s != RP_NONE; s = d->next_scope[s])
    if (group[s] == scope) join(d, s, scope), d->first_copy[scope] = s, d->copies[scope]++;
}

/* Of graphs with more scopes, phases are not compared. */
enum { SCOPES_COMPARED = 512 };

bool rp_export_phases(rp_arena *arena, const rp_graph *g, rp_drawing *d) {
  uint32_t *member = rp_arena_array(arena, g->n_nodes, sizeof *member); /* the sibling that a node is in, or NOBODY */
  uint32_t *needs = rp_arena_array(arena, g->n_nodes, sizeof *needs);
  uint32_t *group = rp_arena_array(arena, g->n_scopes, sizeof *group);
  d->drawn_as = rp_arena_array(arena, g->n_scopes, sizeof *d->drawn_as);
  d->first_copy = rp_arena_array(arena, g->n_scopes, sizeof *d->first_copy);
  d->copies = rp_arena_array(arena, g->n_scopes, sizeof *d->copies);
  d->twin = rp_arena_array(arena, g->n_nodes, sizeof *d->twin);
  if (!member || !needs || !group || !d->drawn_as || !d->first_copy || !d->copies || !d->twin) return 0;
  if (!find_family(arena, g, d)) return 0;
  for (uint32_t i = 0; i < g->n_scopes; i++) d->drawn_as[i] = d->first_copy[i] = i, d->copies[i] = 1, group[i] = NOBODY;
  for (uint32_t i = 0; i < g->n_nodes; i++) d->twin[i] = RP_NONE;
  if (g->n_scopes > SCOPES_COMPARED) return 1;
  /* A scope has a smaller id than those in it: what is joined as a whole is not looked into. */
  for (uint32_t parent = 0; parent < g->n_scopes; parent++) {
    if (d->drawn_as[parent] != parent) continue;
    for (uint32_t s = d->first_scope[parent]; s != RP_NONE; s = d->next_scope[s])
      if (group[s] == NOBODY && g->scopes[s]->title) join_siblings(g, d, s, member, needs, group);
  }
  return 1;
}
