/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of a pool: each is recorded on every device.
 */
#include "pool.h"

#include <inttypes.h>

void pool_destroy_key(rp_pool_key *key) {
  for (uint32_t i = 0; i < key->pool->n_devices; i++)
    if (key->provers[i]) key->system->destroy(key->provers[i]);
  rp_context_free(key);
}

static bool is_lost(rp_pool *pool, uint32_t index) {
  pthread_mutex_lock(&pool->lock);
  const bool lost = pool->devices[index].info.lost != 0;
  pthread_mutex_unlock(&pool->lock);
  return lost;
}

static rp_status create_provers(rp_pool *pool, rp_pool_key *key, pool_create_fn create, void *cookie, rp_error *err) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < pool->n_devices; i++) {
    rp_error why = {0};
    if (is_lost(pool, i)) continue;
    const rp_status status = create(cookie, pool->devices[i].device, pool->max_in_flight, &key->provers[i], &why);
    if (status != RP_OK && pool->n_devices > 1) {
      rp_device_info info = {.struct_size = sizeof info};
      rp_device_get_info(pool->devices[i].device, &info);
      return support_fail(err, status, "Device %" PRIu32 " of the pool (%s:%" PRIu32 "): %.400s", i,
                          rp_device_kind_name(info.kind), info.index, why.reason);
    }
    if (status != RP_OK) return support_fail(err, status, "%s", why.reason);
    n++;
  }
  return n ? RP_OK : support_fail(err, RP_ERR_DEVICE_LOST, "Every device of the pool has been lost.");
}

rp_status pool_add(rp_pool *pool, const pool_system *system, uint64_t n_public, pool_create_fn create, void *cookie,
                   rp_pool_key **added, rp_error *err) {
  rp_status status = rp_context_check(pool->context, err);
  if (status != RP_OK) return status;
  rp_pool_key *key = rp_context_alloc(pool->context, sizeof *key + pool->n_devices * sizeof *key->provers);
  if (!key) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a key of a pool.");
  key->pool = pool;
  key->system = system;
  key->n_public = n_public;
  status = create_provers(pool, key, create, cookie, err);
  if (status != RP_OK) {
    pool_destroy_key(key);
    return status;
  }
  pthread_mutex_lock(&pool->lock);
  key->next = pool->keys;
  pool->keys = key;
  pthread_mutex_unlock(&pool->lock);
  *added = key;
  return RP_OK;
}

rp_status rp_pool_remove(rp_pool_key *key, rp_error *err) {
  if (!key) return RP_OK;
  rp_pool *pool = key->pool;
  const rp_status status = rp_context_check(pool->context, err);
  if (status != RP_OK) return status;
  pthread_mutex_lock(&pool->lock);
  const uint32_t busy = key->n_unfinished;
  rp_pool_key **at = &pool->keys;
  while (*at != key) at = &(*at)->next;
  if (!busy) *at = key->next;
  pthread_mutex_unlock(&pool->lock);
  if (busy)
    return support_fail(err, RP_ERR_BUSY,
                        "%" PRIu32 " proofs of the key are unfinished: wait for them, or cancel them.", busy);
  pool_destroy_key(key);
  return RP_OK;
}
