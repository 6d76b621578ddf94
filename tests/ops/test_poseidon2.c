/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2: the published known answers, and a reference that multiplies by whole matrices, written from the paper
 * (ePrint 2023/323) and from Plonky3's description of its instances.
 *
 * op-test lavapipe:quick
 */
#include "data.h"
#include "device.h"
#include "hash/poseidon_grain.h"

#include <reprise/transcript.h>

#include <stdio.h>

enum { MOST_WIDTH = 16, WORDS = 4, FULL = 8 };
typedef uint64_t element[WORDS];

typedef struct instance {
  rp_hash hash;
  rp_field field;
  uint32_t width, partial, alpha, rate, digest;
} instance;
static const instance instances[] = {{RP_HASH_POSEIDON2_BN254_T2, RP_FIELD_BN254_FR, 2, 56, 5, 0, 1},
                                     {RP_HASH_POSEIDON2_BN254_T3, RP_FIELD_BN254_FR, 3, 56, 5, 2, 1},
                                     {RP_HASH_POSEIDON2_BN254_T4, RP_FIELD_BN254_FR, 4, 56, 5, 3, 1},
                                     {RP_HASH_POSEIDON2_BABYBEAR, RP_FIELD_BABYBEAR, 16, 13, 7, 8, 8},
                                     {RP_HASH_POSEIDON2_KOALABEAR, RP_FIELD_KOALABEAR, 16, 20, 3, 8, 8}};
enum { N_INSTANCES = sizeof instances / sizeof *instances };

/* ---- The reference ----------------------------------------------------------------------------------------------- */

static void small_integer(const rp_field_host *f, uint32_t x, void *r) {
  f->from_bytes_reduce(r, (const uint8_t *)&x, sizeof x);
}

/* Entry (i, j) of the external matrix. */
static uint32_t external_entry(const instance *p, uint32_t i, uint32_t j) {
  static const uint32_t paper[4][4] = {{5, 7, 1, 3}, {4, 6, 1, 1}, {1, 3, 5, 7}, {1, 1, 4, 6}};
  static const uint32_t plonky3[4][4] = {{2, 3, 1, 1}, {1, 2, 3, 1}, {1, 1, 2, 3}, {3, 1, 1, 2}};
  if (p->width < 4) return i == j ? 2 : 1;
  if (p->width == 4) return paper[i][j];
  return plonky3[i % 4][j % 4] * (i / 4 == j / 4 ? 2 : 1);
}

static void multiply(const instance *p, element *x, const uint8_t *diagonal) {
  const rp_field_host *f = rp_field_get(p->field);
  element y[MOST_WIDTH], entry, product;
  for (uint32_t i = 0; i < p->width; i++) {
    f->zero(y[i]);
    for (uint32_t j = 0; j < p->width; j++) {
      small_integer(f, diagonal ? 1 : external_entry(p, i, j), entry);
      if (diagonal && i == j) {
        element own;
        memcpy(own, diagonal + i * f->size_bytes, f->size_bytes);
        f->add(entry, entry, own);
      }
      f->mul(product, entry, x[j]);
      f->add(y[i], y[i], product);
    }
  }
  memcpy(x, y, sizeof y);
}

/* Kept for all tests, because generating them takes longer than a permutation. */
static const uint8_t *constants_of(const instance *p) {
  static element cache[N_INSTANCES][160];
  static int made[N_INSTANCES];
  const ptrdiff_t k = p - instances;
  const rp_poseidon2_params c = {.poseidon = {p->field, p->width, FULL, p->partial}};
  if (!made[k]) assert_int_equal(rp_poseidon2_constants(&c, cache[k], rp_poseidon2_constants_len(&c)), RP_OK);
  made[k] = 1;
  return (const uint8_t *)cache[k];
}

static void reference(const instance *p, element *x) {
  const rp_field_host *f = rp_field_get(p->field);
  const uint8_t power = (uint8_t)p->alpha, *constants = constants_of(p), *at = constants;
  const uint8_t *diagonal = constants + (size_t)(p->width * FULL + p->partial) * f->size_bytes;
  multiply(p, x, NULL);
  for (uint32_t r = 0; r < FULL + p->partial; r++) {
    const int full = r < FULL / 2 || r >= FULL / 2 + p->partial;
    for (uint32_t i = 0; i < (full ? p->width : 1); i++, at += f->size_bytes) {
      element constant;
      memcpy(constant, at, f->size_bytes);
      f->add(x[i], x[i], constant);
      f->pow(x[i], x[i], &power, 1);
    }
    multiply(p, x, full ? NULL : diagonal);
  }
}

