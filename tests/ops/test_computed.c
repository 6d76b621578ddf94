/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Operands that the device may compute in place of numbers that the host gives: a challenge can be used wherever
 * docs/computed-values.md says, and the results are the same bits as with the number from the host; and a superfluous
 * operand is refused with a message that names the operation. (op_gpu_coverage plans every operation with operands that
 * are computed.)
 *
 * op-test lavapipe:slow label:sources
 */
#include "data.h"
#include "device.h"

#include <reprise/transcript.h>

#include <openssl/evp.h>

/* ---- One challenge, everywhere ----------------------------------------------------------------------------------- */

enum { N = 16, POINTS = 5, QUERIES = 6 };
static const rp_field field = RP_FIELD_BN254_FR;
static const uint8_t transcript[] = "a transcript";

typedef struct results {
  uint8_t challenge[32], canonical[32], forward[N * 32], inverse[N * 32], reversed[N * 32], powers[N * 32],
      shifted[N * 32], value[32], quotient[(N - 1) * 32], expression[N * 32], product[64], multiple[64], fixed[64],
      gathered[QUERIES * 32], tail[N * 32], paths[QUERIES * 4 * 32];
  uint32_t index[QUERIES], first, count;
} results;

typedef struct numbers {
  rp_value element, canonical, index, first, count;
} numbers;

/* The numbers of a run: computed from a transcript, or given by the host as `from` has them. */
static numbers computed_numbers(job *j, results *r) {
  rp_graph *g = j->graph;
  const rp_value digest = rp_sha256(g, job_input(j, &RP_TYPE_U8, sizeof transcript, transcript));
  numbers n = {.element = rp_challenge(g, digest, 32, field, RP_BIG_ENDIAN)};
  n.canonical = rp_to_canonical(g, n.element);
  const rp_value powers = rp_powers(g, n.element, n.element, QUERIES);
  n.index = rp_low_bits(g, powers, 4);
  n.first = rp_low_bits(g, n.element, 3);
  n.count = rp_low_bits(g, rp_mul(g, n.element, n.element), 3);
  job_output(j, rp_slice(g, n.element, 0, 1), r->challenge);
  job_output(j, rp_slice(g, n.canonical, 0, 1), r->canonical);
  job_output(j, rp_slice(g, n.index, 0, QUERIES), r->index);
  job_output(j, rp_slice(g, n.first, 0, 1), &r->first);
  job_output(j, rp_slice(g, n.count, 0, 1), &r->count);
  return n;
}

static numbers given_numbers(job *j, const results *from) {
  return (numbers){.element = job_input(j, rp_type_field(field), 1, from->challenge),
                   .canonical = job_input(j, &RP_TYPE_U256, 1, from->canonical),
                   .index = job_input(j, &RP_TYPE_U32, QUERIES, from->index),
                   .first = job_input(j, &RP_TYPE_U32, 1, &from->first),
                   .count = job_input(j, &RP_TYPE_U32, 1, &from->count)};
}

static uint8_t *points(void) {
  const rp_curve_host *c = rp_curve_get(RP_CURVE_BN254_G1);
  uint8_t *out = malloc(POINTS * 64), acc[128], one[128];
  c->generator(out);
  c->acc_from_affine(one, out);
  c->acc_from_affine(acc, out);
  for (int i = 0; i < POINTS; i++) {
    c->acc_to_affine(out + 64 * i, acc);
    c->acc_add(acc, acc, one);
  }
  return out;
}

static void use_numbers(job *j, numbers n, const uint8_t *host_shift, const void *x, const void *affine, results *r) {
  static const rp_expr_code code[] = {{RP_EXPR_COLUMN, 0, 0},
                                      {RP_EXPR_CONSTANT, 0, 0},
                                      {RP_EXPR_MUL, 0, 0},
                                      {RP_EXPR_COLUMN, 0, 1},
                                      {RP_EXPR_ADD, 0, 0}};
  const rp_expr_options e = {.struct_size = sizeof e, .code = code, .n_code = 5};
  rp_graph *g = j->graph;
  const rp_value in = job_input(j, rp_type_field(field), N, x),
                 p = job_input(j, rp_type_affine(RP_CURVE_BN254_G1), POINTS, affine);
  const rp_fixed_base base = rp_fixed_base_table(g, rp_slice(g, p, 1, 1), 4);
  const rp_value leaves = rp_merkle_level(g, RP_HASH_POSEIDON2_BN254_T3, rp_concat(g, (rp_value[]){in, in}, 2));
  const rp_value tree = rp_merkle_tree(g, RP_HASH_POSEIDON2_BN254_T3, leaves, NULL);
  void *const transforms[] = {r->forward, r->inverse, r->reversed};
  for (uint32_t k = 0; k < 3; k++) {
    rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .inverse = k == 1};
    if (k == 2) o.in_order = RP_ORDER_BIT_REVERSED;
    if (host_shift) o.coset = RP_COSET_SHIFT, memcpy(o.shift, host_shift, 32);
    job_output(j, host_shift ? rp_ntt(g, in, &o) : rp_ntt_coset(g, in, n.element, &o), transforms[k]);
  }
  job_output(j, rp_powers(g, n.element, n.element, N), r->powers);
  job_output(j, rp_mul_powers(g, in, n.element, n.element), r->shifted);
  job_output(j, rp_poly_eval(g, in, n.element), r->value);
  job_output(j, rp_poly_divide(g, in, n.element), r->quotient);
  job_output(j, rp_expr(g, &in, 1, n.element, &e), r->expression);
  const rp_value scalars =
      rp_concat(g, (rp_value[]){n.canonical, n.canonical, rp_to_canonical(g, rp_slice(g, in, 0, POINTS - 2))}, 3);
  job_output(j, rp_to_affine(g, rp_msm(g, scalars, p, NULL)), r->product);
  job_output(j, rp_to_affine(g, rp_scalar_mul(g, n.canonical, rp_slice(g, p, 2, 1))), r->multiple);
  job_output(j, rp_to_affine(g, rp_fixed_base_mul(g, &base, n.canonical)), r->fixed);
  job_output(j, rp_gather(g, in, n.index), r->gathered);
  job_output(j, rp_slice_at(g, in, n.first, n.count, N / 2), r->tail);
  job_output(j, rp_merkle_paths(g, RP_HASH_POSEIDON2_BN254_T3, leaves, tree, n.index), r->paths);
}

