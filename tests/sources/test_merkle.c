/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Merkle trees: the hash, the layout of the nodes, known roots, the same bytes from every schedule, paths, refusals.
 * The numbers of dispatches and what a replay costs the host: test_merkle_schedule.c.
 */
#include "merkle_ref.h"

#include <reprise/merkle.h>
#include <stdio.h>

#include "data.h"
#include "device.h"
#include "kat.h"

enum { N_MOST = 1024 };
static const rp_hash HASHES[] = {RP_HASH_RESCUE_RP64_256, RP_HASH_RESCUE_RP64_256_WINTERFELL, RP_HASH_POSEIDON_BN254};
enum { N_HASHES = sizeof HASHES / sizeof *HASHES };

static uint64_t leaves[N_MOST * REF_WORDS], nodes[N_MOST * REF_WORDS], want[N_MOST * REF_WORDS];

static rp_merkle *make(rp_merkle_config config) {
  rp_merkle *tree;
  rp_error err = {0};
  config.struct_size = sizeof config;
  config.flags = RP_RECORD_CHECK_HAZARDS | RP_RECORD_RANDOM_ORDER;
  if (rp_merkle_create(device_current(), &config, &tree, &err) != RP_OK)
    fail_msg("on %s: %s", device_name(), err.reason);
  return tree;
}

static void build(rp_merkle_config config, const uint64_t *from, uint64_t *into) {
  uint64_t root[REF_WORDS];
  rp_error err = {0};
  rp_merkle *tree = make(config);
  memset(into, 0xa5, config.leaves * 32);
  if (rp_merkle_build(tree, from, root, NULL, &err) != RP_OK ||
      rp_merkle_nodes(tree, 0, config.leaves, into, &err) != RP_OK)
    fail_msg("on %s: %s", device_name(), err.reason);
  assert_memory_equal(root, into + REF_WORDS, sizeof root);
  rp_merkle_destroy(tree);
}

static void known_answers(rp_hash hash) {
  const json *k = json_get(ref_variant(hash), "KAT_independent");
  uint64_t in[12], out[12], published[12];
  for (uint64_t i = 0; i < 12; i++) {
    in[i] = json_u64(json_at(json_get(k, "permutation_input"), i));
    published[i] = strtoull(json_at(json_get(k, "permutation_output"), i)->text, NULL, 10);
  }
  for (int layout = 0; layout < 2; layout++) {
    ref_rescue_permute(hash, (ref_layout)layout, in, out);
    assert_memory_equal(out, published, sizeof out);
  }
  job j;
  job_begin(&j);
  job_output(&j, rp_hash_permute(j.graph, hash, 12, job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), 12, in)), out);
  job_check(&j);
  assert_memory_equal(out, published, sizeof out);
}

static void known_hashes(void **state) {
  (void)state;
  known_answers(RP_HASH_RESCUE_RP64_256);
  assert_int_equal(rp_hash_digest_len(RP_HASH_RESCUE_RP64_256), 4);
}

static void winterfell_variant(void **state) {
  (void)state;
  known_answers(RP_HASH_RESCUE_RP64_256_WINTERFELL);
}

static void merge_hashes_eight_words(void **state) {
  (void)state;
  for (int h = 0; h < N_HASHES; h++) {
    uint64_t digest[REF_WORDS], row[REF_WORDS];
    ref_leaves(HASHES[h], "sha256", 2, leaves);
    ref_merge(HASHES[h], leaves, leaves + REF_WORDS, digest);
    build((rp_merkle_config){.hash = HASHES[h], .leaves = 2}, leaves, nodes);
    assert_memory_equal(nodes + REF_WORDS, digest, sizeof digest);
    assert_int_equal(rp_hash_rows_host(HASHES[h], leaves, 2 * rp_hash_digest_len(HASHES[h]), 1, row), RP_OK);
    assert_memory_equal(row, digest, sizeof digest);
  }
}

static void layout_of_the_nodes(void **state) {
  const uint64_t zero[REF_WORDS] = {0};
  (void)state;
  for (int h = 0; h < N_HASHES; h++) {
    for (uint64_t n = 2; n <= 64; n *= 2) {
      uint64_t parent[REF_WORDS];
      ref_leaves(HASHES[h], "sha256", n, leaves);
      build((rp_merkle_config){.hash = HASHES[h], .leaves = n}, leaves, nodes);
      assert_memory_equal(nodes, zero, sizeof zero);
      for (uint64_t i = 1; i < n; i++) {
        const uint64_t *children = 2 * i >= n ? leaves + (2 * i - n) * REF_WORDS : nodes + 2 * i * REF_WORDS;
        ref_merge(HASHES[h], children, children + REF_WORDS, parent);
        assert_memory_equal(nodes + i * REF_WORDS, parent, sizeof parent);
      }
    }
  }
}

