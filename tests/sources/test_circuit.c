/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The quotient of a circuit of 154 columns with gates, a permutation argument and lookup arguments: one graph computes
 * the permuted lookups, the grand products, the coefficients of all columns, the quotient, and the values of all of
 * them at a random point, where the polynomial identity is checked. REPRISE_TEST_CIRCUIT_LOG=16 has 2^16 rows instead
 * of 2^8.
 */
#include "circuit_witness.h"

#include "data.h"
#include "device.h"

static const rp_field fr = RP_FIELD_BN254_FR;
static const rp_field_host *f;

/* Where the columns are opened: x, the next row, the row before, and the last row of the grand products, each with the
 * columns from `first` on that the constraints read there. */
enum { HERE, NEXT, BEFORE, END, POINTS };
enum { COMPUTED = CIRCUIT_COLUMNS - CIRCUIT_GIVEN, BLINDED = CIRCUIT_BLIND + 1, MOST_VALUES = 256 };
static const struct {
  int point;
  uint32_t first, n;
} openings[] = {{HERE, 0, CIRCUIT_COLUMNS},
                {NEXT, CIRCUIT_Z, CIRCUIT_COLUMNS - CIRCUIT_Z},
                {BEFORE, CIRCUIT_WIRE, CIRCUIT_WIRES},
                {BEFORE, CIRCUIT_PERMUTED, 2 * CIRCUIT_LOOKUPS},
                {END, CIRCUIT_Z, CIRCUIT_GATES}};
enum { OPENINGS = sizeof openings / sizeof *openings };
typedef fe values[POINTS][CIRCUIT_COLUMNS];

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

/* ---- The graph --------------------------------------------------------------------------------------------------- */

typedef struct prover {
  const circuit_witness *w;
  rp_graph *g;
  rp_terms *t;
  rp_value constants, order, blinds, column[CIRCUIT_COLUMNS];
} prover;

/* A term over the columns that are known so far. */
static rp_value eval(prover *p, rp_term term) {
  return rp_terms_eval(p->g, p->t, term, p->column, CIRCUIT_Z, p->constants, NULL);
}

static rp_value ratio(prover *p, rp_term above, rp_term below) {
  return rp_mul(p->g, eval(p, above), rp_batch_inverse(p->g, eval(p, below), NULL));
}

/* The column's first rows, followed by values of the prover's choice. */
static void blind(prover *p, uint32_t column, rp_value rows) {
  const uint64_t first = (column - CIRCUIT_GIVEN) * BLINDED, len = rp_value_len(p->g, rows);
  const rp_value parts[] = {rows, rp_slice(p->g, p->blinds, first, p->w->n - len)};
  p->column[column] = rp_concat(p->g, parts, 2);
}

static void permuted_lookups(prover *p) {
  const rp_value table = eval(p, circuit_pair(p->t, CIRCUIT_TABLE));
  const uint64_t active = p->w->active;
  for (uint32_t i = 0; i < 2 * CIRCUIT_LOOKUPS; i++)
    blind(p, CIRCUIT_PERMUTED + i, rp_gather(p->g, table, rp_slice(p->g, p->order, i * active, active)));
}

/* One running product over the active rows of all gates, one after another. */
static void permutation_products(prover *p) {
  const uint64_t active = p->w->active;
  rp_value parts[CIRCUIT_GATES + 1];
  for (uint32_t i = 0; i < CIRCUIT_GATES; i++) {
    const rp_value all = ratio(p, circuit_labelled(p->t, i, 0), circuit_labelled(p->t, i, 1));
    parts[i] = rp_slice(p->g, all, 0, active);
  }
  parts[CIRCUIT_GATES] = rp_slice(p->g, parts[0], 0, 1); /* only what stands before it counts */
  const rp_value product = rp_prefix_product(p->g, rp_concat(p->g, parts, CIRCUIT_GATES + 1), 1);
  for (uint32_t i = 0; i < CIRCUIT_GATES; i++) blind(p, CIRCUIT_Z + i, rp_slice(p->g, product, i * active, active + 1));
}

static void lookup_products(prover *p) {
  rp_terms *t = p->t;
  const rp_term table = circuit_pair(t, CIRCUIT_TABLE);
  for (uint32_t l = 0; l < CIRCUIT_LOOKUPS; l++) {
    const uint32_t sorted = CIRCUIT_PERMUTED + 2 * l;
    const rp_term given = circuit_shifted(t, circuit_pair(t, CIRCUIT_LOOKED_UP + 2 * l), table);
    const rp_term permuted = circuit_shifted(t, rp_term_column(t, sorted, 0), rp_term_column(t, sorted + 1, 0));
    const rp_value product = rp_prefix_product(p->g, ratio(p, given, permuted), 1);
    blind(p, CIRCUIT_LOOKUP_Z + l, rp_slice(p->g, product, 0, p->w->active + 1));
  }
}

