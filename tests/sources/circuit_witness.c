/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Half of the first two wires of every row are copies of cells of earlier rows, and half of the gates are selected.
 * Each lookup takes pairs from the first half of the table, many of them several times.
 */
#include "circuit_witness.h"

#include "data.h"
#include "device.h"

/* The permutation of cells: cell (wire, row) has number wire * n + row. */
typedef struct maker {
  circuit_witness *w;
  const rp_field_host *f;
  uint32_t *sigma;
  uint64_t seed;
} maker;

static fe *at(const maker *m, uint32_t column, uint64_t row) { return &m->w->column[column * m->w->n + row]; }

static uint64_t below(maker *m, uint64_t n) { return data_next(&m->seed) % n; }

static void random_element(maker *m, fe *r) {
  uint64_t words[6];
  for (int i = 0; i < 6; i++) words[i] = data_next(&m->seed);
  m->f->from_bytes_reduce(r, (const uint8_t *)words, sizeof words);
}

/* The cell gets the value of a cell of an earlier row, whose cycle it joins. */
static void copy(maker *m, uint32_t wire, uint64_t row) {
  const uint32_t from = (uint32_t)below(m, CIRCUIT_WIRES);
  const uint64_t n = m->w->n, source = from * n + below(m, row), cell = wire * n + row;
  const uint32_t next = m->sigma[source];
  *at(m, wire, row) = m->w->column[source];
  m->sigma[source] = m->sigma[cell];
  m->sigma[cell] = next;
}

static void gate(maker *m, uint32_t g, uint64_t row) {
  const uint32_t wire = CIRCUIT_WIRE + g * CIRCUIT_PER_GATE;
  for (uint32_t i = 0; i < 2; i++)
    if (row && below(m, 2)) copy(m, wire + i, row);
  if (!row || below(m, 2)) return;
  m->f->one(at(m, CIRCUIT_SELECTOR + g, row));
  m->f->mul(at(m, wire + 2, row), at(m, wire, row), at(m, wire + 1, row));
  m->f->add(at(m, wire + 2, row), at(m, wire + 2, row), at(m, wire + 2, row - 1));
}

static void wires(maker *m) {
  const circuit_witness *w = m->w;
  for (uint32_t c = 0; c < CIRCUIT_WIRES; c++)
    for (uint64_t row = 0; row < w->n; row++) random_element(m, at(m, CIRCUIT_WIRE + c, row));
  for (uint64_t row = 0; row < w->active; row++)
    for (uint32_t g = 0; g < CIRCUIT_GATES; g++) gate(m, g, row);
}

static void domain_columns(maker *m) {
  const circuit_witness *w = m->w;
  fe root;
  m->f->root(&root, RP_ROOT_HALO2, w->k);
  m->f->one(at(m, CIRCUIT_ID, 0));
  for (uint64_t row = 1; row < w->n; row++) m->f->mul(at(m, CIRCUIT_ID, row), at(m, CIRCUIT_ID, row - 1), &root);
  m->f->one(at(m, CIRCUIT_FIRST, 0));
  m->f->one(at(m, CIRCUIT_LAST, w->active));
  for (uint64_t row = 0; row < w->active; row++) m->f->one(at(m, CIRCUIT_ACTIVE, row));
}

static void labels(maker *m) {
  const circuit_witness *w = m->w;
  for (uint64_t cell = 0; cell < CIRCUIT_WIRES * w->n; cell++) {
    const uint32_t to = m->sigma[cell];
    m->f->mul(at(m, CIRCUIT_SIGMA, cell), at(m, CIRCUIT_ID, to % w->n), &w->constant[CIRCUIT_DELTA + to / w->n]);
  }
}

/* Counts how often each row of the table is looked up, and from that writes both orders: equal rows together, beside
 * the first of them the same row of the table, and beside the others the rows that nothing looks up. */
