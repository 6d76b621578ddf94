/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Proofs are submitted, and a thread of the prover reports them to the event loop; nothing waits. */
#include "prover.h"

#include <stdlib.h>
#include <string.h>

/* What JavaScript holds of a task that may be over. */
typedef struct task_handle {
  struct node_task *task; /* NULL: over */
} task_handle;

struct node_task {
  node_prover *prover;
  napi_ref prover_ref, callback; /* the external, so that it outlives its tasks */
  task_handle *handle;           /* NULL: JavaScript has forgotten it */
  char *path;
  void *secret; /* a copy of the witness, from rp_secret_alloc */
  size_t secret_bytes;
  void *submitted;
  node_proof proof;
  uint8_t *signals; /* n_public of 32 bytes */
  rp_status status;
  rp_error error;
};

/* ---- Its end ----------------------------------------------------------------------------------------------------- */

static void task_free(napi_env env, node_task *t) {
  if (t->handle) t->handle->task = NULL;
  t->prover->protocol->end(t->submitted);
  if (env && t->callback) napi_delete_reference(env, t->callback);
  if (env && t->prover_ref) napi_delete_reference(env, t->prover_ref);
  rp_secret_free(t->secret, t->secret_bytes);
  free(t->signals);
  free(t->path);
  free(t);
}

/* {proof, publicSignals}, both as JSON; NULL, with the task's error, if there is none. */
static napi_value result_of(napi_env env, node_task *t) {
  char small[4096];
  const size_t room = 100 * (size_t)t->prover->n_public + 100; /* 78 digits, quotes, comma, line break for each */
  char *text = malloc(room);
  napi_value object = NULL;
  size_t bytes;
  if (!text) t->status = node_fail(&t->error, RP_ERR_MEMORY, "no memory for the public signals");
  if (t->status == RP_OK)
    t->status = t->prover->protocol->proof_to_json(&t->proof, small, sizeof small, &bytes, &t->error);
  if (t->status == RP_OK)
    t->status = rp_groth16_public_to_json(t->signals, t->prover->n_public, text, room, &bytes, &t->error);
  if (t->status == RP_OK && node_ok(env, napi_create_object(env, &object))) {
    napi_set_named_property(env, object, "proof", node_string(env, small));
    napi_set_named_property(env, object, "publicSignals", node_string(env, text));
  }
  free(text);
  return object;
}

/* In the event loop. */
static void report(napi_env env, node_task *t) {
  node_prover *p = t->prover;
  t->status = p->protocol->result(t->submitted, &t->proof, t->signals, &t->error);
  napi_value result = t->status == RP_OK ? result_of(env, t) : NULL;
  napi_value error = result ? NULL : node_error(env, &t->error);
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
  if (env)
    report(env, data);
  else
    task_free(NULL, data); /* the environment ends */
}

napi_status node_prover_listen(napi_env env, node_prover *p) {
  const napi_status status = napi_create_threadsafe_function(env, NULL, NULL, node_string(env, "reprise:proof"), 0, 1,
                                                             NULL, NULL, NULL, on_finished, &p->finished);
  return status == napi_ok ? napi_unref_threadsafe_function(env, p->finished) : status;
}

void node_task_finished(node_task *t) { napi_call_threadsafe_function(t->prover->finished, t, napi_tsfn_nonblocking); }

/* ---- Its beginning ----------------------------------------------------------------------------------------------- */

/* A copy of the witness: JavaScript may change or transfer its memory while the proof is made. */
static int take_witness(napi_env env, napi_value witness, node_task *t) {
  const void *given;
  size_t bytes;
  t->path = node_text(env, witness, NULL);
  if (t->path) return 1;
  if (!node_bytes(env, witness, &given, &bytes)) return node_wrong(env, "a witness is a path or a Uint8Array"), 0;
  t->secret_bytes = bytes ? bytes : 1;
  t->secret = rp_secret_alloc(t->secret_bytes);
  if (!t->secret) return node_ok(env, napi_generic_failure);
  if (bytes) memcpy(t->secret, given, bytes);
  return 1;
}

static void forget(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  task_handle *handle = data;
  if (handle->task) handle->task->handle = NULL;
  free(handle);
}

static napi_value handle_of(napi_env env, node_task *t) {
  napi_value external;
  t->handle = calloc(1, sizeof *t->handle);
  if (!t->handle) return NULL;
  t->handle->task = t;
  if (napi_create_external(env, t->handle, forget, NULL, &external) == napi_ok) return external;
  free(t->handle);
  t->handle = NULL;
  return NULL;
}

napi_value node_prove(napi_env env, napi_callback_info info) {
  napi_value arguments[3], external = NULL;
  size_t n = 3;
  if (!node_ok(env, napi_get_cb_info(env, info, &n, arguments, NULL, NULL))) return NULL;
  node_prover *p = node_prover_of(env, arguments[0]);
  node_task *t = p ? calloc(1, sizeof *t) : NULL;
  if (!t) return NULL;
  t->prover = p;
  t->signals = calloc(p->n_public + 1, 32);
  if (!t->signals || !take_witness(env, arguments[1], t) ||
      !node_ok(env, napi_create_reference(env, arguments[0], 1, &t->prover_ref)) ||
      !node_ok(env, napi_create_reference(env, arguments[2], 1, &t->callback)) || !(external = handle_of(env, t))) {
    task_free(env, t);
    return NULL;
  }
  if (p->pending++ == 0) napi_ref_threadsafe_function(env, p->finished);
  t->status = p->protocol->submit(p->prover, t->path, t->secret, t->secret_bytes, t, &t->submitted, &t->error);
  if (t->status == RP_OK) return external;
  if (--p->pending == 0) napi_unref_threadsafe_function(env, p->finished);
  napi_throw(env, node_error(env, &t->error));
  task_free(env, t);
  return NULL;
}

napi_value node_cancel(napi_env env, napi_callback_info info) {
  napi_value argument;
  size_t n = 1;
  void *data = NULL;
  if (!node_ok(env, napi_get_cb_info(env, info, &n, &argument, NULL, NULL))) return NULL;
  if (napi_get_value_external(env, argument, &data) != napi_ok || !data) return node_wrong(env, "no task");
  node_task *t = ((task_handle *)data)->task;
  if (t) t->prover->protocol->cancel(t->submitted);
  return NULL;
}
