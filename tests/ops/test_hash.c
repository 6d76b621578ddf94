/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every entry of tests/data/rescue_prime_goldilocks.json and poseidon_bn254.json.
 *
 * op-test lavapipe:slow least
 */
#include "data.h"
#include "device.h"
#include "hash/poseidon_grain.h"
#include "hash/rescue_rp64_256.h"
#include "kat.h"

#include <openssl/sha.h>
#include <stdio.h>

typedef uint8_t bytes;

enum { MAX_NODES = 256, MAX_ELEMENTS = 4 };

/* ---- shared ------------------------------------------------------------------------------------------------------ */

/* Decimal (or 0x) text to memory form. */
static void element(rp_field field, const json *v, void *r) {
  bytes le[48];
  const rp_field_host *f = rp_field_get(field);
  json_integer(v, 0, le, f->canonical_bytes);
  assert_true(f->from_canonical(r, le));
}

static uint64_t elements(rp_field field, const json *array, void *r) {
  bytes *at = r;
  for (const json *i = array->item; i; i = i->next, at += rp_field_get(field)->size_bytes) element(field, i, at);
  return array->n;
}

static void assert_elements(rp_field field, const void *got, const json *want, const char *what) {
  uint64_t t[64 * 4];
  assert_true(want->n <= 64);
  data_assert_equal(field, got, t, elements(field, want, t), what);
}

/* SHA-256 of bytes as a big-endian integer mod p. */
static void hashed(rp_field field, const void *text, size_t n, void *r) {
  bytes digest[SHA256_DIGEST_LENGTH], le[SHA256_DIGEST_LENGTH];
  SHA256(text, n, digest);
  for (size_t i = 0; i < sizeof le; i++) le[i] = digest[sizeof le - 1 - i];
  rp_field_get(field)->from_bytes_reduce(r, le, sizeof le);
}

static void leaf_set(const char *kind, rp_field field, uint64_t n, void *leaves) {
  const rp_field_host *f = rp_field_get(field);
  const uint64_t words = field == RP_FIELD_GOLDILOCKS ? 4 : 1;
  for (uint64_t i = 0; i < n * words; i++) {
    bytes *r = (bytes *)leaves + i * f->size_bytes;
    if (!strcmp(kind, "sha256")) {
      bytes text[32];
      const char *prefix = words == 4 ? "rescue-leaf" : "poseidon-leaf";
      size_t at = strlen(prefix);
      const uint64_t leaf = i / words;
      memcpy(text, prefix, at);
      memcpy(text + at, &leaf, 8);
      at += 8;
      if (words == 4) text[at++] = (bytes)(i % words);
      hashed(field, text, at, r);
    } else {
      const uint64_t value = !strcmp(kind, "ones") ? 1 : i + 1;
      f->from_bytes_reduce(r, (const uint8_t *)&value, 8);
    }
  }
}

/* All nodes of the tree in heap order, with node 0 zero: one rp_merkle_level per level. Returns the number of nodes of
 * the graph. */
static uint32_t merkle(rp_hash hash, const void *leaves, uint64_t n, bytes *nodes) {
  const uint32_t digest = rp_hash_digest_len(hash), size = digest * rp_field_get(rp_hash_field(hash))->size_bytes;
  uint32_t levels = 0;
  job j;
  memset(nodes, 0, size);
  job_begin(&j);
  rp_value level = job_input(&j, rp_type_field(rp_hash_field(hash)), n * digest, leaves);
  for (uint64_t slots = n / 2; slots; slots /= 2, levels++) {
    level = rp_merkle_level(j.graph, hash, level);
    assert_int_equal(rp_value_len(j.graph, level), slots * digest);
    job_output(&j, level, nodes + slots * size);
  }
  job_check(&j);
  return levels;
}

static void permute(rp_hash hash, uint32_t width, const void *in, void *out) {
  job j;
  job_begin(&j);
  job_output(&j, rp_hash_permute(j.graph, hash, width, job_input(&j, rp_type_field(rp_hash_field(hash)), width, in)),
             out);
  job_check(&j);
}

static void hash_rows(rp_hash hash, uint64_t row_len, uint64_t rows, const void *in, void *out) {
  job j;
  job_begin(&j);
  rp_value x = job_input(&j, rp_type_field(rp_hash_field(hash)), row_len * rows, in);
  job_output(&j, rp_hash_rows(j.graph, hash, x, row_len), out);
  job_check(&j);
}

/* ---- Rescue ------------------------------------------------------------------------------------------------------ */

