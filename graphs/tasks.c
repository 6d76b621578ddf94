/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "tasks.h"

#include "formats/fail.h"
#include "threads/parallel.h"
#include "threads/watch.h"

#include <errno.h>
#include <time.h>

enum { MOST_THREADS = 64, VALUE_BYTES = 32, SLOT_WAIT_NS = 20000000 };

/* A program that makes one proof after another hears of a proof and submits the next within some tens of microseconds,
 * which is about as long as it takes to wake a thread. Therefore the thread that made the last proof looks for the next
 * one without sleeping, for so long, if the program has been so quick before. */
enum { WATCH_NS = 100000 };

/* Each state is entered once, in this order. */
typedef enum task_state {
  TASK_WAITING, /* in the list */
  TASK_RUNNING, /* a thread has it */
  TASK_DONE,    /* has its result; its callback is called */
  TASK_OVER     /* its callback has returned, and no thread of the prover uses it any more */
} task_state;

/* Who frees its memory. */
typedef enum task_end {
  TASK_KEPT,
  TASK_AWAITED, /* a call that ends the task waits for it, and will free it */
  TASK_DROPPED  /* its last user frees it */
} task_end;

struct graphs_task {
  graphs_queue *queue;
  graphs_task *next;      /* in the list */
  graphs_task *up, *down; /* in the list of those that are not TASK_OVER */
  graphs_request request;
  char *path; /* the task's copy of the witness's path */
  task_state state;
  task_end end;
  uint32_t visits; /* calls of the caller's threads that use it, except the one that ends it */
  atomic_int cancelled;
  rp_run *run; /* while it can be cancelled */
  rp_status status;
  rp_error error;
  rp_run_counters counters;
  uint8_t *signals; /* behind the proof */
  _Alignas(8) uint8_t proof[];
};

typedef struct member {
  graphs_queue *queue;
  pthread_t thread;
  bool alive;
} member;

struct graphs_queue {
  const graphs_tasks_kind *kind;
  rp_context *context;   /* whose allocator gave the queue's memory, which keeps it alive */
  pthread_mutex_t lock;  /* guards the fields below, and all changing fields of every task */
  pthread_cond_t work;   /* a task is in the list, or `quit` is set */
  pthread_cond_t change; /* some task has become TASK_DONE or TASK_OVER */
  uint32_t references;   /* the prover's, one per task, and one per call that waits to submit */
  void *prover;
  size_t signal_bytes;        /* of each proof */
  graphs_task *first, **last; /* the list of waiting tasks */
  graphs_task *all;           /* list of those that are not TASK_OVER */
  uint32_t n_waiting, n_unfinished, most_unfinished;
  uint32_t n_idle, n_threads, most_threads;
  bool quit;
  uint64_t finished_ns; /* when there was no unfinished task any more */
  bool prompt;          /* the next task came within WATCH_NS of that */
  bool watched;         /* a thread looks for a task without sleeping */
  atomic_uint events;   /* the number of tasks, and `quit`: what the thread that looks sees change, without the lock */
  member members[];     /* n_threads */
};

graphs_queue *graphs_queue_new(const graphs_tasks_kind *kind, rp_context *context, void *prover, uint32_t max_in_flight,
                               uint64_t n_public) {
  const uint32_t threads = max_in_flight < MOST_THREADS ? max_in_flight : MOST_THREADS;
  graphs_queue *q = rp_context_alloc(context, sizeof *q + threads * sizeof *q->members);
  if (!q) return NULL;
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&q->change, &attr);
  pthread_condattr_destroy(&attr);
  pthread_cond_init(&q->work, NULL);
  pthread_mutex_init(&q->lock, NULL);
  q->kind = kind;
  q->references = 1;
  q->prover = prover;
  q->context = context;
  q->signal_bytes = (size_t)n_public * VALUE_BYTES;
  q->last = &q->first;
  q->most_unfinished = max_in_flight;
  q->most_threads = threads;
  return q;
}

static bool is_forked(const graphs_queue *q) { return rp_context_check(q->context, NULL) != RP_OK; }

/* Releases a reference and the lock. */
static void unlock_and_leave(graphs_queue *q) {
  const bool last = --q->references == 0;
  pthread_mutex_unlock(&q->lock);
  if (!last) return;
  pthread_cond_destroy(&q->change);
  pthread_cond_destroy(&q->work);
  pthread_mutex_destroy(&q->lock);
  rp_context_free(q);
}

/* Releases a reference in a forked child, where there are no other threads, and a thread of the parent may hold the
 * lock. */
static void leave_forked(graphs_queue *q) {
  if (--q->references == 0) rp_context_free(q);
}

