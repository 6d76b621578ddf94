/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Terms fused into dispatches, the extended coset, the quotient with its cache of columns, split radix.
 */
#include <reprise/halo2.h>

#include "data.h"
#include "device.h"
#include "kat.h"

static const rp_field fr = RP_FIELD_BN254_FR;

static const rp_field_host *host(void) { return rp_field_get(fr); }

/* ---- Split radix 2/8 --------------------------------------------------------------------------------------------- */

/* Compares two transforms of one input: that of rp_ntt, and the one that `cut` builds. */
typedef rp_value (*cut_fn)(rp_graph *g, rp_value v, const rp_ntt_options *plain, uint32_t base_log);

static void same_as_ntt(cut_fn cut, rp_field field, const rp_ntt_options *plain, uint32_t log_n, uint32_t base_log) {
  const uint64_t n = (uint64_t)1 << log_n;
  const size_t bytes = n * rp_field_get(field)->size_bytes;
  void *x = data_field(field, DATA_EDGES, log_n, n), *want = malloc(bytes), *got = malloc(bytes);
  job j;
  job_begin(&j);
  rp_value v = job_input(&j, rp_type_field(field), n, x);
  job_output(&j, rp_ntt(j.graph, v, plain), want);
  job_output(&j, cut(j.graph, v, plain, base_log), got);
  job_check(&j);
  data_assert_equal(field, got, want, n, "a transform cut otherwise");
  free(x), free(want), free(got);
}

static rp_value by_split_radix(rp_graph *g, rp_value v, const rp_ntt_options *plain, uint32_t base_log) {
  const rp_split_radix_options o = {
      .struct_size = sizeof o, .root = plain->root, .inverse = plain->inverse, .base_log = base_log};
  return rp_ntt_split_radix(g, v, &o);
}

static void split_radix_case(rp_field field, rp_root root, uint32_t log_n, uint32_t base_log, uint32_t inverse) {
  const rp_ntt_options plain = {.struct_size = sizeof plain, .root = root, .inverse = inverse};
  same_as_ntt(by_split_radix, field, &plain, log_n, base_log);
}

static void split_radix(void **state) {
  (void)state;
  for (uint32_t inverse = 0; inverse < 2; inverse++) {
    for (uint32_t log_n = 3; log_n <= 10; log_n++) split_radix_case(fr, RP_ROOT_SNARKJS, log_n, 0, inverse);
    split_radix_case(fr, RP_ROOT_HALO2, 12, 0, inverse);
    split_radix_case(fr, RP_ROOT_HALO2, 7, 3, inverse); /* split down to the smallest transforms */
    split_radix_case(fr, RP_ROOT_SNARKJS, 11, 8, inverse);
    split_radix_case(RP_FIELD_GOLDILOCKS, RP_ROOT_SNARKJS, 9, 4, inverse);
  }
}

/* ---- Passes of radix 2^8 ----------------------------------------------------------------------------------------- */

static rp_value by_passes(rp_graph *g, rp_value v, const rp_ntt_options *plain, uint32_t base_log) {
  const rp_radix_options o = {.struct_size = sizeof o, .root = plain->root, .inverse = plain->inverse};
  (void)base_log;
  return rp_ntt_radix_passes(g, v, &o);
}

static void radix_case(rp_field field, rp_root root, uint32_t log_n, uint32_t inverse) {
  const rp_ntt_options plain = {.struct_size = sizeof plain, .root = root, .inverse = inverse};
  same_as_ntt(by_passes, field, &plain, log_n, 0);
}

/* One, two and three passes, the last of them with a single bit, with a few, and full. */
static void radix_passes(void **state) {
  static const uint32_t logs[] = {1, 2, 7, 8, 9, 10, 12, 16, 17};
  (void)state;
  for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
    for (uint32_t inverse = 0; inverse < 2 && data_fits((uint64_t)1 << logs[i]); inverse++) {
      radix_case(fr, i % 2 ? RP_ROOT_SNARKJS : RP_ROOT_HALO2, logs[i], inverse);
      if (logs[i] <= 10) radix_case(RP_FIELD_GOLDILOCKS, RP_ROOT_SNARKJS, logs[i], inverse);
    }
}

