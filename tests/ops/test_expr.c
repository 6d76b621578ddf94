/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fused expressions: random valid programs against an element-wise interpreter, and programs that must be refused.
 *
 * op-test lavapipe:slow label:sources
 *
 * mistake ops/vector/expr_cpu_tmpl.c: "first[(row + i) & mask]" is "first[(row + i) & mask >> 1]"
 * mistake shaders/cuda/vector/expr.cu: "index + (row & offset)" is "index + (row & offset >> 1)"
 * mistake shaders/cuda/vector/expr.cu: "index + (row & offset)" is "index + (s.thread & offset)"
 * mistake shaders/vulkan/vector/expr.comp: "index + (row & offset)" is "index + (row & offset >> 1)"
 * mistake shaders/vulkan/vector/expr.comp: "index + (row & offset)" is "index + (INDEX & offset)"
 */
#include "data.h"
#include "device.h"

enum { ELEMENT = 96, MAX_CODE = 400, LOG_PERIOD = 10, MAX_CONSTANTS = 5 + (1 << LOG_PERIOD) };

/* Evaluates one row as ops.h defines it. */
static void interpret(const rp_field_host *f, const rp_expr_options *o, uint8_t *const *columns,
                      const uint8_t *constants, uint64_t n, uint64_t row, uint8_t *out) {
  uint64_t stack[RP_EXPR_STACK + 1][ELEMENT / 8], temp[RP_EXPR_TEMPS][ELEMENT / 8];
  uint32_t top = 0;
  size_t size = f->size_bytes;
  int64_t step = (int64_t)(o->rotation_step ? o->rotation_step : 1);
  for (uint32_t i = 0; i < o->n_code; i++) {
    const rp_expr_code *c = &o->code[i];
    const int64_t rotation = c->op == RP_EXPR_COLUMN ? c->rotation : 0; /* elsewhere a period */
    int64_t at = ((int64_t)row + rotation * step) % (int64_t)n;
    if (at < 0) at += (int64_t)n;
    switch ((rp_expr_op)c->op) {
    case RP_EXPR_COLUMN: memcpy(stack[top++], columns[c->index] + (size_t)at * size, size); break;
    case RP_EXPR_CONSTANT: memcpy(stack[top++], constants + c->index * size, size); break;
    case RP_EXPR_PERIODIC:
      memcpy(stack[top++], constants + (c->index + row % (uint64_t)c->rotation) * size, size);
      break;
    case RP_EXPR_LOAD: memcpy(stack[top++], temp[c->index], size); break;
    case RP_EXPR_STORE: memcpy(temp[c->index], stack[--top], size); break;
    case RP_EXPR_NEG: f->neg(stack[top - 1], stack[top - 1]); break;
    case RP_EXPR_SQR: f->sqr(stack[top - 1], stack[top - 1]); break;
    case RP_EXPR_ADD: top--, f->add(stack[top - 1], stack[top - 1], stack[top]); break;
    case RP_EXPR_SUB: top--, f->sub(stack[top - 1], stack[top - 1], stack[top]); break;
    case RP_EXPR_MUL: top--, f->mul(stack[top - 1], stack[top - 1], stack[top]); break;
    }
  }
  memcpy(out, stack[0], size);
}

/* Every fourth one ends with the last constant. */
static rp_expr_code random_period(uint64_t r, uint32_t n_constants) {
  rp_expr_code c = {.op = RP_EXPR_PERIODIC, .rotation = 1 << r % (LOG_PERIOD + 1)};
  while ((uint32_t)c.rotation > n_constants) c.rotation >>= 1;
  const uint32_t last = n_constants - (uint32_t)c.rotation;
  c.index = (uint16_t)(r >> 8 & 3 ? (r >> 10) % (last + 1) : last);
  return c;
}

