/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The proof systems in one form. */
#include "addon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rp_status node_fail(rp_error *err, rp_status status, const char *reason) {
  err->status = status;
  snprintf(err->reason, sizeof err->reason, "%s", reason);
  return status;
}

rp_status node_public_from_json(const char *json, size_t bytes, uint8_t **signals, size_t *n, rp_error *err) {
  *signals = NULL;
  rp_status status = rp_groth16_public_from_json(json, bytes, NULL, 0, n, err);
  if (status != RP_OK && status != RP_ERR_BUFFER_TOO_SMALL) return status;
  const size_t room = *n;
  *signals = malloc(32 * room + 1);
  if (!*signals) return node_fail(err, RP_ERR_MEMORY, "no memory for the public signals");
  status = rp_groth16_public_from_json(json, bytes, *signals, room, n, err);
  if (status == RP_OK) return RP_OK;
  free(*signals);
  *signals = NULL;
  return status;
}

/* Writes the verification key `object`. */
typedef rp_status (*text_fn)(const void *object, char *text, size_t capacity, size_t *bytes, rp_error *err);
static rp_status text_of(text_fn write, const void *object, char **text, rp_error *err) {
  size_t bytes = 0;
  rp_status status = write(object, NULL, 0, &bytes, err);
  if (status != RP_OK && status != RP_ERR_BUFFER_TOO_SMALL) return status;
  *text = malloc(bytes + 1);
  if (!*text) return node_fail(err, RP_ERR_MEMORY, "no memory for the verification key");
  status = write(object, *text, bytes + 1, &bytes, err);
  if (status == RP_OK) return RP_OK;
  free(*text);
  *text = NULL;
  return status;
}

/* ---- Groth16 ----------------------------------------------------------------------------------------------------- */

static rp_status groth16_key(rp_context *context, const char *path, const void *data, size_t bytes,
                             rp_groth16_key **key, rp_error *err) {
  return path ? rp_groth16_key_open(context, path, NULL, key, err)
              : rp_groth16_key_open_memory(context, data, bytes, NULL, key, err);
}

static rp_status groth16_open(rp_context *context, rp_device *device, const char *path, const void *data, size_t bytes,
                              uint32_t in_flight, int tables, void **prover, uint64_t *n_public, rp_error *err) {
  rp_groth16_key *key = NULL;
  rp_status status = groth16_key(context, path, data, bytes, &key, err);
  if (status != RP_OK) return status;
  rp_groth16_key_info info = {.struct_size = sizeof info};
  rp_groth16_key_get_info(key, &info);
  *n_public = info.n_public;
  const rp_groth16_prover_options options = {
      .struct_size = sizeof options, .max_in_flight = in_flight, .tables = (uint32_t)tables};
  status = rp_groth16_prover_create(device, key, &options, (rp_groth16_prover **)prover, err);
  rp_groth16_key_close(key);
  return status;
}

static void groth16_destroy(void *prover) { rp_groth16_prover_destroy(prover); }
static void groth16_done(void *user, rp_groth16_task *task) { node_task_finished(user, task); }
static rp_status groth16_submit(void *prover, const char *path, const void *wtns, size_t bytes, node_task *user,
                                void **task, rp_error *err) {
  const rp_groth16_request request = {.struct_size = sizeof request,
                                      .wtns_path = path,
                                      .wtns = wtns,
                                      .wtns_bytes = bytes,
                                      .done = groth16_done,
                                      .user = user};
  rp_groth16_task *submitted = NULL;
  const rp_status status = rp_groth16_submit(prover, &request, 0, &submitted, err);
  *task = submitted;
  return status;
}
static rp_status groth16_result(void *task, node_proof *proof, uint8_t *signals, rp_error *err) {
  return rp_groth16_result(task, &proof->groth16, signals, NULL, err);
}
static void groth16_cancel(void *task) { rp_groth16_cancel(task); }
static void groth16_end(void *task) { rp_groth16_end(task); }
static rp_status groth16_to_json(const node_proof *proof, char *text, size_t capacity, size_t *bytes, rp_error *err) {
  return rp_groth16_proof_to_json(&proof->groth16, text, capacity, bytes, err);
}
static rp_status groth16_from_json(const char *json, size_t bytes, node_proof *proof, rp_error *err) {
  return rp_groth16_proof_from_json(json, bytes, &proof->groth16, err);
}
static rp_status groth16_calldata(const node_proof *proof, const uint8_t *signals, size_t n, char *text,
                                  size_t capacity, size_t *bytes, rp_error *err) {
  return rp_groth16_calldata(&proof->groth16, signals, n, text, capacity, bytes, err);
}
static rp_status groth16_verify(rp_context *context, const char *json, size_t bytes, const node_proof *proof,
                                const uint8_t *signals, size_t n, rp_error *err) {
  rp_groth16_vkey *vkey = NULL;
  rp_status status = rp_groth16_vkey_from_json(context, json, bytes, &vkey, err);
  if (status == RP_OK) status = rp_groth16_verify(vkey, &proof->groth16, signals, n, err);
  rp_groth16_vkey_destroy(vkey);
  return status;
}
static rp_status groth16_vkey_text(const void *vkey, char *text, size_t capacity, size_t *bytes, rp_error *err) {
  return rp_groth16_vkey_to_json(vkey, text, capacity, bytes, err);
}
static rp_status groth16_export(rp_context *context, const char *path, const void *data, size_t bytes, char **text,
                                rp_error *err) {
  rp_groth16_key *key = NULL;
  rp_groth16_vkey *vkey = NULL;
  rp_status status =
      path ? rp_groth16_vkey_from_zkey(context, path, &vkey, err) : groth16_key(context, path, data, bytes, &key, err);
  if (status == RP_OK && !path) status = rp_groth16_vkey_from_key(key, &vkey, err);
  if (status == RP_OK) status = text_of(groth16_vkey_text, vkey, text, err);
  rp_groth16_vkey_destroy(vkey);
  rp_groth16_key_close(key);
  return status;
}

