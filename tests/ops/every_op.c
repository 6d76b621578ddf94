/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "every_op.h"
#include "msm/eisenstein.h"
#include "msm/eisenstein_reduce.h"
#include "msm/msm_small.h"

#include <reprise/transcript.h>

#include <stdio.h>

static rp_value input(const every_op_case *c, const rp_type *type, uint64_t len) {
  static unsigned n;
  char name[16];
  snprintf(name, sizeof name, "in%u", n++);
  return c->computed ? rp_pad(c->g, rp_graph_input(c->g, name, type, 1, 0), len)
                     : rp_graph_input(c->g, name, type, len, 0);
}
static rp_value u32(const every_op_case *c, uint64_t len) { return input(c, &RP_TYPE_U32, len); }
static rp_value elements(const every_op_case *c, uint64_t len) { return input(c, rp_type_field(c->field), len); }
static rp_value x(const every_op_case *c) { return elements(c, c->n); }
static rp_value one(const every_op_case *c) { return elements(c, 1); }
static rp_value affine(const every_op_case *c) { return input(c, rp_type_affine(c->curve), c->n); }
static rp_value scalars(const every_op_case *c) { return input(c, &RP_TYPE_U256, c->n); }
static int is_prime(rp_field field) { return rp_field_get(field)->degree == 1; }

/* ---- Field vectors ----------------------------------------------------------------------------------------------- */