static rp_hash rescue_of(const json *variant) {
  return strstr(json_get(variant, "name")->text, "capacity_last") ? RP_HASH_RESCUE_RP64_256
                                                                  : RP_HASH_RESCUE_RP64_256_WINTERFELL;
}

static uint64_t mds(rp_hash hash, int i, int k) {
  return hash == RP_HASH_RESCUE_RP64_256 ? rescue_mds_vandermonde[i][k]
                                         : rescue_mds_circulant[(k - i + RESCUE_WIDTH) % RESCUE_WIDTH];
}

/* Checks the positions of rate, capacity, digest and length in a state: one permutation of a state that is assembled as
 * the file says gives the digest of eight elements. */
static void check_layout(const json *layout, rp_hash hash) {
  const json *rate = json_get(layout, "rate_range"), *capacity = json_get(layout, "capacity_range"),
             *digest = json_get(layout, "digest_range");
  const uint64_t width = json_u64(json_get(layout, "capacity_width")), first = json_u64(json_at(rate, 0));
  uint64_t state[RESCUE_WIDTH] = {0}, in[RESCUE_RATE], out[RESCUE_WIDTH], want[4];
  assert_int_equal(json_u64(json_at(rate, 1)) - first, RESCUE_RATE);
  assert_int_equal(json_u64(json_at(capacity, 1)) - json_u64(json_at(capacity, 0)), width);
  assert_int_equal(width + RESCUE_RATE, RESCUE_WIDTH);
  for (uint64_t i = 0; i < RESCUE_RATE; i++) state[first + i] = in[i] = 100 + i;
  state[json_u64(json_get(layout, "capacity_element_receiving_input_length"))] = RESCUE_RATE;
  permute(hash, RESCUE_WIDTH, state, out);
  hash_rows(hash, RESCUE_RATE, 1, in, want);
  assert_int_equal(json_u64(json_at(digest, 1)) - json_u64(json_at(digest, 0)), 4);
  assert_memory_equal(out + json_u64(json_at(digest, 0)), want, sizeof want);
}

/* The file's two matrices are inverses of each other. */
static void check_inverse(const json *matrix, const json *inverse) {
  const rp_field_host *f = rp_field_get(RP_FIELD_GOLDILOCKS);
  for (size_t i = 0; i < RESCUE_WIDTH; i++)
    for (size_t k = 0; k < RESCUE_WIDTH; k++) {
      uint64_t sum = 0, a, b;
      for (size_t m = 0; m < RESCUE_WIDTH; m++) {
        element(f->id, json_at(json_at(matrix, i), m), &a);
        element(f->id, json_at(json_at(inverse, m), k), &b);
        f->mul(&a, &a, &b);
        f->add(&sum, &sum, &a);
      }
      assert_int_equal(sum, i == k);
    }
}

static void test_rescue_parameters(void **state) {
  json *root = json_load("rescue_prime_goldilocks.json");
  const rp_field_host *f = rp_field_get(RP_FIELD_GOLDILOCKS);
  const json *meta = json_get(root, "_meta");
  (void)state;
  assert_int_equal(json_u64(json_get(meta, "rounds")), RESCUE_ROUNDS);
  for (size_t r = 0; r < RESCUE_ROUNDS; r++) {
    assert_elements(f->id, rescue_ark1[r], json_at(json_get(root, "ARK1"), r), "ARK1");
    assert_elements(f->id, rescue_ark2[r], json_at(json_get(root, "ARK2"), r), "ARK2");
  }
  for (const json *v = json_get(root, "variants")->item; v; v = v->next) {
    const json *k = json_get(v, "KAT_independent"), *layout = json_get(v, "layout");
    uint64_t in[RESCUE_WIDTH], out[RESCUE_WIDTH];
    uint64_t seven = json_u64(json_get(meta, "alpha")), inverse = json_u64(json_get(meta, "inverse_alpha"));
    assert_int_equal(json_u64(json_get(layout, "state_width")), RESCUE_WIDTH);
    assert_int_equal(json_u64(json_get(layout, "rate_width")), RESCUE_RATE);
    assert_int_equal(json_u64(json_get(layout, "digest_width")), rp_hash_digest_len(rescue_of(v)));
    check_layout(layout, rescue_of(v));
    if (json_find(v, "INV_MDS")) check_inverse(json_get(v, "MDS"), json_get(v, "INV_MDS"));
    for (int i = 0; i < RESCUE_WIDTH; i++)
      for (int c = 0; c < RESCUE_WIDTH; c++)
        assert_int_equal(mds(rescue_of(v), i, c), json_u64(json_at(json_at(json_get(v, "MDS"), (size_t)i), (size_t)c)));
    if (json_find(k, "mds_input")) {
      elements(f->id, json_get(k, "mds_input"), in);
      for (int i = 0; i < RESCUE_WIDTH; i++) {
        out[i] = 0;
        for (int c = 0; c < RESCUE_WIDTH; c++) {
          uint64_t m = mds(rescue_of(v), i, c), t;
          f->mul(&t, &m, &in[c]);
          f->add(&out[i], &out[i], &t);
        }
      }
      assert_elements(f->id, out, json_get(k, "mds_output"), "mds");
      elements(f->id, json_get(k, "sbox_input"), in);
      for (int i = 0; i < RESCUE_WIDTH; i++) f->pow(&out[i], &in[i], (const uint8_t *)&seven, 8);
      assert_elements(f->id, out, json_get(k, "sbox_output"), "sbox");
      elements(f->id, json_get(k, "inverse_sbox_input"), in);
      for (int i = 0; i < RESCUE_WIDTH; i++) f->pow(&out[i], &in[i], (const uint8_t *)&inverse, 8);
      assert_elements(f->id, out, json_get(k, "inverse_sbox_output"), "inverse sbox");
    }
  }
}