/* n_out elements of a row's sponge. */
static void reference_sponge(const instance *p, const uint8_t *row, uint64_t len, uint64_t n_out, uint8_t *out) {
  const rp_field_host *f = rp_field_get(p->field);
  const int small = p->width == MOST_WIDTH;
  uint8_t capacity[16] = {0};
  element x[MOST_WIDTH] = {{0}}, y;
  memcpy(capacity + 8, &len, sizeof len);
  if (!small) f->from_bytes_reduce(x[p->width - 1], capacity, sizeof capacity);
  for (uint64_t at = 0; at < len; at += p->rate) {
    for (uint64_t i = 0; i < p->rate && at + i < len; i++) {
      memcpy(y, row + (at + i) * f->size_bytes, f->size_bytes);
      if (small)
        memcpy(x[i], y, sizeof y);
      else
        f->add(x[i], x[i], y);
    }
    reference(p, x);
  }
  for (uint64_t i = 0; i < n_out; i++) {
    if (i && i % p->rate == 0) reference(p, x);
    memcpy(out + i * f->size_bytes, x[i % p->rate], f->size_bytes);
  }
}

static void reference_pair(const instance *p, const uint8_t *pair, uint8_t *out) {
  const rp_field_host *f = rp_field_get(p->field);
  element x[MOST_WIDTH] = {{0}}, first = {0};
  if (p->width == 3 || p->width == 4) {
    reference_sponge(p, pair, 2, 1, out);
    return;
  }
  for (uint32_t i = 0; i < 2 * p->digest; i++) memcpy(x[i], pair + i * f->size_bytes, f->size_bytes);
  memcpy(first, x[0], sizeof first);
  reference(p, x);
  if (p->width == 2) f->add(x[0], x[0], first);
  for (uint32_t i = 0; i < p->digest; i++) memcpy(out + i * f->size_bytes, x[i], f->size_bytes);
}

/* ---- Known answers ----------------------------------------------------------------------------------------------- */

static void hex_element(rp_field field, const char *hex, void *r) {
  uint8_t le[32];
  for (int i = 0; i < 32; i++) {
    unsigned byte;
    assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
    le[31 - i] = (uint8_t)byte;
  }
  assert_true(rp_field_get(field)->from_canonical(r, le));
}

/* The permutation of 0, 1, 2 ..., by the tests of its authors (t = 3) and of Barretenberg and rs-soroban-poseidon. */
static void known_bn254(void **state) {
  static const char *const want[3][4] = {{"1d01e56f49579cec72319e145f06f6177f6c5253206e78c2689781452a31878b",
                                          "0d189ec589c41b8cffa88cfc523618a055abe8192c70f75aa72fc514560f6c61"},
                                         {"0bb61d24daca55eebcb1929a82650f328134334da98ea4f847f760054f4a3033",
                                          "303b6f7c86d043bfcbcc80214f26a30277a15d3f74ca654992defe7ff8d03570",
                                          "1ed25194542b12eef8617361c3ba7c52e660b145994427cc86296242cf766ec8"},
                                         {"01bd538c2ee014ed5141b29e9ae240bf8db3fe5b9a38629a9647cf8d76c01737",
                                          "239b62e7db98aa3a2a8f6a0d2fa1709e7a35959aa6c7034814d9daa90cbac662",
                                          "04cbb44c61d928ed06808456bf758cbf0c18d1e15a7b6dbc8245fa7515d5e3cb",
                                          "2e11c5cff2a22c64d01304b778d78f6998eff1ab73163a35603f54794c30847a"}};
  element in[3][4], got[3][4], expected;
  job j;
  (void)state;
  job_begin(&j);
  for (uint32_t k = 0; k < 3; k++) {
    const uint32_t t = k + 2;
    for (uint32_t i = 0; i < t; i++) small_integer(rp_field_get(RP_FIELD_BN254_FR), i, in[k][i]);
    const rp_value x = job_input(&j, rp_type_field(RP_FIELD_BN254_FR), t, in[k]);
    job_output(&j, rp_hash_permute(j.graph, instances[k].hash, t, x), got[k]);
  }
  job_check(&j);
  for (uint32_t k = 0; k < 3; k++)
    for (uint32_t i = 0; i < k + 2; i++) {
      hex_element(RP_FIELD_BN254_FR, want[k][i], expected);
      assert_memory_equal(got[k][i], expected, sizeof expected);
    }
}

