/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "circuit.h"

#include <stdlib.h>

const char *const shape_names[SHAPES] = {
#define SHAPE_NAME(id, name) name,
    SHAPE_LIST(SHAPE_NAME)
#undef SHAPE_NAME
};

/* Ranges include both ends. */
typedef struct limits {
  uint32_t constraints[2], publics[2], loose[2], free[2], terms[2];
} limits;

static limits limits_of(shape_id shape) {
  limits l = {{2, 40}, {1, 4}, {0, 1}, {1, 8}, {0, 4}};
  switch (shape) {
  case SHAPE_ONE: l = (limits){{1, 1}, {0, 3}, {0, 2}, {1, 4}, {1, 3}}; break;
  case SHAPE_NO_PUBLIC: l.publics[0] = l.publics[1] = 0; break;
  case SHAPE_MANY_PUBLIC: l.publics[0] = 20, l.publics[1] = 90; break;
  case SHAPE_LOOSE: l.loose[0] = 5, l.loose[1] = 60; break;
  case SHAPE_BITS:
  case SHAPE_NO_C: l.free[0] = 2, l.free[1] = 30; break;
  case SHAPE_LONG_ROWS: l.terms[0] = l.terms[1] = UINT32_MAX; break;
  case SHAPE_LARGER: l.constraints[0] = 130, l.constraints[1] = 480; break;
  default: break;
  }
  return l;
}

static uint32_t random_in(uint64_t *random, const uint32_t range[2]) {
  return range[0] == range[1] ? range[0] : range[0] + below(random, range[1] - range[0] + 1);
}

typedef enum rule { PRODUCT, LINEAR, IS_BIT, AND, XOR, NOTHING, WITHOUT_A, WITHOUT_B } rule;

static rule choose_rule(shape_id shape, uint64_t *random) {
  static const rule mixed[] = {PRODUCT, PRODUCT, PRODUCT, PRODUCT, PRODUCT, LINEAR, IS_BIT, AND, XOR, NOTHING};
  static const rule bits[] = {IS_BIT, AND, XOR};
  switch (shape) {
  case SHAPE_BITS: return bits[below(random, 3)];
  case SHAPE_NO_A: return WITHOUT_A;
  case SHAPE_NO_B: return WITHOUT_B;
  case SHAPE_NO_C: return IS_BIT;
  case SHAPE_ONE: return PRODUCT;
  default: return mixed[below(random, sizeof mixed / sizeof *mixed)];
  }
}

static int defines_a_wire(rule r) { return r != IS_BIT && r != NOTHING; }

typedef struct maker {
  circuit *c;
  const rp_field_host *fr;
  uint64_t *random;
  limits limits;
  uint32_t *order;  /* all wires but the constant one, in the order in which they get values */
  uint32_t n_known; /* wires of `order` that have values so far */
  int failed;
} maker;

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static void add(maker *m, int matrix, uint32_t wire, const void *coefficient) {
  if (!g16_rows_add(&m->c->rows.abc[matrix], wire, coefficient)) m->failed = 1;
}

static void add_small(maker *m, int matrix, uint32_t wire, int coefficient) {
  uint64_t one[4], value[4];
  m->fr->one(one);
  m->fr->zero(value);
  for (int i = 0; i < abs(coefficient); i++) m->fr->add(value, value, one);
  if (coefficient < 0) m->fr->neg(value, value);
  add(m, matrix, wire, value);
}

/* Adds terms with wires that have values, the constant wire included, each at most once in a row. */
static void add_terms(maker *m, int matrix, uint32_t least) {
  uint32_t n = random_in(m->random, m->limits.terms), all = m->n_known + 1, at = below(m->random, all);
  if (n < least) n = least;
  if (n > all) n = all;
  for (uint32_t i = 0; i < n; i++, at = (at + 1) % all) {
    const uint32_t wire = at ? m->order[at - 1] : 0;
    uint64_t coefficient[4];
    if (below(m->random, 3)) {
      add_small(m, matrix, wire, 1 - (int)below(m->random, 2) * 2);
    } else {
      g16_next_element(m->fr, m->random, coefficient);
      add(m, matrix, wire, coefficient);
    }
  }
}