/* From values to coefficients; then the quotient, and all values that the verifier reads, the quotient's last. */
static rp_value open_all(prover *p, rp_value points) {
  const rp_ntt_options inverse = {.struct_size = sizeof inverse, .root = RP_ROOT_HALO2, .inverse = 1};
  const rp_extended_domain domain = circuit_domain(p->w->k);
  rp_value opened[MOST_VALUES], point[POINTS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < CIRCUIT_COLUMNS; i++) p->column[i] = rp_ntt(p->g, p->column[i], &inverse);
  for (uint32_t i = 0; i < POINTS; i++) point[i] = rp_slice(p->g, points, i, 1);
  for (uint32_t o = 0; o < OPENINGS; o++)
    for (uint32_t i = 0; i < openings[o].n; i++)
      opened[n++] = rp_poly_eval(p->g, p->column[openings[o].first + i], point[openings[o].point]);
  const rp_value h =
      rp_quotient(p->g, p->t, circuit_constraints(p->t), p->column, CIRCUIT_COLUMNS, p->constants, &domain, NULL);
  opened[n++] = rp_poly_eval(p->g, h, point[HERE]);
  return rp_concat(p->g, opened, n);
}

/* Values at the four points, and of the quotient at x. */
static void prove(const circuit_witness *w, const fe *points, values at, fe *h) {
  fe *blinds = data_field(fr, DATA_RANDOM, 7, COMPUTED * BLINDED), opened[MOST_VALUES];
  prover p = {.w = w};
  job j;
  uint32_t n = 0;
  assert_int_equal(rp_terms_create(&p.t, NULL), RP_OK);
  job_begin(&j);
  p.g = j.graph;
  const rp_value given = job_input(&j, rp_type_field(fr), CIRCUIT_GIVEN * w->n, w->column);
  for (uint32_t i = 0; i < CIRCUIT_GIVEN; i++) p.column[i] = rp_slice(p.g, given, i * w->n, w->n);
  p.constants = job_input(&j, rp_type_field(fr), CIRCUIT_CONSTANTS, w->constant);
  p.order = job_input(&j, &RP_TYPE_U32, 2 * CIRCUIT_LOOKUPS * w->active, w->order);
  p.blinds = job_input(&j, rp_type_field(fr), COMPUTED * BLINDED, blinds);
  permuted_lookups(&p);
  permutation_products(&p);
  lookup_products(&p);
  job_output(&j, open_all(&p, job_input(&j, rp_type_field(fr), POINTS, points)), opened);
  job_check(&j);
  for (uint32_t o = 0; o < OPENINGS; o++)
    for (uint32_t i = 0; i < openings[o].n; i++) at[openings[o].point][openings[o].first + i] = opened[n++];
  *h = opened[n];
  rp_terms_destroy(p.t);
  free(blinds);
}

/* ---- The verifier ------------------------------------------------------------------------------------------------ */

typedef struct verifier {
  const fe *c; /* the constants */
  const fe *here, *next, *before, *end;
  fe sum;
} verifier;

static void fold(verifier *v, fe value) { v->sum = add(mul(v->sum, v->c[CIRCUIT_Y]), value); }

static void gates(verifier *v) {
  for (uint32_t g = 0; g < CIRCUIT_GATES; g++) {
    const fe *wire = v->here + 3 * g, previous = v->before[3 * g + 2];
    fold(v, mul(v->here[CIRCUIT_SELECTOR + g], sub(add(mul(wire[0], wire[1]), previous), wire[2])));
  }
}

/* 1 - z in the first row, and that z^2 = z in the last. */
static void ends(verifier *v, fe z_first, fe z_last) {
  fold(v, mul(v->here[CIRCUIT_FIRST], sub(v->c[CIRCUIT_ONE], z_first)));
  fold(v, mul(v->here[CIRCUIT_LAST], sub(mul(z_last, z_last), z_last)));
}