/* Plonky3's test_default_babybear_poseidon2_width_16 and test_default_koalabear_poseidon2_width_16. */
static void known_small(void **state) {
  static const uint32_t in[16] = {894848333,  1437655012, 1200606629, 1690012884, 71131202,   1749206695,
                                  1717947831, 120589055,  19776022,   42382981,   1831865506, 724844064,
                                  171220207,  1299207443, 227047920,  1783754913};
  static const uint32_t want[2][16] = {
      {516096821, 90309867, 1101817252, 1660784290, 360715097, 1789519026, 1788910906, 563338433, 319524748, 1741414159,
       1650859320, 894311162, 1121347488, 1692793758, 1052633829, 1344246938},
      {1934285469, 604889435, 133449501, 1026180808, 1830659359, 176667110, 1391183747, 351743874, 1238264085,
       1292768839, 2023573270, 1201586780, 1360691759, 1230682461, 748270449, 651545025}};
  (void)state;
  for (int k = 0; k < 2; k++) {
    const instance *p = &instances[3 + k];
    void *x = data_from_canonical(p->field, in, 16);
    uint32_t got[16];
    job j;
    job_begin(&j);
    job_output(&j, rp_hash_permute(j.graph, p->hash, 16, job_input(&j, rp_type_field(p->field), 16, x)), got);
    job_check(&j);
    void *canonical = data_canonical(p->field, got, 16);
    assert_memory_equal(canonical, want[k], sizeof want[k]);
    free(x), free(canonical);
  }
}

/* The first constants of every instance as others publish them: HorizenLabs and Barretenberg (BN254), Plonky3. */
static void known_constants(void **state) {
  static const char *const bn254[] = {"09c46e9ec68e9bd4fe1faaba294cba38a71aa177534cdd1b6c7dc0dbd0abd7a7",
                                      "1d066a255517b7fd8bddd3a93f7804ef7f8fcde48bb4c37a59a09a1a97052816",
                                      "19b849f69450b06848da1d39bd5e4a4302bb86744edc26238b0878e269ed23e5"};
  static const char *const diagonal[] = {"10dc6e9c006ea38b04b1e03b4bd9490c0d03f98929ca1d7fb56821fd19d3b6e7",
                                         "0c28145b6a44df3e0149b3d0a30b3bb599df9756d4dd9b84a86b38cfb45a740b",
                                         "00544b8338791518b2c7645a50392798b21f75bb60e3596170067d00141cac15",
                                         "222c01175718386f2e2e82eb122789e352e105a3b8fa852613bc534433ee428b"};
  static const uint32_t small[] = {1774958255, 2128964168};
  element constants[160], want;
  (void)state;
  for (uint32_t k = 0; k < N_INSTANCES; k++) {
    const instance *p = &instances[k];
    const rp_poseidon2_params c = {.poseidon = {p->field, p->width, FULL, p->partial}};
    assert_int_equal(rp_poseidon2_constants(&c, constants, rp_poseidon2_constants_len(&c)), RP_OK);
    if (k < 3)
      hex_element(p->field, bn254[k], want);
    else
      small_integer(rp_field_get(p->field), small[k - 3], want);
    assert_memory_equal(constants, want, rp_field_get(p->field)->size_bytes);
    for (uint32_t i = 0; p->width == 4 && i < 4; i++) {
      hex_element(p->field, diagonal[i], want);
      assert_memory_equal(constants[p->width * FULL + p->partial + i], want, sizeof want);
    }
  }
}

/* ---- Comparison with the reference ------------------------------------------------------------------------------- */

static void check_states(const instance *p, data_kind kind, uint64_t n, const char *strategy) {
  const uint32_t size = rp_field_get(p->field)->size_bytes;
  uint8_t *in = data_field(p->field, kind, n + p->width, n * p->width), *got = malloc(n * p->width * size);
  job j;
  job_begin(&j);
  j.strategy_of = "poseidon2";
  job_output(&j, rp_hash_permute(j.graph, p->hash, p->width, job_input(&j, rp_type_field(p->field), n * p->width, in)),
             got);
  job_check(&j);
  if (strategy) assert_string_equal(j.strategy, strategy);
  for (uint64_t i = 0; i<n; i += n> 40 ? n / 20 : 1) { /* the reference is slow */
    element x[MOST_WIDTH];
    for (uint32_t e = 0; e < p->width; e++) memcpy(x[e], in + (i * p->width + e) * size, size);
    reference(p, x);
    for (uint32_t e = 0; e < p->width; e++) assert_memory_equal(got + (i * p->width + e) * size, x[e], size);
  }
  free(in), free(got);
}

