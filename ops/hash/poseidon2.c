/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2: permutations, sponges over rows, compression of pairs.
 *
 * kernel poseidon2_rows hash/3 ids:bn254_fr,babybear,koalabear cpu:ifma gpu:128 products:poseidon2
 * kernel poseidon2_lanes hash/3 ids:bn254_fr,babybear,koalabear gpu:128 products:poseidon2
 * kernel poseidon2_limbs hash/3 ids:bn254_fr cuda:32 products:poseidon2
 * kernel poseidon2_merkle merkle/3 ids:bn254_fr,babybear,koalabear cpu:ifma products:poseidon2_tree
 * kernel poseidon2_merkle_shared merkle/3 ids:bn254_fr,babybear,koalabear gpu:RP_MERKLE_SHARED_THREADS
 *        products:poseidon2_tree
 */
#include "hash/poseidon2.h"

#include "hash/merkle_args.h"

#include <reprise/transcript.h>

#include "kernel_tables.h"
#include "lower/gpu.h"

#include <stdio.h>

enum { BINDS = 3, FULL_ROUNDS = 8, BN254_PARTIAL = 56, BABYBEAR_PARTIAL = 13, KOALABEAR_PARTIAL = 20 };

typedef struct params {
  rp_hash hash;
  poseidon2_mode mode;
  uint64_t row_len, out_len; /* of a sponge, else 0 */
} params;

rp_field rp_poseidon2_field(rp_hash hash) {
  return hash == RP_HASH_POSEIDON2_BABYBEAR    ? RP_FIELD_BABYBEAR
         : hash == RP_HASH_POSEIDON2_KOALABEAR ? RP_FIELD_KOALABEAR
                                               : RP_FIELD_BN254_FR;
}

uint32_t rp_poseidon2_width(rp_hash hash) {
  return is_poseidon2_small(hash) ? POSEIDON2_SMALL_WIDTH : 2 + (uint32_t)(hash - RP_HASH_POSEIDON2_BN254_T2);
}

rp_poseidon2_params rp_poseidon2_layout(rp_hash hash, poseidon2_mode mode, uint64_t row_len, uint64_t out_len,
                                        struct rp_hash_args *a) {
  const bool small = is_poseidon2_small(hash), pairs = mode == POSEIDON2_PAIRS;
  const uint32_t t = rp_poseidon2_width(hash), digest = rp_poseidon2_digest(hash);
  a->width = t;
  a->row_len = mode == POSEIDON2_PERMUTE ? 0 : pairs ? 2 * digest : (uint32_t)row_len;
  a->out_len = mode == POSEIDON2_PERMUTE ? t : pairs ? digest : (uint32_t)out_len;
  a->rate = mode == POSEIDON2_PERMUTE || (pairs && small) || t == 2 ? t : small ? POSEIDON2_SMALL_RATE : t - 1;
  a->alpha = !small ? 5 : hash == RP_HASH_POSEIDON2_BABYBEAR ? 7 : 3;
  a->full_rounds = FULL_ROUNDS;
  a->partial_rounds = !small                               ? BN254_PARTIAL
                      : hash == RP_HASH_POSEIDON2_BABYBEAR ? BABYBEAR_PARTIAL
                                                           : KOALABEAR_PARTIAL;
  return (rp_poseidon2_params){.poseidon = {.field = rp_poseidon2_field(hash),
                                            .width = t,
                                            .full_rounds = a->full_rounds,
                                            .partial_rounds = a->partial_rounds},
                               .row_len = a->row_len};
}

rp_value rp_lower_poseidon2(rp_lower *l, rp_hash hash, const rp_poseidon2_params *p) {
  char key[64];
  snprintf(key, sizeof key, "hash/poseidon2/%d/%llu", (int)hash, (unsigned long long)p->row_len);
  return rp_lower_constant(l, key, rp_type_field(p->poseidon.field), rp_poseidon2_constants_len(p),
                           rp_poseidon2_constants, p, sizeof *p);
}