static void test_rescue(void **state) {
  json *root = json_load("rescue_prime_goldilocks.json");
  (void)state;
  for (const json *v = json_get(root, "variants")->item; v; v = v->next) {
    const rp_hash hash = rescue_of(v);
    const json *k = json_get(v, "KAT_independent"), *own = json_get(v, "KAT_python");
    uint64_t in[32], out[RESCUE_WIDTH];
    elements(RP_FIELD_GOLDILOCKS, json_get(k, "permutation_input"), in);
    permute(hash, RESCUE_WIDTH, in, out);
    assert_elements(RP_FIELD_GOLDILOCKS, out, json_get(k, "permutation_output"), "permutation");
    for (const json *e = json_get(own, "hash_elements")->item; e; e = e->next) {
      const uint64_t n = elements(RP_FIELD_GOLDILOCKS, json_get(e, "input"), in);
      hash_rows(hash, n, 1, in, out);
      assert_elements(RP_FIELD_GOLDILOCKS, out, json_get(e, "digest"), "hash_elements");
    }
    for (const json *e = json_get(own, "merge")->item; e; e = e->next) {
      job j;
      bytes le[32];
      elements(RP_FIELD_GOLDILOCKS, json_get(e, "left"), in);
      elements(RP_FIELD_GOLDILOCKS, json_get(e, "right"), in + 4);
      job_begin(&j);
      job_output(&j, rp_merkle_level(j.graph, hash, job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), 8, in)), out);
      job_check(&j);
      assert_elements(RP_FIELD_GOLDILOCKS, out, json_get(e, "digest"), "merge");
      assert_int_equal(json_bytes(json_get(e, "digest_bytes_le"), le, sizeof le), 32);
      assert_memory_equal(out, le, 32);
    }
  }
}

static void test_rescue_merkle(void **state) {
  json *root = json_load("rescue_prime_goldilocks.json");
  (void)state;
  for (const json *v = json_get(root, "variants")->item; v; v = v->next) {
    const json *defect = json_find(v, "NEGATIVE_KAT_ffgpu_stride_defect");
    for (const json *e = json_get(v, "merkle_python")->item; e; e = e->next) {
      static uint64_t leaves[MAX_NODES * 4], nodes[MAX_NODES * 4];
      const uint64_t n = json_u64(json_get(e, "N"));
      const char *kind = json_get(e, "leaves")->text;
      const json *listed = json_find(e, "node_array");
      bytes le[32];
      char size[24];
      leaf_set(kind, RP_FIELD_GOLDILOCKS, n, leaves);
      const uint32_t levels = merkle(rescue_of(v), leaves, n, (bytes *)nodes);
      assert_int_equal((uint64_t)1 << levels, n);
      assert_elements(RP_FIELD_GOLDILOCKS, nodes + 4, json_get(e, "root"), "root");
      assert_int_equal(json_bytes(json_get(e, "root_bytes_le"), le, sizeof le), 32);
      assert_memory_equal(nodes + 4, le, 32);
      kat_assert_digest(nodes, n * 32, json_get(e, "sha256_of_node_array"), "nodes");
      if (listed)
        for (uint64_t i = 0; i < n; i++)
          assert_elements(RP_FIELD_GOLDILOCKS, nodes + 4 * i, json_at(listed, i), "node_array");
      snprintf(size, sizeof size, "%llu", (unsigned long long)n);
      if (defect && !strcmp(kind, "seq") && json_find(json_get(defect, "roots_seq"), size)) {
        uint64_t wrong[4];
        elements(RP_FIELD_GOLDILOCKS, json_get(json_get(defect, "roots_seq"), size), wrong);
        assert_memory_not_equal(nodes + 4, wrong, 32);
      }
    }
  }
}