/* Every schedule and group size that is possible for n leaves gives the same nodes. */
static void check_schedules(rp_hash hash, uint64_t n) {
  ref_leaves(hash, "sha256", n, leaves);
  ref_tree(hash, leaves, n, want);
  for (rp_merkle_schedule s = RP_MERKLE_AUTO; s <= RP_MERKLE_SUBTREES; s++) {
    const uint64_t most = s == RP_MERKLE_LEVELS ? n / 2 : s == RP_MERKLE_BLOCKS ? n / 4 : 0;
    for (uint32_t group = 0; group <= most && group <= RP_MERKLE_GROUP_MAX; group = group ? 2 * group : 1) {
      for (uint32_t published = 0; published <= (s == RP_MERKLE_BLOCKS && group > 1); published++) {
        if (s == RP_MERKLE_BLOCKS && n < 4) continue;
        build(
            (rp_merkle_config){.hash = hash, .leaves = n, .schedule = s, .group = group, .published_count = published},
            leaves, nodes);
        if (memcmp(nodes, want, n * 32))
          fail_msg("on %s: hash %d, %llu leaves, schedule %d, groups of %u: other nodes", device_name(), (int)hash,
                   (unsigned long long)n, (int)s, group);
      }
    }
  }
}

static void same_nodes_from_every_schedule(void **state) {
  static const uint64_t sizes[] = {2, 4, 8, 32, 256, 1024};
  (void)state;
  for (int h = 0; h < N_HASHES; h++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      if (data_fits(sizes[i])) check_schedules(HASHES[h], sizes[i]);
}

static void rescue_roots(rp_hash hash) {
  const json *v = ref_variant(hash), *defect = json_find(v, "NEGATIVE_KAT_ffgpu_stride_defect");
  for (const json *e = json_get(v, "merkle_python")->item; e; e = e->next) {
    const uint64_t n = json_u64(json_get(e, "N"));
    const char *set = json_text(json_get(e, "leaves"));
    char size[24];
    ref_leaves(hash, set, n, leaves);
    build((rp_merkle_config){.hash = hash, .leaves = n}, leaves, nodes);
    for (size_t i = 0; i < REF_WORDS; i++)
      assert_int_equal(nodes[REF_WORDS + i], strtoull(json_at(json_get(e, "root"), i)->text, NULL, 10));
    kat_assert_digest(nodes, n * 32, json_get(e, "sha256_of_node_array"), "nodes");
    snprintf(size, sizeof size, "%llu", (unsigned long long)n);
    const json *wrong = defect && !strcmp(set, "seq") ? json_find(json_get(defect, "roots_seq"), size) : NULL;
    if (wrong) assert_int_not_equal(nodes[REF_WORDS], strtoull(json_at(wrong, 0)->text, NULL, 10));
  }
}

static void known_roots(void **state) {
  const json *p = json_get(json_load("poseidon_bn254.json"), "merkle_python");
  (void)state;
  rescue_roots(RP_HASH_RESCUE_RP64_256);
  rescue_roots(RP_HASH_RESCUE_RP64_256_WINTERFELL);
  for (const json *e = p->item; e; e = e->next) {
    const uint64_t n = json_u64(json_get(e, "N"));
    uint8_t le[32], root[32];
    ref_leaves(RP_HASH_POSEIDON_BN254, json_text(json_get(e, "leaves")), n, leaves);
    build((rp_merkle_config){.hash = RP_HASH_POSEIDON_BN254, .leaves = n}, leaves, nodes);
    json_integer(json_get(e, "root"), 0, le, sizeof le);
    rp_field_get(RP_FIELD_BN254_FR)->to_canonical(root, nodes + REF_WORDS);
    assert_memory_equal(root, le, sizeof le);
  }
}

/* On a device with lanes, few states are spread over lanes, sixteen for twelve elements; with many states, each has one
 * thread. */
static void state_layouts_agree(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  uint64_t seed = 5;
  (void)state;
  rp_device_get_info(device_current(), &info);
  const uint64_t many = data_cap((uint64_t)info.limits.workers * 64 + 1);
  for (int h = 0; h < 2; h++) {
    uint64_t *in = malloc(many * 96), *out = malloc(many * 96), few[12], plain[2][12];
    for (uint64_t i = 0; i < many * 12; i++) in[i] = data_next(&seed) % 0xffffffff00000001u;
    job j;
    job_begin(&j);
    const rp_type *type = rp_type_field(RP_FIELD_GOLDILOCKS);
    job_output(&j, rp_hash_permute(j.graph, HASHES[h], 12, job_input(&j, type, many * 12, in)), out);
    job_output(&j, rp_hash_permute(j.graph, HASHES[h], 12, job_input(&j, type, 12, in)), few);
    job_check(&j);
    for (int layout = 0; layout < 2; layout++) ref_rescue_permute(HASHES[h], (ref_layout)layout, in, plain[layout]);
    assert_memory_equal(plain[0], plain[1], sizeof plain[0]);
    assert_memory_equal(out, plain[0], sizeof plain[0]);
    assert_memory_equal(few, plain[0], sizeof plain[0]);
    free(in);
    free(out);
  }
}

static void check_paths(rp_hash hash, uint64_t n) {
  uint64_t root[REF_WORDS], path[16 * REF_WORDS];
  rp_merkle_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  rp_merkle *tree = make((rp_merkle_config){.hash = hash, .leaves = n});
  rp_merkle_get_info(tree, &info);
  ref_leaves(hash, "sha256", n, leaves);
  assert_int_equal(rp_merkle_build(tree, leaves, root, NULL, &err), RP_OK);
  for (uint64_t i = 0; i < n; i += 1 + n / 8) {
    uint64_t *leaf = leaves + i * REF_WORDS;
    assert_int_equal(rp_merkle_path(tree, i, leaves + (i ^ 1) * REF_WORDS, path, &err), RP_OK);
    assert_int_equal(rp_merkle_path_check(hash, leaf, i, path, info.height, root, &err), RP_OK);
    assert_int_equal(rp_merkle_path_check(hash, leaf, i ^ 1, path, info.height, root, &err), RP_ERR_VERIFY);
    assert_non_null(strstr(err.reason, "does not lead to the root"));
    leaf[0] ^= 1;
    assert_int_equal(rp_merkle_path_check(hash, leaf, i, path, info.height, root, &err), RP_ERR_VERIFY);
    leaf[0] ^= 1;
    path[(info.height - 1) * REF_WORDS] ^= 1;
    assert_int_equal(rp_merkle_path_check(hash, leaf, i, path, info.height, root, &err), RP_ERR_VERIFY);
    assert_int_equal(rp_merkle_path_check(hash, leaf, i, path, info.height - 1, root, &err),
                     i >> (info.height - 1) ? RP_ERR_SHAPE : RP_ERR_VERIFY);
  }
  assert_int_equal(rp_merkle_path(tree, n, leaves, path, &err), RP_ERR_SHAPE);
  assert_int_equal(rp_merkle_nodes(tree, 1, n, nodes, &err), RP_ERR_SHAPE);
  rp_merkle_destroy(tree);
}

static void authentication_paths(void **state) {
  (void)state;
  for (int h = 0; h < N_HASHES; h++)
    for (uint64_t n = 2; n <= 256; n *= 4) check_paths(HASHES[h], n);
}

static void refusals(void **state) {
  static const struct {
    rp_merkle_config config;
    rp_status status;
    const char *reason;
  } cases[] = {
      {{.leaves = 0}, RP_ERR_SHAPE, "power of two"},
      {{.leaves = 1}, RP_ERR_SHAPE, "at least 2"},
      {{.leaves = 24}, RP_ERR_SHAPE, "A tree cannot have 24 leaves"},
      {{.leaves = 16, .hash = (rp_hash)9}, RP_ERR_ARGUMENT, "Hash 9 is unknown"},
      {{.leaves = 16, .schedule = (rp_merkle_schedule)4}, RP_ERR_ARGUMENT, "schedule"},
      {{.leaves = 16, .schedule = RP_MERKLE_LEVELS, .group = 3}, RP_ERR_SHAPE, "power of two"},
      {{.leaves = 4096, .schedule = RP_MERKLE_LEVELS, .group = 512}, RP_ERR_SHAPE, "at most 256"},
      {{.leaves = 16, .schedule = RP_MERKLE_LEVELS, .group = 16}, RP_ERR_SHAPE, "half of the leaves"},
      {{.leaves = 16, .schedule = RP_MERKLE_BLOCKS, .group = 8}, RP_ERR_SHAPE, "quarter of the leaves"},
      {{.leaves = 2, .schedule = RP_MERKLE_BLOCKS}, RP_ERR_SHAPE, "quarter of the leaves"},
      {{.leaves = 16, .schedule = RP_MERKLE_BLOCKS, .group = 1, .published_count = 1}, RP_ERR_SHAPE, "published"},
  };
  rp_merkle *tree;
  rp_error err;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rp_merkle_config c = cases[i].config;
    err = (rp_error){0};
    c.struct_size = sizeof c;
    assert_int_equal(rp_merkle_create(device_current(), &c, &tree, &err), cases[i].status);
    assert_null(tree);
    if (!strstr(err.reason, cases[i].reason)) fail_msg("case %zu: \"%s\"", i, err.reason);
  }
  assert_int_equal(rp_merkle_create(device_current(), NULL, &tree, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_merkle_create(device_current(), &(rp_merkle_config){.leaves = 2}, &tree, &err), RP_ERR_ARGUMENT);
  tree = make((rp_merkle_config){.leaves = 2, .leaves_on_device = 1});
  assert_int_equal(rp_merkle_build(tree, leaves, NULL, NULL, &err), RP_ERR_STATE);
  rp_merkle_destroy(tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_hashes),
      cmocka_unit_test(merge_hashes_eight_words),
      cmocka_unit_test(winterfell_variant),
      cmocka_unit_test(layout_of_the_nodes),
      cmocka_unit_test(same_nodes_from_every_schedule),
      cmocka_unit_test(known_roots),
      cmocka_unit_test(state_layouts_agree),
      cmocka_unit_test(authentication_paths),
      cmocka_unit_test(refusals),
  };
  const int failures = device_run_tests("merkle", tests, sizeof tests / sizeof *tests);
  json_unload();
  return failures;
}
