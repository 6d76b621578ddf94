/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The native half of the package for Node: what lib/index.cjs calls. It takes and returns texts, bytes and externals,
 * and reports errors as objects {status, code, reason}, of which lib/ makes what snarkjs's users know.
 */
#ifndef REPRISE_NODE_ADDON_H
#define REPRISE_NODE_ADDON_H

#define NAPI_VERSION 8
#include <node_api.h>
#include <reprise/fflonk.h>
#include <reprise/graphs.h>
#include <reprise/plonk.h>

/* ---- Values (values.c) ------------------------------------------------------------------------------------------- */

/* A NUL-terminated copy of a string, from malloc; NULL if it is none, or without memory. */
char *node_text(napi_env env, napi_value value, size_t *bytes);
/* The bytes of a Uint8Array, which belong to it; false if it is none. */
bool node_bytes(napi_env env, napi_value value, const void **data, size_t *bytes);
uint32_t node_number(napi_env env, napi_value object, const char *name);
char *node_member(napi_env env, napi_value object, const char *name); /* text; NULL if it is not there */
napi_value node_string(napi_env env, const char *text);
napi_value node_error(napi_env env, const rp_error *error);
/* Throws if status is not napi_ok; returns whether it is. */
bool node_ok(napi_env env, napi_status status);
/* The error `reason`, thrown as a TypeError, for wrong arguments. */
napi_value node_wrong(napi_env env, const char *reason);
/* Calls callback(error, result) of JavaScript from the event loop; either may be NULL. */
void node_call_back(napi_env env, napi_ref callback, napi_value error, napi_value result);

/* ---- Protocols (protocols.c) ------------------------------------------------------------------------------------- */

typedef union node_proof {
  rp_groth16_proof groth16;
  rp_plonk_proof plonk;
  rp_fflonk_proof fflonk;
} node_proof;

typedef struct node_task node_task; /* prove.c */

/* One proof system. A prover and its submitted proofs are known by untyped pointers. */
typedef struct node_protocol {
  const char *name;
  rp_status (*open)(rp_context *context, rp_device *device, const char *path, const void *data, size_t bytes,
                    uint32_t in_flight, int tables, void **prover, uint64_t *n_public, rp_error *err);
  void (*destroy)(void *prover);
  /* Submits a proof; a thread of the prover calls node_task_finished(of, task) when it is finished, maybe before this
   * returns. */
  rp_status (*submit)(void *prover, const char *path, const void *wtns, size_t bytes, node_task *of, void **task,
                      rp_error *err);
  rp_status (*result)(void *task, node_proof *proof, uint8_t *public_signals, rp_error *err);
  void (*cancel)(void *task);
  void (*end)(void *task);
  rp_status (*proof_to_json)(const node_proof *proof, char *text, size_t capacity, size_t *bytes, rp_error *err);
  rp_status (*proof_from_json)(const char *json, size_t bytes, node_proof *proof, rp_error *err);
  rp_status (*calldata)(const node_proof *proof, const uint8_t *public_signals, size_t n_public, char *text,
                        size_t capacity, size_t *bytes, rp_error *err);
  rp_status (*verify)(rp_context *context, const char *vkey, size_t bytes, const node_proof *proof,
                      const uint8_t *public_signals, size_t n_public, rp_error *err);
  /* The text of the verification key of a proving key, from malloc. */
  rp_status (*export_vkey)(rp_context *context, const char *zkey_path, const void *data, size_t bytes, char **text,
                           rp_error *err);
} node_protocol;

/* Called by a thread of the prover, in its callback: takes the result of `submitted`, ends it, and makes the event loop
 * report it. */
void node_task_finished(node_task *task, void *submitted);
const node_protocol *node_protocol_named(const char *name); /* NULL: there is none */
/* Public signals of a JSON text, from malloc. */
rp_status node_public_from_json(const char *json, size_t bytes, uint8_t **signals, size_t *n, rp_error *err);
rp_status node_fail(rp_error *err, rp_status status, const char *reason);

/* ---- Devices (devices.c) ----------------------------------------------------------------------------------------- */

/* The context of the process, and a device of it, which stays open: opening one takes long on a GPU. Both belong to the
 * process. From any thread. */
rp_status node_context(rp_context **context, rp_error *err);
rp_status node_device(rp_device_kind kind, uint32_t index, rp_device **device, rp_error *err);

/* ---- Functions of the module ------------------------------------------------------------------------------------- */

napi_value node_open(napi_env env, napi_callback_info info);     /* open(protocol, source, options, callback) */
napi_value node_prove(napi_env env, napi_callback_info info);    /* prove(prover, witness, callback): a number */
napi_value node_cancel(napi_env env, napi_callback_info info);   /* cancel(prover, number) */
napi_value node_close(napi_env env, napi_callback_info info);    /* close(prover, callback) */
napi_value node_verify(napi_env env, napi_callback_info info);   /* verify(protocol, vkey, public, proof, callback) */
napi_value node_calldata(napi_env env, napi_callback_info info); /* calldata(protocol, public, proof): a text */
napi_value node_vkey(napi_env env, napi_callback_info info);     /* exportVerificationKey(protocol, source, callback) */

#endif
