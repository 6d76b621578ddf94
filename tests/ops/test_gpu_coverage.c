/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every operation of reprise/ops.h, over every field or curve it has, lowers for a CUDA and for a Vulkan device to kernels
 * that have a variant for it. Needs no GPU: plans are made for the limits of one, on a null device that says it is one. The
 * list of operations is held against the header, so that a new one cannot be forgotten here.
 */
#include "device.h"

#include "engine/device.h"

#include <stdio.h>

typedef struct one_case {
  rp_graph *g;
  rp_field field;
  rp_curve curve;
  uint64_t n;
} one_case;

static rp_value input(const one_case *c, const rp_type *type, uint64_t len) {
  static unsigned n;
  char name[16];
  snprintf(name, sizeof name, "in%u", n++);
  return rp_graph_input(c->g, name, type, len, 0);
}
static rp_value u32(const one_case *c, uint64_t len) { return input(c, &RP_TYPE_U32, len); }
static rp_value elements(const one_case *c, uint64_t len) { return input(c, rp_type_field(c->field), len); }
static rp_value x(const one_case *c) { return elements(c, c->n); }
static rp_value one(const one_case *c) { return elements(c, 1); }
static rp_value affine(const one_case *c) { return input(c, rp_type_affine(c->curve), c->n); }
static rp_value acc(const one_case *c) { return input(c, rp_type_accumulator(c->curve), c->n); }
static rp_value scalars(const one_case *c) { return input(c, &RP_TYPE_U256, c->n); }
static int is_prime(rp_field field) { return rp_field_get(field)->degree == 1; }

/* ---- Field vectors ----------------------------------------------------------------------------------------------- */

