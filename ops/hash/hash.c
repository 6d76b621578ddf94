/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hashes: permutations, rows, Merkle levels.
 *
 * kernel rescue:rescue_permute hash/3 ids:goldilocks cpu:ifma gpu:128 products:rescue
 * kernel rescue:rescue_rows hash/3 ids:goldilocks cpu:ifma gpu:128 int64 products:rescue
 * kernel rescue:rescue_lanes hash/3 ids:goldilocks gpu:128 products:rescue
 * kernel rescue:rescue_permute_circulant hash/3 ids:goldilocks gpu:128 products:rescue_circulant
 * kernel rescue:rescue_rows_circulant hash/3 ids:goldilocks gpu:128 int64 products:rescue_circulant
 * kernel rescue:rescue_merkle merkle/3 ids:goldilocks cpu:ifma products:rescue_tree
 * kernel rescue:rescue_merkle merkle/3 ids:goldilocks cuda:log9 vulkan:rescue_merkle:log9 int64
 *        table:rescue_merkle_groups products:rescue_tree
 * kernel rescue:rescue_merkle_circulant merkle/3 ids:goldilocks cuda:log9 vulkan:rescue_merkle:log9 int64
 *        table:rescue_merkle_circulant_groups products:rescue_circulant_tree
 * kernel rescue:rescue_merkle_shared merkle/3 ids:goldilocks cuda:RP_MERKLE_SHARED_THREADS
 *        vulkan:rescue_merkle:RP_MERKLE_SHARED_THREADS products:rescue_tree
 * kernel poseidon:poseidon_permute hash/3 ids:bn254_fr cpu:ifma products:poseidon
 * kernel poseidon:poseidon_rows hash/3 ids:bn254_fr cpu:ifma products:poseidon
 * kernel poseidon:poseidon_elements hash/3 ids:bn254_fr gpu:128 int64 products:poseidon
 * kernel poseidon:poseidon_permute_2 hash/3 ids:bn254_fr gpu:128 products:poseidon
 * kernel poseidon:poseidon_permute_3 hash/3 ids:bn254_fr gpu:128 int64 products:poseidon
 * kernel poseidon:poseidon_permute_4 hash/3 ids:bn254_fr gpu:128 products:poseidon
 * kernel poseidon:poseidon_permute_5 hash/3 ids:bn254_fr gpu:128 products:poseidon
 * kernel poseidon:poseidon_rows_2 hash/3 ids:bn254_fr gpu:128 products:poseidon
 * kernel poseidon:poseidon_rows_3 hash/3 ids:bn254_fr gpu:128 int64 products:poseidon
 * kernel poseidon:poseidon_rows_4 hash/3 ids:bn254_fr gpu:128 products:poseidon
 * kernel poseidon:poseidon_rows_5 hash/3 ids:bn254_fr gpu:128 int64 products:poseidon
 * kernel poseidon:poseidon_merkle merkle/3 ids:bn254_fr cpu:ifma products:poseidon_tree
 * kernel poseidon:poseidon_merkle merkle/3 ids:bn254_fr cuda:log9 vulkan:poseidon_merkle:log9 int64
 *        table:poseidon_merkle_groups products:poseidon_tree
 * kernel poseidon:poseidon_merkle_shared merkle/3 ids:bn254_fr cuda:RP_MERKLE_SHARED_THREADS
 *        vulkan:poseidon_merkle:RP_MERKLE_SHARED_THREADS int64 products:poseidon_tree
 */
#include "hash/hash.h"
#include "hash/poseidon2.h"
#include "lower/gpu.h"
#include "hash/poseidon_grain.h"
#include "hash/rescue_rp64_256.h"
#include "kernel_tables.h"

#include <stdio.h>

enum { POSEIDON_WIDTH_MIN = 2, POSEIDON_WIDTH_MAX = 17, POSEIDON_FULL_ROUNDS = 8, BINDS = 3, LEAST_GRAIN = 16 };

/* GPUs: [circulant][rows], and for states of few elements [width - 2][rows] */
enum { RESCUE_LANES = 16, POSEIDON_THREAD_WIDTH_MAX = 5 };
static const rp_kernel *const rescue_gpu[2][2] = {
    {&rp_kernel_rescue_permute, &rp_kernel_rescue_rows},
    {&rp_kernel_rescue_permute_circulant, &rp_kernel_rescue_rows_circulant}};
