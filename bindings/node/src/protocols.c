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
  rp_status status = groth16_key(context, path, data, bytes, &key, err);
  if (status == RP_OK) status = rp_groth16_vkey_from_key(key, &vkey, err);
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
static rp_status plonk_prove(void *prover, const char *path, const void *wtns, size_t bytes, node_proof *proof,
                             uint8_t *signals, rp_error *err) {
  return path ? rp_plonk_prove_file(prover, path, &proof->plonk, signals, NULL, err)
              : rp_plonk_prove(prover, wtns, bytes, &proof->plonk, signals, NULL, err);
}
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
  (void)data, (void)bytes;
  if (!path) return node_fail(err, RP_ERR_UNSUPPORTED, "the verification key is read from a file, not from memory");
  rp_plonk_vkey *vkey = NULL;
  rp_status status = rp_plonk_vkey_from_zkey(context, path, &vkey, err);
  if (status == RP_OK) status = text_of(plonk_vkey_text, vkey, text, err);
  rp_plonk_vkey_destroy(vkey);
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
static rp_status fflonk_prove(void *prover, const char *path, const void *wtns, size_t bytes, node_proof *proof,
                              uint8_t *signals, rp_error *err) {
  return path ? rp_fflonk_prove_file(prover, path, &proof->fflonk, signals, NULL, err)
              : rp_fflonk_prove(prover, wtns, bytes, &proof->fflonk, signals, NULL, err);
}
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
  (void)data, (void)bytes;
  if (!path) return node_fail(err, RP_ERR_UNSUPPORTED, "the verification key is read from a file, not from memory");
  rp_fflonk_vkey *vkey = NULL;
  rp_status status = rp_fflonk_vkey_from_zkey(context, path, &vkey, err);
  if (status == RP_OK) status = text_of(fflonk_vkey_text, vkey, text, err);
  rp_fflonk_vkey_destroy(vkey);
  return status;
}

const node_protocol *node_protocol_named(const char *name) {
  static const node_protocol all[] = {
      {"groth16", groth16_open, groth16_destroy, NULL, groth16_to_json, groth16_from_json, groth16_calldata,
       groth16_verify, groth16_export},
      {"plonk", plonk_open, plonk_destroy, plonk_prove, plonk_to_json, plonk_from_json, plonk_calldata, plonk_verify,
       plonk_export},
      {"fflonk", fflonk_open, fflonk_destroy, fflonk_prove, fflonk_to_json, fflonk_from_json, fflonk_calldata,
       fflonk_verify, fflonk_export},
  };
  for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i].name, name)) return &all[i];
  return NULL;
}
