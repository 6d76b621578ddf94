/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The quotient of a halo2 circuit: fused expressions on the extended coset, with a cache of extended columns.
 */
#include "extended.h"
#include "job.h"
#include "terms.h"

#include <reprise/view.h>

/* The number of the column for 1 / (X^n - 1), if it is one: the last that a term can have. */
enum { T_INVERSE = RP_TERMS_MAX_COLUMNS - 1, MOST_CACHED = RP_EXPR_MAX_COLUMNS - 1 };

typedef struct cache {
  rp_graph *g;
  const rp_extended_domain *domain;
  const rp_value *columns;
  uint32_t n_columns;
  rp_value t_inverse;
  struct {
    uint32_t column;
    uint64_t used; /* 0: free */
    rp_value value;
  } entry[MOST_CACHED];
  uint32_t size, transforms;
  uint64_t clock;
} cache;

/* The extended column, computed again if it has been dropped. */
static rp_value extended_column(void *user, uint32_t column) {
  cache *c = user;
  uint32_t oldest = 0;
  if (column == T_INVERSE && c->t_inverse.id) return c->t_inverse;
  if (column >= c->n_columns)
    return rp_graph_fail(c->g, RP_ERR_ARGUMENT, "quotient: column %u of %u is asked for", column, c->n_columns);
  for (uint32_t i = 0; i < c->size; i++) {
    if (c->entry[i].used && c->entry[i].column == column) {
      c->entry[i].used = ++c->clock;
      return c->entry[i].value;
    }
    if (c->entry[i].used < c->entry[oldest].used) oldest = i;
  }
  c->transforms++;
  c->entry[oldest].column = column;
  c->entry[oldest].used = ++c->clock;
  rp_recompute_begin(c->g); /* otherwise it would be merged with earlier ones, and kept in memory */
  c->entry[oldest].value = rp_coeff_to_extended(c->g, c->columns[column], c->domain);
  rp_recompute_end(c->g);
  return c->entry[oldest].value;
}

/* How the numerator reads its operands: whether it has a column, and how many constants it needs. */
typedef struct needs {
  bool known, a_column;
  uint32_t constants;
} needs;

/* Not known for a term that term_evaluate refuses. */
static needs find_needs(const cache *c, const rp_terms *terms, rp_term numerator) {
  if (!terms || terms->error.status != RP_OK || !numerator.id || numerator.id > terms->n) return (needs){0};
  term_work *w = term_work_create(rp_graph_context(c->g), terms);
  if (!w) return (needs){0};
  const needs found = {1, term_count_inputs(w, numerator.id) > 0, term_count_constants(w, numerator.id)};
  term_work_destroy(w);
  return found;
}

/* The first n of the caller's constants, followed by the table. */
static rp_value constants_with(rp_graph *g, rp_value constants, uint32_t n, rp_value table) {
  if (!n) return table;
  if (!rp_value_check(g, constants, "quotient", "the constants")) return RP_NO_VALUE;
  const uint64_t given = rp_value_len(g, constants);
  if (given < n)
    return rp_graph_fail(g, RP_ERR_SHAPE, "quotient: the numerator uses constant %u, but there are %llu", n - 1,
                         (unsigned long long)given);
  const rp_value first = given == n ? constants : rp_slice(g, constants, 0, n);
  return rp_concat(g, (rp_value[]){first, table}, 2);
}

/* 1 / (X^n - 1) as a term. It has few different values, which become constants behind those of the numerator. A program
 * that has no room for them, or no column beside them, reads a column of all values. */
static rp_term inverse_term(cache *c, rp_terms *terms, rp_term numerator, rp_field field, rp_value *constants) {
  const uint64_t period = (uint64_t)1 << (c->domain->extended_k - c->domain->k);
  const needs n = find_needs(c, terms, numerator);
  if (!n.known || !n.a_column || n.constants + period > TERM_MOST_CONSTANTS) {
    c->t_inverse = rp_vanishing_inverse(c->g, field, c->domain);
    return rp_term_column(terms, T_INVERSE, 0);
  }
  const rp_value table = extended_vanishing_period(c->g, field, c->domain);
  if (table.id) *constants = constants_with(c->g, *constants, n.constants, table);
  return term_periodic(terms, n.constants, (uint32_t)period);
}

rp_value rp_quotient(rp_graph *g, rp_terms *terms, rp_term numerator, const rp_value *columns, uint32_t n_columns,
                     rp_value constants, const rp_extended_domain *domain, const rp_quotient_options *options) {
  rp_quotient_options o = {0};
  rp_extended_domain d;
  rp_field field;
  if (graphs_options(&o, sizeof o, options, "quotient", NULL) != RP_OK)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "quotient: options->struct_size is not set");
  if (!columns || !n_columns || n_columns >= T_INVERSE)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "quotient: a quotient of %u columns is not possible",
                         columns ? n_columns : 0);
  if (o.cache_columns > MOST_CACHED)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "quotient: a cache of %u columns, more than %d", o.cache_columns,
                         MOST_CACHED);
  for (uint32_t i = 0; i < n_columns; i++)
    if (!rp_value_check(g, columns[i], "quotient", "a column")) return RP_NO_VALUE;
  const rp_type *type = rp_value_type(g, columns[0]);
  if (!rp_type_is_field(type, &field)) return rp_graph_fail(g, RP_ERR_TYPE, "quotient: the columns are not of a field");
  if (!extended_read(g, field, domain, &d)) return RP_NO_VALUE;
  rp_scope_begin(g, "quotient");
  rp_scope_title(g, "Quotient: 2^%u rows, on cosets of 2^%u points", d.k, d.extended_k);
  cache c = {.g = g,
             .domain = &d,
             .columns = columns,
             .n_columns = n_columns,
             .size = o.cache_columns ? o.cache_columns : RP_QUOTIENT_CACHE};
  /* One input in addition to the cached columns: an intermediate value, or the inverse of X^n - 1 as a column. */
  rp_term root = rp_term_mul(terms, numerator, inverse_term(&c, terms, numerator, field, &constants));
  rp_value values = term_evaluate(g, terms, root, (term_source){extended_column, &c}, constants,
                                  (uint64_t)1 << (d.extended_k - d.k), c.size + 1, o.dispatches);
  rp_value result = rp_extended_to_coeff(g, values, &d, o.len);
  rp_scope_end(g);
  if (o.transforms) *o.transforms = c.transforms;
  return result;
}