static const rp_kernel *const poseidon_gpu[POSEIDON_THREAD_WIDTH_MAX - POSEIDON_WIDTH_MIN + 1][2] = {
    {&rp_kernel_poseidon_permute_2, &rp_kernel_poseidon_rows_2},
    {&rp_kernel_poseidon_permute_3, &rp_kernel_poseidon_rows_3},
    {&rp_kernel_poseidon_permute_4, &rp_kernel_poseidon_rows_4},
    {&rp_kernel_poseidon_permute_5, &rp_kernel_poseidon_rows_5}};

typedef struct params {
  rp_hash hash;
  uint32_t width;   /* elements of the state */
  uint64_t row_len; /* 0: permute */
} params;

static bool is_rescue(rp_hash hash) {
  return hash == RP_HASH_RESCUE_RP64_256 || hash == RP_HASH_RESCUE_RP64_256_WINTERFELL;
}

static bool is_hash(rp_hash hash) { return is_rescue(hash) || hash == RP_HASH_POSEIDON_BN254; }

uint32_t rp_hash_digest_len(rp_hash hash) {
  if (is_poseidon2(hash)) return rp_poseidon2_digest(hash);
  return is_rescue(hash) ? RESCUE_DIGEST : is_hash(hash) ? 1 : 0;
}

rp_field rp_hash_field(rp_hash hash) {
  if (is_poseidon2(hash)) return rp_poseidon2_field(hash);
  return is_rescue(hash) ? RP_FIELD_GOLDILOCKS : is_hash(hash) ? RP_FIELD_BN254_FR : RP_FIELD_COUNT;
}

/* The width follows from the hash, and for Poseidon from the length of a row. */
static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  const bool rescue = is_rescue(p->hash);
  if (!is_hash(p->hash))
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "%s has an operation of its own, poseidon2",
                         rp_hash_of_id((uint32_t)p->hash));
  if (rescue ? p->width == RESCUE_WIDTH : p->width >= POSEIDON_WIDTH_MIN && (!p->row_len || p->row_len == p->width - 1))
    return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "a state of %u elements does not fit %s with rows of %llu", p->width,
                       rp_hash_of_id((uint32_t)p->hash), (unsigned long long)p->row_len);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const uint64_t item = p->row_len ? p->row_len : p->width;
  rp_field field;
  if (!rp_type_is_field(s->in_type[0], &field) || field != rp_hash_field(p->hash))
    return rp_shape_fail(s, RP_ERR_TYPE, "the elements are of type %s, not %s", s->in_type[0]->name,
                         rp_field_name(rp_hash_field(p->hash)));
  if (s->in_len[0] % item)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu elements are not a multiple of %llu", (unsigned long long)s->in_len[0],
                         (unsigned long long)item);
  rp_shape_out(s, 0, s->in_type[0], p->row_len ? s->in_len[0] / item * rp_hash_digest_len(p->hash) : s->in_len[0]);
  return RP_OK;
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

/* Numbers of rounds with a partial S-box, by width from 2 on (circomlib's instance; the Poseidon paper's script for 128
 * bits). */
static uint32_t partial_rounds(uint32_t width) {
  static const uint8_t rounds[] = {56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68};
  return rounds[width - POSEIDON_WIDTH_MIN];
}

rp_status rp_rescue_constants(const void *user, void *dst, uint64_t len) {
  const bool winterfell = *(const rp_hash *)user == RP_HASH_RESCUE_RP64_256_WINTERFELL;
  uint64_t *out = dst;
  (void)len;
  for (int i = 0; i < RESCUE_ROUNDS * RESCUE_WIDTH; i++) *out++ = rescue_ark1[i / RESCUE_WIDTH][i % RESCUE_WIDTH];
  for (int i = 0; i < RESCUE_ROUNDS * RESCUE_WIDTH; i++) *out++ = rescue_ark2[i / RESCUE_WIDTH][i % RESCUE_WIDTH];
  for (int i = 0; i < RESCUE_WIDTH; i++)
    for (int j = 0; j < RESCUE_WIDTH; j++)
      *out++ = winterfell ? rescue_mds_circulant[(j - i + RESCUE_WIDTH) % RESCUE_WIDTH] : rescue_mds_vandermonde[i][j];
  return RP_OK;
}

static rp_value constants(rp_lower *l, rp_hash hash, const rp_poseidon_params *poseidon) {
  const rp_type *type = rp_type_field(rp_hash_field(hash));
  char key[64];
  if (is_rescue(hash)) {
    snprintf(key, sizeof key, "hash/rescue/%d", hash);
    return rp_lower_constant(l, key, type, RESCUE_CONSTANTS, rp_rescue_constants, &hash, sizeof hash);
  }
  snprintf(key, sizeof key, "hash/poseidon/%s/%u", type->name, poseidon->width);
  return rp_lower_constant(l, key, type, rp_poseidon_constants_len(poseidon), rp_poseidon_constants, poseidon,
                           sizeof *poseidon);
}