/* A valid program of about `length` instructions. */
static uint32_t random_code(uint64_t *seed, rp_expr_code *code, uint32_t length, uint32_t n_columns,
                            uint32_t n_constants) {
  uint64_t stored = 0;
  uint32_t n = 0, depth = 0;
  while (n < length || depth != 1) {
    uint64_t r = data_next(seed);
    rp_expr_code c = {.op = (uint16_t)(r % 10)};
    if (n >= length) c.op = depth ? (uint16_t)(RP_EXPR_ADD + r % 3) : RP_EXPR_COLUMN;
    int pushes = c.op == RP_EXPR_COLUMN || c.op == RP_EXPR_CONSTANT || c.op >= RP_EXPR_LOAD;
    uint32_t pops = pushes ? 0 : c.op == RP_EXPR_NEG || c.op == RP_EXPR_SQR || c.op == RP_EXPR_STORE ? 1 : 2;
    if (depth < pops || (pushes && depth == RP_EXPR_STACK)) continue;
    if (c.op == RP_EXPR_COLUMN) c.index = (uint16_t)((r >> 8) % n_columns);
    if (c.op == RP_EXPR_COLUMN) c.rotation = (int32_t)((r >> 24) % 11) - 5;
    if (c.op == RP_EXPR_CONSTANT) c.index = (uint16_t)((r >> 8) % n_constants);
    if (c.op == RP_EXPR_PERIODIC) c = random_period(r >> 8, n_constants);
    if (c.op == RP_EXPR_STORE || c.op == RP_EXPR_LOAD) c.index = (uint16_t)((r >> 8) % RP_EXPR_TEMPS);
    if (c.op == RP_EXPR_LOAD && !(stored >> c.index & 1)) continue;
    if (c.op == RP_EXPR_STORE) stored |= (uint64_t)1 << c.index;
    code[n++] = c;
    depth += (uint32_t)pushes;
    depth -= pops - (pops && c.op != RP_EXPR_STORE);
  }
  return n;
}

static void check(rp_field field, uint64_t n, uint32_t n_columns, uint64_t rotation_step, uint64_t seed) {
  const rp_field_host *f = rp_field_get(field);
  uint8_t *columns[RP_EXPR_MAX_COLUMNS], *got = malloc(n * f->size_bytes), *want = malloc(n * f->size_bytes);
  const uint32_t n_constants = n < MAX_CONSTANTS - 5 ? 5 + 2 * (uint32_t)n : MAX_CONSTANTS;
  uint8_t *constants = data_field(field, DATA_EDGES, seed, n_constants);
  rp_expr_code code[MAX_CODE + 20];
  rp_expr_options o = {.struct_size = sizeof o, .code = code, .rotation_step = rotation_step};
  rp_value values[RP_EXPR_MAX_COLUMNS];
  o.n_code = random_code(&seed, code, 1 + (uint32_t)(data_next(&seed) % MAX_CODE), n_columns, n_constants);
  job j;
  job_begin(&j);
  for (uint32_t i = 0; i < n_columns; i++) {
    columns[i] = data_field(field, (data_kind)(i % DATA_KINDS), seed + i, n);
    values[i] = job_input(&j, rp_type_field(field), n, columns[i]);
  }
  rp_value c = job_input(&j, rp_type_field(field), n_constants, constants);
  job_output(&j, rp_expr(j.graph, values, n_columns, c, &o), got);
  job_check(&j);
  for (uint64_t i = 0; i < n; i++) interpret(f, &o, columns, constants, n, i, want + i * f->size_bytes);
  data_assert_equal(field, got, want, n, "expr");
  for (uint32_t i = 0; i < n_columns; i++) free(columns[i]);
  free(got), free(want), free(constants);
}

