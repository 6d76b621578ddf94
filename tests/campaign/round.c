/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "round.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

uint64_t clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t mix(uint64_t seed, uint64_t kind, uint64_t number) {
  uint64_t state = seed;
  state = g16_next(&state) ^ kind;
  state = g16_next(&state) ^ number;
  return g16_next(&state);
}

/* ---- The context ------------------------------------------------------------------------------------------------- */

static void *counting_alloc(void *user, size_t bytes, size_t align) {
  void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
  if (memory) atomic_fetch_add(&((round_t *)user)->live_bytes, (int64_t)bytes);
  return memory;
}

static void counting_free(void *user, void *memory, size_t bytes) {
  if (memory) atomic_fetch_sub(&((round_t *)user)->live_bytes, (int64_t)bytes);
  free(memory);
}

static void count_evictions(void *user, rp_log_level level, const char *message) {
  (void)level;
  if (strstr(message, "is evicted and releases")) atomic_fetch_add(&((round_t *)user)->all->tally.evictions, 1);
}

static rp_status open_device(round_t *r, rp_device_kind kind, uint32_t threads, uint64_t budget, rp_device **device,
                             rp_error *err) {
  const rp_device_options options = {
      .struct_size = sizeof options, .kind = kind, .cpu_threads = threads, .memory_budget_bytes = budget};
  return rp_device_open(r->context, &options, device, err);
}

