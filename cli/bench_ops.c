/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The cases of `reprise bench` that the examples of operations (bench_any.c) cannot express: several nodes, operands
 * with structure, or costs that are not a number of products per element. Each has a table entry and a function.
 */
#include "bench.h"
#include "halo2_circuit.h"

static rp_value build_batch_inverse(bench_build *b) {
  rp_value x = bench_elements(b, b->field, b->n);
  for (uint32_t i = 0; i < b->in_a_row; i++) x = rp_batch_inverse(b->graph, x, NULL);
  return x;
}

/* A gate with rotations and a fifth power: four columns, six products. */
static rp_value build_expr(bench_build *b) {
  static const rp_expr_code code[] = {
      {RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_COLUMN, 1, 0},  {RP_EXPR_MUL, 0, 0},    {RP_EXPR_COLUMN, 2, 1},
      {RP_EXPR_SUB, 0, 0},    {RP_EXPR_STORE, 0, 0},   {RP_EXPR_LOAD, 0, 0},   {RP_EXPR_SQR, 0, 0},
      {RP_EXPR_SQR, 0, 0},    {RP_EXPR_LOAD, 0, 0},    {RP_EXPR_MUL, 0, 0},    {RP_EXPR_COLUMN, 3, 0},
      {RP_EXPR_MUL, 0, 0},    {RP_EXPR_COLUMN, 0, -1}, {RP_EXPR_COLUMN, 1, 0}, {RP_EXPR_ADD, 0, 0},
      {RP_EXPR_COLUMN, 3, 0}, {RP_EXPR_MUL, 0, 0},     {RP_EXPR_ADD, 0, 0}};
  rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = sizeof code / sizeof *code};
  rp_value columns[BENCH_INPUTS];
  for (unsigned i = 0; i < BENCH_INPUTS; i++) columns[i] = bench_elements(b, b->field, b->n);
  return rp_expr(b->graph, columns, BENCH_INPUTS, RP_NO_VALUE, &o);
}

/* Limited by memory, not arithmetic: a sum of columns. */
static rp_value build_expr_sum(bench_build *b) {
  static const rp_expr_code code[] = {{RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_COLUMN, 1, 0}, {RP_EXPR_ADD, 0, 0},
                                      {RP_EXPR_COLUMN, 2, 1}, {RP_EXPR_ADD, 0, 0},    {RP_EXPR_COLUMN, 3, -1},
                                      {RP_EXPR_ADD, 0, 0}};
  rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = sizeof code / sizeof *code};
  rp_value columns[BENCH_INPUTS];
  for (unsigned i = 0; i < BENCH_INPUTS; i++) columns[i] = bench_elements(b, b->field, b->n);
  return rp_expr(b->graph, columns, BENCH_INPUTS, RP_NO_VALUE, &o);
}

static rp_value transforms(bench_build *b, const rp_ntt_options *options) {
  rp_value x = bench_elements(b, b->field, b->n);
  for (uint32_t i = 0; i < b->in_a_row; i++) x = rp_ntt(b->graph, x, options);
  return x;
}

static rp_value build_ntt(bench_build *b) {
  return transforms(b, &(rp_ntt_options){.struct_size = sizeof(rp_ntt_options), .root = RP_ROOT_SNARKJS});
}

/* Bit-reversed order on one side costs least, and is enough for products of polynomials. */
static rp_value build_ntt_reversed(bench_build *b) {
  return transforms(b, &(rp_ntt_options){.struct_size = sizeof(rp_ntt_options),
                                         .root = RP_ROOT_SNARKJS,
                                         .out_order = RP_ORDER_BIT_REVERSED});
}

static rp_value build_intt(bench_build *b) {
  return transforms(b, &(rp_ntt_options){.struct_size = sizeof(rp_ntt_options), .root = RP_ROOT_SNARKJS, .inverse = 1});
}

/* Rows of four elements: two Merkle levels' worth for Poseidon, an ordinary row for Rescue. Poseidon: eight full and
 * sixty partial rounds of fifth powers, and a matrix of five rows, whose dot products are reduced once: half a product
 * per term and half for the reduction. Rescue: seven rounds of twelve seventh powers and as many seventh roots; its
 * matrix has small entries. */
enum { ROW = 4, POSEIDON_PRODUCTS = 3 * (8 * 5 + 60) + (8 + 60) * 5 * 6 / 2, RESCUE_PRODUCTS = 7 * 12 * (4 + 72) };

