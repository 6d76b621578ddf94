/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "resident.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 64 };

typedef struct resident {
  cli_session session; /* must be first, because it identifies the resident */
  int64_t id;
  uint64_t used; /* the clock at its last use */
  uint64_t bytes;
  unsigned n_users;
} resident;

struct cli_residents {
  cli_call call; /* the devices, without a limit for a single key */
  cli_resident_options options;
  cli_session device; /* context, device and pool, which the sessions borrow */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  resident *all[MOST];
  unsigned n;
  bool is_opening;
  uint64_t bytes; /* of all */
  uint64_t clock, n_opened, n_evicted;
};

static uint64_t memory_of_machine(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : UINT64_MAX;
}

rp_status cli_residents_open(const cli_call *call, const cli_resident_options *options, cli_residents **out,
                             rp_error *err) {
  cli_residents *r = *out = calloc(1, sizeof *r);
  if (!r) return err->status = RP_ERR_MEMORY;
  r->call = *call;
  r->options = *options;
  if (r->options.most == 0) r->options.most = 4;
  if (r->options.max_in_flight == 0) r->options.max_in_flight = 2;
  if (r->options.most_bytes == 0) r->options.most_bytes = memory_of_machine() / 2;
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->changed, NULL);
  if (!options->is_pooled) return cli_open_device(&r->call, &r->device, err);
  if (r->call.n_devices == 0) r->call.devices[r->call.n_devices++] = r->call.device;
  return cli_open_pool(&r->call, &r->device, r->options.max_in_flight, err);
}

const cli_session *cli_residents_device(const cli_residents *r) { return &r->device; }

static void close_resident(resident *one) {
  if (!one) return;
  rp_error err = {0};
  /* If tasks of the key are left, which is a mistake of the caller, the pool removes the key when it ends. */
  if (one->session.pool_key && rp_pool_remove(one->session.pool_key, &err) != RP_OK) one->session.pool_key = NULL;
  one->session.pool = NULL;
  one->session.device = NULL;
  one->session.context = NULL;
  cli_close(&one->session);
  free(one);
}

/* Of the keys that no caller holds, takes the one that was used longest ago out of the list; NULL if there is none. */
static resident *take_oldest(cli_residents *r) {
  unsigned oldest = r->n;
  for (unsigned i = 0; i < r->n; i++)
    if (r->all[i]->n_users == 0 && (oldest == r->n || r->all[i]->used < r->all[oldest]->used)) oldest = i;
  if (oldest == r->n) return NULL;
  resident *one = r->all[oldest];
  r->all[oldest] = r->all[--r->n];
  r->bytes -= one->bytes;
  r->n_evicted++;
  return one;
}

/* Closes a key to make room, if necessary after a caller has given one back; false if there is none. With the lock
 * held. */
static bool evict(cli_residents *r) {
  resident *one;
  while (!(one = take_oldest(r)) && r->n) pthread_cond_wait(&r->changed, &r->lock);
  if (!one) return 0;
  pthread_mutex_unlock(&r->lock);
  close_resident(one);
  pthread_mutex_lock(&r->lock);
  return 1;
}

void cli_residents_close(cli_residents *r) {
  if (!r) return;
  while (r->n) close_resident(r->all[--r->n]);
  cli_close(&r->device);
  pthread_cond_destroy(&r->changed);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

static bool is_short(rp_status status) {
  return status == RP_ERR_BUDGET || status == RP_ERR_MEMORY || status == RP_ERR_DEVICE_MEMORY;
}

/* Takes what is left of the devices' memory; their budget is that of the command. */
static rp_status open_prover(cli_residents *r, cli_session *s, rp_error *err) {
  const rp_groth16_prover_options options = {.max_in_flight = r->options.max_in_flight, .tables = 1};
  const cli_call without_limit = {.command = r->call.command};
  return cli_open_any_prover(&without_limit, s, &options, err);
}

static resident *open_resident(cli_residents *r, int64_t id, cli_resident_open open, void *user, rp_error *err) {
  resident *one = calloc(1, sizeof *one);
  if (!one) {
    err->status = RP_ERR_MEMORY;
    return NULL;
  }
  one->id = id;
  one->session = (cli_session){.context = r->device.context, .device = r->device.device, .pool = r->device.pool};
  rp_status status = open(user, &one->session, err);
  while (status == RP_OK && (status = open_prover(r, &one->session, err)) != RP_OK && is_short(status)) {
    pthread_mutex_lock(&r->lock);
    if (evict(r)) status = RP_OK;
    pthread_mutex_unlock(&r->lock);
  }
  if (status == RP_OK) return one;
  err->status = status;
  close_resident(one);
  return NULL;
}

static resident *find(cli_residents *r, int64_t id) {
  for (unsigned i = 0; i < r->n; i++)
    if (r->all[i]->id == id) return r->all[i];
  return NULL;
}

static bool is_full(const cli_residents *r, uint64_t bytes) {
  return r->n >= r->options.most ||
         (r->n && (bytes > r->options.most_bytes || r->bytes > r->options.most_bytes - bytes));
}

rp_status cli_residents_take(cli_residents *r, int64_t id, uint64_t bytes, cli_resident_open open, void *user,
                             const cli_session **session, rp_error *err) {
  pthread_mutex_lock(&r->lock);
  resident *one;
  while (!(one = find(r, id)) && r->is_opening) pthread_cond_wait(&r->changed, &r->lock);
  if (!one) {
    r->is_opening = 1;
    while (is_full(r, bytes) && evict(r)) continue;
    r->bytes += bytes;
    pthread_mutex_unlock(&r->lock);
    one = open_resident(r, id, open, user, err);
    pthread_mutex_lock(&r->lock);
    if (one) {
      one->bytes = bytes;
      r->all[r->n++] = one;
    } else {
      r->bytes -= bytes;
    }
    r->n_opened += one != NULL;
    r->is_opening = 0;
    pthread_cond_broadcast(&r->changed);
  }
  if (one) {
    one->n_users++;
    one->used = ++r->clock;
    *session = &one->session;
  }
  pthread_mutex_unlock(&r->lock);
  return one ? RP_OK : err->status;
}

void cli_residents_give(cli_residents *r, const cli_session *session) {
  pthread_mutex_lock(&r->lock);
  ((resident *)(uintptr_t)session)->n_users--;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
}

cli_resident_state cli_residents_state(cli_residents *r, int64_t id) {
  pthread_mutex_lock(&r->lock);
  const cli_resident_state state = find(r, id)     ? CLI_RESIDENT_READY
                                   : r->is_opening ? CLI_RESIDENT_WAIT
                                                   : CLI_RESIDENT_ABSENT;
  pthread_mutex_unlock(&r->lock);
  return state;
}

unsigned cli_residents_ids(cli_residents *r, int64_t *ids, unsigned room) {
  pthread_mutex_lock(&r->lock);
  const unsigned n = r->n < room ? r->n : room;
  for (unsigned i = 0; i < n; i++) ids[i] = r->all[i]->id;
  pthread_mutex_unlock(&r->lock);
  return n;
}

void cli_residents_counts(cli_residents *r, uint64_t *n_opened, uint64_t *n_evicted) {
  pthread_mutex_lock(&r->lock);
  *n_opened = r->n_opened;
  *n_evicted = r->n_evicted;
  pthread_mutex_unlock(&r->lock);
}
