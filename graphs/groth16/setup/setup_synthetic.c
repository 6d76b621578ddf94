/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Synthetic circuits: first the witness, then rows of A and B over the wires that may occur there, then rows of C,
 * whose last term, a multiple of the constant wire, makes the constraint true.
 */
#include "setup_circuit.h"

#include "formats/fail.h"

#include <inttypes.h>
#include <stdlib.h>

/* Measured: circomlib's Sha256(512), 62528 constraints, and a Merkle path of 20 Poseidon hashes, 5320 constraints. */
void g16_shape_preset(g16_preset preset, uint32_t log_domain, g16_shape *shape) {
  static const g16_shape sha256 = {.fill = 0.954,
                                   .row = {{5, {2, 1, 4, 3, 0}, {25001, 16568, 12545, 5199, 3215}},
                                           {2, {1, 0}, {59313, 3215}},
                                           {6, {0, 1, 4, 2, 3, 120}, {20944, 18421, 12545, 8743, 1251, 624}}},
                                   .zeros = 0.58,
                                   .ones = 0.42,
                                   .infinity_a = 0.36,
                                   .infinity_b = 0.64};
  static const g16_shape full = {.fill = 0.96,
                                 .row = {{5, {1, 3, 2, 60, 4}, {4774, 418, 64, 44, 20}},
                                         {5, {1, 3, 60, 2, 4}, {4308, 836, 88, 48, 40}},
                                         {3, {1, 2, 32}, {3564, 460, 1296}}},
                                 .infinity_a = 0.01,
                                 .infinity_b = 0.34};
  *shape = preset == G16_PRESET_SHA256 ? sha256 : full;
  shape->log_domain = log_domain;
  shape->n_public = 1;
}

void g16_histogram_mean(double mean, g16_histogram *histogram) {
  uint32_t below = (uint32_t)mean;
  *histogram = (g16_histogram){2, {below, below + 1}, {1 - (mean - below), mean - below}};
}

static double next_unit(uint64_t *state) { return (double)(g16_next(state) >> 11) * 0x1p-53; }

static uint32_t next_length(const g16_histogram *h, uint64_t *state) {
  double total = 0;
  for (uint32_t i = 0; i < h->n; i++) total += h->share[i];
  double at = next_unit(state) * total;
  for (uint32_t i = 0; i < h->n; i++) {
    if (at < h->share[i]) return h->length[i];
    at -= h->share[i];
  }
  return h->n ? h->length[0] : 0;
}

/* The wires that may occur in a matrix, in ascending order; they are used in turn, so that each of them occurs. */
typedef struct deal {
  uint32_t *wire;
  uint64_t n, next;
} deal;

typedef struct maker {
  g16_circuit *circuit;
  const g16_shape *shape;
  const rp_field_host *fr;
  uint64_t state;
  deal wires[3];
  bool sparse[3]; /* has so few terms that some wire could be left out */
  uint8_t *value; /* of the wires, Montgomery */
} maker;

/* Wire i occurs in A with probability 1 - infinity_a; the wires of B are chosen from those of A if there are enough, as
 * in real circuits. */
static bool choose_wires(maker *m) {
  uint32_t n = m->circuit->n_wires;
  for (int k = 0; k < 3; k++)
    if (!(m->wires[k].wire = malloc((size_t)n * sizeof(uint32_t)))) return 0;
  double in_a = 1 - m->shape->infinity_a, in_b = 1 - m->shape->infinity_b;
  for (uint32_t i = 0; i < n; i++) {
    double at = next_unit(&m->state);
    if (at < in_a) m->wires[0].wire[m->wires[0].n++] = i;
    if (at < in_b) m->wires[1].wire[m->wires[1].n++] = i;
    /* The constant wire of C is reserved for the last term, since snarkjs uses only the last of two terms of one wire
     * in a row. */
    if (i != 0) m->wires[2].wire[m->wires[2].n++] = i;
  }
  return 1;
}

static bool choose_values(maker *m) {
  uint32_t n = m->circuit->n_wires;
  m->value = malloc((size_t)n * 32);
  m->circuit->witness = malloc((size_t)n * 32);
  if (!m->value || !m->circuit->witness) return 0;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t element[4], canonical[4];
    double at = i == 0 ? m->shape->zeros : next_unit(&m->state);
    if (at < m->shape->zeros)
      m->fr->zero(element);
    else if (at < m->shape->zeros + m->shape->ones || i == 0)
      m->fr->one(element);
    else
      g16_next_element(m->fr, &m->state, element);
    m->fr->to_canonical(canonical, element);
    memcpy(m->value + 32 * (size_t)i, element, 32);
    memcpy(m->circuit->witness + 32 * (size_t)i, canonical, 32);
  }
  return 1;
}