static rp_status open_context(round_t *r, rp_error *err) {
  const rp_context_options options = {.struct_size = sizeof options,
                                      .log_level = RP_LOG_INFO,
                                      .log = count_evictions,
                                      .log_user = r,
                                      .allocator = {.user = r, .alloc = counting_alloc, .free = counting_free}};
  rp_status status = rp_context_create(&options, &r->context, err);
  if (status == RP_OK) status = open_device(r, RP_DEVICE_CPU, r->threads, 0, &r->helper, err);
  r->planner = r->helper;
  if (status == RP_OK && r->all->options.device != RP_DEVICE_CPU)
    status = open_device(r, r->all->options.device, 0, 0, &r->planner, err);
  return status;
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

/* Writes the key as a recorded file, with a prover on the helper device. */
static rp_status save(const round_t *r, const member *m, rp_error *err) {
  rp_groth16_key *key;
  rp_groth16_prover *prover = NULL;
  rp_status status = rp_groth16_key_open_memory(r->context, m->made.zkey.data, m->made.zkey.bytes, NULL, &key, err);
  if (status == RP_OK) status = rp_groth16_prover_create(r->helper, key, NULL, &prover, err);
  rp_groth16_key_close(key);
  if (status == RP_OK) status = rp_groth16_save(prover, m->path, err);
  rp_groth16_prover_destroy(prover);
  return status;
}

static rp_status open_key(round_t *r, member *m, uint32_t i, rp_error *err) {
  m->checked = below(&r->random, 4) == 0;
  const rp_groth16_key_options options = {.struct_size = sizeof options, .check_points = (uint32_t)m->checked};
  rp_status status = RP_OK;
  if (m->source != SOURCE_MEMORY && m->source != SOURCE_STREAMED)
    snprintf(m->path, sizeof m->path, "%s/%u.key", r->all->folder, i);
  if (m->source == SOURCE_RECORDED || m->source == SOURCE_RECORDED_MEMORY) {
    status = save(r, m, err);
  } else if (m->source == SOURCE_FILE && !blob_write(m->path, m->made.zkey.data, m->made.zkey.bytes)) {
    snprintf(err->reason, sizeof err->reason, "a zkey cannot be written");
    status = RP_ERR_FILE;
  }
  if (status != RP_OK) return status;
  const blob *memory = &m->made.zkey;
  if (m->source == SOURCE_RECORDED_MEMORY) {
    if (!blob_read(m->path, &m->recorded)) return RP_ERR_FILE;
    memory = &m->recorded;
  } else if (m->path[0]) {
    return rp_groth16_key_open(r->context, m->path, &options, &m->key, err);
  }
  return rp_groth16_key_open_memory(r->context, memory->data, memory->bytes, &options, &m->key, err);
}

/* Gives the member a budget of its own, which is lowered in steps of an eighth as far as planning allows, so that the
 * points are streamed. *plan gets the last plan. If that does not stream, the member counts as one from memory. */
static rp_status shrink(const round_t *r, member *m, rp_plan_info *plan, rp_error *err) {
  uint64_t budget = plan->total_bytes;
  rp_plan_info smaller = {.struct_size = sizeof smaller};
  rp_groth16_prover_options options = m->options;
  rp_status status = RP_OK;
  while (status == RP_OK) {
    options.memory_budget_bytes = budget = budget / 8 * 7;
    status = rp_groth16_plan(r->planner, m->key, &options, &smaller, err);
    if (status != RP_OK) break;
    *plan = smaller;
    m->options.memory_budget_bytes = budget;
  }
  if (plan->memory_level != RP_MEMORY_STREAMED) m->source = SOURCE_MEMORY;
  return status == RP_ERR_BUDGET ? RP_OK : status;
}

/* Judges two checks of a key's points: one when it was opened, and one now, on the helper device or point by point. */
static void judge_check(round_t *r, const member *m, rp_status opened) {
  const verdict must = fault_check_verdict(&m->made.fault);
  const uint64_t number = r->number * r->all->options.per_round;
  rp_error err = {0};
  if (opened != RP_OK) return;
  if (m->checked && must == MUST_REFUSE) wrong(r->all, WRONG_POINTS, number, NULL, m->made.fault.how);
  const rp_status status = rp_groth16_key_check_points(m->key, below(&r->random, 2) ? r->helper : NULL, &err);
  if ((status != RP_OK && status != RP_ERR_FORMAT) || (must == MUST_REFUSE && status == RP_OK) ||
      (must == MUST_RELEASE && status != RP_OK))
    wrong(r->all, WRONG_POINTS, number, NULL, status == RP_OK ? m->made.fault.how : err.reason);
}

static rp_status make_member(round_t *r, uint32_t i, rp_error *err) {
  member *m = &r->members[i];
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_status status = key_make(r->context, r->helper, r->all->folder, &r->random, &m->made, err);
  if (status != RP_OK) return status;
  m->source = (source_id)below(&r->random, SOURCES);
  m->options = (rp_groth16_prover_options){
      .struct_size = sizeof m->options, .max_in_flight = 1 + below(&r->random, 4), .tables = below(&r->random, 2)};
  atomic_fetch_add(&r->all->tally.keys, 1);
  rp_error why = {0};
  status = open_key(r, m, i, &why);
  judge_check(r, m, status);
  if (status == RP_ERR_FORMAT && m->made.fault.id != FAULT_NONE) {
    atomic_fetch_add(&r->all->tally.keys_refused, 1);
    return RP_OK;
  }
  if (status == RP_OK) status = rp_groth16_plan(r->planner, m->key, &m->options, &plan, &why);
  if (status == RP_OK && m->source == SOURCE_STREAMED) status = shrink(r, m, &plan, &why);
  if (status == RP_OK) m->bytes = plan.total_bytes;
  if (status != RP_OK) *err = why;
  return status;
}

static void free_member(member *m) {
  rp_groth16_prover_destroy(m->prover);
  rp_groth16_key_close(m->key);
  if (m->path[0]) unlink(m->path);
  blob_free(&m->recorded);
  key_free(&m->made);
}

/* Opens the device and makes the provers: without a limit, or with a budget for the largest key and a part of the
 * others. */
static rp_status record_members(round_t *r, rp_error *err) {
  uint64_t all = 0, largest = 0, budget = 0;
  for (uint32_t i = 0; i < r->n_members; i++) {
    all += r->members[i].bytes;
    if (r->members[i].bytes > largest) largest = r->members[i].bytes;
  }
  r->limited = below(&r->random, 3) != 0;
  const uint32_t share = below(&r->random, 8);
  if (r->limited) budget = largest + (all - largest) * share / 10;
  rp_status status = open_device(r, r->all->options.device, r->threads, budget, &r->device, err);
  for (uint32_t i = 0; i < r->n_members && status == RP_OK; i++)
    if (r->members[i].key)
      status =
          rp_groth16_prover_create(r->device, r->members[i].key, &r->members[i].options, &r->members[i].prover, err);
  return status;
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

typedef struct client {
  round_t *round;
  uint32_t number;
} client;

static void *client_main(void *arg) {
  const client *c = arg;
  round_t *r = c->round;
  const campaign_options *o = &r->all->options;
  const uint64_t n = r->limited && o->limited ? o->limited : o->per_round;
  while (!campaign_is_over(r->all)) {
    const uint64_t i = atomic_fetch_add(&r->next, 1);
    if (i >= n) break;
    case_run(r, r->number * o->per_round + i, c->number);
  }
  return NULL;
}

static rp_status run_clients(round_t *r, rp_error *err) {
  enum { MOST_CLIENTS = 64 };
  pthread_t threads[MOST_CLIENTS];
  client clients[MOST_CLIENTS];
  uint32_t started = 0;
  if (r->all->options.one_case) {
    r->n_clients = 1;
    case_run(r, r->all->options.case_number, 0);
    return RP_OK;
  }
  r->n_clients = 1 + below(&r->random, 4);
  if (r->all->options.clients) r->n_clients = r->all->options.clients;
  if (r->n_clients > MOST_CLIENTS) r->n_clients = MOST_CLIENTS;
  for (; started < r->n_clients; started++) {
    clients[started] = (client){r, started};
    if (pthread_create(&threads[started], NULL, client_main, &clients[started])) break;
  }
  for (uint32_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
  if (started == r->n_clients) return RP_OK;
  snprintf(err->reason, sizeof err->reason, "a thread cannot be started");
  return RP_ERR_MEMORY;
}

rp_status round_run(campaign *all, uint64_t number, rp_error *err) {
  round_t *r = calloc(1, sizeof *r);
  if (!r) return RP_ERR_MEMORY;
  r->all = all;
  r->number = number;
  r->random = mix(all->options.seed, 1, number);
  r->threads = 1 + below(&r->random, 4);
  if (all->options.threads) r->threads = all->options.threads;
  rp_status status = open_context(r, err);
  const uint32_t n = 1 + below(&r->random, MOST_KEYS);
  for (; r->n_members < n && status == RP_OK; r->n_members++) status = make_member(r, r->n_members, err);
  if (status == RP_OK) status = record_members(r, err);
  if (status == RP_OK) status = run_clients(r, err);
  for (uint32_t i = 0; i < r->n_members; i++) free_member(&r->members[i]);
  rp_device_close(r->device);
  if (r->planner != r->helper) rp_device_close(r->planner);
  rp_device_close(r->helper);
  rp_context_destroy(r->context);
  if (atomic_load(&r->live_bytes)) wrong(all, WRONG_LEAK, number * all->options.per_round, NULL, "after a round");
  free(r);
  return status;
}
