/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fuzz_graph.h"
#include "msm/eisenstein.h"

#include <reprise/transcript.h>

static rp_value keep_csr(builder *b, rp_csr m) {
  if (b->n + 2 < MOST_VALUES && m.row_ptr.id && m.col.id) {
    b->value[b->n++] = m.row_ptr;
    b->value[b->n++] = m.col;
  }
  return m.val;
}

static rp_value keep_buckets(builder *b, rp_buckets m) {
  if (m.entries.id && b->n_buckets < MOST_BUCKETS) b->buckets[b->n_buckets++] = m;
  return m.entries;
}

static const rp_buckets *pick_buckets(const builder *b, uint8_t which) {
  return b->n_buckets && which != 255 ? &b->buckets[which % b->n_buckets] : NULL;
}

static rp_value buckets(builder *b, rp_value scalars, uint8_t parameter) {
  const rp_bucket_options options = {.struct_size = sizeof options,
                                     .curve = (rp_curve)(parameter % (RP_CURVE_COUNT + 1)),
                                     .window_bits = parameter >> 4,
                                     .merged = parameter >> 3 & 3};
  return keep_buckets(b, rp_bucket_matrix(b->graph, scalars, &options));
}

/* A matrix of scalars x, and the sums of multiples of the points y by it or by another one. */
static rp_value eisenstein(builder *b, rp_value x, rp_value y, const rp_buckets *other, uint8_t parameter) {
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BN254_G2, RP_CURVE_BLS12_381_G1, RP_CURVE_BLS12_381_G2};
  enum { WINDOWS = RP_EISENSTEIN_WINDOWS_MOST };
  const rp_buckets own = rp_eisenstein_matrix(b->graph, x, curves[parameter & 3], WINDOWS);
  if (parameter & 4) return keep_buckets(b, own);
  const rp_value multiples = parameter & 8 ? y : rp_eisenstein_multiples(b->graph, y, WINDOWS);
  return rp_eisenstein_sums(b->graph, parameter & 16 ? other : &own, multiples, WINDOWS);
}

/* A matrix that no operation made, which must be refused wherever it is used. */
static rp_value forge(builder *b, rp_value row_ptr, rp_value entries, uint8_t parameter) {
  const rp_buckets m = {.row_ptr = row_ptr,
                        .entries = entries,
                        .windows = parameter & 7,
                        .window_bits = parameter >> 3 & 7,
                        .buckets = fuzz_length(parameter >> 2) & 0xffffffffu,
                        .n = fuzz_length(parameter),
                        .merged = parameter >> 6};
  keep_buckets(b, m);
  return RP_NO_VALUE;
}

static rp_value expression(builder *b, rp_value x, rp_value y, rp_value constants, uint8_t parameter) {
  rp_expr_code code[8];
  const rp_value columns[2] = {x, y};
  uint32_t seed = parameter;
  for (int i = 0; i < 8; i++) {
    seed = seed * 1103515245u + 12345u;
    code[i] = (rp_expr_code){.op = (uint16_t)(seed >> 16) % (i < 2 ? 2 : 11),
                             .index = (uint16_t)(seed >> 20) % 3,
                             .rotation = (int32_t)(seed >> 24) % 5 - 2};
  }
  if (parameter & 1) { /* a valid expression: x * y - x */
    static const rp_expr_code good[5] = {{RP_EXPR_COLUMN, 0, 0},
                                         {RP_EXPR_COLUMN, 1, -1},
                                         {RP_EXPR_MUL, 0, 0},
                                         {RP_EXPR_COLUMN, 0, 1},
                                         {RP_EXPR_SUB, 0, 0}};
    memcpy(code, good, sizeof good);
  }
  const rp_expr_options options = {.struct_size = sizeof options,
                                   .n_code = parameter & 1 ? 5 : parameter >> 1 & 15 % 9,
                                   .code = code,
                                   .rotation_step = parameter >> 5};
  return rp_expr(b->graph, columns, 1 + (parameter >> 1 & 1), constants, &options);
}

static rp_value inverse(builder *b, rp_value x, uint8_t parameter) {
  rp_value mask = RP_NO_VALUE;
  const rp_batch_inverse_options options = {.struct_size = sizeof options,
                                            .zero = (rp_zero_policy)(parameter & 1),
                                            .constant_time = parameter >> 1 & 1,
                                            .serial = parameter >> 2 & 1,
                                            .zero_mask = parameter & 8 ? &mask : NULL};
  rp_value out = rp_batch_inverse(b->graph, x, &options);
  if (mask.id && b->n + 1 < MOST_VALUES) b->value[b->n++] = mask;
  return out;
}

