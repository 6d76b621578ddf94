/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "circuit.h"

#include "formats/fail.h"

#include <inttypes.h>
#include <stdlib.h>

enum { INPUTS = 4, ROWS_PER_ADDITION = 4 };

typedef struct maker {
  plonk_circuit *c;
  const rp_field_host *fr;
  uint64_t state;
  uint32_t witness, additions; /* values and additions so far */
} maker;

void plonk_next_element(const rp_field_host *fr, uint64_t *state, plonk_fr *element) {
  uint64_t bits[5];
  for (int i = 0; i < 5; i++) bits[i] = plonk_next(state);
  fr->from_bytes_reduce(element, (const uint8_t *)bits, sizeof bits);
}

/* A variable that has a value: of the witness, or one time in four an addition. */
static uint32_t operand(maker *m) {
  const uint64_t r = plonk_next(&m->state);
  if (r % 4 == 0 && m->additions) return m->c->n_witness + (uint32_t)((r >> 8) % m->additions);
  return 1 + (uint32_t)((r >> 8) % (m->witness - 1));
}

static void add_addition(maker *m) {
  plonk_circuit *c = m->c;
  plonk_addition *a = &c->addition[m->additions];
  plonk_fr *sum = &c->value[c->n_witness + m->additions], f, x;
  m->fr->zero(sum);
  for (int k = 0; k < 2; k++) {
    a->signal[k] = operand(m);
    plonk_next_element(m->fr, &m->state, &f);
    memcpy(a->factor[k], &f, sizeof f);
    m->fr->mul(&x, &f, &c->value[a->signal[k]]);
    m->fr->add(sum, sum, &x);
  }
  m->additions++;
}

/* c = qm a b + ql a + qr b + qc */
static void add_row(maker *m, uint32_t row) {
  plonk_circuit *c = m->c;
  const rp_field_host *fr = m->fr;
  const uint32_t a = operand(m), b = operand(m), out = m->witness;
  const bool random = plonk_next(&m->state) % 2 == 0;
  plonk_fr *q[PLONK_SELECTORS], x, one;
  for (int i = 0; i < PLONK_SELECTORS; i++) {
    q[i] = &c->selector[i][row];
    if (random) plonk_next_element(fr, &m->state, q[i]);
  }
  fr->one(&one);
  if (!random) *q[PLONK_KEY_QM] = one;
  fr->neg(q[PLONK_KEY_QO], &one);
  c->map[0][row] = a, c->map[1][row] = b, c->map[2][row] = out;
  fr->mul(&x, &c->value[a], &c->value[b]);
  fr->mul(&c->value[out], &x, q[PLONK_KEY_QM]);
  fr->mul(&x, &c->value[a], q[PLONK_KEY_QL]);
  fr->add(&c->value[out], &c->value[out], &x);
  fr->mul(&x, &c->value[b], q[PLONK_KEY_QR]);
  fr->add(&c->value[out], &c->value[out], &x);
  fr->add(&c->value[out], &c->value[out], q[PLONK_KEY_QC]);
  m->witness++;
}

static bool allocate(plonk_circuit *c) {
  const size_t rows = c->n_constraints;
  bool good = (c->value = calloc(plonk_circuit_vars(c), sizeof *c->value)) != NULL;
  good = good && (c->addition = calloc((size_t)c->n_additions + 1, sizeof *c->addition)) != NULL;
  for (int i = 0; i < 3 && good; i++) good = (c->map[i] = calloc(rows, sizeof *c->map[i])) != NULL;
  for (int i = 0; i < PLONK_SELECTORS && good; i++)
    good = (c->selector[i] = calloc(c->n, sizeof *c->selector[i])) != NULL;
  return good;
}

rp_status plonk_circuit_make(uint32_t log_domain, uint32_t n_public, uint32_t blinded_rows, uint64_t seed,
                             plonk_circuit *c, rp_error *err) {
  const uint64_t n = (uint64_t)1 << log_domain, unused = n / 16 > blinded_rows ? n / 16 : blinded_rows;
  *c = (plonk_circuit){
      .n = n, .n_public = n_public, .n_constraints = (uint32_t)(n - unused), .blinded_rows = blinded_rows};
  if (n_public + (uint64_t)2 > c->n_constraints)
    return support_fail(err, RP_ERR_ARGUMENT, "A domain of 2^%" PRIu32 " has no room for %" PRIu32 " public signals.",
                        log_domain, n_public);
  const uint32_t free_rows = c->n_constraints - n_public;
  c->n_witness = 1 + n_public + INPUTS + free_rows;
  c->n_additions = free_rows / ROWS_PER_ADDITION;
  if (!allocate(c)) {
    plonk_circuit_free(c);
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for a circuit of %" PRIu64 " rows.", n);
  }
  maker m = {.c = c, .fr = rp_field_get(RP_FIELD_BN254_FR), .state = seed, .witness = 1 + n_public + INPUTS};
  for (uint32_t i = 1; i < m.witness; i++) plonk_next_element(m.fr, &m.state, &c->value[i]);
  for (uint32_t row = 0; row < n_public; row++) {
    c->map[0][row] = 1 + row;
    m.fr->one(&c->selector[PLONK_KEY_QL][row]);
  }
  for (uint32_t row = n_public; row < c->n_constraints; row++) {
    if (row % ROWS_PER_ADDITION == 0 && m.additions < c->n_additions) add_addition(&m);
    add_row(&m, row);
  }
  while (m.additions < c->n_additions) add_addition(&m);
  return RP_OK;
}

void plonk_circuit_free(plonk_circuit *c) {
  free(c->value);
  free(c->addition);
  for (int i = 0; i < 3; i++) free(c->map[i]);
  for (int i = 0; i < PLONK_SELECTORS; i++) free(c->selector[i]);
  *c = (plonk_circuit){0};
}

/* Positions are numbered by wire, then by row. */
plonk_fr *plonk_circuit_permutation(const plonk_circuit *c, const plonk_fr *omega, const plonk_fr *k1,
                                    const plonk_fr *k2) {
  enum { NONE = 0 }; /* positions count from 1 below */
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  const uint32_t vars = plonk_circuit_vars(c);
  uint32_t *last = calloc(vars, sizeof *last), *first = calloc(vars, sizeof *first);
  plonk_fr *label = malloc(3 * c->n * sizeof *label), *sigma = malloc(3 * c->n * sizeof *sigma);
  if (last && first && label && sigma) {
    fr->one(&label[0]);
    for (uint64_t i = 1; i < c->n; i++) fr->mul(&label[i], &label[i - 1], omega);
    for (uint64_t i = 0; i < c->n; i++) {
      fr->mul(&label[c->n + i], &label[i], k1);
      fr->mul(&label[2 * c->n + i], &label[i], k2);
    }
    for (uint32_t w = 0, p = 0; w < 3; w++)
      for (uint32_t row = 0; row < c->n; row++, p++) {
        const uint32_t v = row < c->n_constraints ? c->map[w][row] : 0;
        if (row >= c->n - c->blinded_rows) {
          sigma[p] = label[p];
          continue;
        }
        if (last[v] == NONE)
          first[v] = p + 1;
        else
          sigma[last[v] - 1] = label[p];
        last[v] = p + 1;
      }
    for (uint32_t v = 0; v < vars; v++)
      if (last[v] != NONE) sigma[last[v] - 1] = label[first[v] - 1];
  } else {
    free(sigma);
    sigma = NULL;
  }
  free(last);
  free(first);
  free(label);
  return sigma;
}