static rp_value build_poseidon(bench_build *b) {
  return rp_hash_rows(b->graph, RP_HASH_POSEIDON_BN254, bench_elements(b, b->field, ROW * b->n), ROW);
}

static rp_value build_rescue(bench_build *b) {
  return rp_hash_rows(b->graph, RP_HASH_RESCUE_RP64_256, bench_elements(b, b->field, ROW * b->n), ROW);
}

/* A permutation of Keccak-f[1600] takes about as many instructions as twenty products of 254 bits: 24 rounds of 150 to
 * 180 operations on words. A block holds four and a quarter integers. */
enum { KECCAK_PRODUCTS = 20 };

/* In the same way, a row and its padding are three blocks of SHA-256, with 1,800 instructions each, and one of BLAKE2b,
 * with 3,000. */
enum { SHA256_PRODUCTS = 18, BLAKE2B_PRODUCTS = 10 };

static rp_value build_keccak256(bench_build *b) { return rp_keccak256(b->graph, bench_canonical(b, b->field, b->n)); }

static rp_value build_keccak256_rows(bench_build *b) {
  return rp_keccak256_rows(b->graph, bench_canonical(b, b->field, ROW * b->n), ROW);
}

/* The options of the Groth16 prover. */
static const rp_msm_options *msm_options(const bench_build *b, bool tables, rp_msm_options *o) {
  *o = (rp_msm_options){.struct_size = sizeof *o, .window_bits = b->window_bits, .precompute = tables ? 0 : 1};
  return o;
}

/* As rp_msm_group does it, split by points. */
static rp_value build_msm_over_devices(bench_build *b) {
  rp_value points[RP_GROUP_MOST], sums[RP_GROUP_MOST], scalars = bench_scalars(b, b->n);
  const uint32_t n = rp_group_size(b->device);
  uint64_t first = 0;
  if (b->n < n) return rp_graph_fail(b->graph, RP_ERR_SHAPE, "there are fewer points than devices");
  if (!bench_points_of_devices(b, b->n, points)) return RP_NO_VALUE;
  for (uint32_t d = 0; d < n; d++) {
    const uint64_t len = rp_value_len(b->graph, points[d]);
    const rp_msm_options *o = msm_options(b, 1, &(rp_msm_options){0});
    (void)rp_on(b->graph, d);
    sums[d] = rp_copy_to(b->graph, rp_msm(b->graph, rp_slice(b->graph, scalars, first, len), points[d], o), 0);
    first += len;
  }
  (void)rp_on(b->graph, 0);
  return rp_tree_reduce(b->graph, rp_concat(b->graph, sums, n), 0);
}

static rp_value build_msm(bench_build *b) {
  if (rp_group_size(b->device) > 1) return build_msm_over_devices(b);
  rp_value scalars = bench_scalars(b, b->n), points = bench_points(b, b->n, 1);
  return rp_msm(b->graph, scalars, points, msm_options(b, 1, &(rp_msm_options){0}));
}

/* Without tables: the points are inputs like the scalars. */
static rp_value build_msm_once(bench_build *b) {
  rp_value scalars = bench_scalars(b, b->n), points = bench_points(b, b->n, 0);
  return rp_msm(b->graph, scalars, points, msm_options(b, 0, &(rp_msm_options){0}));
}

static rp_value build_tree_reduce(bench_build *b) { return rp_tree_reduce(b->graph, bench_points(b, b->n, 0), 0); }

static rp_value build_scalar_mul(bench_build *b) {
  rp_value scalars = bench_scalars(b, b->n), points = bench_points(b, b->n, 0);
  return rp_scalar_mul(b->graph, scalars, points);
}

static rp_value build_fixed_base_mul(bench_build *b) {
  const rp_value base = bench_points(b, 1, 1), scalars = bench_scalars(b, b->n);
  const rp_fixed_base table = rp_fixed_base_table(b->graph, base, BENCH_FIXED_BASE_BITS);
  return rp_fixed_base_mul(b->graph, &table, scalars);
}

static rp_value build_point_add(bench_build *b) {
  rp_value x = bench_points(b, b->n, 0), y = bench_points(b, b->n, 0);
  return rp_point_add(b->graph, x, y);
}

static rp_value build_to_affine(bench_build *b) { return rp_to_affine(b->graph, bench_accumulators(b, b->n)); }

/* Per node, one Poseidon permutation of eight full and 57 partial rounds and width three, or one of Rescue. */
enum { MERGE_PRODUCTS = 3 * (8 * 3 + 57) + (8 + 57) * 3 * 4 / 2 };

