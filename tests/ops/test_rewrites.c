/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the planner may change about operations (rewrite.h): chains of element-wise operations and expressions that
 * become one node, and results in place of operands. Every chain is also computed on the host, or by a graph in
 * which all intermediates are outputs, so that the planner changes nothing; the bytes must be the same.
 *
 * op-test lavapipe:quick
 */
#include "data.h"
#include "device.h"

#include <stdbool.h>
#include <stdio.h>

enum { ELEMENT = 96, STEPS = 10, INPUTS = 3, VALUES = INPUTS + STEPS };

/* ---- What the plan says ------------------------------------------------------------------------------------------ */

typedef struct found {
  char *text;
  size_t used, room;
} found;

static int keep(void *user, const char *text, size_t bytes) {
  found *f = user;
  if (f->used + bytes + 1 > f->room) f->text = realloc(f->text, f->room = 2 * (f->used + bytes + 1));
  memcpy(f->text + f->used, text, bytes);
  f->text[f->used += bytes] = 0;
  return 0;
}

/* Counts the results that lie in place of operands, and the nodes that have become part of other nodes. */
static void count(rp_graph *g, uint32_t *in_place, uint32_t *fused) {
  found f = {0};
  rp_recording *r;
  rp_error err = {0};
  if (rp_record(device_current(), g, NULL, &r, &err)) fail_msg("%s", err.reason);
  assert_int_equal(rp_recording_export(r, RP_EXPORT_JSON, keep, &f, &err), RP_OK);
  rp_recording_destroy(r);
  *in_place = *fused = 0;
  const char *list = strstr(f.text, "\"fused\": ["), *steps = strstr(f.text, "\"steps\": [");
  assert_true(list && steps);
  for (const char *at = f.text; (at = strstr(at, "\"in_place\": true")); at++) ++*in_place;
  for (const char *at = list; (at = strstr(at, "\"id\"")) && at < steps; at++) ++*fused;
  free(f.text);
}

/* ---- Chains of element-wise operations --------------------------------------------------------------------------- */

typedef struct chain {
  const rp_field_host *f;
  const rp_type *type;
  uint64_t n;
  uint8_t *host[VALUES];
  rp_value value[VALUES];
  uint8_t one[ELEMENT]; /* a value of one element */
  rp_value broadcast;
} chain;

static void *at(const chain *c, uint32_t v, uint64_t i) { return c->host[v] + i % c->n * c->f->size_bytes; }

/* x[i + 2] * y[i] - x[i + 2], whose first column is read twice */
static const rp_expr_code rotated[] = {{.op = RP_EXPR_COLUMN, .index = 0, .rotation = 2},
                                       {.op = RP_EXPR_COLUMN, .index = 1},
                                       {.op = RP_EXPR_MUL},
                                       {.op = RP_EXPR_STORE, .index = 1},
                                       {.op = RP_EXPR_LOAD, .index = 1},
                                       {.op = RP_EXPR_COLUMN, .index = 0, .rotation = 2},
                                       {.op = RP_EXPR_SUB}};
/* x[i] + k x[i + 1]: two rotations, so that what computes x cannot become a part of it */
static const rp_expr_code neighbours[] = {{.op = RP_EXPR_COLUMN, .index = 0},
                                          {.op = RP_EXPR_CONSTANT, .index = 0},
                                          {.op = RP_EXPR_COLUMN, .index = 0, .rotation = 1},
                                          {.op = RP_EXPR_MUL},
                                          {.op = RP_EXPR_ADD}};

