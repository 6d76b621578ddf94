/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rp_status rp_terms_create(rp_terms **terms, rp_error *err) {
  if (terms) *terms = calloc(1, sizeof **terms);
  if (terms && *terms) return RP_OK;
  if (err) {
    err->status = terms ? RP_ERR_MEMORY : RP_ERR_ARGUMENT;
    snprintf(err->reason, sizeof err->reason, "rp_terms_create: %s", terms ? "out of host memory" : "terms is NULL");
  }
  return terms ? RP_ERR_MEMORY : RP_ERR_ARGUMENT;
}

void rp_terms_destroy(rp_terms *terms) {
  if (!terms) return;
  free(terms->node);
  free(terms);
}

static rp_term fail(rp_terms *t, rp_status status, const char *reason) {
  if (t->error.status == RP_OK) {
    t->error.status = status;
    snprintf(t->error.reason, sizeof t->error.reason, "%s", reason);
  }
  return (rp_term){0};
}

/* The term with this content; the existing one if there is one. */
static rp_term intern(rp_terms *t, term_kind kind, uint32_t a, uint32_t b) {
  const uint32_t hash = ((a * 0x9e3779b1u) ^ (b * 0x85ebca6bu) ^ ((uint32_t)kind << 7)) % TERM_HASHES;
  for (uint32_t i = t->first[hash]; i; i = t->node[i].next)
    if (t->node[i].kind == kind && t->node[i].a == a && t->node[i].b == b) return (rp_term){i};
  if (t->n + 1 >= t->capacity) {
    const uint32_t capacity = t->capacity ? 2 * t->capacity : 64;
    term_node *grown = capacity > t->capacity ? realloc(t->node, capacity * sizeof *grown) : NULL;
    if (!grown) return fail(t, RP_ERR_MEMORY, "terms: out of host memory");
    t->node = grown;
    t->capacity = capacity;
  }
  t->node[++t->n] = (term_node){.kind = kind, .a = a, .b = b, .next = t->first[hash]};
  t->first[hash] = t->n;
  return (rp_term){t->n};
}

static rp_term operation(rp_terms *t, term_kind kind, rp_term a, rp_term b) {
  if (!t || t->error.status != RP_OK) return (rp_term){0};
  if (!a.id || a.id > t->n || !b.id || b.id > t->n) return fail(t, RP_ERR_ARGUMENT, "terms: an operand is not a term");
  if ((kind == TERM_ADD || kind == TERM_MUL) && a.id > b.id) return intern(t, kind, b.id, a.id);
  return intern(t, kind, a.id, b.id);
}

rp_term rp_term_column(rp_terms *t, uint32_t column, int32_t rotation) {
  if (!t || t->error.status != RP_OK) return (rp_term){0};
  if (column >= RP_TERMS_MAX_COLUMNS) return fail(t, RP_ERR_ARGUMENT, "terms: the column's number is too large");
  return intern(t, TERM_COLUMN, column, (uint32_t)rotation);
}

rp_term rp_term_constant(rp_terms *t, uint32_t index) {
  if (!t || t->error.status != RP_OK) return (rp_term){0};
  if (index > UINT16_MAX) return fail(t, RP_ERR_ARGUMENT, "terms: the constant's number is above 65535");
  return intern(t, TERM_CONSTANT, index, 0);
}

rp_term term_periodic(rp_terms *t, uint32_t first, uint32_t period) {
  return t && t->error.status == RP_OK ? intern(t, TERM_PERIODIC, first, period) : (rp_term){0};
}

rp_term rp_term_add(rp_terms *t, rp_term a, rp_term b) { return operation(t, TERM_ADD, a, b); }
rp_term rp_term_sub(rp_terms *t, rp_term a, rp_term b) { return operation(t, TERM_SUB, a, b); }
rp_term rp_term_mul(rp_terms *t, rp_term a, rp_term b) { return operation(t, TERM_MUL, a, b); }
rp_term rp_term_neg(rp_terms *t, rp_term a) { return operation(t, TERM_NEG, a, a); }

rp_term rp_term_fold(rp_terms *t, const rp_term *list, uint32_t n, rp_term by) {
  if (!t) return (rp_term){0};
  if (!list || !n) return fail(t, RP_ERR_ARGUMENT, "terms: a fold of no terms");
  rp_term sum = list[0];
  for (uint32_t i = 1; i < n; i++) sum = rp_term_add(t, rp_term_mul(t, sum, by), list[i]);
  return sum;
}