/* The challenge is the digest of OpenSSL modulo the order, and indices are its low bits. */
static void check_challenge(const results *r) {
  const rp_field_host *f = rp_field_get(field);
  uint8_t digest[32], le[32], want[32], power[32];
  unsigned n;
  assert_int_equal(EVP_Digest(transcript, sizeof transcript, digest, &n, EVP_sha256(), NULL), 1);
  for (int i = 0; i < 32; i++) le[i] = digest[31 - i];
  f->from_bytes_reduce(want, le, 32);
  assert_memory_equal(r->challenge, want, 32);
  memcpy(power, want, 32);
  for (int i = 0; i < QUERIES; i++) {
    f->to_canonical(le, power);
    assert_int_equal(r->index[i], le[0] & 15);
    if (i == 0) assert_int_equal(r->first, le[0] & 7);
    if (i == 1) assert_int_equal(r->count, le[0] & 7);
    f->mul(power, power, want);
  }
  assert_int_not_equal(r->count, 0);
}

static void a_challenge_everywhere(void **state) {
  results got, want;
  uint8_t *x = data_field(field, DATA_RANDOM, 5, N), *affine = points();
  job j;
  (void)state;
  memset(&got, 0, sizeof got);
  memset(&want, 0, sizeof want);
  job_begin(&j);
  use_numbers(&j, computed_numbers(&j, &got), NULL, x, affine, &got);
  job_check(&j);
  check_challenge(&got);
  memcpy(want.challenge, got.challenge, 32), memcpy(want.canonical, got.canonical, 32);
  memcpy(want.index, got.index, sizeof got.index), want.first = got.first, want.count = got.count;
  job_begin(&j);
  use_numbers(&j, given_numbers(&j, &got), got.canonical, x, affine, &want);
  job_check(&j);
  assert_memory_equal(&got, &want, sizeof got);
  assert_memory_not_equal(got.forward, got.reversed, sizeof got.forward);
  free(x), free(affine);
}

/* ---- Paths ------------------------------------------------------------------------------------------------------- */

/* Each path leads from its leaf to the root, by the host's hash. */
static void check_paths(rp_hash hash, uint32_t levels) {
  const rp_field over = rp_hash_field(hash);
  const uint32_t digest = rp_hash_digest_len(hash), n = 1u << levels, paths = n + 3;
  uint8_t *leaves = data_field(over, DATA_RANDOM, levels, (uint64_t)n * digest), *tree = malloc(n * 32);
  uint8_t *got = malloc(paths * levels * 32);
  uint32_t *index = malloc(paths * 4);
  job j;
  for (uint32_t i = 0; i < paths; i++) index[i] = (i * 7 + 1) % n;
  job_begin(&j);
  const rp_value l = job_input(&j, rp_type_field(over), (uint64_t)n * digest, leaves);
  const rp_value t = rp_merkle_tree(j.graph, hash, l, NULL);
  job_output(&j, t, tree);
  job_output(&j, rp_merkle_paths(j.graph, hash, l, t, job_input(&j, &RP_TYPE_U32, paths, index)), got);
  job_check(&j);
  for (uint32_t i = 0; i < paths; i++) {
    uint8_t node[32], pair[64];
    memcpy(node, leaves + index[i] * 32, 32);
    for (uint32_t k = 0; k < levels; k++) {
      const uint32_t right = index[i] >> k & 1;
      memcpy(pair + 32 * right, node, 32);
      memcpy(pair + 32 * !right, got + (i * levels + k) * 32, 32);
      assert_int_equal(rp_hash_pairs_host(hash, pair, 1, node), RP_OK);
    }
    assert_memory_equal(node, tree + 32, 32);
  }
  free(leaves), free(tree), free(got), free(index);
}

