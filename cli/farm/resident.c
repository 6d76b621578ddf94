/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

struct farm_residents {
  cli_residents *keys;
  const cli_session *taken; /* of the batch that was last asked for */
  farm_key_cache cache;
};

rp_status farm_residents_open(const cli_call *call, farm_residents **out, rp_error *err) {
  const farm_options *o = call->options;
  const cli_resident_options options = {
      .most = o->resident, .max_in_flight = o->in_flight, .most_bytes = call->memory_bytes};
  farm_residents *r = *out = calloc(1, sizeof *r);
  if (!r) return err->status = RP_ERR_MEMORY;
  rp_status status = farm_key_cache_open(&r->cache, o->cache_dir, o->cache_bytes ? o->cache_bytes : UINT64_C(64) << 30,
                                         call->args[0], err);
  return status == RP_OK ? cli_residents_open(call, &options, &r->keys, err) : status;
}

void farm_residents_close(farm_residents *r) {
  if (!r) return;
  if (r->taken) cli_residents_give(r->keys, r->taken);
  cli_residents_close(r->keys);
  farm_key_cache_close(&r->cache);
  free(r);
}

void farm_residents_ids(farm_residents *r, farm_array *ids) {
  int64_t all[MOST];
  const unsigned n = cli_residents_ids(r->keys, all, MOST);
  for (unsigned i = 0; i < n; i++) farm_array_int(ids, all[i]);
}

typedef struct wanted {
  const farm_key_cache *cache;
  const farm_batch *batch;
} wanted;

/* A file of the cache that was changed is fetched again, once. */
static rp_status open_key(void *user, cli_session *s, rp_error *err) {
  const wanted *w = user;
  cli_call pinned = {.pinned = 1};
  memcpy(pinned.sha256, w->batch->sha256, sizeof pinned.sha256);
  for (int attempt = 0;; attempt++) {
    char *path = NULL;
    bool fetched = 0;
    rp_status status = farm_key_cache_get(w->cache, w->batch, &path, &fetched, err);
    if (status == RP_OK) {
      status = cli_open_any_key(&pinned, s, path, err);
      if (status == RP_ERR_MISMATCH) farm_key_cache_refuse(w->cache, w->batch, path, fetched);
    }
    free(path);
    if (status != RP_ERR_MISMATCH || fetched || attempt > 0) return status;
  }
}

rp_status farm_residents_get(farm_residents *r, const farm_batch *b, const cli_session **session, rp_error *err) {
  wanted w = {.cache = &r->cache, .batch = b};
  if (r->taken) cli_residents_give(r->keys, r->taken);
  r->taken = NULL;
  const rp_status status = cli_residents_take(r->keys, b->key_id, (uint64_t)b->key_bytes, open_key, &w, &r->taken, err);
  *session = r->taken;
  return status;
}
