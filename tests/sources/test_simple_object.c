/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The object behind calls on plain arrays: opened by the first call, by several threads at once, in a child of a fork;
 * copied, moved, never initialised; refusals; every allocation failing once.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "fork_child.h"
#include "simple_open.h"

enum { LEAVES = 32, WORDS = 4 };

static rp_status invert(rp_simple *s, rp_error *err) {
  uint64_t x[2] = {1, 0}, out[2] = {7, 7};
  const rp_status status = rp_simple_batch_inv(s, RP_FIELD_GOLDILOCKS, x, out, 2, err);
  if (status == RP_OK && (out[0] != 1 || out[1] != 0)) return RP_ERR_INTERNAL;
  if (status != RP_OK && (out[0] != 7 || out[1] != 7)) return RP_ERR_INTERNAL;
  return status;
}

static void assert_at_first(const rp_simple *s) {
  for (size_t i = 0; i < sizeof s->opaque / sizeof *s->opaque; i++) assert_null(s->opaque[i]);
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static void the_first_call_opens(void **state) {
  uint64_t x = 1;
  rp_simple s = RP_SIMPLE_INIT;
  rp_simple_info info = {.struct_size = sizeof info, .recorded = 9};
  (void)state;
  assert_null(rp_simple_device(&s));
  rp_simple_get_info(&s, &info);
  assert_int_equal(info.recorded, 0);
  assert_int_equal(rp_simple_batch_inv(&s, RP_FIELD_GOLDILOCKS, &x, &x, 0, NULL), RP_OK);
  assert_at_first(&s); /* nothing to do */
  for (int again = 0; again < 2; again++) {
    assert_int_equal(invert(&s, NULL), RP_OK);
    assert_non_null(rp_simple_device(&s));
    rp_simple_close(&s);
    assert_at_first(&s);
    rp_simple_close(&s);
  }
  rp_simple_close(NULL);
  rp_simple_get_info(NULL, &info);
  assert_null(rp_simple_device(NULL));
}

static void opening(void **state) {
  rp_device_options device = simple_device(), none = device;
  const rp_context_options unset = {0};
  rp_simple s = RP_SIMPLE_INIT;
  rp_error err = {0};
  (void)state;
  none.index = 999;
  assert_int_equal(rp_simple_open(&s, NULL, &none, &err), RP_ERR_UNAVAILABLE);
  assert_true(err.reason[0]);
  assert_at_first(&s);
  assert_int_equal(rp_simple_open(&s, &unset, &device, &err), RP_ERR_ARGUMENT);
  assert_at_first(&s);
  assert_int_equal(rp_simple_open(NULL, NULL, NULL, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_open(&s, NULL, &device, NULL), RP_OK);
  const rp_device *opened = rp_simple_device(&s);
  assert_int_equal(rp_simple_open(&s, NULL, &device, &err), RP_ERR_STATE);
  assert_non_null(strstr(err.reason, "rp_simple_close"));
  assert_ptr_equal(rp_simple_device(&s), opened);
  assert_int_equal(invert(&s, NULL), RP_OK);
  rp_simple_close(&s);
}

/* The environment names a device that the machine does not have: each call fails with that reason. Once the environment
 * names another, a later call opens it. */
static void a_later_call_opens(void **state) {
  rp_device_options device = simple_device();
  rp_simple s = RP_SIMPLE_INIT;
  rp_error err = {0};
  (void)state;
  const char *before = getenv("REPRISE_DEVICE");
  char *kept = before ? strdup(before) : NULL;
  for (int last = 0; last < 2; last++) {
    assert_int_equal(setenv("REPRISE_DEVICE", "cuda:999", 1), 0);
    for (int again = 0; again < 2; again++) assert_int_equal(invert(&s, &err), RP_ERR_UNAVAILABLE);
    assert_true(err.reason[0]);
    assert_null(rp_simple_device(&s));
    assert_int_equal(kept ? setenv("REPRISE_DEVICE", kept, 1) : unsetenv("REPRISE_DEVICE"), 0);
    if (last) assert_int_equal(rp_simple_open(&s, NULL, &device, NULL), RP_OK);
    assert_int_equal(invert(&s, NULL), RP_OK);
    rp_simple_close(&s);
  }
  free(kept);
}

static void copies_and_other_bytes(void **state) {
  rp_simple s = RP_SIMPLE_INIT, copy, garbage;
  rp_error err = {0};
  (void)state;
  simple_open(&s);
  copy = s;
  memset(&garbage, 0xa5, sizeof garbage);
  rp_simple *const wrong[] = {&copy, &garbage};
  for (int i = 0; i < 2; i++) {
    const rp_simple was = *wrong[i];
    err = (rp_error){0};
    assert_int_equal(invert(wrong[i], &err), RP_ERR_STATE);
    assert_non_null(strstr(err.reason, "RP_SIMPLE_INIT"));
    assert_int_equal(rp_simple_open(wrong[i], NULL, NULL, NULL), RP_ERR_STATE);
    assert_null(rp_simple_device(wrong[i]));
    rp_simple_close(wrong[i]);
    assert_memory_equal(wrong[i], &was, sizeof was);
  }
  assert_int_equal(invert(&s, NULL), RP_OK); /* closing the copies has not released what it has */
  rp_simple_close(&s);
  copy = s; /* a closed object may be copied */
  assert_int_equal(invert(&copy, NULL), RP_OK);
  rp_simple_close(&copy);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void refuse_commitment(rp_simple *s, uint32_t width, const void *v, const void *g, rp_status want) {
  uint8_t out[32], untouched[32];
  rp_error err = {0};
  memset(out, 0xa5, sizeof out);
  memset(untouched, 0xa5, sizeof untouched);
  assert_int_equal(rp_simple_pedersen_commit_tree(s, width, v, g, out, &err), want);
  assert_int_equal(err.status, want);
  assert_true(err.reason[0]);
  assert_int_equal(rp_simple_pedersen_commit_blinded(s, width, v, g, out, NULL), want);
  if (v && g && want != RP_ERR_FORMAT)
    assert_int_equal(rp_simple_pedersen_commit_seeded(s, v, width, v, v, out, NULL), want);
  assert_memory_equal(out, untouched, sizeof out);
}

static void refusals(void **state) {
  static uint8_t zeros[1024 * 32], ones[8 * 32];
  uint64_t leaves[LEAVES * WORDS] = {0}, nodes[LEAVES * WORDS], x[4] = {1};
  rp_simple s = RP_SIMPLE_INIT;
  (void)state;
  simple_open(&s);
  memset(ones, 0xff, sizeof ones);
  memset(nodes, 0xa5, sizeof nodes);
  refuse_commitment(NULL, 8, zeros, zeros, RP_ERR_ARGUMENT);
  refuse_commitment(&s, 8, NULL, zeros, RP_ERR_ARGUMENT);
  refuse_commitment(&s, 8, zeros, NULL, RP_ERR_ARGUMENT);
  refuse_commitment(&s, 0, zeros, zeros, RP_ERR_SHAPE);
  refuse_commitment(&s, 12, zeros, zeros, RP_ERR_SHAPE);
  refuse_commitment(&s, 2048, zeros, zeros, RP_ERR_SHAPE);
  refuse_commitment(&s, 8, ones, zeros, RP_ERR_INPUT);
  refuse_commitment(&s, 8, zeros, ones, RP_ERR_FORMAT);
  assert_int_equal(rp_simple_pedersen_commit_tree_w256(&s, zeros, zeros, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_pedersen_commit_seeded(&s, NULL, 8, zeros, zeros, x, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_batch_inv(NULL, RP_FIELD_BN254_FR, x, x, 0, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_batch_inv(&s, RP_FIELD_BN254_FR, NULL, x, 1, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_batch_inv_ct(&s, RP_FIELD_BN254_FR, x, NULL, 1, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_batch_inv(&s, RP_FIELD_COUNT, x, x, 1, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_batch_inv(&s, RP_FIELD_COUNT, x, x, 1u << 20, NULL), RP_ERR_ARGUMENT);
  static const struct {
    uint64_t leaves;
    rp_merkle_schedule schedule;
    uint32_t group;
    rp_status want;
  } wrong[] = {{0, RP_MERKLE_AUTO, 0, RP_ERR_SHAPE},    {1, RP_MERKLE_AUTO, 0, RP_ERR_SHAPE},
               {12, RP_MERKLE_AUTO, 0, RP_ERR_SHAPE},   {16, RP_MERKLE_LEVELS, 16, RP_ERR_SHAPE},
               {16, RP_MERKLE_BLOCKS, 8, RP_ERR_SHAPE}, {16, RP_MERKLE_LEVELS, 3, RP_ERR_SHAPE}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    rp_error err = {0};
    assert_int_equal(
        rp_simple_merklize(&s, (rp_hash)0, leaves, nodes, wrong[i].leaves, wrong[i].schedule, wrong[i].group, &err),
        wrong[i].want);
    assert_true(err.reason[0]);
  }
  assert_int_equal(rp_simple_merklize(&s, (rp_hash)99, leaves, nodes, 16, RP_MERKLE_AUTO, 0, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_merklize(&s, (rp_hash)0, NULL, nodes, 16, RP_MERKLE_AUTO, 0, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_simple_merklize(&s, (rp_hash)0, leaves, NULL, 16, RP_MERKLE_AUTO, 0, NULL), RP_ERR_ARGUMENT);
  for (size_t i = 0; i < LEAVES * WORDS; i++) assert_int_equal(nodes[i], 0xa5a5a5a5a5a5a5a5u);
  assert_int_equal(simple_recorded(&s), 1); /* the one for a seed, made before its values turn out to be too large */
  rp_simple_close(&s);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

typedef struct counted {
  _Atomic int64_t fail_at, live;
} counted;

static void *counted_alloc(void *user, size_t size, size_t align) {
  counted *c = user;
  if (atomic_fetch_sub(&c->fail_at, 1) == 0) return NULL;
  void *memory = aligned_alloc(align, (size + align - 1) / align * align);
  if (memory) atomic_fetch_add(&c->live, 1);
  return memory;
}

static void counted_free(void *user, void *memory, size_t size) {
  (void)size;
  atomic_fetch_sub(&((counted *)user)->live, 1);
  free(memory);
}

typedef struct all_results {
  uint64_t nodes[LEAVES * WORDS], inverses[8 * 200];
  uint8_t commitment[32];
} all_results;

/* One call of each kind. */
static rp_status use(rp_simple *s, all_results *r, rp_error *err) {
  const uint8_t zeros[8 * 32] = {0};
  uint64_t x[4 * 200] = {0};
  uint64_t leaves[LEAVES * WORDS];
  for (uint64_t i = 0; i < LEAVES * WORDS; i++) leaves[i] = i;
  for (uint64_t i = 0; i < 200; i++) x[4 * i] = i;
  rp_status status = rp_simple_merklize(s, (rp_hash)0, leaves, r->nodes, LEAVES, RP_MERKLE_AUTO, 0, err);
  if (status == RP_OK) status = rp_simple_bn254_batch_inv_fr(s, x, r->inverses, 200, err);
  if (status == RP_OK) status = rp_simple_pedersen_commit_tree(s, 8, zeros, zeros, r->commitment, err);
  return status;
}

/* Lets each allocation fail once: a status, memory freed in the end, and the same call succeeds afterwards. */
static void out_of_memory(void **state) {
  const rp_device_options device = simple_device();
  static all_results want, got;
  rp_simple s = RP_SIMPLE_INIT;
  int failures = 0;
  (void)state;
  if (device.kind != RP_DEVICE_CPU || device.cpu_isa) return; /* one device is enough */
  simple_open(&s);
  assert_int_equal(use(&s, &want, NULL), RP_OK);
  rp_simple_close(&s);
  for (int64_t n = 0;; n++) {
    counted c = {.fail_at = n};
    const rp_context_options context = {.struct_size = sizeof context,
                                        .allocator = {.user = &c, .alloc = counted_alloc, .free = counted_free}};
    rp_error err = {0};
    rp_status status = rp_simple_open(&s, &context, &device, &err);
    if (status != RP_OK) assert_at_first(&s);
    if (status == RP_OK) status = use(&s, &got, &err);
    const int burnt = atomic_load(&c.fail_at) < 0;
    if (status != RP_OK) {
      assert_true(status == RP_ERR_MEMORY || status == RP_ERR_DEVICE_MEMORY);
      assert_int_equal(err.status, status);
      assert_true(err.reason[0]);
      failures++;
      if (s.opaque[0]) assert_int_equal(use(&s, &got, NULL), RP_OK);
    } else {
      assert_int_equal(err.status, RP_OK); /* unchanged, even if older recordings were released to retry */
    }
    if (s.opaque[0]) assert_memory_equal(&got, &want, sizeof got);
    rp_simple_close(&s);
    assert_int_equal(atomic_load(&c.live), 0);
    if (!burnt) break;
  }
  assert_true(failures > 20);
}

/* If there is no memory for a new recording, older ones are released to make room for it. */
static void older_ones_are_given_up(void **state) {
  const rp_device_options device = simple_device();
  counted c = {.fail_at = INT64_MAX};
  const rp_context_options context = {.struct_size = sizeof context,
                                      .allocator = {.user = &c, .alloc = counted_alloc, .free = counted_free}};
  static uint64_t leaves[LEAVES * WORDS], nodes[LEAVES * WORDS];
  rp_simple s = RP_SIMPLE_INIT;
  rp_simple_info info = {.struct_size = sizeof info};
  (void)state;
  assert_int_equal(rp_simple_open(&s, &context, &device, NULL), RP_OK);
  for (uint64_t n = 4; n <= 8; n *= 2)
    assert_int_equal(rp_simple_merklize(&s, (rp_hash)0, leaves, nodes, n, RP_MERKLE_AUTO, 0, NULL), RP_OK);
  atomic_store(&c.fail_at, 0);
  assert_int_equal(rp_simple_merklize(&s, (rp_hash)0, leaves, nodes, 16, RP_MERKLE_AUTO, 0, NULL), RP_OK);
  rp_simple_get_info(&s, &info);
  assert_int_equal(info.kept, 2);
  assert_int_equal(rp_simple_merklize(&s, (rp_hash)0, leaves, nodes, 8, RP_MERKLE_AUTO, 0, NULL), RP_OK);
  assert_int_equal(simple_recorded(&s), 3); /* only the recording for 4 leaves was released */
  rp_simple_close(&s);
}

/* On a device that has room for the larger of two trees alone, both can be built by turns. A tree for which it has no
 * room at all costs none of them. */
static void small_devices(void **state) {
  rp_device_options device = simple_device();
  static uint64_t leaves[1024 * WORDS], nodes[1024 * WORDS];
  const rp_merkle_config config = {.struct_size = sizeof config, .hash = RP_HASH_RESCUE_RP64_256, .leaves = 512};
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_simple s = RP_SIMPLE_INIT;
  rp_simple_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  (void)state;
  assert_int_equal(rp_merkle_plan(device_current(), &config, &plan, NULL), RP_OK);
  device.memory_budget_bytes = plan.total_bytes;
  assert_int_equal(rp_simple_open(&s, NULL, &device, NULL), RP_OK);
  for (int again = 0; again < 3; again++) {
    for (uint64_t n = 256; n <= 512; n *= 2)
      assert_int_equal(rp_simple_merklize(&s, (rp_hash)0, leaves, nodes, n, RP_MERKLE_AUTO, 0, NULL), RP_OK);
    assert_int_equal(rp_simple_merklize(&s, (rp_hash)0, leaves, nodes, 1024, RP_MERKLE_AUTO, 0, &err), RP_ERR_BUDGET);
    assert_int_equal(err.status, RP_ERR_BUDGET);
  }
  rp_simple_get_info(&s, &info);
  assert_int_equal(info.recorded, 2);
  assert_int_equal(info.kept, 2);
  rp_simple_close(&s);
}

/* ---- Threads and processes --------------------------------------------------------------------------------------- */

static rp_simple shared = RP_SIMPLE_INIT;

static void *from_a_thread(void *arg) {
  all_results *r = arg;
  for (int i = 0; i < 3; i++)
    if (use(&shared, r, NULL) != RP_OK) return arg;
  return NULL;
}

/* The first call comes from four threads at once. */
static void several_threads(void **state) {
  enum { THREADS = 4 };
  static all_results results[THREADS];
  pthread_t threads[THREADS];
  (void)state;
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, from_a_thread, &results[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    void *failed;
    assert_int_equal(pthread_join(threads[i], &failed), 0);
    assert_null(failed);
    assert_memory_equal(&results[i], &results[0], sizeof results[0]);
  }
  rp_simple_close(&shared);
}

static _Atomic int busy;

static void *until_told(void *arg) {
  static all_results r;
  while (atomic_load(&busy))
    if (use(arg, &r, NULL) != RP_OK) return arg;
  return NULL;
}

static void refused_child(void *arg) {
  rp_error err;
  CHILD_REFUSED(invert(arg, &err), &err);
  CHILD_CHECK(rp_simple_device(arg) == NULL);
}

/* In a child, calls are refused and do not hang, even if a thread of the parent was in a call when the process
 * forked. */
static void forked_during_a_call(void **state) {
  rp_simple s = RP_SIMPLE_INIT;
  pthread_t thread;
  void *failed;
  (void)state;
  assert_int_equal(invert(&s, NULL), RP_OK);
  atomic_store(&busy, 1);
  assert_int_equal(pthread_create(&thread, NULL, until_told, &s), 0);
  for (int i = 0; i < 20; i++) in_child(refused_child, &s);
  atomic_store(&busy, 0);
  assert_int_equal(pthread_join(thread, &failed), 0);
  assert_null(failed);
  rp_simple_close(&s);
}

/* ThreadSanitizer ends a child that starts threads. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHILD_HAS_NO_THREADS
#endif
#endif

static void child(void *arg) {
  rp_simple *s = arg;
  rp_simple_info info = {.struct_size = sizeof info};
  rp_error err;
  CHILD_REFUSED(invert(s, &err), &err);
  CHILD_CHECK(rp_simple_device(s) == NULL);
  rp_simple_get_info(s, &info);
  rp_simple_close(s);
#ifndef CHILD_HAS_NO_THREADS
  CHILD_CHECK(invert(s, NULL) == RP_OK); /* the child opens the object for itself */
#endif
  rp_simple_close(s);
}

static void forked(void **state) {
  rp_simple s = RP_SIMPLE_INIT;
  (void)state;
  assert_int_equal(invert(&s, NULL), RP_OK);
  in_child(child, &s);
  assert_int_equal(invert(&s, NULL), RP_OK);
  rp_simple_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_call_opens),
                                     cmocka_unit_test(opening),
                                     cmocka_unit_test(a_later_call_opens),
                                     cmocka_unit_test(copies_and_other_bytes),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(out_of_memory),
                                     cmocka_unit_test(small_devices),
                                     cmocka_unit_test(several_threads),
                                     cmocka_unit_test(forked),
                                     cmocka_unit_test(forked_during_a_call),
                                     cmocka_unit_test(older_ones_are_given_up)};
  return device_run_tests("simple_object", tests, sizeof tests / sizeof tests[0]);
}