static rp_value add_step(chain *c, rp_graph *g, uint32_t what, uint32_t x, uint32_t y, uint32_t out) {
  const rp_expr_options r = {.struct_size = sizeof r, .code = rotated, .n_code = sizeof rotated / sizeof *rotated};
  const rp_expr_options k = {
      .struct_size = sizeof k, .code = neighbours, .n_code = sizeof neighbours / sizeof *neighbours};
  const rp_value a = c->value[x], b = c->value[y], both[2] = {a, b};
  const size_t size = c->f->size_bytes;
  for (uint64_t i = 0; i < c->n; i++) {
    uint8_t *to = c->host[out] + i * size;
    uint64_t t[ELEMENT / 8];
    switch (what) {
    case 0: c->f->add(to, at(c, x, i), at(c, y, i)); break;
    case 1: c->f->sub(to, at(c, x, i), at(c, y, i)); break;
    case 2: c->f->mul(to, at(c, x, i), at(c, y, i)); break;
    case 3: c->f->sub(to, c->host[0], c->host[0]), c->f->sub(to, to, at(c, x, i)); break;
    case 4: c->f->mul(t, at(c, x, i), at(c, y, i)), c->f->sub(to, t, c->one); break;
    case 5: c->f->mul(to, at(c, x, i), at(c, x, i)); break;
    case 6: c->f->sub(to, c->one, at(c, x, i)); break;
    case 7: c->f->mul(t, at(c, x, i + 2), at(c, y, i)), c->f->sub(to, t, at(c, x, i + 2)); break;
    default: c->f->mul(t, at(c, x, i + 1), c->one), c->f->add(to, t, at(c, x, i)); break;
    }
  }
  switch (what) {
  case 0: return rp_add(g, a, b);
  case 1: return rp_sub(g, a, b);
  case 2: return rp_mul(g, a, b);
  case 3: return rp_neg(g, a);
  case 4: return rp_mul_sub(g, a, b, c->broadcast);
  case 5: return rp_mul(g, a, a);
  case 6: return rp_sub(g, c->broadcast, a);
  case 7: return rp_expr(g, both, 2, RP_NO_VALUE, &r);
  default: return rp_expr(g, &a, 1, c->broadcast, &k);
  }
}

/* Each step reads the result of the step before and an older value. Returns what the planner has made of the chain. */
static void run_chain(rp_field field, uint64_t n, uint64_t seed, uint32_t *in_place, uint32_t *fused) {
  chain c = {.f = rp_field_get(field), .type = rp_type_field(field), .n = n};
  const size_t bytes = n * c.f->size_bytes;
  void *one = data_field(field, DATA_RANDOM, seed, 1);
  uint32_t *order = calloc(n, sizeof *order);
  uint8_t *got = malloc(bytes);
  job j;
  job_begin(&j);
  memcpy(c.one, one, c.f->size_bytes);
  c.broadcast = job_input(&j, c.type, 1, c.one);
  for (uint64_t i = 0; i < n; i++) order[i] = (uint32_t)(n - 1 - i);
  const rp_value index = job_input(&j, &RP_TYPE_U32, n, order);
  uint8_t *in[INPUTS];
  for (uint32_t v = 0; v < VALUES; v++) {
    c.host[v] = malloc(bytes);
    if (v >= INPUTS) continue;
    in[v] = data_field(field, v ? DATA_RANDOM : DATA_EDGES, seed + v, n);
    c.value[v] =
        rp_gather(j.graph, job_input(&j, c.type, n, in[v]), index); /* computed, so that it may be overwritten */
    for (uint64_t i = 0; i < n; i++)
      memcpy(c.host[v] + i * c.f->size_bytes, in[v] + (n - 1 - i) * c.f->size_bytes, c.f->size_bytes);
  }
  for (uint32_t s = 0; s < STEPS; s++) {
    const uint64_t r = data_next(&seed);
    const uint32_t last = s ? INPUTS + s - 1 : 0, other = (uint32_t)((r >> 8) % (INPUTS + s));
    c.value[INPUTS + s] = add_step(&c, j.graph, (uint32_t)(r % 9), r >> 40 & 1 ? last : other, last, INPUTS + s);
  }
  job_output(&j, c.value[VALUES - 1], got);
  count(j.graph, in_place, fused);
  job_check(&j);
  data_assert_equal(field, got, c.host[VALUES - 1], n, "chain");
  for (uint32_t v = 0; v < VALUES; v++) free(c.host[v]);
  for (uint32_t v = 0; v < INPUTS; v++) free(in[v]);
  free(one), free(order), free(got);
}

static void chains(void **state) {
  (void)state;
  uint32_t all_in_place = 0, all_fused = 0;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++)
    for (const uint64_t *n = data_sizes; data_fits(*n); n++) {
      uint32_t in_place, fused;
      run_chain((rp_field)field, *n, 131 * field + *n, &in_place, &fused);
      all_in_place += in_place;
      all_fused += fused;
    }
  assert_true(all_in_place > 0 && all_fused > 0);
}

/* ---- Periodic constants in chains -------------------------------------------------------------------------------- */

typedef struct pair {
  uint64_t n;
  uint32_t rotation; /* of what the first of two expressions computes, in the second one */
  int same;          /* both have the same constants */
} pair;

enum { PERIODS = 8 }; /* constants of each expression */

/* y[i]^2 - b[2 + i mod 2] + x[i], where y = x[i] a[1 + i mod 4] is read with a rotation. Both have a temporary 0, and
 * the second needs its own after y. Returns how many were fused. */