static void lookup(maker *m, uint32_t l) {
  const circuit_witness *w = m->w;
  uint32_t *count = calloc(w->active, sizeof *count), *sorted = w->order + 2 * l * w->active, unused = 0;
  uint32_t *table = sorted + w->active;
  assert_non_null(count);
  for (uint64_t row = 0; row < w->active; row++) {
    const uint64_t which = below(m, w->active / 2);
    count[which]++;
    for (uint32_t i = 0; i < 2; i++) *at(m, CIRCUIT_LOOKED_UP + 2 * l + i, row) = *at(m, CIRCUIT_TABLE + i, which);
  }
  uint64_t place = 0;
  for (uint32_t row = 0; row < w->active; row++)
    for (uint32_t i = 0; i < count[row]; i++, place++) {
      sorted[place] = row;
      while (i && count[unused]) unused++;
      table[place] = i ? unused++ : row;
    }
  free(count);
}

static void lookups(maker *m) {
  const circuit_witness *w = m->w;
  for (uint32_t c = CIRCUIT_LOOKED_UP; c < CIRCUIT_SELECTOR; c++)
    for (uint64_t row = w->active; row < w->n; row++) random_element(m, at(m, c, row));
  for (uint64_t row = 0; row < w->n; row++) {
    const uint32_t number = (uint32_t)row;
    m->f->from_bytes_reduce(at(m, CIRCUIT_TABLE, row), (const uint8_t *)&number, sizeof number);
    random_element(m, at(m, CIRCUIT_TABLE + 1, row));
  }
  for (uint32_t l = 0; l < CIRCUIT_LOOKUPS; l++) lookup(m, l);
}

/* The first row where gate 0 is not selected, and, with `copied`, its first wire is a copy. */
static uint64_t free_row(const maker *m, int copied) {
  uint64_t row = 1;
  while (row < m->w->active && (!m->f->is_zero(at(m, CIRCUIT_SELECTOR, row)) || (copied && m->sigma[row] == row)))
    row++;
  assert_true(row < m->w->active);
  return row;
}

static void spoil(maker *m, circuit_wrong wrong) {
  const circuit_witness *w = m->w;
  const fe *one = &w->constant[CIRCUIT_ONE];
  fe *copied = at(m, CIRCUIT_WIRE, free_row(m, 1)), *looked_up = at(m, CIRCUIT_LOOKED_UP + 1, 0);
  uint32_t *table = w->order + w->active;
  if (wrong == CIRCUIT_WRONG_GATE) *at(m, CIRCUIT_SELECTOR, free_row(m, 0)) = *one;
  if (wrong == CIRCUIT_WRONG_COPY) m->f->add(copied, copied, one);
  if (wrong == CIRCUIT_WRONG_LOOKUP) m->f->add(looked_up, looked_up, one);
  if (wrong == CIRCUIT_WRONG_ORDER) {
    const uint32_t first = table[0];
    table[0] = table[w->active - 1];
    table[w->active - 1] = first;
  }
}

void circuit_witness_make(circuit_witness *w, uint32_t k, uint64_t seed, circuit_wrong wrong) {
  const uint64_t n = (uint64_t)1 << k;
  const uint8_t generator = 7;
  *w = (circuit_witness){.k = k, .n = n, .active = n - CIRCUIT_BLIND - 1};
  maker m = {.w = w, .f = rp_field_get(RP_FIELD_BN254_FR), .seed = seed};
  w->column = calloc(CIRCUIT_GIVEN * n, sizeof *w->column);
  w->order = calloc(2 * CIRCUIT_LOOKUPS * w->active, sizeof *w->order);
  m.sigma = malloc(CIRCUIT_WIRES * n * sizeof *m.sigma);
  assert_true(w->column && w->order && m.sigma);
  for (uint64_t i = 0; i < CIRCUIT_WIRES * n; i++) m.sigma[i] = (uint32_t)i;
  for (uint32_t i = 0; i < CIRCUIT_ONE; i++) random_element(&m, &w->constant[i]);
  m.f->one(&w->constant[CIRCUIT_ONE]);
  m.f->one(&w->constant[CIRCUIT_DELTA]);
  fe seven;
  m.f->from_bytes_reduce(&seven, &generator, 1);
  for (uint32_t i = CIRCUIT_DELTA + 1; i < CIRCUIT_CONSTANTS; i++)
    m.f->mul(&w->constant[i], &w->constant[i - 1], &seven);
  wires(&m);
  domain_columns(&m);
  labels(&m);
  lookups(&m);
  spoil(&m, wrong);
  free(m.sigma);
}

void circuit_witness_free(circuit_witness *w) {
  free(w->column);
  free(w->order);
}