/* Estimates for plain C on one core, by which work is cut into pieces. Measured were 9500 ns for two elements of BN254
 * Fr, and 2000 ns for BabyBear and KoalaBear. */
uint32_t rp_poseidon2_permutation_ns(rp_hash hash) {
  return is_poseidon2_small(hash) ? 2500 : 3000 + 2500 * rp_poseidon2_width(hash);
}

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  const bool sponge = p->mode == POSEIDON2_SPONGE;
  if (!is_poseidon2(p->hash)) return rp_draft_fail(d, RP_ERR_ARGUMENT, "the hash is not Poseidon2");
  if (sponge != (p->row_len != 0) || sponge != (p->out_len != 0))
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "rows of %llu to %llu elements are not for that mode",
                         (unsigned long long)p->row_len, (unsigned long long)p->out_len);
  if (sponge && p->hash == RP_HASH_POSEIDON2_BN254_T2)
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "poseidon2_bn254_t2 is no sponge");
  return RP_OK;
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  struct rp_hash_args a;
  rp_field field;
  rp_poseidon2_layout(p->hash, p->mode, p->row_len, p->out_len, &a);
  const uint64_t item = a.row_len ? a.row_len : a.width, n = s->in_len[0] / item;
  if (!rp_type_is_field(s->in_type[0], &field) || field != rp_poseidon2_field(p->hash))
    return rp_shape_fail(s, RP_ERR_TYPE, "the elements are of type %s, not %s", s->in_type[0]->name,
                         rp_field_name(rp_poseidon2_field(p->hash)));
  if (s->in_len[0] % item || s->in_len[0] > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu elements are not a multiple of %llu below 2^32",
                         (unsigned long long)s->in_len[0], (unsigned long long)item);
  if (n > RP_MAX_LEN / a.out_len)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu rows give more than 2^32 - 1 elements", (unsigned long long)n);
  rp_shape_out(s, 0, s->in_type[0], n * a.out_len);
  return RP_OK;
}

static struct rp_hash_args begin(rp_lower *l, rp_bind binds[BINDS]) {
  const params *p = rp_lower_params(l);
  struct rp_hash_args a = {0};
  const rp_poseidon2_params c = rp_poseidon2_layout(p->hash, p->mode, p->row_len, p->out_len, &a);
  a.n = (uint32_t)(rp_lower_len(l, rp_lower_out(l, 0)) / a.out_len);
  binds[0] = RP_BIND(rp_lower_in(l, 0), RP_READ);
  binds[1] = RP_BIND(rp_lower_out(l, 0), RP_WRITE);
  binds[2] = RP_BIND(rp_lower_poseidon2(l, p->hash, &c), RP_READ);
  return a;
}

static rp_status lower_rows(rp_lower *l) {
  const params *p = rp_lower_params(l);
  rp_bind binds[BINDS];
  const struct rp_hash_args a = begin(l, binds);
  const uint64_t permutations = ((uint64_t)a.row_len + a.out_len) / a.rate + 1;
  const uint64_t ns = permutations * rp_poseidon2_permutation_ns(p->hash);
  rp_lower_items(l, &rp_kernels_poseidon2_rows[rp_poseidon2_field(p->hash)], a.n,
                 rp_grain(ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX), &a, binds);
  return RP_OK;
}

/* GPUs: one thread per element. */
static rp_status lower_lanes(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const uint32_t lanes = is_poseidon2_small(p->hash) ? RP_MERKLE_POSEIDON2_SMALL_LANES : RP_MERKLE_POSEIDON_LANES;
  rp_bind binds[BINDS];
  const struct rp_hash_args a = begin(l, binds);
  rp_gpu_dispatch(l, &rp_kernels_poseidon2_lanes[rp_poseidon2_field(p->hash)],
                  rp_gpu_groups(a.n, RP_HASH_GROUP / lanes), 1, &a, binds);
  return RP_OK;
}

