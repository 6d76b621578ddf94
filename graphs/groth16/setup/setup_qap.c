/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "setup_qap.h"

#include "formats/fail.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct element {
  uint64_t limb[4];
} element;

/* out[i] = w^(first + i * step) / size * (tau^size - 1) / (tau - w^(first + i * step)), w of order `size`: the Lagrange
 * polynomials of the size-th roots at tau. One inversion for all (Montgomery's trick), through the array itself. */
static bool lagrange(const rp_field_host *fr, const element *tau, uint32_t log_size, uint64_t first, uint64_t step,
                     uint64_t n, element *out) {
  element *root = malloc(n * sizeof *root);
  element w, at, stride, product, scale, z;
  uint64_t exponent[2] = {first, step}, size[4] = {(uint64_t)1 << log_size};
  if (!root || !fr->root(&w, RP_ROOT_SNARKJS, log_size)) {
    free(root);
    return 0;
  }
  fr->pow(&at, &w, (const uint8_t *)&exponent[0], 8);
  fr->pow(&stride, &w, (const uint8_t *)&exponent[1], 8);
  fr->one(&product);
  for (uint64_t i = 0; i < n; i++) { /* out[i] is the product of the differences before i */
    root[i] = at;
    out[i] = product;
    fr->sub(&z, tau, &at);
    fr->mul(&product, &product, &z);
    fr->mul(&at, &at, &stride);
  }
  fr->from_canonical(&scale, size);
  fr->inv(&scale, &scale);
  fr->pow(&z, tau, (const uint8_t *)size, 8);
  fr->one(&w);
  fr->sub(&z, &z, &w);
  fr->mul(&scale, &scale, &z);
  fr->inv(&product, &product);
  for (uint64_t i = n; i-- > 0;) {
    element inverse;
    fr->mul(&inverse, &out[i], &product);
    fr->sub(&z, tau, &root[i]);
    fr->mul(&product, &product, &z);
    fr->mul(&inverse, &inverse, &scale);
    fr->mul(&out[i], &inverse, &root[i]);
  }
  free(root);
  return 1;
}

/* sum[wire] += value * l[row] over the entries of a matrix. */
static void columns(const rp_field_host *fr, const g16_rows *rows, uint32_t n_rows, const element *l, element *sum) {
  for (uint32_t row = 0; row < n_rows; row++)
    for (uint64_t k = rows->row_ptr[row]; k < rows->row_ptr[row + 1]; k++) {
      element term;
      memcpy(&term, rows->value + 32 * k, 32);
      fr->mul(&term, &term, &l[row]);
      fr->add(&sum[rows->wire[k]], &sum[rows->wire[k]], &term);
    }
}

static void to_canonical(const rp_field_host *fr, uint8_t *array, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    element x;
    memcpy(&x, array + 32 * i, 32);
    fr->to_canonical(&x, &x);
    memcpy(array + 32 * i, &x, 32);
  }
}

static uint8_t *zeros(uint64_t n) {
  uint8_t *array = aligned_alloc(64, (n * 32 + 63) & ~(uint64_t)63);
  if (array) memset(array, 0, n * 32);
  return array;
}

/* c[i] += beta a[i] + alpha b[i]; then divided by delta for the wires that are not public. */
static void combine(const rp_field_host *fr, const g16_circuit *circuit, g16_qap *qap, const element *alpha,
                    const element *beta, const element *over_delta) {
  element *a = (element *)qap->a, *b = (element *)qap->b, *c = (element *)qap->c;
  for (uint32_t i = 0; i < circuit->n_wires; i++) {
    element term;
    fr->mul(&term, beta, &a[i]);
    fr->add(&c[i], &c[i], &term);
    fr->mul(&term, alpha, &b[i]);
    fr->add(&c[i], &c[i], &term);
    if (i > circuit->n_public) fr->mul(&c[i], &c[i], over_delta);
  }
  element *h = (element *)qap->h;
  for (uint64_t i = 0; i < g16_circuit_domain(circuit); i++) fr->mul(&h[i], &h[i], over_delta);
}

/* z^n - 1 */
static void vanishing(const rp_field_host *fr, const element *z, uint64_t n, element *out) {
  element one;
  fr->one(&one);
  fr->pow(out, z, (const uint8_t *)&n, 8);
  fr->sub(out, out, &one);
}

