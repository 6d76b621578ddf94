/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "keys.h"

#include "files/digest.h"

#include <stdlib.h>

enum { CHUNK_BYTES = 1 << 20 };

static rp_status send_chunk(farm_database *db, const support_file *file, int64_t key, int64_t n, int64_t chunk_bytes,
                            uint8_t *block, rp_error *err) {
  const uint64_t at = (uint64_t)(n * chunk_bytes), left = support_file_size(file) - at;
  const uint64_t part = left < (uint64_t)chunk_bytes ? left : (uint64_t)chunk_bytes;
  rp_status status = support_file_read(file, at, part, block, err);
  const farm_value values[] = {farm_int4(key), farm_int4(n), farm_bytes(block, (size_t)part)};
  return status == RP_OK ? farm_call(db, "SELECT reprise.key_put($1, $2, $3)", values, 3, NULL, err) : status;
}

static rp_status send_missing(farm_database *db, const support_file *file, int64_t key, int64_t chunk_bytes,
                              rp_error *err) {
  PGresult *rows = NULL;
  const farm_value values[] = {farm_int4(key)};
  uint8_t *block = malloc((size_t)chunk_bytes);
  if (!block) return err->status = RP_ERR_MEMORY;
  rp_status status = farm_call(db, "SELECT reprise.key_missing($1)", values, 1, &rows, err);
  for (int i = 0; status == RP_OK && i < PQntuples(rows); i++)
    status = send_chunk(db, file, key, farm_get_int(rows, i, 0), chunk_bytes, block, err);
  if (status == RP_OK) status = farm_call(db, "SELECT reprise.key_end($1)", values, 1, NULL, err);
  PQclear(rows);
  free(block);
  return status;
}

rp_status farm_send_key(farm_database *db, const char *path, uint8_t sha256[32], rp_error *err) {
  support_file *file = NULL;
  PGresult *rows = NULL;
  rp_status status = support_file_open(path, 0, &file, err);
  if (status == RP_OK) status = support_file_sha256(file, sha256, err);
  if (status == RP_OK) {
    const farm_value values[] = {farm_bytes(sha256, 32), farm_int8((int64_t)support_file_size(file)),
                                 farm_int4(CHUNK_BYTES)};
    status = farm_call(db, "SELECT key_id, complete, chunk FROM reprise.key_begin($1, $2, $3)", values, 3, &rows, err);
  }
  if (status == RP_OK && !farm_get_bool(rows, 0, 1))
    status = send_missing(db, file, farm_get_int(rows, 0, 0), farm_get_int(rows, 0, 2), err);
  PQclear(rows);
  support_file_close(file);
  return status;
}
