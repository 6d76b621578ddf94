/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A worker: takes jobs and does them. Proofs are made by the pool of the devices.
 */
#include "service.h"

#include "answer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void serve_log(const serve *service, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  (void)cli_refuse(service->call, CLI_OK, "%s", text);
}

/* A witness as a prover takes it. */
typedef struct witness {
  const void *wtns; /* the bytes of a .wtns file, or of a solution; NULL: the values */
  size_t wtns_bytes;
  uint8_t *values;
  size_t n;
} witness;

static bool is_wtns(const serve_body *body) { return body->bytes >= 4 && memcmp(body->data, "wtns", 4) == 0; }

/* The first character that is no white space; 0 if there is none. */
static int first_character(const serve_body *body) {
  size_t i = 0;
  while (i < body->bytes && strchr(" \t\r\n", body->data[i])) i++;
  return i < body->bytes ? body->data[i] : 0;
}

/* Wipes what a parser has left on the stack below its caller's frame. */
__attribute__((noinline)) static void wipe_stack(void) {
  char used[16 << 10];
  explicit_bzero(used, sizeof used);
}

static rp_status refuse(rp_error *err, rp_status status, const char *why) {
  snprintf(err->reason, sizeof err->reason, "%s", why);
  return err->status = status;
}

static rp_status read_values(const serve_body *body, const cli_session *s, witness *w, rp_error *err) {
  const uint64_t n_vars = cli_n_vars(s);
  w->values = rp_secret_alloc((size_t)n_vars * 32);
  if (!w->values) return err->status = RP_ERR_MEMORY;
  rp_status status =
      rp_groth16_public_from_json((const char *)body->data, body->bytes, w->values, (size_t)n_vars, &w->n, err);
  wipe_stack();
  if (status == RP_OK && w->n != n_vars) {
    snprintf(err->reason, sizeof err->reason, "the witness has %zu values, and the circuit has %" PRIu64 " wires", w->n,
             n_vars);
    status = err->status = RP_ERR_MISMATCH;
  }
  return status;
}

static rp_status read_witness(const serve_body *body, const cli_session *s, witness *w, rp_error *err) {
  *w = (witness){0};
  if (is_wtns(body) || (cli_is_gnark(s) && body->bytes)) { /* its reader says what is wrong with it */
    w->wtns = body->data;
    w->wtns_bytes = body->bytes;
    return RP_OK;
  }
  if (first_character(body) == '[') return read_values(body, s, w, err);
  return refuse(err, RP_ERR_FORMAT,
                cli_is_gnark(s) ? "the body is no solution of gnark, which this key needs"
                                : "the body is no witness: neither a .wtns file nor a JSON list of values (or inputs, "
                                  "with --programs)");
}

static uint64_t time_left(const serve_job *job) {
  const uint64_t now = cli_now_ns();
  return job->deadline_ns == 0 ? 0 : job->deadline_ns > now ? job->deadline_ns - now : 1;
}

static rp_status prove_in_pool(serve *service, serve_job *job, const cli_session *s, const witness *w, cli_proof *proof,
                               uint8_t *signals, rp_error *err) {
  const rp_pool_request request = {.struct_size = sizeof request,
                                   .priority = job->priority,
                                   .wtns = w->wtns,
                                   .wtns_bytes = w->wtns_bytes,
                                   .values = w->values,
                                   .n_values = w->n,
                                   .limit_ns = time_left(job)};
  rp_pool_task *task = NULL;
  rp_status status = rp_pool_submit(s->pool_key, &request, UINT64_MAX, &task, err);
  if (status != RP_OK) return status;
  pthread_mutex_lock(&service->lock);
  job->task = task;
  if (job->ended_by) rp_pool_cancel(task);
  pthread_mutex_unlock(&service->lock);
  while (rp_pool_wait(task, UINT64_MAX) == RP_ERR_TIMEOUT) continue; /* the result tells how it ended */
  pthread_mutex_lock(&service->lock);
  job->task = NULL;
  pthread_mutex_unlock(&service->lock);
  status = s->fflonk_key     ? rp_pool_result_fflonk(task, &proof->fflonk, signals, NULL, err)
           : s->plonk_key    ? rp_pool_result_plonk(task, &proof->plonk, signals, NULL, err)
           : cli_is_gnark(s) ? rp_pool_result_gnark(task, &proof->gnark, signals, NULL, err)
                             : rp_pool_result_groth16(task, &proof->groth16, signals, NULL, err);
  rp_pool_end(task);
  return status;
}

