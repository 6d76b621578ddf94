/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The quotient of a PLONK-style circuit, end to end: halo2_quotient [--device NAME] [log_rows [graph.html]]. The
 * circuit has 2^log_rows rows with three wires; even rows add, odd rows multiply, and each row takes the results of the
 * two before it, which a permutation argument enforces. One graph computes the grand product, the coefficients, the
 * quotient and the values at a random point; the host checks the polynomial identity there, and that it does not hold
 * for a wrong witness. */

#define _POSIX_C_SOURCE 200809L /* setenv */

#include <reprise/halo2.h>
#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A, B, C, ADDS, SIGMA_A, SIGMA_B, SIGMA_C, FIRST, ID, INPUTS, Z = INPUTS, COLUMNS }; /* ID: the domain itself */
enum { BETA, GAMMA, Y, ONE, K1, K2, CONSTANTS };
typedef struct fe {
  uint64_t limb[4];
} fe;

static const rp_field_host *f; /* BN254 Fr */
static fe *column[INPUTS], constant[CONSTANTS];
static uint32_t k;

static fe mul(fe a, fe b) {
  f->mul(&a, &a, &b);
  return a;
}
static fe add(fe a, fe b) {
  f->add(&a, &a, &b);
  return a;
}
static fe sub(fe a, fe b) {
  f->sub(&a, &a, &b);
  return a;
}
static fe small(uint8_t x) {
  fe r;
  f->from_bytes_reduce(&r, &x, 1);
  return r;
}

/* Wires, selector, and the permutation: the result of row i is the second wire of row i + 1 and the first of row i +
 * 2. */
static void make_circuit(uint64_t n) {
  fe w, id = constant[ONE];
  f->root(&w, RP_ROOT_HALO2, k);
  for (uint64_t i = 0; i < n; i++, id = mul(id, w)) {
    column[ID][i] = id;
    column[ADDS][i] = small(i % 2 == 0);
    column[FIRST][i] = small(i == 0);
    column[A][i] = i < 2 ? small(3) : column[C][i - 2];
    column[B][i] = i < 1 ? small(5) : column[C][i - 1];
    column[C][i] = i % 2 ? mul(column[A][i], column[B][i]) : add(column[A][i], column[B][i]);
  }
  for (uint64_t i = 0; i < n; i++) { /* a cell's label: the domain's element times 1, k1, k2 for the wire */
    column[SIGMA_A][i] = i < 2 ? column[ID][i] : mul(constant[K2], column[ID][i - 2]);
    column[SIGMA_B][i] = i < 1       ? mul(constant[K1], column[ID][0])
                         : i < n - 1 ? column[ID][i + 1]
                                     : mul(constant[K2], column[ID][i - 1]);
    column[SIGMA_C][i] = i < n - 1 ? mul(constant[K1], column[ID][i + 1]) : mul(constant[K2], column[ID][i]);
  }
}

/* The product of wire + beta * label + gamma over the three wires; with `sigma`, of the permuted labels. */
static rp_term grand_factor(rp_terms *t, int sigma) {
  rp_term product = {0}, beta = rp_term_constant(t, BETA);
  for (uint32_t i = 0; i < 3; i++) {
    rp_term label = sigma ? rp_term_column(t, SIGMA_A + i, 0) : rp_term_column(t, ID, 0);
    if (!sigma && i) label = rp_term_mul(t, label, rp_term_constant(t, i == 1 ? K1 : K2));
    rp_term sum = rp_term_add(t, rp_term_column(t, A + i, 0), rp_term_mul(t, beta, label));
    sum = rp_term_add(t, sum, rp_term_constant(t, GAMMA));
    product = i ? rp_term_mul(t, product, sum) : sum;
  }
  return product;
}

static rp_term constraints(rp_terms *t) {
  rp_term a = rp_term_column(t, A, 0), b = rp_term_column(t, B, 0), adds = rp_term_column(t, ADDS, 0);
  rp_term z = rp_term_column(t, Z, 0), one = rp_term_constant(t, ONE), product = rp_term_mul(t, a, b);
  rp_term choice = rp_term_mul(t, adds, rp_term_sub(t, rp_term_add(t, a, b), product));
  rp_term list[] = {rp_term_sub(t, rp_term_add(t, product, choice), rp_term_column(t, C, 0)),   /* the gate */
                    rp_term_mul(t, rp_term_column(t, FIRST, 0), rp_term_sub(t, z, one)),        /* z begins with one */
                    rp_term_sub(t, rp_term_mul(t, rp_term_column(t, Z, 1), grand_factor(t, 1)), /* z(wX) sigma(X) */
                                rp_term_mul(t, z, grand_factor(t, 0)))};                        /* = z(X) id(X) */
  return rp_term_fold(t, list, 3, rp_term_constant(t, Y));
}

