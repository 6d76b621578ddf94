/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proving keys: from a submitter to the database, from there to a folder of the worker, from there to a device.
 */
#ifndef REPRISE_FARM_KEYS_H
#define REPRISE_FARM_KEYS_H

#include "array.h"
#include "batch.h"
#include "farm.h"
#include "resident.h"

/* Sends the file unless the database has it; sha256 becomes its digest. What arrived before a connection was lost is
 * not sent again. */
rp_status farm_send_key(farm_database *db, const char *path, uint8_t sha256[32], rp_error *err);

/* Where a worker keeps keys: DIR/DIGEST.zkey, of which the least recently used are removed when the limit is reached.
 * Several workers may share a folder. The content of a file is not trusted: the reader that opens it pins its
 * digest. */
typedef struct farm_key_cache {
  char *folder;
  uint64_t limit_bytes;
  const char *url;
} farm_key_cache;
/* `folder` NULL: the user's cache folder. */
rp_status farm_key_cache_open(farm_key_cache *cache, const char *folder, uint64_t limit_bytes, const char *url,
                              rp_error *err);
void farm_key_cache_close(farm_key_cache *cache);
/* The path of the batch's key, to be freed. A key that is not in the folder is fetched over a connection of its own,
 * and *fetched becomes 1. */
rp_status farm_key_cache_get(const farm_key_cache *cache, const farm_batch *batch, char **path, bool *fetched,
                             rp_error *err);
/* For a file that had another digest: deletes it, and tells the farm if it had just been fetched. */
void farm_key_cache_refuse(const farm_key_cache *cache, const farm_batch *batch, const char *path, bool fetched);

/* Keys that are ready to prove; the least recently used is removed when there are too many, or when memory is short. */
typedef struct farm_residents farm_residents;
rp_status farm_residents_open(const cli_call *call, farm_residents **residents, rp_error *err);
void farm_residents_close(farm_residents *residents);
/* The session of the batch's key, valid until the next call. One thread at a time. */
rp_status farm_residents_get(farm_residents *residents, const farm_batch *batch, const cli_session **session,
                             rp_error *err);
void farm_residents_ids(farm_residents *residents, farm_array *ids); /* from any thread */

#endif