static void random_programs(void **state) {
  (void)state;
  static const uint64_t sizes[] = {1, 3, 16, 17, 100, 1000};
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++)
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
      for (uint64_t again = 0; again < 3; again++)
        check(field, sizes[s], again == 0 ? 3 : again == 1 ? 8 : 20, again * 7, field * 1000 + s * 10 + again);
  check(RP_FIELD_BN254_FR, 70, 256, 1, 1);
  check(RP_FIELD_BN254_FR, 1 << 12, 33, UINT64_MAX / 16, 2);
  check(RP_FIELD_GOLDILOCKS, 200003, 2, 1, 3); /* more rows than a GPU has threads */
}

/* x[i] - constants[first + i mod period], alone and with the operands the other way round. The constants end with the
 * last one that is read. */
static void periodic(rp_field field, uint64_t n, uint32_t first, uint32_t period) {
  const rp_field_host *f = rp_field_get(field);
  const rp_expr_code code[2][3] = {
      {{RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_PERIODIC, (uint16_t)first, (int32_t)period}, {RP_EXPR_SUB, 0, 0}},
      {{RP_EXPR_PERIODIC, (uint16_t)first, (int32_t)period}, {RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_SUB, 0, 0}}};
  uint8_t *x = data_field(field, DATA_EDGES, n, n), *constants = data_field(field, DATA_RANDOM, n + 1, first + period);
  uint8_t *got[2], *want = malloc(n * f->size_bytes);
  job j;
  job_begin(&j);
  rp_value v = job_input(&j, rp_type_field(field), n, x);
  rp_value c = job_input(&j, rp_type_field(field), first + period, constants);
  for (int turn = 0; turn < 2; turn++) {
    const rp_expr_options o = {.struct_size = sizeof o, .code = code[turn], .n_code = 3};
    job_output(&j, rp_expr(j.graph, &v, 1, c, &o), got[turn] = malloc(n * f->size_bytes));
  }
  job_check(&j);
  for (int turn = 0; turn < 2; turn++) {
    for (uint64_t i = 0; i < n; i++) {
      const uint8_t *a = x + i * f->size_bytes, *b = constants + (first + i % period) * f->size_bytes;
      f->sub(want + i * f->size_bytes, turn ? b : a, turn ? a : b);
    }
    data_assert_equal(field, got[turn], want, n, "periodic constants");
    free(got[turn]);
  }
  free(x), free(constants), free(want);
}

/* Periods below, of and above the rows that a kernel computes at once, and the number of rows; with several chunks of
 * rows, and with chunks that do not begin with a period. */
static void periods(void **state) {
  (void)state;
  static const rp_field fields[] = {RP_FIELD_BN254_FR, RP_FIELD_GOLDILOCKS, RP_FIELD_BABYBEAR, RP_FIELD_BN254_FP2};
  static const uint64_t sizes[] = {1, 8, 15, 16, 17, 64, 1000, 8192, 10001};
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (uint32_t period = 1; period <= 8192 && data_fits(sizes[s]); period *= period < 32 ? 2 : 4)
        periodic(fields[k], sizes[s], period == 1 ? 0 : 3 * period - 1, period);
  periodic(RP_FIELD_GOLDILOCKS, 200003, 0, 1 << 16); /* more rows than a GPU has threads */
  periodic(RP_FIELD_GOLDILOCKS, 70, 0, 1 << 16);
  periodic(RP_FIELD_GOLDILOCKS, 70, UINT16_MAX, 1);
  periodic(RP_FIELD_GOLDILOCKS, 70, (1 << 16) - 64, 64);
}

/* A temporary is written again while its old value is still on the stack: 2 x - x. */
static void temporary_reused(void **state) {
  (void)state;
  static const rp_expr_code code[] = {{RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_ADD, 0, 0},
                                      {RP_EXPR_STORE, 0, 0},  {RP_EXPR_LOAD, 0, 0},   {RP_EXPR_COLUMN, 0, 0},
                                      {RP_EXPR_STORE, 0, 0},  {RP_EXPR_LOAD, 0, 0},   {RP_EXPR_SUB, 0, 0}};
  uint8_t *x = data_field(RP_FIELD_BN254_FR, DATA_RANDOM, 1, 100), got[100 * 32];
  rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = sizeof code / sizeof *code};
  job j;
  job_begin(&j);
  rp_value v = job_input(&j, rp_type_field(RP_FIELD_BN254_FR), 100, x);
  job_output(&j, rp_expr(j.graph, &v, 1, RP_NO_VALUE, &o), got);
  job_check(&j);
  data_assert_equal(RP_FIELD_BN254_FR, got, x, 100, "temporary written again");
  free(x);
}

