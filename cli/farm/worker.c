/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "worker.h"

#include "backoff.h"
#include "prove_thread.h"
#include "schema.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

static const uint64_t second = 1000000000u;

typedef struct loop {
  farm_database *db;
  const farm_worker_options *o;
  farm_worker_counts *counts;
  farm_prove_thread proving;
  farm_batch *to_store; /* a batch that was proved and could not be stored yet */
  int64_t id, n_alive;
  bool is_stopping; /* a signal, or a drain: nothing more is claimed */
  bool is_idle;     /* nothing was ready when it last asked */
  uint64_t beat_at, ask_at, connect_at;
  farm_backoff backoff, empty;
} loop;

static void log_event(const loop *l, const char *what, const char *why) {
  char text[600];
  if (!l->o->log) return;
  snprintf(text, sizeof text, "%s%s", what, why);
  l->o->log(l->o->user, text);
}

/* After a failure of a call: the connection is lost or the worker is gone, and it begins again after a pause. */
static void disconnect_after_failure(loop *l, const rp_error *err) {
  if (strcmp(l->db->state, FARM_GONE) != 0)
    log_event(l, "", err->reason[0] ? err->reason : rp_status_text(err->status));
  farm_disconnect(l->db);
  l->connect_at = farm_now_ns() + farm_backoff_next(&l->backoff);
}

/* Jobs that are being proved belong to the other thread, except for is_lost, which it only reads when it begins. */
static rp_status connect_again(loop *l, rp_error *err) {
  int64_t stored = 0;
  rp_status status = farm_open(l->db, err);
  if (status == RP_OK) status = farm_script(l->db, "LISTEN reprise_jobs; LISTEN reprise_drain", err);
  if (status != RP_OK && l->db->connection) status = RP_OK; /* a server without notifications: polling is enough */
  if (status != RP_OK) return status;
  pthread_mutex_lock(&l->proving.lock);
  farm_batch *const lists[] = {l->to_store, l->proving.done, l->proving.running, l->proving.waiting};
  status = farm_worker_begin(l->db, l->o->name, l->o->lease_seconds, l->id, lists, 4, &l->id, &stored, err);
  pthread_mutex_unlock(&l->proving.lock);
  if (status != RP_OK) return status;
  l->counts->stored += stored;
  l->counts->reconnects++;
  l->backoff.next_ns = l->empty.next_ns = 0;
  l->beat_at = l->ask_at = 0;
  return RP_OK;
}

static void count(loop *l, const farm_batch *b, int64_t stored) {
  int64_t proved = 0;
  for (int i = 0; i < b->n; i++) {
    proved += b->jobs[i].status == RP_OK;
    if (b->jobs[i].status == RP_OK || b->jobs[i].is_lost) continue;
    l->counts->failed++;
    log_event(l, "a job failed: ", b->jobs[i].reason[0] ? b->jobs[i].reason : rp_status_text(b->jobs[i].status));
  }
  l->counts->stored += stored;
  l->counts->lost += proved - stored;
}

static rp_status store_done(loop *l, rp_error *err) {
  for (;;) {
    if (!l->to_store) l->to_store = farm_prove_thread_take(&l->proving);
    if (!l->to_store) return RP_OK;
    int64_t stored = 0;
    const uint64_t begin = farm_now_ns();
    const rp_status status = farm_store(l->db, l->id, l->to_store, &stored, err);
    l->counts->database_ns += farm_now_ns() - begin;
    if (status != RP_OK) {
      l->counts->stored += stored;
      return status;
    }
    count(l, l->to_store, stored);
    farm_batch_free(l->to_store);
    l->to_store = NULL;
  }
}

static int batch_size(loop *l) {
  const double one = l->proving.seconds_per_job;
  const double n = one > 0 ? l->o->batch_seconds / one : 1;
  return n < 1 ? 1 : n > l->o->most ? l->o->most : (int)n;
}

static rp_status claim(loop *l, rp_error *err) {
  farm_array keys = farm_array_of(FARM_INT4);
  farm_batch *b = NULL;
  l->proving.prover->resident(l->proving.prover->self, &keys);
  const uint64_t begin = farm_now_ns();
  const rp_status status =
      farm_claim(l->db, l->id, batch_size(l), l->o->most_bytes, &keys, l->o->patience_seconds, &b, err);
  l->counts->database_ns += farm_now_ns() - begin;
  farm_array_free(&keys);
  if (status != RP_OK) return status;
  l->counts->claims++;
  l->is_idle = !b;
  if (b) {
    l->empty.next_ns = 0;
    farm_prove_thread_put(&l->proving, b);
  } else {
    l->ask_at = farm_now_ns() + farm_backoff_next(&l->empty);
  }
  return RP_OK;
}