static rp_value build_merkle_poseidon(bench_build *b) {
  return rp_merkle_tree(b->graph, RP_HASH_POSEIDON_BN254, bench_elements(b, b->field, b->n), NULL);
}

static rp_value build_merkle_rescue(bench_build *b) {
  return rp_merkle_tree(b->graph, RP_HASH_RESCUE_RP64_256, bench_elements(b, b->field, ROW * b->n), NULL);
}

const bench_op bench_special[] = {
    {.name = "gather",
     .over = BENCH_OVER_FIELDS,
     .max_log_n = 20,
     .build = bench_build_gather,
     .cost = bench_cost_gather},
    {.name = "select", .over = BENCH_OVER_FIELDS, .max_log_n = 20, .build = bench_build_select, .moved = 2},
    {.name = "spmv", .over = BENCH_OVER_FIELDS, .max_log_n = 20, .build = bench_build_spmv, .cost = bench_cost_spmv},
    {.name = "spmv_skewed",
     .over = BENCH_OVER_FIELDS,
     .max_log_n = 20,
     .build = bench_build_spmv_skewed,
     .cost = bench_cost_spmv},
    {.name = "spmv_points", .over = BENCH_OVER_CURVES, .max_log_n = 20, .build = bench_build_spmv_points},
    {.name = "csr_transpose",
     .over = BENCH_OVER_FIELDS,
     .max_log_n = 20,
     .build = bench_build_csr_transpose,
     .cost = bench_cost_csr_transpose},
    {.name = "prefix_sum",
     .only_one = 1,
     .only_field = RP_FIELD_GOLDILOCKS,
     .max_log_n = 20,
     .build = bench_build_prefix_sum,
     .cost = bench_cost_prefix_sum},
    {.name = "expr", .over = BENCH_OVER_FIELDS, .max_log_n = 20, .build = build_expr, .products = 6, .moved = 5},
    {.name = "expr_sum", .over = BENCH_OVER_FIELDS, .max_log_n = 20, .build = build_expr_sum, .moved = 5},
    {.name = "batch_inverse",
     .over = BENCH_OVER_FIELDS,
     .max_log_n = 20,
     .build = build_batch_inverse,
     .products = 3,
     .moved = 2,
     .chains = 1},
    {.name = "ntt",
     .over = BENCH_OVER_FIELDS,
     .max_log_n = 20,
     .build = build_ntt,
     .cost = bench_cost_ntt,
     .chains = 1},
    {.name = "ntt_reversed",
     .over = BENCH_OVER_FIELDS,
     .max_log_n = 20,
     .build = build_ntt_reversed,
     .cost = bench_cost_ntt,
     .chains = 1},
    {.name = "intt",
     .over = BENCH_OVER_FIELDS,
     .max_log_n = 20,
     .build = build_intt,
     .cost = bench_cost_ntt,
     .chains = 1},
    {.name = "ntt_split_radix",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .min_log_n = 3,
     .max_log_n = 20,
     .build = bench_build_split_radix,
     .cost = bench_cost_ntt,
     .chains = 1},
    {.name = "ntt_radix_passes",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .min_log_n = 1,
     .max_log_n = 20,
     .build = bench_build_radix_passes,
     .cost = bench_cost_ntt,
     .chains = 1},
    {.name = "halo2_quotient",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .min_log_n = CIRCUIT_LEAST_LOG,
     .max_log_n = 12,
     .build = bench_build_halo2_quotient,
     .cost = bench_cost_halo2_quotient},
    {.name = "halo2_commitments",
     .over = BENCH_OVER_CURVES,
     .only_one = 1,
     .only_curve = RP_CURVE_BN254_G1,
     .max_log_n = 12,
     .build = bench_build_halo2_commitments,
     .cost = bench_cost_halo2_commitments},
    {.name = "poseidon",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 14,
     .build = build_poseidon,
     .products = POSEIDON_PRODUCTS,
     .moved = ROW + 1},
    {.name = "rescue",
     .only_one = 1,
     .only_field = RP_FIELD_GOLDILOCKS,
     .max_log_n = 14,
     .build = build_rescue,
     .products = RESCUE_PRODUCTS,
     .moved = ROW + 4},
    {.name = "merkle_poseidon",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 14,
     .build = build_merkle_poseidon,
     .products = MERGE_PRODUCTS,
     .moved = 2},
    {.name = "merkle_rescue",
     .only_one = 1,
     .only_field = RP_FIELD_GOLDILOCKS,
     .max_log_n = 14,
     .build = build_merkle_rescue,
     .products = RESCUE_PRODUCTS,
     .moved = 2 * ROW},
    {.name = "keccak256", /* a transcript: its blocks wait for each other */
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 10,
     .build = build_keccak256,
     .products = KECCAK_PRODUCTS / 4.25,
     .moved = 1},
    {.name = "keccak256_rows",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 14,
     .build = build_keccak256_rows,
     .products = KECCAK_PRODUCTS,
     .moved = ROW + 1},
    {.name = "sha256_rows",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 14,
     .build = bench_build_sha256_rows,
     .products = SHA256_PRODUCTS,
     .moved = ROW + 1},
    {.name = "blake2b_rows",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 14,
     .build = bench_build_blake2b_rows,
     .products = BLAKE2B_PRODUCTS,
     .moved = ROW + 2},
    {.name = "poseidon2",
     .poseidon2 = 1,
     .max_log_n = 14,
     .build = bench_build_poseidon2,
     .cost = bench_cost_poseidon2},
    {.name = "merkle_poseidon2",
     .poseidon2 = 1,
     .max_log_n = 14,
     .build = bench_build_merkle_poseidon2,
     .cost = bench_cost_merkle_poseidon2},
    /* One round of a transcript, whatever the size: ask for several in a row. */
    {.name = "challenge_keccak256",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 10,
     .build = bench_build_challenge_keccak256,
     .chains = 1},
    {.name = "challenge_sha256",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 10,
     .build = bench_build_challenge_sha256,
     .chains = 1},
    {.name = "challenge_blake2b",
     .only_one = 1,
     .only_field = RP_FIELD_BN254_FR,
     .max_log_n = 10,
     .build = bench_build_challenge_blake2b,
     .chains = 1},
    {.name = "challenge_poseidon2",
     .poseidon2 = 1,
     .max_log_n = 10,
     .build = bench_build_challenge_poseidon2,
     .chains = 1},
    {.name = "msm",
     .over = BENCH_OVER_CURVES,
     .max_log_n = 16,
     .build = build_msm,
     .cost = bench_cost_msm,
     .over_devices = 1},
    {.name = "msm_once",
     .over = BENCH_OVER_CURVES,
     .max_log_n = 16,
     .build = build_msm_once,
     .cost = bench_cost_msm_once},
    {.name = "tree_reduce",
     .over = BENCH_OVER_CURVES,
     .max_log_n = 16,
     .build = build_tree_reduce,
     .cost = bench_cost_tree_reduce},
    {.name = "scalar_mul",
     .over = BENCH_OVER_CURVES,
     .max_log_n = 10,
     .build = build_scalar_mul,
     .cost = bench_cost_scalar_mul},
    {.name = "fixed_base_mul",
     .over = BENCH_OVER_CURVES,
     .max_log_n = 16,
     .build = build_fixed_base_mul,
     .cost = bench_cost_fixed_base},
    {.name = "point_add",
     .over = BENCH_OVER_CURVES,
     .max_log_n = 16,
     .build = build_point_add,
     .cost = bench_cost_point_add},
    {.name = "to_affine",
     .over = BENCH_OVER_CURVES,
     .max_log_n = 16,
     .build = build_to_affine,
     .cost = bench_cost_to_affine},
};
const unsigned bench_n_special = sizeof bench_special / sizeof *bench_special;

bool bench_applies(const bench_op *op, rp_field field, rp_curve curve, uint32_t log_n) {
  /* The tiny field and curve are for exhaustive tests. */
  enum { TINY_BITS = 16 };
  const rp_field_host *f = rp_field_get(op->over == BENCH_OVER_CURVES ? rp_curve_scalar_field(curve) : field);
  if (!f || f->modulus_bits < TINY_BITS) return 0;
  if (log_n < op->min_log_n) return 0;
  if (op->over == BENCH_OVER_CURVES) return !op->only_one || curve == op->only_curve;
  if (f->degree != 1 || (op->only_one && field != op->only_field)) return 0;
  if (op->poseidon2 && field != RP_FIELD_BN254_FR && field != RP_FIELD_BABYBEAR && field != RP_FIELD_KOALABEAR)
    return 0;
  return (op->build != build_ntt && op->build != build_ntt_reversed && op->build != build_intt) ||
         log_n <= f->two_adicity;
}