/* CUDA has a warp for each of the fewest states of two and three wide elements. */
static void states(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const int gpu = info.kind != RP_DEVICE_CPU;
  for (uint32_t k = 0; k < N_INSTANCES; k++) {
    const bool limbs = info.kind == RP_DEVICE_CUDA && instances[k].width < 4;
    const uint64_t workers = info.limits.workers;
    for (data_kind kind = 0; kind < DATA_KINDS; kind++)
      check_states(&instances[k], kind, 9 + kind, !gpu ? NULL : limbs ? "limbs" : "lanes");
    if (limbs) check_states(&instances[k], DATA_EDGES, 16 * workers, "limbs");
    if (limbs) check_states(&instances[k], DATA_EDGES, 16 * workers + 1, "lanes");
    check_states(&instances[k], DATA_EDGES, 64 * workers + 3, gpu ? "rows" : NULL);
  }
}

static void check_sponge(const instance *p, uint64_t row_len, uint64_t n_out, uint64_t rows) {
  const uint32_t size = rp_field_get(p->field)->size_bytes;
  uint8_t *in = data_field(p->field, DATA_EDGES, row_len + n_out, row_len * rows), *want = malloc(n_out * size);
  uint8_t *got = malloc(n_out * rows * size), *digests = malloc(p->digest * rows * size),
          *host = malloc(p->digest * rows * size);
  job j;
  job_begin(&j);
  const rp_value x = job_input(&j, rp_type_field(p->field), row_len * rows, in);
  job_output(&j, rp_sponge(j.graph, p->hash, x, row_len, n_out), got);
  job_output(&j, rp_hash_rows(j.graph, p->hash, x, row_len), digests);
  job_check(&j);
  assert_int_equal(rp_hash_rows_host(p->hash, in, row_len, rows, host), RP_OK);
  assert_memory_equal(digests, host, p->digest * rows * size);
  for (uint64_t r = 0; r<rows; r += rows> 20 ? rows / 5 : 1) {
    reference_sponge(p, in + r * row_len * size, row_len, n_out, want);
    assert_memory_equal(got + r * n_out * size, want, n_out * size);
    assert_memory_equal(digests + r * p->digest * size, want, (n_out < p->digest ? n_out : p->digest) * size);
  }
  free(in), free(want), free(got), free(digests), free(host);
}

static void sponges(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  for (uint32_t k = 1; k < N_INSTANCES; k++) {
    const instance *p = &instances[k];
    for (uint64_t len = 1; len <= 2 * p->rate + 1; len++) check_sponge(p, len, 1 + len * 5 % (2 * p->rate + 2), 3);
    check_sponge(p, p->rate + 1, 2 * p->rate + 1, 64 * (uint64_t)info.limits.workers + 1);
  }
}

/* Every node of a tree is the parent of its children, by each schedule. */
static void check_tree(const instance *p, uint64_t leaves, rp_merkle_schedule schedule) {
  const uint32_t size = p->digest * rp_field_get(p->field)->size_bytes;
  const rp_merkle_options o = {.struct_size = sizeof o, .schedule = schedule};
  uint8_t *in = data_field(p->field, DATA_RANDOM, leaves, leaves * p->digest), *got = malloc(leaves * size);
  uint8_t *level = malloc(leaves * size), want[32];
  job j;
  job_begin(&j);
  const rp_value x = job_input(&j, rp_type_field(p->field), leaves * p->digest, in);
  job_output(&j, rp_merkle_tree(j.graph, p->hash, x, &o), got);
  job_output(&j, rp_merkle_level(j.graph, p->hash, x), level);
  job_check(&j);
  memset(want, 0, sizeof want);
  assert_memory_equal(got, want, size);
  assert_memory_equal(got + leaves / 2 * size, level, leaves / 2 * size);
  assert_int_equal(rp_hash_pairs_host(p->hash, in, leaves / 2, level), RP_OK);
  assert_memory_equal(got + leaves / 2 * size, level, leaves / 2 * size);
  if (leaves > 2) { /* node i has the children 2i and 2i + 1, whatever their level */
    assert_int_equal(rp_hash_pairs_host(p->hash, got + 2 * size, leaves / 2 - 1, level), RP_OK);
    assert_memory_equal(got + size, level, (leaves / 2 - 1) * size);
  }
  reference_pair(p, in, want);
  assert_memory_equal(got + leaves / 2 * size, want, size);
  free(in), free(got), free(level);
}