static void refusals(void **state) {
  (void)state;
  static const struct {
    rp_expr_code code[20];
    uint32_t n;
  } wrong[] = {
      {{{RP_EXPR_ADD, 0, 0}}, 1},
      {{{RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_COLUMN, 0, 0}}, 2},
      {{{RP_EXPR_COLUMN, 2, 0}}, 1},
      {{{RP_EXPR_CONSTANT, 0, 0}}, 1}, /* the program has no constants */
      {{{RP_EXPR_LOAD, 0, 0}}, 1},     /* a load before any store */
      {{{RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_STORE, RP_EXPR_TEMPS, 0}, {RP_EXPR_COLUMN, 0, 0}}, 3},
      {{{10, 0, 0}}, 1},
      {{{RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_STORE, 0, 0}}, 2},
      {{{0}}, 17}, /* seventeen columns on a stack of sixteen */
      {{{0}}, 0},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    uint64_t x[8] = {0}, out[8];
    job j;
    job_begin(&j);
    rp_value a = job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), 8, x);
    rp_expr_options o = {.struct_size = sizeof o, .code = wrong[i].code, .n_code = wrong[i].n};
    job_output(&j, rp_expr(j.graph, (rp_value[]){a, a}, 2, RP_NO_VALUE, &o), out);
    assert_int_equal(job_run(&j), RP_ERR_ARGUMENT);
    assert_true(j.error.reason[0]);
  }
}

static void wrong_periods(void **state) {
  (void)state;
  static const struct {
    int32_t period;
    uint16_t first;
    rp_status status;
    const char *reason;
  } wrong[] = {{0, 0, RP_ERR_ARGUMENT, "instruction 1: the period is no power of two"},
               {3, 0, RP_ERR_ARGUMENT, "instruction 1: the period is no power of two"},
               {-1, 0, RP_ERR_ARGUMENT, "instruction 1: the period is no power of two"},
               {INT32_MIN, 0, RP_ERR_ARGUMENT, "instruction 1: its constants reach beyond"},
               {1 << 17, 0, RP_ERR_ARGUMENT, "instruction 1: its constants reach beyond"},
               {1 << 16, 1, RP_ERR_ARGUMENT, "instruction 1: its constants reach beyond"},
               {2, UINT16_MAX, RP_ERR_ARGUMENT, "instruction 1: its constants reach beyond"},
               {8, 0, RP_ERR_SHAPE, "uses constant 7, but there are 6"},
               {4, 3, RP_ERR_SHAPE, "uses constant 6, but there are 6"},
               {4, 2, RP_OK, ""}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const rp_expr_code code[] = {
        {RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_PERIODIC, wrong[i].first, wrong[i].period}, {RP_EXPR_MUL, 0, 0}};
    uint64_t x[8] = {0}, out[8];
    job j;
    job_begin(&j);
    rp_value v = job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), 8, x);
    rp_value c = job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), 6, x);
    rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = 3};
    job_output(&j, rp_expr(j.graph, &v, 1, c, &o), out);
    assert_int_equal(job_run(&j), wrong[i].status);
    if (wrong[i].status != RP_OK) assert_non_null(strstr(j.error.reason, wrong[i].reason));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs), cmocka_unit_test(periods),
                                     cmocka_unit_test(temporary_reused), cmocka_unit_test(refusals),
                                     cmocka_unit_test(wrong_periods)};
  return device_run_tests("expr", tests, sizeof tests / sizeof tests[0]);
}