/* Called under the lock. Threads that have ended are skipped: a pthread_t is meaningless after it has been joined. */
static bool is_own_thread(const graphs_queue *q) {
  for (uint32_t i = 0; i < q->n_threads; i++)
    if (q->members[i].alive && pthread_equal(q->members[i].thread, pthread_self())) return 1;
  return 0;
}

static struct timespec deadline_after(uint64_t timeout_ns) {
  const uint64_t second = 1000000000u;
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  if (timeout_ns > INT64_MAX / 2) timeout_ns = INT64_MAX / 2;
  const uint64_t ns = (uint64_t)t.tv_nsec + timeout_ns % second;
  t.tv_sec += (time_t)(timeout_ns / second + ns / second);
  t.tv_nsec = (long)(ns % second);
  return t;
}

/* ---- The threads ------------------------------------------------------------------------------------------------- */

/* The run is about to be ended: it must not be cancelled any more. */
static void forget_run(void *user) {
  graphs_task *t = user;
  pthread_mutex_lock(&t->queue->lock);
  t->run = NULL;
  pthread_mutex_unlock(&t->queue->lock);
}

static rp_status fail_cancelled(graphs_task *t) {
  return support_fail(&t->error, RP_ERR_CANCELLED, "The proof was cancelled before it began.");
}

/* Waits for a slot in steps, since calls of other kinds may hold the slots for long. */
static rp_status start(graphs_task *t, void *flight) {
  const graphs_queue *q = t->queue;
  uint8_t *signals = q->signal_bytes ? t->signals : NULL;
  rp_status status = RP_ERR_BUSY;
  while (status == RP_ERR_BUSY && !atomic_load(&t->cancelled))
    status = q->kind->start(q->prover, &t->request, SLOT_WAIT_NS, t->proof, signals, flight, &t->error);
  return status == RP_ERR_BUSY ? fail_cancelled(t) : status;
}

static void make_proof(graphs_task *t) {
  _Alignas(16) uint8_t flight[GRAPHS_MOST_FLIGHT_BYTES];
  graphs_queue *q = t->queue;
  rp_status status = start(t, flight);
  if (status == RP_OK) {
    rp_run *run = q->kind->watch(flight, &t->cancelled, forget_run, t);
    pthread_mutex_lock(&q->lock);
    t->run = run;
    if (atomic_load(&t->cancelled)) rp_run_cancel(run);
    pthread_mutex_unlock(&q->lock);
    status = q->kind->finish(flight, &t->counters, &t->error);
  }
  if (status != RP_OK) rp_wipe(t->signals, q->signal_bytes);
  t->status = status;
}

static graphs_task *take_first(graphs_queue *q) {
  graphs_task *t = q->first;
  q->first = t->next;
  if (!q->first) q->last = &q->first;
  q->n_waiting--;
  t->state = TASK_RUNNING;
  return t;
}

/* Frees the task; the caller must release its reference to the queue. */
static void free_task(graphs_task *t) {
  rp_context_free(t->path);
  rp_context_free(t);
}

/* Called under the lock. True: no thread of the prover and no call uses the task any more, except one that ends it. */
static bool is_forgotten(const graphs_task *t) { return t->state == TASK_OVER && t->visits == 0; }

/* Ends a visit and releases the lock. */
static void unlock_and_end_visit(graphs_queue *q, graphs_task *t) {
  t->visits--;
  if (is_forgotten(t) && t->end == TASK_DROPPED) {
    free_task(t);
    unlock_and_leave(q);
    return;
  }
  if (t->end == TASK_AWAITED) pthread_cond_broadcast(&q->change);
  pthread_mutex_unlock(&q->lock);
}

/* Called under the lock. When the callback is called, everything that belongs to the caller has been read and the
 * result is set; afterwards only the fields that say that the task is over are written. */
static void complete(graphs_queue *q, graphs_task *t) {
  t->state = TASK_DONE;
  if (--q->n_unfinished == 0) q->finished_ns = support_now_ns();
  pthread_cond_broadcast(&q->change);
  pthread_mutex_unlock(&q->lock);
  if (t->request.done) q->kind->tell(t->request.done, t->request.user, t);
  pthread_mutex_lock(&q->lock);
  if (t->up)
    t->up->down = t->down;
  else
    q->all = t->down;
  if (t->down) t->down->up = t->up;
  t->state = TASK_OVER;
  if (t->end == TASK_DROPPED && is_forgotten(t)) {
    free_task(t);
    q->references--; /* never the last one: the prover holds one until its threads have ended */
  }
  pthread_cond_broadcast(&q->change);
}

/* Looks for an event without sleeping. Called, and returns, with the lock held. */
static void watch(graphs_queue *q) {
  const unsigned seen = atomic_load(&q->events);
  q->watched = 1;
  pthread_mutex_unlock(&q->lock);
  support_watch(&q->events, seen, WATCH_NS);
  pthread_mutex_lock(&q->lock);
  q->watched = 0;
}

