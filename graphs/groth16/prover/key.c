/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opening and closing proving keys of all file formats.
 */
#include "key.h"

#include "formats/digest.h"
#include "formats/fail.h"
#include "formats/memory.h"
#include "groth16/formats/gnark_pkey.h"
#include "key_check.h"
#include "prerecorded.h"
#include "prerecorded_check.h"

rp_groth16_key *g16_key_new(void) {
  rp_groth16_key *key = calloc(1, sizeof *key);
  if (!key) return NULL;
  atomic_init(&key->refs, 1);
  return key;
}

rp_groth16_key *g16_key_ref(rp_groth16_key *key) {
  atomic_fetch_add_explicit(&key->refs, 1, memory_order_relaxed);
  return key;
}

void *g16_key_alloc(rp_groth16_key *key, uint64_t bytes) {
  if (key->n_parts == G16_MAX_PARTS) return NULL;
  if (bytes == 0) bytes = 1;
  void *memory = g16_alloc(NULL, &bytes);
  if (!memory) return NULL;
  key->part[key->n_parts].memory = memory;
  key->part[key->n_parts++].bytes = bytes;
  return memory;
}

void rp_groth16_key_close(rp_groth16_key *key) {
  if (!key || atomic_fetch_sub_explicit(&key->refs, 1, memory_order_acq_rel) != 1) return;
  g16_file_close(key->source);
  g16_file_close(key->file);
  if (!key->file) {
    g16_csr_free(&key->a, NULL);
    g16_csr_free(&key->b, NULL);
    g16_vkey_free(&key->vk);
  }
  for (uint32_t i = 0; i < key->n_parts; i++) g16_free(NULL, key->part[i].memory, key->part[i].bytes);
  free(key);
}

void rp_groth16_key_get_info(const rp_groth16_key *key, rp_groth16_key_info *info) {
  rp_groth16_key_info now = {.struct_size = sizeof now};
  if (!info) return;
  if (key) {
    now = key->info;
    now.points_checked = (uint32_t)atomic_load(&key->points_checked);
  }
  rp_info_write(info, &now, sizeof now);
}

rp_status rp_groth16_key_check_points(rp_groth16_key *key, rp_device *device, rp_error *err) {
  if (!key) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_check_points: key is NULL.");
  const rp_status status = device ? rp_context_check(rp_device_context(device), err) : RP_OK;
  return status != RP_OK ? status : g16_key_check_points(key, device, G16_CURVE_CHOSEN, err);
}

/* Takes over the file, also on failure. */
static rp_status open_file(g16_file *file, const rp_groth16_key_options *options, rp_groth16_key **out, rp_error *err) {
  rp_groth16_key *key = g16_key_new();
  if (!key) {
    g16_file_close(file);
    return graphs_fail(err, RP_ERR_MEMORY, "Out of memory for a key.");
  }
  key->info.file_bytes = g16_file_size(file);
  rp_status status = options->sha256 ? g16_file_pinned(file, options->sha256, err) : RP_OK;
  if (status != RP_OK) {
    g16_file_close(file);
  } else if (g16_is_prerecorded(file)) {
    key->file = file;
    status = g16_key_load_prerecorded(key, !options->skip_checksum, options->check_points != 0, err);
  } else {
    key->source = file;
    status = g16_gnark_is_pkey(file) ? g16_key_load_gnark(key, file, options, err)
                                     : g16_key_load_zkey(key, file, options->check_points != 0, err);
    g16_file_read_ahead(file, 0);
    if (status == RP_OK && options->check_points) status = g16_key_check_blinding(g16_file_name(file), key, err);
    atomic_init(&key->points_checked, status == RP_OK && options->check_points);
  }
  if (status == RP_OK)
    *out = key;
  else
    rp_groth16_key_close(key);
  return status;
}

static rp_status read_options(const rp_groth16_key_options *options, rp_groth16_key_options *out, rp_error *err) {
  return graphs_options(out, sizeof *out, options, "Options of a key", err);
}

rp_status rp_groth16_key_open(rp_context *context, const char *path, const rp_groth16_key_options *options,
                              rp_groth16_key **key, rp_error *err) {
  if (!key) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_open: key is NULL.");
  *key = NULL;
  if (!context || !path) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_open: context or path is NULL.");
  rp_groth16_key_options read;
  g16_file *file = NULL;
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = read_options(options, &read, err);
  if (status == RP_OK) status = g16_file_open(path, 0, &file, err);
  if (status == RP_OK && g16_is_prerecorded(file)) { /* used in place */
    g16_file_close(file);
    status = g16_file_open(path, G16_FILE_MAP, &file, err);
  }
  return status == RP_OK ? open_file(file, &read, key, err) : status;
}

rp_status rp_groth16_key_open_memory(rp_context *context, const void *data, size_t bytes,
                                     const rp_groth16_key_options *options, rp_groth16_key **key, rp_error *err) {
  if (!key) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_open_memory: key is NULL.");
  *key = NULL;
  if (!context || !data)
    return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_open_memory: context or data is NULL.");
  rp_groth16_key_options read;
  g16_file *file = NULL;
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = read_options(options, &read, err);
  if (status == RP_OK) status = g16_file_wrap("key in memory", data, bytes, &file, err);
  return status == RP_OK ? open_file(file, &read, key, err) : status;
}