static void trees(void **state) {
  (void)state;
  for (uint32_t k = 0; k < N_INSTANCES; k++)
    for (uint64_t leaves = 2; leaves <= data_cap(512); leaves *= leaves < 8 ? 2 : 4)
      for (rp_merkle_schedule s = RP_MERKLE_AUTO; s <= RP_MERKLE_SUBTREES; s++)
        if (s != RP_MERKLE_BLOCKS) check_tree(&instances[k], leaves, s);
}

static void refuses(rp_graph *g, rp_value out, rp_status status, const char *reason) {
  assert_int_equal(out.id, 0);
  assert_int_equal(rp_graph_error(g)->status, status);
  if (!strstr(rp_graph_error(g)->reason, reason)) fail_msg("'%s' does not say '%s'", rp_graph_error(g)->reason, reason);
}

#define REFUSES(field, len, call, status, reason)                                  \
  do {                                                                             \
    rp_graph *g = NULL;                                                            \
    assert_int_equal(rp_graph_create(device_context(), "wrong", &g, NULL), RP_OK); \
    const rp_value x = rp_graph_input(g, "x", rp_type_field(field), len, 0);       \
    refuses(g, call, status, reason);                                              \
    rp_graph_destroy(g);                                                           \
  } while (0)

static void wrong_arguments(void **state) {
  const rp_merkle_options blocks = {.struct_size = sizeof blocks, .schedule = RP_MERKLE_BLOCKS};
  const rp_merkle_options group = {.struct_size = sizeof group, .group = 8};
  const rp_hash t2 = RP_HASH_POSEIDON2_BN254_T2, t3 = RP_HASH_POSEIDON2_BN254_T3, small = RP_HASH_POSEIDON2_BABYBEAR;
  (void)state;
  REFUSES(RP_FIELD_BN254_FR, 6, rp_hash_permute(g, t3, 2, x), RP_ERR_ARGUMENT, "states of poseidon2_bn254_t3 have 3");
  REFUSES(RP_FIELD_BN254_FR, 7, rp_hash_permute(g, t3, 3, x), RP_ERR_SHAPE, "7 elements are not a multiple of 3");
  REFUSES(RP_FIELD_GOLDILOCKS, 6, rp_hash_permute(g, t3, 3, x), RP_ERR_TYPE, "of type goldilocks, not bn254_fr");
  REFUSES(RP_FIELD_KOALABEAR, 16, rp_hash_permute(g, small, 16, x), RP_ERR_TYPE, "of type koalabear, not babybear");
  REFUSES(RP_FIELD_BN254_FR, 6, rp_hash_rows(g, t2, x, 3), RP_ERR_ARGUMENT, "poseidon2_bn254_t2 takes 2");
  REFUSES(RP_FIELD_BN254_FR, 6, rp_hash_rows(g, t3, x, 0), RP_ERR_ARGUMENT, "takes 1 to 2^20");
  REFUSES(RP_FIELD_BN254_FR, 6, rp_sponge(g, t2, x, 2, 1), RP_ERR_ARGUMENT, "is no sponge");
  REFUSES(RP_FIELD_BN254_FR, 6, rp_sponge(g, RP_HASH_POSEIDON_BN254, x, 2, 1), RP_ERR_ARGUMENT, "is no sponge");
  REFUSES(RP_FIELD_BN254_FR, 6, rp_sponge(g, t3, x, 2, 0), RP_ERR_ARGUMENT, "not 1 to 2^20");
  REFUSES(RP_FIELD_BABYBEAR, 24, rp_merkle_level(g, small, x), RP_ERR_SHAPE, "24 elements are not a multiple of 16");
  REFUSES(RP_FIELD_BABYBEAR, 64, rp_merkle_tree(g, small, x, &blocks), RP_ERR_UNSUPPORTED, "no groups of blocks");
  REFUSES(RP_FIELD_BABYBEAR, 64, rp_merkle_tree(g, small, x, &group), RP_ERR_UNSUPPORTED, "leave group at 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_bn254),     cmocka_unit_test(known_small), cmocka_unit_test(known_constants),
      cmocka_unit_test(states),          cmocka_unit_test(sponges),     cmocka_unit_test(trees),
      cmocka_unit_test(wrong_arguments),
  };
  return device_run_tests("poseidon2", tests, sizeof tests / sizeof tests[0]);
}