/* Adds a constraint without the term of the wire that it defines, which circuit_make adds to C. */
static void add_row(maker *m, rule r) {
  circuit *c = m->c;
  const uint32_t which = below(m->random, c->n_free);
  const uint32_t a = c->free_wires[which], b = c->free_wires[(which + 1) % c->n_free];
  if (r == IS_BIT || r == AND || r == XOR) c->is_bit[a] = c->is_bit[b] = 1;
  switch (r) {
  case PRODUCT: add_terms(m, 0, 1), add_terms(m, 1, 1), add_terms(m, 2, 0); break;
  case LINEAR: add_terms(m, 0, 1), add_small(m, 1, 0, 1); break;
  case IS_BIT: add_small(m, 0, a, 1), add_small(m, 1, a, 1), add_small(m, 1, 0, -1); break;
  case AND: add_small(m, 0, a, 1), add_small(m, 1, b, 1); break;
  case XOR: /* 2 a b = a + b - w */
    add_small(m, 0, a, 2), add_small(m, 1, b, 1), add_small(m, 2, a, 1);
    if (a != b) add_small(m, 2, b, 1);
    break;
  case WITHOUT_A: add_terms(m, 1, 1), add_terms(m, 2, 1); break;
  case WITHOUT_B: add_terms(m, 0, 1), add_terms(m, 2, 1); break;
  case NOTHING: break;
  }
}

static void shuffle(uint32_t *a, uint32_t n, uint64_t *random) {
  for (uint32_t i = n; i > 1; i--) {
    const uint32_t j = below(random, i), kept = a[i - 1];
    a[i - 1] = a[j];
    a[j] = kept;
  }
}

/* Numbers the wires at random, so that a public wire may be free, defined or in no constraint. */
static int number_wires(maker *m, uint32_t n_wires, uint32_t n_free, uint32_t n_loose, uint32_t n_defined) {
  circuit *c = m->c;
  m->order = malloc(n_wires * sizeof *m->order);
  c->free_wires = malloc(n_wires * sizeof *c->free_wires);
  c->is_bit = calloc(n_wires, 1);
  if (!m->order || !c->free_wires || !c->is_bit) return 0;
  for (uint32_t i = 1; i < n_wires; i++) m->order[i - 1] = i;
  shuffle(m->order, n_wires - 1, m->random);
  c->n_free = n_free;
  memcpy(c->free_wires, m->order, n_free * sizeof *m->order);
  memcpy(c->free_wires + n_free, m->order + n_free + n_defined, n_loose * sizeof *m->order);
  m->n_known = n_free;
  return 1;
}

int circuit_make(const g16_family *family, shape_id shape, uint64_t *random, circuit *c) {
  maker m = {.c = c, .fr = rp_field_get(family->fr), .random = random, .limits = limits_of(shape)};
  const uint32_t n = random_in(random, m.limits.constraints), n_public = random_in(random, m.limits.publics);
  uint32_t n_free = random_in(random, m.limits.free), n_loose = random_in(random, m.limits.loose), n_defined = 0;
  *c = (circuit){.shape = shape};
  rule *rules = calloc(n, sizeof *rules);
  c->defined = calloc(n, sizeof *c->defined);
  c->negative = calloc(n, 1);
  int made = rules && c->defined && c->negative;
  for (uint32_t i = 0; made && i < n; i++) n_defined += (uint32_t)defines_a_wire(rules[i] = choose_rule(shape, random));
  if (n_free + n_defined + n_loose < n_public) n_loose = n_public - n_free - n_defined;
  const uint32_t n_wires = 1 + n_free + n_defined + n_loose;
  made = made && number_wires(&m, n_wires, n_free, n_loose, n_defined) &&
         g16_circuit_init(&c->rows, family, n_wires, n_public, n, NULL) == RP_OK;
  for (uint32_t i = 0; made && i < n; i++) {
    add_row(&m, rules[i]);
    if (defines_a_wire(rules[i])) {
      c->defined[i] = m.order[m.n_known++];
      c->negative[i] = rules[i] == XOR || below(random, 2);
      add_small(&m, 2, c->defined[i], c->negative[i] ? -1 : 1);
    }
    g16_circuit_end_row(&c->rows, i);
  }
  c->n_free += n_loose;
  free(rules);
  free(m.order);
  if (made && !m.failed) return 1;
  circuit_free(c);
  return 0;
}

