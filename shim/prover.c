/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "prover.h"

#include "text/error.h"
#include "shim.h"

#include <reprise/files.h>
#include <reprise/graphs.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* rapidsnark requires 810 and 82 n + 4 bytes; a proof of BLS12-381 has longer numbers. No proof needs more. */
enum { PROOF_ROOM_BN254 = 810, PROOF_ROOM = 1200, SIGNAL_ROOM = 82, SIGNALS_ROOM = 4 };

typedef struct shim_prover {
  rp_context *context;
  rp_device *device;
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_groth16_key_info info;
} shim_prover;

int shim_error(const rp_error *err, char *message, unsigned long long capacity, int code) {
  if (message && capacity != 0) snprintf(message, (size_t)capacity, "%s", err->reason);
  return code;
}

void groth16_proof_size(unsigned long long *proof_size) {
  if (proof_size) *proof_size = PROOF_ROOM;
}

static int public_size(rp_status status, const rp_file_info *zkey, unsigned long long *size, rp_error *err,
                       char *message, unsigned long long capacity) {
  if (status == RP_OK && (zkey->kind != RP_FILE_ZKEY || zkey->protocol != RP_PROTOCOL_GROTH16))
    status = support_fail(err, RP_ERR_FORMAT, "The zkey is no proving key of Groth16.");
  if (status != RP_OK) return shim_error(err, message, capacity, PROVER_ERROR);
  *size = (unsigned long long)zkey->n_public * SIGNAL_ROOM + SIGNALS_ROOM;
  return PROVER_OK;
}

int groth16_public_size_for_zkey_buf(const void *zkey_buffer, unsigned long long zkey_size, unsigned long long *size,
                                     char *error_msg, unsigned long long error_msg_maxsize) {
  rp_error err = {RP_ERR_ARGUMENT, "The zkey or the pointer for the size is NULL."};
  rp_file_info zkey = {.struct_size = sizeof zkey};
  if (!zkey_buffer || !size) return shim_error(&err, error_msg, error_msg_maxsize, PROVER_ERROR);
  const rp_status status = rp_file_describe_memory(zkey_buffer, zkey_size, &zkey, &err);
  return public_size(status, &zkey, size, &err, error_msg, error_msg_maxsize);
}

int groth16_public_size_for_zkey_file(const char *zkey_fname, unsigned long long *size, char *error_msg,
                                      unsigned long long error_msg_maxsize) {
  rp_error err = {RP_ERR_ARGUMENT, "The zkey or the pointer for the size is NULL."};
  rp_file_info zkey = {.struct_size = sizeof zkey};
  if (!zkey_fname || !size) return shim_error(&err, error_msg, error_msg_maxsize, PROVER_ERROR);
  const rp_status status = rp_file_describe(zkey_fname, &zkey, &err);
  return public_size(status, &zkey, size, &err, error_msg, error_msg_maxsize);
}

void groth16_prover_destroy(void *prover_object) {
  shim_prover *shim = prover_object;
  if (!shim) return;
  rp_groth16_prover_destroy(shim->prover);
  rp_groth16_key_close(shim->key);
  rp_device_close(shim->device);
  rp_context_destroy(shim->context);
  free(shim);
}

/* Creates a prover from a file if there is a path, else from memory. */
static int create(void **out, const char *path, const void *data, unsigned long long bytes, char *message,
                  unsigned long long capacity) {
  rp_error err = {RP_ERR_MEMORY, "Out of memory for a prover."};
  shim_prover *shim = calloc(1, sizeof *shim);
  rp_status status = shim ? rp_context_create(NULL, &shim->context, &err) : RP_ERR_MEMORY;
  if (status == RP_OK) status = rp_device_open(shim->context, NULL, &shim->device, &err);
  if (status == RP_OK)
    status = path ? rp_groth16_key_open(shim->context, path, NULL, &shim->key, &err)
                  : rp_groth16_key_open_memory(shim->context, data, (size_t)bytes, NULL, &shim->key, &err);
  if (status == RP_OK) status = rp_groth16_prover_create(shim->device, shim->key, NULL, &shim->prover, &err);
  if (status != RP_OK) {
    groth16_prover_destroy(shim);
    return shim_error(&err, message, capacity, PROVER_ERROR);
  }
  shim->info.struct_size = sizeof shim->info;
  rp_groth16_key_get_info(shim->key, &shim->info);
  *out = shim;
  return PROVER_OK;
}