/* The constraints at one point, from the values of the columns there, as a verifier computes them. */
static fe constraints_at(const fe *at, fe z_next) {
  fe product = mul(at[A], at[B]), id = at[Z], sigma = z_next;
  fe gate = sub(add(product, mul(at[ADDS], sub(add(at[A], at[B]), product))), at[C]);
  for (int i = 0; i < 3; i++) {
    fe label = i ? mul(at[ID], constant[i == 1 ? K1 : K2]) : at[ID];
    id = mul(id, add(add(at[A + i], mul(constant[BETA], label)), constant[GAMMA]));
    sigma = mul(sigma, add(add(at[A + i], mul(constant[BETA], at[SIGMA_A + i])), constant[GAMMA]));
  }
  fe sum = add(mul(gate, constant[Y]), mul(at[FIRST], sub(at[Z], constant[ONE])));
  return add(mul(sum, constant[Y]), sub(sigma, id));
}

typedef struct circuit_graph {
  rp_graph *g;
  rp_value in[INPUTS], constants, points, values, h, h_value;
  rp_buffer *h_buffer;
  uint32_t dispatches, transforms;
} circuit_graph;

static void build(circuit_graph *c, rp_terms *t) {
  static const char *const names[] = {"a", "b", "c", "adds", "sigma_a", "sigma_b", "sigma_c", "first", "id"};
  const uint64_t n = (uint64_t)1 << k;
  const rp_type *fr = rp_type_field(f->id);
  rp_value coefficients[COLUMNS], values[COLUMNS + 1];
  for (uint32_t i = 0; i < INPUTS; i++) c->in[i] = rp_graph_input(c->g, names[i], fr, n, 0);
  c->constants = rp_graph_input(c->g, "challenges", fr, CONSTANTS, 0);
  c->points = rp_graph_input(c->g, "points", fr, 2, 0); /* x and w x */
  rp_scope_begin(c->g, "grand_product");
  rp_scope_title(c->g, "Grand product: 2^%u rows", k);
  rp_value above = rp_terms_eval(c->g, t, grand_factor(t, 0), c->in, INPUTS, c->constants, NULL);
  rp_value below = rp_terms_eval(c->g, t, grand_factor(t, 1), c->in, INPUTS, c->constants, NULL);
  rp_value z = rp_prefix_product(c->g, rp_mul(c->g, above, rp_batch_inverse(c->g, below, NULL)), 1);
  rp_scope_end(c->g);
  rp_scope_begin(c->g, "columns");
  rp_scope_title(c->g, "Columns: %d transforms of 2^%u, values at x", COLUMNS, k);
  rp_value x = rp_slice(c->g, c->points, 0, 1), wx = rp_slice(c->g, c->points, 1, 1);
  for (uint32_t i = 0; i < COLUMNS; i++) {
    const rp_ntt_options inverse = {.struct_size = sizeof inverse, .root = RP_ROOT_HALO2, .inverse = 1};
    coefficients[i] = rp_ntt(c->g, i == Z ? z : c->in[i], &inverse);
    values[i] = rp_poly_eval(c->g, coefficients[i], x);
  }
  values[COLUMNS] = rp_poly_eval(c->g, coefficients[Z], wx);
  rp_scope_end(c->g);
  /* The numerator's degree is below 4n, so that of the quotient is below 3n. The coset is shifted by a cube root of
   * one, as in halo2. */
  rp_extended_domain domain = {.struct_size = sizeof domain, .root = RP_ROOT_HALO2, .k = k, .extended_k = k + 2};
  uint8_t third[32] = {0}; /* (r - 1) / 3 */
  uint32_t rest = 0;
  for (int i = 31; i >= 0; i--)
    rest = rest % 3 << 8 | (uint32_t)(f->modulus_le[i] - (i == 0)), third[i] = (uint8_t)(rest / 3);
  fe zeta = small(7);
  f->pow(&zeta, &zeta, third, sizeof third);
  f->to_canonical(domain.shift, &zeta);
  rp_value h = rp_quotient(c->g, t, constraints(t), coefficients, COLUMNS, c->constants, &domain,
                           &(rp_quotient_options){.struct_size = sizeof(rp_quotient_options),
                                                  .len = 3 * n,
                                                  .dispatches = &c->dispatches,
                                                  .transforms = &c->transforms});
  rp_scope_begin(c->g, "opening");
  rp_scope_title(c->g, "Values at x, which the verifier checks");
  c->values = rp_concat(c->g, values, COLUMNS + 1);
  c->h_value = rp_poly_eval(c->g, h, x);
  rp_scope_end(c->g);
  rp_graph_output(c->g, "values", c->values, 0);
  c->h = h;
  rp_graph_output(c->g, "h", h, RP_RESIDENT); /* stays on the device, for its commitment */
  rp_graph_output(c->g, "h_value", c->h_value, 0);
}

