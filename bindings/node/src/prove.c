/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Proofs are submitted, and a thread of the prover reports them to the event loop, which does not wait for them. That
 * thread does what can be done without JavaScript: it makes the texts, and ends the task where that waits for nobody.
 */
#include "prover.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_TEXT = 32 }; /* public signals */

/* Used by the event loop's thread alone, except `proof` to `error`, which belong to the prover's thread from the
 * submission until the proof is reported. */
struct node_task {
  node_prover *prover;
  node_task *next;               /* the next task of the same prover */
  uint32_t id;                   /* by which JavaScript knows it, also when it is finished */
  napi_ref prover_ref, callback; /* prover_ref: a reference to the external, which so outlives its tasks */
  char *path;
  node_secret secret; /* a copy of the witness */
  size_t wtns_bytes;
  void *submitted;
  pthread_mutex_t lock; /* guards `ended`, the calls that end or cancel `submitted`, and the result until it is made */
  int ended;
  node_proof proof;
  uint8_t *signals; /* n_public of 32 bytes */
  char *text;       /* JSON of {proof, publicSignals}, behind the signals; room bytes */
  size_t text_bytes, room;
  rp_status status;
  rp_error error;
};

/* ---- Its end ----------------------------------------------------------------------------------------------------- */

static void task_free(napi_env env, node_task *t) {
  node_task **link = &t->prover->tasks;
  while (*link && *link != t) link = &(*link)->next;
  if (*link) *link = t->next;
  if (env && t->callback) napi_delete_reference(env, t->callback);
  if (env && t->prover_ref) napi_delete_reference(env, t->prover_ref);
  node_secret_give_back(t->prover, t->secret);
  pthread_mutex_destroy(&t->lock);
  free(t->signals);
  free(t->path);
  free(t);
}

/* One text, so that the event loop parses once. */
static rp_status write_text(node_task *t) {
  static const char before[] = "{\"proof\":", between[] = ",\"publicSignals\":";
  size_t bytes, at = sizeof before - 1;
  memcpy(t->text, before, at);
  rp_status status = t->prover->protocol->proof_to_json(&t->proof, t->text + at, t->room - at, &bytes, &t->error);
  if (status != RP_OK) return status;
  at += bytes;
  if (at + sizeof between > t->room) return node_fail(&t->error, RP_ERR_MEMORY, "no room for the public signals");
  memcpy(t->text + at, between, sizeof between - 1);
  at += sizeof between - 1;
  status = rp_groth16_public_to_json(t->signals, t->prover->n_public, t->text + at, t->room - at, &bytes, &t->error);
  if (status != RP_OK) return status;
  at += bytes;
  if (at >= t->room) return node_fail(&t->error, RP_ERR_MEMORY, "no room for the public signals");
  t->text[at] = '}';
  t->text_bytes = at + 1;
  return RP_OK;
}

static void take_result(node_task *t, void *submitted) {
  t->status = t->prover->protocol->result(submitted, &t->proof, t->signals, &t->error);
  if (t->status == RP_OK) t->status = write_text(t);
}

/* A text that takes a few microseconds is made while the event loop wakes, which takes longer. For a long one the event
 * loop would have to wait, so that it is woken afterwards. */
void node_task_finished(node_task *t, void *submitted) {
  const bool is_short = t->prover->n_public <= SHORT_TEXT;
  if (!is_short) take_result(t, submitted);
  pthread_mutex_lock(&t->lock);
  napi_call_threadsafe_function(t->prover->finished, t, napi_tsfn_nonblocking); /* frees the task, soon */
  if (is_short) take_result(t, submitted);
  t->prover->protocol->end(submitted);
  t->ended = 1;
  pthread_mutex_unlock(&t->lock);
}

/* In the event loop. */
static void report(napi_env env, node_task *t) {
  node_prover *p = t->prover;
  napi_value result = NULL, error = NULL;
  if (t->status == RP_OK && napi_create_string_latin1(env, t->text, t->text_bytes, &result) != napi_ok)
    node_fail(&t->error, RP_ERR_MEMORY, "Node-API could not make the text of the proof");
  if (!result) error = node_error(env, &t->error);
  if (--p->pending == 0) napi_unref_threadsafe_function(env, p->finished);
  napi_ref callback = t->callback, prover_ref = t->prover_ref;
  t->callback = t->prover_ref = NULL;
  task_free(env, t);
  node_call_back(env, callback, error, result);
  napi_delete_reference(env, callback);
  napi_delete_reference(env, prover_ref);
}