static uint64_t log2_of(uint64_t n) {
  uint64_t bits = 0;
  while (n >>= 1) bits++;
  return bits;
}

/* The numbers of dispatches of the two published schedules of a tree: one per level, or one per several levels of
 * blocks of B nodes. */
static void test_rescue_schedules(void **state) {
  json *root = json_load("rescue_prime_goldilocks.json");
  const json *counts = json_get(root, "approach_dispatch_counts");
  static const char *const rules[] = {"approach1", "approach2_formula", "approach2_schedule"}; /* these are prose */
  (void)state;
  for (int i = 0; i < 3; i++) assert_non_null(strstr(json_text(json_get(counts, rules[i])), "N"));
  for (int large = 0; large < 2; large++) {
    for (const json *e = json_get(counts, large ? "large" : "table")->item; e; e = e->next) {
      const uint64_t n = json_u64(json_get(e, "N")), b = json_u64(json_get(e, "B")), log_b = log2_of(b),
                     levels = log2_of(n);
      const uint64_t formula = n >> 2 == b   ? 2
                               : n >> 3 == b ? log2_of(n >> (2 + log_b)) + 2
                                             : log2_of(n >> (2 + log_b)) + 1;
      const uint64_t minimum = (levels - 1 + log_b) / (1 + log_b) + 1;
      assert_int_equal(json_u64(json_get(e, large ? "approach2_formula" : "formula_dispatches")), formula);
      assert_int_equal(json_u64(json_get(e, large ? "approach2_minimum" : "minimum_dispatches")), minimum);
      assert_int_equal(json_u64(json_get(e, large ? "approach1" : "levels")), levels);
      if (!large)
        assert_int_equal(!strcmp(json_get(e, "complete_with_formula")->text, "true"),
                         1 + (formula - 1) * (1 + log_b) >= levels);
    }
  }
}

/* ---- Poseidon ---------------------------------------------------------------------------------------------------- */

/* The constants of a width, derived, in memory form; malloc'd. */
static bytes *poseidon_constants(const json *root, uint32_t width, uint64_t *n_round) {
  char name[8];
  snprintf(name, sizeof name, "%u", width);
  const json *partial = json_get(json_get(json_get(root, "_meta"), "R_P_by_t"), name);
  rp_poseidon_params p = {
      .field = RP_FIELD_BN254_FR, .width = width, .full_rounds = 8, .partial_rounds = (uint32_t)json_u64(partial)};
  const uint64_t len = rp_poseidon_constants_len(&p);
  bytes *out = malloc(len * 32);
  assert_non_null(out);
  assert_int_equal(rp_poseidon_constants(&p, out, len), RP_OK);
  *n_round = len - (uint64_t)width * width;
  return out;
}

/* SHA-256 of n elements in 32 bytes each, most significant first. */
static void assert_digest_be(const bytes *x, uint64_t n, const json *want, const char *what) {
  bytes *be = malloc(n * 32), le[32];
  for (uint64_t i = 0; i < n; i++) {
    rp_field_get(RP_FIELD_BN254_FR)->to_canonical(le, x + i * 32);
    for (int k = 0; k < 32; k++) be[i * 32 + (uint64_t)k] = le[31 - k];
  }
  kat_assert_digest(be, n * 32, want, what);
  free(be);
}

static void assert_element(const bytes *got, const json *want, const char *what) {
  uint64_t t[4];
  element(RP_FIELD_BN254_FR, want, t);
  data_assert_equal(RP_FIELD_BN254_FR, got, t, 1, what);
}