/* One replay. *holds gets whether numerator(x) = h(x) (x^n - 1). */
static rp_status prove(rp_recording *recording, const circuit_graph *c, const fe points[2], bool *holds,
                       rp_error *err) {
  rp_run *run;
  rp_status st = rp_run_begin(recording, UINT64_MAX, &run, err);
  for (uint32_t i = 0; i < INPUTS && st == RP_OK; i++) st = rp_run_set_input(run, c->in[i], column[i], sizeof(fe) << k);
  if (st == RP_OK) st = rp_run_set_input(run, c->constants, constant, sizeof constant);
  if (st == RP_OK) st = rp_run_set_input(run, c->points, points, 2 * sizeof(fe));
  if (st == RP_OK) st = rp_run_bind_output(run, c->h, c->h_buffer, 0);
  if (st == RP_OK) st = rp_run_submit(run);
  if (st == RP_OK) st = rp_run_wait(run, UINT64_MAX);
  if (st == RP_OK) {
    const fe *at = rp_run_output(run, c->values), *h = rp_run_output(run, c->h_value);
    fe power = points[0], left = constraints_at(at, at[COLUMNS]);
    for (uint32_t i = 0; i < k; i++) power = mul(power, power);
    fe right = mul(*h, sub(power, constant[ONE]));
    *holds = f->equal(&left, &right);
  } else if (run) {
    *err = *rp_run_error(run);
  }
  rp_run_end(run);
  return st;
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--device")) {
    if (setenv("REPRISE_DEVICE", argv[2], 1) != 0) return 1;
    argc -= 2;
    argv += 2;
  }
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_recording *recording = NULL;
  rp_terms *terms = NULL;
  circuit_graph c = {0};
  rp_error err = {0};
  bool good = false, wrong = true;
  k = argc > 1 ? (uint32_t)atoi(argv[1]) : 10;
  if (k < 2 || k > 20)
    return fprintf(stderr, "usage: halo2_quotient [--device NAME] [log_rows, 2 to 20 [graph.html]]\n"), 2;
  f = rp_field_get(RP_FIELD_BN254_FR);
  for (int i = 0; i < INPUTS; i++)
    if (!(column[i] = calloc((size_t)1 << k, sizeof(fe)))) return 1;
  uint8_t bytes[48]; /* challenges; a prover draws them from its transcript */
  for (int i = 0; i < 4; i++) {
    for (int b = 0; b < 48; b++) bytes[b] = (uint8_t)(0x9d * (48 * i + b + 1) >> 3);
    f->from_bytes_reduce(i < 3 ? &constant[BETA + i] : &constant[K1], bytes, sizeof bytes);
  }
  fe points[2] = {constant[K1]}, w;
  f->root(&w, RP_ROOT_HALO2, k);
  points[1] = mul(points[0], w);
  constant[ONE] = small(1), constant[K1] = small(7), constant[K2] = small(49);
  make_circuit((uint64_t)1 << k);

  if (rp_context_create(NULL, &context, &err) == RP_OK && rp_device_open(context, NULL, &device, &err) == RP_OK &&
      rp_terms_create(&terms, &err) == RP_OK && rp_graph_create(context, "halo2_quotient", &c.g, &err) == RP_OK) {
    build(&c, terms);
    if (rp_record(device, c.g, NULL, &recording, &err) == RP_OK &&
        rp_buffer_create(device, (3 * sizeof(fe)) << k, &c.h_buffer, &err) == RP_OK &&
        prove(recording, &c, points, &good, &err) == RP_OK) {
      column[C][1] = add(column[C][1], constant[ONE]);
      if (prove(recording, &c, points, &wrong, &err) != RP_OK) wrong = true;
    }
    const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
    if (recording && argc > 2 && rp_view_write(&view, argv[2], &err) != RP_OK) fprintf(stderr, "%s\n", err.reason);
  }
  if (err.status != RP_OK)
    fprintf(stderr, "%s: %s\n", rp_status_name(err.status), err.reason);
  else
    printf("2^%u rows: %u fused dispatches, %u transforms of columns\nidentity %s; with a wrong witness it %s\n", k,
           c.dispatches, c.transforms, good ? "holds" : "FAILS", wrong ? "HOLDS" : "does not");
  rp_recording_destroy(recording);
  rp_buffer_destroy(c.h_buffer);
  rp_graph_destroy(c.g);
  rp_terms_destroy(terms);
  rp_device_close(device);
  rp_context_destroy(context);
  for (int i = 0; i < INPUTS; i++) free(column[i]);
  return err.status != RP_OK || !good || wrong;
}
