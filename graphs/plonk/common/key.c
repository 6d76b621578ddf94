/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opening proving keys, and what is known of them.
 */
#include "prerecorded.h"

#include "files/digest.h"
#include "formats/fail.h"
#include "threads/parallel.h"

#include <inttypes.h>
#include <stdlib.h>

static plonk_key *key_new(size_t bytes) {
  plonk_key *key = calloc(1, bytes);
  if (key) atomic_init(&key->refs, 1);
  return key;
}

void plonk_key_get_info(const plonk_key *key, rp_plonk_key_info *info) {
  rp_plonk_key_info now = {.struct_size = sizeof now};
  if (!info) return;
  if (key) {
    now = key->info;
    now.points_checked = (uint32_t)atomic_load(&key->points_checked);
  }
  rp_info_write(info, &now, sizeof now);
}

static rp_status check_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const plonk_key *key = arg;
  const rp_curve_host *g1 = rp_curve_get(key->info.g1);
  (void)part;
  for (uint64_t i = first; i < first + n; i++)
    if (!g1->on_curve(&key->tau[i]) || !g1->in_subgroup(&key->tau[i]))
      return support_fail(err, RP_ERR_FORMAT,
                          "%s: section %" PRIu32 " (powers of tau): point %" PRIu64 " is not on the curve.",
                          plonk_key_name(key), key->tau_section, i);
  return RP_OK;
}

rp_status plonk_key_check_points(plonk_key *key, rp_error *err) {
  enum { GRAIN = 1 << 10, MOST_PARTS = 256 };
  const uint64_t n = key->n_tau;
  const rp_status status = support_parallel(NULL, support_parts(NULL, n, GRAIN, MOST_PARTS), n, check_range, key, err);
  if (status == RP_OK) atomic_store(&key->points_checked, 1);
  return status;
}

/* A prerecorded file may claim that its points were checked. */
static rp_status load(const plonk_key_kind *kind, plonk_key *key, const rp_plonk_key_options *options, rp_error *err) {
  const bool check_points = options->check_points != 0;
  if (plonk_prerecorded_protocol(key->source)) {
    const bool checksum = !options->skip_checksum;
    const rp_status status = plonk_prerecorded_load(kind, key, checksum, checksum || check_points, err);
    return status == RP_OK && check_points ? plonk_key_check_points(key, err) : status;
  }
  const rp_status status = plonk_key_load(kind, key, check_points, err);
  support_file_read_ahead(key->source, 0);
  atomic_store(&key->points_checked, check_points);
  return status;
}

rp_status plonk_key_open_file(const plonk_key_kind *kind, support_file *file, const rp_plonk_key_options *options,
                              plonk_key **out, rp_error *err) {
  plonk_key *key = key_new(kind->bytes);
  if (!key) {
    support_file_close(file);
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for a key.");
  }
  key->source = file;
  key->info.file_bytes = support_file_size(file);
  rp_status status = options->sha256 ? support_file_pinned(file, options->sha256, err) : RP_OK;
  if (status == RP_OK) status = load(kind, key, options, err);
  if (status == RP_OK)
    *out = key;
  else
    plonk_key_close(key);
  return status;
}

static rp_status read_options(const rp_plonk_key_options *options, rp_plonk_key_options *out, rp_error *err) {
  return graphs_options(out, sizeof *out, options, "Options of a key", err);
}

rp_status plonk_key_open(const plonk_key_kind *kind, rp_context *context, const char *path,
                         const rp_plonk_key_options *options, plonk_key **key, rp_error *err) {
  rp_plonk_key_options read;
  support_file *file = NULL;
  if (!context || !path) return support_fail(err, RP_ERR_ARGUMENT, "%s: context or path is NULL.", kind->call);
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = read_options(options, &read, err);
  if (status == RP_OK) status = support_file_open(path, 0, &file, err);
  if (status == RP_OK && plonk_prerecorded_protocol(file)) { /* used in place */
    support_file_close(file);
    status = support_file_open(path, SUPPORT_FILE_MAP, &file, err);
  }
  return status == RP_OK ? plonk_key_open_file(kind, file, &read, key, err) : status;
}

rp_status plonk_key_open_memory(const plonk_key_kind *kind, rp_context *context, const void *data, size_t bytes,
                                const rp_plonk_key_options *options, plonk_key **key, rp_error *err) {
  rp_plonk_key_options read;
  support_file *file = NULL;
  if (!context || !data) return support_fail(err, RP_ERR_ARGUMENT, "%s: context or data is NULL.", kind->call_memory);
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = read_options(options, &read, err);
  if (status == RP_OK) status = support_file_wrap("key in memory", data, bytes, &file, err);
  return status == RP_OK ? plonk_key_open_file(kind, file, &read, key, err) : status;
}
