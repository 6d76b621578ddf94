/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The scalars of a Groth16 key: the polynomials of every wire at the secret point tau (ePrint 2016/260, section 3.2).
 */
#ifndef REPRISE_GROTH16_SETUP_QAP_H
#define REPRISE_GROTH16_SETUP_QAP_H

#include "setup_circuit.h"

/* Canonical integers of 32 bytes, ready to multiply a generator with. */
typedef struct g16_qap {
  uint8_t *a, *b; /* n_wires: A_i(tau), B_i(tau) */
  uint8_t *c;     /* n_wires: (beta A_i + alpha B_i + C_i)(tau); from wire n_public + 1 on divided by delta */
  uint8_t
      *h; /* domain: Lagrange polynomials of domain and coset together, those of the coset, at tau, divided by delta */
  uint8_t alpha[32], beta[32], delta[32];
} g16_qap;

rp_status g16_qap_compute(const g16_circuit *circuit, const g16_setup *setup, g16_qap *qap, rp_error *err);
void g16_qap_free(g16_qap *qap, const g16_circuit *circuit);

#endif
