/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opening proving keys of all file formats.
 */
#include "files/digest.h"
#include "formats/fail.h"
#include "groth16/formats/gnark_pkey.h"
#include "key_check.h"
#include "prerecorded.h"
#include "prerecorded_check.h"

/* Takes over the file, also on failure. */
static rp_status open_file(support_file *file, const rp_groth16_key_options *options, rp_groth16_key **out,
                           rp_error *err) {
  rp_groth16_key *key = g16_key_new();
  if (!key) {
    support_file_close(file);
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for a key.");
  }
  key->info.file_bytes = support_file_size(file);
  rp_status status = options->sha256 ? support_file_pinned(file, options->sha256, err) : RP_OK;
  if (status != RP_OK) {
    support_file_close(file);
  } else if (g16_is_prerecorded(file)) {
    key->file = file;
    status = g16_key_load_prerecorded(key, !options->skip_checksum, options->check_points != 0, err);
  } else {
    key->source = file;
    status = g16_gnark_is_pkey(file) ? g16_key_load_gnark(key, file, options, err)
                                     : g16_key_load_zkey(key, file, options, err);
    support_file_read_ahead(file, 0);
    if (status == RP_OK && options->check_points) status = g16_key_check_blinding(support_file_name(file), key, err);
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
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_open: key is NULL.");
  *key = NULL;
  if (!context || !path) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_open: context or path is NULL.");
  rp_groth16_key_options read;
  support_file *file = NULL;
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = read_options(options, &read, err);
  if (status == RP_OK) status = support_file_open(path, 0, &file, err);
  if (status == RP_OK && g16_is_prerecorded(file)) { /* used in place */
    support_file_close(file);
    status = support_file_open(path, SUPPORT_FILE_MAP, &file, err);
  }
  return status == RP_OK ? open_file(file, &read, key, err) : status;
}

rp_status rp_groth16_key_open_memory(rp_context *context, const void *data, size_t bytes,
                                     const rp_groth16_key_options *options, rp_groth16_key **key, rp_error *err) {
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_open_memory: key is NULL.");
  *key = NULL;
  if (!context || !data)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_key_open_memory: context or data is NULL.");
  rp_groth16_key_options read;
  support_file *file = NULL;
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = read_options(options, &read, err);
  if (status == RP_OK) status = support_file_wrap("key in memory", data, bytes, &file, err);
  return status == RP_OK ? open_file(file, &read, key, err) : status;
}
