/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The constraints of the circuit (halo2_circuit.h). Grand products are chained as in halo2: each begins with the last
 * value of the one before it, and those of lookups stand alone.
 */
#include "halo2_circuit.h"

enum { LAST_ROW = -(CIRCUIT_BLIND + 1) }; /* of the grand products, as a rotation from row 0 */

/* Constraints in the order in which they are folded. */
typedef struct constraints {
  rp_terms *t;
  rp_term list[CIRCUIT_GATES + 2 + 2 * CIRCUIT_GATES + 5 * CIRCUIT_LOOKUPS], first, last, active, one;
  uint32_t n;
} constraints;

static rp_term column(rp_terms *t, uint32_t index) { return rp_term_column(t, index, 0); }

static void add(constraints *c, rp_term where, rp_term zero) { c->list[c->n++] = rp_term_mul(c->t, where, zero); }

rp_term circuit_labelled(rp_terms *t, uint32_t gate, int permuted) {
  const rp_term beta = rp_term_constant(t, CIRCUIT_BETA), gamma = rp_term_constant(t, CIRCUIT_GAMMA);
  rp_term product = {0};
  for (uint32_t i = 0; i < CIRCUIT_PER_GATE; i++) {
    const uint32_t wire = gate * CIRCUIT_PER_GATE + i;
    const rp_term label = permuted ? column(t, CIRCUIT_SIGMA + wire)
                                   : rp_term_mul(t, column(t, CIRCUIT_ID), rp_term_constant(t, CIRCUIT_DELTA + wire));
    const rp_term sum = rp_term_add(t, column(t, CIRCUIT_WIRE + wire), rp_term_mul(t, beta, label));
    const rp_term factor = rp_term_add(t, sum, gamma);
    product = i ? rp_term_mul(t, product, factor) : factor;
  }
  return product;
}

rp_term circuit_pair(rp_terms *t, uint32_t first) {
  const rp_term pair[] = {column(t, first), column(t, first + 1)};
  return rp_term_fold(t, pair, 2, rp_term_constant(t, CIRCUIT_THETA));
}

rp_term circuit_shifted(rp_terms *t, rp_term a, rp_term b) {
  return rp_term_mul(t, rp_term_add(t, a, rp_term_constant(t, CIRCUIT_BETA)),
                     rp_term_add(t, b, rp_term_constant(t, CIRCUIT_GAMMA)));
}

/* Where the selector is 1, the third wire is the product of the others plus the third wire of the row before. */
static void gates(constraints *c) {
  for (uint32_t g = 0; g < CIRCUIT_GATES; g++) {
    const uint32_t wire = CIRCUIT_WIRE + g * CIRCUIT_PER_GATE;
    const rp_term product = rp_term_mul(c->t, column(c->t, wire), column(c->t, wire + 1));
    const rp_term sum = rp_term_add(c->t, product, rp_term_column(c->t, wire + 2, -1));
    add(c, column(c->t, CIRCUIT_SELECTOR + g), rp_term_sub(c->t, sum, column(c->t, wire + 2)));
  }
}

static void permutation(constraints *c) {
  rp_terms *t = c->t;
  const rp_term end = column(t, CIRCUIT_Z + CIRCUIT_GATES - 1);
  add(c, c->first, rp_term_sub(t, c->one, column(t, CIRCUIT_Z)));
  add(c, c->last, rp_term_sub(t, rp_term_mul(t, end, end), end));
  for (uint32_t g = 1; g < CIRCUIT_GATES; g++)
    add(c, c->first, rp_term_sub(t, column(t, CIRCUIT_Z + g), rp_term_column(t, CIRCUIT_Z + g - 1, LAST_ROW)));
  for (uint32_t g = 0; g < CIRCUIT_GATES; g++) {
    const rp_term next = rp_term_mul(t, rp_term_column(t, CIRCUIT_Z + g, 1), circuit_labelled(t, g, 1));
    add(c, c->active, rp_term_sub(t, next, rp_term_mul(t, column(t, CIRCUIT_Z + g), circuit_labelled(t, g, 0))));
  }
}

static void lookup(constraints *c, uint32_t l) {
  rp_terms *t = c->t;
  const uint32_t sorted = CIRCUIT_PERMUTED + 2 * l;
  const rp_term z = column(t, CIRCUIT_LOOKUP_Z + l), z_next = rp_term_column(t, CIRCUIT_LOOKUP_Z + l, 1);
  const rp_term a = column(t, sorted), s = column(t, sorted + 1), difference = rp_term_sub(t, a, s);
  const rp_term given = circuit_shifted(t, circuit_pair(t, CIRCUIT_LOOKED_UP + 2 * l), circuit_pair(t, CIRCUIT_TABLE));
  add(c, c->first, rp_term_sub(t, c->one, z));
  add(c, c->last, rp_term_sub(t, rp_term_mul(t, z, z), z));
  add(c, c->active, rp_term_sub(t, rp_term_mul(t, z_next, circuit_shifted(t, a, s)), rp_term_mul(t, z, given)));
  add(c, c->first, difference);
  add(c, c->active, rp_term_mul(t, difference, rp_term_sub(t, a, rp_term_column(t, sorted, -1))));
}

rp_term circuit_constraints(rp_terms *t) {
  constraints c = {.t = t,
                   .first = column(t, CIRCUIT_FIRST),
                   .last = column(t, CIRCUIT_LAST),
                   .active = column(t, CIRCUIT_ACTIVE),
                   .one = rp_term_constant(t, CIRCUIT_ONE)};
  gates(&c);
  permutation(&c);
  for (uint32_t l = 0; l < CIRCUIT_LOOKUPS; l++) lookup(&c, l);
  return rp_term_fold(t, c.list, c.n, rp_term_constant(t, CIRCUIT_Y));
}

rp_extended_domain circuit_domain(uint32_t k) {
  rp_extended_domain d = {.struct_size = sizeof d, .root = RP_ROOT_HALO2, .k = k, .extended_k = k + 2};
  const rp_field_host *f = rp_field_get(RP_FIELD_BN254_FR);
  const uint8_t generator = 7;
  uint8_t third[32] = {0}; /* (r - 1) / 3 */
  uint32_t rest = 0;
  uint64_t zeta[4];
  for (int i = 31; i >= 0; i--) {
    rest = rest % 3 << 8 | (uint32_t)(f->modulus_le[i] - (i == 0));
    third[i] = (uint8_t)(rest / 3);
  }
  f->from_bytes_reduce(zeta, &generator, 1);
  f->pow(zeta, zeta, third, sizeof third);
  f->to_canonical(d.shift, zeta);
  return d;
}