static rp_status prove_with(serve *service, serve_job *job, const cli_session *s, rp_error *err) {
  const uint64_t n_public = cli_n_public(s);
  const cli_protocol protocol = cli_protocol_of_session(s);
  cli_proof proof;
  witness w;
  char *proof_text = NULL, *signals_text = NULL;
  uint8_t *signals = malloc((size_t)n_public * 32 + 1);
  rp_status status = signals ? read_witness(&job->body, s, &w, err) : refuse(err, RP_ERR_MEMORY, "");
  if (status == RP_OK) status = prove_in_pool(service, job, s, &w, &proof, signals, err);
  if (signals) rp_secret_free(w.values, (size_t)cli_n_vars(s) * 32);
  if (status == RP_OK)
    status = cli_proof_texts(protocol, cli_is_gnark(s), &proof, signals, n_public, &proof_text, &signals_text, err);
  if (status == RP_OK) serve_job_proved(job, proof_text, signals_text);
  free(signals);
  return status;
}

/* Takes the key; threads that wait for it, or for another key, may continue when it has been opened. */
static rp_status take_key(serve *service, serve_job *job, const cli_session **s, rp_error *err) {
  const bool is_ready = cli_residents_state(service->residents, job->key->id) == CLI_RESIDENT_READY;
  const rp_status status = cli_residents_take(service->residents, job->key->id, (uint64_t)job->key->file.st_size,
                                              serve_key_open, job->key, s, err);
  if (!is_ready) {
    pthread_mutex_lock(&service->lock);
    pthread_cond_broadcast(&service->queue.changed);
    pthread_mutex_unlock(&service->lock);
    serve_log(service, status == RP_OK ? "key %s is resident" : "key %s cannot be opened", job->key->name);
  }
  return status;
}

static void all_lost(serve *service) {
  pthread_mutex_lock(&service->lock);
  const bool was_lost = service->is_lost;
  service->is_lost = 1;
  pthread_mutex_unlock(&service->lock);
  if (!was_lost) serve_log(service, "every device is lost: /healthz says so, and this service must be started again");
}

static void work_prove(serve *service, serve_job *job) {
  const cli_session *session = NULL;
  rp_error err = {0};
  rp_status status = RP_OK;
  if (!job->key->is_gnark && !is_wtns(&job->body) && first_character(&job->body) == '{' && service->options->programs)
    status = serve_run_program(service, job, &err);
  if (status == RP_OK) status = take_key(service, job, &session, &err);
  if (status == RP_OK) {
    status = prove_with(service, job, session, &err);
    cli_residents_give(service->residents, session);
  }
  if (status == RP_OK) return;
  err.status = status;
  serve_job_failed(job, &err);
  if (status == RP_ERR_DEVICE_LOST) all_lost(service);
}

static void work(serve *service, serve_job *job) {
  switch (job->kind) {
  case SERVE_PROVE: work_prove(service, job); return;
  case SERVE_VERIFY: serve_work_verify(service, job); return;
  case SERVE_REGISTER: serve_work_register(service, job); return;
  }
}

/* A job that was told to end has no other result. With the lock held. */
static void discard_result_if_ended(serve *service, serve_job *job) {
  if (!job->ended_by && job->status == RP_ERR_CANCELLED && job->deadline_ns) {
    service->queue.counts.late++;
    job->ended_by = 504;
    job->ended_why = "the deadline passed";
  }
  if (!job->ended_by) return;
  free(job->text);
  serve_job_cancelled(job);
}

void *serve_worker(void *arg) {
  serve *service = arg;
  serve_queue *q = &service->queue;
  pthread_mutex_lock(&service->lock);
  while (!q->has_ended) {
    serve_job *job = serve_queue_take(q, service->residents);
    if (!job) {
      pthread_cond_wait(&q->changed, &service->lock);
      continue;
    }
    pthread_mutex_unlock(&service->lock);
    work(service, job);
    pthread_mutex_lock(&service->lock);
    discard_result_if_ended(service, job);
    const rp_status status = job->status;
    char id[SERVE_ID];
    memcpy(id, job->id, sizeof id);
    serve_queue_end(q, job);
    if (status == RP_OK) continue;
    pthread_mutex_unlock(&service->lock);
    serve_log(service, "job %s: %s", id, rp_status_name(status)); /* its reason is for the client that asked */
    pthread_mutex_lock(&service->lock);
  }
  pthread_mutex_unlock(&service->lock);
  return NULL;
}