/* Adds `length` terms with coefficients 1, -1, 2 or, in circuits of full width, any; sum: the row times the witness. */
static bool add_terms(maker *m, int matrix, uint32_t length, uint64_t *sum) {
  deal *wires = &m->wires[matrix];
  m->fr->zero(sum);
  if (length > wires->n) length = (uint32_t)wires->n;
  for (uint32_t i = 0; i < length; i++) {
    uint32_t wire = wires->wire[wires->next++ % wires->n];
    uint64_t coefficient[4], term[4], value[4];
    m->fr->one(coefficient);
    uint64_t kind = g16_next(&m->state) % 8;
    if (kind < 2 && m->shape->zeros + m->shape->ones < 0.5)
      g16_next_element(m->fr, &m->state, coefficient);
    else if (kind < 4)
      m->fr->neg(coefficient, coefficient);
    else if (kind < 6)
      m->fr->add(coefficient, coefficient, coefficient);
    memcpy(value, m->value + 32 * (size_t)wire, 32);
    m->fr->mul(term, coefficient, value);
    m->fr->add(sum, sum, term);
    if (!g16_rows_add(&m->circuit->abc[matrix], wire, coefficient)) return 0;
  }
  return 1;
}

/* The number of terms of the next row, at least as many as are needed for the remaining rows to use every wire. */
static uint32_t length_of_row(maker *m, int matrix, uint32_t index) {
  uint32_t length = next_length(&m->shape->row[matrix], &m->state);
  const deal *wires = &m->wires[matrix];
  uint64_t left = m->circuit->n_constraints - index;
  uint64_t needed = wires->next < wires->n ? (wires->n - wires->next + left - 1) / left : 0;
  return m->sparse[matrix] && length < needed ? (uint32_t)needed : length;
}

static bool add_constraint(maker *m, uint32_t index) {
  uint64_t sum[3][4];
  for (int k = 0; k < 3; k++)
    if (!add_terms(m, k, length_of_row(m, k, index), sum[k])) return 0;
  m->fr->mul(sum[0], sum[0], sum[1]);
  m->fr->sub(sum[0], sum[0], sum[2]);
  if (!m->fr->is_zero(sum[0]) && !g16_rows_add(&m->circuit->abc[2], 0, sum[0])) return 0;
  g16_circuit_end_row(m->circuit, index);
  return 1;
}

static bool make(maker *m) {
  if (!choose_wires(m) || !choose_values(m)) return 0;
  for (int k = 0; k < 3; k++) {
    const g16_histogram *h = &m->shape->row[k];
    double total = 0, terms = 0;
    for (uint32_t i = 0; i < h->n; i++) {
      total += h->share[i];
      terms += h->share[i] * h->length[i];
    }
    m->sparse[k] = terms / total * m->circuit->n_constraints < 1.1 * (double)m->wires[k].n;
  }
  for (uint32_t i = 0; i < m->circuit->n_constraints; i++)
    if (!add_constraint(m, i)) return 0;
  return 1;
}

rp_status g16_circuit_make(const g16_family *family, const g16_shape *shape, uint64_t seed, g16_circuit *circuit,
                           rp_error *err) {
  *circuit = (g16_circuit){0};
  uint64_t domain = (uint64_t)1 << (shape->log_domain & 31);
  double rows = shape->fill * (double)domain - shape->n_public - 1;
  if (shape->log_domain < 1 || shape->log_domain > 27 || shape->fill > 1 || rows < 1)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "A domain of 2^%" PRIu32 " filled to %.2f has no room for %" PRIu32 " public signals.",
                        shape->log_domain, shape->fill, shape->n_public);
  uint32_t n_constraints = (uint32_t)rows;
  uint32_t n_wires = n_constraints > shape->n_public + 2 ? n_constraints : shape->n_public + 2;
  rp_status status = g16_circuit_init(circuit, family, n_wires, shape->n_public, n_constraints, err);
  if (status != RP_OK) return status;
  if (circuit->log_domain < shape->log_domain) circuit->log_domain = shape->log_domain;
  maker m = {.circuit = circuit, .shape = shape, .fr = rp_field_get(family->fr), .state = seed};
  bool made = make(&m);
  for (int k = 0; k < 3; k++) free(m.wires[k].wire);
  free(m.value);
  if (made) return RP_OK;
  g16_circuit_free(circuit);
  return support_fail(err, RP_ERR_MEMORY, "Out of memory for a circuit of %" PRIu32 " constraints.", n_constraints);
}
