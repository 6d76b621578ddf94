/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ring.h"

#include "thread.h"

typedef struct crew {
  rp_ring *ring;
  const rp_ring_load *load;
  uint64_t piece_bytes, n_pieces;
  _Atomic uint64_t next; /* the first piece that nobody has taken */
  atomic_int failed;
  pthread_mutex_t lock; /* guards the members below */
  uint64_t failed_at;   /* the first piece that failed */
  rp_status status;
  rp_error error;
} crew;

typedef struct member {
  crew *crew;
  uint32_t index;
  pthread_t thread;
} member;

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

void rp_ring_open(rp_ring *ring, rp_device *device) { *ring = (rp_ring){.device = device}; }

void rp_ring_close(rp_ring *ring) {
  if (ring->host) rp_host_free(ring->device->context, ring->host, ring->n * ring->piece_bytes);
  rp_device_free(ring->device, &ring->staging);
  *ring = (rp_ring){.device = ring->device};
}

/* Staging for n pieces, or for fewer if there is not enough; without any, ordinary memory. */
static bool make_pieces(rp_ring *ring, uint32_t n, uint64_t bytes) {
  rp_device *d = ring->device;
  if (ring->n >= n && ring->piece_bytes >= bytes) return 1;
  rp_ring_close(ring);
  ring->piece_bytes = bytes;
  for (ring->n = n; d->backend->memory_send && ring->n; ring->n /= 2)
    if (rp_device_alloc(d, RP_MEMORY_STAGING_UP, ring->n * bytes, &ring->staging, NULL) == RP_OK) return 1;
  for (ring->n = n; ring->n; ring->n /= 2) {
    ring->host = rp_host_alloc(d->context, ring->n * bytes, 64);
    if (ring->host) return 1;
  }
  return 0;
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

static rp_status take_piece(const crew *c, uint32_t index, uint64_t at, uint64_t bytes, rp_error *err) {
  const rp_ring *ring = c->ring;
  const rp_ring_load *l = c->load;
  const rp_device *d = ring->device;
  const uint64_t first = l->first + at, to = l->offset + at, own = index * ring->piece_bytes;
  if (l->to->host) return l->read(l->arg, first, bytes, (char *)l->to->host + to, err);
  char *piece = (ring->host ? ring->host : (char *)ring->staging.host) + own;
  const rp_status status = l->read(l->arg, first, bytes, piece, err);
  if (status) return status;
  return ring->host ? d->backend->memory_write(d->state, l->to, to, piece, bytes, err)
                    : d->backend->memory_send(d->state, l->to, to, &ring->staging, own, bytes, err);
}

static void note_failure(crew *c, uint64_t piece, rp_status status, const rp_error *error) {
  pthread_mutex_lock(&c->lock);
  if (!c->status || piece < c->failed_at) {
    c->failed_at = piece;
    c->status = status;
    c->error = *error;
  }
  pthread_mutex_unlock(&c->lock);
  atomic_store(&c->failed, 1);
}

/* Pieces are taken in order, which suits files, and a piece that has been taken is finished: so the first one that
 * fails is found whatever the threads do. */
static void *work(void *arg) {
  const member *m = arg;
  crew *c = m->crew;
  while (!atomic_load(&c->failed)) {
    const uint64_t piece = atomic_fetch_add(&c->next, 1), at = piece * c->piece_bytes;
    if (piece >= c->n_pieces) break;
    const uint64_t left = c->load->bytes - at;
    rp_error error = {0};
    const rp_status status = take_piece(c, m->index, at, left < c->piece_bytes ? left : c->piece_bytes, &error);
    if (status) note_failure(c, piece, status, &error);
  }
  return NULL;
}

/* If a thread cannot be started, the others take its pieces. */
static void work_together(crew *c, uint32_t n) {
  member members[RP_RING_MOST];
  uint32_t started = 1;
  for (uint32_t i = 0; i < RP_RING_MOST; i++) members[i] = (member){.crew = c, .index = i};
  while (started < n && rp_thread_start(&members[started].thread, NULL, work, &members[started]) == 0) started++;
  work(&members[0]);
  while (started-- > 1) pthread_join(members[started].thread, NULL);
}

/* Two even on one processor: one reads while the other waits for its copy. */
static uint32_t threads_for(uint64_t n_pieces) {
  uint32_t n = rp_processors();
  if (n < 2) n = 2;
  if (n > RP_RING_MOST) n = RP_RING_MOST;
  return n_pieces < n ? (uint32_t)n_pieces : n;
}

rp_status rp_ring_send(rp_ring *ring, const rp_ring_load *load, rp_error *err) {
  const uint64_t unit = load->unit_bytes, piece = unit < RP_RING_PIECE_BYTES ? RP_RING_PIECE_BYTES / unit * unit : unit;
  crew c = {.ring = ring,
            .load = load,
            .piece_bytes = piece,
            .n_pieces = (load->bytes + piece - 1) / piece,
            .lock = PTHREAD_MUTEX_INITIALIZER};
  uint32_t n = threads_for(c.n_pieces);
  if (!load->to->host) {
    if (!make_pieces(ring, n, piece < RP_RING_PIECE_BYTES ? RP_RING_PIECE_BYTES : piece))
      return rp_fail_memory(err, "a piece of a constant");
    if (n > ring->n) n = ring->n;
  }
  work_together(&c, n);
  if (c.status && err) *err = c.error;
  return rp_device_note(ring->device, c.status);
}
