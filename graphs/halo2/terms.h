/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The pool behind reprise/halo2.h. A term's operands always have smaller ids, so that loops over ids need no recursion.
 */
#ifndef REPRISE_HALO2_TERMS_H
#define REPRISE_HALO2_TERMS_H

#include <stdbool.h>
#include <reprise/halo2.h>

typedef enum term_kind {
  TERM_COLUMN,
  TERM_CONSTANT,
  TERM_PERIODIC,
  TERM_ADD, /* leaves are before it */
  TERM_SUB,
  TERM_MUL,
  TERM_NEG
} term_kind;

typedef struct term_node {
  term_kind kind;
  uint32_t a, b; /* operands; or index of a column or constant, and the bits of the rotation or the period */
  uint32_t next; /* next term with the same hash */
} term_node;

enum { TERM_HASHES = 4096 };
struct rp_terms {
  term_node *node; /* numbered from 1 */
  uint32_t n, capacity;
  uint32_t first[TERM_HASHES];
  rp_error error; /* the first */
};

/* constants[first + (i mod period)] in row i. period is a power of two; first + period <= TERM_MOST_CONSTANTS. */
enum { TERM_MOST_CONSTANTS = 1 << 16 };
rp_term term_periodic(rp_terms *terms, uint32_t first, uint32_t period);

static inline bool term_is_binary(const term_node *t) { return t->kind >= TERM_ADD && t->kind <= TERM_MUL; }

/* ---- One dispatch: a program and its inputs ---------------------------------------------------------------------- */

/* An input is a column, or a term that has a value already. */
typedef struct term_input {
  uint32_t is_value, index; /* index: number of the column, or id of the term */
} term_input;

typedef struct term_program {
  rp_expr_code code[RP_EXPR_MAX_CODE];
  term_input input[RP_EXPR_MAX_COLUMNS];
  uint32_t n_code, n_inputs;
} term_program;

/* Working memory of one evaluation, one element per term. */
typedef struct term_work {
  const rp_terms *terms;
  rp_value *value; /* of terms that have become values */
  uint32_t *uses, *need, *temp, *slot;
  uint32_t *column_slot; /* RP_TERMS_MAX_COLUMNS: index of a column in the inputs + 1 */
  term_program program;
} term_work;

/* In memory of the context; NULL when out of memory. */
term_work *term_work_create(rp_context *context, const rp_terms *terms);
void term_work_destroy(term_work *w);
/* The number of constants that a term can index: the largest index + 1. */
uint32_t term_count_constants(term_work *w, uint32_t root);
/* The number of distinct columns and values that a term reads. */
uint32_t term_count_inputs(term_work *w, uint32_t root);
/* Fills w->program; false if one program cannot hold the term, or would read more than max_inputs inputs. */
bool term_compile(term_work *w, uint32_t root, uint32_t max_inputs);

/* Where an evaluation gets its columns. */
typedef struct term_source {
  rp_value (*column)(void *user, uint32_t column);
  void *user;
} term_source;
rp_value term_evaluate(rp_graph *g, const rp_terms *terms, rp_term root, term_source source, rp_value constants,
                       uint64_t rotation_step, uint32_t max_inputs, uint32_t *dispatches);

#endif