static void test_poseidon_constants(void **state) {
  json *root = json_load("poseidon_bn254.json");
  (void)state;
  for (const json *e = json_get(root, "parameters")->item; e; e = e->next) {
    const uint32_t t = (uint32_t)json_u64(json_get(e, "t"));
    uint64_t n;
    bytes *c = poseidon_constants(root, t, &n), *m = c + n * 32;
    char name[8];
    assert_int_equal(json_u64(json_get(e, "inputs")), t - 1);
    assert_int_equal(json_u64(json_get(e, "n_round_constants")), n);
    assert_int_equal((json_u64(json_get(e, "R_F")) + json_u64(json_get(e, "R_P"))) * t, n);
    assert_digest_be(c, n, json_get(e, "sha256_of_C_be32"), "C");
    assert_digest_be(m, (uint64_t)t * t, json_get(e, "sha256_of_M_be32_rowmajor"), "M");
    assert_element(c, json_get(e, "C_first"), "C_first");
    assert_element(c + (n - 1) * 32, json_get(e, "C_last"), "C_last");
    assert_element(m, json_get(e, "M_0_0"), "M_0_0");
    assert_element(m + ((uint64_t)t * t - 1) * 32, json_get(e, "M_last"), "M_last");
    snprintf(name, sizeof name, "%u", t);
    const json *full = json_find(json_get(root, "full_constants_t3_t5"), name);
    if (full) {
      for (uint64_t i = 0; i < n; i++) assert_element(c + i * 32, json_at(json_get(full, "C"), i), "C");
      for (uint64_t i = 0; i < (uint64_t)t * t; i++)
        assert_element(m + i * 32, json_at(json_at(json_get(full, "M"), i / t), i % t), "M");
    }
    free(c);
  }
}

static void test_poseidon(void **state) {
  json *root = json_load("poseidon_bn254.json");
  (void)state;
  for (const json *e = json_get(root, "KAT_independent")->item; e; e = e->next) {
    const uint32_t t = (uint32_t)json_u64(json_get(e, "t"));
    const json *outputs = json_get(e, "outputs_first_n");
    uint64_t in[17 * 4], out[17 * 4], digest[4];
    element(RP_FIELD_BN254_FR, json_get(e, "initial_state"), in);
    assert_int_equal(elements(RP_FIELD_BN254_FR, json_get(e, "inputs"), in + 4), t - 1);
    permute(RP_HASH_POSEIDON_BN254, t, in, out);
    assert_elements(RP_FIELD_BN254_FR, out, outputs, "outputs");
    if (rp_field_get(RP_FIELD_BN254_FR)->is_zero(in)) {
      hash_rows(RP_HASH_POSEIDON_BN254, t - 1, 1, in + 4, digest);
      data_assert_equal(RP_FIELD_BN254_FR, digest, out, 1, "hash_rows");
    }
  }
}

static void test_poseidon_merkle(void **state) {
  json *root = json_load("poseidon_bn254.json");
  static uint64_t leaves[MAX_NODES * 4], nodes[MAX_NODES * 4];
  const json *zeros = json_get(json_get(root, "merkle_independent_all_zero_leaves"), "roots");
  uint64_t pair[8] = {0};
  (void)state;
  for (const json *k = zeros->item; k; k = k->next) { /* the root above two equal subtrees */
    assert_element((bytes *)pair, k, "root over zero leaves");
    uint64_t parent[4];
    memcpy(pair + 4, pair, 32);
    hash_rows(RP_HASH_POSEIDON_BN254, 2, 1, pair, parent);
    memcpy(pair, parent, 32);
  }
  for (const json *e = json_get(root, "merkle_python")->item; e; e = e->next) {
    const uint64_t n = json_u64(json_get(e, "N"));
    const json *listed = json_find(e, "node_array");
    leaf_set(json_get(e, "leaves")->text, RP_FIELD_BN254_FR, n, leaves);
    merkle(RP_HASH_POSEIDON_BN254, leaves, n, (bytes *)nodes);
    assert_element((bytes *)nodes + 32, json_get(e, "root"), "root");
    assert_element((bytes *)nodes + 32, json_get(e, "root_hex"), "root_hex");
    assert_digest_be((bytes *)nodes, n, json_get(e, "sha256_of_node_array_be32"), "nodes");
    if (listed) assert_elements(RP_FIELD_BN254_FR, nodes, listed, "node_array");
  }
}

/* The tests have read everything in the files except their prose. */
static void test_consumed(void **state) {
  static const char *const except[] = {"_meta",  "provenance", "description",   "source",  "what", "independent",
                                       "status", "findings",   "preconditions", "meaning", NULL};
  (void)state;
  json_assert_consumed("rescue_prime_goldilocks.json", except);
  json_assert_consumed("poseidon_bn254.json", except);
}