static void permutation(verifier *v) {
  const fe *z = v->here + CIRCUIT_Z;
  ends(v, z[0], z[CIRCUIT_GATES - 1]);
  for (uint32_t g = 1; g < CIRCUIT_GATES; g++)
    fold(v, mul(v->here[CIRCUIT_FIRST], sub(z[g], v->end[CIRCUIT_Z + g - 1])));
  for (uint32_t g = 0; g < CIRCUIT_GATES; g++) {
    fe left = v->next[CIRCUIT_Z + g], right = z[g];
    for (uint32_t i = 3 * g; i < 3 * g + 3; i++) {
      const fe wire = add(v->here[CIRCUIT_WIRE + i], v->c[CIRCUIT_GAMMA]), beta = v->c[CIRCUIT_BETA];
      left = mul(left, add(wire, mul(beta, v->here[CIRCUIT_SIGMA + i])));
      right = mul(right, add(wire, mul(beta, mul(v->here[CIRCUIT_ID], v->c[CIRCUIT_DELTA + i]))));
    }
    fold(v, mul(v->here[CIRCUIT_ACTIVE], sub(left, right)));
  }
}

static fe shifted(const verifier *v, fe a, fe b) {
  return mul(add(a, v->c[CIRCUIT_BETA]), add(b, v->c[CIRCUIT_GAMMA]));
}

static void lookups(verifier *v) {
  const fe *table = v->here + CIRCUIT_TABLE, theta = v->c[CIRCUIT_THETA], active = v->here[CIRCUIT_ACTIVE];
  for (uint32_t l = 0; l < CIRCUIT_LOOKUPS; l++) {
    const fe *pair = v->here + CIRCUIT_LOOKED_UP + 2 * l, *permuted = v->here + CIRCUIT_PERMUTED + 2 * l;
    const fe z = v->here[CIRCUIT_LOOKUP_Z + l], z_next = v->next[CIRCUIT_LOOKUP_Z + l];
    const fe a = add(mul(pair[0], theta), pair[1]), s = add(mul(table[0], theta), table[1]);
    const fe difference = sub(permuted[0], permuted[1]), step = sub(permuted[0], v->before[CIRCUIT_PERMUTED + 2 * l]);
    ends(v, z, z);
    fold(v, mul(active, sub(mul(z_next, shifted(v, permuted[0], permuted[1])), mul(z, shifted(v, a, s)))));
    fold(v, mul(v->here[CIRCUIT_FIRST], difference));
    fold(v, mul(active, mul(difference, step)));
  }
}

/* Whether the quotient times x^n - 1 is the sum of the constraints at x. */
static int identity_holds(uint32_t k, circuit_wrong wrong) {
  static values at;
  circuit_witness w;
  fe points[POINTS], h, root, back, *x = data_field(fr, DATA_RANDOM, 77, 1);
  circuit_witness_make(&w, k, 22, wrong);
  f->root(&root, RP_ROOT_HALO2, k);
  f->inv(&back, &root);
  points[HERE] = points[END] = *x;
  points[NEXT] = mul(*x, root);
  points[BEFORE] = mul(*x, back);
  for (uint32_t i = 0; i < CIRCUIT_BLIND + 1; i++) points[END] = mul(points[END], back);
  prove(&w, points, at, &h);
  verifier v = {.c = w.constant, .here = at[HERE], .next = at[NEXT], .before = at[BEFORE], .end = at[END]};
  f->zero(&v.sum);
  gates(&v);
  permutation(&v);
  lookups(&v);
  fe power = *x;
  for (uint32_t i = 0; i < k; i++) power = mul(power, power);
  const fe product = mul(h, sub(power, w.constant[CIRCUIT_ONE]));
  circuit_witness_free(&w);
  free(x);
  return f->equal(&product, &v.sum);
}

static void small(void **state) {
  (void)state;
  assert_true(CIRCUIT_COLUMNS >= 100);
  for (int wrong = 0; wrong < CIRCUIT_WRONGS; wrong++)
    if (identity_holds(6, (circuit_wrong)wrong) != (wrong == CIRCUIT_RIGHT))
      fail_msg("%s: the identity %s for witness %d", device_name(), wrong ? "holds" : "does not hold", wrong);
}

static void large(void **state) {
  const char *asked = getenv("REPRISE_TEST_CIRCUIT_LOG");
  const uint32_t k = asked ? (uint32_t)strtoul(asked, NULL, 10) : 8;
  (void)state;
  if (!asked && (device_is_software() || !data_fits((uint64_t)1 << k))) return;
  assert_in_range(k, CIRCUIT_LEAST_LOG, 20);
  assert_true(identity_holds(k, CIRCUIT_RIGHT));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small), cmocka_unit_test(large)};
  f = rp_field_get(fr);
  return device_run_tests("circuit", tests, sizeof tests / sizeof tests[0]);
}