static void on_finished(napi_env env, napi_value function, void *context, void *data) {
  (void)function, (void)context;
  node_task *t = data;
  pthread_mutex_lock(&t->lock); /* the result is complete, and the thread that made it does not use the task any more */
  pthread_mutex_unlock(&t->lock);
  if (env)
    report(env, t);
  else
    task_free(NULL, t); /* the environment ends */
}

napi_status node_prover_listen(napi_env env, node_prover *p) {
  const napi_status status = napi_create_threadsafe_function(env, NULL, NULL, node_string(env, "reprise:proof"), 0, 1,
                                                             NULL, NULL, NULL, on_finished, &p->finished);
  return status == napi_ok ? napi_unref_threadsafe_function(env, p->finished) : status;
}

/* ---- Its beginning ----------------------------------------------------------------------------------------------- */

/* A copy of the witness: JavaScript may change or transfer its memory while the proof is made. */
static bool take_witness(napi_env env, napi_value witness, node_task *t) {
  const void *given;
  t->path = node_text(env, witness, NULL);
  if (t->path) return true;
  if (!node_bytes(env, witness, &given, &t->wtns_bytes))
    return node_wrong(env, "a witness is a path or a Uint8Array"), false;
  t->secret = node_secret_take(t->prover, t->wtns_bytes ? t->wtns_bytes : 1);
  if (!t->secret.memory) return node_ok(env, napi_generic_failure);
  if (t->wtns_bytes) memcpy(t->secret.memory, given, t->wtns_bytes);
  return true;
}

/* Memory for the public signals, and for the text of the result behind them. */
static bool take_room(napi_env env, node_task *t) {
  const size_t bytes = 32 * (size_t)t->prover->n_public;
  t->room = 100 * (size_t)t->prover->n_public + 4096; /* for a signal 78 digits, quotes, comma, line break */
  t->signals = malloc(bytes + t->room);
  if (!t->signals) return node_ok(env, napi_generic_failure);
  t->text = (char *)t->signals + bytes;
  return true;
}

napi_value node_prove(napi_env env, napi_callback_info info) {
  napi_value arguments[3], id;
  size_t n = 3;
  if (!node_ok(env, napi_get_cb_info(env, info, &n, arguments, NULL, NULL))) return NULL;
  node_prover *p = node_prover_of(env, arguments[0]);
  node_task *t = p ? calloc(1, sizeof *t) : NULL;
  if (!t) return NULL;
  t->prover = p;
  pthread_mutex_init(&t->lock, NULL);
  if (!take_room(env, t) || !take_witness(env, arguments[1], t) ||
      !node_ok(env, napi_create_reference(env, arguments[0], 1, &t->prover_ref)) ||
      !node_ok(env, napi_create_reference(env, arguments[2], 1, &t->callback)) ||
      !node_ok(env, napi_create_uint32(env, ++p->last_id, &id))) {
    task_free(env, t);
    return NULL;
  }
  t->id = p->last_id;
  t->next = p->tasks;
  p->tasks = t;
  if (p->pending++ == 0) napi_ref_threadsafe_function(env, p->finished);
  rp_error err = {0};
  if (p->protocol->submit(p->prover, t->path, t->secret.memory, t->wtns_bytes, t, &t->submitted, &err) == RP_OK)
    return id;
  if (--p->pending == 0) napi_unref_threadsafe_function(env, p->finished);
  napi_throw(env, node_error(env, &err));
  task_free(env, t);
  return NULL;
}

napi_value node_cancel(napi_env env, napi_callback_info info) {
  napi_value arguments[2];
  size_t n = 2;
  uint32_t id;
  if (!node_ok(env, napi_get_cb_info(env, info, &n, arguments, NULL, NULL))) return NULL;
  node_prover *p = node_prover_of(env, arguments[0]);
  if (!p || !node_ok(env, napi_get_value_uint32(env, arguments[1], &id))) return NULL;
  node_task *t = p->tasks;
  while (t && t->id != id) t = t->next;
  if (!t) return NULL; /* over */
  pthread_mutex_lock(&t->lock);
  if (!t->ended) p->protocol->cancel(t->submitted);
  pthread_mutex_unlock(&t->lock);
  return NULL;
}