void circuit_free(circuit *c) {
  g16_circuit_free(&c->rows);
  free(c->defined);
  free(c->negative);
  free(c->is_bit);
  free(c->free_wires);
  *c = (circuit){0};
}

/* ---- Witnesses --------------------------------------------------------------------------------------------------- */

typedef uint64_t element[4];

static void row_times(const circuit *c, const rp_field_host *fr, int matrix, uint32_t row, const element *wires,
                      element sum) {
  const g16_rows *rows = &c->rows.abc[matrix];
  fr->zero(sum);
  for (uint64_t k = rows->row_ptr[row]; k < rows->row_ptr[row + 1]; k++) {
    element term;
    memcpy(term, rows->value + 32 * k, sizeof term);
    fr->mul(term, term, wires[rows->wire[k]]);
    fr->add(sum, sum, term);
  }
}

static void all_times(const circuit *c, const rp_field_host *fr, uint32_t row, const element *wires, element sum[3]) {
  for (int k = 0; k < 3; k++) row_times(c, fr, k, row, wires, sum[k]);
  fr->mul(sum[0], sum[0], sum[1]);
}

enum style { ZEROS, ONES, FULL_WIDTH, BORDERS, MIXED, STYLES };

static void free_value(const rp_field_host *fr, enum style style, int is_bit, uint64_t *random, element value) {
  const uint32_t die = below(random, 8);
  if (style == MIXED) style = die < 2 ? ZEROS : die < 4 ? ONES : die < 7 ? FULL_WIDTH : BORDERS;
  if (is_bit && style >= FULL_WIDTH) style = below(random, 2) ? ONES : ZEROS;
  fr->one(value);
  if (style == ZEROS) fr->zero(value);
  if (style == FULL_WIDTH) g16_next_element(fr, random, value);
  if (style == BORDERS) {
    enum { TWO, THREE, LAST, LAST_BUT_ONE, VALUES }; /* 2, 3, r - 1, r - 2 */
    const uint32_t which = below(random, VALUES);
    element one;
    fr->one(one);
    if (which != LAST) fr->add(value, value, one);
    if (which == THREE) fr->add(value, value, one);
    if (which >= LAST) fr->neg(value, value);
  }
}

int circuit_witness(const circuit *c, uint64_t *random, uint8_t *values) {
  const rp_field_host *fr = rp_field_get(c->rows.family->fr);
  const enum style style = (enum style)below(random, STYLES);
  element *wires = calloc(c->rows.n_wires, sizeof *wires), sum[3];
  if (!wires) return 0;
  fr->one(wires[0]);
  for (uint32_t i = 0; i < c->n_free; i++)
    free_value(fr, style, c->is_bit[c->free_wires[i]], random, wires[c->free_wires[i]]);
  for (uint32_t i = 0; i < c->rows.n_constraints; i++) {
    const uint32_t wire = c->defined[i];
    if (!wire) continue;
    all_times(c, fr, i, (const element *)wires, sum); /* the wire itself is still 0 */
    fr->sub(wires[wire], sum[0], sum[2]);
    if (c->negative[i]) fr->neg(wires[wire], wires[wire]);
  }
  for (uint32_t i = 0; i < c->rows.n_wires; i++) {
    element canonical;
    fr->to_canonical(canonical, wires[i]);
    memcpy(values + 32 * (size_t)i, canonical, 32);
  }
  free(wires);
  return 1;
}

int circuit_holds(const circuit *c, const uint8_t *values) {
  const rp_field_host *fr = rp_field_get(c->rows.family->fr);
  element *wires = calloc(c->rows.n_wires, sizeof *wires), sum[3];
  if (!wires) return -1;
  int holds = 1;
  for (uint32_t i = 0; i < c->rows.n_wires; i++) {
    element canonical;
    memcpy(canonical, values + 32 * (size_t)i, 32);
    holds &= fr->from_canonical(wires[i], canonical);
  }
  for (uint32_t i = 0; i < c->rows.n_constraints && holds; i++) {
    all_times(c, fr, i, (const element *)wires, sum);
    holds = fr->equal(sum[0], sum[2]);
  }
  free(wires);
  return holds;
}