static void *member_main(void *arg) {
  member *self = arg;
  graphs_queue *q = self->queue;
  bool worked = 0;
  pthread_mutex_lock(&q->lock);
  for (;;) {
    if (q->first) {
      graphs_task *t = take_first(q);
      pthread_mutex_unlock(&q->lock);
      make_proof(t);
      pthread_mutex_lock(&q->lock);
      complete(q, t);
      worked = 1;
    } else if (q->quit) {
      break;
    } else {
      q->n_idle++;
      if (worked && q->prompt && !q->watched && q->n_unfinished == 0)
        watch(q);
      else
        pthread_cond_wait(&q->work, &q->lock);
      q->n_idle--;
      worked = 0;
    }
  }
  self->alive = 0;
  pthread_mutex_unlock(&q->lock);
  return NULL;
}

/* Called under the lock. Stops a task that runs; one that waits stops when its turn comes. */
static void cancel(graphs_task *t) {
  atomic_store(&t->cancelled, 1);
  if (t->run) rp_run_cancel(t->run);
}

void graphs_queue_destroy(graphs_queue *queue) {
  if (!queue) return;
  if (is_forked(queue)) {
    leave_forked(queue);
    return;
  }
  pthread_mutex_lock(&queue->lock);
  queue->quit = 1;
  atomic_fetch_add(&queue->events, 1);
  for (graphs_task *t = queue->all; t; t = t->down) cancel(t);
  pthread_cond_broadcast(&queue->work);
  pthread_cond_broadcast(&queue->change);
  pthread_mutex_unlock(&queue->lock);
  for (uint32_t i = 0; i < queue->n_threads; i++) pthread_join(queue->members[i].thread, NULL);
  pthread_mutex_lock(&queue->lock);
  unlock_and_leave(queue);
}

/* ---- Tasks ------------------------------------------------------------------------------------------------------- */

rp_status graphs_task_new(graphs_queue *q, const graphs_request *r, graphs_task **task, rp_error *err) {
  const g16_witness *w = &r->witness;
  *task = NULL;
  if ((w->path != NULL) + (w->wtns != NULL) + (w->values != NULL) + r->has_solution != 1)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "%s_submit: exactly one of wtns_path, wtns and values must give the witness%s.", q->kind->name,
                        r->solved ? ", or solution" : "");
  const rp_status status = rp_context_check(q->context, err);
  if (status != RP_OK) return status;
  const size_t proof_bytes = (q->kind->proof_bytes + 7) & ~(size_t)7;
  graphs_task *t = rp_context_alloc(q->context, sizeof *t + proof_bytes + q->signal_bytes);
  const size_t path_bytes = w->path ? strlen(w->path) + 1 : 0;
  if (t && path_bytes) t->path = rp_context_alloc(q->context, path_bytes);
  if (!t || (path_bytes && !t->path)) {
    rp_context_free(t);
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for a proof that is submitted.");
  }
  if (path_bytes) memcpy(t->path, w->path, path_bytes);
  t->queue = q;
  t->request = *r;
  t->request.witness.path = t->path;
  t->signals = t->proof + proof_bytes;
  t->counters.struct_size = sizeof t->counters;
  *task = t;
  return RP_OK;
}

/* Called under the lock. Waits until one more task may be unfinished; RP_ERR_BUSY after the time. */
static rp_status wait_for_place(graphs_queue *q, uint64_t timeout_ns, rp_error *err) {
  const struct timespec deadline = deadline_after(timeout_ns);
  bool expired = timeout_ns == 0 || is_own_thread(q); /* a callback must not block the thread that others need */
  while (!q->quit && q->n_unfinished >= q->most_unfinished && !expired)
    expired = pthread_cond_timedwait(&q->change, &q->lock, &deadline) == ETIMEDOUT;
  if (q->quit) return support_fail(err, RP_ERR_STATE, "%s_submit: the prover is being destroyed.", q->kind->name);
  if (q->n_unfinished < q->most_unfinished) return RP_OK;
  return support_fail(err, RP_ERR_BUSY, "%u proofs are unfinished, as many as the prover's max_in_flight allows.",
                      (unsigned)q->n_unfinished);
}

/* Called under the lock. Starts one more thread if there are more waiting tasks than idle threads. */
static bool start_thread_if_needed(graphs_queue *q) {
  if (q->n_waiting >= q->n_idle && q->n_threads < q->most_threads) {
    member *m = &q->members[q->n_threads];
    *m = (member){.queue = q, .alive = 1}; /* the thread waits for the lock first */
    q->n_threads += support_thread_start(&m->thread, member_main, m) == 0;
  }
  return q->n_threads != 0;
}

