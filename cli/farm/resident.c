/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "keys.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

typedef struct resident {
  int32_t key_id;
  uint64_t used; /* the larger, the later */
  cli_session session;
} resident;

struct farm_residents {
  const cli_call *call;
  const farm_options *options;
  farm_key_cache cache;
  cli_session device;   /* context and device, which the sessions borrow */
  pthread_mutex_t lock; /* of `all` and `n`, which other threads read */
  resident all[MOST];
  unsigned n;
  uint64_t clock;
};

rp_status farm_residents_open(const cli_call *call, farm_residents **out, rp_error *err) {
  const farm_options *o = call->options;
  farm_residents *r = *out = calloc(1, sizeof *r);
  if (!r) return err->status = RP_ERR_MEMORY;
  r->call = call;
  r->options = o;
  pthread_mutex_init(&r->lock, NULL);
  rp_status status = farm_key_cache_open(&r->cache, o->cache_dir, o->cache_bytes ? o->cache_bytes : UINT64_C(64) << 30,
                                         call->args[0], err);
  return status == RP_OK ? cli_open_device(call, &r->device, err) : status;
}

static void close_session(cli_session *s) {
  s->context = NULL;
  s->device = NULL;
  cli_close(s);
}

/* Closes the key that was used longest ago; 0 if there is none. */
static int evict(farm_residents *r) {
  unsigned oldest = 0;
  if (r->n == 0) return 0;
  for (unsigned i = 1; i < r->n; i++)
    if (r->all[i].used < r->all[oldest].used) oldest = i;
  cli_session session = r->all[oldest].session;
  pthread_mutex_lock(&r->lock);
  r->all[oldest] = r->all[--r->n];
  pthread_mutex_unlock(&r->lock);
  close_session(&session);
  return 1;
}

void farm_residents_close(farm_residents *r) {
  if (!r) return;
  while (evict(r)) continue;
  cli_close(&r->device);
  farm_key_cache_close(&r->cache);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

void farm_residents_ids(farm_residents *r, farm_array *ids) {
  pthread_mutex_lock(&r->lock);
  for (unsigned i = 0; i < r->n; i++) farm_array_int(ids, r->all[i].key_id);
  pthread_mutex_unlock(&r->lock);
}

static rp_status open_key(const farm_batch *b, const char *path, cli_session *s, rp_error *err) {
  if (cli_protocol_of(path) == CLI_PLONK) {
    const rp_plonk_key_options options = {.struct_size = sizeof options, .sha256 = b->sha256};
    return rp_plonk_key_open(s->context, path, &options, &s->plonk_key, err);
  }
  const rp_groth16_key_options options = {.struct_size = sizeof options, .sha256 = b->sha256};
  return rp_groth16_key_open(s->context, path, &options, &s->key, err);
}

static rp_status open_prover(const farm_residents *r, cli_session *s, rp_error *err) {
  const uint32_t in_flight = r->options->in_flight ? r->options->in_flight : 2;
  if (s->plonk_key) {
    const rp_plonk_prover_options options = {.struct_size = sizeof options,
                                             .max_in_flight = in_flight,
                                             .tables = 1,
                                             .memory_budget_bytes = r->call->memory_bytes};
    return rp_plonk_prover_create(s->device, s->plonk_key, &options, &s->plonk_prover, err);
  }
  const rp_groth16_prover_options options = {.struct_size = sizeof options,
                                             .max_in_flight = in_flight,
                                             .tables = 1,
                                             .memory_budget_bytes = r->call->memory_bytes};
  return rp_groth16_prover_create(s->device, s->key, &options, &s->prover, err);
}

static int is_short(rp_status status) {
  return status == RP_ERR_BUDGET || status == RP_ERR_MEMORY || status == RP_ERR_DEVICE_MEMORY;
}

/* Opens and records; keys that are not needed make room where memory is short. A file of the cache that was changed is
 * fetched again, once. */
static rp_status open_session(farm_residents *r, const farm_batch *b, cli_session *s, rp_error *err) {
  for (int attempt = 0;; attempt++) {
    char *path = NULL;
    int fetched = 0;
    rp_status status = farm_key_cache_get(&r->cache, b, &path, &fetched, err);
    if (status == RP_OK) {
      status = open_key(b, path, s, err);
      if (status == RP_ERR_MISMATCH) farm_key_cache_refuse(&r->cache, b, path, fetched);
    }
    free(path);
    if (status == RP_ERR_MISMATCH && !fetched && attempt == 0) continue;
    while (status == RP_OK && (status = open_prover(r, s, err)) != RP_OK && is_short(status) && evict(r))
      status = RP_OK;
    return status;
  }
}

rp_status farm_residents_get(farm_residents *r, const farm_batch *b, const cli_session **session, rp_error *err) {
  for (unsigned i = 0; i < r->n; i++)
    if (r->all[i].key_id == b->key_id) {
      r->all[i].used = ++r->clock;
      *session = &r->all[i].session;
      return RP_OK;
    }
  while (r->n >= (r->options->resident ? r->options->resident : 4)) evict(r);
  cli_session s = {.context = r->device.context, .device = r->device.device};
  const rp_status status = open_session(r, b, &s, err);
  if (status != RP_OK) {
    close_session(&s);
    return status;
  }
  pthread_mutex_lock(&r->lock);
  r->all[r->n] = (resident){.key_id = b->key_id, .used = ++r->clock, .session = s};
  *session = &r->all[r->n++].session;
  pthread_mutex_unlock(&r->lock);
  return RP_OK;
}