static uint32_t run_pair(rp_field field, const pair *p) {
  static const rp_expr_code maker[] = {{RP_EXPR_PERIODIC, 1, 4},
                                       {RP_EXPR_STORE, 0, 0},
                                       {RP_EXPR_LOAD, 0, 0},
                                       {RP_EXPR_COLUMN, 0, 0},
                                       {RP_EXPR_MUL, 0, 0}};
  const rp_expr_code turned = {RP_EXPR_COLUMN, 1, (int32_t)p->rotation};
  const rp_expr_code reader[] = {{RP_EXPR_COLUMN, 0, 0},
                                 {RP_EXPR_STORE, 0, 0},
                                 turned,
                                 turned,
                                 {RP_EXPR_MUL, 0, 0},
                                 {RP_EXPR_PERIODIC, 2, 2},
                                 {RP_EXPR_SUB, 0, 0},
                                 {RP_EXPR_LOAD, 0, 0},
                                 {RP_EXPR_ADD, 0, 0}};
  const rp_expr_options first = {.struct_size = sizeof first, .code = maker, .n_code = sizeof maker / sizeof *maker};
  const rp_expr_options second = {
      .struct_size = sizeof second, .code = reader, .n_code = sizeof reader / sizeof *reader};
  const rp_field_host *f = rp_field_get(field);
  const rp_type *type = rp_type_field(field);
  const size_t size = f->size_bytes;
  uint8_t *x = data_field(field, DATA_EDGES, p->n, p->n), *a = data_field(field, DATA_RANDOM, 1, 2 * PERIODS);
  uint8_t *b = p->same ? a : a + PERIODS * size, *got = malloc(p->n * size), *want = malloc(p->n * size);
  uint32_t in_place, fused;
  job j;
  job_begin(&j);
  const rp_value va = job_input(&j, type, PERIODS, a), vb = p->same ? va : job_input(&j, type, PERIODS, b);
  const rp_value vx = job_input(&j, type, p->n, x), both[] = {vx, rp_expr(j.graph, &vx, 1, va, &first)};
  job_output(&j, rp_expr(j.graph, both, 2, vb, &second), got);
  count(j.graph, &in_place, &fused);
  job_check(&j);
  for (uint64_t i = 0; i < p->n; i++) {
    const uint64_t row = (i + p->rotation) % p->n;
    uint64_t t[ELEMENT / 8];
    f->mul(t, x + row * size, a + (1 + row % 4) * size);
    f->sqr(t, t);
    f->sub(t, t, b + (2 + i % 2) * size);
    f->add(want + i * size, t, x + i * size);
  }
  data_assert_equal(field, got, want, p->n, "periodic constants in a chain");
  free(x), free(a), free(got), free(want);
  return fused;
}

/* Rows that are a whole number of periods away have the same constants, if the rows are whole periods. */
static void periodic_constants(void **state) {
  (void)state;
  static const uint64_t sizes[] = {4, 16, 18, 1000};
  static const uint32_t rotations[] = {0, 1, 2, 4, 12};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t r = 0; r < sizeof rotations / sizeof *rotations && rotations[r] < sizes[s]; r++)
      for (int same = 0; same < 2; same++) {
        const pair p = {.n = sizes[s], .rotation = rotations[r], .same = same};
        const bool in_phase = p.rotation == 0 || (p.rotation % 4 == 0 && p.n % 4 == 0);
        assert_int_equal(run_pair(RP_FIELD_BN254_FR, &p), same && in_phase);
        run_pair(RP_FIELD_BABYBEAR, &p);
      }
}

/* ---- Results in place of operands -------------------------------------------------------------------------------- */

enum { MOST = 24 };

typedef struct path {
  rp_graph *g;
  rp_value made[MOST];
  uint32_t n;
} path;

static rp_value step(path *p, rp_value v) { return p->made[p->n++] = v; }

static rp_value transform(path *p, rp_value x, rp_order in, rp_order out, int inverse, uint32_t batch, int shifted) {
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .inverse = (uint32_t)inverse, .batch = batch};
  o.in_order = in;
  o.out_order = out;
  if (shifted) o.coset = RP_COSET_SHIFT, o.shift[0] = 3;
  return step(p, rp_ntt(p->g, x, &o));
}