/* CUDA: one warp per state. */
static rp_status lower_limbs(rp_lower *l) {
  rp_bind binds[BINDS];
  const struct rp_hash_args a = begin(l, binds);
  rp_gpu_dispatch(l, &rp_kernel_poseidon2_limbs, a.n, 1, &a, binds);
  return RP_OK;
}

static bool are_at_most(const rp_lower *l, uint32_t per_worker) {
  const params *p = rp_lower_params(l);
  struct rp_hash_args a;
  rp_poseidon2_layout(p->hash, p->mode, p->row_len, p->out_len, &a);
  return rp_lower_len(l, rp_lower_out(l, 0)) / a.out_len <= (uint64_t)rp_lower_limits(l)->workers * per_worker;
}

/* With few states, threads of a GPU would be idle. */
static bool are_few(const rp_lower *l) { return are_at_most(l, 64); }

/* One warp per state shortens the wait for each, until this many keep a multiprocessor busy; `lanes` compute about as
 * many states per second. */
static bool are_fewest(const rp_lower *l) {
  const params *p = rp_lower_params(l);
  return (p->hash == RP_HASH_POSEIDON2_BN254_T2 || p->hash == RP_HASH_POSEIDON2_BN254_T3) && are_at_most(l, 16);
}

static int describe(const void *params_, char *text, size_t bytes) {
  static const char *const modes[] = {"permute", "sponge", "pairs"};
  const params *p = params_;
  return snprintf(text, bytes, "%s %s row_len=%llu out_len=%llu", rp_hash_of_id((uint32_t)p->hash), modes[p->mode],
                  (unsigned long long)p->row_len, (unsigned long long)p->out_len);
}

static const rp_strategy strategies[] = {
    {.name = "limbs", .devices = RP_ON(RP_DEVICE_CUDA), .applies = are_fewest, .lower = lower_limbs},
    {.name = "lanes", .devices = RP_ON_GPU, .applies = are_few, .lower = lower_lanes},
    {.name = "rows", .devices = RP_ON_ANY, .lower = lower_rows},
};
enum { N_STRATEGIES = sizeof strategies / sizeof *strategies };

const rp_op rp_op_poseidon2 = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "poseidon2",
                               .params_bytes = sizeof(params),
                               .shape = shape,
                               .strategies = strategies,
                               .n_strategies = N_STRATEGIES,
                               .describe = describe,
                               .schema =
                                   RP_SCHEMA(.least_in = 1, .check = check,
                                             RP_PARAMS(RP_PARAM_HASH(params, hash),
                                                       RP_PARAM_UPTO(params, mode, POSEIDON2_PERMUTE, POSEIDON2_PAIRS),
                                                       RP_PARAM_UPTO(params, row_len, 0, POSEIDON2_ROW_MOST),
                                                       RP_PARAM_UPTO(params, out_len, 0, POSEIDON2_ROW_MOST)))};

rp_value rp_poseidon2(rp_graph *g, rp_hash hash, poseidon2_mode mode, rp_value x, uint64_t row_len, uint64_t out_len) {
  const params p = {.hash = hash, .mode = mode, .row_len = row_len, .out_len = out_len};
  return rp_graph_node(g, &rp_op_poseidon2, &p, &x, 1, NULL, 1);
}

rp_value rp_sponge(rp_graph *g, rp_hash hash, rp_value x, uint64_t row_len, uint64_t n_out) {
  if (!is_poseidon2(hash) || hash == RP_HASH_POSEIDON2_BN254_T2)
    return rp_graph_fail(g, RP_ERR_ARGUMENT,
                         "sponge: hash %d is no sponge; poseidon2_bn254_t3, _t4, poseidon2_babybear "
                         "and poseidon2_koalabear are",
                         (int)hash);
  if (!row_len || row_len > POSEIDON2_ROW_MOST || !n_out || n_out > POSEIDON2_ROW_MOST)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "sponge: rows of %llu elements to %llu elements, not 1 to 2^20",
                         (unsigned long long)row_len, (unsigned long long)n_out);
  return rp_poseidon2(g, hash, POSEIDON2_SPONGE, x, row_len, n_out);
}