/* Both ways of cutting a transform refuse what rp_ntt does. */
static void transforms_refused(void **state) {
  uint8_t x[12 * 32] = {0}, out[12 * 32];
  (void)state;
  for (int wrong = 0; wrong < 8; wrong++) {
    const rp_split_radix_options split = {.struct_size = wrong % 4 ? sizeof split : 0,
                                          .root = wrong % 4 == 3 ? (rp_root)0 : RP_ROOT_HALO2};
    const rp_radix_options radix = {.struct_size = split.struct_size, .root = split.root};
    const rp_type *type = wrong % 4 == 1 ? rp_type_field(RP_FIELD_BN254_FP2) : rp_type_field(fr);
    job j;
    job_begin(&j);
    rp_value v = job_input(&j, type, wrong % 4 == 1 ? 4 : wrong % 4 == 2 ? 12 : 8, x);
    job_output(&j, wrong < 4 ? rp_ntt_split_radix(j.graph, v, &split) : rp_ntt_radix_passes(j.graph, v, &radix), out);
    assert_int_not_equal(job_run(&j), RP_OK);
    assert_non_null(strstr(j.error.reason, wrong < 4 ? "split radix" : "radix passes"));
  }
}

/* ---- The kernel set ---------------------------------------------------------------------------------------------- */

/* Two columns of eight rows, one constant. */
typedef struct rows {
  uint8_t l[8 * 32], r[8 * 32], c[32];
} rows;

typedef rp_term (*make_fn)(rp_terms *t, rp_term l, rp_term r, rp_term c);
typedef void (*want_fn)(void *out, const void *l, const void *r, const void *c);

static rp_term eval_sum(rp_terms *t, rp_term l, rp_term r, rp_term c) { return (void)c, rp_term_add(t, l, r); }
static rp_term eval_mul(rp_terms *t, rp_term l, rp_term r, rp_term c) { return (void)c, rp_term_mul(t, l, r); }
static rp_term eval_sum_c(rp_terms *t, rp_term l, rp_term r, rp_term c) { return (void)r, rp_term_add(t, l, c); }
static rp_term eval_mul_c(rp_terms *t, rp_term l, rp_term r, rp_term c) { return (void)r, rp_term_mul(t, l, c); }
static rp_term eval_lctheta(rp_terms *t, rp_term l, rp_term r, rp_term c) {
  return rp_term_fold(t, (rp_term[]){l, r}, 2, c);
}
static rp_term eval_lcbeta(rp_terms *t, rp_term l, rp_term r, rp_term c) {
  return rp_term_mul(t, rp_term_add(t, l, c), r);
}
static rp_term eval_constant(rp_terms *t, rp_term l, rp_term r, rp_term c) {
  return rp_term_add(t, c, rp_term_mul(t, rp_term_sub(t, l, l), r));
}
static void want_sum(void *out, const void *l, const void *r, const void *c) { (void)c, host()->add(out, l, r); }
static void want_mul(void *out, const void *l, const void *r, const void *c) { (void)c, host()->mul(out, l, r); }
static void want_sum_c(void *out, const void *l, const void *r, const void *c) { (void)r, host()->add(out, l, c); }
static void want_mul_c(void *out, const void *l, const void *r, const void *c) { (void)r, host()->mul(out, l, c); }
static void want_lctheta(void *out, const void *l, const void *r, const void *c) {
  uint64_t t[4];
  host()->mul(t, l, c);
  host()->add(out, t, r);
}
static void want_lcbeta(void *out, const void *l, const void *r, const void *c) {
  uint64_t t[4];
  host()->add(t, l, c);
  host()->mul(out, t, r);
}
static void want_constant(void *out, const void *l, const void *r, const void *c) {
  (void)l, (void)r;
  memcpy(out, c, 32);
}