/* ---- PLONK ------------------------------------------------------------------------------------------------------- */

static rp_status plonk_open(rp_context *context, rp_device *device, const char *path, const void *data, size_t bytes,
                            uint32_t in_flight, int tables, void **prover, uint64_t *n_public, rp_error *err) {
  rp_plonk_key *key = NULL;
  rp_status status = path ? rp_plonk_key_open(context, path, NULL, &key, err)
                          : rp_plonk_key_open_memory(context, data, bytes, NULL, &key, err);
  if (status != RP_OK) return status;
  rp_plonk_key_info info = {.struct_size = sizeof info};
  rp_plonk_key_get_info(key, &info);
  *n_public = info.n_public;
  const rp_plonk_prover_options options = {
      .struct_size = sizeof options, .max_in_flight = in_flight, .tables = (uint32_t)tables};
  status = rp_plonk_prover_create(device, key, &options, (rp_plonk_prover **)prover, err);
  rp_plonk_key_close(key);
  return status;
}

static void plonk_destroy(void *prover) { rp_plonk_prover_destroy(prover); }
static void plonk_done(void *user, rp_plonk_task *task) { node_task_finished(user, task); }
static rp_status plonk_submit(void *prover, const char *path, const void *wtns, size_t bytes, node_task *user,
                              void **task, rp_error *err) {
  const rp_plonk_request request = {.struct_size = sizeof request,
                                    .wtns_path = path,
                                    .wtns = wtns,
                                    .wtns_bytes = bytes,
                                    .done = plonk_done,
                                    .user = user};
  rp_plonk_task *submitted = NULL;
  const rp_status status = rp_plonk_submit(prover, &request, 0, &submitted, err);
  *task = submitted;
  return status;
}
static rp_status plonk_result(void *task, node_proof *proof, uint8_t *signals, rp_error *err) {
  return rp_plonk_result(task, &proof->plonk, signals, NULL, err);
}
static void plonk_cancel(void *task) { rp_plonk_cancel(task); }
static void plonk_end(void *task) { rp_plonk_end(task); }
static rp_status plonk_to_json(const node_proof *proof, char *text, size_t capacity, size_t *bytes, rp_error *err) {
  return rp_plonk_proof_to_json(&proof->plonk, text, capacity, bytes, err);
}
static rp_status plonk_from_json(const char *json, size_t bytes, node_proof *proof, rp_error *err) {
  return rp_plonk_proof_from_json(json, bytes, &proof->plonk, err);
}
static rp_status plonk_calldata(const node_proof *proof, const uint8_t *signals, size_t n, char *text, size_t capacity,
                                size_t *bytes, rp_error *err) {
  return rp_plonk_calldata(&proof->plonk, signals, n, text, capacity, bytes, err);
}
static rp_status plonk_verify(rp_context *context, const char *json, size_t bytes, const node_proof *proof,
                              const uint8_t *signals, size_t n, rp_error *err) {
  rp_plonk_vkey *vkey = NULL;
  rp_status status = rp_plonk_vkey_from_json(context, json, bytes, &vkey, err);
  if (status == RP_OK) status = rp_plonk_verify(vkey, &proof->plonk, signals, n, err);
  rp_plonk_vkey_destroy(vkey);
  return status;
}
static rp_status plonk_vkey_text(const void *vkey, char *text, size_t capacity, size_t *bytes, rp_error *err) {
  return rp_plonk_vkey_to_json(vkey, text, capacity, bytes, err);
}
static rp_status plonk_export(rp_context *context, const char *path, const void *data, size_t bytes, char **text,
                              rp_error *err) {
  rp_plonk_key *key = NULL;
  rp_plonk_vkey *vkey = NULL;
  rp_status status = path ? rp_plonk_vkey_from_zkey(context, path, &vkey, err)
                          : rp_plonk_key_open_memory(context, data, bytes, NULL, &key, err);
  if (status == RP_OK && !path) status = rp_plonk_vkey_from_key(key, &vkey, err);
  if (status == RP_OK) status = text_of(plonk_vkey_text, vkey, text, err);
  rp_plonk_vkey_destroy(vkey);
  rp_plonk_key_close(key);
  return status;
}

/* ---- FFLONK ------------------------------------------------------------------------------------------------------ */