/* ---- lowering ---------------------------------------------------------------------------------------------------- */

static uint32_t items(const rp_lower *l) {
  const params *p = rp_lower_params(l);
  return (uint32_t)(rp_lower_len(l, rp_lower_in(l, 0)) / (p->row_len ? p->row_len : p->width));
}

rp_poseidon_params rp_hash_layout(rp_hash hash, struct rp_hash_args *a) {
  rp_poseidon_params poseidon = {.field = RP_FIELD_BN254_FR, .width = a->width};
  if (is_rescue(hash)) {
    const bool winterfell = hash == RP_HASH_RESCUE_RP64_256_WINTERFELL;
    a->rate_first = winterfell ? 4 : 0;
    a->length_slot = winterfell ? 0 : 11;
    a->digest_first = a->rate_first;
  } else {
    a->full_rounds = poseidon.full_rounds = POSEIDON_FULL_ROUNDS;
    a->partial_rounds = poseidon.partial_rounds = partial_rounds(a->width);
  }
  return poseidon;
}

rp_value rp_lower_hash(rp_lower *l, rp_hash hash, struct rp_hash_args *a) {
  const rp_poseidon_params poseidon = rp_hash_layout(hash, a);
  return constants(l, hash, &poseidon);
}

uint32_t rp_hash_item_ns(rp_hash hash, const struct rp_hash_args *a) {
  return is_rescue(hash) ? 20000 : 15 * a->width * a->width * (a->full_rounds + a->partial_rounds);
}

static struct rp_hash_args begin(rp_lower *l, rp_bind binds[BINDS]) {
  const params *p = rp_lower_params(l);
  struct rp_hash_args a = {.n = items(l), .width = p->width, .row_len = (uint32_t)p->row_len};
  binds[0] = RP_BIND(rp_lower_in(l, 0), RP_READ);
  binds[1] = RP_BIND(rp_lower_out(l, 0), RP_WRITE);
  binds[2] = RP_BIND(rp_lower_hash(l, p->hash, &a), RP_READ);
  return a;
}

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  rp_bind binds[BINDS];
  const struct rp_hash_args a = begin(l, binds);
  const rp_kernel *kernel = is_rescue(p->hash) ? p->row_len ? &rp_kernel_rescue_rows : &rp_kernel_rescue_permute
                            : p->row_len       ? &rp_kernel_poseidon_rows
                                               : &rp_kernel_poseidon_permute;
  const uint32_t item_ns = rp_hash_item_ns(p->hash, &a);
  /* At least this many, because kernels may work on eight states at a time. */
  const uint32_t grain = rp_grain(item_ns) < LEAST_GRAIN ? LEAST_GRAIN : rp_grain(item_ns);
  rp_lower_items(l, kernel, a.n, grain, &a, binds);
  return RP_OK;
}

/* One thread per state. Kernels: [circulant] or [width - 2], then [has rows]. */
static rp_status lower_threads(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const bool rows = p->row_len != 0;
  rp_bind binds[BINDS];
  const struct rp_hash_args a = begin(l, binds);
  const rp_kernel *kernel = is_rescue(p->hash) ? rescue_gpu[p->hash == RP_HASH_RESCUE_RP64_256_WINTERFELL][rows]
                                               : poseidon_gpu[p->width - POSEIDON_WIDTH_MIN][rows];
  rp_gpu_dispatch(l, kernel, rp_gpu_groups(a.n, RP_HASH_GROUP), 1, &a, binds);
  return RP_OK;
}

/* One thread per element. */
static rp_status lower_elements(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const uint32_t states = RP_HASH_GROUP / (is_rescue(p->hash) ? RESCUE_LANES : p->width); /* per workgroup */
  rp_bind binds[BINDS];
  const struct rp_hash_args a = begin(l, binds);
  rp_gpu_dispatch(l, is_rescue(p->hash) ? &rp_kernel_rescue_lanes : &rp_kernel_poseidon_elements,
                  rp_gpu_groups(a.n, states), 1, &a, binds);
  return RP_OK;
}

/* With few states, one thread per state would leave lanes of a GPU idle; and a thread's registers cannot hold a wide
 * state. */
static bool has_elements(const rp_lower *l) {
  const params *p = rp_lower_params(l);
  if (!is_rescue(p->hash) && p->width > POSEIDON_THREAD_WIDTH_MAX) return true;
  return items(l) <= rp_lower_limits(l)->workers * 64;
}