/* Each kernel of halo2's evaluation as a term, with every pair of rotations. Rotating by one moves two rows here. */
static void kernel_set(void **state) {
  static const struct {
    const char *name;
    make_fn make;
    want_fn want;
  } kernels[] = {{"eval_sum", eval_sum, want_sum},
                 {"eval_mul", eval_mul, want_mul},
                 {"eval_sum_c", eval_sum_c, want_sum_c},
                 {"eval_mul_c, eval_scale", eval_mul_c, want_mul_c},
                 {"eval_lctheta", eval_lctheta, want_lctheta},
                 {"eval_lcbeta", eval_lcbeta, want_lcbeta},
                 {"eval_addgamma", eval_sum_c, want_sum_c},
                 {"eval_constant", eval_constant, want_constant}};
  uint8_t *l = data_field(fr, DATA_EDGES, 1, 8), *r = data_field(fr, DATA_RANDOM, 2, 8),
          *c = data_field(fr, DATA_RANDOM, 3, 1);
  (void)state;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    for (int32_t rot = -5; rot <= 5; rot++) {
      uint8_t got[8 * 32], want[8 * 32];
      rp_terms *t;
      assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
      rp_term term = kernels[k].make(t, rp_term_column(t, 0, rot), rp_term_column(t, 1, 1), rp_term_constant(t, 0));
      job j;
      job_begin(&j);
      rp_value columns[] = {job_input(&j, rp_type_field(fr), 8, l), job_input(&j, rp_type_field(fr), 8, r)};
      uint32_t dispatches = 0;
      rp_terms_options o = {.struct_size = sizeof o, .rotation_step = 2, .dispatches = &dispatches};
      job_output(&j, rp_terms_eval(j.graph, t, term, columns, 2, job_input(&j, rp_type_field(fr), 1, c), &o), got);
      job_check(&j);
      assert_int_equal(dispatches, 1);
      for (int32_t i = 0; i < 8; i++)
        kernels[k].want(want + 32 * i, l + 32 * ((i + 2 * rot + 16) % 8), r + 32 * ((i + 2) % 8), c);
      data_assert_equal(fr, got, want, 8, kernels[k].name);
      rp_terms_destroy(t);
    }
  free(l), free(r), free(c);
}

/* ---- Random terms ------------------------------------------------------------------------------------------------ */

enum { COLUMNS = 12, ROWS = 64, CONSTANTS = 3, TERMS = 150 };

typedef struct model { /* a term beside its values */
  rp_term term;
  uint8_t row[ROWS * 32];
} model;

static void random_terms(rp_terms *t, model *m, uint8_t *const *columns, const uint8_t *constants, uint64_t seed) {
  for (int i = 0; i < TERMS; i++) {
    const uint64_t r = data_next(&seed), kind = i < 4 ? r % 2 : r % 12;
    const model *a = i ? &m[i - 1 - (int)((r >> 8) % (i < 6 ? (uint64_t)i : 6))] : m,
                *b = i ? &m[(r >> 16) % (uint64_t)i] : m;
    const uint32_t column = (uint32_t)(r >> 24) % COLUMNS, constant = (uint32_t)(r >> 32) % CONSTANTS;
    const int32_t rotation = (int32_t)((r >> 40) % 7) - 3;
    m[i].term = kind < 3    ? rp_term_column(t, column, rotation)
                : kind == 3 ? rp_term_mul(t, a->term, rp_term_constant(t, constant))
                : kind == 4 ? rp_term_neg(t, a->term)
                : kind == 5 ? rp_term_mul(t, a->term, a->term)
                : kind < 8  ? rp_term_add(t, a->term, b->term)
                : kind < 10 ? rp_term_sub(t, b->term, a->term)
                            : rp_term_mul(t, a->term, b->term);
    for (uint32_t k = 0; k < ROWS; k++) {
      uint8_t *out = m[i].row + 32 * k;
      const uint8_t *x = a->row + 32 * k, *y = b->row + 32 * k;
      if (kind < 3) memcpy(out, columns[column] + 32 * ((k + (uint32_t)(rotation + ROWS)) % ROWS), 32);
      if (kind == 3) host()->mul(out, x, constants + 32 * constant);
      if (kind == 4) host()->neg(out, x);
      if (kind == 5) host()->mul(out, x, x);
      if (kind > 5 && kind < 8) host()->add(out, x, y);
      if (kind == 8 || kind == 9) host()->sub(out, y, x);
      if (kind > 9) host()->mul(out, x, y);
    }
  }
}

/* The values do not depend on the number of inputs that a dispatch may read; a larger number never leads to more
 * dispatches. */