static void enqueue(graphs_queue *q, graphs_task *t) {
  *q->last = t;
  q->last = &t->next;
  t->down = q->all;
  if (q->all) q->all->up = t;
  q->all = t;
  if (q->n_unfinished == 0) q->prompt = support_now_ns() - q->finished_ns < WATCH_NS && support_processors() > 1;
  q->n_waiting++;
  q->n_unfinished++;
  q->references++;
  atomic_fetch_add(&q->events, 1);
  if (!q->watched || q->n_waiting > 1) pthread_cond_signal(&q->work); /* the thread that looks will take one task */
}

rp_status graphs_task_begin(graphs_task *t, uint64_t timeout_ns, rp_error *err) {
  graphs_queue *q = t->queue;
  pthread_mutex_lock(&q->lock);
  q->references++;
  rp_status status = wait_for_place(q, timeout_ns, err);
  if (status == RP_OK && !start_thread_if_needed(q))
    status = support_fail(err, RP_ERR_UNAVAILABLE, "The operating system does not start a thread for the prover.");
  if (status == RP_OK)
    enqueue(q, t);
  else
    free_task(t);
  unlock_and_leave(q);
  return status;
}

/* Called under the lock; begins a visit. Returns the status of the task, or RP_ERR_TIMEOUT after the time. */
static rp_status visit(graphs_queue *q, graphs_task *t, uint64_t timeout_ns) {
  const struct timespec deadline = deadline_after(timeout_ns);
  bool expired = timeout_ns == 0;
  t->visits++;
  if (t->state < TASK_DONE && !expired && is_own_thread(q)) return RP_ERR_STATE;
  while (t->state < TASK_DONE && !expired)
    expired = pthread_cond_timedwait(&q->change, &q->lock, &deadline) == ETIMEDOUT;
  return t->state >= TASK_DONE ? t->status : RP_ERR_TIMEOUT;
}

const graphs_request *graphs_task_request(const graphs_task *task) { return &task->request; }

rp_status graphs_task_wait(graphs_task *task, uint64_t timeout_ns) {
  if (!task) return RP_ERR_ARGUMENT;
  graphs_queue *q = task->queue;
  if (is_forked(q)) return RP_ERR_STATE;
  pthread_mutex_lock(&q->lock);
  const rp_status status = visit(q, task, timeout_ns);
  unlock_and_end_visit(q, task);
  return status;
}

void graphs_task_cancel(graphs_task *task) {
  if (!task || is_forked(task->queue)) return;
  graphs_queue *q = task->queue;
  pthread_mutex_lock(&q->lock);
  cancel(task);
  pthread_mutex_unlock(&q->lock);
}

/* For a task that is being visited: what is read here does not change once the task is finished. */
static rp_status read_result(const graphs_task *t, rp_status status, void *proof, uint8_t *public_signals,
                             rp_run_counters *counters, rp_error *err) {
  if (status == RP_ERR_TIMEOUT) return support_fail(err, status, "The proof is not finished.");
  if (counters) rp_info_write(counters, &t->counters, sizeof t->counters);
  if (status != RP_OK) {
    if (err) *err = t->error;
    return status;
  }
  if (proof) memcpy(proof, t->proof, t->queue->kind->proof_bytes);
  if (public_signals) memcpy(public_signals, t->signals, t->queue->signal_bytes);
  return RP_OK;
}

rp_status graphs_task_result(graphs_task *task, void *proof, uint8_t *public_signals, rp_run_counters *counters,
                             rp_error *err) {
  if (!task) return support_fail(err, RP_ERR_ARGUMENT, "The task, whose result is asked for, is NULL.");
  graphs_queue *q = task->queue;
  rp_status status = rp_context_check(q->context, err);
  if (status != RP_OK) return status;
  pthread_mutex_lock(&q->lock);
  status = visit(q, task, 0);
  pthread_mutex_unlock(&q->lock);
  status = read_result(task, status, proof, public_signals, counters, err);
  pthread_mutex_lock(&q->lock);
  unlock_and_end_visit(q, task);
  return status;
}

void graphs_task_end(graphs_task *task) {
  if (!task) return;
  graphs_queue *q = task->queue;
  if (is_forked(q)) {
    free_task(task);
    leave_forked(q);
    return;
  }
  pthread_mutex_lock(&q->lock);
  if (task->state < TASK_DONE) cancel(task);
  if (!is_forgotten(task) && is_own_thread(q)) { /* in a callback, which others may wait for */
    task->end = TASK_DROPPED;
    pthread_mutex_unlock(&q->lock);
    return;
  }
  task->end = TASK_AWAITED;
  while (!is_forgotten(task)) pthread_cond_wait(&q->change, &q->lock);
  free_task(task);
  unlock_and_leave(q);
}
