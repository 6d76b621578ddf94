/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A native module that proves as a program in C does, from the bytes of a witness to a proof: prove(Uint8Array) by
 * rp_groth16_prove, where this thread computes, too, and submit(Uint8Array) by rp_groth16_submit and rp_groth16_wait,
 * where it waits. overhead.cjs holds the package against both. open(path of the key) comes first. */
#include <node_api.h>
#include <reprise/graphs.h>

#include <stdlib.h>

static rp_groth16_prover *prover;
static uint8_t *signals;

static napi_value fail(napi_env env, const rp_error *err) {
  napi_throw_error(env, rp_status_name(err->status), err->reason);
  return NULL;
}

static napi_value open_key(napi_env env, napi_callback_info info) {
  napi_value argument;
  size_t n = 1;
  char path[4096];
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_groth16_key *key = NULL;
  rp_error err = {0};
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU};
  rp_groth16_key_info facts = {.struct_size = sizeof facts};
  if (napi_get_cb_info(env, info, &n, &argument, NULL, NULL) != napi_ok ||
      napi_get_value_string_utf8(env, argument, path, sizeof path, &n) != napi_ok)
    return NULL;
  if (rp_context_create(NULL, &context, &err) != RP_OK || rp_device_open(context, &options, &device, &err) != RP_OK ||
      rp_groth16_key_open(context, path, NULL, &key, &err) != RP_OK ||
      rp_groth16_prover_create(device, key, NULL, &prover, &err) != RP_OK)
    return fail(env, &err);
  rp_groth16_key_get_info(key, &facts);
  signals = calloc(facts.n_public + 1, 32);
  return NULL; /* everything stays until the process ends */
}

static napi_value prove_by(napi_env env, napi_callback_info info, int waits) {
  napi_value argument;
  size_t n = 1;
  void *wtns = NULL;
  rp_groth16_proof proof;
  rp_groth16_task *task = NULL;
  rp_error err = {0};
  if (napi_get_cb_info(env, info, &n, &argument, NULL, NULL) != napi_ok ||
      napi_get_typedarray_info(env, argument, NULL, &n, &wtns, NULL, NULL) != napi_ok)
    return NULL;
  const rp_groth16_request request = {.struct_size = sizeof request, .wtns = wtns, .wtns_bytes = n};
  rp_status status = waits ? rp_groth16_submit(prover, &request, 0, &task, &err)
                           : rp_groth16_prove(prover, wtns, n, &proof, signals, NULL, &err);
  if (waits && status == RP_OK && rp_groth16_wait(task, UINT64_MAX) != RP_ERR_TIMEOUT)
    status = rp_groth16_result(task, &proof, signals, NULL, &err);
  rp_groth16_end(task);
  return status == RP_OK ? NULL : fail(env, &err);
}

static napi_value prove(napi_env env, napi_callback_info info) { return prove_by(env, info, 0); }
static napi_value submit(napi_env env, napi_callback_info info) { return prove_by(env, info, 1); }

NAPI_MODULE_INIT() {
  static const struct {
    const char *name;
    napi_callback call;
  } functions[] = {{"open", open_key}, {"prove", prove}, {"submit", submit}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function;
    if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call, NULL, &function) != napi_ok)
      return NULL;
    napi_set_named_property(env, exports, functions[i].name, function);
  }
  return exports;
}