static void fused_terms(void **state) {
  static const uint32_t inputs[] = {2, 3, 5, 12, 256};
  uint8_t *columns[COLUMNS], *constants = data_field(fr, DATA_RANDOM, 9, CONSTANTS);
  model *m = malloc(TERMS * sizeof *m);
  (void)state;
  for (uint32_t i = 0; i < COLUMNS; i++) columns[i] = data_field(fr, (data_kind)(i % DATA_KINDS), i, ROWS);
  for (uint64_t seed = 1; seed <= 8; seed++) {
    rp_terms *t;
    assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
    random_terms(t, m, columns, constants, seed);
    uint32_t before = UINT32_MAX;
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
      uint8_t got[ROWS * 32];
      uint32_t dispatches = 0;
      rp_value v[COLUMNS];
      job j;
      job_begin(&j);
      for (uint32_t i = 0; i < COLUMNS; i++) v[i] = job_input(&j, rp_type_field(fr), ROWS, columns[i]);
      rp_terms_options o = {.struct_size = sizeof o, .max_inputs = inputs[k], .dispatches = &dispatches};
      job_output(&j,
                 rp_terms_eval(j.graph, t, m[TERMS - 1].term, v, COLUMNS,
                               job_input(&j, rp_type_field(fr), CONSTANTS, constants), &o),
                 got);
      job_check(&j);
      data_assert_equal(fr, got, m[TERMS - 1].row, ROWS, "terms");
      assert_true(dispatches >= 1 && dispatches <= before);
      before = dispatches;
    }
    assert_int_equal(before, 1);
    rp_terms_destroy(t);
  }
  for (uint32_t i = 0; i < COLUMNS; i++) free(columns[i]);
  free(constants), free(m);
}

/* Thousands of gates in one fold: checks the values of a few rows, and the number of dispatches. */
static void many_gates(void **state) {
  enum { GATES = 2000, WIDE = 40, SHORT = 8 };
  uint8_t *columns[WIDE], got[SHORT * 32], want[32], t[32], *y = data_field(fr, DATA_RANDOM, 3, 1);
  rp_term *gate = malloc(GATES * sizeof *gate);
  rp_value v[WIDE];
  rp_terms *terms;
  uint32_t dispatches = 0;
  job j;
  (void)state;
  assert_int_equal(rp_terms_create(&terms, NULL), RP_OK);
  job_begin(&j);
  for (uint32_t i = 0; i < WIDE; i++) {
    columns[i] = data_field(fr, DATA_RANDOM, i, SHORT);
    v[i] = job_input(&j, rp_type_field(fr), SHORT, columns[i]);
  }
  for (uint32_t g = 0; g < GATES; g++)
    gate[g] = rp_term_mul(terms, rp_term_column(terms, g / 8 % WIDE, 0), rp_term_column(terms, (g + g / 50) % WIDE, 1));
  rp_terms_options o = {.struct_size = sizeof o, .max_inputs = 6, .dispatches = &dispatches};
  rp_term sum = rp_term_fold(terms, gate, GATES, rp_term_constant(terms, 0));
  job_output(&j, rp_terms_eval(j.graph, terms, sum, v, WIDE, job_input(&j, rp_type_field(fr), 1, y), &o), got);
  job_check(&j);
  for (uint32_t row = 0; row < SHORT; row++) {
    host()->zero(want);
    for (uint32_t g = 0; g < GATES; g++) {
      host()->mul(t, columns[g / 8 % WIDE] + 32 * row, columns[(g + g / 50) % WIDE] + 32 * ((row + 1) % SHORT));
      host()->mul(want, want, y);
      host()->add(want, want, t);
    }
    data_assert_equal(fr, got + 32 * row, want, 1, "many gates");
  }
  assert_true(dispatches > 100 && dispatches <= GATES);
  for (uint32_t i = 0; i < WIDE; i++) free(columns[i]);
  rp_terms_destroy(terms);
  free(gate), free(y);
}

