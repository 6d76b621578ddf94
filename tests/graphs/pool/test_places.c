/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many proofs a device of a pool makes at once: as many as the pool was told, whatever the options of the key say.
 */
#include "../groth16/common.h"

#include <reprise/pool.h>

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { AT_ONCE = 2 };

/* Where threads wait that hold a run, until AT_ONCE are there, or for some seconds. */
typedef struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t all_here;
  int here, most;
} meeting;

static void meet(void *user, const rp_run *run) {
  meeting *m = user;
  struct timespec until;
  (void)run;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 10;
  pthread_mutex_lock(&m->lock);
  m->here++;
  if (m->here > m->most) m->most = m->here;
  pthread_cond_broadcast(&m->all_here);
  while (m->most < AT_ONCE && pthread_cond_timedwait(&m->all_here, &m->lock, &until) == 0) continue;
  m->here--;
  pthread_mutex_unlock(&m->lock);
}

typedef struct world {
  rp_context *context;
  rp_device *device;
  rp_pool *pool;
  meeting meeting;
} world;

static int opens(void **state) {
  const rp_device_options part = {.struct_size = sizeof part, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  const rp_pool_options options = {.struct_size = sizeof options, .max_in_flight = AT_ONCE};
  world *w = calloc(1, sizeof *w);
  rp_error err = {0};
  assert_non_null(w);
  pthread_mutex_init(&w->meeting.lock, NULL);
  pthread_cond_init(&w->meeting.all_here, NULL);
  EXPECT(RP_OK, rp_context_create(NULL, &w->context, &err), &err);
  EXPECT(RP_OK, rp_device_open(w->context, &part, &w->device, &err), &err);
  EXPECT(RP_OK, rp_pool_create(&w->device, 1, &options, &w->pool, &err), &err);
  *state = w;
  return 0;
}

static int closes(void **state) {
  world *w = *state;
  rp_pool_destroy(w->pool);
  rp_device_close(w->device);
  rp_context_destroy(w->context);
  pthread_mutex_destroy(&w->meeting.lock);
  pthread_cond_destroy(&w->meeting.all_here);
  free(w);
  return 0;
}

static blob file_of(const char *protocol, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s/multiplier/%s", TEST_DATA_DIR, protocol, name);
  return blob_read(path);
}

/* Two proofs of the key are made at once, and no more. */
static void proofs_meet(world *w, rp_pool_key *key, const blob *wtns) {
  enum { TASKS = 3 };
  const rp_pool_request request = {.struct_size = sizeof request, .wtns = wtns->data, .wtns_bytes = wtns->bytes};
  rp_pool_task *tasks[TASKS];
  rp_error err = {0};
  for (int i = 0; i < TASKS; i++) EXPECT(RP_OK, rp_pool_submit(key, &request, UINT64_MAX, &tasks[i], &err), &err);
  for (int i = 0; i < TASKS; i++) {
    EXPECT(RP_OK, rp_pool_wait(tasks[i], UINT64_MAX), &err);
    rp_pool_end(tasks[i]);
  }
  assert_int_equal(w->meeting.most, AT_ONCE);
}

static void of_groth16(void **state) {
  world *w = *state;
  const rp_groth16_prover_options options = {
      .struct_size = sizeof options, .max_in_flight = 1, .inspect = meet, .inspect_user = &w->meeting};
  blob zkey = fixture_read("multiplier_bn254", "circuit.zkey"), wtns = fixture_read("multiplier_bn254", "witness.wtns");
  rp_groth16_key *key;
  rp_pool_key *added;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_key_open_memory(w->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_pool_add_groth16(w->pool, key, &options, &added, &err), &err);
  rp_groth16_key_close(key);
  proofs_meet(w, added, &wtns);
  EXPECT(RP_OK, rp_pool_remove(added, &err), &err);
  blob_free(&zkey), blob_free(&wtns);
}

static void of_plonk(void **state) {
  world *w = *state;
  const rp_plonk_prover_options options = {
      .struct_size = sizeof options, .max_in_flight = 1, .inspect = meet, .inspect_user = &w->meeting};
  blob zkey = file_of("plonk", "circuit.zkey"), wtns = file_of("plonk", "witness.wtns");
  rp_plonk_key *key;
  rp_pool_key *added;
  rp_error err = {0};
  EXPECT(RP_OK, rp_plonk_key_open_memory(w->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_pool_add_plonk(w->pool, key, &options, &added, &err), &err);
  rp_plonk_key_close(key);
  proofs_meet(w, added, &wtns);
  EXPECT(RP_OK, rp_pool_remove(added, &err), &err);
  blob_free(&zkey), blob_free(&wtns);
}

static void of_fflonk(void **state) {
  world *w = *state;
  const rp_fflonk_prover_options options = {
      .struct_size = sizeof options, .max_in_flight = 1, .inspect = meet, .inspect_user = &w->meeting};
  blob zkey = file_of("fflonk", "circuit.zkey"), wtns = file_of("fflonk", "witness.wtns");
  rp_fflonk_key *key;
  rp_pool_key *added;
  rp_error err = {0};
  EXPECT(RP_OK, rp_fflonk_key_open_memory(w->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_pool_add_fflonk(w->pool, key, &options, &added, &err), &err);
  rp_fflonk_key_close(key);
  proofs_meet(w, added, &wtns);
  EXPECT(RP_OK, rp_pool_remove(added, &err), &err);
  blob_free(&zkey), blob_free(&wtns);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(of_groth16, opens, closes),
                                     cmocka_unit_test_setup_teardown(of_plonk, opens, closes),
                                     cmocka_unit_test_setup_teardown(of_fflonk, opens, closes)};
  return cmocka_run_group_tests_name("pool_places", tests, NULL, NULL);
}