static rp_status send_heartbeat(loop *l, rp_error *err) {
  farm_array keys = farm_array_of(FARM_INT4);
  bool draining = 0;
  l->proving.prover->resident(l->proving.prover->self, &keys);
  const rp_status status = farm_heartbeat(l->db, l->id, &keys, &draining, &l->n_alive, err);
  farm_array_free(&keys);
  if (status != RP_OK) return status;
  if (draining && !l->is_stopping) log_event(l, "draining: finishing what is being proved", "");
  l->is_stopping |= draining;
  l->beat_at = farm_now_ns() + (uint64_t)(l->o->lease_seconds * 1e9 / 3);
  return RP_OK;
}

/* No further batch is begun, so the one that waits is returned to the queue. */
static rp_status give_back(loop *l, rp_error *err) {
  farm_batch *b = farm_prove_thread_recall(&l->proving);
  if (!b) return RP_OK;
  const rp_status status = farm_release(l->db, l->id, b, err);
  /* After a failure, the batch returns to the queue when the worker begins again, or when its lease ends. */
  farm_batch_free(b);
  return status;
}

static rp_status step(loop *l, rp_error *err) {
  rp_status status = RP_OK;
  if (!l->db->connection) status = connect_again(l, err);
  if (status == RP_OK) status = store_done(l, err);
  if (status == RP_OK && farm_now_ns() >= l->beat_at) status = send_heartbeat(l, err);
  if (status == RP_OK && l->o->end_after && l->counts->stored >= l->o->end_after) l->is_stopping = 1;
  if (status == RP_OK && l->is_stopping) status = give_back(l, err);
  while (status == RP_OK && !l->is_stopping && farm_now_ns() >= l->ask_at && farm_prove_thread_has_room(&l->proving)) {
    status = claim(l, err);
    if (l->is_idle) break;
  }
  return status;
}

static uint64_t earlier_of(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Notifications may have come with the answers of calls, too. After a notification, many idle workers would ask at the
 * same time for jobs that few of them can get; therefore each waits for a random share of 0.2 ms times the number of
 * workers. */
static void handle_notifications(loop *l) {
  const unsigned news = farm_notifications(l->db);
  if (news & FARM_NEWS_DRAIN) l->beat_at = 0;
  if (news & FARM_NEWS_JOBS && l->is_idle) {
    const uint64_t spread = (uint64_t)l->n_alive * 200000;
    l->empty.next_ns = 0;
    l->ask_at = earlier_of(l->ask_at, farm_now_ns() + (l->n_alive > 1 ? farm_random(spread) : 0));
  }
  if (!l->db->connection) l->connect_at = farm_now_ns() + farm_backoff_next(&l->backoff);
}

/* Waits for a notification, a batch that has been proved, a signal, or the next action that is due. */
static void wait_for(loop *l) {
  if (l->db->connection) handle_notifications(l);
  const uint64_t now = farm_now_ns();
  uint64_t until = l->db->connection ? l->beat_at : l->connect_at;
  if (l->db->connection && !l->is_stopping && farm_prove_thread_has_room(&l->proving))
    until = earlier_of(until, l->ask_at);
  struct pollfd fds[] = {{.fd = l->proving.event_fd, .events = POLLIN},
                         {.fd = l->is_stopping ? -1 : l->o->stop_fd, .events = POLLIN},
                         {.fd = farm_socket(l->db), .events = POLLIN}};
  const int ready = poll(fds, 3, until > now ? (int)((until - now + 999999) / 1000000) : 0);
  if (ready <= 0 || !fds[1].revents) return;
  log_event(l, "stopping: finishing what is being proved", "");
  l->is_stopping = 1;
}

static bool has_ended(loop *l) {
  if (l->o->until_empty && l->is_idle) l->is_stopping = 1;
  return l->is_stopping && !l->to_store && farm_prove_thread_is_empty(&l->proving);
}

rp_status farm_work(farm_database *db, const farm_worker_options *o, const farm_prover *prover,
                    farm_worker_counts *counts, rp_error *err) {
  loop l = {.db = db, .o = o, .counts = counts, .backoff = {.least_ns = second / 10, .most_ns = 10 * second}};
  l.empty = (farm_backoff){.least_ns = second / 100, .most_ns = (uint64_t)(o->poll_seconds * 1e9)};
  *counts = (farm_worker_counts){0};
  rp_status status = farm_prove_thread_begin(&l.proving, prover, err);
  if (status != RP_OK) return status;
  status = connect_again(&l, err); /* a wrong address is reported, and not tried for ever */
  counts->reconnects = 0;
  if (status == RP_OK) {
    while (!has_ended(&l)) {
      if (l.db->connection || farm_now_ns() >= l.connect_at)
        if (step(&l, err) != RP_OK) disconnect_after_failure(&l, err);
      if (!has_ended(&l)) wait_for(&l);
    }
    status = db->connection ? farm_worker_end(db, l.id, err) : RP_OK; /* it holds nothing, or its lease ends */
  }
  farm_prove_thread_end(&l.proving);
  farm_disconnect(db);
  return status;
}