/* The polynomials that are 1 at one point of domain and coset together, and 0 at all others: computes the values at tau
 * of those that belong to points of the coset. With the root of twice the order as shift, domain and coset form a
 * domain of twice the size, of which the coset is the odd half. With any other shift k, they are (tau^n - 1) / (k^n -
 * 1) times the Lagrange polynomials of the domain at tau / k. */
static bool lagrange_coset(const g16_circuit *circuit, bool largest_shift, const element *tau, element *out) {
  const rp_field_host *fr = rp_field_get(circuit->family->fr);
  const uint64_t n = g16_circuit_domain(circuit);
  if (!largest_shift) return lagrange(fr, tau, circuit->log_domain + 1, 1, 2, n, out);
  element shift, at, scale, z;
  g16_largest_shift(circuit->family, shift.limb);
  vanishing(fr, &shift, n, &scale);
  fr->inv(&scale, &scale);
  vanishing(fr, tau, n, &z);
  fr->mul(&scale, &scale, &z);
  fr->inv(&at, &shift);
  fr->mul(&at, &at, tau);
  if (!lagrange(fr, &at, circuit->log_domain, 0, 1, n, out)) return 0;
  for (uint64_t i = 0; i < n; i++) fr->mul(&out[i], &out[i], &scale);
  return 1;
}

rp_status g16_qap_compute(const g16_circuit *circuit, const g16_setup *setup, g16_qap *qap, rp_error *err) {
  const rp_field_host *fr = rp_field_get(circuit->family->fr);
  const bool largest_shift = setup->largest_shift || circuit->log_domain == fr->two_adicity;
  uint64_t domain = g16_circuit_domain(circuit), state = setup->seed ^ 0x746f786963u;
  element tau, alpha, beta, delta, over_delta, *l = (element *)zeros(domain);
  *qap = (g16_qap){
      .a = zeros(circuit->n_wires), .b = zeros(circuit->n_wires), .c = zeros(circuit->n_wires), .h = zeros(domain)};
  element *secret[4] = {&tau, &alpha, &beta, &delta};
  for (int i = 0; i < 4; i++) g16_next_element(fr, &state, secret[i]);
  if (setup->uncontributed) fr->one(&delta);
  fr->inv(&over_delta, &delta);

  rp_status status = RP_OK;
  if (!l || !qap->a || !qap->b || !qap->c || !qap->h || !lagrange(fr, &tau, circuit->log_domain, 0, 1, domain, l) ||
      !lagrange_coset(circuit, largest_shift, &tau, (element *)qap->h))
    status = support_fail(err, RP_ERR_MEMORY, "Out of memory for a domain of %" PRIu64 ".", domain);
  if (status == RP_OK) {
    uint8_t *sums[3] = {qap->a, qap->b, qap->c};
    for (int m = 0; m < 3; m++) columns(fr, &circuit->abc[m], circuit->n_constraints, l, (element *)sums[m]);
    /* The rows for the public signals (zkey.h), which make their polynomials linearly independent. */
    for (uint32_t s = 0; s <= circuit->n_public; s++)
      fr->add((element *)qap->a + s, (element *)qap->a + s, &l[circuit->n_constraints + s]);
    combine(fr, circuit, qap, &alpha, &beta, &over_delta);
    uint8_t *arrays[4] = {qap->a, qap->b, qap->c, qap->h};
    for (int i = 0; i < 4; i++) to_canonical(fr, arrays[i], i == 3 ? domain : circuit->n_wires);
    fr->to_canonical(qap->alpha, &alpha);
    fr->to_canonical(qap->beta, &beta);
    fr->to_canonical(qap->delta, &delta);
  }
  if (l) rp_wipe(l, domain * 32);
  free(l);
  if (status != RP_OK) g16_qap_free(qap, circuit);
  return status;
}

void g16_qap_free(g16_qap *qap, const g16_circuit *circuit) {
  uint8_t *arrays[4] = {qap->a, qap->b, qap->c, qap->h};
  for (int i = 0; i < 4; i++) {
    if (arrays[i]) rp_wipe(arrays[i], (i == 3 ? g16_circuit_domain(circuit) : circuit->n_wires) * 32);
    free(arrays[i]);
  }
  *qap = (g16_qap){0};
}
