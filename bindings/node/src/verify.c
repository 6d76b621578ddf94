/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification and texts, in threads of libuv where they take long. */
#include "addon.h"

#include <stdlib.h>
#include <string.h>

typedef struct text {
  char *bytes;
  size_t n;
} text;

typedef struct job {
  napi_async_work work;
  napi_ref callback;
  const node_protocol *protocol;
  text vkey, public, proof, source; /* source: a path, or the bytes of a key */
  int is_path;
  char *made;
  rp_status status;
  rp_error error;
} job;

static void job_free(napi_env env, job *j) {
  if (!j) return;
  if (j->work) napi_delete_async_work(env, j->work);
  if (j->callback) napi_delete_reference(env, j->callback);
  free(j->vkey.bytes);
  free(j->public.bytes);
  free(j->proof.bytes);
  free(j->source.bytes);
  free(j->made);
  free(j);
}

static bool take_text(napi_env env, napi_value value, text *made) {
  made->bytes = node_text(env, value, &made->n);
  return made->bytes || (node_wrong(env, "an argument must be a string with JSON"), false);
}

static bool take_protocol(napi_env env, napi_value value, job *j) {
  char *name = node_text(env, value, NULL);
  j->protocol = node_protocol_named(name);
  free(name);
  return j->protocol || (node_wrong(env, "there is no such protocol; choose groth16, plonk or fflonk"), false);
}

/* Queues the job; frees it if that fails. */
static napi_value start(napi_env env, job *j, napi_value callback, napi_async_execute_callback execute,
                        napi_async_complete_callback complete) {
  if (!node_ok(env, napi_create_reference(env, callback, 1, &j->callback)) ||
      !node_ok(env, napi_create_async_work(env, NULL, node_string(env, "reprise"), execute, complete, j, &j->work)) ||
      !node_ok(env, napi_queue_async_work(env, j->work)))
    job_free(env, j);
  return NULL;
}

/* ---- verify ------------------------------------------------------------------------------------------------------ */

static void verify_execute(napi_env env, void *user) {
  (void)env;
  job *j = user;
  uint8_t *signals = NULL;
  size_t n = 0;
  node_proof proof;
  rp_context *context;
  j->status = node_context(&context, &j->error);
  if (j->status == RP_OK) j->status = node_public_from_json(j->public.bytes, j->public.n, &signals, &n, &j->error);
  if (j->status == RP_OK) j->status = j->protocol->proof_from_json(j->proof.bytes, j->proof.n, &proof, &j->error);
  if (j->status == RP_OK)
    j->status = j->protocol->verify(context, j->vkey.bytes, j->vkey.n, &proof, signals, n, &j->error);
  free(signals);
}

static void complete(napi_env env, napi_status status, void *user) {
  job *j = user;
  if (status != napi_ok) j->status = node_fail(&j->error, RP_ERR_CANCELLED, "cancelled");
  napi_value error = j->status == RP_OK ? NULL : node_error(env, &j->error);
  node_call_back(env, j->callback, error, j->made ? node_string(env, j->made) : NULL);
  job_free(env, j);
}

napi_value node_verify(napi_env env, napi_callback_info info) {
  napi_value arguments[5];
  size_t n = 5;
  job *j = calloc(1, sizeof *j);
  if (!j || !node_ok(env, napi_get_cb_info(env, info, &n, arguments, NULL, NULL)) ||
      !take_protocol(env, arguments[0], j) || !take_text(env, arguments[1], &j->vkey) ||
      !take_text(env, arguments[2], &j->public) || !take_text(env, arguments[3], &j->proof)) {
    job_free(env, j);
    return NULL;
  }
  return start(env, j, arguments[4], verify_execute, complete);
}

/* ---- exportVerificationKey --------------------------------------------------------------------------------------- */

static void vkey_execute(napi_env env, void *user) {
  (void)env;
  job *j = user;
  rp_context *context;
  j->status = node_context(&context, &j->error);
  if (j->status == RP_OK)
    j->status = j->protocol->export_vkey(context, j->is_path ? j->source.bytes : NULL, j->source.bytes, j->source.n,
                                         &j->made, &j->error);
}

napi_value node_vkey(napi_env env, napi_callback_info info) {
  napi_value arguments[3];
  size_t n = 3;
  const void *given;
  job *j = calloc(1, sizeof *j);
  if (!j || !node_ok(env, napi_get_cb_info(env, info, &n, arguments, NULL, NULL)) ||
      !take_protocol(env, arguments[0], j)) {
    job_free(env, j);
    return NULL;
  }
  j->source.bytes = node_text(env, arguments[1], &j->source.n);
  j->is_path = j->source.bytes != NULL;
  if (!j->is_path && node_bytes(env, arguments[1], &given, &j->source.n)) {
    j->source.bytes = malloc(j->source.n + 1);
    if (j->source.bytes && j->source.n) memcpy(j->source.bytes, given, j->source.n);
  }
  if (!j->source.bytes) {
    job_free(env, j);
    return node_wrong(env, "a key is a path or a Uint8Array");
  }
  return start(env, j, arguments[2], vkey_execute, complete);
}

/* ---- calldata ---------------------------------------------------------------------------------------------------- */

static rp_status make_calldata(job *j) {
  uint8_t *signals = NULL;
  size_t n = 0, bytes = 0;
  node_proof proof;
  rp_status status = node_public_from_json(j->public.bytes, j->public.n, &signals, &n, &j->error);
  if (status == RP_OK) status = j->protocol->proof_from_json(j->proof.bytes, j->proof.n, &proof, &j->error);
  if (status == RP_OK) status = j->protocol->calldata(&proof, signals, n, NULL, 0, &bytes, &j->error);
  if (status == RP_OK || status == RP_ERR_BUFFER_TOO_SMALL) {
    j->made = malloc(bytes + 1);
    status = j->made ? j->protocol->calldata(&proof, signals, n, j->made, bytes + 1, &bytes, &j->error)
                     : node_fail(&j->error, RP_ERR_MEMORY, "no memory for the calldata");
  }
  free(signals);
  return status;
}

napi_value node_calldata(napi_env env, napi_callback_info info) {
  napi_value arguments[3], result = NULL;
  size_t n = 3;
  job *j = calloc(1, sizeof *j);
  if (j && node_ok(env, napi_get_cb_info(env, info, &n, arguments, NULL, NULL)) &&
      take_protocol(env, arguments[0], j) && take_text(env, arguments[1], &j->public) &&
      take_text(env, arguments[2], &j->proof)) {
    if (make_calldata(j) == RP_OK)
      result = node_string(env, j->made);
    else
      napi_throw(env, node_error(env, &j->error));
  }
  job_free(env, j);
  return result;
}