static rp_value msm(builder *b, rp_value scalars, rp_value points, uint8_t parameter) {
  const rp_msm_options options = {.struct_size = sizeof options,
                                  .window_bits = parameter >> 4,
                                  .precompute = parameter >> 2 & 3,
                                  .batch = parameter & 3};
  return rp_msm(b->graph, scalars, points, &options);
}

static rp_value fixed_table(builder *b, rp_value points, uint8_t parameter) {
  rp_fixed_base base = rp_fixed_base_table(b->graph, points, parameter & 31);
  if (base.table.id && b->n_bases < MOST_BASES) b->base[b->n_bases++] = base;
  return base.table;
}

static rp_value fixed_mul(builder *b, rp_value scalars, uint8_t which) {
  return rp_fixed_base_mul(b->graph, b->n_bases ? &b->base[which % b->n_bases] : NULL, scalars);
}

static rp_value ell(builder *b, rp_value x, rp_value y, uint8_t parameter) {
  const rp_ell m = {.row_len = x,
                    .col = y,
                    .val = fuzz_pick(b, parameter),
                    .rows = fuzz_length(parameter & 31),
                    .cols = fuzz_length(parameter >> 3),
                    .width = parameter & 7};
  return keep_csr(b, rp_ell_to_csr(b->graph, &m));
}

static rp_value transpose(builder *b, rp_value x, rp_value y, uint8_t parameter) {
  const rp_csr m = {.row_ptr = x,
                    .col = y,
                    .val = parameter & 1 ? RP_NO_VALUE : fuzz_pick(b, parameter),
                    .rows = rp_value_len(b->graph, x) - (parameter & 2 ? 1 : 0),
                    .cols = fuzz_length(parameter >> 3)};
  return keep_csr(b, rp_csr_transpose(b->graph, &m));
}

static rp_value convert(builder *b, rp_value x, uint8_t which) {
  const rp_convert_options options = {.struct_size = sizeof options, .reduce = which >> 2 & 1};
  switch (which & 3) {
  case 0: return rp_from_canonical(b->graph, x, (rp_field)(which >> 3), &options);
  case 1: return rp_to_canonical(b->graph, x);
  case 2: return rp_from_montgomery(b->graph, x);
  default: return rp_to_montgomery(b->graph, x);
  }
}

static rp_value scan(builder *b, rp_value x, uint8_t which) {
  switch (which & 3) {
  case 0: return rp_sum(b->graph, x);
  case 1: return rp_product(b->graph, x);
  case 2: return rp_prefix_product(b->graph, x, which >> 2 & 1);
  default: return rp_prefix_sum(b->graph, x);
  }
}

static rp_value tree(builder *b, rp_hash hash, rp_value leaves, uint8_t parameter) {
  const rp_merkle_options options = {.struct_size = sizeof options,
                                     .schedule = (rp_merkle_schedule)(parameter & 7),
                                     .group = fuzz_length(parameter >> 4) & 0xffffffffu,
                                     .published_count = parameter >> 3 & 1};
  return rp_merkle_tree(b->graph, hash, leaves, &options);
}

static rp_value bytes(builder *b, rp_value x, uint8_t which, uint8_t parameter) {
  const rp_type *const types[] = {&RP_TYPE_U32, &RP_TYPE_U64, &RP_TYPE_U256, &RP_TYPE_U384, &RP_TYPE_U8, NULL};
  const rp_bytes_options options = {.struct_size = sizeof options,
                                    .encoding = (rp_encoding)(which & 3),
                                    .row_bytes = fuzz_length(which >> 2),
                                    .skip_bits = parameter & 0x1f,
                                    .bits = parameter >> 5 << 4};
  if (which & 0x80) return rp_low_bits(b->graph, x, parameter & 63);
  return which & 0x40 ? rp_to_bytes(b->graph, x, options.encoding)
                      : rp_from_bytes(b->graph, x, types[parameter % 6], &options);
}

static rp_value digest(builder *b, rp_value x, uint8_t which, uint8_t parameter) {
  const rp_blake2b_options options = {.struct_size = sizeof options, .digest_bytes = parameter & 127};
  switch (which % 5) {
  case 0: return rp_sha256(b->graph, x);
  case 1: return rp_sha256_rows(b->graph, x, fuzz_length(parameter));
  case 2: return rp_blake2b(b->graph, x, &options);
  case 3: return rp_blake2b_rows(b->graph, x, fuzz_length(parameter & 7), &options);
  default:
    return rp_challenge(b->graph, x, fuzz_length(parameter), (rp_field)(which >> 4), (rp_encoding)(parameter & 3));
  }
}