int groth16_prover_create(void **prover_object, const void *zkey_buffer, unsigned long long zkey_size, char *error_msg,
                          unsigned long long error_msg_maxsize) {
  static const rp_error err = {RP_ERR_ARGUMENT, "The zkey or the pointer for the prover is NULL."};
  if (!prover_object || !zkey_buffer) return shim_error(&err, error_msg, error_msg_maxsize, PROVER_ERROR);
  return create(prover_object, NULL, zkey_buffer, zkey_size, error_msg, error_msg_maxsize);
}

int groth16_prover_create_zkey_file(void **prover_object, const char *zkey_file_path, char *error_msg,
                                    unsigned long long error_msg_maxsize) {
  static const rp_error err = {RP_ERR_ARGUMENT, "The zkey or the pointer for the prover is NULL."};
  if (!prover_object || !zkey_file_path) return shim_error(&err, error_msg, error_msg_maxsize, PROVER_ERROR);
  return create(prover_object, zkey_file_path, NULL, 0, error_msg, error_msg_maxsize);
}

/* Whether the witness has a wrong length, the only mismatch with a return code of its own. */
static bool wrong_length(const shim_prover *shim, const void *data, unsigned long long bytes) {
  rp_file_info wtns = {.struct_size = sizeof wtns};
  return rp_file_describe_memory(data, bytes, &wtns, NULL) == RP_OK && wtns.kind == RP_FILE_WTNS &&
         wtns.n_vars != shim->info.n_vars;
}

/* Removes blanks, since rapidsnark writes JSON without them. No string in these texts contains one. */
static char *compact(char *text, size_t *length) {
  size_t kept = 0;
  for (size_t i = 0; i < *length; i++)
    if (text[i] != ' ' && text[i] != '\n') text[kept++] = text[i];
  text[kept] = 0;
  *length = kept;
  return text;
}

typedef struct texts {
  char *proof, *signals;
  size_t proof_length, signals_length;
} texts;

static rp_status to_texts(const rp_groth16_proof *proof, const uint8_t *signals, size_t n, texts *out, rp_error *err) {
  rp_status status = rp_groth16_proof_to_json(proof, NULL, 0, &out->proof_length, err);
  if (status != RP_ERR_BUFFER_TOO_SMALL) return status;
  status = rp_groth16_public_to_json(signals, n, NULL, 0, &out->signals_length, err);
  if (status != RP_ERR_BUFFER_TOO_SMALL) return status;
  out->proof = malloc(out->proof_length + 1);
  out->signals = malloc(out->signals_length + 1);
  if (!out->proof || !out->signals) return support_fail(err, RP_ERR_MEMORY, "Out of memory for the texts of a proof.");
  status = rp_groth16_proof_to_json(proof, out->proof, out->proof_length + 1, &out->proof_length, err);
  if (status == RP_OK)
    status = rp_groth16_public_to_json(signals, n, out->signals, out->signals_length + 1, &out->signals_length, err);
  if (status != RP_OK) return status;
  compact(out->proof, &out->proof_length);
  compact(out->signals, &out->signals_length);
  return RP_OK;
}