/* ---- many at once, and mistakes ---------------------------------------------------------------------------------- */

static void permute_all(rp_hash hash, uint32_t width, uint64_t states, const void *in, void *out) {
  job j;
  job_begin(&j);
  rp_value x = job_input(&j, rp_type_field(rp_hash_field(hash)), width * states, in);
  job_output(&j, rp_hash_permute(j.graph, hash, width, x), out);
  job_check(&j);
}

/* Rows (states, if row_len is 0) give the same digests when they are hashed together as when they are hashed one by
 * one, although a device may use different kernels for many and for few. */
static void check_many(rp_hash hash, uint32_t width, uint64_t row_len, uint64_t n) {
  const rp_field field = rp_hash_field(hash);
  const size_t size = rp_field_get(field)->size_bytes, in = (row_len ? row_len : width) * size;
  const size_t out = row_len ? rp_hash_digest_len(hash) * size : width * size;
  bytes *x = data_field(field, DATA_EDGES, 3, n * in / size), *all = malloc(n * out), one[17 * 32];
  assert_non_null(all);
  if (row_len)
    hash_rows(hash, row_len, n, x, all);
  else
    permute_all(hash, width, n, x, all);
  for (uint64_t k = 0; k < 5; k++) {
    const uint64_t i = k < 4 ? k * 19 % n : n - 1;
    if (row_len)
      hash_rows(hash, row_len, 1, x + i * in, one);
    else
      permute_all(hash, width, 1, x + i * in, one);
    if (memcmp(all + i * out, one, out))
      fail_msg("hash %d, width %u, rows of %llu, on %s: %llu of %llu differs", (int)hash, width,
               (unsigned long long)row_len, device_name(), (unsigned long long)i, (unsigned long long)n);
  }
  free(x);
  free(all);
}

static void test_many_rows(void **state) {
  static const uint64_t lens[] = {1, 5, 17};
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const uint64_t many = data_cap(info.limits.workers * 64 + 9); /* so many that a GPU uses its kernel for many */
  for (rp_hash h = RP_HASH_RESCUE_RP64_256; h <= RP_HASH_RESCUE_RP64_256_WINTERFELL; h++) {
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) check_many(h, 12, lens[i], 37);
    check_many(h, 12, 8, many);
    check_many(h, 12, 0, 37);
    check_many(h, 12, 0, many);
  }
  for (uint32_t width = 2; width <= 17; width++) {
    check_many(RP_HASH_POSEIDON_BN254, width, width - 1, width <= 5 ? many : 37);
    check_many(RP_HASH_POSEIDON_BN254, width, 0, width <= 3 ? many : 37);
  }
}

static void test_refusals(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    uint64_t x[4 * 18] = {0};
    job j;
    job_begin(&j);
    rp_value goldilocks = job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), 12, x);
    rp_value fr = job_input(&j, rp_type_field(RP_FIELD_BN254_FR), 18, x), r = RP_NO_VALUE;
    if (k == 0) r = rp_hash_permute(j.graph, RP_HASH_RESCUE_RP64_256, 11, goldilocks);
    if (k == 1) r = rp_hash_permute(j.graph, RP_HASH_POSEIDON_BN254, 18, fr);
    if (k == 2) r = rp_hash_rows(j.graph, RP_HASH_POSEIDON_BN254, fr, 18);
    if (k == 3) r = rp_hash_rows(j.graph, RP_HASH_POSEIDON_BN254, goldilocks, 2);
    if (k == 4) r = rp_merkle_level(j.graph, RP_HASH_RESCUE_RP64_256, goldilocks); /* three digests */
    if (k == 5) r = rp_hash_rows(j.graph, RP_HASH_NONE, goldilocks, 4);
    assert_int_equal(r.id, 0);
    assert_int_not_equal(rp_graph_error(j.graph)->status, RP_OK);
    rp_graph_destroy(j.graph);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rescue_parameters),  cmocka_unit_test(test_rescue),
      cmocka_unit_test(test_rescue_merkle),      cmocka_unit_test(test_rescue_schedules),
      cmocka_unit_test(test_poseidon_constants), cmocka_unit_test(test_poseidon),
      cmocka_unit_test(test_poseidon_merkle),    cmocka_unit_test(test_consumed),
      cmocka_unit_test(test_many_rows),          cmocka_unit_test(test_refusals),
  };
  int failures = device_run_tests("hash", tests, sizeof tests / sizeof *tests);
  json_unload();
  return failures;
}