/* A path through every operation that declares RP_IN_PLACE. Each node is the only reader of the result before it. */
static void build_path(path *p, rp_field field, rp_value x, rp_value one, rp_value index) {
  const rp_field_host *f = rp_field_get(field);
  rp_value v = step(p, rp_gather(p->g, x, index));
  v = step(p, rp_mul_powers(p->g, v, one, one));
  if (f->degree == 1) {
    v = step(p, rp_from_canonical(p->g, step(p, rp_to_canonical(p->g, v)), field, NULL));
    v = transform(p, v, RP_ORDER_NATURAL, RP_ORDER_BIT_REVERSED, 0, 1, 1);
    v = transform(p, v, RP_ORDER_BIT_REVERSED, RP_ORDER_NATURAL, 1, 1, 0);
    v = transform(p, v, RP_ORDER_NATURAL, RP_ORDER_NATURAL, 0, 2, 0);
    v = transform(p, v, RP_ORDER_BIT_REVERSED, RP_ORDER_BIT_REVERSED, 1, 1, 1);
    v = transform(p, v, RP_ORDER_NATURAL, RP_ORDER_BIT_REVERSED, 1, 4, 0);
  }
  v = step(p, rp_mul(p->g, v, one)); /* gathering keeps it from being fused with the next */
  v = step(p, rp_gather(p->g, v, index));
  v = step(p, rp_add(p->g, v, x));
  v = step(p, rp_gather(p->g, v, index));
  v = step(p, rp_sub(p->g, x, v));
  v = step(p, rp_gather(p->g, v, index));
  v = step(p, rp_mul_sub(p->g, x, one, v));
  v = step(p, rp_gather(p->g, v, index));
  v = step(p, rp_neg(p->g, v));
  v = step(p, rp_gather(p->g, v, index));
  const rp_expr_code code[] = {
      {.op = RP_EXPR_COLUMN, .index = 0, .rotation = 1}, {.op = RP_EXPR_COLUMN, .index = 1}, {.op = RP_EXPR_MUL}};
  const rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = 3};
  v = step(p, rp_expr(p->g, (rp_value[]){x, v}, 2, RP_NO_VALUE, &o));
  v = step(p, rp_gather(p->g, v, index));
  step(p, rp_expr(p->g, (rp_value[]){v, x}, 2, RP_NO_VALUE, &o)); /* v is rotated, so that it may not be overwritten */
}

static void check_path(rp_field field, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  const rp_type *type = rp_type_field(field);
  void *x = data_field(field, DATA_RANDOM, n, n), *one = data_field(field, DATA_RANDOM, n + 1, 1);
  uint32_t *order = calloc(n, sizeof *order), in_place = 0, fused = 0, alone = 0;
  uint8_t *got[2][MOST];
  uint32_t n_made = 0;
  for (uint64_t i = 0; i < n; i++) order[i] = (uint32_t)((i * 5 + 3) % n);
  for (int keeps = 0; keeps < 2; keeps++) { /* 1: every intermediate is an output, so that nothing is overwritten */
    job j;
    job_begin(&j);
    path p = {.g = j.graph};
    const rp_value vx = job_input(&j, type, n, x), v1 = job_input(&j, type, 1, one);
    build_path(&p, field, vx, v1, job_input(&j, &RP_TYPE_U32, n, order));
    n_made = p.n;
    for (uint32_t i = 0; i < p.n; i++) {
      got[keeps][i] = malloc(n * f->size_bytes);
      if (keeps || i + 1 == p.n) job_output(&j, p.made[i], got[keeps][i]);
    }
    if (keeps)
      count(j.graph, &alone, &fused);
    else
      count(j.graph, &in_place, &fused);
    job_check(&j);
  }
  data_assert_equal(field, got[0][n_made - 1], got[1][n_made - 1], n, "in place");
  /* mul_powers, to and from canonical, the transforms whose first pass does not permute, mul, add, sub, mul_sub, neg,
   * the expression with a column of its own row. With one element, gathering is the whole of a transform. */
  assert_true(in_place >= (f->degree == 1 && n > 1 ? 12 : 7));
  for (int keeps = 0; keeps < 2; keeps++)
    for (uint32_t i = 0; i < n_made; i++) free(got[keeps][i]);
  free(x), free(one), free(order);
}

static void in_place(void **state) {
  (void)state;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++)
    for (uint64_t n = 8; data_fits(n) && n <= 1 << 14; n *= field % 2 ? 8 : 16)
      if (rp_field_get((rp_field)field)->two_adicity >= 14 || rp_field_get((rp_field)field)->degree > 1)
        check_path((rp_field)field, device_cap(n));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chains), cmocka_unit_test(periodic_constants),
                                     cmocka_unit_test(in_place)};
  return device_run_tests("rewrites", tests, sizeof tests / sizeof tests[0]);
}