static rp_status fflonk_open(rp_context *context, rp_device *device, const char *path, const void *data, size_t bytes,
                             uint32_t in_flight, int tables, void **prover, uint64_t *n_public, rp_error *err) {
  rp_fflonk_key *key = NULL;
  rp_status status = path ? rp_fflonk_key_open(context, path, NULL, &key, err)
                          : rp_fflonk_key_open_memory(context, data, bytes, NULL, &key, err);
  if (status != RP_OK) return status;
  rp_fflonk_key_info info = {.struct_size = sizeof info};
  rp_fflonk_key_get_info(key, &info);
  *n_public = info.n_public;
  const rp_fflonk_prover_options options = {
      .struct_size = sizeof options, .max_in_flight = in_flight, .tables = (uint32_t)tables};
  status = rp_fflonk_prover_create(device, key, &options, (rp_fflonk_prover **)prover, err);
  rp_fflonk_key_close(key);
  return status;
}

static void fflonk_destroy(void *prover) { rp_fflonk_prover_destroy(prover); }
static void fflonk_done(void *user, rp_fflonk_task *task) { node_task_finished(user, task); }
static rp_status fflonk_submit(void *prover, const char *path, const void *wtns, size_t bytes, node_task *user,
                               void **task, rp_error *err) {
  const rp_fflonk_request request = {.struct_size = sizeof request,
                                     .wtns_path = path,
                                     .wtns = wtns,
                                     .wtns_bytes = bytes,
                                     .done = fflonk_done,
                                     .user = user};
  rp_fflonk_task *submitted = NULL;
  const rp_status status = rp_fflonk_submit(prover, &request, 0, &submitted, err);
  *task = submitted;
  return status;
}
static rp_status fflonk_result(void *task, node_proof *proof, uint8_t *signals, rp_error *err) {
  return rp_fflonk_result(task, &proof->fflonk, signals, NULL, err);
}
static void fflonk_cancel(void *task) { rp_fflonk_cancel(task); }
static void fflonk_end(void *task) { rp_fflonk_end(task); }
static rp_status fflonk_to_json(const node_proof *proof, char *text, size_t capacity, size_t *bytes, rp_error *err) {
  return rp_fflonk_proof_to_json(&proof->fflonk, text, capacity, bytes, err);
}
static rp_status fflonk_from_json(const char *json, size_t bytes, node_proof *proof, rp_error *err) {
  return rp_fflonk_proof_from_json(json, bytes, &proof->fflonk, err);
}
static rp_status fflonk_calldata(const node_proof *proof, const uint8_t *signals, size_t n, char *text, size_t capacity,
                                 size_t *bytes, rp_error *err) {
  return rp_fflonk_calldata(&proof->fflonk, signals, n, text, capacity, bytes, err);
}
static rp_status fflonk_verify(rp_context *context, const char *json, size_t bytes, const node_proof *proof,
                               const uint8_t *signals, size_t n, rp_error *err) {
  rp_fflonk_vkey *vkey = NULL;
  rp_status status = rp_fflonk_vkey_from_json(context, json, bytes, &vkey, err);
  if (status == RP_OK) status = rp_fflonk_verify(vkey, &proof->fflonk, signals, n, err);
  rp_fflonk_vkey_destroy(vkey);
  return status;
}
static rp_status fflonk_vkey_text(const void *vkey, char *text, size_t capacity, size_t *bytes, rp_error *err) {
  return rp_fflonk_vkey_to_json(vkey, text, capacity, bytes, err);
}
static rp_status fflonk_export(rp_context *context, const char *path, const void *data, size_t bytes, char **text,
                               rp_error *err) {
  rp_fflonk_key *key = NULL;
  rp_fflonk_vkey *vkey = NULL;
  rp_status status = path ? rp_fflonk_vkey_from_zkey(context, path, &vkey, err)
                          : rp_fflonk_key_open_memory(context, data, bytes, NULL, &key, err);
  if (status == RP_OK && !path) status = rp_fflonk_vkey_from_key(key, &vkey, err);
  if (status == RP_OK) status = text_of(fflonk_vkey_text, vkey, text, err);
  rp_fflonk_vkey_destroy(vkey);
  rp_fflonk_key_close(key);
  return status;
}

const node_protocol *node_protocol_named(const char *name) {
  static const node_protocol all[] = {
      {"groth16", groth16_open, groth16_destroy, groth16_submit, groth16_result, groth16_cancel, groth16_end,
       groth16_to_json, groth16_from_json, groth16_calldata, groth16_verify, groth16_export},
      {"plonk", plonk_open, plonk_destroy, plonk_submit, plonk_result, plonk_cancel, plonk_end, plonk_to_json,
       plonk_from_json, plonk_calldata, plonk_verify, plonk_export},
      {"fflonk", fflonk_open, fflonk_destroy, fflonk_submit, fflonk_result, fflonk_cancel, fflonk_end, fflonk_to_json,
       fflonk_from_json, fflonk_calldata, fflonk_verify, fflonk_export},
  };
  for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i].name, name)) return &all[i];
  return NULL;
}