static rp_value do_slice(const one_case *c) { return rp_slice(c->g, x(c), 1, c->n - 1); }
static rp_value do_concat(const one_case *c) { return rp_concat(c->g, (rp_value[]){x(c), one(c)}, 2); }
static rp_value do_gather(const one_case *c) { return rp_gather(c->g, x(c), u32(c, c->n)); }
static rp_value do_pad(const one_case *c) { return rp_pad(c->g, x(c), c->n + 3); }
static rp_value do_from_canonical(const one_case *c) {
  if (!is_prime(c->field)) return RP_NO_VALUE;
  return rp_from_canonical(c->g, input(c, rp_type_canonical(c->field), c->n), c->field, NULL);
}
static rp_value do_to_canonical(const one_case *c) {
  return is_prime(c->field) ? rp_to_canonical(c->g, x(c)) : RP_NO_VALUE;
}
static rp_value do_from_montgomery(const one_case *c) { return rp_neg(c->g, rp_from_montgomery(c->g, x(c))); }
static rp_value do_to_montgomery(const one_case *c) { return rp_neg(c->g, rp_to_montgomery(c->g, x(c))); }
static rp_value do_add(const one_case *c) { return rp_add(c->g, x(c), x(c)); }
static rp_value do_sub(const one_case *c) { return rp_sub(c->g, x(c), one(c)); }
static rp_value do_mul(const one_case *c) { return rp_mul(c->g, x(c), x(c)); }
static rp_value do_neg(const one_case *c) { return rp_neg(c->g, x(c)); }
static rp_value do_mul_sub(const one_case *c) { return rp_mul_sub(c->g, x(c), x(c), one(c)); }
static rp_value do_powers(const one_case *c) { return rp_powers(c->g, one(c), one(c), c->n); }
static rp_value do_mul_powers(const one_case *c) { return rp_mul_powers(c->g, x(c), one(c), RP_NO_VALUE); }
static rp_value do_field_constant(const one_case *c) {
  const uint8_t two[96] = {2};
  return rp_mul(c->g, x(c), rp_field_constant(c->g, "two", c->field, two));
}
static rp_value do_sum(const one_case *c) { return rp_sum(c->g, x(c)); }
static rp_value do_product(const one_case *c) { return rp_product(c->g, x(c)); }
static rp_value do_prefix_product(const one_case *c) { return rp_prefix_product(c->g, x(c), 1); }
static rp_value do_prefix_sum(const one_case *c) { return rp_prefix_sum(c->g, u32(c, c->n)); }
static rp_value do_poly_eval(const one_case *c) { return rp_poly_eval(c->g, x(c), elements(c, 3)); }
static rp_value do_expr(const one_case *c) {
  const rp_expr_code code[] = {{.op = RP_EXPR_COLUMN, .rotation = 1}, {.op = RP_EXPR_SQR}};
  const rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = 2};
  const rp_value column = x(c);
  return rp_expr(c->g, &column, 1, RP_NO_VALUE, &o);
}
static rp_value do_batch_inverse(const one_case *c) {
  rp_batch_inverse_options o = {.struct_size = sizeof o, .constant_time = 1};
  rp_batch_inverse_options serial = {.struct_size = sizeof serial, .serial = 1, .zero = RP_ZERO_STRICT};
  const rp_value in = x(c);
  return rp_add(c->g, rp_batch_inverse(c->g, in, NULL),
                rp_add(c->g, rp_batch_inverse(c->g, in, &o), rp_batch_inverse(c->g, in, &serial)));
}
static rp_value do_ntt(const one_case *c) {
  uint64_t root[12], n = c->n;
  if (!is_prime(c->field)) return RP_NO_VALUE;
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .inverse = 1};
  const uint32_t adicity = rp_field_get(c->field)->two_adicity;
  if (adicity < 16 && n >> adicity) n = (uint64_t)1 << adicity;
  while (n & (n - 1)) n &= n - 1;
  assert_true(rp_field_get(c->field)->root(root, o.root, 1));
  return rp_ntt(c->g, elements(c, n), &o);
}
static rp_value do_spmv(const one_case *c) {
  rp_value sum = RP_NO_VALUE;
  for (rp_spmv_scheme s = RP_SPMV_AUTO; s <= RP_SPMV_BALANCED; s++) {
    const rp_spmv_options o = {.struct_size = sizeof o, .scheme = s};
    const rp_csr m = {u32(c, c->n + 1), u32(c, 3 * c->n), elements(c, 3 * c->n), c->n, c->n};
    const rp_value y = rp_spmv(c->g, &m, x(c), &o);
    sum = s ? rp_add(c->g, sum, y) : y;
  }
  return sum;
}
static rp_value do_ell_to_csr(const one_case *c) {
  const rp_ell m = {u32(c, c->n), u32(c, 2 * c->n), elements(c, 2 * c->n), c->n, c->n, 2};
  return rp_ell_to_csr(c->g, &m).val;
}
static rp_value do_csr_transpose(const one_case *c) {
  const rp_csr m = {u32(c, c->n + 1), u32(c, 3 * c->n), elements(c, 3 * c->n), c->n, c->n};
  return rp_csr_transpose(c->g, &m).val;
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

static rp_value do_from_affine(const one_case *c) { return rp_from_affine(c->g, affine(c)); }
static rp_value do_to_affine(const one_case *c) { return rp_to_affine(c->g, acc(c)); }
static rp_value do_point_add(const one_case *c) { return rp_point_add(c->g, acc(c), affine(c)); }
static rp_value do_point_neg(const one_case *c) { return rp_point_neg(c->g, affine(c)); }
static rp_value do_point_check(const one_case *c) { return rp_point_check(c->g, affine(c), 1); }
static rp_value do_point_coordinates(const one_case *c) { return rp_point_coordinates(c->g, affine(c)); }
static rp_value do_scalar_mul(const one_case *c) { return rp_scalar_mul(c->g, scalars(c), affine(c)); }
static rp_fixed_base base(const one_case *c) {
  return rp_fixed_base_table(c->g, input(c, rp_type_affine(c->curve), 2), 4);
}
static rp_value do_fixed_base_table(const one_case *c) { return base(c).table; }
static rp_value do_fixed_base_mul(const one_case *c) {
  const rp_fixed_base b = base(c);
  return rp_fixed_base_mul(c->g, &b, scalars(c));
}
static rp_value do_tree_reduce(const one_case *c) { return rp_tree_reduce(c->g, affine(c), 0); }
static rp_value do_msm(const one_case *c) { return rp_msm(c->g, scalars(c), affine(c), NULL); }
static rp_buckets buckets(const one_case *c) {
  const rp_bucket_options o = {.struct_size = sizeof o, .curve = c->curve, .window_bits = 5};
  return rp_bucket_matrix(c->g, scalars(c), &o);
}
static rp_value do_bucket_matrix(const one_case *c) { return buckets(c).entries; }
static rp_value do_bucket_filter(const one_case *c) {
  const rp_buckets b = buckets(c);
  return rp_bucket_filter(c->g, &b, u32(c, (c->n + 31) / 32)).entries;
}
static rp_value do_bucket_accumulate(const one_case *c) {
  const rp_buckets b = buckets(c);
  return rp_bucket_accumulate(c->g, &b, affine(c));
}
static rp_value do_bucket_reduce(const one_case *c) {
  const rp_buckets b = buckets(c);
  return rp_bucket_reduce(c->g, &b, rp_bucket_accumulate(c->g, &b, affine(c)));
}
static rp_value do_bucket_windows(const one_case *c) {
  const rp_buckets b = buckets(c);
  return rp_bucket_windows(c->g, &b, affine(c));
}
static rp_value do_window_reduce(const one_case *c) {
  const rp_buckets b = buckets(c);
  return rp_window_reduce(c->g, &b, rp_bucket_windows(c->g, &b, affine(c)));
}
static rp_value do_window_multiples(const one_case *c) { return rp_window_multiples(c->g, affine(c), 5, 3); }

/* ---- Hashes ------------------------------------------------------------------------------------------------------ */

static rp_hash hash_over(rp_field field, int variant) {
  if (field == RP_FIELD_BN254_FR) return variant ? RP_HASH_NONE : RP_HASH_POSEIDON_BN254;
  if (field != RP_FIELD_GOLDILOCKS) return RP_HASH_NONE;
  return variant ? RP_HASH_RESCUE_RP64_256_WINTERFELL : RP_HASH_RESCUE_RP64_256;
}
static rp_value do_hash_permute(const one_case *c) {
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
static rp_value do_hash_rows(const one_case *c) {
  rp_value all[32];
  uint32_t n = 0;
  for (int variant = 0; variant < 2; variant++)
    for (uint32_t len = 1; hash_over(c->field, variant) && len <= 16; len++)
      all[n++] = rp_hash_rows(c->g, hash_over(c->field, variant), elements(c, len * c->n), len);
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}
static rp_value do_merkle_level(const one_case *c) {
  rp_value all[2];
  uint32_t n = 0;
  for (int variant = 0; variant < 2; variant++) {
    const rp_hash hash = hash_over(c->field, variant);
    if (hash) all[n++] = rp_merkle_level(c->g, hash, elements(c, 2 * rp_hash_digest_len(hash) * c->n));
  }
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}

static rp_value do_merkle_tree(const one_case *c) {
  rp_value all[6];
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
  return n ? rp_concat(c->g, all, n) : RP_NO_VALUE;
}

/* ---- The list ---------------------------------------------------------------------------------------------------- */

/* Each builds its operation; RP_NO_VALUE without an error where a field has none. */
#define FIELDS(name) \
  { #name, do_##name, 0 }
#define CURVES(name) \
  { #name, do_##name, 1 }
static const struct {
  const char *name;
  rp_value (*build)(const one_case *c);
  int curves;
} ops[] = {
    FIELDS(slice),
    FIELDS(concat),
    FIELDS(gather),
    FIELDS(pad),
    FIELDS(from_canonical),
    FIELDS(to_canonical),
    FIELDS(from_montgomery),
    FIELDS(to_montgomery),
    FIELDS(add),
    FIELDS(sub),
    FIELDS(mul),
    FIELDS(neg),
    FIELDS(mul_sub),
    FIELDS(powers),
    FIELDS(mul_powers),
    FIELDS(field_constant),
    FIELDS(sum),
    FIELDS(product),
    FIELDS(prefix_product),
    FIELDS(prefix_sum),
    FIELDS(poly_eval),
    FIELDS(expr),
    FIELDS(batch_inverse),
    FIELDS(ntt),
    FIELDS(spmv),
    FIELDS(ell_to_csr),
    FIELDS(csr_transpose),
    FIELDS(hash_permute),
    FIELDS(hash_rows),
    FIELDS(merkle_level),
    FIELDS(merkle_tree),
    CURVES(from_affine),
    CURVES(to_affine),
    CURVES(point_add),
    CURVES(point_neg),
    CURVES(point_check),
    CURVES(point_coordinates),
    CURVES(scalar_mul),
    CURVES(fixed_base_table),
    CURVES(fixed_base_mul),
    CURVES(tree_reduce),
    CURVES(msm),
    CURVES(bucket_matrix),
    CURVES(bucket_filter),
    CURVES(bucket_accumulate),
    CURVES(bucket_reduce),
    CURVES(bucket_windows),
    CURVES(window_reduce),
    CURVES(window_multiples),
};
enum { N_OPS = sizeof ops / sizeof *ops };

/* ---- The device -------------------------------------------------------------------------------------------------- */

static int missing; /* kernels without a variant, in all */

/* Without the compiler for them, images are left out. */
static int has_cuda(const rp_kernel *k) {
  return (k->cuda.image || !REPRISE_HAVE_CUDA) && k->cuda.entry && k->cuda.block;
}
static int has_vulkan(const rp_kernel *k) {
  return ((k->vulkan.spirv && k->vulkan.spirv[0]) || !REPRISE_HAVE_VULKAN) && k->vulkan.group;
}

static void check_steps(int (*has)(const rp_kernel *k), const char *device, const rp_program_desc *desc) {
  for (uint32_t i = 0; i < desc->n_steps; i++) {
    if (desc->steps[i].kind != RP_STEP_DISPATCH || has(desc->steps[i].kernel)) continue;
    print_error("%s: kernel %s has no %s variant\n", desc->steps[i].label, desc->steps[i].kernel->name, device);
    missing++;
  }
}

static rp_status check_cuda(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                            rp_program **program, rp_error *err) {
  check_steps(has_cuda, "CUDA", desc);
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

static rp_status check_vulkan(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                              rp_program **program, rp_error *err) {
  check_steps(has_vulkan, "Vulkan", desc);
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

static rp_status open_like_cuda(rp_context *context, const rp_device_options *options, void **state,
                                rp_device_info *info, rp_error *err) {
  rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->kind = RP_DEVICE_CUDA;
  info->limits.workers = 132;
  info->limits.shared_bytes = 227u << 10;
  return status;
}

static rp_status open_like_vulkan(rp_context *context, const rp_device_options *options, void **state,
                                  rp_device_info *info, rp_error *err) {
  rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->kind = RP_DEVICE_VULKAN;
  info->limits.workers = 32;
  info->limits.shared_bytes = 32u << 10;
  return status;
}

static rp_backend table;

static void build_and_check(rp_context *context, rp_device *device, size_t op, rp_field field, rp_curve curve,
                            uint64_t n) {
  one_case c = {.field = field, .curve = curve, .n = n};
  rp_recording *recording = NULL;
  rp_error error = {0};
  assert_int_equal(rp_graph_create(context, ops[op].name, &c.g, &error), RP_OK);
  const rp_value out = ops[op].build(&c);
  if (out.id || rp_graph_error(c.g)->status) {
    rp_graph_output(c.g, "out", out, 0);
    if (rp_record(device, c.g, NULL, &recording, &error))
      fail_msg("%s over %s: %s", ops[op].name, ops[op].curves ? rp_curve_name(curve) : rp_field_name(field),
               error.reason);
    rp_recording_destroy(recording);
  }
  rp_graph_destroy(c.g);
}

static void check_kernels(rp_device_kind kind) {
  rp_context *context;
  rp_device *device;
  rp_device_options options = {.struct_size = sizeof options};
  missing = 0;
  table = rp_backend_null;
  table.kind = kind;
  table.open = kind == RP_DEVICE_CUDA ? open_like_cuda : open_like_vulkan;
  table.program_create = kind == RP_DEVICE_CUDA ? check_cuda : check_vulkan;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(context, &table, &options, &device, NULL), RP_OK);
  for (size_t op = 0; op < N_OPS; op++)
    for (int id = 0; id < (ops[op].curves ? (int)RP_CURVE_COUNT : (int)RP_FIELD_COUNT); id++)
      for (uint64_t n = 5; n <= 50000; n *= 100)
        build_and_check(context, device, op, (rp_field)(ops[op].curves ? 0 : id), (rp_curve)(ops[op].curves ? id : 0),
                        n);
  rp_device_close(device);
  rp_context_destroy(context);
  assert_int_equal(missing, 0);
}

static void test_cuda_kernels(void **state) {
  (void)state;
  check_kernels(RP_DEVICE_CUDA);
}

static void test_vulkan_kernels(void **state) {
  (void)state;
  check_kernels(RP_DEVICE_VULKAN);
}

/* Every constructor of the header, which are the functions whose first parameter is a graph, is in the list. */
static void test_list(void **state) {
  static char text[65536];
  FILE *file = fopen(OPS_HEADER, "rb");
  int found = 0;
  (void)state;
  assert_non_null(file);
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_true(length < sizeof text - 1);
  for (char *at = text; (at = strstr(at, "(rp_graph *g, ")); at++) {
    char *name = at;
    size_t op = 0;
    *at = 0;
    while (name[-1] != ' ') name--;
    assert_memory_equal(name, "rp_", 3);
    while (op < N_OPS && strcmp(ops[op].name, name + 3)) op++;
    if (op == N_OPS) fail_msg("%s is not in this test's list", name);
    found++;
    *at = '(';
  }
  assert_int_equal(found, N_OPS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_list), cmocka_unit_test(test_cuda_kernels),
                                     cmocka_unit_test(test_vulkan_kernels)};
  return cmocka_run_group_tests_name("gpu_coverage", tests, NULL, NULL);
}