static void refusals(void **state) {
  uint8_t x[8 * 32] = {0}, out[8 * 32];
  (void)state;
  const rp_terms_options without_size = {.max_inputs = 2},
                         one_input = {.struct_size = sizeof one_input, .max_inputs = 1},
                         many_inputs = {.struct_size = sizeof many_inputs, .max_inputs = RP_EXPR_MAX_COLUMNS + 1};
  for (int wrong = 0; wrong < 9; wrong++) {
    const rp_terms_options *options = wrong == 6   ? &without_size
                                      : wrong == 7 ? &one_input
                                      : wrong == 8 ? &many_inputs
                                                   : NULL;
    rp_terms *t;
    assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
    rp_term column = rp_term_column(t, wrong == 0 ? 1 : wrong == 1 ? RP_TERMS_MAX_COLUMNS : 0, 0);
    rp_term term = wrong == 2   ? rp_term_add(t, column, (rp_term){77})
                   : wrong == 3 ? rp_term_constant(t, 0)
                   : wrong == 4 ? rp_term_add(t, column, rp_term_constant(t, 1))
                   : wrong == 5 ? (rp_term){0}
                                : column;
    job j;
    job_begin(&j);
    rp_value v = job_input(&j, rp_type_field(fr), 8, x), c = job_input(&j, rp_type_field(fr), 1, x);
    job_output(&j, rp_terms_eval(j.graph, t, term, &v, 1, c, options), out);
    assert_int_not_equal(job_run(&j), RP_OK);
    assert_true(j.error.reason[0]);
    rp_terms_destroy(t);
  }
}

/* ---- What the decompositions are made of ------------------------------------------------------------------------- */

/* How many dispatches of an operation one run of the transform has. */
static uint32_t dispatches_of(const char *op, uint32_t log_n, int by_passes) {
  enum { MOST = 128 };
  static rp_node_info nodes[MOST] = {{.struct_size = sizeof *nodes}};
  const rp_radix_options passes = {.struct_size = sizeof passes, .root = RP_ROOT_SNARKJS};
  const rp_split_radix_options split = {.struct_size = sizeof split, .root = RP_ROOT_SNARKJS};
  uint32_t count, found = 0;
  rp_recording *recording;
  rp_graph *g;
  assert_int_equal(rp_graph_create(device_context(), "parts", &g, NULL), RP_OK);
  const rp_value x = rp_graph_input(g, "x", rp_type_field(fr), (uint64_t)1 << log_n, 0);
  rp_graph_output(g, "y", by_passes ? rp_ntt_radix_passes(g, x, &passes) : rp_ntt_split_radix(g, x, &split), 0);
  assert_int_equal(rp_record(device_current(), g, NULL, &recording, NULL), RP_OK);
  assert_int_equal(rp_recording_nodes(recording, nodes, MOST, &count, NULL), RP_OK);
  for (uint32_t i = 0; i < count && i < MOST; i++) found += !nodes[i].once && !strcmp(nodes[i].op, op);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  return found;
}

/* A pass gathers its elements before and after; a split has an expression for each odd residue. */
static void decompositions_are_made_of_parts(void **state) {
  rp_radix_pass passes[RP_RADIX_PASSES_MAX];
  (void)state;
  for (uint32_t log_n = 6; log_n <= 10 && data_fits((uint64_t)1 << log_n); log_n += 2) {
    assert_int_equal(dispatches_of("gather", log_n, 1), 2 * rp_radix_passes(log_n, passes));
    assert_int_equal(dispatches_of("expr", log_n, 0), 4);
  }
}

/* Sums and products of the same terms are one part, in either order; differences are not. */
static void equal_parts_are_one(void **state) {
  rp_terms *t;
  (void)state;
  assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
  const rp_term a = rp_term_column(t, 0, 0), b = rp_term_column(t, 1, -1);
  assert_int_equal(rp_term_add(t, a, b).id, rp_term_add(t, b, a).id);
  assert_int_equal(rp_term_mul(t, a, b).id, rp_term_mul(t, b, a).id);
  assert_int_not_equal(rp_term_sub(t, a, b).id, rp_term_sub(t, b, a).id);
  assert_int_not_equal(rp_term_add(t, a, b).id, rp_term_mul(t, a, b).id);
  rp_terms_destroy(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(split_radix),  cmocka_unit_test(decompositions_are_made_of_parts),
                                     cmocka_unit_test(radix_passes), cmocka_unit_test(transforms_refused),
                                     cmocka_unit_test(kernel_set),   cmocka_unit_test(fused_terms),
                                     cmocka_unit_test(many_gates),   cmocka_unit_test(equal_parts_are_one),
                                     cmocka_unit_test(refusals)};
  return device_run_tests("halo2", tests, sizeof tests / sizeof tests[0]);
}