static rp_value do_copy_to(const every_op_case *c) { return rp_copy_to(c->g, x(c), 0); }
static rp_value do_from_montgomery(const every_op_case *c) { return rp_neg(c->g, rp_from_montgomery(c->g, x(c))); }
static rp_value do_to_montgomery(const every_op_case *c) { return rp_neg(c->g, rp_to_montgomery(c->g, x(c))); }
static rp_value do_field_constant(const every_op_case *c) {
  const uint8_t two[96] = {2};
  return rp_mul(c->g, x(c), rp_field_constant(c->g, "two", c->field, two));
}
static rp_value do_expr(const every_op_case *c) {
  const rp_expr_code code[] = {{.op = RP_EXPR_COLUMN, .rotation = 1}, {.op = RP_EXPR_SQR}};
  const rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = 2};
  rp_value columns[33], results[3];
  columns[0] = x(c);
  for (int i = 1; i < 33; i++) columns[i] = columns[0];
  /* The number of columns decides which kernel is used. The results are concatenated, not added, because the planner
   * would fuse a sum into the expressions. */
  results[0] = rp_expr(c->g, columns, 1, RP_NO_VALUE, &o);
  results[1] = rp_expr(c->g, columns, 9, RP_NO_VALUE, &o);
  results[2] = rp_expr(c->g, columns, 33, RP_NO_VALUE, &o);
  return rp_concat(c->g, results, 3);
}
static rp_value do_ntt(const every_op_case *c) {
  uint64_t root[12], n = c->n;
  if (!is_prime(c->field)) return RP_NO_VALUE;
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .inverse = 1};
  const uint32_t adicity = rp_field_get(c->field)->two_adicity;
  if (adicity < 16 && n >> adicity) n = (uint64_t)1 << adicity;
  while (n & (n - 1)) n &= n - 1;
  assert_true(rp_field_get(c->field)->root(root, o.root, 1));
  const rp_value natural = rp_ntt(c->g, elements(c, n), &o);
  o.in_order = RP_ORDER_BIT_REVERSED;
  return rp_add(c->g, natural, rp_ntt(c->g, elements(c, n), &o));
}
static rp_value do_ntt_coset(const every_op_case *c) {
  const rp_ntt_options forward = {
      .struct_size = sizeof forward, .root = RP_ROOT_SNARKJS, .in_order = RP_ORDER_BIT_REVERSED};
  rp_ntt_options inverse = forward;
  inverse.inverse = 1;
  if (!is_prime(c->field)) return RP_NO_VALUE;
  const rp_value shift = one(c), in = elements(c, 2);
  return rp_ntt_coset(c->g, rp_ntt_coset(c->g, in, shift, &forward), shift, &inverse);
}
static rp_value do_spmv(const every_op_case *c) {
  rp_value sum = RP_NO_VALUE;
  for (rp_spmv_scheme s = RP_SPMV_AUTO; s <= RP_SPMV_BALANCED; s++) {
    const rp_spmv_options o = {.struct_size = sizeof o, .scheme = s};
    const rp_csr m = {u32(c, c->n + 1), u32(c, 3 * c->n), elements(c, 3 * c->n), c->n, c->n};
    const rp_value y = rp_spmv(c->g, &m, x(c), &o);
    sum = s ? rp_add(c->g, sum, y) : y;
  }
  return sum;
}
static rp_value do_ell_to_csr(const every_op_case *c) {
  const rp_ell m = {u32(c, c->n), u32(c, 2 * c->n), elements(c, 2 * c->n), c->n, c->n, 2};
  return rp_ell_to_csr(c->g, &m).val;
}
static rp_value do_csr_transpose(const every_op_case *c) {
  const rp_csr m = {u32(c, c->n + 1), u32(c, 3 * c->n), elements(c, 3 * c->n), c->n, c->n};
  return rp_csr_transpose(c->g, &m).val;
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

static rp_value do_compress(const every_op_case *c) {
  const int encoded = rp_point_compressed_bytes(c->curve) && is_prime(rp_curve_base_field(c->curve));
  return encoded ? rp_compress(c->g, affine(c)) : RP_NO_VALUE;
}
static rp_fixed_base base(const every_op_case *c) {
  return rp_fixed_base_table(c->g, input(c, rp_type_affine(c->curve), 2), 4);
}
static rp_value do_fixed_base_table(const every_op_case *c) { return base(c).table; }
static rp_value do_fixed_base_mul(const every_op_case *c) {
  const rp_fixed_base b = base(c);
  return rp_fixed_base_mul(c->g, &b, scalars(c));
}
/* One product of many points, and products of few points. Those are also built as rp_msm_small, which is what the
 * planner makes of them on every device. */
static rp_value do_msm(const every_op_case *c) {
  enum { POINTS = 3, BATCH = 16 };
  const rp_msm_options many = {.struct_size = sizeof many, .batch = BATCH};
  const rp_value of_few = input(c, &RP_TYPE_U256, POINTS * BATCH), few = input(c, rp_type_affine(c->curve), POINTS);
  const rp_value sums = rp_point_add(c->g, rp_msm(c->g, of_few, few, &many), rp_msm_small(c->g, of_few, few, BATCH));
  return rp_point_add(c->g, rp_msm(c->g, scalars(c), affine(c), NULL), rp_tree_reduce(c->g, sums, 0));
}
static rp_value sorted_scalars(const every_op_case *c) {
  const rp_msm_scalars_options o = {.struct_size = sizeof o, .curve = c->curve, .products = 2};
  return rp_msm_scalars(c->g, scalars(c), &o);
}
static rp_value do_msm_of(const every_op_case *c) {
  return rp_msm_of(c->g, sorted_scalars(c), affine(c), u32(c, (c->n + 31) / 32));
}
static rp_value do_msm_scalars(const every_op_case *c) {
  return rp_msm_of(c->g, sorted_scalars(c), affine(c), RP_NO_VALUE);
}
static rp_buckets buckets(const every_op_case *c) {
  const rp_bucket_options o = {.struct_size = sizeof o, .curve = c->curve, .window_bits = 5};
  return rp_bucket_matrix(c->g, scalars(c), &o);
}
static rp_value do_bucket_matrix(const every_op_case *c) { return buckets(c).entries; }
static rp_value do_bucket_filter(const every_op_case *c) {
  const rp_buckets b = buckets(c);
  return rp_bucket_filter(c->g, &b, u32(c, (c->n + 31) / 32)).entries;
}
static rp_value do_bucket_range(const every_op_case *c) {
  const rp_buckets b = buckets(c), first = rp_bucket_range(c->g, &b, 0, 1);
  return rp_bucket_windows(c->g, &first, affine(c));
}
static rp_value do_bucket_accumulate(const every_op_case *c) {
  const rp_buckets b = buckets(c);
  return rp_bucket_accumulate(c->g, &b, affine(c));
}
static rp_value do_bucket_reduce(const every_op_case *c) {
  const rp_buckets b = buckets(c);
  return rp_bucket_reduce(c->g, &b, rp_bucket_accumulate(c->g, &b, affine(c)));
}
static rp_value do_bucket_windows(const every_op_case *c) {
  const rp_buckets b = buckets(c);
  return rp_bucket_windows(c->g, &b, affine(c));
}
static rp_value do_window_reduce(const every_op_case *c) {
  const rp_buckets b = buckets(c);
  return rp_window_reduce(c->g, &b, rp_bucket_windows(c->g, &b, affine(c)));
}
static rp_value do_eisenstein_reduce(const every_op_case *c) {
  uint64_t columns = 1;
  while (columns * columns < c->n) columns++;
  if (!rp_curve_endomorphism(c->curve)) return RP_NO_VALUE;
  const rp_value sums = input(c, rp_type_accumulator(c->curve), columns * (columns + 1));
  return rp_eisenstein_reduce(c->g, sums, (uint32_t)columns);
}
enum { EISENSTEIN_WINDOWS = 20 };
static rp_value do_eisenstein_matrix(const every_op_case *c) {
  if (!rp_curve_endomorphism(c->curve)) return RP_NO_VALUE;
  return rp_eisenstein_matrix(c->g, scalars(c), c->curve, EISENSTEIN_WINDOWS).entries;
}
static rp_value do_eisenstein_sums(const every_op_case *c) {
  if (!rp_curve_endomorphism(c->curve)) return RP_NO_VALUE;
  const rp_buckets b = rp_eisenstein_matrix(c->g, scalars(c), c->curve, EISENSTEIN_WINDOWS);
  const rp_value multiples = rp_eisenstein_multiples(c->g, affine(c), EISENSTEIN_WINDOWS);
  return rp_eisenstein_sums(c->g, &b, multiples, EISENSTEIN_WINDOWS);
}

/* ---- Hashes ------------------------------------------------------------------------------------------------------ */

static rp_hash hash_over(rp_field field, int variant) {
  if (field == RP_FIELD_BN254_FR) return variant ? RP_HASH_NONE : RP_HASH_POSEIDON_BN254;
  if (field != RP_FIELD_GOLDILOCKS) return RP_HASH_NONE;
  return variant ? RP_HASH_RESCUE_RP64_256_WINTERFELL : RP_HASH_RESCUE_RP64_256;
}
static rp_value do_hash_permute(const every_op_case *c) {
  rp_value all[32];
  uint32_t n = 0;
  for (int variant = 0; variant < 2; variant++) {
    const rp_hash hash = hash_over(c->field, variant);
    const int rescue = c->field == RP_FIELD_GOLDILOCKS;
    for (uint32_t t = rescue ? 12 : 2; hash && t <= (rescue ? 12u : 17u); t++)
      all[n++] = rp_hash_permute(c->g, hash, t, elements(c, t * c->n));
  }
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}
static rp_value do_hash_rows(const every_op_case *c) {
  rp_value all[32];
  uint32_t n = 0;
  for (int variant = 0; variant < 2; variant++)
    for (uint32_t len = 1; hash_over(c->field, variant) && len <= 16; len++)
      all[n++] = rp_hash_rows(c->g, hash_over(c->field, variant), elements(c, len * c->n), len);
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}
static rp_value do_merkle_level(const every_op_case *c) {
  rp_value all[2];
  uint32_t n = 0;
  for (int variant = 0; variant < 2; variant++) {
    const rp_hash hash = hash_over(c->field, variant);
    if (hash) all[n++] = rp_merkle_level(c->g, hash, elements(c, 2 * rp_hash_digest_len(hash) * c->n));
  }
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}

/* Poseidon2 over that field; its last variant is NONE. */
static rp_hash poseidon2_over(rp_field field, int variant) {
  if (field == RP_FIELD_BN254_FR) return variant < 3 ? RP_HASH_POSEIDON2_BN254_T2 + variant : RP_HASH_NONE;
  if (variant) return RP_HASH_NONE;
  return field == RP_FIELD_BABYBEAR    ? RP_HASH_POSEIDON2_BABYBEAR
         : field == RP_FIELD_KOALABEAR ? RP_HASH_POSEIDON2_KOALABEAR
                                       : RP_HASH_NONE;
}
static rp_value poseidon2_trees(const every_op_case *c) {
  rp_value all[6];
  uint32_t n = 0;
  uint64_t leaves = c->n;
  while (leaves & (leaves - 1)) leaves &= leaves - 1;
  for (int variant = 0; poseidon2_over(c->field, variant); variant++)
    for (rp_merkle_schedule s = RP_MERKLE_LEVELS; s <= RP_MERKLE_SUBTREES; s += 2) {
      const rp_hash hash = poseidon2_over(c->field, variant);
      const rp_merkle_options o = {.struct_size = sizeof o, .schedule = s};
      all[n++] = rp_merkle_tree(c->g, hash, elements(c, rp_hash_digest_len(hash) * leaves), &o);
    }
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}

static rp_value do_merkle_tree(const every_op_case *c) {
  rp_value all[7];
  uint32_t n = 0;
  uint64_t leaves = c->n;
  while (leaves & (leaves - 1)) leaves &= leaves - 1;
  for (int variant = 0; variant < 2; variant++) {
    const rp_hash hash = hash_over(c->field, variant);
    for (rp_merkle_schedule s = RP_MERKLE_LEVELS; hash && s <= RP_MERKLE_SUBTREES; s++) {
      const rp_merkle_options o = {.struct_size = sizeof o, .schedule = s};
      all[n++] = rp_merkle_tree(c->g, hash, elements(c, rp_hash_digest_len(hash) * leaves), &o);
    }
  }
  const rp_value more = poseidon2_trees(c);
  if (more.id) all[n++] = more;
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}
static rp_value do_merkle_paths(const every_op_case *c) {
  const rp_hash hash = hash_over(c->field, 0);
  if (!hash) return RP_NO_VALUE;
  const rp_value leaves = elements(c, 8 * (uint64_t)rp_hash_digest_len(hash));
  return rp_merkle_paths(c->g, hash, leaves, rp_merkle_tree(c->g, hash, leaves, NULL), u32(c, 3));
}

static rp_value do_keccak256_rows(const every_op_case *c) {
  return rp_keccak256_rows(c->g, input(c, &RP_TYPE_U256, 5 * c->n), 5);
}

static rp_value do_sponge(const every_op_case *c) {
  rp_value all[4];
  uint32_t n = 0;
  for (int variant = 0; poseidon2_over(c->field, variant); variant++)
    if (poseidon2_over(c->field, variant) != RP_HASH_POSEIDON2_BN254_T2)
      all[n++] = rp_sponge(c->g, poseidon2_over(c->field, variant), elements(c, 5 * c->n), 5, 9);
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}

static rp_value u8(const every_op_case *c, uint64_t len) { return input(c, &RP_TYPE_U8, len); }
static rp_value do_from_bytes(const every_op_case *c) {
  const rp_bytes_options o = {.struct_size = sizeof o, .encoding = RP_BIG_ENDIAN, .row_bytes = 5};
  return rp_from_bytes(c->g, u8(c, 5 * c->n), &RP_TYPE_U256, &o);
}
static rp_value do_low_bits(const every_op_case *c) {
  return is_prime(c->field) ? rp_low_bits(c->g, x(c), 7) : RP_NO_VALUE;
}
static rp_value do_sha256_rows(const every_op_case *c) { return rp_sha256_rows(c->g, u8(c, 5 * c->n), 5); }
static rp_value do_blake2b(const every_op_case *c) { return rp_blake2b(c->g, u8(c, c->n), NULL); }
static rp_value do_blake2b_rows(const every_op_case *c) { return rp_blake2b_rows(c->g, u8(c, 5 * c->n), 5, NULL); }

/* ---- The list ---------------------------------------------------------------------------------------------------- */

/* What examples cannot say: parameters that are codes or bytes, lengths that are powers of two, operands that other
 * operations make, and constructors that choose between operations. Each function builds its operation; it returns
 * RP_NO_VALUE without an error where a field has no such operation. */
#define FIELDS(name) \
  { #name, do_##name, RP_EXAMPLE_FIELDS, NULL, 0 }
#define CURVES(name) \
  { #name, do_##name, RP_EXAMPLE_CURVES, NULL, 0 }
static const every_op special[] = {
    FIELDS(copy_to),
    FIELDS(from_montgomery),
    FIELDS(to_montgomery),
    FIELDS(field_constant),
    FIELDS(expr),
    FIELDS(ntt),
    FIELDS(ntt_coset),
    FIELDS(spmv),
    FIELDS(ell_to_csr),
    FIELDS(csr_transpose),
    FIELDS(hash_permute),
    FIELDS(hash_rows),
    FIELDS(merkle_level),
    FIELDS(merkle_tree),
    FIELDS(merkle_paths),
    FIELDS(keccak256_rows),
    FIELDS(from_bytes),
    FIELDS(sha256_rows),
    FIELDS(blake2b),
    FIELDS(blake2b_rows),
    FIELDS(low_bits),
    FIELDS(sponge),
    CURVES(compress),
    CURVES(fixed_base_table),
    CURVES(fixed_base_mul),
    CURVES(msm),
    CURVES(msm_scalars),
    CURVES(msm_of),
    CURVES(bucket_matrix),
    CURVES(bucket_filter),
    CURVES(bucket_range),
    CURVES(bucket_accumulate),
    CURVES(bucket_reduce),
    CURVES(bucket_windows),
    CURVES(window_reduce),
    CURVES(eisenstein_matrix),
    CURVES(eisenstein_sums),
    CURVES(eisenstein_reduce),
};
enum { N_SPECIAL = sizeof special / sizeof *special, MOST_EXAMPLES = 512 };

static every_op examples[MOST_EXAMPLES];

size_t every_op_count(void) {
  static size_t n;
  const rp_catalog *catalog = rp_ops_catalog();
  if (n) return N_SPECIAL + n;
  for (uint32_t i = 0; i < catalog->n_ops; i++)
    for (uint32_t which = 0;; which++) {
      const rp_example_over over = rp_example_kind(catalog->ops[i], which);
      if (!over) break;
      assert_true(n < MOST_EXAMPLES);
      examples[n++] = (every_op){catalog->ops[i]->name, NULL, over, catalog->ops[i], which};
    }
  return N_SPECIAL + n;
}

const every_op *every_op_get(size_t i) { return i < N_SPECIAL ? &special[i] : &examples[i - N_SPECIAL]; }

int every_op_ids(const every_op *op) {
  return op->over == RP_EXAMPLE_CURVES ? (int)RP_CURVE_COUNT : op->over == RP_EXAMPLE_FIXED ? 1 : (int)RP_FIELD_COUNT;
}

static rp_value operand(void *user, rp_graph *g, const char *what, const rp_type *type, uint64_t len) {
  (void)g, (void)what;
  return input(user, type, len);
}

rp_value every_op_build(const every_op *op, int id, every_op_case *c) {
  const int curves = op->over == RP_EXAMPLE_CURVES;
  c->field = (rp_field)(curves ? 0 : id);
  c->curve = (rp_curve)(curves ? id : 0);
  if (op->build) return op->build(c);
  if (op->over == RP_EXAMPLE_PRIMES && !is_prime(c->field)) return RP_NO_VALUE;
  const rp_example_options o = {.struct_size = sizeof o,
                                .which = op->which,
                                .field = c->field,
                                .curve = c->curve,
                                .n = c->n,
                                .operand = operand,
                                .user = c};
  return rp_example_node(c->g, op->op, &o);
}

/* ---- Recording --------------------------------------------------------------------------------------------------- */

static void record(rp_context *context, rp_device *device, const every_op *op, int id, every_op_case c) {
  rp_recording *recording = NULL;
  rp_error error = {0};
  assert_int_equal(rp_graph_create(context, op->name, &c.g, &error), RP_OK);
  const rp_value out = every_op_build(op, id, &c);
  if (out.id || rp_graph_error(c.g)->status) {
    rp_graph_output(c.g, "out", out, 0);
    if (rp_record(device, c.g, NULL, &recording, &error))
      fail_msg("%s over %s: %s", op->name,
               op->over == RP_EXAMPLE_CURVES ? rp_curve_name(c.curve) : rp_field_name(c.field), error.reason);
    rp_recording_destroy(recording);
  }
  rp_graph_destroy(c.g);
}

static void record_all(rp_context *context, rp_device *device, uint64_t n, int computed) {
  for (size_t i = 0; i < every_op_count(); i++)
    for (int id = 0; id < every_op_ids(every_op_get(i)); id++)
      record(context, device, every_op_get(i), id, (every_op_case){.n = n, .computed = computed});
}

void every_op_record(rp_context *context, rp_device *device, uint64_t least) {
  for (uint64_t n = least; n <= 50000; n *= 100) record_all(context, device, n, 0);
}

void every_op_record_computed(rp_context *context, rp_device *device, uint64_t least) {
  record_all(context, device, least, 1);
}