static void paths(void **state) {
  static const rp_hash hashes[] = {RP_HASH_RESCUE_RP64_256, RP_HASH_POSEIDON_BN254, RP_HASH_POSEIDON2_BABYBEAR};
  (void)state;
  for (size_t h = 0; h < sizeof hashes / sizeof *hashes; h++)
    for (uint32_t levels = 1; levels <= 8 && data_fits((uint64_t)1 << levels); levels += 1 + levels / 3)
      check_paths(hashes[h], levels);
}

static void wrong_paths(void **state) {
  static const struct {
    rp_field leaves, tree;
    uint64_t n_leaves, n_tree;
    uint32_t index;
    rp_status status;
    const char *reason;
  } cases[] = {
      {RP_FIELD_GOLDILOCKS, RP_FIELD_GOLDILOCKS, 16, 16, 4, RP_ERR_INPUT, "out of range"},
      {RP_FIELD_GOLDILOCKS, RP_FIELD_GOLDILOCKS, 16, 16, UINT32_MAX, RP_ERR_INPUT, "out of range"},
      {RP_FIELD_GOLDILOCKS, RP_FIELD_GOLDILOCKS, 12, 12, 0, RP_ERR_SHAPE, "2^k >= 2 digests of 4"},
      {RP_FIELD_GOLDILOCKS, RP_FIELD_GOLDILOCKS, 4, 4, 0, RP_ERR_SHAPE, "2^k >= 2 digests of 4"},
      {RP_FIELD_GOLDILOCKS, RP_FIELD_GOLDILOCKS, 18, 18, 0, RP_ERR_SHAPE, "2^k >= 2 digests of 4"},
      {RP_FIELD_GOLDILOCKS, RP_FIELD_GOLDILOCKS, 16, 8, 0, RP_ERR_SHAPE, "the tree has 8 elements"},
      {RP_FIELD_BABYBEAR, RP_FIELD_GOLDILOCKS, 16, 16, 0, RP_ERR_TYPE, "the leaves are of type babybear"},
      {RP_FIELD_GOLDILOCKS, RP_FIELD_BABYBEAR, 16, 16, 0, RP_ERR_TYPE, "the tree is of type babybear"},
  };
  static const uint64_t zeros[18];
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    uint8_t out[2 * 32];
    job j;
    job_begin(&j);
    const rp_value leaves = job_input(&j, rp_type_field(cases[c].leaves), cases[c].n_leaves, zeros);
    const rp_value tree = job_input(&j, rp_type_field(cases[c].tree), cases[c].n_tree, zeros);
    const rp_value index = job_input(&j, &RP_TYPE_U32, 1, &cases[c].index);
    job_output(&j, rp_merkle_paths(j.graph, RP_HASH_RESCUE_RP64_256, leaves, tree, index), out);
    assert_int_equal(job_run(&j), cases[c].status);
    if (!strstr(j.error.reason, cases[c].reason)) fail_msg("case %zu: %s", c, j.error.reason);
  }
  job j;
  job_begin(&j);
  rp_merkle_paths(j.graph, RP_HASH_NONE, RP_NO_VALUE, RP_NO_VALUE, RP_NO_VALUE);
  assert_non_null(strstr(rp_graph_error(j.graph)->reason, "merkle_paths: hash 0 is unknown"));
  rp_graph_destroy(j.graph);
}

/* ---- Every operation --------------------------------------------------------------------------------------------- */

/* A node with one operand more than its operation takes is refused. The message names the operation and its
 * parameters. */
static void refused_by_name(void **state) {
  const rp_catalog *catalog = rp_ops_catalog();
  (void)state;
  for (uint32_t i = 0; i < catalog->n_ops; i++) {
    const rp_op *op = catalog->ops[i];
    const rp_schema *s = op->schema;
    const uint32_t most = s->most_in < s->least_in ? s->least_in : s->most_in;
    rp_value in[17], out[8];
    job j;
    if (most > 16) continue; /* any number of parts or columns */
    uint8_t *params = calloc(1, op->params_bytes + 1u);
    job_begin(&j);
    for (uint32_t k = 0; k <= most; k++) in[k] = job_input(&j, &RP_TYPE_U32, 1, "four");
    rp_graph_node(j.graph, op, op->params_bytes ? params : NULL, in, most + 1, out, s->least_out ? s->least_out : 1);
    const char *reason = rp_graph_error(j.graph)->reason;
    if (!strstr(reason, op->name) || !strstr(reason, "operands")) fail_msg("%s: '%s'", op->name, reason);
    for (uint32_t k = 0; k < s->n_params; k++)
      if (!strstr(reason, s->params[k].name)) fail_msg("%s: '%s' lacks %s", op->name, reason, s->params[k].name);
    rp_graph_destroy(j.graph);
    free(params);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_challenge_everywhere), cmocka_unit_test(paths),
                                     cmocka_unit_test(wrong_paths), cmocka_unit_test(refused_by_name)};
  return device_run_tests("computed", tests, sizeof tests / sizeof tests[0]);
}