/* The sizes that it asks for suffice for every proof of the key, since the next one may have longer numbers. */
static int deliver(const shim_prover *shim, const texts *from, char *proof_buffer, unsigned long long *proof_size,
                   char *public_buffer, unsigned long long *size, rp_error *err) {
  if (*proof_size <= from->proof_length || *size <= from->signals_length) {
    *proof_size = shim->info.g1 == RP_CURVE_BN254_G1 ? PROOF_ROOM_BN254 : PROOF_ROOM;
    *size = (unsigned long long)shim->info.n_public * SIGNAL_ROOM + SIGNALS_ROOM;
    (void)support_fail(err, RP_ERR_BUFFER_TOO_SMALL,
                       "The buffers are too small: %llu bytes are needed for the proof, %llu for the public signals.",
                       *proof_size, *size);
    return PROVER_ERROR_SHORT_BUFFER;
  }
  memcpy(proof_buffer, from->proof, from->proof_length + 1);
  memcpy(public_buffer, from->signals, from->signals_length + 1);
  *proof_size = from->proof_length;
  *size = from->signals_length;
  return PROVER_OK;
}

int groth16_prover_prove(void *prover_object, const void *wtns_buffer, unsigned long long wtns_size, char *proof_buffer,
                         unsigned long long *proof_size, char *public_buffer, unsigned long long *size, char *error_msg,
                         unsigned long long error_msg_maxsize) {
  rp_error err = {RP_ERR_ARGUMENT, "A prover, a witness, and buffers with their sizes are needed."};
  shim_prover *shim = prover_object;
  if (!shim || !wtns_buffer || !proof_buffer || !proof_size || !public_buffer || !size)
    return shim_error(&err, error_msg, error_msg_maxsize, PROVER_ERROR);
  rp_groth16_proof proof;
  texts out = {0};
  uint8_t *signals = malloc((size_t)shim->info.n_public * 32 + 1);
  rp_status status = signals
                         ? rp_groth16_prove(shim->prover, wtns_buffer, (size_t)wtns_size, &proof, signals, NULL, &err)
                         : support_fail(&err, RP_ERR_MEMORY, "Out of memory for the public signals.");
  int code = status == RP_ERR_MISMATCH && wrong_length(shim, wtns_buffer, wtns_size) ? PROVER_INVALID_WITNESS_LENGTH
                                                                                     : PROVER_ERROR;
  if (status == RP_OK) status = to_texts(&proof, signals, (size_t)shim->info.n_public, &out, &err);
  if (status == RP_OK) code = deliver(shim, &out, proof_buffer, proof_size, public_buffer, size, &err);
  free(out.proof);
  free(out.signals);
  free(signals);
  return code == PROVER_OK ? PROVER_OK : shim_error(&err, error_msg, error_msg_maxsize, code);
}

int groth16_prover(const void *zkey_buffer, unsigned long long zkey_size, const void *wtns_buffer,
                   unsigned long long wtns_size, char *proof_buffer, unsigned long long *proof_size,
                   char *public_buffer, unsigned long long *size, char *error_msg,
                   unsigned long long error_msg_maxsize) {
  void *prover = NULL;
  int code = groth16_prover_create(&prover, zkey_buffer, zkey_size, error_msg, error_msg_maxsize);
  if (code == PROVER_OK)
    code = groth16_prover_prove(prover, wtns_buffer, wtns_size, proof_buffer, proof_size, public_buffer, size,
                                error_msg, error_msg_maxsize);
  groth16_prover_destroy(prover);
  return code;
}

int groth16_prover_zkey_file(const char *zkey_file_path, const void *wtns_buffer, unsigned long long wtns_size,
                             char *proof_buffer, unsigned long long *proof_size, char *public_buffer,
                             unsigned long long *size, char *error_msg, unsigned long long error_msg_maxsize) {
  void *prover = NULL;
  int code = groth16_prover_create_zkey_file(&prover, zkey_file_path, error_msg, error_msg_maxsize);
  if (code == PROVER_OK)
    code = groth16_prover_prove(prover, wtns_buffer, wtns_size, proof_buffer, proof_size, public_buffer, size,
                                error_msg, error_msg_maxsize);
  groth16_prover_destroy(prover);
  return code;
}