/* Any value may come back here as sorted scalars. */
static rp_value shared_scalars(builder *b, rp_value x, rp_value y, rp_value z, uint8_t parameter) {
  const rp_msm_scalars_options options = {.struct_size = sizeof options,
                                          .curve = (rp_curve)((parameter >> 2) % (RP_CURVE_COUNT + 1)),
                                          .window_bits = parameter & 1 ? parameter >> 4 : 0,
                                          .precompute = parameter >> 6,
                                          .products = parameter & 3,
                                          .constant_points = parameter >> 7};
  if (parameter & 2) return rp_msm_of(b->graph, x, y, parameter & 4 ? z : RP_NO_VALUE);
  return rp_msm_scalars(b->graph, x, &options);
}

static rp_value bucket_step(builder *b, const rp_buckets *m, rp_value y, uint8_t which) {
  switch (which & 3) {
  case 0: return rp_bucket_accumulate(b->graph, m, y);
  case 1: return rp_bucket_reduce(b->graph, m, y);
  case 2: return rp_bucket_windows(b->graph, m, y);
  default: return rp_window_reduce(b->graph, m, y);
  }
}

rp_value fuzz_other_call(builder *b, unsigned which, const uint8_t step[4]) {
  rp_graph *g = b->graph;
  rp_value x = fuzz_pick(b, step[1]), y = fuzz_pick(b, step[2]), z = fuzz_pick(b, step[3]);
  const rp_hash hash = (rp_hash)(step[2] % 10);
  switch (which) {
  case 0: return rp_neg(g, x);
  case 1: return scan(b, x, step[3]);
  case 2: return step[3] & 1 ? rp_poly_eval(g, x, y) : rp_poly_divide(g, x, y);
  case 3: return convert(b, x, step[3]);
  case 4: return expression(b, x, y, z, step[3]);
  case 5: return inverse(b, x, step[3]);
  case 6: return ell(b, x, y, step[3]);
  case 7: return transpose(b, x, y, step[3]);
  case 8: return rp_from_affine(g, x);
  case 9: return rp_to_affine(g, x);
  case 10: return rp_point_add(g, x, y);
  case 11: return step[3] & 1 ? rp_point_neg(g, x) : rp_point_coordinates(g, x);
  case 12: return rp_point_check(g, x, step[3] & 1);
  case 13: return rp_scalar_mul(g, x, y);
  case 14: return fixed_table(b, x, step[3]);
  case 15: return fixed_mul(b, x, step[3]);
  case 16: return rp_tree_reduce(g, x, fuzz_length(step[3]) - (step[3] & 1));
  case 17:
  case 18: return msm(b, x, y, step[3]);
  case 19:
  case 20: return buckets(b, x, step[3]);
  case 21:
    if (step[3] & 1) return keep_buckets(b, rp_bucket_range(g, pick_buckets(b, step[1]), step[2] & 15, step[3] >> 2));
    return pick_buckets(b, step[1]) ? keep_buckets(b, rp_bucket_filter(g, pick_buckets(b, step[1]), y)) : RP_NO_VALUE;
  case 22:
  case 23:
  case 24:
    if (step[3] >> 6 == 3) return eisenstein(b, x, y, pick_buckets(b, step[1]), step[3]);
    return bucket_step(b, pick_buckets(b, step[1]), y, step[3]);
  case 25: return rp_window_multiples(g, x, step[2], step[3]);
  case 26: return rp_hash_permute(g, hash, step[3], x);
  case 27: return rp_hash_rows(g, hash, x, fuzz_length(step[3]));
  case 28: return step[3] ? rp_keccak256_rows(g, x, fuzz_length(step[3] - 1)) : rp_keccak256(g, x);
  case 29: return step[3] & 1 ? rp_merkle_level(g, hash, x) : tree(b, hash, x, step[3] >> 1);
  case 30:
    return rp_field_constant(g, "element", (rp_field)(step[1] % (RP_FIELD_COUNT + 1)), (const uint8_t[96]){step[3]});
  case 31: return bytes(b, x, step[2], step[3]);
  case 32: return digest(b, x, step[2], step[3]);
  case 33: return rp_sponge(g, hash, x, fuzz_length(step[3] & 15), fuzz_length(step[3] >> 4));
  case 34: return rp_slice_at(g, x, step[3] & 128 ? y : RP_NO_VALUE, step[3] & 64 ? z : RP_NO_VALUE, step[3] & 63);
  case 35: return rp_merkle_paths(g, hash, x, y, z);
  case 36: return rp_select(g, z, x, y);
  case 37: return rp_compress(g, x);
  case 38: return shared_scalars(b, x, y, z, step[3]);
  case 39: return rp_copy_to(g, x, step[3] % (RP_GROUP_MOST + 1));
  default: return forge(b, x, y, step[3]);
  }
}