static int describe(const void *params_, char *text, size_t bytes) {
  const params *p = params_;
  return snprintf(text, bytes, "%s width=%u row_len=%llu", is_rescue(p->hash) ? "rescue" : "poseidon", p->width,
                  (unsigned long long)p->row_len);
}

static const rp_strategy strategies[] = {
    {.name = "map", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "elements", .devices = RP_ON_GPU, .applies = has_elements, .lower = lower_elements},
    {.name = "states", .devices = RP_ON_GPU, .lower = lower_threads},
};
enum { N_STRATEGIES = sizeof strategies / sizeof *strategies };

const rp_op rp_op_hash_permute = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "hash_permute",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = N_STRATEGIES,
    .describe = describe,
    .schema = RP_SCHEMA(.least_in = 1, .check = check,
                        RP_PARAMS(RP_PARAM_HASH(params, hash), RP_PARAM_UPTO(params, width, 1, POSEIDON_WIDTH_MAX),
                                  RP_PARAM_UPTO(params, row_len, 0, 0)),
                        .examples = "bn254_fr[3n]; hash=3, width=3")};
const rp_op rp_op_hash_rows = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "hash_rows",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = N_STRATEGIES,
    .describe = describe,
    .schema = RP_SCHEMA(.least_in = 1, .check = check,
                        RP_PARAMS(RP_PARAM_HASH(params, hash), RP_PARAM_UPTO(params, width, 1, POSEIDON_WIDTH_MAX),
                                  RP_PARAM_UPTO(params, row_len, 1, RP_MAX_LEN)))};

rp_value rp_hash_permute(rp_graph *g, rp_hash hash, uint32_t width, rp_value states) {
  if (is_poseidon2(hash) && width == rp_poseidon2_width(hash))
    return rp_poseidon2(g, hash, POSEIDON2_PERMUTE, states, 0, 0);
  if (is_poseidon2(hash))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "hash_permute: the width is %u; states of %s have %u elements", width,
                         rp_hash_of_id((uint32_t)hash), rp_poseidon2_width(hash));
  if (!is_hash(hash)) return rp_graph_fail(g, RP_ERR_ARGUMENT, "hash_permute: hash %d is unknown", (int)hash);
  if (is_rescue(hash) ? width != RESCUE_WIDTH : width < POSEIDON_WIDTH_MIN || width > POSEIDON_WIDTH_MAX)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "hash_permute: the width is %u, not %s", width,
                         is_rescue(hash) ? "12" : "2 to 17");
  return rp_graph_node(g, &rp_op_hash_permute, &(params){hash, width, 0}, &states, 1, NULL, 1);
}

static rp_value poseidon2_rows(rp_graph *g, rp_hash hash, rp_value x, uint64_t row_len) {
  const bool pairs = hash == RP_HASH_POSEIDON2_BN254_T2;
  if (pairs ? row_len != 2 : !row_len || row_len > POSEIDON2_ROW_MOST)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "hash_rows: rows of %llu elements; %s takes %s",
                         (unsigned long long)row_len, rp_hash_of_id((uint32_t)hash), pairs ? "2" : "1 to 2^20");
  if (pairs) return rp_poseidon2(g, hash, POSEIDON2_PAIRS, x, 0, 0);
  return rp_poseidon2(g, hash, POSEIDON2_SPONGE, x, row_len, rp_poseidon2_digest(hash));
}

rp_value rp_hash_rows(rp_graph *g, rp_hash hash, rp_value x, uint64_t row_len) {
  params p = {.hash = hash, .row_len = row_len};
  if (is_poseidon2(hash)) return poseidon2_rows(g, hash, x, row_len);
  if (!is_hash(hash)) return rp_graph_fail(g, RP_ERR_ARGUMENT, "hash_rows: hash %d is unknown", (int)hash);
  if (!row_len || row_len > (is_rescue(hash) ? RP_MAX_LEN : POSEIDON_WIDTH_MAX - 1))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "hash_rows: rows of %llu elements, not %s", (unsigned long long)row_len,
                         is_rescue(hash) ? "1 to 2^32 - 1" : "1 to 16");
  p.width = is_rescue(hash) ? RESCUE_WIDTH : (uint32_t)row_len + 1;
  return rp_graph_node(g, &rp_op_hash_rows, &p, &x, 1, NULL, 1);
}

rp_value rp_merkle_level(rp_graph *g, rp_hash hash, rp_value digests) {
  if (is_poseidon2(hash)) return rp_poseidon2(g, hash, POSEIDON2_PAIRS, digests, 0, 0);
  return rp_hash_rows(g, hash, digests, 2 * (uint64_t)rp_hash_digest_len(hash));
}
